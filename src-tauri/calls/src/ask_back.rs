//! What servers ask of their host: folders, forms and addresses for a person, the use of a model.
//! Answered under the same rules as everything else: by the client because of whose call it is asked,
//! if that can be asked, else by a person.

mod ask_url;
mod cause;
mod client;
mod client_model;
mod client_roots;
mod refuse;
mod sample;

use crate::{Calls, WeakCalls, gate, waiting};
use api::{AskRefusal, HostError, HostEvent, LoggedLine, json_bytes};
use client::Client;
use connections::{Connection, ConnectionError, During, ServerAsks};
use futures::future::BoxFuture;
use inspect::Masker;
use policy::{Decision, PermittedRoots, Question, Refusal, Subject};
use protocol::{
    CallId, CodexApproval, Form, FormResult, LogLine, Sample, ServerId, UrlAsk, UrlResult,
};
use refuse::refuse;
use serde_json::{Map, Value};
use servers::registry::Registry;
use servers::{Servers, catalogue, error, pins, supervise, tool_lists, wire_log};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The longest text that a person is asked with, in bytes.
const LONGEST_TEXT: usize = 16 * 1024;
/// The largest schema of a form, in bytes of JSON.
const LARGEST_SCHEMA: usize = 64 * 1024;
/// The most that Codex wants to be allowed at once, in bytes of JSON.
const LARGEST_APPROVAL: usize = 256 * 1024;

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

    /// Waits until what the server announces has settled, for so long as `wait` says. What it
    /// announces until then is `reading`. The connection, if it is still the one that announced.
    fn settled(
        &self,
        reading: &Arc<AtomicBool>,
        wait: fn(&Registry, &ServerId) -> Result<Duration, HostError>,
    ) -> Option<impl Future<Output = Option<(Calls, Connection)>> + use<>> {
        let wait = wait(self.calls.upgrade()?.registry(), &self.server).ok()?;
        let (calls, server, generation, reading) = (
            self.calls.clone(),
            self.server.clone(),
            self.generation,
            reading.clone(),
        );
        Some(async move {
            tokio::time::sleep(wait).await;
            reading.store(false, Ordering::SeqCst);
            let calls = calls.upgrade()?;
            let now = calls.registry().now(&server).ok()?;
            let connection = now.run.connection.clone();
            let connection = connection.filter(|_| now.run.generation == generation)?;
            Some((calls, connection))
        })
    }
}

impl ServerAsks for AskBack {
    fn roots(&self, during: Option<During>) -> BoxFuture<'_, PermittedRoots> {
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
            let Ok(now) = calls.registry().now(&self.server) else {
                return PermittedRoots::none();
            };
            let ours = gate::roots(&calls, &now).await;
            match during {
                Some(during) => client_roots::within(&calls, &now, &during, ours).await,
                None => ours,
            }
        })
    }

    fn form(&self, form: Form, during: During) -> BoxFuture<'_, FormResult> {
        Box::pin(async move {
            match self.calls.upgrade() {
                Some(calls) => ask_form(&calls, &self.server, form, during).await,
                None => FormResult::Cancel,
            }
        })
    }

    fn url(&self, ask: UrlAsk, during: During) -> BoxFuture<'_, UrlResult> {
        Box::pin(async move {
            match self.calls.upgrade() {
                Some(calls) => ask_url::ask_person(&calls, &self.server, ask, during).await,
                None => UrlResult::Cancel,
            }
        })
    }

    fn sample(&self, sample: Sample, during: During) -> BoxFuture<'_, Option<Map<String, Value>>> {
        Box::pin(async move {
            sample::sample(&self.calls.upgrade()?, &self.server, sample, during).await
        })
    }

    fn asked_unbidden(&self) {
        if let Some(calls) = self.calls.upgrade() {
            refuse(&calls, &self.server, Vec::new(), AskRefusal::Unbidden);
        }
    }

    fn has_model(&self, call: Option<&CallId>) -> bool {
        self.calls.upgrade().is_some_and(|calls| {
            calls.model().is_some() || calls.running().routes().have_model(call)
        })
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
        let Some(settled) = self.settled(&self.reading_rest, Registry::settle_rest) else {
            return;
        };
        let (server, generation) = (self.server.clone(), self.generation);
        tokio::spawn(async move {
            if let Some((calls, connection)) = settled.await {
                pins::take_rest(&calls, &server, generation, &connection).await;
                catalogue::take_resources(&calls, &server, &connection).await;
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
        line.logger = line.logger.map(|logger| masker.masked(logger));
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
                caller: calls.running().alone_on(&self.server),
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
        if self.reading.swap(true, Ordering::SeqCst) {
            return;
        }
        let Some(settled) = self.settled(&self.reading, Registry::settle_tools) else {
            return;
        };
        let (server, generation) = (self.server.clone(), self.generation);
        tokio::spawn(async move {
            let Some((calls, connection)) = settled.await else {
                return;
            };
            match connection.tools().await {
                Ok(tools) => tool_lists::take(&calls, &server, generation, tools).await,
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
        let lines: Vec<String> = lines.into_iter().map(|line| masker.masked(line)).collect();
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

async fn ask_form(calls: &Calls, server: &ServerId, mut form: Form, during: During) -> FormResult {
    let is_large = json_bytes(&form.schema) > LARGEST_SCHEMA
        || json_bytes(&form.codex) > LARGEST_APPROVAL
        || form.message.len() > LONGEST_TEXT;
    if is_large {
        refuse(calls, server, during.calls, AskRefusal::TooLarge);
        return FormResult::Decline;
    }
    if let Some(kind) = inspect::secret_asked(&form.message, &form.schema) {
        refuse(calls, server, during.calls, kind.into());
        return FormResult::Decline;
    }
    let masker = calls.secrets().masker();
    masker.mask_text(&mut form.message);
    masker.mask_map(&mut form.schema);
    let is_approval = form.codex.is_some();
    if let Some(codex) = &mut form.codex {
        mask(codex, &masker);
    }
    // What may be done on this computer, no application allows.
    if !is_approval
        && let Some(client) = Client::behind(calls, server, &during, |can| can.form)
        && let Some(answer) = client.form(&form).await
    {
        return answer;
    }
    let during = during.calls;
    match ask(calls, server, Subject::Form { during, form }).await {
        Ok(Decision::Form { answer }) => answer,
        Ok(_) | Err(_) => FormResult::Cancel,
    }
}

fn mask(approval: &mut CodexApproval, masker: &Masker) {
    let CodexApproval {
        command,
        folder,
        changes,
        writes_in,
    } = approval;
    for text in command.iter_mut().chain(folder).chain(writes_in) {
        masker.mask_text(text);
    }
    masker.mask_map(changes);
}

/// Puts a question of a server to a person.
pub async fn ask(calls: &Calls, server: &ServerId, subject: Subject) -> Result<Decision, Refusal> {
    let server = Some(server.clone());
    let question = Question::new(server, subject, calls.now(), calls.question_time());
    // When the call that caused it ends, the connection drops this future, and the question with
    // it.
    waiting::ask(calls, question, &CancellationToken::new()).await
}
