//! Which models a service offers: its list, read. Pure but for [`offered`].
//!
//! Always true here: what a service says is a stranger's text; a name that is none is left out, and
//! how many are kept is bounded.

use super::Line;
use super::settings::is_name;
use api::{ErrorCode, HostError, OfferedModel};
use protocol::ModelService;
use serde_json::Value;
use servers::error;
use std::time::Duration;

/// How many models of a service are kept.
const MOST: usize = 2_000;

/// Asks a service which models it has, by name; `None` where it has no list. Fails as [`Line::get`], and with `not_a_model_service` if
/// what comes is no list, or there is none where each such service has one.
pub(crate) async fn offered(
    line: &Line,
    service: ModelService,
    wait: Duration,
) -> Result<Option<Vec<OfferedModel>>, HostError> {
    let unlike = || {
        error::host(
            ErrorCode::NotAModelService,
            "what answers at this address has no list of models",
        )
    };
    match line.get(path(service), wait).await? {
        Some(list) => read(service, &list).map(Some).ok_or_else(unlike),
        // Some that speak the words of others have none.
        None if service == ModelService::Chat => Ok(None),
        None => Err(unlike()),
    }
}

/// Where a service has its list, below its address.
fn path(service: ModelService) -> &'static str {
    match service {
        ModelService::Anthropic => "/v1/models?limit=1000",
        ModelService::Responses | ModelService::Chat => "/models",
        ModelService::Gemini => "/v1beta/models?pageSize=1000",
        ModelService::Ollama => "/api/tags",
    }
}

/// Reads the list of a service; `None` if it is none.
fn read(service: ModelService, list: &[u8]) -> Option<Vec<OfferedModel>> {
    let list: Value = serde_json::from_slice(list).ok()?;
    let (entries, name, context): (_, _, &[&str]) = match service {
        ModelService::Anthropic | ModelService::Responses => ("data", "id", &[]),
        // As OpenRouter, vLLM and llama.cpp say it.
        ModelService::Chat => (
            "data",
            "id",
            &[
                "/context_length",
                "/max_model_len",
                // With how much it was started, which may be less than its model could.
                "/meta/n_ctx",
                "/meta/n_ctx_train",
            ],
        ),
        ModelService::Gemini => ("models", "name", &["/inputTokenLimit"]),
        ModelService::Ollama => ("models", "name", &[]),
    };
    let mut offered: Vec<OfferedModel> = list
        .get(entries)?
        .as_array()?
        .iter()
        .filter(|entry| service != ModelService::Gemini || writes(entry))
        .filter_map(|entry| {
            let said = entry.get(name)?.as_str()?;
            let name = said.strip_prefix("models/").unwrap_or(said);
            let context = context.iter().find_map(|at| entry.pointer(at)?.as_u64());
            is_name(name).then(|| OfferedModel {
                name: name.to_owned(),
                context: context.and_then(|tokens| u32::try_from(tokens).ok()),
            })
        })
        .take(MOST)
        .collect();
    offered.sort();
    offered.dedup_by(|one, other| one.name == other.name);
    Some(offered)
}

/// Whether a model of Google's writes texts: others in the list only compute.
fn writes(entry: &Value) -> bool {
    let methods = entry
        .get("supportedGenerationMethods")
        .and_then(Value::as_array);
    methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(service: ModelService, list: Value) -> Option<Vec<(String, Option<u32>)>> {
        let read = read(service, list.to_string().as_bytes())?;
        Some(
            read.into_iter()
                .map(|model| (model.name, model.context))
                .collect(),
        )
    }

    #[test]
    fn the_lists_of_all_services_are_read() {
        let plain = |name: &str| Some(vec![(name.to_owned(), None)]);
        for (service, list) in [
            (
                ModelService::Anthropic,
                json!({"data": [{"type": "model", "id": "m", "display_name": "M"}], "has_more": false}),
            ),
            (
                ModelService::Responses,
                json!({"object": "list", "data": [{"id": "m", "object": "model"}]}),
            ),
            (
                ModelService::Ollama,
                json!({"models": [{"name": "m", "model": "m", "size": 1}]}),
            ),
        ] {
            assert_eq!(names(service, list), plain("m"), "{service:?}");
        }
        let google = json!({"models": [
            {"name": "models/gemini-x", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]}]});
        assert_eq!(
            names(ModelService::Gemini, google),
            Some(vec![("gemini-x".to_owned(), Some(1_048_576))])
        );
    }

    #[test]
    fn what_others_say_of_the_size_of_a_model_is_read() {
        let list = json!({"data": [
            {"id": "b", "meta": {"n_ctx_train": 4_096}}, {"id": "a", "context_length": 128_000},
            {"id": "c", "max_model_len": 32_768}, {"id": "d", "context_length": -1}, {"id": "e", "context_length": 1e300},
            {"id": "f", "meta": {"n_ctx_train": 32_768, "n_ctx": 8_192}}]});
        let sizes = names(ModelService::Chat, list).unwrap();
        let sizes: Vec<_> = sizes.into_iter().map(|(_, context)| context).collect();
        let known = [
            Some(128_000),
            Some(4_096),
            Some(32_768),
            None,
            None,
            Some(8_192),
        ];
        assert_eq!(sizes, known, "by name");
    }

    #[test]
    fn what_is_no_list_is_none_and_what_is_no_name_is_left_out() {
        for text in ["", "<html>", "[]", "{\"data\":{}}", "{\"object\":\"list\"}"] {
            assert_eq!(read(ModelService::Chat, text.as_bytes()), None, "{text}");
        }
        let list = json!({"data": [{"id": ""}, {"id": "a b"}, {"id": "a\u{202e}b"}, {"id": 1}, {}, {"id": "good"}, {"id": "good"}]});
        let good = Some(vec![("good".to_owned(), None)]);
        assert_eq!(names(ModelService::Chat, list), good);
        let many: Vec<Value> = (0..3_000).map(|n| json!({"id": format!("m{n}")})).collect();
        let kept = names(ModelService::Chat, json!({"data": many}));
        assert_eq!(kept.unwrap().len(), MOST);
    }
}
