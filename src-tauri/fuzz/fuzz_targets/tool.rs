//! A tool's definition, among others: it is read or refused, and every finding points to a place
//! that is there.
#![no_main]

use inspect::{Catalogue, Severity, definition, inspect_tool};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|parts: (String, String, Vec<(String, String)>, String)| {
    let (name, description, arguments, raw) = parts;
    let properties: serde_json::Map<String, Value> = arguments
        .into_iter()
        .map(|(name, words)| {
            (
                name,
                json!({"description": words, "default": name_of(&raw)}),
            )
        })
        .collect();
    let written = json!({"name": name, "description": description, "inputSchema": {"properties": properties}, "extra": raw});
    check(written);
    if let Ok(value) = serde_json::from_str::<Value>(&raw) {
        check(value);
    }
});

fn name_of(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn check(written: Value) {
    let Ok(tool) = definition(written.clone()) else {
        return;
    };
    let catalogue = Catalogue::of([
        ("mail", "send_email"),
        ("files", "readFile"),
        ("own", tool.name.as_str()),
    ]);
    let inspection = inspect_tool("own", &tool, &catalogue);
    assert_eq!(
        inspection.held_back,
        inspection.worst() == Some(Severity::Critical)
    );
    for finding in &inspection.findings {
        assert!(
            finding.at.is_empty() || written.pointer(&finding.at).is_some(),
            "{finding:?}"
        );
    }
    let alike = catalogue.look_alikes("other", tool.name.as_str());
    assert!(
        alike
            .iter()
            .any(|(server, name, _)| *server == "own" && *name == tool.name.as_str())
    );
}
