//! `majordomoctl chat` and `majordomoctl conversations …`

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A conversation with a model.
#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// Which model, by its name or its number. A new conversation begins with the one that was set up
    /// last.
    #[arg(long)]
    pub model: Option<String>,
    /// Which assistant, by its name or its number, a new conversation begins with.
    #[arg(long, conflicts_with = "conversation")]
    pub assistant: Option<String>,
    /// Go on with this conversation, by its number or its title. Else a new one begins.
    #[arg(long)]
    pub conversation: Option<String>,
    /// Say this, show what comes of it, and end. Where nobody sits at the terminal, a question is
    /// answered with no.
    #[arg(long, value_name = "TEXT")]
    pub say: Option<String>,
    /// Attach this file to it, a text or a picture; can be given several times.
    #[arg(long, value_name = "FILE", requires = "say")]
    pub attach: Vec<PathBuf>,
    /// Let the turn go on that waits for that, or that was cut short, before anything else.
    #[arg(long)]
    pub go_on: bool,
}

/// Conversations with models, each by its number or its title.
#[derive(Debug, Subcommand)]
pub(crate) enum Conversations {
    /// All of them, the last changed first.
    List {
        /// Only those that hold these words.
        #[arg(long, value_name = "WORDS")]
        text: Option<String>,
    },
    /// What was said in one.
    Show {
        /// Which one.
        conversation: String,
        /// How many things, the last ones.
        #[arg(long, default_value_t = 50)]
        last: u32,
    },
    /// What is in something that you attached.
    Attached {
        /// In which one.
        conversation: String,
        /// The number of what you said there, as `show` says it.
        #[arg(long, value_name = "NUMBER")]
        said: u32,
        /// Which one of what is attached to it, from 1.
        #[arg(long, value_name = "NUMBER", default_value_t = 1)]
        which: u32,
    },
    /// What the request held that a reply answers, and what was left out of it.
    Held {
        /// Of which one.
        conversation: String,
        /// The number of the reply, as `show` says it; else the last one.
        #[arg(long, value_name = "NUMBER")]
        reply: Option<u32>,
    },
    /// Begin another one with what was said in one before something. That one stays as it is.
    Branch {
        /// Of which one.
        conversation: String,
        /// The number of what you said there, as `show` says it: what you say next stands in its place.
        #[arg(long, value_name = "NUMBER")]
        before: u32,
    },
    /// Keep one at the top of the list.
    Pin {
        /// Which one.
        conversation: String,
    },
    /// Keep one at the top of the list no longer.
    Unpin {
        /// Which one.
        conversation: String,
    },
    /// Have what speaks to the model read for it, and not shown to it.
    Reader {
        /// In which one.
        conversation: String,
        /// Have it shown to the model as it came.
        #[arg(long)]
        off: bool,
    },
    /// Stop what goes on in one.
    Stop {
        /// Which one.
        conversation: String,
    },
    /// Call one something else.
    Rename {
        /// Which one.
        conversation: String,
        /// What to call it.
        title: String,
    },
    /// Delete one with all that was said in it.
    Delete {
        /// Which one.
        conversation: String,
    },
    /// Write one out, with its calls.
    Export {
        /// Which one.
        conversation: String,
        /// In which format.
        #[arg(long, default_value = "markdown")]
        format: ExportWord,
    },
    /// Begin one with what stands in a file that was written out as JSON. Nothing in it counts as
    /// your words.
    Import {
        /// The file; `-` reads standard input.
        file: PathBuf,
    },
}

/// How a conversation is written out.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ExportWord {
    /// For people.
    Markdown,
    /// For programs, with every call in full.
    Json,
}
