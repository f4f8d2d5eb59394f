//! What servers ask of their host: folders, forms and addresses for a person, the use of a model. Answered under the same rules as everything else.

mod ask_url;
mod refuse;
mod sample;

pub(crate) use ask_url::openable;

use crate::api::{HostEvent, LoggedLine};
use crate::host::WeakHost;
use crate::{Host, consent, error, exchange, pins, roots, supervise};
use connections::{ConnectionError, Root, ServerAsks};
use futures::future::BoxFuture;
use policy::{Answer, PATIENCE, Question, Refusal, Subject};
use protocol::{CallId, Form, FormAnswer, LogLine, QuestionId, Sample, ServerId, UrlAnswer, UrlAsk};
use refuse::refuse;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a server may go on announcing changed tools before they are read again.
const SETTLE: Duration = Duration::from_millis(200);

/// One connection's ear. It does not keep the host alive.
pub(crate) struct AskBack {
    host: WeakHost,
    server: ServerId,
    generation: u64,
    reading: Arc<AtomicBool>,
    reading_rest: Arc<AtomicBool>,
    grew: exchange::Grew,
}

impl AskBack {
    pub(crate) fn new(host: &Host, server: ServerId, generation: u64) -> Self {
        let (reading, reading_rest) = Default::default();
        Self { host: host.weak(), server, generation, reading, reading_rest, grew: exchange::Grew::default() }
    }
}

impl ServerAsks for AskBack {
    fn roots(&self) -> BoxFuture<'_, Vec<Root>> {
        Box::pin(async move {
            let Some(host) = self.host.upgrade() else { return Vec::new() };
            let paths = host.kept().with(&self.server, |kept| kept.place.roots.clone()).unwrap_or_default();
            paths.iter().filter(|path| roots::present(path)).map(|path| Root { uri: roots::uri(path), name: roots::name(path) }).collect()
        })
    }

    fn form(&self, form: Form, call: Option<CallId>) -> BoxFuture<'_, FormAnswer> {
        Box::pin(async move {
            match self.host.upgrade() {
                Some(host) => ask_form(&host, &self.server, form, call).await,
                None => FormAnswer::Cancel,
            }
        })
    }

    fn url(&self, ask: UrlAsk, call: Option<CallId>) -> BoxFuture<'_, UrlAnswer> {
        Box::pin(async move {
            match self.host.upgrade() {
                Some(host) => ask_url::ask_person(&host, &self.server, ask, call).await,
                None => UrlAnswer::Cancel,
            }
        })
    }

    fn sample(&self, sample: Sample, call: Option<CallId>) -> BoxFuture<'_, Option<Map<String, Value>>> {
        Box::pin(async move { sample::sample(&self.host.upgrade()?, &self.server, sample, call).await })
    }

    fn offers_changed(&self) {
        if let Some(host) = self.host.upgrade() {
            host.tell(HostEvent::OffersChanged { server: self.server.clone() });
        }
        if self.reading_rest.swap(true, Ordering::SeqCst) {
            return;
        }
        let (host, server, generation, reading) = (self.host.clone(), self.server.clone(), self.generation, self.reading_rest.clone());
        tokio::spawn(async move {
            tokio::time::sleep(SETTLE).await;
            reading.store(false, Ordering::SeqCst);
            let Some(host) = host.upgrade() else { return };
            if let Ok(Some(connection)) = host.kept().with(&server, |kept| kept.connection.clone()) {
                pins::take_rest(&host, &server, generation, &connection).await;
            }
        });
    }

    fn resource_updated(&self, uri: String) {
        if let Some(host) = self.host.upgrade() {
            let uri = host.secrets().masked(&uri);
            host.tell(HostEvent::ResourceUpdated { server: self.server.clone(), uri });
        }
    }

    fn logged(&self, mut line: LogLine) {
        let Some(host) = self.host.upgrade() else { return };
        let masker = host.secrets().masker();
        masker.mask_value(&mut line.data);
        line.logger = line.logger.map(|logger| masker.mask(&logger).unwrap_or(logger));
        let lines = vec![LoggedLine { at: host.now(), line }];
        // What a server logs in its first moments may come before the host knows that it runs.
        if host.kept().with(&self.server, |kept| kept.write_protocol_log(&lines)).is_ok() {
            host.tell(HostEvent::ServerLogged { server: self.server.clone(), lines });
        }
    }

    fn exchanged(&self) {
        self.grew.tell(&self.host, &self.server);
    }

    fn tools_changed(&self) {
        // Servers announce in storms; one reading at the end of a storm is enough.
        if self.reading.swap(true, Ordering::SeqCst) {
            return;
        }
        let (host, server, generation, reading) = (self.host.clone(), self.server.clone(), self.generation, self.reading.clone());
        tokio::spawn(async move {
            tokio::time::sleep(SETTLE).await;
            reading.store(false, Ordering::SeqCst);
            let Some(host) = host.upgrade() else { return };
            let Ok(Some(connection)) = host.kept().with(&server, |kept| kept.connection.clone()) else { return };
            match connection.tools().await {
                Ok(tools) => supervise::take_tools(&host, &server, generation, tools).await,
                Err(error) => tracing::warn!(%server, %error, "changed tools could not be read"),
            }
            supervise::tell_changed(&host, &server);
        });
    }

    fn wrote(&self, lines: Vec<String>) {
        let Some(host) = self.host.upgrade() else { return };
        let masker = host.secrets().masker();
        let lines: Vec<String> = lines.into_iter().map(|line| masker.mask(&line).unwrap_or(line)).collect();
        if host.kept().with(&self.server, |kept| kept.write_log(&lines)).is_ok() {
            host.tell(HostEvent::ServerWrote { server: self.server.clone(), lines });
        }
    }

    fn ended(&self, why: ConnectionError) {
        let Some(host) = self.host.upgrade() else { return };
        let error = error::connection(&self.server, &why, &host.secrets().masker());
        let stderr = host.kept().with(&self.server, |kept| kept.log().lines).unwrap_or_default();
        supervise::failed(&host, &self.server, self.generation, error, stderr);
    }
}

async fn ask_form(host: &Host, server: &ServerId, mut form: Form, call: Option<CallId>) -> FormAnswer {
    let during = during(host, server, call);
    if let Some(kind) = inspect::secret_asked(&form.message, &form.schema) {
        refuse(host, server, during, kind.into());
        return FormAnswer::Decline;
    }
    let masker = host.secrets().masker();
    masker.mask_text(&mut form.message);
    masker.mask_map(&mut form.schema);
    match ask(host, server, Subject::Form { during, form }).await {
        Ok(Answer::Form { answer }) => answer,
        Ok(_) | Err(_) => FormAnswer::Cancel,
    }
}

/// The calls that may have caused a question: the one that is known, or all that run there.
pub(crate) fn during(host: &Host, server: &ServerId, call: Option<CallId>) -> Vec<CallId> {
    call.map_or_else(|| host.calls().on(server), |call| vec![call])
}

/// Puts a question of a server to a person.
pub(crate) async fn ask(host: &Host, server: &ServerId, subject: Subject) -> Result<Answer, Refusal> {
    let (id, now) = (QuestionId::random(), host.now());
    let question = Question { id, asked_at: now, expires_at: now.plus(PATIENCE), server: Some(server.clone()), subject };
    // When the call that caused it ends, the connection drops this future, and the question with it.
    consent::ask(host, question, &CancellationToken::new()).await
}
