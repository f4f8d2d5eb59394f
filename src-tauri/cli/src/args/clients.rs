//! `majordomoctl clients …` and `majordomoctl bridge`

use clap::{Args, Subcommand, ValueEnum};
use policy::{Selected, ToolMode, ToolSelection};
use protocol::{CallerId, NameError, ServerId, ToolName};
use std::collections::BTreeSet;

/// Other applications, each known by its id.
#[derive(Debug, Subcommand)]
pub(crate) enum Clients {
    /// All that may come in, and who is connected.
    List,
    /// Let an application come in. Nothing is allowed to it yet.
    Add {
        /// What to call it.
        name: String,
    },
    /// Make a token for HTTP, in place of the one before. It is shown once, and kept nowhere.
    Token {
        /// Which one.
        client: CallerId,
        /// Take the token away.
        #[arg(long)]
        remove: bool,
    },
    /// Say which servers and tools an application has.
    Give {
        /// Which one.
        client: CallerId,
        /// Which servers and tools.
        #[command(flatten)]
        selection: Selection,
    },
    /// Say how an application is shown its tools: each is listed, or it looks for them.
    Mode {
        /// Which one.
        client: CallerId,
        /// How.
        mode: ModeWord,
    },
    /// Say in which workspace an application works. While another one is in use it has nothing.
    Workspace {
        /// Which one.
        client: CallerId,
        /// Which workspace, by its name or its number.
        #[arg(required_unless_present = "any", conflicts_with = "any")]
        workspace: Option<String>,
        /// The one in use, whichever that is.
        #[arg(long)]
        any: bool,
    },
    /// Say whether an application is offered Majordomo's own tools, by which it sees what of its own
    /// waits and what it did.
    OwnTools {
        /// Which one.
        client: CallerId,
        /// Whether it is.
        #[arg(value_enum)]
        on: Switch,
    },
    /// End all connections of an application. It may come back.
    Disconnect {
        /// Which one.
        client: CallerId,
    },
    /// Let an application in no more, and take back what it was allowed.
    Remove {
        /// Which one.
        client: CallerId,
    },
    /// Applications on this computer that could come in, and whether their configurations have them
    /// do so.
    Found,
    /// Write Majordomo into an application's configuration, once the difference was shown.
    Connect {
        #[command(flatten)]
        application: ConnectArgs,
        /// A server that the application no longer starts itself, because Majordomo has the same.
        #[arg(long, value_name = "SERVER")]
        without: Vec<String>,
    },
    /// Give an application's configuration back as it was.
    Undo(ConnectArgs),
    /// Servers that applications start themselves, so that nobody is asked and nothing is logged.
    Bypass,
}

/// An application on this computer.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// Its name, as `clients found` has it.
    pub application: String,
    /// Which of its files, where it has several.
    #[arg(long, value_name = "FILE")]
    pub path: Option<String>,
}

/// Which servers and tools an application has.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Selection {
    /// All, also those that come later.
    #[arg(long)]
    all: bool,
    /// These and no others: servers, and single tools as `server:tool`.
    #[arg(long, value_name = "SERVER[:TOOL]", num_args = 1.., value_parser = part)]
    only: Vec<Part>,
    /// All but these.
    #[arg(long, value_name = "SERVER[:TOOL]", num_args = 1.., value_parser = part)]
    except: Vec<Part>,
}

/// A server, or one of its tools.
#[derive(Debug, Clone)]
pub(crate) struct Part(ServerId, Option<ToolName>);

/// How an application is shown its tools.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ModeWord {
    /// Each is listed.
    Direct,
    /// It looks for them.
    Search,
}

/// Whether it is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

fn part(text: &str) -> Result<Part, NameError> {
    let (server, tool) = match text.split_once(':') {
        Some((server, tool)) => (server, Some(ToolName::from(tool))),
        None => (text, None),
    };
    Ok(Part(ServerId::parse(server)?, tool))
}

impl From<Selection> for ToolSelection {
    fn from(Selection { all, only, except }: Selection) -> Self {
        match (all, except.is_empty()) {
            (true, _) => Self::All,
            (false, true) => Self::Only {
                parts: gathered(only),
            },
            (false, false) => Self::Except {
                parts: gathered(except),
            },
        }
    }
}

/// The same with all tools of a server in one place.
fn gathered(parts: Vec<Part>) -> Vec<Selected> {
    let mut gathered = Vec::<Selected>::new();
    for Part(server, tool) in parts {
        let known = gathered.iter_mut().find(|one| one.server == server);
        match (known, tool) {
            (Some(Selected { tools, .. }), None) => *tools = None,
            (Some(Selected { tools, .. }), Some(tool)) => {
                tools
                    .iter_mut()
                    .for_each(|tools| _ = tools.insert(tool.clone()));
            }
            (None, tool) => {
                let tools = tool.map(|tool| BTreeSet::from([tool]));
                gathered.push(Selected { server, tools });
            }
        }
    }
    gathered
}

impl From<ModeWord> for ToolMode {
    fn from(word: ModeWord) -> Self {
        match word {
            ModeWord::Direct => Self::Direct,
            ModeWord::Search => Self::Search,
        }
    }
}

/// Come in as another application, over standard input and output. An application starts this like
/// any server.
#[derive(Debug, Args)]
pub(crate) struct Bridge {
    /// As which one: its id.
    #[arg(long, value_name = "ID")]
    pub client: CallerId,
    /// Only the tools of this server, under their own names.
    #[arg(long, value_name = "SERVER")]
    pub server: Option<String>,
}
