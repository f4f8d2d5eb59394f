//! What is remembered of answers.
//!
//! Always true here: what was covered lives in memory only, until the application ends or newer
//! answers take its place.

use inspect::{Masker, StreamMask};
use protocol::{Budget, CallId, Caller, Ring, ToolCall, ToolResult, Weigh};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many answers can be had uncovered, and how many bytes they have together.
const READABLE: usize = 64;
const READABLE_BYTES: usize = 32 * 1024 * 1024;
/// With how many callers and servers a secret that is split over answers is followed.
const STREAM_MASKS: usize = 64;

/// What is remembered of answers, in memory.
pub struct RedactedResults {
    readable: Mutex<Ring<Readable>>,
    /// The one that was used last is the last.
    stream_masks: Mutex<VecDeque<Hearing>>,
}

struct Readable {
    call: ToolCall,
    answer: ToolResult,
}

impl Weigh for Readable {
    fn weigh(&self) -> usize {
        size_of::<Self>() + self.answer.weigh()
    }
}

impl Default for RedactedResults {
    fn default() -> Self {
        let readable = Ring::new(READABLE, READABLE_BYTES, Budget::new(READABLE_BYTES));
        Self {
            readable: Mutex::new(readable),
            stream_masks: Mutex::default(),
        }
    }
}

/// What one caller has heard from one server.
struct Hearing {
    caller: Caller,
    server: String,
    /// With which secrets it was followed; with others it begins anew.
    masker: Arc<Masker>,
    stream_mask: Arc<tokio::sync::Mutex<StreamMask>>,
}

impl RedactedResults {
    /// The answer of a call without marks, and the call.
    pub fn readable(&self, call: &CallId) -> Option<(ToolCall, ToolResult)> {
        let kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .rev()
            .find(|kept| kept.call.id == *call)
            .map(|kept| (kept.call.clone(), kept.answer.clone()))
    }

    pub(crate) fn keep(&self, call: &ToolCall, answer: ToolResult) {
        let mut kept = self.readable.lock().unwrap_or_else(PoisonError::into_inner);
        // Arguments are not needed again.
        let call = ToolCall {
            arguments: serde_json::Map::new(),
            ..call.clone()
        };
        kept.push(Readable { call, answer });
    }

    pub(crate) fn stream_mask(
        &self,
        call: &ToolCall,
        masker: &Arc<Masker>,
    ) -> Arc<tokio::sync::Mutex<StreamMask>> {
        let (caller, server) = (call.caller.clone(), call.server.key());
        let mut stream_masks = self
            .stream_masks
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = stream_masks
            .iter()
            .position(|known| known.caller == caller && known.server == server);
        let known = known
            .and_then(|index| stream_masks.remove(index))
            .filter(|known| Arc::ptr_eq(&known.masker, masker));
        let known = known.unwrap_or_else(|| Hearing {
            caller,
            server,
            masker: Arc::clone(masker),
            stream_mask: Arc::default(),
        });
        let stream_mask = Arc::clone(&known.stream_mask);
        stream_masks.push_back(known);
        while stream_masks.len() > STREAM_MASKS {
            stream_masks.pop_front();
        }
        stream_mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Content, ServerId};

    fn call() -> ToolCall {
        ToolCall {
            id: CallId::random(),
            caller: Caller::terminal(),
            conversation: Caller::terminal().conversation(),
            by_hand: false,
            server: ServerId::parse("files").unwrap(),
            tool: "read".into(),
            arguments: serde_json::Map::new(),
        }
    }

    #[test]
    fn results_that_can_be_uncovered_are_bounded_and_the_newest_stays() {
        let answer = |bytes: usize| ToolResult {
            content: vec![Content::text("x".repeat(bytes))],
            ..ToolResult::default()
        };
        for bytes in [1, 1024 * 1024] {
            let (results, first, last) = (RedactedResults::default(), call(), call());
            results.keep(&first, answer(bytes));
            for _ in 0..READABLE {
                results.keep(&call(), answer(bytes));
            }
            results.keep(&last, answer(bytes));
            assert!(results.readable(&first.id).is_none());
            assert!(results.readable(&last.id).is_some());
            let kept = results.readable.lock().unwrap();
            let weight: usize = kept.iter().map(Weigh::weigh).sum();
            assert!(
                kept.len() <= READABLE && weight <= READABLE_BYTES,
                "{weight}"
            );
        }
    }
}
