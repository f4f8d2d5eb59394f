//! What a server may touch, in the words of the operating system. Whoever starts a server says it
//! all; nothing is added to it here but what any program needs in order to run.
//!
//! Always true here:
//! - what is not named is not there for the server;
//! - a profile names what is there for one start: paths are absolute, and nothing is looked up later.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::PathBuf;

/// What one server may touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// By what it is enforced. Where that cannot be had, the server does not start.
    pub tier: Tier,
    /// Files and folders that it may read, and programs in them that it may run.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may change, too. No part of such a path may be a symbolic link when
    /// the server starts; where one is, it does not start.
    pub write: Vec<PathBuf>,
    /// What is out of its reach although it lies in one of them. [`Tier::Landlock`] and
    /// [`Tier::AppContainer`] cannot do that: the server does not start there where something of it
    /// is in, or around, what it is given.
    ///
    /// What is not there cannot be made, and nothing else directly in the folder around it. What
    /// somebody else makes or replaces there while the server runs, it can read until its end.
    pub hidden: Vec<PathBuf>,
    /// Its home: a folder that is its own, by a path without symbolic links, too.
    pub home: PathBuf,
    /// With whom it may speak.
    pub network: Network,
    /// How much it may use.
    pub limits: Limits,
}

/// By what a profile is enforced, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Namespaces of its own for files, processes, network and the rest; in them Landlock and a
    /// filter of system calls. What was not given is not there.
    Namespaces,
    /// Landlock and a stricter filter of system calls. It sees that other files are there (their
    /// names, sizes and times), and cannot open them; it has no sockets. Before Linux 6.12, it can
    /// send signals to other processes of the same user.
    Landlock,
    /// macOS's own sandbox. What is in reach is as in a profile; nobody has tried it by force yet.
    Seatbelt,
    /// An AppContainer of Windows. What it is given, and what Windows opens to every such container,
    /// is in reach; nobody has tried it by force yet.
    AppContainer,
}

impl Tier {
    /// All of them, the strongest first.
    pub const ALL: [Self; 4] = [
        Self::Namespaces,
        Self::Landlock,
        Self::Seatbelt,
        Self::AppContainer,
    ];

    /// The word for it between the jail and whoever asks it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Landlock => "landlock",
            Self::Seatbelt => "seatbelt",
            Self::AppContainer => "app_container",
        }
    }

    /// Reads the word. `None` if there is no such tier.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.word() == word)
    }
}

/// With whom a server may speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// With nobody but itself.
    None,
    /// With itself, and with whom the host lets it: on its own network, the host answers what it
    /// looks up by name, and whatever it connects to on these ports. Only [`Tier::Namespaces`] can
    /// do that: on another tier the server does not start.
    Listed {
        /// At most [`Network::MOST_PORTS`].
        ports: BTreeSet<u16>,
        /// What leads to the host beside the addresses that it gives to names.
        addresses: BTreeSet<Ipv4Addr>,
    },
    /// With everybody that the computer can reach, this computer included.
    Open,
}

impl Network {
    /// More ports than this are not listened on: the system hands over no more sockets at once.
    pub const MOST_PORTS: usize = 128;

    /// How many sockets the host answers on: one for names, and one for each port.
    pub fn sockets(&self) -> usize {
        match self {
            Self::Listed { ports, .. } => 1 + ports.len(),
            Self::None | Self::Open => 0,
        }
    }
}

/// How much a server may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processes and threads at once.
    pub processes: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// Bytes of all the folders together that vanish with it: its `/tmp`, and its shared memory.
    pub passing_bytes: u64,
    /// Bytes of memory, where the system lets us bound them.
    pub memory_bytes: u64,
}

impl Profile {
    /// One that gives nothing but what any program needs.
    pub fn nothing(tier: Tier) -> Self {
        Self {
            tier,
            read: Vec::new(),
            write: Vec::new(),
            hidden: Vec::new(),
            home: PathBuf::from("/nonexistent"),
            network: Network::None,
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            processes: 1024,
            open_files: 8192,
            passing_bytes: 512 << 20,
            memory_bytes: 4 << 30,
        }
    }
}
