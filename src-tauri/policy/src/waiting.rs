//! The life of a question for a person, and of the call that waits for the answer.
//!
//! Always true here:
//! - no clock and no disk: what happens comes in as an [`Event`], and what is to be done goes out as
//!   [`Effect`]s, to be performed in their order;
//! - whatever ends the waiting first has ended it: what comes later does not fit and changes nothing;
//! - an answer is written down before it is carried out, and that a call is sent before it is;
//! - nothing leads from [`Stage::Sent`] back to anything that could be sent again, but a server that
//!   wants input before it goes on: that it goes on is written down before it hears of it, too;
//! - only a call is carried out later, sent or recovered: a question about anything else is over with
//!   its answer.

#[cfg(test)]
mod crash_test;
mod recover;
#[cfg(test)]
#[path = "waiting_test.rs"]
mod tests;

use crate::{Decision, Refusal};
use protocol::Timestamp;
use serde::{Deserialize, Serialize};

pub use recover::{Left, Recovery};

/// How the waiting for an answer has ended. The names are those in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A person has answered.
    Answered,
    /// Nobody has answered in time, or before the application ended.
    Lapsed,
    /// It was closed without an answer.
    Closed,
    /// Whoever asked has withdrawn it.
    Withdrawn,
    /// It has become forbidden.
    Refused,
    /// The server that it was about is gone.
    ServerGone,
    /// A person has allowed it otherwise meanwhile.
    SettledByPermission,
}

impl End {
    /// The word for it in the database and in the log.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Lapsed => "lapsed",
            Self::Closed => "closed",
            Self::Withdrawn => "withdrawn",
            Self::Refused => "refused",
            Self::ServerGone => "server_gone",
            Self::SettledByPermission => "settled_by_permission",
        }
    }
}

/// Whether a call that waits outlives the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durable {
    /// What is needed to go on is on the disk.
    Yes,
    /// It could not be written down, as there is no keyring.
    No,
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// May this call run?
    Call(Durable),
    /// Anything else: a form, an address, a rule.
    Other,
}

/// How far it has come.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// It is not written down yet.
    New,
    /// Nobody has answered.
    Waiting(Awaited),
    /// A person has answered about a call, which is not sent yet.
    Answered {
        /// The answer.
        answer: Box<Decision>,
        /// Whether it is on the disk.
        durable: Durable,
    },
    /// A person has answered about anything else: it is over, unless that cannot be written down.
    Given,
    /// The call needs no answer any more and may run, and is not sent yet. The disk says that it
    /// waits: whether it still may run is found out anew after a crash.
    Allowed,
    /// The call does not run; that is not in the log yet.
    Refused(End),
    /// The call was sent, or is just about to be.
    Sent(End),
    /// The same of a call that nobody had to be asked about: nothing of it is on the disk.
    SentUnasked,
    /// The call was sent, and its server wants input before it goes on. What it goes on with is on
    /// the disk.
    Paused(End),
    /// The application ends and lets go of the call, which waits for the next run.
    LeftToNextRun,
    /// It is over.
    Ended(End),
}

/// Something else than an answer that decides about a call that waits.
#[derive(Debug, Clone, PartialEq)]
pub enum Superseded {
    /// A person has allowed it otherwise.
    ByPermission,
    /// It is refused by now.
    ByRefusal(Refusal),
    /// Its server is gone.
    ByServerGone,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Somebody asks.
    Asked,
    /// The question is on the disk.
    Written(Awaited),
    /// A person answers.
    Answered(Box<Decision>),
    /// Something else decides.
    Superseded(Superseded),
    /// The time to answer is over.
    Lapsed,
    /// The question is closed without an answer.
    Closed,
    /// Whoever asked withdraws it, or is gone.
    Withdrawn,
    /// The application ends.
    HostEnds,
    /// It is found in a later run.
    Recovered(Recovery),
    /// The call is permitted and about to be sent.
    Sends,
    /// The server wants input before it goes on with the call.
    Pauses,
    /// That the call is paused is on the disk, with what it goes on with.
    Paused,
    /// The end of the call is in the log.
    Settled,
    /// What was to be written could not be.
    Failed,
}

/// What is written to the row of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// It waits, with what is needed to go on.
    Waiting,
    /// It was answered.
    Answered(Box<Decision>),
    /// Its answer came too long ago to be carried out unasked.
    WaitingAgain,
    /// The call is sent; what it could be sent again with is removed.
    Sent(End),
    /// The server waits for input, with what the call goes on with.
    Paused(End),
    /// It is over.
    Ended(End),
}

/// What is written to the log.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A person is asked.
    Asked,
    /// A person has answered. It has to be on the disk, not only with the system.
    Answered(Box<Decision>),
    /// Something else has decided.
    Superseded(End),
    /// A call of an earlier run is refused.
    Refused(Refusal),
    /// Nobody knows what became of a call of an earlier run.
    OutcomeUnknown,
}

/// What whoever waits is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// A person's answer is to be carried out.
    Answered(Box<Decision>),
    /// The call runs without an answer.
    Allowed,
    /// No.
    Refused(Refusal),
    /// The application ends, and the question does not.
    LeftToNextRun,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Bring this to the disk.
    Persist(Step),
    /// Bring this to the log.
    Record(Record),
    /// Show the question everywhere. One of an earlier run can be answered until this time.
    Show(Option<Timestamp>),
    /// Take it from every screen.
    Withdraw,
    /// Tell whoever waits for it.
    Resolve(Resolution),
}

/// One question, or one call that waits for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    stage: Stage,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { stage: Stage::New }
    }
}

impl Waiting {
    /// A call that was sent and that nobody had to be asked about.
    pub fn sent_unasked() -> Self {
        Self {
            stage: Stage::SentUnasked,
        }
    }

    /// Whether its server waits for input, and the call outlives the application.
    pub fn is_paused(&self) -> bool {
        matches!(self.stage, Stage::Paused(_))
    }

    /// How far it has come.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Whether an answer would still count.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Waiting(_))
    }

    /// Takes an event, and says what is to be done; nothing if it does not fit, as an answer that
    /// comes second.
    pub fn on(&mut self, event: Event) -> Option<Vec<Effect>> {
        let (stage, effects) = next(&self.stage, event)?;
        self.stage = stage;
        Some(effects)
    }
}

fn next(stage: &Stage, event: Event) -> Option<(Stage, Vec<Effect>)> {
    Some(match (stage, event) {
        (Stage::New, Event::Asked) => (Stage::New, vec![Effect::Persist(Step::Waiting)]),
        (Stage::New, Event::Written(about)) => (
            Stage::Waiting(about),
            vec![Effect::Record(Record::Asked), Effect::Show(None)],
        ),
        (Stage::New, Event::Recovered(recovery)) => recovery.next(),
        (Stage::Waiting(Awaited::Call(durable)), Event::Answered(answer)) => (
            Stage::Answered {
                answer: answer.clone(),
                durable: *durable,
            },
            vec![
                Effect::Record(Record::Answered(answer.clone())),
                Effect::Persist(Step::Answered(answer.clone())),
                Effect::Withdraw,
                Effect::Resolve(Resolution::Answered(answer)),
            ],
        ),
        (Stage::Waiting(Awaited::Other), Event::Answered(answer)) => (
            Stage::Given,
            vec![
                Effect::Record(Record::Answered(answer.clone())),
                Effect::Persist(Step::Ended(End::Answered)),
                Effect::Withdraw,
                Effect::Resolve(Resolution::Answered(answer)),
            ],
        ),
        (Stage::Waiting(Awaited::Call(_)), Event::Superseded(by)) => superseded(by),
        (Stage::Waiting(about), Event::Lapsed) => no(*about, End::Lapsed, Refusal::NobodyAnswered),
        (Stage::Waiting(about), Event::Closed) => no(*about, End::Closed, Refusal::QuestionClosed),
        (Stage::Waiting(about), Event::Withdrawn) => no(*about, End::Withdrawn, Refusal::Cancelled),
        (Stage::Waiting(Awaited::Call(Durable::Yes)), Event::HostEnds) => (
            Stage::LeftToNextRun,
            vec![Effect::Withdraw, Effect::Resolve(Resolution::LeftToNextRun)],
        ),
        (
            Stage::Answered {
                durable: Durable::Yes,
                ..
            },
            Event::HostEnds,
        ) => (
            Stage::LeftToNextRun,
            vec![Effect::Resolve(Resolution::LeftToNextRun)],
        ),
        (Stage::Waiting(about), Event::HostEnds) => no(*about, End::Withdrawn, Refusal::Cancelled),
        (Stage::Answered { .. }, Event::Sends) => sends(End::Answered),
        (Stage::Allowed, Event::Sends) => sends(End::SettledByPermission),
        (Stage::Sent(end), Event::Pauses) => {
            (Stage::Sent(*end), vec![Effect::Persist(Step::Paused(*end))])
        }
        (Stage::Sent(end), Event::Paused) => (Stage::Paused(*end), Vec::new()),
        (Stage::SentUnasked, Event::Pauses) => (
            Stage::SentUnasked,
            vec![Effect::Persist(Step::Paused(End::SettledByPermission))],
        ),
        (Stage::SentUnasked, Event::Paused) => {
            (Stage::Paused(End::SettledByPermission), Vec::new())
        }
        // Of one that was never paused nothing was written, and nothing has to be.
        (Stage::SentUnasked, Event::Settled) => {
            (Stage::Ended(End::SettledByPermission), Vec::new())
        }
        (Stage::Paused(end), Event::Sends) => sends(*end),
        (Stage::Paused(_), Event::HostEnds) => (Stage::LeftToNextRun, Vec::new()),
        (Stage::Answered { .. }, Event::Settled) => ended(End::Answered),
        (Stage::Allowed, Event::Settled) => ended(End::SettledByPermission),
        (Stage::Refused(end) | Stage::Sent(end) | Stage::Paused(end), Event::Settled) => {
            ended(*end)
        }
        // What could not be written down has no effect: nobody is asked, and an answer is still
        // waited for.
        (Stage::Waiting(about), Event::Failed) => no(*about, End::Closed, Refusal::NoTrace),
        (Stage::Answered { durable, .. }, Event::Failed) => {
            (Stage::Waiting(Awaited::Call(*durable)), Vec::new())
        }
        (Stage::Given, Event::Failed) => (Stage::Waiting(Awaited::Other), Vec::new()),
        _ => return None,
    })
}

/// The waiting ends, and the answer is no. Of a call that is over only when the log has it.
fn no(about: Awaited, end: End, refusal: Refusal) -> (Stage, Vec<Effect>) {
    let resolve = [
        Effect::Withdraw,
        Effect::Resolve(Resolution::Refused(refusal)),
    ];
    match about {
        Awaited::Call(_) => (Stage::Refused(end), resolve.into()),
        Awaited::Other => {
            let mut effects = vec![Effect::Persist(Step::Ended(end))];
            effects.extend(resolve);
            (Stage::Ended(end), effects)
        }
    }
}

fn superseded(by: Superseded) -> (Stage, Vec<Effect>) {
    let (stage, end, resolution) = match by {
        Superseded::ByPermission => (
            Stage::Allowed,
            End::SettledByPermission,
            Resolution::Allowed,
        ),
        Superseded::ByRefusal(refusal) => (
            Stage::Refused(End::Refused),
            End::Refused,
            Resolution::Refused(refusal),
        ),
        Superseded::ByServerGone => (
            Stage::Refused(End::ServerGone),
            End::ServerGone,
            Resolution::Refused(Refusal::ChangedWhileAsking),
        ),
    };
    let effects = vec![
        Effect::Record(Record::Superseded(end)),
        Effect::Withdraw,
        Effect::Resolve(resolution),
    ];
    (stage, effects)
}

fn sends(end: End) -> (Stage, Vec<Effect>) {
    (Stage::Sent(end), vec![Effect::Persist(Step::Sent(end))])
}

fn ended(end: End) -> (Stage, Vec<Effect>) {
    (Stage::Ended(end), vec![Effect::Persist(Step::Ended(end))])
}
