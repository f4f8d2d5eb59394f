//! What was said in a conversation, on the terminal.
//!
//! Always true here: what a model or a server says moves no cursor and hides nothing; it stands on
//! standard output, and everything of ours on standard error.

use crate::print;
use api::{
    AttachmentContent, AttachmentKind, AttachmentView, BrokenReply, ConversationItem,
    ConversationPage, ConversationState, ModelCallOutcome, PauseReason, PictureSize, ReplyItem,
    Steered,
};
use protocol::{CallId, Content, TurnEnd};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The most of the arguments of a call that its line shows, in characters.
const ARGUMENTS: usize = 200;

/// Shows a page.
pub(super) fn show(page: &ConversationPage) {
    for (number, item) in (page.from..).zip(&page.items) {
        let is_imported = number < page.imported;
        match item {
            ConversationItem::Said {
                text,
                attached,
                begins_turn: _,
            } => {
                print::note(match is_imported {
                    true => format!("{number} · A person, as the imported file says:"),
                    false => format!("{number} · You:"),
                });
                print::note(print::quote(text));
                show_attached(attached);
            }
            ConversationItem::Task { text, attached, .. } => {
                print::note(format_args!("{number} · Task:"));
                print::note(print::quote(text));
                show_attached(attached);
            }
            ConversationItem::LetGoOn if is_imported => {
                print::note("The person let it go on, as the imported file says.");
            }
            ConversationItem::LetGoOn => print::note("You let it go on."),
            ConversationItem::Reply {
                model,
                parts,
                broke,
                read,
                written: _,
                sent,
                was_truncated,
                has_ledger: _,
            } => {
                let whose = match is_imported {
                    true => "model, as the imported file says",
                    false => "model",
                };
                print::note(print::quote_as(&format!("{number} · {whose}"), model));
                for part in parts {
                    show_part(part);
                }
                if *was_truncated {
                    show_truncated(*read, *sent);
                }
                if let Some(broke) = broke {
                    show_broken(broke);
                }
            }
        }
    }
    for Steered { text, attached } in &page.steered {
        print::note("You, for its next step:");
        print::note(print::quote(text));
        show_attached(attached);
    }
    page.coming.iter().for_each(show_part);
    show_end(page);
}

fn show_part(part: &ReplyItem) {
    match part {
        ReplyItem::Text { text } => print::result(print::lines(text)),
        ReplyItem::Reasoning { .. } => {}
        ReplyItem::Image {
            data, mime_type, ..
        } => show_image(mime_type, data),
        ReplyItem::Call {
            name,
            arguments,
            outcome,
            task,
            ..
        } => {
            show_call(name, arguments);
            if let Some(task) = task {
                print::note(format_args!("{name} works in {}", task.conversation));
            }
            if let Some(outcome) = outcome {
                show_outcome(name, outcome);
            }
        }
    }
}

fn show_call(name: &str, arguments: &Map<String, Value>) {
    let written = Value::Object(arguments.clone()).to_string();
    let mut shown: String = written.chars().take(ARGUMENTS).collect();
    if shown.len() < written.len() {
        shown.push('…');
    }
    print::note(print::quote_as(&format!("calls {name}"), &shown));
}

fn show_outcome(name: &str, outcome: &ModelCallOutcome) {
    let how = match outcome {
        ModelCallOutcome::Answered { result, .. } if result.is_error => "it reports a failure",
        ModelCallOutcome::Answered { .. }
        | ModelCallOutcome::Own { .. }
        | ModelCallOutcome::Helped {
            is_error: false, ..
        } => "done",
        ModelCallOutcome::Helped { told, .. } => told,
        ModelCallOutcome::Denied { .. } => "you denied it",
        ModelCallOutcome::NotRun { told, .. } | ModelCallOutcome::Unknown { told, .. } => told,
    };
    print::note(print::quote_as(name, how));
}

fn show_truncated(read: Option<u64>, sent: u64) {
    print::note(format_args!(
        "The service has read {} of about {sent} tokens: what stood first was dropped. Give the model more context.",
        read.unwrap_or_default()
    ));
}

fn show_broken(broke: &BrokenReply) {
    match broke {
        BrokenReply::Stopped => print::note("You stopped it."),
        BrokenReply::ApplicationEnded => print::note("Broken off: Majordomo ended."),
        BrokenReply::Failed { message, .. } => {
            print::note("Broken off:");
            print::note(print::quote(message));
        }
    }
}

/// Says how a turn has ended, where it did not simply end.
pub(super) fn show_end(page: &ConversationPage) {
    const GO_ON: &str = "`majordomoctl chat --go-on --conversation` goes on with it.";
    match &page.conversation.state {
        ConversationState::Paused {
            why: PauseReason::PurseSpent,
        } => print::note(format_args!(
            "It has taken as much as one turn may. {GO_ON}"
        )),
        ConversationState::Paused {
            why: PauseReason::Loops,
        } => print::note(format_args!(
            "The same calls kept having the same results. {GO_ON}"
        )),
        ConversationState::Left => print::note(format_args!("It was left in the middle. {GO_ON}")),
        _ => {}
    }
    match page.ended {
        None | Some(TurnEnd::Done | TurnEnd::Stopped) => {}
        Some(TurnEnd::Broke | TurnEnd::Cut) => {
            print::note(format_args!("The answer was cut short. {GO_ON}"));
        }
        Some(TurnEnd::Refused) => print::note("The model, or its service, refused to answer."),
        Some(TurnEnd::PurseSpent | TurnEnd::Loops) => {
            print::note("You did not let it go on.");
        }
        Some(TurnEnd::ContextFull) => {
            print::note("What has to be sent does not fit into what the model can read.");
        }
        Some(TurnEnd::ModelChanged) => {
            print::note(format_args!("Another model answers by now. {GO_ON}"));
        }
    }
}

/// What was shown already of a conversation that is followed.
#[derive(Default)]
pub(super) struct Shown {
    begun: HashSet<CallId>,
    ended: HashSet<CallId>,
    /// Whether words stand on a line that has not ended.
    in_line: bool,
}

impl Shown {
    /// Shows words of a reply as they come.
    pub(super) fn piece(&mut self, text: &str) {
        print::piece(text);
        self.in_line = !text.ends_with('\n');
    }

    /// Ends the line in which words stand.
    pub(super) fn end_line(&mut self) {
        if std::mem::take(&mut self.in_line) {
            print::result("");
        }
    }

    /// Notes everything that is there, so that it is not shown.
    pub(super) fn skip(&mut self, page: &ConversationPage) {
        for (call, _, _, outcome) in calls(page) {
            self.begun.insert(call.clone());
            if outcome.is_some() {
                self.ended.insert(call.clone());
            }
        }
    }

    /// Shows a line for each call that was not shown yet, and one for each end.
    pub(super) fn calls(&mut self, page: &ConversationPage) {
        for (call, name, arguments, outcome) in calls(page) {
            if self.begun.insert(call.clone()) {
                self.end_line();
                show_call(name, arguments);
            }
            if let Some(outcome) = outcome
                && self.ended.insert(call.clone())
            {
                self.end_line();
                show_outcome(name, outcome);
            }
        }
    }

    /// Shows why the last reply did not come to its end, and how the turn has ended.
    pub(super) fn end(&mut self, page: &ConversationPage) {
        self.end_line();
        if let Some(ConversationItem::Reply {
            broke,
            read,
            sent,
            was_truncated,
            ..
        }) = page.items.last()
        {
            if *was_truncated {
                show_truncated(*read, *sent);
            }
            if let Some(broke) = broke {
                show_broken(broke);
            }
        }
        show_end(page);
    }
}

/// A call as it is shown: its number, its tool, its arguments, and how it has ended.
pub(super) type ShownCall<'a> = (
    &'a CallId,
    &'a str,
    &'a Map<String, Value>,
    Option<&'a ModelCallOutcome>,
);

/// The calls of a page, in their order.
pub(super) fn calls(page: &ConversationPage) -> impl Iterator<Item = ShownCall<'_>> {
    let parts = page.items.iter().flat_map(|item| match item {
        ConversationItem::Reply { parts, .. } => parts.as_slice(),
        _ => &[],
    });
    parts.filter_map(|part| match part {
        ReplyItem::Call {
            call,
            name,
            arguments,
            outcome,
            ..
        } => Some((call, name.as_str(), arguments, outcome.as_ref())),
        _ => None,
    })
}

/// What a person attached, by its name.
fn show_attached(attached: &[AttachmentView]) {
    for attachment in attached {
        let AttachmentView {
            name,
            kind,
            bytes,
            label: _,
        } = attachment;
        let kind = match kind {
            AttachmentKind::Text => "text".to_owned(),
            AttachmentKind::Picture {
                mime_type,
                size: Some(PictureSize { width, height }),
            } => format!("{mime_type}, {width}×{height}"),
            AttachmentKind::Picture {
                mime_type,
                size: None,
            } => mime_type.clone(),
        };
        print::note(print::quote_as(
            "attached",
            &format!("{name} ({kind}, {bytes} bytes)"),
        ));
    }
}

/// What is in something that a person attached.
pub(super) fn show_content(AttachmentContent { content }: &AttachmentContent) {
    for part in content {
        match part {
            Content::Text { text, .. } => print::result(print::lines(text)),
            Content::Image {
                data, mime_type, ..
            } => show_image(mime_type, data),
            _ => {}
        }
    }
}

fn show_image(mime_type: &str, data: &str) {
    print::result(format_args!(
        "[image {}, {} bytes of Base64]",
        print::visible(mime_type),
        data.len()
    ));
}
