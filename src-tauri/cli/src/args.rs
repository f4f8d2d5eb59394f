//! What can be written on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Majordomo in the terminal: servers, calls, questions, grants and the log, and the host without a window.
///
/// Exit codes: 0 done, 1 something else went wrong, 2 usage, 3 denied, 4 a server or its tool failed, 5 the log is not intact.
#[derive(Debug, Parser)]
#[command(name = "majordomoctl", version)]
pub(crate) struct Arguments {
    /// Where everything is kept.
    #[arg(long, global = true, value_name = "DIR", env = "MAJORDOMO_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// Write results as JSON.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Servers: add, look at, switch, remove.
    #[command(subcommand)]
    Servers(Servers),
    /// Folders that a server is offered.
    #[command(subcommand)]
    Roots(Roots),
    /// Tools of a server.
    #[command(subcommand)]
    Tools(Tools),
    /// Call a tool and wait for the end, the question to a person included.
    Call(Call),
    /// Questions that wait for a person.
    #[command(subcommand)]
    Questions(Questions),
    /// What was allowed for more than once.
    #[command(subcommand)]
    Grants(Grants),
    /// The log of everything that happened.
    #[command(subcommand)]
    Audit(Audit),
    /// Run the host without a window until it is ended with Ctrl-C.
    Serve(Serve),
    /// Be one of the built-in servers, on standard input and output.
    #[command(hide = true)]
    Builtin {
        /// Which one.
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Servers {
    /// Add a server: a command behind `--`, or an address with `--url`. It is off until it was reviewed and enabled.
    Add(AddServer),
    /// Read another application's configuration: show what is in it, or keep the named entries, off.
    Import {
        /// The file; `-` for standard input.
        file: String,
        /// Entries to keep; none of them shows what there is.
        names: Vec<String>,
        /// Keep secrets in memory until the host ends, where there is no keyring.
        #[arg(long)]
        session: bool,
    },
    /// All servers.
    List,
    /// Show exactly what a server would run or call, and note that it was reviewed.
    Review {
        /// Which one.
        name: String,
    },
    /// Switch a reviewed server on.
    Enable {
        /// Which one.
        name: String,
    },
    /// Switch a server off and stop it.
    Disable {
        /// Which one.
        name: String,
    },
    /// Remove a server with its credentials, folders and grants.
    Remove {
        /// Which one.
        name: String,
    },
    /// What a server wrote on its standard error.
    Logs {
        /// Which one.
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddServer {
    /// The name to keep it under.
    pub name: String,
    /// An environment variable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,
    /// An environment variable whose value is secret: taken from this program's own environment, else asked for, else read
    /// as a line of standard input.
    #[arg(long, value_name = "NAME")]
    pub secret_env: Vec<String>,
    /// The working directory.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<String>,
    /// The address of a remote server.
    #[arg(long, conflicts_with_all = ["command", "env", "secret_env", "cwd"])]
    pub url: Option<String>,
    /// A header.
    #[arg(long, value_name = "NAME=VALUE", requires = "url")]
    pub header: Vec<String>,
    /// A header whose value is secret: asked for, else read as a line of standard input.
    #[arg(long, value_name = "NAME", requires = "url")]
    pub secret_header: Vec<String>,
    /// Keep secrets in memory until the host ends, where there is no keyring.
    #[arg(long)]
    pub session: bool,
    /// The command and its arguments.
    #[arg(last = true, required_unless_present = "url")]
    pub command: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Roots {
    /// Offer a folder to a server.
    Add {
        /// Which server.
        server: String,
        /// The folder.
        path: PathBuf,
    },
    /// The folders of a server.
    List {
        /// Which server.
        server: String,
    },
    /// Take a folder from a server.
    Remove {
        /// Which server.
        server: String,
        /// The folder.
        path: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// The tools of a server, or of all that are on.
    List {
        /// Which server.
        server: Option<String>,
    },
    /// One tool in full.
    Show {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// Switch a tool on.
    Enable {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// Switch a tool off: every call of it is denied.
    Disable {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// Which server.
    pub server: String,
    /// Which tool.
    pub tool: String,
    /// The arguments, a JSON object; `-` reads it from standard input.
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub args: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Questions {
    /// Questions that wait.
    List,
    /// Answer one: on a terminal that a person sits at, or with the approver token.
    Answer {
        /// Which one.
        id: String,
        /// The answer.
        answer: AnswerWord,
        /// Told to the caller, with `deny`.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        /// What is filled into a form, a JSON object; its defaults if nothing is given.
        #[arg(long, value_name = "JSON")]
        content: Option<String>,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
}

/// Answers as they are written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerWord {
    /// This call, and nothing else.
    AllowOnce,
    /// This tool with any arguments, until the host ends.
    AllowRun,
    /// This tool with exactly these arguments, always.
    AllowExactly,
    /// This tool with any arguments, always.
    AllowAlways,
    /// No.
    Deny,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Grants {
    /// What was allowed.
    List,
    /// Take one back.
    Revoke {
        /// Which one.
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// What happened, newest first.
    List {
        /// Only this server.
        #[arg(long)]
        server: Option<String>,
        /// Only this tool.
        #[arg(long)]
        tool: Option<String>,
        /// Only this outcome: done, tool_error, failed, refused, cancelled, interrupted, running, noted.
        #[arg(long)]
        outcome: Option<String>,
        /// Only rows that hold all these words.
        #[arg(long)]
        text: Option<String>,
        /// How many rows.
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Read the whole log and say whether it is intact, or the first bad record and why.
    Verify,
    /// Where the log's files lie.
    Path,
    /// The whole log as text.
    Export {
        /// In which format.
        #[arg(long, default_value = "jsonl")]
        format: Format,
    },
}

/// Formats of the exported log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON record a line.
    Jsonl,
    /// Comma-separated values.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Write a token into this file, readable by you only, with which programs may answer questions.
    #[arg(long, value_name = "FILE")]
    pub approver_token_file: Option<PathBuf>,
    /// Serve the built user interface from this folder.
    #[arg(long, value_name = "DIR")]
    pub ui: Option<PathBuf>,
}
