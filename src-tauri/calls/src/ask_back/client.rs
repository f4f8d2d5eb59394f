//! What a server asks because of what a client wants of it, put to that client.
//!
//! Always true here:
//! - a client is asked only about its own call or request, and only where that alone can be the cause;
//! - what it is told has gone through all that a result goes through, and the server is named by our
//!   name for it; where anything of it speaks to a model, hides something, or may not be returned, a
//!   person is asked instead;
//! - what it answers is compared with the schema, and judged like arguments of its call or request;
//! - the log has its answer, as that of a client, before the server does. It approves nothing.

use super::cause::Cause;
use crate::Calls;
use crate::client_route::{
    ClientAbilities, ClientAsk, ClientRoute, FoundRoute, ListedRoots, NotAnswered,
};
use crate::floods::{Room, Source};
use api::json_bytes;
use connections::During;
use inspect::StreamMask;
use protocol::{
    CallId, Content, Form, FormResult, QuestionId, ServerId, ToolResult, UrlAsk, UrlResult,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use store::{Entry, Event};
use tokio::time::timeout;

/// The most that a client may fill in, in bytes of JSON.
const LARGEST: usize = 64 * 1024;

/// A client because of whose call or request a server asks something.
pub(super) struct Client {
    calls: Calls,
    route: Arc<dyn ClientRoute>,
    cause: Cause,
    roots: ListedRoots,
    /// What the server calls what it asks.
    key: Option<String>,
}

/// Who reads what a client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    Person,
    /// A person has seen what it says to a model, and let it go.
    Model,
}

/// What a client did with what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Accept,
    Decline,
    Cancel,
}

impl Client {
    /// The client of the only call or request that can be the cause, if it can be asked this.
    pub(super) fn behind(
        calls: &Calls,
        server: &ServerId,
        during: &During,
        can: impl Fn(ClientAbilities) -> bool,
    ) -> Option<Self> {
        let FoundRoute { route, sent, roots } = calls.running().routes().of(during.only()?)?;
        if sent.server().key() != server.key() || !can(route.abilities()) {
            return None;
        }
        let cause = Cause::of(calls, sent)?;
        Some(Self {
            calls: calls.clone(),
            route,
            cause,
            roots,
            key: during.key.clone(),
        })
    }

    /// The folders that it has listed because of that.
    pub(super) fn listed_roots(&self) -> &ListedRoots {
        &self.roots
    }

    /// Because of what it is asked.
    pub(super) fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Has a form filled in; nothing where a person is to be asked instead.
    pub(super) async fn form(&self, form: &Form) -> Option<FormResult> {
        let message = self
            .tell(&form.message, &form.schema, Reader::Person)
            .await?;
        let params = Map::from_iter([
            ("message".to_owned(), message.into()),
            ("requestedSchema".to_owned(), form.schema.clone().into()),
        ]);
        let Some(_room) = self.room() else {
            return Some(FormResult::Cancel);
        };
        let mut reply = self.ask("elicitation/create", params).await.ok()?;
        let mut action = Action::of(&reply);
        let content = match reply.remove("content") {
            Some(Value::Object(content)) => content,
            _ => Map::new(),
        };
        if action == Action::Accept && !self.fits(form, &content).await {
            action = Action::Cancel;
        }
        if action == Action::Accept {
            match self.judge(&content).await {
                Judged::May => {}
                Judged::Person => return None,
                Judged::MayNot => action = Action::Decline,
            }
        }
        if !self.record("form", action, None) {
            return Some(FormResult::Cancel);
        }
        Some(match action {
            Action::Accept => FormResult::Accept { content },
            Action::Decline => FormResult::Decline,
            Action::Cancel => FormResult::Cancel,
        })
    }

    /// Has an address opened; nothing where a person is to be asked instead. Whether the address may
    /// be opened is found out by whoever asks for this.
    pub(super) async fn url(&self, ask: &UrlAsk, origin: String) -> Option<UrlResult> {
        let whole = Map::from_iter([("url".to_owned(), ask.url.as_str().into())]);
        let message = self.tell(&ask.message, &whole, Reader::Person).await?;
        let params = Map::from_iter([
            ("mode".to_owned(), "url".into()),
            ("message".to_owned(), message.into()),
            ("url".to_owned(), ask.url.as_str().into()),
        ]);
        let Some(_room) = self.room() else {
            return Some(UrlResult::Cancel);
        };
        let reply = self.ask("elicitation/create", params).await.ok()?;
        let action = Action::of(&reply);
        let is_recorded = self.record("url", action, Some(origin));
        Some(match action {
            Action::Accept if is_recorded => UrlResult::Opened,
            Action::Decline => UrlResult::Decline,
            Action::Accept | Action::Cancel => UrlResult::Cancel,
        })
    }

    /// What the client may be told of a server's words, with the server named; `exact` must reach it
    /// as it is. Nothing where it may not.
    pub(super) async fn tell(
        &self,
        text: &str,
        exact: &Map<String, Value>,
        reader: Reader,
    ) -> Option<String> {
        let exact = serde_json::to_string(exact).ok()?;
        let said = ToolResult {
            content: [text, &exact].map(Content::text).into(),
            ..ToolResult::default()
        };
        let masker = self.calls.secrets().masker();
        let looking = tokio::task::spawn_blocking(move || {
            inspect::sanitize(said, &masker, &mut StreamMask::default())
        });
        let looked = looking.await.ok()?;
        let [Content::Text { text, .. }, Content::Text { text: same, .. }] =
            looked.answer.content.as_slice()
        else {
            return None;
        };
        let speaks_to_model = looked.prompt_injection && reader == Reader::Person;
        if speaks_to_model || *same != exact {
            return None;
        }
        let ruling = self.cause.on_return(&self.calls, &looked.findings).await;
        if ruling.refusal().is_some() {
            return None;
        }
        self.cause.heard(&self.calls, &looked.answer);
        Some(format!("{} asks: {text}", self.cause.server()))
    }

    /// Room for a question, if the server has not had too many asked.
    fn room(&self) -> Option<Room<'_>> {
        let source = Source::Server(self.cause.server().key());
        self.calls.floods().enter(source, self.calls.now())
    }

    /// Asks, and waits for the answer as long as for a person's. The server and the call are named
    /// beside what is asked.
    pub(super) async fn ask(
        &self,
        method: &'static str,
        mut params: Map<String, Value>,
    ) -> Result<Map<String, Value>, NotAnswered> {
        let mut about = json!({"majordomo/server": self.cause.server()});
        if let Some(call) = self.cause.call() {
            about["majordomo/call"] = json!(call);
        }
        params.insert("_meta".to_owned(), about);
        let ask = ClientAsk {
            method,
            params,
            key: self.key.clone(),
        };
        let call = self.cause.call();
        let _waits = call.map(|call| Waits::begin(&self.calls, call));
        let asking = timeout(self.calls.question_time().duration(), self.route.ask(ask));
        asking.await.unwrap_or(Err(NotAnswered))
    }

    /// Writes down that it has listed its folders.
    pub(super) fn record_roots(&self) -> bool {
        self.record("roots", Action::Accept, None)
    }

    async fn fits(&self, form: &Form, content: &Map<String, Value>) -> bool {
        let (schemas, server) = (self.calls.schemas(), Some(self.cause.server()));
        json_bytes(content) <= LARGEST
            && schemas
                .check_form(server, &form.schema, content)
                .await
                .is_ok()
    }

    /// Whether what a client filled in may go to the server, as if it were arguments of its call.
    async fn judge(&self, content: &Map<String, Value>) -> Judged {
        match self.cause.judge(&self.calls, content).await {
            Some((ruling, _)) if ruling.refusal().is_some() => Judged::MayNot,
            Some((_, concerns)) if concerns.is_empty() => Judged::May,
            Some(_) => Judged::Person,
            // The server is gone in this moment.
            None => Judged::MayNot,
        }
    }

    /// Writes down what the client did. What leaves no trace does not happen.
    fn record(&self, asked: &str, action: Action, origin: Option<String>) -> bool {
        let event = Event::ClientAnswered {
            asked: asked.to_owned(),
            answer: action.word().to_owned(),
            origin,
        };
        let entry = Entry::new(self.calls.now(), event);
        let entry = self.cause.entry(entry);
        self.calls.record(entry).is_ok()
    }
}

enum Judged {
    May,
    /// A value of it came from elsewhere: a person fills the form in.
    Person,
    MayNot,
}

impl Action {
    fn of(reply: &Map<String, Value>) -> Self {
        match reply.get("action").and_then(Value::as_str) {
            Some("accept") => Self::Accept,
            Some("decline") => Self::Decline,
            _ => Self::Cancel,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Decline => "decline",
            Self::Cancel => "cancel",
        }
    }
}

/// The time in which a client is asked is none in which its call runs.
struct Waits<'a> {
    calls: &'a Calls,
    call: [CallId; 1],
    question: QuestionId,
}

impl<'a> Waits<'a> {
    fn begin(calls: &'a Calls, call: &CallId) -> Self {
        let (call, question) = ([call.clone()], QuestionId::random());
        calls.running().begin_to_wait(&call, &question, calls.now());
        Self {
            calls,
            call,
            question,
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let (running, now) = (self.calls.running(), self.calls.now());
        running.stop_to_wait(&self.call, &self.question, now);
    }
}
