//! What it takes to start a server. Secrets are in here by value, so none of this is stored or
//! printed.

use crate::{Authorization, HostUses};
use egress::Egress;
use protocol::{Era, ListedHost, Secret, ServerId};
use sandbox::profile::{Network, Profile, Tier};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// How a server is reached, with everything looked up.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of it for each start of a server"
)]
pub enum Start {
    /// A child process.
    Stdio(StdioStart),
    /// An address.
    Http(HttpStart),
}

/// A child process that speaks on its standard input and output.
#[derive(Debug, Clone)]
pub struct StdioStart {
    /// Our name of the server.
    pub server: ServerId,
    /// The program, resolved: an absolute path.
    pub command: PathBuf,
    /// Its arguments, each as it is passed.
    pub args: Vec<String>,
    /// Environment variables on top of the allow-list.
    pub env: Vec<(String, Secret)>,
    /// Its working directory.
    pub cwd: PathBuf,
    /// `majordomo-jail`, which keeps the server and all it starts in hand. On Windows only used for
    /// one that is confined.
    pub jail: PathBuf,
    /// What it may touch; none does not confine it.
    pub confinement: Option<Confinement>,
    /// The era in which it is spoken to; none finds it out.
    pub era: Option<Era>,
}

/// What a server may touch, and with whom it may speak.
#[derive(Clone)]
pub struct Confinement {
    /// What it may touch. Its home must be there. Unless its network is [`Network::Open`], that is
    /// what follows from the listed hosts.
    pub profile: Profile,
    /// With whom it may speak, by the host's own way out.
    pub hosts: Vec<ListedHost>,
    /// The way out to them.
    pub egress: Egress,
    /// Where it is noted what the server did with hosts, listed or not.
    pub uses: HostUses,
}

impl Confinement {
    /// The profile, with the network that follows from the listed hosts.
    pub(crate) fn whole_profile(&self) -> Profile {
        let network = match self.profile.network {
            Network::Open => Network::Open,
            // Where some are listed, the jail refuses to start it without a network of its own.
            _ if self.profile.tier != Tier::Namespaces && self.hosts.is_empty() => Network::None,
            // With none listed, what it asks for is noted all the same.
            _ => Network::Listed {
                ports: self
                    .hosts
                    .iter()
                    .flat_map(ListedHost::ports)
                    .copied()
                    .collect(),
                addresses: self.hosts.iter().filter_map(ListedHost::address).collect(),
            },
        };
        Profile {
            network,
            home: self.home(),
            ..self.profile.clone()
        }
    }

    /// Its home, by a path to which no link of the person's leads, as the jail wants it. Only around
    /// the home links are followed: those are the host's own folders, and no server's.
    pub(crate) fn home(&self) -> PathBuf {
        let home = &self.profile.home;
        let real = home.parent().zip(home.file_name());
        let real = real.and_then(|(around, name)| Some(around.canonicalize().ok()?.join(name)));
        // One that is not there is for the jail to refuse.
        real.unwrap_or_else(|| home.clone())
    }

    /// Where it puts what it does not keep: its own `/tmp` where it has one.
    pub(crate) fn temporary_folder(&self) -> PathBuf {
        match self.profile.tier {
            Tier::Namespaces => PathBuf::from("/tmp"),
            Tier::Landlock | Tier::Seatbelt | Tier::AppContainer => self.home().join("tmp"),
        }
    }

    /// Makes that folder, where the system does not make it with the server.
    pub(crate) fn make_temporary_folder(&self) -> io::Result<()> {
        match self.profile.tier {
            Tier::Namespaces => Ok(()),
            Tier::Landlock | Tier::Seatbelt | Tier::AppContainer => {
                fs::create_dir_all(self.temporary_folder())
            }
        }
    }
}

/// A server at an address.
#[derive(Clone)]
pub struct HttpStart {
    /// Our name of the server.
    pub server: ServerId,
    /// `https:`, or `http:` on loopback.
    pub url: String,
    /// Headers sent with every request.
    pub headers: Vec<(String, Secret)>,
    /// The way out, with the proxy, authorities and certificate for this server.
    pub egress: Egress,
    /// Who we are there, if that is not in a header.
    pub authorization: Option<Arc<dyn Authorization>>,
    /// The era in which it is spoken to; none finds it out.
    pub era: Option<Era>,
}

/// How long a server may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the start of the process, or the first connection, to the end of the handshake.
    pub start: Duration,
    /// For a call without progress. The time in which a person is asked does not count.
    pub call: Duration,
    /// For a call in all, whatever progress it reports.
    pub call_maximum: Duration,
    /// For a whole list, of tools or anything else.
    pub list: Duration,
}

impl std::fmt::Debug for Confinement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Confinement")
            .field("profile", &self.profile)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for HttpStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpStart")
            .field("server", &self.server)
            .field("era", &self.era)
            .finish_non_exhaustive()
    }
}

impl Start {
    /// Our name of the server.
    pub(crate) fn server(&self) -> &ServerId {
        match self {
            Self::Stdio(start) => &start.server,
            Self::Http(start) => &start.server,
        }
    }
}
