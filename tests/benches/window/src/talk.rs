//! A person who talks in the window to a model that follows a script.

use crate::server;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;
use test_servers::model::{Answer, Model, Part, Step};
use window_driver::{Majordomo, Page};

/// How often is looked whether something has ended.
const LOOK: Duration = Duration::from_millis(100);
/// How long what was sent last takes at most until it is drawn.
const DRAWN: Duration = Duration::from_secs(2);

/// A window with a conversation.
pub struct Talk {
    pub majordomo: Majordomo,
    pub page: Page,
    pub model: Model,
    pub conversation: Value,
}

/// A reply that comes in pieces of so many characters, with so many milliseconds between them.
pub fn paced(text: String, characters: usize, millis: u64) -> Step {
    Step::Answer(Answer {
        piece: Some(characters),
        pace: Duration::from_millis(millis),
        ..Answer::of([Part::Text(text)])
    })
}

impl Talk {
    /// A conversation with a model that answers with these, in a new window that shows it.
    pub async fn begin(steps: impl IntoIterator<Item = Step>) -> Self {
        let model = Model::start(steps).await.unwrap();
        let majordomo = Majordomo::new().await;
        let page = majordomo.page().await;
        let settings = json!({"service": "chat", "url": model.address(), "name": "paced-1", "context": 200_000, "sees_images": false});
        let draft = json!({"name": "Paced", "settings": settings, "key": {"kind": "none"}});
        page.ask("add_model", json!({"draft": draft})).await;
        let begun = page
            .ask(
                "start_conversation",
                json!({"model": null, "assistant": null}),
            )
            .await;
        let talk = Self {
            majordomo,
            page,
            model,
            conversation: begun["id"].clone(),
        };
        talk.show().await;
        talk
    }

    /// Shows the conversation.
    pub async fn show(&self) {
        self.page.go(&place_of(&self.conversation)).await;
        let log = "return document.querySelector('[role=log]') !== null";
        until(async || self.page.evaluate(log, Vec::new()).await == true).await;
    }

    /// Says something, and does not wait for what comes of it.
    pub async fn say(&self, text: &str) {
        let params = json!({"conversation": self.conversation, "text": text, "attachments": [], "model": null});
        self.page.ask("say_in_conversation", params).await;
    }

    /// Says something, and waits until nothing goes on any more behind so many requests to the model.
    /// The page is asked nothing before the last byte of them was sent.
    /// When that was sent, since 1970.
    pub async fn say_and_wait(&self, text: &str, requests: usize) -> Duration {
        self.say(text).await;
        let sent = self.until_drawn(requests).await;
        self.until_idle().await;
        sent
    }

    /// Waits until the last byte of the answer to the last of so many requests was sent, and drawn.
    /// When it was sent, since 1970.
    pub async fn until_drawn(&self, requests: usize) -> Duration {
        let sent_at = || {
            let seen = self.model.seen();
            seen.get(requests - 1).and_then(|last| last.answered_at)
        };
        until(async || sent_at().is_some()).await;
        tokio::time::sleep(DRAWN).await;
        sent_at().expect("it was sent")
    }

    /// Waits until nothing goes on any more.
    pub async fn until_idle(&self) {
        let is_idle = async || {
            let all = json!({"text": null});
            let all = self.page.ask("list_conversations", all).await;
            let mut all = all.as_array().into_iter().flatten();
            all.any(|one| one["id"] == self.conversation && one["state"]["kind"] == "idle")
        };
        until(is_idle).await;
    }

    /// Adds the server that says when a call has reached it, and approves its tool.
    pub async fn add_clock(&self) {
        server::add(&self.page, "clock", &["clock"]).await;
        server::approve(&self.page, "clock").await;
    }

    /// The same, with the program ended and started once more.
    pub async fn again(self) -> Self {
        let majordomo = self.majordomo.again().await;
        Self {
            page: majordomo.page().await,
            majordomo,
            ..self
        }
    }

    /// Ends the program, has something done with its folder, and starts it again.
    pub async fn with_folder(self, act: impl AsyncFnOnce(&TempDir, &Value)) -> Self {
        let folder = self.majordomo.end().await;
        act(&folder, &self.conversation).await;
        let majordomo = Majordomo::on(folder).await;
        Self {
            page: majordomo.page().await,
            majordomo,
            ..self
        }
    }

    /// Ends all of it.
    pub async fn end(self) {
        self.majordomo.end().await;
    }
}

/// Where a conversation is shown.
pub fn place_of(conversation: &Value) -> String {
    format!("conversations/{}", conversation.as_str().unwrap())
}

/// Waits until something is so, for three minutes at most.
async fn until(look: impl AsyncFn() -> bool) {
    let wait = async {
        while !look().await {
            tokio::time::sleep(LOOK).await;
        }
    };
    let limit = Duration::from_secs(180);
    tokio::time::timeout(limit, wait)
        .await
        .expect("waited in vain");
}
