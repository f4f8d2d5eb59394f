//! What a server may ask or tell its host. The host answers; this crate only carries the words.

use crate::ConnectionError;
use futures::future::BoxFuture;
use policy::PermittedRoots;
use protocol::{CallId, Form, FormResult, LogLine, Sample, UrlAsk, UrlResult};
use serde_json::{Map, Value};

/// What a server was asked for by somebody's wish and has not answered yet, when it asks something
/// itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct During {
    /// The calls among that. A server of the older era does not say which of several it was.
    pub calls: Vec<CallId>,
    /// What else there is, as a resource that is read or a prompt that is filled in: by its number,
    /// if who wants it has given it one.
    pub others: Vec<Option<CallId>>,
    /// What a server of the newer era calls this among all that it wants.
    pub key: Option<String>,
}

impl During {
    /// That nothing else was wanted than this: a call, or something else of this number.
    pub(crate) fn alone(call: Option<CallId>, number: Option<CallId>) -> Self {
        let others = if call.is_none() {
            vec![number]
        } else {
            Vec::new()
        };
        Self {
            calls: call.into_iter().collect(),
            others,
            key: None,
        }
    }

    /// The number of the call, or of what else was wanted, because of which it asks, where it can be
    /// nothing else.
    pub fn only(&self) -> Option<&CallId> {
        match (self.calls.as_slice(), self.others.as_slice()) {
            ([call], []) => Some(call),
            ([], [number]) => number.as_ref(),
            _ => None,
        }
    }
}

/// What one server asks. Nothing in here may block; long work goes into the returned futures or a
/// task.
///
/// A future that is dropped was not needed any more: the server took its question back, what it was
/// asked for has ended, or it is gone. A form, an address or the use of a model is asked for only
/// while the server has something to answer that somebody wanted of it (SEP-2260).
pub trait ServerAsks: Send + Sync + 'static {
    /// Which folders? (`roots/list`) It may ask that of its own accord, too.
    fn roots(&self, during: Option<During>) -> BoxFuture<'_, PermittedRoots>;
    /// Will a person fill this in? (`elicitation/create`, form mode)
    fn form(&self, form: Form, during: During) -> BoxFuture<'_, FormResult>;
    /// Will a person open this? (`elicitation/create`, URL mode)
    fn url(&self, ask: UrlAsk, during: During) -> BoxFuture<'_, UrlResult>;
    /// What does a model answer? The result as the protocol has it; none is a no.
    /// (`sampling/createMessage`)
    fn sample(&self, sample: Sample, during: During) -> BoxFuture<'_, Option<Map<String, Value>>>;
    /// It asked for one of these although nobody had asked it for anything, and was refused.
    fn asked_unbidden(&self) {}
    /// Whether a model is there that can answer because of this call; without one, because of
    /// whatever is wanted of the server. Only then servers are told that they may ask.
    fn has_model(&self, _call: Option<&CallId>) -> bool {
        false
    }
    /// What was to be done at an address is done. (`notifications/elicitation/complete`)
    fn url_done(&self, _id: &str) {}
    /// The list of tools is not what it was.
    fn tools_changed(&self) {}
    /// The list of resources or of prompts is not what it was.
    fn offers_changed(&self) {}
    /// A watched resource is not what it was.
    fn resource_updated(&self, _uri: String) {}
    /// A line of the server's log.
    fn logged(&self, _line: LogLine) {}
    /// Lines of standard error, as they come, in batches.
    fn wrote(&self, lines: Vec<String>);
    /// There are new messages in [`crate::Connection::exchange`].
    fn exchanged(&self) {}
    /// The connection ended by itself. Not told after [`crate::Connection::stop`].
    fn ended(&self, why: ConnectionError);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_two_things_may_be_the_cause_neither_is() {
        let number = || CallId::random();
        let during = |calls: Vec<CallId>, others: Vec<Option<CallId>>| During {
            calls,
            others,
            key: None,
        };
        let (call, other) = (number(), number());
        assert_eq!(during(vec![call.clone()], vec![]).only(), Some(&call));
        assert_eq!(
            during(vec![], vec![Some(other.clone())]).only(),
            Some(&other)
        );
        for (calls, others) in [
            (vec![], vec![]),
            (vec![], vec![None]),
            (vec![number(), number()], vec![]),
            (vec![], vec![Some(number()), Some(number())]),
            (vec![], vec![Some(number()), None]),
            (vec![number()], vec![Some(number())]),
            (vec![number()], vec![None]),
        ] {
            let during = during(calls, others);
            assert_eq!(during.only(), None, "{during:?}");
        }
    }
}
