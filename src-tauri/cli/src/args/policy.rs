//! `majordomoctl policy …`

use super::Values;
use clap::{Args, Subcommand, ValueEnum};
use protocol::{Caller, CallerError, CallerFilter, ServerId, ToolName};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// All rules, the administrator's first.
    Show,
    /// The words in which rules are written, for an administrator's file.
    Language,
    /// What would become of a call, and why. Nothing is called. Exit code 3 if it would be denied.
    ///
    /// Whatever is allowed, a person is asked about the same call once it has come 20 times within
    /// 60 seconds.
    Test(TestCall),
    /// Make a rule. One that lets more happen is a question to a person first, which `--yes` does
    /// not answer.
    Add(AddRule),
    /// Take back a rule that was made here. Where more could happen afterwards this is a question to
    /// a person first, which `--yes` does not answer.
    Remove {
        /// Its number.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TestCall {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    #[command(flatten)]
    pub values: Values,
    /// Who would call: `window`, `terminal`, or a kind and an id, such as `client:editor-1`.
    #[arg(long, value_name = "KIND[:ID]", default_value = "terminal", value_parser = caller)]
    pub caller: Caller,
    /// Suppose that a value of the call came from a stranger.
    #[arg(long)]
    pub from_strangers: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddRule {
    /// What it does.
    pub effect: EffectWord,
    /// When it is asked.
    #[arg(long, default_value = "call")]
    pub at: HookWord,
    /// Only for callers of this kind, or for one of them: `client`, `client:editor-1`.
    #[arg(long, value_name = "KIND[:ID]")]
    pub caller: Option<CallerFilter>,
    /// Only for this server.
    #[arg(long, value_parser = ServerId::parse)]
    pub server: Option<ServerId>,
    /// Only for this tool of the server.
    #[arg(long)]
    pub tool: Option<ToolName>,
    /// Only for tools that you marked as doing something that matters.
    #[arg(long)]
    pub consequential: bool,
    /// Only for tools of which you marked what they return as secret.
    #[arg(long)]
    pub secret: bool,
    /// Only if a value of the call came from a stranger.
    #[arg(long)]
    pub from_strangers: bool,
    /// Only for servers that are reached over the network.
    #[arg(long)]
    pub remote: bool,
    /// Only for programs on this computer that run without a sandbox.
    #[arg(long)]
    pub unconfined: bool,
    /// Only if it is about this host or a part of it; given several times, one of them.
    #[arg(long, value_name = "HOST")]
    pub to_host: Vec<String>,
    /// Only if a path in the arguments lies in this folder.
    #[arg(long, value_name = "FOLDER")]
    pub in_folder: Option<PathBuf>,
    /// Only if this was found in a result, with `--at return`.
    #[arg(long, value_name = "WHAT")]
    pub found: Option<FoundWord>,
    /// Why; told to the caller with a refusal.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Only show the rule as it would be written.
    #[arg(long)]
    pub preview: bool,
}

/// What a rule does, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffectWord {
    /// It never happens.
    Forbid,
    /// A person is asked every time.
    Ask,
    /// It happens without a question.
    Allow,
}

/// When a rule is asked, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookWord {
    /// Before a tool is shown.
    Discover,
    /// Before it is called.
    Call,
    /// Before its result is handed over.
    Return,
    /// Before anything leaves for another computer.
    Egress,
}

/// What can be found in a result, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FoundWord {
    /// Instructions to a model.
    Instructions,
    /// What looks like a credential.
    Credentials,
    /// Personal numbers.
    PersonalNumbers,
}

fn caller(text: &str) -> Result<Caller, CallerError> {
    text.parse::<CallerFilter>()?.try_into()
}
