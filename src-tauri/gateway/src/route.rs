//! The way by which a client is asked what servers want because of its call: by requests on its
//! connection, or in the result of its own request, which it makes again with the answers.

use crate::asks::Asks;
use crate::notices::Outbox;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use host::{ClientAbilities, ClientAsk, ClientRoute, NotAnswered};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// How many things may be wanted of a client at a time because of one call.
pub(crate) const MOST_WANTED: usize = 32;

/// How the client of a request can be reached while that is carried out.
pub(crate) struct Reach {
    /// What it said that it can be asked.
    pub abilities: ClientAbilities,
    /// What it was asked and has not answered.
    pub asks: Arc<Asks>,
    /// What leads to it; nothing where only the answer does.
    pub out: Option<Outbox>,
    /// Whether it hears of progress, and so can wait for long.
    pub hears_progress: bool,
}

/// Something that is wanted of a client in the result of its request.
pub(crate) struct InputRequest {
    pub ask: ClientAsk,
    pub reply: oneshot::Sender<Map<String, Value>>,
}

/// The way to the client of one call, whichever of its requests waits for that now.
#[derive(Default)]
pub(crate) struct Route(Mutex<State>);

#[derive(Default)]
struct State {
    abilities: ClientAbilities,
    way: Way,
}

/// How it is asked.
#[derive(Default, Clone)]
pub(crate) enum Way {
    /// It cannot be: no request of it waits.
    #[default]
    Nothing,
    /// By requests on its connection.
    Requests(Arc<Asks>, Outbox),
    /// In the result of its request.
    Rounds(mpsc::Sender<InputRequest>),
}

impl Route {
    /// From now on the client is asked like this.
    pub(crate) fn set(&self, abilities: ClientAbilities, way: Way) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State { abilities, way };
    }

    fn way(&self) -> Way {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.way.clone()
    }
}

impl ClientRoute for Route {
    fn abilities(&self) -> ClientAbilities {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.abilities
    }

    fn ask(&self, mut ask: ClientAsk) -> BoxFuture<'_, Result<Map<String, Value>, NotAnswered>> {
        async move {
            match self.way() {
                Way::Nothing => Err(NotAnswered),
                Way::Requests(asks, out) => {
                    // That era has a number for each address; the server's own is not for clients.
                    if ask.params.get("mode").is_some_and(|mode| mode == "url") {
                        let number = uuid::Uuid::new_v4().to_string();
                        ask.params.insert("elicitationId".to_owned(), number.into());
                    }
                    asks.ask(out, ask.method, ask.params).await
                }
                Way::Rounds(wanted) => {
                    let (reply, replied) = oneshot::channel();
                    let request = InputRequest { ask, reply };
                    wanted.try_send(request).map_err(|_| NotAnswered)?;
                    replied.await.map_err(|_| NotAnswered)
                }
            }
        }
        .boxed()
    }
}

/// What a client says that it can be asked, in its capabilities.
pub(crate) fn abilities(capabilities: &Value) -> ClientAbilities {
    let is_there = |of: &Value, key: &str| of.get(key).is_some_and(Value::is_object);
    let elicitation = capabilities.get("elicitation").unwrap_or(&Value::Null);
    let url = is_there(elicitation, "url");
    ClientAbilities {
        // Without a mode it is forms, as in the first revision that had them.
        form: elicitation.is_object() && (is_there(elicitation, "form") || !url),
        url,
        sampling: is_there(capabilities, "sampling"),
        roots: is_there(capabilities, "roots"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_client_can_be_asked_what_it_says_and_nothing_more() {
        let can = |capabilities: Value| {
            let ClientAbilities {
                form,
                url,
                sampling,
                roots,
            } = abilities(&capabilities);
            [form, url, sampling, roots]
        };
        assert_eq!(can(json!({})), [false; 4]);
        assert_eq!(can(json!({"elicitation": {}})), [true, false, false, false]);
        assert_eq!(
            can(json!({"elicitation": {"form": {}}})),
            [true, false, false, false]
        );
        assert_eq!(
            can(json!({"elicitation": {"url": {}}})),
            [false, true, false, false]
        );
        let all = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        assert_eq!(can(all), [true; 4]);
        assert_eq!(
            can(json!({"elicitation": true, "sampling": null})),
            [false; 4]
        );
        assert_eq!(can(json!([])), [false; 4]);
    }
}
