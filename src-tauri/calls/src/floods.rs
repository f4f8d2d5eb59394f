//! Floods of questions: nobody can make a person answer without end.
//!
//! Always true here:
//! - what one caller asks of one server is counted by itself, and so are what one server asks back
//!   and the rules: one flood takes no room of another;
//! - what is too much is refused at once, before anything is looked up or written, and asks nobody.

use policy::{Question, Subject};
use protocol::{Caller, ServerId, Timestamp, ToolCall};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many questions of one kind wait at a time.
pub const MOST_WAITING: usize = 10;
/// So many of them are asked within [`MINUTE`].
pub const MOST_ASKED: usize = 30;
/// How long it is counted what was asked.
pub const MINUTE: Duration = Duration::from_secs(60);

/// Whose questions are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// Those of a caller about a server: calls of its tools, and whatever else it wants sent there.
    Call { caller: Caller, server: String },
    /// Those that a server asks back.
    Server(String),
    /// Those about rules. A server that asks back without end keeps nobody from making a rule about
    /// it.
    Rules,
}

impl Source {
    /// Of a question about a call.
    pub(crate) fn of_call(call: &ToolCall) -> Self {
        Self::Call {
            caller: call.caller.clone(),
            server: call.server.key(),
        }
    }

    /// Of any question.
    pub fn of(question: &Question) -> Self {
        let server = question
            .server
            .as_ref()
            .map(ServerId::key)
            .unwrap_or_default();
        match &question.subject {
            Subject::Call { caller, .. } | Subject::Request { caller, .. } => Self::Call {
                caller: caller.clone(),
                server,
            },
            Subject::Form { .. }
            | Subject::Url { .. }
            | Subject::Sample { .. }
            | Subject::SampleReply { .. } => Self::Server(server),
            Subject::Rule { .. } | Subject::Change { .. } => Self::Rules,
        }
    }
}

#[derive(Debug, Default)]
struct Flow {
    waiting: usize,
    /// Oldest first.
    asked: VecDeque<Timestamp>,
}

/// What waits and was asked a moment ago.
#[derive(Debug, Default)]
pub(crate) struct Floods(Mutex<HashMap<Source, Flow>>);

/// The room that one waiting question takes, until it is dropped.
#[derive(Debug)]
pub(crate) struct Room<'a> {
    floods: &'a Floods,
    source: Source,
}

impl Floods {
    fn lock(&self) -> MutexGuard<'_, HashMap<Source, Flow>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for a question, if there is any.
    pub(crate) fn enter(&self, source: Source, now: Timestamp) -> Option<Room<'_>> {
        let mut all = self.lock();
        all.retain(|_, flow| {
            flow.asked.retain(|at| now.since(*at) < MINUTE);
            flow.waiting > 0 || !flow.asked.is_empty()
        });
        let flow = all.entry(source.clone()).or_default();
        if flow.waiting >= MOST_WAITING || flow.asked.len() >= MOST_ASKED {
            return None;
        }
        flow.waiting += 1;
        flow.asked.push_back(now);
        Some(Room {
            floods: self,
            source,
        })
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if let Some(flow) = self.floods.lock().get_mut(&self.source) {
            flow.waiting = flow.waiting.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy::{EnforcementPoint, RuleDraft, RuleEffect};
    use protocol::{QuestionId, RuleId, UrlAsk};

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    fn asked_back(server: &str) -> Question {
        let ask = UrlAsk {
            message: String::new(),
            url: "https://a.example/".into(),
            id: None,
        };
        let subject = Subject::Url {
            during: vec![],
            ask,
            host: "a.example".into(),
            look_alike: false,
        };
        let server = Some(ServerId::parse(server).unwrap());
        Question {
            id: QuestionId::random(),
            asked_at: NOW,
            expires_at: NOW,
            server,
            subject,
        }
    }

    #[test]
    fn one_flood_is_stopped_and_takes_no_room_of_another() {
        let floods = Floods::default();
        let rooms: Vec<_> = (0..MOST_WAITING)
            .map(|_| floods.enter(Source::of(&asked_back("loud")), NOW).unwrap())
            .collect();
        assert!(floods.enter(Source::of(&asked_back("loud")), NOW).is_none());
        assert!(
            floods
                .enter(Source::of(&asked_back("quiet")), NOW)
                .is_some()
        );
        drop(rooms);
        assert!(
            floods.enter(Source::of(&asked_back("loud")), NOW).is_some(),
            "there is room again"
        );
    }

    #[test]
    fn forms_of_a_server_keep_nobody_from_making_a_rule_about_it() {
        let floods = Floods::default();
        let rooms: Vec<_> = (0..MOST_WAITING)
            .map(|_| floods.enter(Source::of(&asked_back("loud")), NOW).unwrap())
            .collect();
        let server = ServerId::parse("loud").unwrap();
        let (caller, tool, when, reason) = (None, None, Vec::new(), None);
        let draft = RuleDraft {
            effect: RuleEffect::Allow,
            hook: EnforcementPoint::Call,
            caller,
            server: Some(server),
            tool,
            when,
            reason,
        };
        let rule = Box::new(draft.rule(RuleId::random(), NOW));
        let asked = Question {
            subject: Subject::Rule {
                rule,
                removing: false,
            },
            ..asked_back("loud")
        };
        assert!(floods.enter(Source::of(&asked), NOW).is_some());
        drop(rooms);
    }

    #[test]
    fn so_many_in_a_minute_and_no_more_however_fast_they_are_answered() {
        let floods = Floods::default();
        for _ in 0..MOST_ASKED {
            drop(floods.enter(Source::of(&asked_back("loud")), NOW).unwrap());
        }
        assert!(
            floods
                .enter(Source::of(&asked_back("loud")), NOW.plus(MINUTE / 2))
                .is_none()
        );
        assert!(
            floods
                .enter(Source::of(&asked_back("loud")), NOW.plus(MINUTE))
                .is_some()
        );
    }
}
