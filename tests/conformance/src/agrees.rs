//! A person who agrees to everything: sends forms as they are filled in beforehand, and opens
//! addresses.

use connections::{ConnectionError, During, ServerAsks};
use futures::future::BoxFuture;
use policy::PermittedRoots;
use protocol::{CallId, Form, FormResult, Sample, UrlAsk, UrlResult};
use serde_json::{Map, Value, json};

/// The person.
#[derive(Debug, Default)]
pub struct Agrees;

impl ServerAsks for Agrees {
    fn has_model(&self, _call: Option<&CallId>) -> bool {
        true
    }

    fn roots(&self, _during: Option<During>) -> BoxFuture<'_, PermittedRoots> {
        Box::pin(async { PermittedRoots::none() })
    }

    fn form(&self, form: Form, _during: During) -> BoxFuture<'_, FormResult> {
        Box::pin(async move {
            FormResult::Accept {
                content: filled(&form.schema),
            }
        })
    }

    fn url(&self, _ask: UrlAsk, _during: During) -> BoxFuture<'_, UrlResult> {
        Box::pin(async { UrlResult::Opened })
    }

    fn sample(
        &self,
        _sample: Sample,
        _during: During,
    ) -> BoxFuture<'_, Option<Map<String, Value>>> {
        Box::pin(async { None })
    }

    fn wrote(&self, _lines: Vec<String>) {}

    fn ended(&self, _why: ConnectionError) {}
}

/// A form as it looks before anyone touches it; a box without a default is ticked.
fn filled(schema: &Map<String, Value>) -> Map<String, Value> {
    let fields = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let value = |field: &Value| {
        field
            .get("default")
            .cloned()
            .or_else(|| (field["type"] == "boolean").then(|| json!(true)))
    };
    fields
        .filter_map(|(name, field)| Some((name.clone(), value(field)?)))
        .collect()
}
