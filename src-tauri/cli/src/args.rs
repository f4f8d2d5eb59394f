//! What can be written on the command line: one file for each noun.

mod agent;
mod assistants;
mod audit;
mod call;
mod calls;
mod chat;
mod clients;
mod help;
#[cfg(test)]
mod help_test;
mod jail;
mod logs;
mod measures;
mod models;
mod offers;
mod overview;
mod policy;
mod prompts;
mod questions;
mod resources;
mod roots;
mod serve;
mod servers;
mod telemetry;
mod tools;
mod values;
mod workspaces;

pub(crate) use agent::{Agent, Task};
pub(crate) use assistants::{Assistants, SetAssistant};
pub(crate) use audit::{Audit, Format, RowsArgs};
pub(crate) use call::{Answers, Call};
pub(crate) use calls::Calls;
pub(crate) use chat::{Chat, Conversations, ExportWord};
pub(crate) use clients::{Bridge, Clients, ConnectArgs, Switch};
pub(crate) use help::Help;
pub(crate) use jail::Jail;
#[cfg(target_os = "linux")]
pub(crate) use jail::TierWord;
pub(crate) use logs::{Exchange, Logs};
pub(crate) use measures::{Flow, Inspect};
pub(crate) use models::{AddModel, ChangeModel, Models};
pub(crate) use offers::{Decided, Offers};
pub(crate) use overview::command;
pub(crate) use policy::{AddRule, EffectWord, FoundWord, HookWord, Policy, TestCall};
pub(crate) use prompts::{Complete, Prompts};
pub(crate) use questions::{AnswerArgs, AnswerWord, Grants, Questions};
pub(crate) use resources::Resources;
pub(crate) use roots::Roots;
pub(crate) use serve::Serve;
pub(crate) use servers::{
    AddServer, Allowed, Client, EraWord, Import, RunsWord, Sampling, Sandbox, Servers,
};
pub(crate) use telemetry::Telemetry;
pub(crate) use tools::Tools;
pub(crate) use values::Values;
pub(crate) use workspaces::Workspaces;

use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Majordomo in the terminal: servers, calls, questions, grants and the log, and the host without a
/// window.
///
/// Exit codes: 0 done, 1 something else went wrong, 2 usage, 3 denied, 4 a server or its tool
/// failed, 5 the log is not intact.
#[derive(Debug, Parser)]
#[command(name = "majordomoctl", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// Where everything is kept.
    #[arg(long, global = true, value_name = "DIR", env = "MAJORDOMO_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// Write results as JSON.
    #[arg(long, global = true)]
    pub json: bool,
    /// Say yes to what lets more happen. This is the word of whoever runs the command, a program
    /// too; without it only a person on a terminal says yes.
    #[arg(long, global = true)]
    pub yes: bool,
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
    /// Sets of servers with their folders, tools and grants.
    #[command(subcommand)]
    Workspaces(Workspaces),
    /// What a server offers, compared with what was approved.
    #[command(subcommand)]
    Offers(Offers),
    /// Tools of a server.
    #[command(subcommand)]
    Tools(Tools),
    /// What a server offers to read.
    #[command(subcommand)]
    Resources(Resources),
    /// Prompts of a server.
    #[command(subcommand)]
    Prompts(Prompts),
    /// What a server proposes for a value.
    Complete(Complete),
    /// What a server logged by the protocol.
    Logs(Logs),
    /// The newest messages between Majordomo and a server, word for word.
    Exchange(Exchange),
    /// Call a tool and wait for the end, the question to a person included.
    Call(Call),
    /// Calls of which nobody knows what became of them.
    #[command(subcommand)]
    Calls(Calls),
    /// Other applications, which use the servers through Majordomo.
    #[command(subcommand)]
    Clients(Clients),
    Bridge(Bridge),
    /// Models: set up, test, remove, and find on this computer.
    #[command(subcommand)]
    Models(Models),
    /// Talk to a model, which uses the tools of the servers.
    Chat(Chat),
    /// Tasks for a model, in scripts.
    #[command(subcommand)]
    Agent(Agent),
    /// Assistants: models with instructions and tools for a kind of task.
    #[command(subcommand)]
    Assistants(Assistants),
    /// Conversations with models: list, show, rename, delete, export.
    #[command(subcommand)]
    Conversations(Conversations),
    /// What was left out of answers.
    #[command(subcommand)]
    Answers(Answers),
    /// Questions that wait for a person.
    #[command(subcommand)]
    Questions(Questions),
    /// What was allowed for more than once.
    #[command(subcommand)]
    Grants(Grants),
    /// Rules: what the policy says, and what would become of a call.
    ///
    /// Whatever they and approvals allow, a person is asked about the same call once it has come 20
    /// times within 60 seconds, and after a no it is refused for a while.
    #[command(subcommand)]
    Policy(Policy),
    /// The log of everything that happened.
    #[command(subcommand)]
    Audit(Audit),
    /// The sandbox of local servers: how strong it is here, and whether it holds.
    #[command(subcommand)]
    Jail(Jail),
    /// Traces and metrics for an OpenTelemetry collector.
    #[command(subcommand)]
    Telemetry(Telemetry),
    /// What strangers' words may steer, measured.
    #[command(subcommand, hide = true)]
    Flow(Flow),
    /// What is suspicious in definitions of tools and in texts, as JSON lines, measured.
    #[command(subcommand, hide = true)]
    Inspect(Inspect),
    /// Run the host without a window until it is ended with Ctrl-C.
    Serve(Serve),
    /// What a shell completes commands and options by, to be read by it when it starts.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// The words of Majordomo, and what each means.
    Glossary {
        /// Only those that hold these.
        words: Vec<String>,
    },
    /// All commands, as text, Markdown or a page for `man`.
    Help(Help),
    /// Be one of the built-in servers, on standard input and output.
    #[command(hide = true)]
    Builtin {
        /// Which one.
        name: String,
    },
}
