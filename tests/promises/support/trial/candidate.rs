//! The model that is tried, and how it is reached.

use crate::support::TestHost;
use serde_json::{Value, json};
use std::env;

/// What one that does not say how much it reads can read at least, in tokens.
const LEAST_CONTEXT: u64 = 8_192;

/// A model that is tried.
pub struct Candidate {
    /// The address of its service.
    pub url: String,
    /// The kind of its service.
    pub service: String,
    /// Its name there; else the first that the service has.
    pub name: Option<String>,
    /// As a draft of a model has it.
    pub key: Value,
    /// The most that it can read and write together, in tokens; else what its service says.
    pub context: Option<u64>,
    /// Whether it can be shown pictures.
    pub sees_images: bool,
    /// How often it is tried with each workflow.
    pub runs: usize,
}

impl Candidate {
    /// One without a key, that is tried once.
    pub fn at(url: &str, service: &str) -> Self {
        Self {
            url: url.to_owned(),
            service: service.to_owned(),
            name: None,
            key: json!({"kind": "none"}),
            context: None,
            sees_images: false,
            runs: 1,
        }
    }

    /// The one that `MAJORDOMO_TRY_MODEL` gives the address of. More is said by
    /// `MAJORDOMO_TRY_MODEL_SERVICE`, `_NAME`, `_CONTEXT`, `_IMAGES` and `_RUNS`; `_KEY_ENV` names the
    /// variable that holds its key.
    pub fn of_environment() -> Option<Self> {
        let more = |what: &str| env::var(format!("MAJORDOMO_TRY_MODEL{what}")).ok();
        let number = |what: &str| more(what).map(|number| number.parse().expect(what));
        let service = more("_SERVICE").unwrap_or_else(|| "chat".to_owned());
        let key = more("_KEY_ENV").map(|name| env::var(&name).expect("there is no such variable"));
        Some(Self {
            name: more("_NAME"),
            key: key.map_or_else(
                || json!({"kind": "none"}),
                |key| json!({"kind": "new_secret", "value": key}),
            ),
            context: number("_CONTEXT"),
            sees_images: more("_IMAGES").is_some(),
            runs: number("_RUNS").map_or(3, |runs| usize::try_from(runs).expect("_RUNS")),
            ..Self::at(&more("")?, &service)
        })
    }

    /// Sets it up. Its number.
    pub async fn set_up(&self, test: &TestHost) -> Value {
        let unnamed = self.draft("unnamed", LEAST_CONTEXT, &self.key);
        let added = test.ask("add_model", json!({"draft": unnamed})).await;
        let id = added.unwrap_or_else(|error| panic!("{error:?}"))["id"].clone();
        // Some services have no list.
        let check = test.ask("test_model", json!({"model": id})).await;
        let all = match check {
            Ok(check) => check["offered"].as_array().cloned().unwrap_or_default(),
            Err(_) if self.name.is_some() => Vec::new(),
            Err(error) => panic!("{} cannot be used: {error}", self.url),
        };
        let wanted = |model: &&Value| match &self.name {
            Some(name) => model["name"] == *name,
            None => true,
        };
        let found = all.iter().find(wanted);
        let name = self.name.clone().or_else(|| {
            let name = found?["name"].as_str()?;
            Some(name.to_owned())
        });
        let name = name.unwrap_or_else(|| panic!("{} does not say what it has: --model", self.url));
        let says = found.and_then(|model| model["context"].as_u64());
        let context = self.context.or(says).unwrap_or(LEAST_CONTEXT);
        let draft = self.draft(&name, context, &json!({"kind": "kept"}));
        let change = json!({"model": id, "draft": draft});
        test.ask("change_model", change).await.unwrap();
        id
    }

    fn draft(&self, name: &str, context: u64, key: &Value) -> Value {
        let settings = json!({
            "service": self.service, "url": self.url, "name": name, "context": context,
            "sees_images": self.sees_images, "plain_nearby": self.url.starts_with("http:"),
        });
        json!({"name": "tried", "settings": settings, "key": key})
    }
}
