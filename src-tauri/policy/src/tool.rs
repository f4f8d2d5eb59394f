//! A tool as this host knows it: its definition, fingerprinted and with its schemas compiled once.

use crate::schema::{Schema, SchemaProblem};
use protocol::{Fingerprint, ToolSpec};
use serde_json::{Map, Value};

/// A tool's definition with what is derived from it.
#[derive(Debug, Clone)]
pub struct KnownTool {
    spec: ToolSpec,
    fingerprint: Fingerprint,
    input: Schema,
    output: Option<Schema>,
}

impl KnownTool {
    /// Takes a definition in. A schema that cannot be used is not an error here: every call of the
    /// tool is refused with it.
    pub fn new(spec: ToolSpec) -> Self {
        Self {
            fingerprint: spec.fingerprint(),
            input: Schema::new(&spec.input_schema),
            output: spec.output_schema.as_ref().map(Schema::new),
            spec,
        }
    }

    /// The definition.
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Why nothing can be checked against the input schema, if that is so.
    pub fn schema_problem(&self) -> Option<&str> {
        self.input.problem()
    }

    /// Checks arguments against the input schema.
    pub fn check_arguments(&self, arguments: &Map<String, Value>) -> Result<(), SchemaProblem> {
        self.input.check(&Value::Object(arguments.clone()))
    }

    /// Checks structured content against the output schema; anything fits where the tool has none.
    pub fn check_structured(&self, value: &Value) -> Result<(), SchemaProblem> {
        self.output
            .as_ref()
            .map_or(Ok(()), |schema| schema.check(value))
    }
}
