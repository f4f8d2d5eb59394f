//! `majordomoctl models …`

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use protocol::ModelService;

/// Models, each by its name or its number.
#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// All that were set up.
    List,
    /// Programs on this computer that serve models: Ollama, LM Studio, llama-server.
    Found,
    /// Set up a model. Its key is asked for, else read as a line of standard input.
    Add(AddModel),
    /// Change what is kept of a model. What is not named stays, and so does its key.
    Change(ChangeModel),
    /// Give a model another key: asked for, else read as a line of standard input.
    Key {
        /// Which one.
        model: String,
        /// Take the key away.
        #[arg(long)]
        remove: bool,
        /// Keep the key in memory until the host ends, where there is no keyring.
        #[arg(long)]
        session: bool,
    },
    /// Ask the service of a model which models it has: whether address and key are right. It costs
    /// nothing there.
    Test {
        /// Which one.
        model: String,
        /// Name all models that it has.
        #[arg(long)]
        all: bool,
    },
    /// Remove a model and its key.
    Remove {
        /// Which one.
        model: String,
    },
}

/// A model that is to be set up.
#[derive(Debug, Args)]
pub(crate) struct AddModel {
    /// What to call it.
    pub name: String,
    /// What kind of service it has.
    #[arg(long)]
    pub service: ServiceWord,
    /// The model, as its service calls it.
    #[arg(long)]
    pub model: String,
    /// The address of the service, if it is not the usual one of its kind.
    #[arg(long)]
    pub url: Option<String>,
    /// The most that it can read and write together, in tokens. Ollama is told.
    #[arg(long, value_name = "TOKENS")]
    pub context: u32,
    /// It can be shown pictures.
    #[arg(long)]
    pub images: bool,
    /// Plain http: may go to a private network, where others can read what is sent.
    #[arg(long)]
    pub plain_nearby: bool,
    /// The service wants no key.
    #[arg(long)]
    pub no_key: bool,
    /// Keep the key in memory until the host ends, where there is no keyring.
    #[arg(long, conflicts_with = "no_key")]
    pub session: bool,
}

/// What is to be different of a model.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("changes").required(true).multiple(true))]
pub(crate) struct ChangeModel {
    /// Which one.
    pub model: String,
    /// What to call it.
    #[arg(long, group = "changes")]
    pub name: Option<String>,
    /// The model, as its service calls it.
    #[arg(long = "model", value_name = "MODEL", group = "changes")]
    pub of_service: Option<String>,
    /// The address of the service. A kept key does not follow to another place: `--key` as well.
    #[arg(long, group = "changes")]
    pub url: Option<String>,
    /// Another key with it: asked for, else read as a line of standard input.
    #[arg(long, group = "changes")]
    pub key: bool,
    /// Keep that key in memory until the host ends, where there is no keyring.
    #[arg(long, requires = "key")]
    pub session: bool,
    /// The most that it can read and write together, in tokens. Ollama is told.
    #[arg(long, value_name = "TOKENS", group = "changes")]
    pub context: Option<u32>,
    /// Whether it can be shown pictures.
    #[arg(long, value_name = "YES-OR-NO", group = "changes", value_parser = clap::builder::BoolishValueParser::new())]
    pub images: Option<bool>,
    /// Whether plain http: may go to a private network, where others can read what is sent.
    #[arg(long, value_name = "YES-OR-NO", group = "changes", value_parser = clap::builder::BoolishValueParser::new())]
    pub plain_nearby: Option<bool>,
}

/// A kind of service.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ServiceWord {
    /// Anthropic.
    Anthropic,
    /// OpenAI, by its Responses API.
    Responses,
    /// OpenAI's chat completions, which many others speak.
    Chat,
    /// Google's Gemini.
    Gemini,
    /// Ollama.
    Ollama,
}

impl From<ServiceWord> for ModelService {
    fn from(word: ServiceWord) -> Self {
        match word {
            ServiceWord::Anthropic => Self::Anthropic,
            ServiceWord::Responses => Self::Responses,
            ServiceWord::Chat => Self::Chat,
            ServiceWord::Gemini => Self::Gemini,
            ServiceWord::Ollama => Self::Ollama,
        }
    }
}
