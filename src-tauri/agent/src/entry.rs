//! The journal of a conversation: what has happened, in its order. All that is shown or sent is
//! derived from it.
//!
//! Always true here: entries are added and never changed, and their written form is read by every
//! later version.

use crate::model::Failure;
use crate::{Imported, ModelRef, Outcome, Planned, Purse, Reply, ReplyPart, Said};
use protocol::{CallId, Fingerprint, RequestPart, TurnEnd, TurnId};
use serde::{Deserialize, Serialize};

/// One entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Entry {
    /// One thing of a conversation was read from a file, before anything else is in this one.
    Imported {
        /// The thing.
        imported: Box<Imported>,
    },
    /// A person has said something, and a turn begins.
    TurnBegan {
        /// The turn.
        turn: TurnId,
        /// What they said.
        said: Vec<Said>,
        /// Who answers.
        model: ModelRef,
        /// What the turn may take.
        purse: Purse,
    },
    /// A model is asked.
    Asked {
        /// Which request of the turn this is, counted from 1.
        step: u32,
        /// Of the request as it is sent. The same journal gives the same one again.
        digest: Fingerprint,
        /// About how many tokens it holds.
        tokens: u64,
        /// No model reads it in fewer tokens than these. Not known in a journal of an earlier version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<u64>,
        /// Why it is the last one before a person decides, if it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closing: Option<Closing>,
        /// What it holds, and what was left out. Empty in a journal of an earlier version.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        held: Vec<RequestPart>,
    },
    /// The model has answered, and this is done with the calls that it wants, in its order.
    Replied {
        /// To which request.
        step: u32,
        /// The whole answer.
        reply: Reply,
        /// One for each call in it.
        calls: Vec<Planned>,
    },
    /// The answer did not come to its end.
    ReplyBroke {
        /// To which request.
        step: u32,
        /// Why.
        why: Broke,
        /// What had come of it.
        parts: Vec<ReplyPart>,
    },
    /// A call has ended.
    CallSettled {
        /// Which.
        call: CallId,
        /// How.
        outcome: Outcome,
    },
    /// The person has said something while the turn went on. It is in the next request.
    Steered {
        /// What they said.
        said: Vec<Said>,
    },
    /// The person wants the turn to stop.
    StopRequested,
    /// The turn waits for a person to let it go on.
    Paused {
        /// Why.
        why: Closing,
    },
    /// A person lets a turn go on that had spent its purse.
    PurseRaised {
        /// With so much more.
        by: Purse,
    },
    /// A person lets a turn go on that went in circles, with what is left of its purse.
    LetGoOn,
    /// The turn is over.
    TurnEnded {
        /// How.
        why: TurnEnd,
    },
}

impl Entry {
    /// Whether it has to be on the disk before anything goes on: a person's word, a finished reply
    /// and the end of a call are not lost with the power either.
    pub fn is_synced(&self) -> bool {
        match self {
            Self::Imported { .. }
            | Self::TurnBegan { .. }
            | Self::Replied { .. }
            | Self::CallSettled { .. }
            | Self::Steered { .. }
            | Self::StopRequested
            | Self::PurseRaised { .. }
            | Self::LetGoOn
            | Self::TurnEnded { .. } => true,
            Self::Asked { .. } | Self::ReplyBroke { .. } | Self::Paused { .. } => false,
        }
    }
}

/// Why no tools are called any more before a person has decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// The turn has taken what it may take.
    PurseSpent,
    /// It goes in circles.
    Loops,
}

/// Why a reply did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Broke {
    /// The person has stopped it.
    Stopped,
    /// The application ended.
    ApplicationEnded,
    /// The service failed, or the connection to it.
    Failed {
        /// What happened, with everything in it covered that is to be.
        failure: Failure,
    },
}

impl From<Closing> for TurnEnd {
    fn from(why: Closing) -> Self {
        match why {
            Closing::PurseSpent => Self::PurseSpent,
            Closing::Loops => Self::Loops,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_journal_is_read_as_it_was_first_written() {
        let label = json!({"origins": [{"kind": "unknown"}], "trust": "untrusted", "confidentiality": "private"});
        let written = [
            json!({"kind": "imported", "imported": {"file": "a.json",
                "item": {"kind": "said", "text": "hi", "attached": [], "begins_turn": true},
                "label": label, "at": 1, "boundary": "00000000000000000000000000000007"}}),
            json!({"kind": "turn_began", "turn": "turn-1", "said": [{"kind": "text", "text": "hi"}],
                "model": {"id": "model-1", "wire": "anthropic", "name": "m"}, "purse": {"requests": 25, "calls": 40, "tokens": 400000}}),
            json!({"kind": "asked", "step": 1, "digest": "sha256:00", "tokens": 7}),
            json!({"kind": "replied", "step": 1,
                "reply": {"parts": [{"kind": "text", "text": "yes"},
                    {"kind": "call", "provider_id": "toolu_1", "name": "a__b", "arguments": {"x": 1}}],
                    "usage": {"input": 7}, "stop": {"kind": "end"}},
                "calls": [{"call": "call-1", "plan": {"kind": "make", "tool": {"server": "a", "tool": "b"}}}]}),
            json!({"kind": "replied", "step": 1,
                "reply": {"parts": [{"kind": "call", "name": "search_tools", "arguments": {"queries": ["x"]}}],
                    "usage": {}, "stop": {"kind": "end"}},
                "calls": [{"call": "call-1", "plan": {"kind": "own", "answer": {"text": "x:",
                    "found": [{"server": "a", "tool": "b"}]}}}]}),
            json!({"kind": "replied", "step": 1,
                "reply": {"parts": [{"kind": "call", "name": "ask_a", "arguments": {"task": "x"}},
                    {"kind": "call", "name": "ask_reader", "arguments": {"of": [1]}}],
                    "usage": {}, "stop": {"kind": "end"}},
                "calls": [{"call": "call-1", "plan": {"kind": "give", "task": {
                        "worker": {"kind": "helper", "assistant": "assistant-1", "name": "A"},
                        "text": "x", "answer": {"kind": "text"}}}},
                    {"call": "call-2", "plan": {"kind": "give", "task": {
                        "worker": {"kind": "reader", "of": ["call-0"]},
                        "text": "x", "answer": {"kind": "one_of", "choices": ["a", "b"]}}}}]}),
            json!({"kind": "call_settled", "call": "call-1",
                "outcome": {"kind": "not_run", "why": {"kind": "stopped"}}}),
            json!({"kind": "call_settled", "call": "call-1", "outcome": {"kind": "helped", "report": {
                "conversation": "task-1", "end": {"kind": "answered", "value": 7, "is_closed": true},
                "label": {"origins": [{"kind": "person"}], "trust": "trusted", "confidentiality": "private"},
                "spent": {"requests": 1, "calls": 0, "tokens": 9}, "at": 1,
                "boundary": "00000000000000000000000000000007"}}}),
            json!({"kind": "call_settled", "call": "call-1", "outcome": {"kind": "helped", "report": {
                "conversation": "task-1", "end": {"kind": "unfinished", "why": "stopped"},
                "label": {"origins": [], "trust": "steering", "confidentiality": "private"},
                "spent": {"requests": 0, "calls": 0, "tokens": 0}, "at": 1,
                "boundary": "00000000000000000000000000000007"}}}),
            json!({"kind": "steered", "said": [{"kind": "task", "text": "x",
                "label": {"origins": [{"kind": "host"}], "trust": "trusted", "confidentiality": "private"}}]}),
            json!({"kind": "steered", "said": [{"kind": "attached", "attachment": {
                "name": "a.txt", "content": [{"kind": "text", "text": "x"}],
                "label": label,
                "at": 1, "boundary": "00000000000000000000000000000007"}}]}),
            json!({"kind": "asked", "step": 2, "digest": "sha256:01", "tokens": 9, "closing": "loops"}),
            json!({"kind": "asked", "step": 3, "digest": "sha256:02", "tokens": 9, "least": 4,
                "held": [{"kind": {"kind": "results", "server": "a"}, "count": 2, "shortened": 1, "left_out": 0,
                    "tokens": 9, "trust": "steering", "confidentiality": "private"}]}),
            json!({"kind": "reply_broke", "step": 2, "parts": [],
                "why": {"kind": "failed", "failure": {"kind": "cut_off"}}}),
            json!({"kind": "stop_requested"}),
            json!({"kind": "paused", "why": "purse_spent"}),
            json!({"kind": "purse_raised", "by": {"requests": 1, "calls": 1, "tokens": 1}}),
            json!({"kind": "let_go_on"}),
            json!({"kind": "turn_ended", "why": "context_full"}),
        ];
        for entry in written {
            let read: Entry = serde_json::from_value(entry.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), entry);
        }
    }
}
