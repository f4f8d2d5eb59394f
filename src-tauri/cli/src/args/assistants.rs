//! `majordomoctl assistants …`

use clap::{Args, Subcommand};
use protocol::{AnswerType, ServerId, ToolName};
use std::path::PathBuf;

/// Assistants, each by its name or its number: models with instructions and tools for a kind of
/// task.
#[derive(Debug, Subcommand)]
pub(crate) enum Assistants {
    /// All that were made.
    List,
    /// One in full.
    Show {
        /// Which one.
        assistant: String,
    },
    /// Make one.
    Add {
        /// What to call it.
        name: String,
        #[command(flatten)]
        settings: SetAssistant,
    },
    /// Change one: what is not given stays as it is.
    Change {
        /// Which one.
        assistant: String,
        /// Call it something else.
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        #[command(flatten)]
        settings: SetAssistant,
    },
    /// Remove one. Its conversations stay, and can be read.
    Remove {
        /// Which one.
        assistant: String,
    },
    /// Write one out, without its model and its helpers.
    Export {
        /// Which one.
        assistant: String,
    },
    /// Make one that was written out. What a file says is a stranger's: look at it with `show`.
    Import {
        /// The file.
        file: PathBuf,
    },
}

/// How an assistant is set up.
#[derive(Debug, Args)]
pub(crate) struct SetAssistant {
    /// What it is for, for you and for models that may give it a task.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// How it is to go about its tasks.
    #[arg(long, value_name = "TEXT")]
    pub instructions: Option<String>,
    /// The same out of a file.
    #[arg(long, value_name = "FILE", conflicts_with = "instructions")]
    pub instructions_file: Option<PathBuf>,
    /// Which model it is, by its name or its number; `any` for the one that is in use where it works.
    #[arg(long)]
    pub model: Option<String>,
    /// A tool that it is shown, as `SERVER/TOOL`; can be given several times. No others are shown then.
    #[arg(long = "tool", value_name = "SERVER/TOOL", value_parser = tool)]
    pub tools: Vec<(ServerId, ToolName)>,
    /// It is shown all tools.
    #[arg(long, conflicts_with_all = ["tools", "no_tools"])]
    pub all_tools: bool,
    /// It is shown no tools of servers.
    #[arg(long, conflicts_with = "tools")]
    pub no_tools: bool,
    /// Whether it can calculate.
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    pub calculates: Option<bool>,
    /// An assistant that it may give tasks to; can be given several times.
    #[arg(long = "helper", value_name = "ASSISTANT")]
    pub helpers: Vec<String>,
    /// It gives tasks to nobody.
    #[arg(long, conflicts_with = "helpers")]
    pub no_helpers: bool,
    /// Whether models may give it tasks in conversations without an assistant.
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    pub is_helper: Option<bool>,
    /// What it answers to a task: text, boolean, integer, number, date, json, or one-of:A,B,C.
    #[arg(long, value_name = "TYPE")]
    pub answer_type: Option<AnswerType>,
}

fn yes_or_no(word: &str) -> Result<bool, String> {
    match word {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("it is yes or no".to_owned()),
    }
}

fn tool(word: &str) -> Result<(ServerId, ToolName), String> {
    let (server, tool) = word.split_once('/').ok_or("it is SERVER/TOOL")?;
    let server = ServerId::parse(server).map_err(|problem| problem.to_string())?;
    Ok((server, ToolName::from(tool)))
}
