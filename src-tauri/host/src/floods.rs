//! Floods of questions: nobody can make a person answer without end.
//!
//! Always true here:
//! - what one caller asks of one server is counted by itself, and so is what one server asks back: one flood takes no room of another;
//! - what is too much is refused at once and asks nobody.

use policy::{Question, Subject};
use protocol::{Caller, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many questions of one kind wait at a time.
pub const MOST_WAITING: usize = 10;
/// So many of them are asked within [`MINUTE`].
pub const MOST_ASKED: usize = 30;
/// How long it is counted what was asked.
pub const MINUTE: Duration = Duration::from_secs(60);

/// Whose questions are counted together: those of a caller about a server, or those that a server asks back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Source {
    caller: Option<Caller>,
    server: String,
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
    source: Option<Source>,
}

impl Floods {
    fn lock(&self) -> MutexGuard<'_, HashMap<Source, Flow>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for a question, if there is any. What is about no server comes of a person, and always has room.
    pub(crate) fn enter(&self, question: &Question, now: Timestamp) -> Option<Room<'_>> {
        let caller = match &question.subject {
            Subject::Call { caller, .. } => Some(caller.clone()),
            _ => None,
        };
        let source = question.server.as_ref().map(|server| Source { caller, server: server.key() });
        let Some(source) = source else { return Some(Room { floods: self, source: None }) };
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
        Some(Room { floods: self, source: Some(source) })
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if let Some(source) = &self.source
            && let Some(flow) = self.floods.lock().get_mut(source)
        {
            flow.waiting = flow.waiting.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{QuestionId, ServerId, UrlAsk};

    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    fn asked_back(server: &str) -> Question {
        let ask = UrlAsk { message: String::new(), url: "https://a.example/".into(), id: None };
        let subject = Subject::Url { during: vec![], ask, host: "a.example".into(), look_alike: false };
        let server = Some(ServerId::parse(server).unwrap());
        Question { id: QuestionId::random(), asked_at: NOW, expires_at: NOW, server, subject }
    }

    #[test]
    fn one_flood_is_stopped_and_takes_no_room_of_another() {
        let floods = Floods::default();
        let rooms: Vec<_> = (0..MOST_WAITING).map(|_| floods.enter(&asked_back("loud"), NOW).unwrap()).collect();
        assert!(floods.enter(&asked_back("loud"), NOW).is_none());
        assert!(floods.enter(&asked_back("quiet"), NOW).is_some());
        drop(rooms);
        assert!(floods.enter(&asked_back("loud"), NOW).is_some(), "there is room again");
    }

    #[test]
    fn so_many_in_a_minute_and_no_more_however_fast_they_are_answered() {
        let floods = Floods::default();
        for _ in 0..MOST_ASKED {
            drop(floods.enter(&asked_back("loud"), NOW).unwrap());
        }
        assert!(floods.enter(&asked_back("loud"), NOW.plus(MINUTE / 2)).is_none());
        assert!(floods.enter(&asked_back("loud"), NOW.plus(MINUTE)).is_some());
    }
}
