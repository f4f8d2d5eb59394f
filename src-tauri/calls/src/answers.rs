//! What is remembered of answers.
//!
//! Always true here: what was covered lives in memory only, until the application ends or newer
//! answers take its place.

use inspect::{Masker, Seam};
use protocol::{CallId, Caller, ToolAnswer, ToolCall};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many answers can be had uncovered, and how many bytes they have together.
const READABLE: usize = 64;
const READABLE_BYTES: usize = 32 * 1024 * 1024;
/// With how many callers and servers a secret that is split over answers is followed.
const SEAMS: usize = 64;

/// What is remembered of answers, in memory.
#[derive(Default)]
pub struct Answers {
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
    caller: Caller,
    server: String,
    /// With which secrets it was followed; with others it begins anew.
    masker: Arc<Masker>,
    seam: Arc<tokio::sync::Mutex<Seam>>,
}

impl Answers {
    /// The answer of a call without marks, and the call.
    pub fn readable(&self, call: &CallId) -> Option<(ToolCall, ToolAnswer)> {
        let kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .rev()
            .find(|kept| kept.call.id == *call)
            .map(|kept| (kept.call.clone(), kept.answer.clone()))
    }

    pub(crate) fn keep(&self, call: &ToolCall, answer: ToolAnswer) {
        let bytes = answer.as_text().len() + answer.content.iter().map(data).sum::<usize>();
        let mut kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        // Arguments are not needed again.
        let call = ToolCall {
            arguments: serde_json::Map::new(),
            ..call.clone()
        };
        kept.push_back(Readable {
            call,
            answer,
            bytes,
        });
        while kept.len() > READABLE
            || kept.iter().map(|kept| kept.bytes).sum::<usize>() > READABLE_BYTES
        {
            kept.pop_front();
        }
    }

    pub(crate) fn seam(
        &self,
        call: &ToolCall,
        masker: &Arc<Masker>,
    ) -> Arc<tokio::sync::Mutex<Seam>> {
        let (caller, server) = (call.caller.clone(), call.server.key());
        let mut seams = self.seams.lock().unwrap_or_else(PoisonError::into_inner);
        let known = seams
            .iter()
            .position(|known| known.caller == caller && known.server == server);
        let known = known
            .and_then(|index| seams.remove(index))
            .filter(|known| Arc::ptr_eq(&known.masker, masker));
        let known = known.unwrap_or_else(|| Hearing {
            caller,
            server,
            masker: Arc::clone(masker),
            seam: Arc::default(),
        });
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
