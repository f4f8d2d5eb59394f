//! Models that a person sets up.

use crate::KeepSecrets;
use protocol::{ModelId, ModelService, ModelSettings, Secret, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A model that was set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelView {
    /// Its number.
    pub id: ModelId,
    /// What the person calls it.
    pub name: String,
    /// How it is reached, and what it can do.
    pub settings: ModelSettings,
    /// Whether its service is given a key.
    pub has_key: bool,
    /// When it was added.
    pub added_at: Timestamp,
}

/// A model as a form has it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ModelDraft {
    /// What to call it.
    pub name: String,
    /// How it is reached, and what it can do.
    pub settings: ModelSettings,
    /// The key of its service.
    pub key: DraftKey,
    /// What to do with a key where there is no keyring.
    #[serde(default)]
    pub keep: KeepSecrets,
}

/// The key of a service in a form.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftKey {
    /// The service wants none.
    None,
    /// The one that is kept, if there is one (changing only). It stays with the origin that it was
    /// given for.
    Kept,
    /// A new one: goes to the keyring.
    NewSecret {
        /// The value, on its only way inwards.
        #[ts(type = "string")]
        #[serde(serialize_with = "crate::draft::inwards")]
        value: Secret,
    },
}

/// What the service of a model said when it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelCheck {
    /// The models that it offers, by name; absent where it has no list.
    pub offered: Option<Vec<OfferedModel>>,
    /// Whether the model is among them; absent where there is no list.
    pub is_offered: Option<bool>,
}

/// A model that a service offers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct OfferedModel {
    /// Its name there.
    pub name: String,
    /// The most that it can read and write together, in tokens, where the service says so.
    pub context: Option<u32>,
}

/// A program on this computer that serves models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalModels {
    /// Which program usually is at this address.
    pub program: LocalProgram,
    /// Whose words it speaks.
    pub service: ModelService,
    /// Its address, for the settings of a model.
    pub url: String,
    /// What it offers.
    pub offered: Vec<OfferedModel>,
}

/// A program that serves models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LocalProgram {
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// The server of llama.cpp.
    LlamaServer,
}
