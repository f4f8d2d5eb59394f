//! The rounds of a call in which its server wants input before it goes on: what an open one goes on
//! with outlives the application.
//!
//! Always true here: nobody is asked for the input before the round is on the disk, and the server
//! hears of the input only when it is not there any more.

use crate::{Calls, WeakCalls};
use connections::{Round, Rounds};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use policy::waiting::{Effect, Event, Step, Waiting};
use policy::{PausedCall, PermittedCall};
use protocol::{QuestionId, Timestamp, WorkspaceId};
use std::sync::{Mutex, PoisonError};
use store::{PausedRound, StoreError, WaitingCall};

/// What is kept of an open round, in bytes. A larger one ends with the application.
const LARGEST: usize = 256 * 1024;

/// The rounds of one call.
pub(crate) struct CallRounds {
    calls: WeakCalls,
    about: WaitingCall,
    call: PausedCall,
    life: Life,
}

/// The life of the call.
enum Life {
    /// That of the question about it.
    OfQuestion(QuestionId),
    /// One of its own: nobody was asked, or in an earlier run.
    Own(Mutex<Waiting>),
}

impl CallRounds {
    /// Of a call that is about to be sent. `asked` is the question about it, if there was one in this
    /// run.
    pub(crate) fn of(
        calls: &Calls,
        permitted: &PermittedCall,
        workspace: &WorkspaceId,
        since: Timestamp,
        asked: Option<&QuestionId>,
    ) -> Self {
        let call = permitted.call();
        let about = WaitingCall {
            call: call.id.clone(),
            caller: call.caller.clone(),
            server: call.server.clone(),
            tool: call.tool.clone(),
            since,
        };
        let life = asked.map_or_else(
            || Life::Own(Mutex::new(Waiting::sent_unasked())),
            |question| Life::OfQuestion(question.clone()),
        );
        Self {
            calls: calls.weak(),
            about,
            call: PausedCall::of(permitted, workspace),
            life,
        }
    }

    /// Of one that was paused in an earlier run.
    pub(crate) fn again(
        calls: &Calls,
        about: WaitingCall,
        call: PausedCall,
        life: Waiting,
    ) -> Self {
        Self {
            calls: calls.weak(),
            about,
            call,
            life: Life::Own(Mutex::new(life)),
        }
    }

    /// Whether the application ends and the call does not: the next run goes on with it.
    pub(crate) fn is_left(&self, calls: &Calls) -> bool {
        calls.leaving().is_cancelled() && self.on(calls, Event::HostEnds).is_some()
    }

    /// The end of the call is in the log.
    pub(crate) async fn settled(&self, calls: &Calls) {
        // One that a person was asked about is over with the question.
        if matches!(self.life, Life::OfQuestion(_)) {
            return;
        }
        let effects = self.on(calls, Event::Settled).unwrap_or_default();
        if let Err(error) = perform(calls, &self.about, effects).await {
            tracing::warn!(call = %self.about.call, %error, "the end of a call could not be noted; the log has it");
        }
    }

    fn on(&self, calls: &Calls, event: Event) -> Option<Vec<Effect>> {
        match &self.life {
            Life::OfQuestion(id) => {
                let (_, effects) = calls.pending_calls().on(id, event)?;
                Some(effects)
            }
            Life::Own(life) => life
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .on(event),
        }
    }

    async fn write_down(&self, calls: &Calls, round: &Round) -> Result<bool, String> {
        let round = serde_json::to_value(round).map_err(|error| error.to_string())?;
        if round.to_string().len() > LARGEST {
            return Ok(false);
        }
        let kept = PausedRound {
            call: self.call.clone(),
            round,
        };
        for effect in self.on(calls, Event::Pauses).unwrap_or_default() {
            if let Effect::Persist(Step::Paused(end)) = effect {
                let rows = calls.store().waiting();
                let written = rows.pauses(&self.about, end, &kept).await;
                return written.map_err(|error| error.to_string());
            }
        }
        Ok(false)
    }

    async fn opened(&self, round: &Round) {
        let Some(calls) = self.calls.upgrade() else {
            return;
        };
        match self.write_down(&calls, round).await {
            Ok(true) => {
                self.on(&calls, Event::Paused);
            }
            Ok(false) => {}
            Err(error) => {
                // It may be on the disk all the same: only who removes it there goes on.
                self.on(&calls, Event::Paused);
                tracing::warn!(call = %self.about.call, %error, "a call that waits for input could not be written down; it does not go on");
            }
        }
    }

    async fn closed(&self) -> bool {
        let Some(calls) = self.calls.upgrade() else {
            return false;
        };
        // One that is not on the disk has nothing to be removed.
        let Some(effects) = self.on(&calls, Event::Sends) else {
            return true;
        };
        match perform(&calls, &self.about, effects).await {
            Ok(first) => first,
            Err(error) => {
                tracing::error!(call = %self.about.call, %error, "a call does not go on: that it does could not be written down");
                false
            }
        }
    }
}

/// Writes what the life of a paused call asks for to its row. False if somebody else goes on with it.
pub(crate) async fn perform(
    calls: &Calls,
    about: &WaitingCall,
    effects: Vec<Effect>,
) -> Result<bool, StoreError> {
    let rows = calls.store().waiting();
    let mut first = true;
    for effect in effects {
        match effect {
            Effect::Persist(Step::Sent(_)) => first &= rows.goes_on(&about.call).await?,
            Effect::Persist(Step::Ended(end)) => {
                rows.paused_ended(&about.call, end, calls.now()).await?;
            }
            // Written with what belongs to them by whoever made them happen.
            Effect::Record(_) | Effect::Persist(Step::Paused(_)) => {}
            // A call that was sent waits for nobody. If it seems to, it does not go on.
            Effect::Show(_)
            | Effect::Withdraw
            | Effect::Resolve(_)
            | Effect::Persist(Step::Waiting | Step::Answered(_) | Step::WaitingAgain) => {
                tracing::error!(call = %about.call, "a call that was sent was to wait for an answer");
                first = false;
            }
        }
    }
    Ok(first)
}

impl Rounds for CallRounds {
    fn opens<'a>(&'a self, round: &'a Round) -> BoxFuture<'a, ()> {
        self.opened(round).boxed()
    }

    fn closes(&self) -> BoxFuture<'_, bool> {
        self.closed().boxed()
    }
}
