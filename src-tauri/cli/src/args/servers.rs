//! `majordomoctl servers …`

use clap::{Args, Subcommand, ValueEnum};
use protocol::ServerId;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Servers {
    /// Add a server: a command behind `--`, or an address with `--url`. It is off until it was
    /// reviewed and enabled.
    Add(AddServer),
    /// Read another application's configuration: show what is in it, or keep the named entries,
    /// off. By itself it lists the configurations that were found on this computer.
    Import(Import),
    /// All servers.
    List,
    /// Show exactly what a server would run or call.
    Review {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// Note that you have reviewed what is shown, once you say yes.
        #[arg(long)]
        accept: bool,
    },
    /// Switch a reviewed server on.
    Enable {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
    },
    /// Switch a server off and stop it.
    Disable {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
    },
    /// Remove a server with its secrets, folders and approvals.
    Remove {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
    },
    /// What a server wrote on its standard error.
    Logs {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
    },
    /// Sign in to a remote server: opens the browser and waits for it, or for the address that it
    /// was sent back to.
    SignIn {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// Go on where this would end the sign-in. On a terminal you are asked.
        #[arg(long, value_name = "WHAT")]
        allow: Vec<Allowed>,
    },
    /// Give the tokens of an account back and forget it.
    SignOut {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// Which account; the one in use if none is given.
        #[arg(long)]
        account: Option<String>,
    },
    /// The accounts of a remote server, or use another one.
    Accounts {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// The account to use from now on; a new name begins without tokens.
        #[arg(long = "use", value_name = "ACCOUNT")]
        switch: Option<String>,
    },
    /// How Majordomo is known at a server's sign-in, or another way to be known.
    Client(Client),
    /// Go through every step of finding out how to sign in, without signing in.
    Diagnose {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
    },
    /// Whether a server may ask for a language model, and how much. Each request is a question all
    /// the same.
    Sampling(Sampling),
    /// In which era a server is spoken to.
    Era {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// Which era; none shows it.
        era: Option<EraWord>,
    },
    /// What a local server can access: the files, folders and hosts of its sandbox. Without options
    /// it shows them.
    Sandbox(Sandbox),
    /// When a server that is on runs.
    Runs {
        /// Which one.
        #[arg(value_parser = ServerId::parse)]
        name: ServerId,
        /// When; none shows it.
        runs: Option<RunsWord>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Sandbox {
    /// Which one.
    #[arg(value_parser = ServerId::parse)]
    pub name: ServerId,
    /// Let it read this file or folder, and run programs in it.
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
    /// Let it change this file or folder, too.
    #[arg(long, value_name = "PATH")]
    pub change: Vec<PathBuf>,
    /// Take a path back that was given by `--read` or `--change`.
    #[arg(long, value_name = "PATH")]
    pub take: Vec<PathBuf>,
    /// With whom it can connect: `none`, `any`, or hosts such as
    /// `api.example.com,*.example.org:8443`.
    #[arg(long, value_name = "HOSTS")]
    pub network: Option<String>,
    /// Run it in the sandbox again.
    #[arg(long, conflicts_with = "off")]
    pub on: bool,
    /// Run it without a sandbox: it can do whatever you can.
    #[arg(long)]
    pub off: bool,
    /// Give it even what is protected: keys, browser profiles, start-up files.
    #[arg(long)]
    pub protected: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Sampling {
    /// Which one; nothing else shows what holds for it.
    #[arg(value_parser = ServerId::parse)]
    pub name: ServerId,
    /// It may ask.
    #[arg(long, conflicts_with = "off")]
    pub on: bool,
    /// It may not ask.
    #[arg(long)]
    pub off: bool,
    /// Requests within an hour, at most.
    #[arg(long, value_name = "NUMBER")]
    pub requests: Option<u32>,
    /// Tokens within a day, at most.
    #[arg(long, value_name = "NUMBER")]
    pub tokens: Option<u32>,
    /// Tokens of one reply, at most.
    #[arg(long, value_name = "NUMBER")]
    pub per_reply: Option<u32>,
    /// Whether you see each reply before the server gets it.
    #[arg(long, value_name = "YES-OR-NO", value_parser = clap::builder::BoolishValueParser::new())]
    pub review: Option<bool>,
}

/// What may be allowed for one sign-in that is otherwise refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allowed {
    /// The addresses elsewhere that the sign-in service names.
    Elsewhere,
    /// A service that does not say that it protects the answer of the browser.
    Unprotected,
    /// The way of 2025-03-26, for a server that names no service.
    Older,
    /// Tokens in memory until the host ends, where there is no keyring.
    Memory,
}

/// When a server runs, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunsWord {
    /// From its first use until nobody has used it for a while.
    WhenUsed,
    /// As long as Majordomo.
    Always,
}

/// Eras as they are written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EraWord {
    /// Found out, and remembered.
    Auto,
    /// Always without a handshake.
    Modern,
    /// Always with a handshake.
    Legacy,
}

#[derive(Debug, Args)]
pub(crate) struct Client {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub name: ServerId,
    /// The client id that the server's owner gave out.
    #[arg(long)]
    pub id: Option<String>,
    /// It has a secret: asked for, else read as a line of standard input. Without this the one that
    /// is kept stays.
    #[arg(long, requires = "id")]
    pub secret: bool,
    /// Sign in without a person, by the id and the secret alone.
    #[arg(long, requires = "id")]
    pub without_person: bool,
    /// Keep the secret in memory until the host ends, where there is no keyring.
    #[arg(long, requires = "id")]
    pub session: bool,
    /// Go back to registering by itself.
    #[arg(long, conflicts_with = "id")]
    pub forget: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Unless `--from` is given, first the file, `-` for standard input. Then entries to keep; none
    /// shows what there is.
    #[arg(value_name = "FILE | NAME")]
    pub words: Vec<String>,
    /// Read the configuration of this application that was found, such as `cursor` or
    /// `claude-desktop`.
    #[arg(long, value_name = "APPLICATION")]
    pub from: Option<String>,
    /// Which of its files, where several with servers were found.
    #[arg(long, value_name = "FILE", requires = "from")]
    pub path: Option<String>,
    /// Keep secrets in memory until the host ends, where there is no keyring.
    #[arg(long)]
    pub session: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddServer {
    /// The name to keep it under.
    pub name: String,
    /// An environment variable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,
    /// An environment variable whose value is secret: taken from this program's own environment,
    /// else asked for, else read as a line of standard input.
    #[arg(long, value_name = "NAME")]
    pub secret_env: Vec<String>,
    /// The working folder.
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
    /// A file with a certificate authority that is trusted there besides the system's.
    #[arg(long, value_name = "FILE", requires = "url")]
    pub authority: Option<PathBuf>,
    /// A file with the certificate that is shown to a server that asks for one.
    #[arg(long, value_name = "FILE", requires_all = ["url", "key"])]
    pub certificate: Option<PathBuf>,
    /// The file with its key.
    #[arg(long, value_name = "FILE", requires_all = ["url", "certificate"])]
    pub key: Option<PathBuf>,
    /// Keep secrets in memory until the host ends, where there is no keyring.
    #[arg(long)]
    pub session: bool,
    /// Run it without a sandbox: it can do whatever you can.
    #[arg(long, conflicts_with = "url")]
    pub no_sandbox: bool,
    /// The command and its arguments.
    #[arg(last = true, required_unless_present = "url")]
    pub command: Vec<String>,
}
