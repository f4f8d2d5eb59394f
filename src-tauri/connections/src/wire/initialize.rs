//! How the two sides introduce themselves, in both eras.

use super::object;
use crate::{Capabilities, ServerInfo};
use protocol::{Era, LogLevel};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The revisions with a handshake, newest first. The first is offered.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The revisions without one, newest first.
pub(crate) const MODERN: [&str; 1] = ["2026-07-28"];

/// What a server said of itself at the beginning.
#[derive(Debug, Clone)]
pub(crate) struct InitializeResult {
    pub(crate) era: Era,
    pub(crate) server_info: ServerInfo,
    pub(crate) capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialized {
    protocol_version: String,
    #[serde(default)]
    capabilities: Map<String, Value>,
    server_info: Option<Value>,
    instructions: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Discovered {
    supported_versions: Vec<String>,
    #[serde(default)]
    capabilities: Map<String, Value>,
    instructions: Option<String>,
    #[serde(rename = "_meta", default)]
    meta: Map<String, Value>,
}

/// What we say we can do. The older era also hears that changes of folders are announced; of the use
/// of a model a server hears only where `model` says that there is one.
pub(crate) fn capabilities(era: Era, model: bool) -> Value {
    let roots = match era {
        Era::Legacy => json!({ "listChanged": true }),
        Era::Modern => json!({}),
    };
    let extensions = match era {
        Era::Legacy => json!({}),
        Era::Modern => json!({ "io.modelcontextprotocol/tasks": {} }),
    };
    let mut capabilities = json!({ "roots": roots, "elicitation": { "form": {}, "url": {} }, "extensions": extensions });
    if model {
        capabilities["sampling"] = json!({});
    }
    capabilities
}

/// What we say we are.
pub(crate) fn client_info() -> Value {
    json!({ "name": "majordomo", "title": "Majordomo", "version": env!("CARGO_PKG_VERSION") })
}

/// Reads the answer to `initialize`. The revision may be one that nobody here speaks.
pub(crate) fn initialized(result: Value) -> Result<InitializeResult, serde_json::Error> {
    let said: Initialized = object(result)?;
    let server_info = server_info(
        said.server_info.as_ref(),
        said.instructions,
        said.protocol_version,
    );
    Ok(InitializeResult {
        era: Era::Legacy,
        server_info,
        capabilities: server_capabilities(&said.capabilities, Era::Legacy),
    })
}

/// Reads the answer to `server/discover`. The revision is the newest that both know; empty if there
/// is none.
pub(crate) fn discovered(result: Value) -> Result<InitializeResult, serde_json::Error> {
    let said: Discovered = object(result)?;
    let revision = MODERN
        .into_iter()
        .find(|known| {
            said.supported_versions
                .iter()
                .any(|version| version == known)
        })
        .unwrap_or_default();
    let server_info = server_info(
        said.meta.get("io.modelcontextprotocol/serverInfo"),
        said.instructions,
        revision.to_owned(),
    );
    Ok(InitializeResult {
        era: Era::Modern,
        server_info,
        capabilities: server_capabilities(&said.capabilities, Era::Modern),
    })
}

fn server_info(info: Option<&Value>, instructions: Option<String>, protocol: String) -> ServerInfo {
    let text = |key: &str| {
        info.and_then(|info| info.get(key)?.as_str())
            .map(str::to_owned)
    };
    ServerInfo {
        name: text("name").unwrap_or_default(),
        version: text("version").unwrap_or_default(),
        title: text("title"),
        icons: info.and_then(|info| info.get("icons")).cloned(),
        instructions,
        protocol,
    }
}

fn server_capabilities(said: &Map<String, Value>, era: Era) -> Capabilities {
    let has = |key: &str, inner: &str| {
        said.get(key)
            .and_then(|one| one.get(inner))
            .and_then(Value::as_bool)
            .unwrap_or(false)
    };
    Capabilities {
        tools: said.contains_key("tools"),
        resources: said.contains_key("resources"),
        watch: has("resources", "subscribe"),
        prompts: said.contains_key("prompts"),
        completions: said.contains_key("completions"),
        // A newer server logs what a request asks it to; an older one says that it can.
        logs: said.contains_key("logging") || era == Era::Modern,
        tasks: said
            .get("extensions")
            .is_some_and(|extensions| extensions.get("io.modelcontextprotocol/tasks").is_some()),
        tells_tools: has("tools", "listChanged"),
        tells_resources: has("resources", "listChanged"),
        tells_prompts: has("prompts", "listChanged"),
    }
}

/// What goes with every request of the newer era.
pub(crate) fn request_meta(log_level: Option<LogLevel>, model: bool) -> Map<String, Value> {
    let mut meta = Map::from_iter([
        (
            "io.modelcontextprotocol/protocolVersion".to_owned(),
            MODERN[0].into(),
        ),
        (
            "io.modelcontextprotocol/clientInfo".to_owned(),
            client_info(),
        ),
        (
            "io.modelcontextprotocol/clientCapabilities".to_owned(),
            capabilities(Era::Modern, model),
        ),
    ]);
    if let Some(level) = log_level {
        meta.insert("io.modelcontextprotocol/logLevel".to_owned(), json!(level));
    }
    meta
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;

    #[test]
    fn abilities_are_what_is_said_and_nothing_more() {
        let said = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {"subscribe": true}, "prompts": {"listChanged": "yes"}}});
        let InitializeResult {
            era,
            capabilities,
            server_info,
        } = initialized(said).unwrap();
        assert_eq!(
            (
                era,
                server_info.protocol.as_str(),
                server_info.name.as_str()
            ),
            (Era::Legacy, "2025-11-25", "")
        );
        let expected = Capabilities {
            tools: true,
            resources: true,
            watch: true,
            prompts: true,
            ..Capabilities::default()
        };
        assert_eq!(capabilities, expected);
    }

    #[test]
    fn the_revision_of_a_modern_server_is_the_newest_that_both_know_or_none() {
        let revision = |supported: Value| {
            discovered(json!({"supportedVersions": supported}))
                .unwrap()
                .server_info
                .protocol
        };
        assert_eq!(
            revision(json!(["2999-01-01", "2026-07-28", "2025-11-25"])),
            "2026-07-28"
        );
        assert_eq!(revision(json!(["2999-01-01"])), "");
        // The older revisions have another beginning.
        assert_eq!(revision(json!(["2025-11-25"])), "");
    }

    #[test]
    fn a_list_is_no_introduction() {
        assert!(initialized(json!(["2025-11-25", {}, null, null])).is_err());
        assert!(discovered(json!([["2026-07-28"], {}, null, {}])).is_err());
    }

    proptest! {
        #[test]
        fn no_introduction_brings_it_down(
            value in prop_oneof![
                any_json(),
                nearly(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "a"}, "instructions": ""})),
                nearly(json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "_meta": {}, "instructions": ""})),
            ],
        ) {
            let _ = initialized(value.clone());
            if let Ok(said) = discovered(value) {
                prop_assert!(said.server_info.protocol.is_empty() || MODERN.contains(&said.server_info.protocol.as_str()));
            }
        }
    }
}
