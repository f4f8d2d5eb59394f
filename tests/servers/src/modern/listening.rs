//! Who listens to changes. Each listener has asked for what it wants to hear, and hears nothing
//! else.

use super::META;
use crate::rpc::{Outcome, answer, notify, text};
use serde_json::{Value, json};

#[derive(Default)]
pub(crate) struct Listening(Vec<(Value, Value)>);

impl Listening {
    /// Somebody listens from now on. The request stays open.
    pub(crate) fn begin(&mut self, id: &Value, params: &Value) -> Outcome {
        let Some(filter) = params
            .get("notifications")
            .filter(|filter| filter.is_object())
        else {
            return Outcome::Error("nothing is to be heard");
        };
        let mark = json!({ format!("{META}subscriptionId"): id });
        notify(
            "notifications/subscriptions/acknowledged",
            &json!({ "_meta": mark, "notifications": filter }),
        );
        self.0.push((id.clone(), filter.clone()));
        Outcome::Later
    }

    /// Somebody does not listen any more.
    pub(crate) fn end(&mut self, id: &Value) {
        self.0.retain(|(listener, _)| listener != id);
    }

    /// Ends all listening in order.
    pub(super) fn stop(&mut self) -> Value {
        for (id, _) in self.0.drain(..) {
            answer(
                &id,
                &json!({ "resultType": "complete", "_meta": { format!("{META}subscriptionId"): id } }),
            );
        }
        text("stopped")
    }

    /// Tells a change to everyone who wants to hear of it, and says how many that are. `mark` is
    /// told as the subscription instead of the right one, if it is not empty.
    pub(crate) fn tell(&self, what: &str, uri: &str, mark: &str) -> Value {
        let mut heard = 0;
        for (id, filter) in &self.0 {
            let (method, wanted) = match what {
                "tools" => (
                    "notifications/tools/list_changed",
                    filter["toolsListChanged"] == true,
                ),
                "prompts" => (
                    "notifications/prompts/list_changed",
                    filter["promptsListChanged"] == true,
                ),
                "resources" => (
                    "notifications/resources/list_changed",
                    filter["resourcesListChanged"] == true,
                ),
                _ => {
                    let uris = filter["resourceSubscriptions"].as_array();
                    (
                        "notifications/resources/updated",
                        uris.is_some_and(|uris| uris.iter().any(|wanted| wanted == uri)),
                    )
                }
            };
            if wanted {
                heard += 1;
                let id = if mark.is_empty() {
                    id.clone()
                } else {
                    json!(mark)
                };
                let mut params = json!({ "_meta": { format!("{META}subscriptionId"): id } });
                if !uri.is_empty() {
                    params["uri"] = json!(uri);
                }
                notify(method, &params);
            }
        }
        text(heard.to_string())
    }
}
