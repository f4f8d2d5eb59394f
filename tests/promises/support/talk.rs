//! A person who talks to a model that follows a script.

use super::{EventRecorder, TestHost, WAIT_TIMEOUT, misbehave};
use host::api::HostEvent;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use test_servers::model::{Model, Step};

/// A conversation with a model.
pub struct Talk {
    pub model: Model,
    pub conversation: Value,
}

impl Talk {
    /// A conversation with a model of its own, which answers with these steps.
    pub async fn begin(test: &TestHost, steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with_key(test, steps, json!({"kind": "none"})).await
    }

    /// The same with a key.
    pub async fn with_key(
        test: &TestHost,
        steps: impl IntoIterator<Item = Step>,
        key: Value,
    ) -> Self {
        Self::of_service(test, "anthropic", steps, key).await
    }

    /// The same with a service of these words.
    pub async fn of_service(
        test: &TestHost,
        service: &str,
        steps: impl IntoIterator<Item = Step>,
        key: Value,
    ) -> Self {
        Self::with_model(test, Model::start(steps).await.unwrap(), service, key).await
    }

    /// A conversation with a model that makes its answer of each request.
    pub async fn answering(
        test: &TestHost,
        answers: impl FnMut(&Value) -> Step + Send + 'static,
    ) -> Self {
        let model = Model::start_answering(answers).await.unwrap();
        Self::with_model(test, model, "anthropic", json!({"kind": "none"})).await
    }

    async fn with_model(test: &TestHost, model: Model, service: &str, key: Value) -> Self {
        let start = json!({"model": set_up(test, &model, service, key).await});
        let begun = test.ask("start_conversation", start).await.unwrap();
        Self {
            model,
            conversation: begun["id"].clone(),
        }
    }

    /// Says something, and does not wait for what comes of it.
    pub async fn say(&self, test: &TestHost, text: &str) {
        let params = json!({"conversation": self.conversation, "text": text});
        test.ask("say_in_conversation", params).await.unwrap();
    }

    /// Says something, and waits until nothing goes on any more.
    pub async fn say_and_wait(&self, test: &TestHost, text: &str) -> Value {
        let mut recorder = test.listen();
        self.say(test, text).await;
        self.until(&mut recorder, &["idle", "paused"]).await;
        self.read(test).await
    }

    /// Waits until one of these goes on in it.
    pub async fn until(&self, recorder: &mut EventRecorder, states: &[&str]) {
        let is_it = |event: &HostEvent| match event {
            HostEvent::ConversationChanged { conversation } => {
                let told = json!(conversation);
                told["id"] == self.conversation
                    && states.iter().any(|state| told["state"]["kind"] == *state)
            }
            _ => false,
        };
        recorder.until(is_it).await;
    }

    /// What was said in it, as soon as this goes on in it: what an earlier run has left is taken up
    /// in the background.
    pub async fn read_once_it_is(&self, test: &TestHost, state: &str) -> Value {
        let look = async {
            loop {
                let page = self.read(test).await;
                if page["conversation"]["state"]["kind"] == state {
                    return page;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let found = tokio::time::timeout(WAIT_TIMEOUT, look).await;
        found.unwrap_or_else(|_| panic!("it did not come to be {state}"))
    }

    /// What was said in it.
    pub async fn read(&self, test: &TestHost) -> Value {
        let params = json!({"conversation": self.conversation, "limit": 200});
        test.ask("read_conversation", params).await.unwrap()
    }

    /// Has something done with it.
    pub async fn with(&self, test: &TestHost, method: &str) -> Value {
        let params = json!({"conversation": self.conversation});
        test.ask(method, params).await.unwrap()
    }

    /// The bodies of all requests that reached the model, none of which it refused.
    pub fn requests(&self) -> Vec<Value> {
        let seen = self.model.seen();
        for one in &seen {
            assert_eq!(one.refused, None, "{}", one.body);
        }
        seen.into_iter().map(|one| one.body).collect()
    }
}

/// Sets a model up, in the words of this service. Its number.
pub async fn set_up(test: &TestHost, model: &Model, service: &str, key: Value) -> Value {
    let settings = json!({"service": service, "url": model.address(), "name": "wise-1", "context": 200_000, "sees_images": true});
    let draft = json!({"name": model.address(), "settings": settings, "key": key});
    let added = test.ask("add_model", json!({"draft": draft})).await;
    added.unwrap()["id"].clone()
}

/// Adds a server called `orders` that writes a line into a file for each call that reaches it.
pub async fn add_orders(test: &TestHost, file: &Path) {
    let file = file.to_str().unwrap();
    test.add("orders", &[&misbehave(), "counts", file]).await;
}

/// Adds a server called `web`, whose only page says this, and one called `mail`, which sends mail.
pub async fn add_web_and_mail(test: &TestHost, says: &str) {
    let text = json!({"type": "string"});
    let page = json!({"name": "read_page", "description": "Reads a web page",
        "inputSchema": {"type": "object", "properties": {"url": text}, "required": ["url"]}});
    let mail = json!({"name": "send_email", "description": "Sends an email",
        "inputSchema": {"type": "object", "properties": {"recipient": text, "body": text}, "required": ["recipient"]}});
    for (name, tool) in [("web", page), ("mail", mail)] {
        let file = test.dir().join(format!("{name}.json"));
        let script = json!({"tools": [tool], "answers": {"read_page": says}});
        std::fs::write(&file, script.to_string()).unwrap();
        let command = [&misbehave(), "scripted", file.to_str().unwrap()];
        test.add(name, &command).await;
    }
}

/// The words for a person in what was read of a conversation: who, and what.
pub fn words(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    let said = items.flat_map(|item| match item["kind"].as_str().unwrap() {
        "said" => vec![format!("person: {}", item["text"].as_str().unwrap())],
        "reply" => item["parts"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|part| match part["kind"].as_str().unwrap() {
                "text" => Some(format!("model: {}", part["text"].as_str().unwrap())),
                "call" => {
                    let outcome = &part["outcome"]["kind"];
                    let how = outcome.as_str().unwrap_or("open");
                    Some(format!("call: {} {how}", part["name"].as_str().unwrap()))
                }
                _ => None,
            })
            .collect(),
        other => vec![other.to_owned()],
    });
    said.collect()
}
