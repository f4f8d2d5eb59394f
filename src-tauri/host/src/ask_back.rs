//! What servers ask of their host: folders, and forms for a person. Answered under the same rules as everything else.

use crate::api::HostEvent;
use crate::host::WeakHost;
use crate::{Host, consent, error, form, roots, supervise};
use connections::{ConnectionError, Root, ServerAsks};
use futures::future::BoxFuture;
use policy::{Answer, PATIENCE, Question, Subject};
use protocol::{Form, FormAnswer, QuestionId, ServerId};
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
}

impl AskBack {
    pub(crate) fn new(host: &Host, server: ServerId, generation: u64) -> Self {
        Self { host: host.weak(), server, generation, reading: Arc::default() }
    }
}

impl ServerAsks for AskBack {
    fn roots(&self) -> BoxFuture<'_, Vec<Root>> {
        Box::pin(async move {
            let Some(host) = self.host.upgrade() else { return Vec::new() };
            let paths = host.kept().with(&self.server, |kept| kept.row.roots.clone()).unwrap_or_default();
            paths.iter().filter(|path| roots::present(path)).map(|path| Root { uri: roots::uri(path), name: roots::name(path) }).collect()
        })
    }

    fn form(&self, form: Form) -> BoxFuture<'_, FormAnswer> {
        Box::pin(async move {
            match self.host.upgrade() {
                Some(host) => ask_form(&host, &self.server, form).await,
                None => FormAnswer::Cancel,
            }
        })
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

async fn ask_form(host: &Host, server: &ServerId, mut form: Form) -> FormAnswer {
    if let Some(field) = form::asks_for_secret(&form.schema) {
        tracing::warn!(%server, field, "a server asked for a secret in a form; declined");
        return FormAnswer::Decline;
    }
    let masker = host.secrets().masker();
    masker.mask_text(&mut form.message);
    masker.mask_map(&mut form.schema);
    let (id, now) = (QuestionId::random(), host.now());
    let subject = Subject::Form { during: host.calls().on(server), form };
    let question = Question { id, asked_at: now, expires_at: now.plus(PATIENCE), server: server.clone(), subject };
    // When the call that caused it ends, the connection drops this future, and the question with it.
    match consent::ask(host, question, &CancellationToken::new()).await {
        Ok(Answer::Form { answer }) => answer,
        Ok(_) | Err(_) => FormAnswer::Cancel,
    }
}
