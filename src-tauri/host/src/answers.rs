//! What becomes of an answer between its server and its caller: made harmless, labelled, and what is left out kept for the person.
//!
//! Always true here: what was covered lives in memory only, until the application ends or newer answers take its place.

use crate::api::{Answered, HostError};
use crate::{Host, rules};
use inspect::{Masker, Seam, Tamed};
use protocol::{CallId, Confidentiality, Label, Origin, ToolAnswer, ToolCall, Trust};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many answers can be had uncovered, and how many bytes they have together.
const READABLE: usize = 64;
const READABLE_BYTES: usize = 32 * 1024 * 1024;
/// With how many callers and servers a secret that is split over answers is followed.
const SEAMS: usize = 64;
/// An answer that is shorter than this, in bytes, is looked through at once; going to another thread would take longer.
const SHORT: usize = 16 * 1024;

/// What is remembered of answers, in memory.
#[derive(Default)]
pub(crate) struct Answers {
    /// Oldest first.
    readable: Mutex<VecDeque<Readable>>,
    /// The one that was used last is the last.
    seams: Mutex<VecDeque<Hearing>>,
}

struct Readable {
    call: ToolCall,
    answer: ToolAnswer,
    bytes: usize,
}

/// What one caller has heard from one server.
struct Hearing {
    caller: String,
    server: String,
    /// With which secrets it was followed; with others it begins anew.
    masker: Arc<Masker>,
    seam: Arc<tokio::sync::Mutex<Seam>>,
}

impl Answers {
    /// The answer of a call without marks, and the call.
    pub(crate) fn readable(&self, call: &CallId) -> Option<(ToolCall, ToolAnswer)> {
        let kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().find(|kept| kept.call.id == *call).map(|kept| (kept.call.clone(), kept.answer.clone()))
    }

    fn keep(&self, call: &ToolCall, answer: ToolAnswer) {
        let bytes = answer.as_text().len() + answer.content.iter().map(data).sum::<usize>();
        let mut kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        // Arguments are not needed again.
        let call = ToolCall { arguments: serde_json::Map::new(), ..call.clone() };
        kept.push_back(Readable { call, answer, bytes });
        while kept.len() > READABLE || kept.iter().map(|kept| kept.bytes).sum::<usize>() > READABLE_BYTES {
            kept.pop_front();
        }
    }

    fn seam(&self, call: &ToolCall, masker: &Arc<Masker>) -> Arc<tokio::sync::Mutex<Seam>> {
        let (caller, server) = (call.caller.key().to_owned(), call.server.key());
        let mut seams = self.seams.lock().unwrap_or_else(PoisonError::into_inner);
        let known = seams.iter().position(|known| known.caller == caller && known.server == server);
        let known = known.and_then(|index| seams.remove(index)).filter(|known| Arc::ptr_eq(&known.masker, masker));
        let known = known.unwrap_or_else(|| Hearing { caller, server, masker: Arc::clone(masker), seam: Arc::default() });
        let seam = Arc::clone(&known.seam);
        seams.push_back(known);
        while seams.len() > SEAMS {
            seams.pop_front();
        }
        seam
    }
}

fn data(part: &protocol::Content) -> usize {
    match part {
        protocol::Content::Image { data, .. } | protocol::Content::Audio { data, .. } => data.len(),
        protocol::Content::Resource { blob, .. } => blob.as_ref().map_or(0, String::len),
        _ => 0,
    }
}

/// Makes of an answer what its caller gets.
pub(crate) async fn pass_on(host: &Host, call: &ToolCall, answer: ToolAnswer) -> Result<Answered, HostError> {
    let masker = host.secrets().masker();
    let mut seam = host.answers().seam(call, &masker).lock_owned().await;
    let tamed = if answer.as_text().len() < SHORT {
        inspect::tame(answer, &masker, &mut seam)
    } else {
        // A long one takes a while; other calls go on meanwhile.
        let work = tokio::task::spawn_blocking(move || inspect::tame(answer, &masker, &mut seam));
        work.await.map_err(|problem| crate::error::host(crate::ErrorCode::Internal, format!("an answer could not be read: {problem}")))?
    };
    // Before anything of it is kept: nobody can have it later.
    if let Some(refusal) = rules::on_return(host, call, &tamed.findings).await.refusal() {
        return Err(crate::error::withheld(refusal));
    }
    Ok(keep(host, call, tamed).await)
}

async fn keep(host: &Host, call: &ToolCall, tamed: Tamed) -> Answered {
    let Tamed { answer, findings, steers, readable, whole } = tamed;
    let revealable = readable.is_some();
    if let Some(readable) = readable {
        host.answers().keep(call, readable);
    }
    let mut whole_kept = false;
    if let Some(whole) = whole {
        match host.store().answers().keep(&call.id, whole, host.now()).await {
            Ok(()) => whole_kept = true,
            Err(problem) => tracing::warn!(call = %call.id, %problem, "the whole text of an answer could not be kept"),
        }
    }
    let label = Label::of(Origin::Tool { server: Some(call.server.clone()), tool: call.tool.clone() });
    let label = if steers { label.at_least_as_doubtful(Trust::Steering) } else { label };
    let is_secret = host.kept().with(&call.server, |kept| kept.mark(&call.tool)).unwrap_or_default().secret;
    let label = if is_secret { label.at_least_as_confidential(Confidentiality::Secret) } else { label };
    let refused_asks = host.calls().refused_asks(&call.id);
    Answered { call: call.id.clone(), at: host.now(), answer, findings, label, revealable, whole_kept, refused_asks }
}
