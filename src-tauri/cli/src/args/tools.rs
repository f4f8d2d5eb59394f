//! `majordomoctl tools …`

use clap::Subcommand;
use protocol::{ServerId, ToolName};

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// The tools of a server, or of all that are on.
    List {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: Option<ServerId>,
    },
    /// Look for tools by what they are to do, or by their name.
    Search {
        /// What the tool is to do, in a few words.
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// One tool in full.
    Show {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// Switch a tool on.
    Enable {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// Switch a tool off: every call of it is denied.
    Disable {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// Always show a tool to models, also where they look for tools. Nothing is allowed by it.
    Pin {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// Show a tool to models as any other one.
    Unpin {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// Say what a tool does, beyond what its server says; without an option, take it back.
    Mark {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// It does something that matters: what goes into it is looked at, whatever its name says.
        #[arg(long)]
        consequential: bool,
        /// What it returns is secret: it goes to nobody whom you did not name.
        #[arg(long)]
        secret: bool,
    },
}
