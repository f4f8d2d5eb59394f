//! Arguments of a tool, as they are typed.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Values {
    /// The arguments, one by one: `path=notes.txt`. What a value is, a text or a number, its tool says;
    /// a list is its values one after the other, or JSON.
    #[arg(value_name = "NAME=VALUE")]
    pub values: Vec<String>,
    /// The arguments, a JSON object; `-` reads it from standard input.
    #[arg(long, value_name = "JSON", conflicts_with = "values")]
    pub args: Option<String>,
}
