//! A tool as this host knows it: its definition with its fingerprint.

use crate::Schema;
use crate::flow::{Described, Sink};
use protocol::{Fingerprint, ToolSpec, estimated_tokens};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A tool's definition with what is derived from it.
#[derive(Debug, Clone)]
pub struct KnownTool {
    spec: Arc<ToolSpec>,
    fingerprint: Fingerprint,
    /// What it does; told at its first call.
    sink: Arc<OnceLock<Sink>>,
    /// What it says about its arguments; read at its first call.
    described: Arc<OnceLock<Described>>,
    /// What it takes of a model's context; told where somebody wants to know.
    tokens: Arc<OnceLock<u32>>,
}

impl KnownTool {
    /// Takes a definition in. Its schemas are not looked at: strangers list as many as they like.
    pub fn new(spec: ToolSpec) -> Self {
        Self {
            fingerprint: spec.fingerprint(),
            spec: Arc::new(spec),
            sink: Arc::default(),
            described: Arc::default(),
            tokens: Arc::default(),
        }
    }

    /// The definition.
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The definition, for a permission to carry with it.
    pub(crate) fn definition(&self) -> Arc<ToolSpec> {
        Arc::clone(&self.spec)
    }

    /// What it does, told by its definition.
    pub(crate) fn sink(&self) -> &Sink {
        self.sink
            .get_or_init(|| Sink::of(self.spec.name.as_str(), Some(&self.spec)))
    }

    /// What its schema says about its arguments.
    pub(crate) fn described(&self) -> &Described {
        self.described
            .get_or_init(|| Described::of(&self.spec.input_schema))
    }

    /// About how many tokens its definition takes of a model's context.
    pub fn tokens(&self) -> u32 {
        let written = || Value::Object(self.spec.definition()).to_string();
        *self.tokens.get_or_init(|| estimated_tokens(&written()))
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Compiles its input schema. It may take a part of a second.
    pub fn compile_input(&self) -> Schema {
        Schema::compile(&self.spec.input_schema)
    }

    /// The same for its output schema, if it has one.
    pub fn compile_output(&self) -> Option<Schema> {
        self.spec.output_schema.as_ref().map(Schema::compile)
    }
}
