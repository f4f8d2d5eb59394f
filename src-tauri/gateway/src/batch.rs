//! Messages that come together, in an array: only 2025-03-26 has them.
//!
//! Always true here: they are bounded in number before they are read, and what is gathered of their
//! answers is bounded in bytes.

use crate::message::{Message, Unreadable};
use crate::rpc_error::RpcError;
use serde::Deserialize;
use serde::de::{Error, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The revision in which messages may come together.
const REVISION: &str = "2025-03-26";
/// How many may.
pub(crate) const MOST: usize = 32;
/// How much of their answers is gathered, in bytes. What goes beyond that is sent by itself.
const GATHERED: usize = 8 * 1024 * 1024;

/// Messages that came together, each as far as it can be read.
pub(crate) type Batch = Vec<Result<Message, Unreadable>>;

/// Whether a text is more than one message.
pub(crate) fn is_batch(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Reads messages that come together in a conversation of this revision. Fails with the answer to all
/// of them.
pub(crate) fn read(text: &str, agreed: Option<&str>) -> Result<Batch, RpcError> {
    let invalid = |message| Err(RpcError::new(RpcError::INVALID_REQUEST, message));
    if agreed != Some(REVISION) {
        return invalid("Messages come one by one: only 2025-03-26 has batches".to_owned());
    }
    let Parts(parts) = match serde_json::from_str(text) {
        Ok(parts) => parts,
        Err(problem) if problem.is_data() => {
            return invalid(format!("A batch has at most {MOST} messages"));
        }
        Err(_) => return Err(RpcError::new(RpcError::NOT_JSON, "This is no JSON")),
    };
    if parts.is_empty() {
        return invalid("This batch is empty".to_owned());
    }
    let parts = parts.into_iter();
    Ok(parts.map(|part| Message::read(part.get())).collect())
}

/// So many parts of an array and no more.
struct Parts<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Parts<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Some;
        impl<'de> Visitor<'de> for Some {
            type Value = Parts<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("messages")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Parts<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Option::Some(part) = all.next_element()? {
                    if parts.len() == MOST {
                        return Err(A::Error::custom("too many"));
                    }
                    parts.push(part);
                }
                Ok(Parts(parts))
            }
        }
        from.deserialize_seq(Some)
    }
}

/// Answers to a batch, gathered until all of them are there.
#[derive(Debug)]
pub(crate) struct Answers {
    left: usize,
    gathered: Vec<String>,
    bytes: usize,
}

impl Answers {
    /// To so many requests.
    pub(crate) fn to(requests: usize) -> Self {
        Self {
            left: requests,
            gathered: Vec::new(),
            bytes: 0,
        }
    }

    /// Takes an answer, or that there is none to a request that was taken back. What is to be sent
    /// now, and whether it was the last.
    pub(crate) fn take(&mut self, answer: Option<String>) -> (Option<String>, bool) {
        self.left = self.left.saturating_sub(1);
        let is_last = self.left == 0;
        let alone = match answer {
            Some(answer) if self.bytes + answer.len() > GATHERED => Some(answer),
            Some(answer) => {
                self.bytes += answer.len();
                self.gathered.push(answer);
                None
            }
            None => None,
        };
        if !is_last || self.gathered.is_empty() {
            return (alone, is_last);
        }
        let mut lines = Vec::from_iter(alone);
        lines.push(format!("[{}]", self.gathered.join(",")));
        (Some(lines.join("\n")), is_last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    #[test]
    fn messages_come_together_in_one_revision_and_only_so_many() {
        let of = |count: usize| format!("[{}]", vec![PING; count].join(","));
        assert_eq!(read(&of(MOST), Some(REVISION)).unwrap().len(), MOST);
        for (text, agreed) in [
            (of(1), None),
            (of(1), Some("2025-06-18")),
            (of(0), Some(REVISION)),
            (of(MOST + 1), Some(REVISION)),
            ("[".to_owned(), Some(REVISION)),
        ] {
            assert!(read(&text, agreed).is_err(), "{text} {agreed:?}");
        }
        let mixed = read(&format!("[7,{PING},[{PING}]]"), Some(REVISION)).unwrap();
        let are_read: Vec<bool> = mixed.iter().map(Result::is_ok).collect();
        assert_eq!(are_read, [false, true, false]);
    }

    #[test]
    fn answers_are_gathered_as_far_as_there_is_room() {
        let mut answers = Answers::to(4);
        assert_eq!(answers.take(Some("1".to_owned())), (None, false));
        assert_eq!(answers.take(None), (None, false));
        let long = "x".repeat(GATHERED);
        assert_eq!(answers.take(Some(long.clone())), (Some(long), false));
        let last = answers.take(Some("2".to_owned()));
        assert_eq!(last, (Some("[1,2]".to_owned()), true));
        assert_eq!(Answers::to(1).take(None), (None, true));
    }

    proptest! {
        #[test]
        fn no_text_brings_it_down(text in ".{0,200}") {
            let _ = read(&text, Some(REVISION));
            let _ = read(&format!("[{text}]"), Some(REVISION));
        }
    }
}
