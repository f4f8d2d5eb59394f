//! `majordomoctl prompts …`, and proposals for what is filled in

use clap::{Args, Subcommand};
use protocol::ServerId;

#[derive(Debug, Subcommand)]
pub(crate) enum Prompts {
    /// The prompts of a server.
    List {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
    },
    /// One, filled in.
    Get {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Which prompt.
        prompt: String,
        /// An argument.
        #[arg(long = "arg", value_name = "NAME=VALUE")]
        arguments: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Complete {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// The prompt whose argument is being filled in.
    #[arg(
        long,
        required_unless_present = "template",
        conflicts_with = "template"
    )]
    pub prompt: Option<String>,
    /// The address with gaps whose gap is being filled in.
    #[arg(long)]
    pub template: Option<String>,
    /// The argument or gap.
    pub argument: String,
    /// What is typed so far.
    #[arg(default_value = "")]
    pub value: String,
    /// Another argument that is filled in already.
    #[arg(long = "with", value_name = "NAME=VALUE")]
    pub context: Vec<String>,
}
