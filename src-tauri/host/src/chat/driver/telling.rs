//! What goes on is told: the words of a reply as they come, a few times a second, and everything
//! else once it is written.

use super::{DRAFT, Driver};
use crate::chat::chats::{Chats, Growing};
use crate::chat::view;
use agent::Stage;
use api::{ConversationState, ConversationView, GrowingReply, HostError, HostEvent, ReplyPiece};
use calls::Calls;
use protocol::{ConversationId, TurnId};
use servers::revision;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long words are collected before they are told.
const COLLECT: Duration = Duration::from_millis(50);

/// The words of the reply that comes in.
pub(super) struct Telling {
    calls: Calls,
    id: ConversationId,
    reply: Option<(TurnId, u32)>,
    /// How many pieces were told of it.
    told: u32,
    /// What is not told yet, and whether the model thinks it.
    collected: Option<(String, bool)>,
    due: Option<Instant>,
    kept: Option<Instant>,
}

impl Telling {
    pub(super) fn of(calls: &Calls, id: &ConversationId) -> Self {
        Self {
            calls: calls.clone(),
            id: id.clone(),
            reply: None,
            told: 0,
            collected: None,
            due: None,
            kept: None,
        }
    }

    /// Another reply is waited for.
    pub(super) fn begin(&mut self, turn: Option<TurnId>, step: u32) {
        self.flush();
        self.reply = turn.map(|turn| (turn, step));
        self.told = 0;
    }

    /// A piece of it is here.
    pub(super) fn grew(&mut self, text: String, is_reasoning: bool) {
        if let Some((collected, _)) = self
            .collected
            .as_mut()
            .filter(|(_, is_same)| *is_same == is_reasoning)
        {
            collected.push_str(&text);
        } else {
            self.flush();
            self.collected = Some((text, is_reasoning));
        }
        self.due.get_or_insert_with(|| Instant::now() + COLLECT);
    }

    /// The service has too much to do.
    pub(super) async fn retries(&mut self, seconds: u32, chats: &Chats) {
        let state = ConversationState::Retrying { seconds };
        let growing = Growing {
            coming: Vec::new(),
            reply: self.growing(),
        };
        chats.note(&self.id, state.clone(), growing);
        self.changed(state).await;
    }

    /// Returns when something is to be told.
    pub(super) async fn due(&self) {
        match self.due {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// Tells what was collected.
    pub(super) fn flush(&mut self) {
        self.due = None;
        let (Some((text, is_reasoning)), Some((turn, step))) = (self.collected.take(), &self.reply)
        else {
            return;
        };
        self.calls.publish(HostEvent::ReplyGrew {
            conversation: self.id.clone(),
            piece: ReplyPiece {
                turn: turn.clone(),
                step: *step,
                piece: self.told,
                text,
                is_reasoning,
            },
        });
        self.told += 1;
    }

    fn growing(&self) -> Option<GrowingReply> {
        let (turn, step) = self.reply.clone()?;
        let pieces = self.told;
        Some(GrowingReply { turn, step, pieces })
    }

    async fn changed(&self, state: ConversationState) {
        match self.view(state).await {
            Ok(view) => {
                let conversation = Box::new(view);
                self.calls
                    .publish(HostEvent::ConversationChanged { conversation });
            }
            // It was deleted, or cannot be read: whoever asks for it is told.
            Err(problem) => tracing::debug!(%problem, "a conversation could not be told"),
        }
    }

    async fn view(&self, state: ConversationState) -> Result<ConversationView, HostError> {
        let revision = revision::next();
        let row = self.calls.store().conversations().of(&self.id).await?;
        view::view(&self.calls, row, state, revision).await
    }
}

impl Driver {
    /// Tells what was collected, and keeps what has come from time to time.
    pub(super) async fn tell_grown(&mut self) {
        self.telling.flush();
        self.chats.note(&self.id, self.state(), self.growing());
        if self.telling.kept.is_none_or(|kept| kept.elapsed() >= DRAFT) {
            self.telling.kept = Some(Instant::now());
            self.keep_draft().await;
        }
    }

    /// Tells what goes on now.
    pub(super) async fn tell_changed(&mut self) {
        // What is noted is just what was told.
        self.telling.flush();
        let state = self.state();
        self.chats.note(&self.id, state.clone(), self.growing());
        self.telling.changed(state).await;
    }

    fn growing(&self) -> Growing {
        let partial = self.turn.partial();
        Growing {
            coming: partial
                .map(|partial| view::parts(&partial.parts, &[]))
                .unwrap_or_default(),
            reply: self.telling.growing(),
        }
    }

    fn state(&self) -> ConversationState {
        match self.turn.conversation().open().map(|open| open.stage) {
            None => ConversationState::Idle,
            Some(Stage::Between | Stage::Asking) => ConversationState::Asking,
            Some(Stage::Calling) => ConversationState::Calling,
            Some(Stage::Paused(why)) => ConversationState::Paused {
                why: view::pause(why),
            },
        }
    }
}
