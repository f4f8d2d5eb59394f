//! What is wanted of a conversation.

use super::{Driver, Event, Order};
use crate::chat::{attached, covered, setting, tasks};
use agent::{Purse, Said, Stage, TurnEnd};
use api::{ErrorCode, HostError, NewAttachment};
use protocol::{CallId, ModelId, TurnId};
use servers::error;

/// What a person is taken to say who lets a turn go on that was cut short, where they use no other
/// words.
const GO_ON: &str = "Go on.";
/// The longest title that is made of what the person says first, in characters.
const TITLE: usize = 60;

impl Driver {
    pub(super) async fn ordered(&mut self, order: Order) -> Result<(), HostError> {
        match order {
            Order::Say {
                text,
                attachments,
                model,
            } => self.say(&text, attachments, model).await,
            Order::Task { said, purse } => self.begin_task(said, purse).await,
            Order::GoOn(words) => self.go_on(words).await,
            Order::Stop(None) => {
                // Where nothing goes on there is nothing to stop.
                self.happens(Event::Stop).await;
                Ok(())
            }
            Order::Stop(Some(call)) => self.stop_call(call).await,
            Order::TakeUp => Ok(()),
            Order::Leave => {
                self.under_way.model = None;
                self.leave_tasks();
                let made = self.under_way.made.drain();
                made.for_each(|(_, stop)| stop.cancel());
                for call in self.under_way.adopted.drain() {
                    // It may have ended in this moment.
                    _ = self.calls.running().cancel(&call);
                }
                // Nobody else may go on with it.
                self.failed = Some(unknown(self));
                Ok(())
            }
        }
    }

    async fn say(
        &mut self,
        text: &str,
        attachments: Vec<NewAttachment>,
        model: Option<ModelId>,
    ) -> Result<(), HostError> {
        tasks::is_for_person(&self.calls.store().conversations().of(&self.id).await?)?;
        let masker = self.calls.secrets().masker();
        let text = covered::text(&masker, text.trim());
        let attached = attached::read(&self.calls, attachments).await?;
        if text.is_empty() && attached.is_empty() {
            return Err(error::host(ErrorCode::BadRequest, "there is nothing said"));
        }
        let first = match attached.first() {
            Some(attachment) if text.is_empty() => attachment.name.clone(),
            _ => text.clone(),
        };
        let words = (!text.is_empty()).then(|| Said::text(text));
        let attached = attached.into_iter().map(|attachment| Said::Attached {
            attachment: Box::new(attachment),
        });
        let said = words.into_iter().chain(attached).collect();
        if self.is_paused() {
            // They say something else than that it goes on.
            self.happens(Event::GoOn(false)).await;
        }
        if let Some(open) = self.turn.conversation().open() {
            if model.is_some_and(|model| model != open.model.id) {
                return Err(error::host(
                    ErrorCode::BadRequest,
                    "another model can answer once this turn has ended",
                ));
            }
            return self.must(Event::Steered(said)).await;
        }
        self.begin(said, model).await?;
        self.call_by_first_words(&first).await
    }

    /// Begins a turn, with everything as it is now.
    async fn begin(&mut self, said: Vec<Said>, model: Option<ModelId>) -> Result<(), HostError> {
        let conversations = self.calls.store().conversations();
        let mut row = conversations.of(&self.id).await?;
        if let Some(model) = model {
            setting::model(&self.calls, Some(&model)).await?;
            row.model = Some(model.as_str().to_owned());
            conversations
                .set_model(&self.id, model.as_str().to_owned())
                .await?;
        }
        self.turn.set(setting::setting(&self.calls, &row).await?);
        let turn = TurnId::random();
        self.must(Event::Said { turn, said }).await
    }

    /// Begins the turn in which a task is done.
    async fn begin_task(&mut self, said: Vec<Said>, purse: Purse) -> Result<(), HostError> {
        let row = self.calls.store().conversations().of(&self.id).await?;
        let mut setting = setting::setting(&self.calls, &row).await?;
        setting.purse = purse;
        self.turn.set(setting);
        let turn = TurnId::random();
        self.must(Event::Said { turn, said }).await
    }

    async fn go_on(&mut self, words: Option<String>) -> Result<(), HostError> {
        tasks::is_for_person(&self.calls.store().conversations().of(&self.id).await?)?;
        if self.is_paused() {
            return self.must(Event::GoOn(true)).await;
        }
        if self.turn.conversation().open().is_some() {
            return Ok(());
        }
        match self.turn.conversation().last_end() {
            None | Some(TurnEnd::Done) => Err(error::host(
                ErrorCode::BadRequest,
                "there is nothing to go on with: say something",
            )),
            Some(_) => {
                let masker = self.calls.secrets().masker();
                let words = covered::text(&masker, words.unwrap_or_default().trim());
                let words = if words.is_empty() {
                    GO_ON.to_owned()
                } else {
                    words
                };
                self.begin(vec![Said::text(words)], None).await
            }
        }
    }

    async fn stop_call(&mut self, call: CallId) -> Result<(), HostError> {
        if !self.is_open(&call) {
            return Err(error::host(
                ErrorCode::UnknownCall,
                format!("{call} does not run in this conversation"),
            ));
        }
        self.must(Event::StopCall(call)).await
    }

    async fn must(&mut self, event: Event) -> Result<(), HostError> {
        if self.happens(event).await {
            return Ok(());
        }
        let message = "this does not fit what goes on in the conversation";
        Err(error::host(ErrorCode::Internal, message))
    }

    fn is_paused(&self) -> bool {
        let open = self.turn.conversation().open();
        open.is_some_and(|open| matches!(open.stage, Stage::Paused(_)))
    }

    /// A conversation without a title gets one of what is said first.
    async fn call_by_first_words(&mut self, text: &str) -> Result<(), HostError> {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut title: String = line.chars().take(TITLE).collect();
        if title.len() < line.len() {
            title.push('…');
        }
        let conversations = self.calls.store().conversations();
        if conversations.name_untitled(&self.id, title).await? {
            self.tell_changed().await;
        }
        Ok(())
    }
}

fn unknown(driver: &Driver) -> HostError {
    error::host(
        ErrorCode::UnknownConversation,
        format!("the conversation {} is being deleted", driver.id),
    )
}
