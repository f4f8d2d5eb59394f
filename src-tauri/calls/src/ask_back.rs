//! What servers ask of their host: folders, forms and addresses for a person, the use of a model.
//! Answered under the same rules as everything else.

mod ask_url;
mod refuse;
mod sample;

use crate::{Calls, WeakCalls, gate, waiting};
use api::{AskRefusal, HostEvent, LoggedLine};
use connections::{ConnectionError, ServerAsks};
use futures::future::BoxFuture;
use policy::{Decision, PermittedRoots, QUESTION_TIMEOUT, Question, Refusal, Subject};
use protocol::{
    CallId, Form, FormResult, LogLine, QuestionId, Sample, ServerId, UrlAsk, UrlResult,
};
use refuse::refuse;
use serde_json::{Map, Value};
use servers::{Servers, error, pins, supervise, wire_log};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long a server may go on announcing changed tools before they are read again.
const SETTLE: Duration = Duration::from_millis(200);

/// How long a server waits for its folders that has not said yet who it is.
const INTRODUCED: Duration = Duration::from_secs(2);

/// What one connection's server is answered with. It does not keep the host alive.
pub(crate) struct AskBack {
    calls: WeakCalls,
    server: ServerId,
    generation: u64,
    reading: Arc<AtomicBool>,
    reading_rest: Arc<AtomicBool>,
    grew: wire_log::Grew,
}

impl AskBack {
    pub(crate) fn new(calls: WeakCalls, server: ServerId, generation: u64) -> Self {
        let (reading, reading_rest) = Default::default();
        Self {
            calls,
            server,
            generation,
            reading,
            reading_rest,
            grew: wire_log::Grew::default(),
        }
    }
}

impl ServerAsks for AskBack {
    fn roots(&self) -> BoxFuture<'_, PermittedRoots> {
        Box::pin(async move {
            let Some(calls) = self.calls.upgrade() else {
                return PermittedRoots::none();
            };
            // Some ask before they have said who they are, and wait for the answer: they are told
            // nothing.
            let introduced = calls.registry().introduced(&self.server, self.generation);
            if timeout(INTRODUCED, introduced).await.is_err() {
                return PermittedRoots::none();
            }
            match calls.registry().now(&self.server) {
                Ok(now) => gate::roots(&calls, &now).await,
                Err(_) => PermittedRoots::none(),
            }
        })
    }

    fn form(&self, form: Form, during: Vec<CallId>) -> BoxFuture<'_, FormResult> {
        Box::pin(async move {
            match self.calls.upgrade() {
                Some(calls) => ask_form(&calls, &self.server, form, during).await,
                None => FormResult::Cancel,
            }
        })
    }

    fn url(&self, ask: UrlAsk, during: Vec<CallId>) -> BoxFuture<'_, UrlResult> {
        Box::pin(async move {
            match self.calls.upgrade() {
                Some(calls) => ask_url::ask_person(&calls, &self.server, ask, during).await,
                None => UrlResult::Cancel,
            }
        })
    }

    fn sample(
        &self,
        sample: Sample,
        during: Vec<CallId>,
    ) -> BoxFuture<'_, Option<Map<String, Value>>> {
        Box::pin(async move {
            sample::sample(&self.calls.upgrade()?, &self.server, sample, during).await
        })
    }

    fn asked_unbidden(&self) {
        if let Some(calls) = self.calls.upgrade() {
            refuse(&calls, &self.server, Vec::new(), AskRefusal::Unbidden);
        }
    }

    fn has_model(&self) -> bool {
        self.calls
            .upgrade()
            .is_some_and(|calls| calls.model().is_some())
    }

    fn offers_changed(&self) {
        if let Some(calls) = self.calls.upgrade() {
            calls.publish(HostEvent::OffersChanged {
                server: self.server.clone(),
            });
        }
        if self.reading_rest.swap(true, Ordering::SeqCst) {
            return;
        }
        let (calls, server, generation, reading) = (
            self.calls.clone(),
            self.server.clone(),
            self.generation,
            self.reading_rest.clone(),
        );
        tokio::spawn(async move {
            tokio::time::sleep(SETTLE).await;
            reading.store(false, Ordering::SeqCst);
            let Some(calls) = calls.upgrade() else { return };
            if let Ok(Some(connection)) = calls
                .registry()
                .now(&server)
                .map(|now| now.run.connection.clone())
            {
                pins::take_rest(&calls, &server, generation, &connection).await;
            }
        });
    }

    fn resource_updated(&self, uri: String) {
        if let Some(calls) = self.calls.upgrade() {
            let uri = calls.secrets().masked(&uri);
            calls.publish(HostEvent::ResourceUpdated {
                server: self.server.clone(),
                uri,
            });
        }
    }

    fn logged(&self, mut line: LogLine) {
        let Some(calls) = self.calls.upgrade() else {
            return;
        };
        let masker = calls.secrets().masker();
        masker.mask_value(&mut line.data);
        line.logger = line
            .logger
            .map(|logger| masker.mask(&logger).unwrap_or(logger));
        let lines = vec![LoggedLine {
            at: calls.now(),
            line,
        }];
        // What a server logs in its first moments may come before the host knows that it runs.
        if calls
            .registry()
            .write_protocol_log(&self.server, &lines)
            .is_ok()
        {
            calls.publish(HostEvent::ServerLogged {
                server: self.server.clone(),
                lines,
            });
        }
    }

    fn exchanged(&self) {
        if let Some(calls) = self.calls.upgrade() {
            self.grew.publish(&Servers::weak(&calls), &self.server);
        }
    }

    fn tools_changed(&self) {
        // Servers announce in storms; one reading at the end of a storm is enough.
        if self.reading.swap(true, Ordering::SeqCst) {
            return;
        }
        let (calls, server, generation, reading) = (
            self.calls.clone(),
            self.server.clone(),
            self.generation,
            self.reading.clone(),
        );
        tokio::spawn(async move {
            tokio::time::sleep(SETTLE).await;
            reading.store(false, Ordering::SeqCst);
            let Some(calls) = calls.upgrade() else { return };
            let Ok(Some(connection)) = calls
                .registry()
                .now(&server)
                .map(|now| now.run.connection.clone())
            else {
                return;
            };
            match connection.tools().await {
                Ok(tools) => supervise::take_tools(&calls, &server, generation, tools).await,
                Err(error) => tracing::warn!(%server, %error, "changed tools could not be read"),
            }
            calls.tell_changed(&server);
        });
    }

    fn wrote(&self, lines: Vec<String>) {
        let Some(calls) = self.calls.upgrade() else {
            return;
        };
        let masker = calls.secrets().masker();
        let lines: Vec<String> = lines
            .into_iter()
            .map(|line| masker.mask(&line).unwrap_or(line))
            .collect();
        if calls.registry().write_log(&self.server, &lines).is_ok() {
            calls.publish(HostEvent::ServerWrote {
                server: self.server.clone(),
                lines,
            });
        }
    }

    fn ended(&self, why: ConnectionError) {
        let Some(calls) = self.calls.upgrade() else {
            return;
        };
        let error = error::connection(&self.server, &why, &calls.secrets().masker());
        let stderr = calls
            .registry()
            .log(&self.server)
            .map(|log| log.lines)
            .unwrap_or_default();
        supervise::failed(&calls, &self.server, self.generation, error, stderr);
    }
}

async fn ask_form(
    calls: &Calls,
    server: &ServerId,
    mut form: Form,
    during: Vec<CallId>,
) -> FormResult {
    if let Some(kind) = inspect::secret_asked(&form.message, &form.schema) {
        refuse(calls, server, during, kind.into());
        return FormResult::Decline;
    }
    let masker = calls.secrets().masker();
    masker.mask_text(&mut form.message);
    masker.mask_map(&mut form.schema);
    match ask(calls, server, Subject::Form { during, form }).await {
        Ok(Decision::Form { answer }) => answer,
        Ok(_) | Err(_) => FormResult::Cancel,
    }
}

/// Puts a question of a server to a person.
pub async fn ask(calls: &Calls, server: &ServerId, subject: Subject) -> Result<Decision, Refusal> {
    let (id, now) = (QuestionId::random(), calls.now());
    let question = Question {
        id,
        asked_at: now,
        expires_at: now.plus(QUESTION_TIMEOUT),
        server: Some(server.clone()),
        subject,
    };
    // When the call that caused it ends, the connection drops this future, and the question with
    // it.
    waiting::ask(calls, question, &CancellationToken::new()).await
}
