//! A conversation is read from a file, as an export in JSON writes it.
//!
//! Always true here:
//! - whoever wrote the file has said all of it: it is looked through and covered as the result of a
//!   tool is, and counts as nobody's word;
//! - all of it is kept, or nothing; of an attachment or of words nothing is cut;
//! - an error says which thing it is about, and quotes nothing of the file.

use super::chats::Chats;
use super::{attached, covered, export, journal, manage, setting};
use agent::{
    Entry, Imported, TranscriptAttachment, TranscriptBreak, TranscriptItem, TranscriptOutcome,
    TranscriptPart,
};
use api::{ConversationText, ConversationView, ErrorCode, HostError};
use calls::Calls;
use inspect::{Masker, SanitizedResult, StreamMask, sanitize};
use protocol::{
    Boundary, Confidentiality, Content, ConversationId, Label, Origin, Timestamp, ToolResult,
    Trust, is_one_line,
};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use servers::error;
use std::fmt::{self, Display};
use store::NewConversation;

/// The most things that a conversation out of a file has.
const MOST_ITEMS: usize = 10_000;
/// The most that one of them holds, as JSON, in bytes. An entry of a journal holds more.
const LARGEST_ITEM: usize = 12 * 1024 * 1024;
/// The longest name in it, in bytes.
const LONGEST_NAME: usize = 1024;
/// The last time that every surface can show, in milliseconds.
const LATEST: i64 = 8_640_000_000_000_000;
/// What stands for the outcome of a call that had none when the file was written.
const HAD_NOT_ENDED: &str = "Not run here: it had not ended when the conversation was saved.";

/// Reads one, and keeps it. Fails with `unreadable_conversation` and `too_large`.
pub(crate) async fn import(
    calls: &Calls,
    chats: &Chats,
    text: ConversationText,
) -> Result<ConversationView, HostError> {
    let (masker, now) = (calls.secrets().masker(), calls.now());
    let work = move || {
        let (title, items) = read(&masker, &text.0, now)?;
        let entries = items.into_iter().map(|one| Entry::Imported {
            imported: Box::new(one),
        });
        Ok((title, journal::rows(&entries.collect::<Vec<_>>())?))
    };
    // A long one takes a while; other conversations go on meanwhile.
    let read = tokio::task::spawn_blocking(work).await;
    let (title, rows) = read.unwrap_or_else(|problem| {
        let message = format!("the conversation could not be read: {problem}");
        Err(error::host(ErrorCode::Internal, message))
    })?;
    let model = match setting::model(calls, None).await {
        Ok(model) => Some(model.id.as_str().to_owned()),
        // It can be read all the same.
        Err(problem) if problem.code == ErrorCode::NoModel => None,
        Err(problem) => return Err(problem),
    };
    let id = ConversationId::random();
    let conversations = calls.store().conversations();
    let new = NewConversation {
        id: id.clone(),
        title,
        model,
        workspace: calls.workspace(),
        assistant: None,
        task: None,
    };
    conversations.begin_with(new, rows, calls.now()).await?;
    manage::changed(calls, chats, &id).await
}

/// What the file begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// All of the file; its things are read one by one.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(default)]
    title: String,
    #[serde(borrow)]
    items: Items<'a>,
}

/// As many of its things as are kept, and whether there are more.
struct Items<'a> {
    first: Vec<&'a RawValue>,
    has_more: bool,
}

impl<'de: 'a, 'a> Deserialize<'de> for Items<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Items<'de>, A::Error> {
                let mut first = Vec::new();
                while first.len() < MOST_ITEMS {
                    match list.next_element()? {
                        Some(item) => first.push(item),
                        None => break,
                    }
                }
                let mut has_more = false;
                while list.next_element::<IgnoredAny>()?.is_some() {
                    has_more = true;
                }
                Ok(Items { first, has_more })
            }
        }
        deserializer.deserialize_seq(Seen)
    }
}

/// What a file holds: its title, and its things.
fn read(masker: &Masker, text: &str, now: Timestamp) -> Result<(String, Vec<Imported>), HostError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let no_json = |_| unreadable("it is no JSON, or not of this form");
    let Head { format } = serde_json::from_str(text).map_err(no_json)?;
    if format != export::FORMAT {
        return Err(unreadable(match format.starts_with(export::FORMATS) {
            true => "it was saved by another version, in a form that is not known here",
            false => "it says that it is something else",
        }));
    }
    let File { title, items } = serde_json::from_str(text).map_err(no_json)?;
    if items.has_more {
        return Err(too_large(&format!("it has more than {MOST_ITEMS} things")));
    }
    let title = one_line(masker, &title);
    let file = match title.is_empty() {
        true => "conversation.json".to_owned(),
        false => format!("{title}.json"),
    };
    let mut stream = StreamMask::default();
    let things = (1_usize..).zip(items.first).map(|(number, raw)| {
        let mut cleaner = Cleaner {
            masker,
            stream: &mut stream,
            number,
            trust: Trust::Untrusted,
            confidentiality: Confidentiality::Private,
        };
        let item = cleaner.item(raw)?;
        let label = Label::of(Origin::Attachment { name: file.clone() });
        let imported = Imported {
            file: file.clone(),
            item,
            label: label
                .at_least_as_doubtful(cleaner.trust)
                .at_least_as_confidential(cleaner.confidentiality),
            at: now,
            boundary: Boundary::random(),
        };
        match imported.can_be_kept() {
            true => Ok(imported),
            false => Err(unreadable(&format!(
                "thing {number} of it is nested too deeply"
            ))),
        }
    });
    let things = things.collect::<Result<_, HostError>>()?;
    Ok((title, things))
}

/// A title of one line, in which everything can be seen; empty if there is none.
fn one_line(masker: &Masker, title: &str) -> String {
    // What is behind is not looked at, however long it is.
    let title: String = title.chars().take(4 * manage::LONGEST_TITLE).collect();
    let shown = covered::text(masker, &title);
    let words: Vec<&str> = shown.split_whitespace().collect();
    let line: String = words
        .join(" ")
        .chars()
        .take(manage::LONGEST_TITLE)
        .collect();
    match is_one_line(&line, manage::LONGEST_TITLE) {
        true => line,
        false => String::new(),
    }
}

/// Makes one thing of a file harmless.
struct Cleaner<'a> {
    masker: &'a Masker,
    stream: &'a mut StreamMask,
    number: usize,
    /// How far what was seen of it may be believed.
    trust: Trust,
    confidentiality: Confidentiality,
}

impl Cleaner<'_> {
    fn item(&mut self, raw: &RawValue) -> Result<TranscriptItem, HostError> {
        if raw.get().len() > LARGEST_ITEM {
            return Err(self.too_large(LARGEST_ITEM));
        }
        let read = serde_json::from_str(raw.get());
        let mut item = read.map_err(|_| self.unreadable("is not as an export writes it"))?;
        match &mut item {
            TranscriptItem::Said { text, attached, .. } => {
                self.text(text)?;
                attached
                    .iter_mut()
                    .try_for_each(|one| self.attachment(one))?;
            }
            TranscriptItem::Task {
                text,
                attached,
                label,
            } => {
                self.text(text)?;
                attached
                    .iter_mut()
                    .try_for_each(|one| self.attachment(one))?;
                self.label(label, false)?;
            }
            TranscriptItem::LetGoOn => {}
            TranscriptItem::Reply {
                model,
                parts,
                broke,
                ..
            } => {
                self.name(model)?;
                parts.iter_mut().try_for_each(|part| self.part(part))?;
                if let Some(TranscriptBreak::Failed { message }) = broke {
                    self.text(message)?;
                }
            }
        }
        Ok(item)
    }

    fn attachment(&mut self, attachment: &mut TranscriptAttachment) -> Result<(), HostError> {
        let TranscriptAttachment {
            name,
            content,
            label,
        } = attachment;
        *name = attached::called(self.masker, name);
        let kept = |part: &Content| match part {
            Content::Text { .. } => true,
            Content::Image {
                data, mime_type, ..
            } => attached::is_picture(data, mime_type),
            _ => false,
        };
        if !content.iter().all(kept) {
            return Err(self.unreadable("has something attached that is no text and no picture"));
        }
        let clean = self.sanitized(ToolResult {
            content: std::mem::take(content),
            ..ToolResult::default()
        });
        if clean.whole.is_some() {
            return Err(self.too_large(attached::LONGEST_TEXT));
        }
        *content = clean.answer.content;
        self.label(label, clean.prompt_injection)
    }

    fn part(&mut self, part: &mut TranscriptPart) -> Result<(), HostError> {
        match part {
            TranscriptPart::Text { text } => self.text(text),
            // Whether it is one is looked at where it is shown; a model is not.
            TranscriptPart::Image { mime_type, .. } => self.name(mime_type),
            TranscriptPart::Call {
                call,
                name,
                server: _,
                tool,
                arguments,
                outcome,
            } => {
                self.id(call)?;
                self.name(name)?;
                if let Some(tool) = tool {
                    self.id(tool)?;
                }
                self.masker.mask_map(arguments);
                let outcome = outcome.get_or_insert_with(|| TranscriptOutcome::NotRun {
                    told: HAD_NOT_ENDED.to_owned(),
                });
                self.outcome(outcome)
            }
        }
    }

    fn outcome(&mut self, outcome: &mut TranscriptOutcome) -> Result<(), HostError> {
        match outcome {
            TranscriptOutcome::Answered { result, label, at } => {
                if !(0..=LATEST).contains(&at.0) {
                    return Err(self.unreadable("has a time that is none"));
                }
                // One that is longer than any of ours is cut as these are, and says so.
                let clean = self.sanitized(std::mem::take(result));
                **result = clean.answer;
                self.label(label, clean.prompt_injection)
            }
            TranscriptOutcome::Denied { reason } => match reason {
                Some(reason) => self.text(reason),
                None => Ok(()),
            },
            TranscriptOutcome::Helped {
                told, label, at, ..
            } => {
                if !(0..=LATEST).contains(&at.0) {
                    return Err(self.unreadable("has a time that is none"));
                }
                self.text(told)?;
                self.label(label, false)
            }
            TranscriptOutcome::NotRun { told }
            | TranscriptOutcome::Unknown { told }
            | TranscriptOutcome::Own { told } => self.text(told),
        }
    }

    /// Words of whomever.
    fn text(&mut self, text: &mut String) -> Result<(), HostError> {
        let clean = self.sanitized(ToolResult {
            content: vec![Content::text(std::mem::take(text))],
            ..ToolResult::default()
        });
        match clean.answer.content.into_iter().next() {
            Some(Content::Text { text: shown, .. }) if clean.whole.is_none() => *text = shown,
            _ => return Err(self.too_large(attached::LONGEST_TEXT)),
        }
        Ok(())
    }

    /// A name, as a tool or a model has one.
    fn name(&mut self, name: &mut String) -> Result<(), HostError> {
        if name.len() > LONGEST_NAME {
            return Err(self.too_large(LONGEST_NAME));
        }
        *name = covered::text(self.masker, name);
        Ok(())
    }

    /// The same of the id of something.
    fn id<T: From<String> + Display>(&mut self, id: &mut T) -> Result<(), HostError> {
        let mut name = id.to_string();
        self.name(&mut name)?;
        *id = name.into();
        Ok(())
    }

    fn sanitized(&mut self, result: impl Into<Box<ToolResult>>) -> SanitizedResult {
        let clean = sanitize(*result.into(), self.masker, self.stream);
        if clean.prompt_injection {
            self.trust = Trust::Steering;
        }
        clean
    }

    /// What a file says of where something is from; that it is the person's or ours, it does not say
    /// for us.
    fn label(&mut self, label: &mut Label, steers: bool) -> Result<(), HostError> {
        let mut read = Label::of_nothing();
        for origin in label.origins() {
            let mut origin = origin.clone();
            match &mut origin {
                Origin::Person | Origin::Host => origin = Origin::Unknown,
                Origin::Tool { tool, .. } => self.id(tool)?,
                Origin::Attachment { name } => self.name(name)?,
                Origin::Unknown => {}
            }
            read = read.join(&Label::of(origin));
        }
        let trust = match steers {
            true => Trust::Steering,
            false => label.trust().max(Trust::Untrusted),
        };
        self.trust = self.trust.max(trust);
        self.confidentiality = self.confidentiality.max(label.confidentiality());
        *label = read
            .at_least_as_doubtful(trust)
            .at_least_as_confidential(label.confidentiality());
        Ok(())
    }

    fn unreadable(&self, problem: &str) -> HostError {
        unreadable(&format!("thing {} of it {problem}", self.number))
    }

    fn too_large(&self, most: usize) -> HostError {
        too_large(&format!(
            "a part of thing {} of it has more than {most} bytes",
            self.number
        ))
    }
}

fn unreadable(problem: &str) -> HostError {
    error::host(
        ErrorCode::UnreadableConversation,
        format!("this is no conversation that was saved as JSON: {problem}"),
    )
}

fn too_large(problem: &str) -> HostError {
    error::host(
        ErrorCode::TooLarge,
        format!("this conversation cannot be imported: {problem}"),
    )
}
