//! `majordomoctl chat`
//!
//! Always true here: what counts as the person's words is typed on a terminal that they sit at, or
//! given by whoever runs the command with `--yes`; where nobody can be asked, the answer is no.

use super::call::answer_questions;
use super::conversations::named;
use super::talk::{self, Shown};
use super::{assistants, models};
use crate::args;
use crate::exit::Exit;
use crate::link::{Heard, Link};
use crate::word::Word;
use crate::{input, print};
use api::{
    AnswerQuestion, ConversationPage, ConversationState, ConversationView, ErrorCode, GoOn,
    HostError, HostEvent, ListQuestions, MOST_ATTACHED, NewAttachment, ReadConversation,
    SayInConversation, StartConversation, StopConversation,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use policy::{Decision, Question, Subject};
use protocol::{CallId, ConversationId, ModelId, TurnEnd};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many things are looked at for what is new.
const NEWEST: u32 = 20;
const NOBODY: &str = "Nobody was there who could be asked.";

/// Talks to a model.
pub(crate) async fn run(
    link: &Link,
    command: args::Chat,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let attachments = attachments(&command.attach)?;
    let model = match &command.model {
        Some(model) => Some(models::named(link, model).await?.id),
        None => None,
    };
    let begun = match &command.conversation {
        Some(conversation) => named(link, conversation).await?,
        None => {
            let (model, assistant) = (model.clone(), command.assistant.as_deref());
            start(link, model, assistant, word).await?
        }
    };
    let mut chat = Chat {
        link,
        word,
        id: begun.id,
        model: command.conversation.and(model),
        shown: Shown::default(),
        is_shown: !json,
        known: Known::default(),
    };
    let page = chat.read().await?;
    chat.shown.skip(&page);
    let mut last = page;
    if command.go_on {
        last = chat.turn(Wish::GoOn).await?;
    }
    match command.say {
        Some(text) => last = chat.turn(Wish::Say(text, attachments)).await?,
        None if command.go_on && json => {}
        None => return chat.converse().await,
    }
    if json {
        print::json(&last);
    }
    Ok(exit(&last))
}

async fn start(
    link: &Link,
    model: Option<ModelId>,
    assistant: Option<&str>,
    word: Word,
) -> Result<ConversationView, HostError> {
    let assistant = match assistant {
        Some(assistant) => Some(assistants::named(link, assistant).await?.id),
        None => None,
    };
    let start = StartConversation { model, assistant };
    word.ask(link, start).await
}

/// Files that are attached to what is said. What can be attached, the host says.
pub(super) fn attachments(files: &[PathBuf]) -> Result<Vec<NewAttachment>, HostError> {
    let read = files.iter().map(|file| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let bytes = read_at_most(file, MOST_ATTACHED).map_err(|problem| {
            let message = format!("{} cannot be attached: {problem}", file.display());
            let code = match problem.kind() {
                io::ErrorKind::FileTooLarge => ErrorCode::TooLarge,
                _ => ErrorCode::BadPath,
            };
            HostError::of(code, message)
        })?;
        Ok(NewAttachment {
            name: name.to_string_lossy().into_owned(),
            data: STANDARD.encode(bytes),
        })
    });
    read.collect()
}

/// A file with no more bytes than these. One that grows meanwhile, or is none and never ends, is no
/// trap.
fn read_at_most(file: &Path, most: usize) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(file)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let message = format!("it has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// What the end of a turn means for a script.
pub(super) fn exit(page: &ConversationPage) -> Exit {
    match page.ended {
        Some(TurnEnd::Done) => Exit::Done,
        Some(TurnEnd::Broke) => Exit::Server,
        _ => Exit::Other,
    }
}

/// What a person wants next.
pub(super) enum Wish {
    /// To say this.
    Say(String, Vec<NewAttachment>),
    /// That it goes on.
    GoOn,
}

/// A conversation that is followed.
pub(super) struct Chat<'a> {
    link: &'a Link,
    word: Word,
    id: ConversationId,
    /// Who is to answer from now on, if it is another one.
    model: Option<ModelId>,
    shown: Shown,
    is_shown: bool,
    /// Its calls, as far as they were heard of.
    known: Known,
}

/// The numbers of calls.
type Known = Arc<Mutex<HashSet<CallId>>>;

impl<'a> Chat<'a> {
    /// A new one, of which nothing is shown.
    pub(super) async fn begin(
        link: &'a Link,
        model: Option<&str>,
        assistant: Option<&str>,
        word: Word,
    ) -> Result<Self, HostError> {
        let model = match model {
            Some(model) => Some(models::named(link, model).await?.id),
            None => None,
        };
        let begun = start(link, model, assistant, word).await?;
        Ok(Self {
            link,
            word,
            id: begun.id,
            model: None,
            shown: Shown::default(),
            is_shown: false,
            known: Known::default(),
        })
    }

    /// One thing after the other, until nothing more is said.
    async fn converse(&mut self) -> Result<Exit, HostError> {
        print::note("An empty line ends it; Ctrl-C stops an answer.");
        loop {
            let typed = tokio::task::spawn_blocking(|| input::ask("You"));
            let typed = tokio::select! {
                typed = typed => typed.ok().flatten(),
                _ = tokio::signal::ctrl_c() => None,
            };
            let Some(text) = typed.map(|typed| typed.text().trim().to_owned()) else {
                return Ok(Exit::Done);
            };
            if text.is_empty() {
                print::note(format_args!(
                    "It is kept: majordomoctl chat --conversation {}",
                    self.id
                ));
                return Ok(Exit::Done);
            }
            self.turn(Wish::Say(text, Vec::new())).await?;
        }
    }

    /// Has something done, and shows what comes of it until nothing goes on any more.
    pub(super) async fn turn(&mut self, wish: Wish) -> Result<ConversationPage, HostError> {
        // Hearing comes first, so that nothing is missed.
        let heard = self.link.events().await?;
        let conversation = self.id.clone();
        let view = match wish {
            Wish::GoOn => {
                let go_on = GoOn {
                    conversation,
                    words: None,
                };
                self.word.ask(self.link, go_on).await?
            }
            Wish::Say(text, attachments) => {
                let model = self.model.take();
                let say = SayInConversation {
                    conversation,
                    text,
                    attachments,
                    model,
                };
                self.word.ask(self.link, say).await?
            }
        };
        let (link, id, known) = (self.link, self.id.clone(), self.known.clone());
        let is_ours = move |question: &Question| is_of(question, &id, &known);
        let questions = async {
            if is_script(link) {
                deny(link, is_ours).await
            } else {
                answer_questions(link, is_ours).await
            }
        };
        let stop = stops(self.link, self.id.clone());
        tokio::select! {
            followed = self.follow(heard, view) => followed?,
            problem = questions => return Err(problem),
            problem = stop => return Err(problem),
        }
        self.read().await
    }

    /// Shows what is told until nothing goes on any more.
    async fn follow(&mut self, mut heard: Heard, now: ConversationView) -> Result<(), HostError> {
        let mut is_over = is_over(&now.state);
        loop {
            if is_over {
                let page = self.read().await?;
                if self.is_shown {
                    self.shown.calls(&page);
                    self.shown.end(&page);
                }
                return Ok(());
            }
            match heard.next().await {
                Some(HostEvent::ReplyGrew {
                    conversation,
                    piece,
                }) if conversation == self.id && !piece.is_reasoning && self.is_shown => {
                    self.shown.piece(&piece.text);
                }
                Some(HostEvent::ConversationChanged { conversation })
                    if conversation.id == self.id =>
                {
                    is_over = self::is_over(&conversation.state);
                    if let ConversationState::Retrying { seconds } = conversation.state {
                        print::note(format_args!(
                            "The service has too much to do; asked again in {seconds} s."
                        ));
                    } else {
                        let page = self.read().await?;
                        self.know(&page);
                        if self.is_shown {
                            self.shown.calls(&page);
                        }
                    }
                }
                Some(_) => {}
                None => {
                    // Some events were missed: what is there is shown, and what comes is heard.
                    heard = self.link.events().await?;
                    is_over = self::is_over(&self.read().await?.conversation.state);
                }
            }
        }
    }

    fn know(&self, page: &ConversationPage) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(talk::calls(page).map(|(call, ..)| call.clone()));
    }

    async fn read(&self) -> Result<ConversationPage, HostError> {
        let read = ReadConversation {
            conversation: self.id.clone(),
            before: None,
            limit: NEWEST,
        };
        self.link.ask(read).await
    }
}

fn is_over(state: &ConversationState) -> bool {
    matches!(
        state,
        ConversationState::Idle | ConversationState::Paused { .. } | ConversationState::Left
    )
}

/// Stops the turn with each Ctrl-C; the second one waits for nothing any longer.
async fn stops(link: &Link, conversation: ConversationId) -> HostError {
    loop {
        if tokio::signal::ctrl_c().await.is_err() {
            return std::future::pending().await;
        }
        let stop = StopConversation {
            conversation: conversation.clone(),
            call: None,
        };
        if let Err(problem) = link.ask(stop).await {
            return problem;
        }
    }
}

/// Whether nobody can be asked here, nor elsewhere about what is done here.
fn is_script(link: &Link) -> bool {
    !input::interactive() && !link.window_answers() && !link.needs_token_file()
}

fn is_of(question: &Question, id: &ConversationId, known: &Known) -> bool {
    match &question.subject {
        Subject::Call { conversation, .. } => conversation.as_ref() == Some(id),
        Subject::Form { during, .. }
        | Subject::Url { during, .. }
        | Subject::Sample { during, .. }
        | Subject::SampleReply { during, .. } => {
            let known = known.lock().unwrap_or_else(PoisonError::into_inner);
            during.iter().any(|call| known.contains(call))
        }
        Subject::Request { .. } | Subject::Change { .. } | Subject::Rule { .. } => false,
    }
}

/// Answers every question of ours with no. Ends only when the host cannot be reached any more.
async fn deny(link: &Link, is_ours: impl Fn(&Question) -> bool) -> HostError {
    loop {
        let mut heard = match link.events().await {
            Ok(heard) => heard,
            Err(problem) => return problem,
        };
        let mut is_heard = true;
        while is_heard {
            let waiting = match link.ask(ListQuestions {}).await {
                Ok(waiting) => waiting,
                Err(problem) => return problem,
            };
            for question in waiting.into_iter().filter(|question| is_ours(question)) {
                let request = AnswerQuestion {
                    question: question.id,
                    answer: Decision::no(Some(NOBODY)),
                };
                // Somebody else may have answered in this moment.
                if let Err(problem) = link.ask_as_person(request).await {
                    print::error(&problem);
                }
            }
            is_heard = loop {
                match heard.next().await {
                    Some(HostEvent::QuestionAsked { .. }) => break true,
                    Some(_) => {}
                    None => break false,
                }
            };
        }
    }
}
