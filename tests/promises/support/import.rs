//! Configurations of other applications, as a surface hands them over.

use super::{Choices, TestHost};
use host::api::{ImportEntry, ImportOutcome, ImportPreview, ReviewWarning};
use host::{HostError, KeyringChoice};
use protocol::{Launch, Setting, SettingValue};
use serde_json::{Value, json};

/// A text that a person has pasted.
pub fn pasted(text: &str) -> Value {
    json!({"kind": "text", "text": text})
}

/// Entries by their names in the text, each with the name to keep it under.
pub fn choices(names: &[(&str, &str)]) -> Value {
    names
        .iter()
        .map(|(source, name)| json!({"source_name": source, "name": name}))
        .collect()
}

/// What a pasted text holds.
pub async fn preview(text: &str) -> Result<ImportPreview, HostError> {
    let test = TestHost::with(Choices {
        keyring: KeyringChoice::Absent("not needed".into()),
        ..Choices::default()
    })
    .await;
    test.ask("preview_import", json!({"from": pasted(text)}))
        .await
        .map(|preview| serde_json::from_value(preview).unwrap())
}

/// The one entry of a pasted text.
pub async fn only(text: &str) -> ImportEntry {
    let mut entries = preview(text).await.unwrap().entries;
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

/// Keeps every entry of a pasted text under the name that the preview gives it.
pub async fn keep_all(test: &TestHost, text: &str) -> ImportOutcome {
    let preview: ImportPreview = test
        .get("preview_import", json!({"from": pasted(text)}))
        .await;
    let name = |entry: &ImportEntry| json!({"place": entry.place, "source_name": entry.source_name, "name": entry.name});
    let all: Value = preview.entries.iter().map(name).collect();
    test.get(
        "import_servers",
        json!({"from": pasted(text), "choices": all, "keep": "keyring"}),
    )
    .await
}

/// What an entry runs or calls, in one line: words, then settings in braces, of secrets the names
/// only.
pub fn line(entry: &ImportEntry) -> String {
    let Some(review) = &entry.review else {
        return format!("! {}", entry.problem.as_deref().unwrap_or_default());
    };
    let mut words = match &review.launch {
        Launch::Stdio(run) => [std::slice::from_ref(&run.command), &run.args].concat(),
        Launch::Http(call) => vec![call.url.clone()],
        Launch::Builtin { .. } => panic!("an import is never built in"),
    };
    words.extend(
        review
            .launch
            .settings()
            .iter()
            .map(|Setting { name, value }| match value {
                SettingValue::Plain { text } => format!("{{{name}={text}}}"),
                SettingValue::Secret { .. } => format!("{{{name}}}"),
            }),
    );
    words.join(" ")
}

/// The warnings of an entry's review.
pub fn warnings(entry: &ImportEntry) -> &[ReviewWarning] {
    &entry.review.as_ref().unwrap().warnings
}

/// The dangers among them.
pub fn dangers(entry: &ImportEntry) -> &[ReviewWarning] {
    &warnings(entry)[..entry.review.as_ref().unwrap().dangers as usize]
}
