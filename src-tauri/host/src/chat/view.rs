//! Conversations as surfaces show them. Pure, but for what goes on, and what a task has of the
//! conversation for which it is done.

use super::{Chats, journal, picture, reasons, tasks};
use agent::{
    Broke, Call, Closing, Conversation, Item, Outcome, ReplyPart, Said, TranscriptAttachment,
    TranscriptBreak, TranscriptItem, TranscriptOutcome, TranscriptPart, Worker,
};
use api::{
    AttachmentKind, AttachmentView, BrokenReply, ConversationItem, ConversationState,
    ConversationView, HostError, ModelCallOutcome, PauseReason, ReplyItem, Steered, TakenIn,
    TaskView,
};
use calls::Calls;
use protocol::{CallId, Content, ConversationId, Label, ModelId, Origin, ServerId};
use std::ops::Range;
use store::ConversationRow;

/// A conversation without what was said in it. `is_open` says whether its last turn had not ended a
/// moment ago; `revision` was taken before that and `row` were read. Fails where the one cannot be
/// read for which a task is done.
pub(crate) async fn view_of(
    calls: &Calls,
    chats: &Chats,
    row: ConversationRow,
    is_open: bool,
    revision: u64,
) -> Result<ConversationView, HostError> {
    let state = match is_open {
        true => state_of_open(calls, chats, &row.id).await?,
        false => chats.state(&row.id).unwrap_or(ConversationState::Idle),
    };
    view(calls, row, state, revision).await
}

/// What goes on in a conversation whose last turn had not ended a moment ago: it may have by now.
pub(super) async fn state_of_open(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
) -> Result<ConversationState, HostError> {
    loop {
        let (begun, had_driver) = (chats.begun(), chats.has_driver(id));
        if let Some(state) = chats.state(id) {
            return Ok(state);
        }
        if !journal::open(calls).await?.contains(id) {
            return Ok(ConversationState::Idle);
        }
        if chats.has_driver(id) {
            // It has not found out yet what goes on.
            return Ok(ConversationState::Asking);
        }
        // Otherwise one has ended since that was read.
        if !had_driver && chats.begun() == begun {
            return Ok(ConversationState::Left);
        }
    }
}

/// The same, in this state.
pub(super) async fn view(
    calls: &Calls,
    row: ConversationRow,
    state: ConversationState,
    revision: u64,
) -> Result<ConversationView, HostError> {
    let root = tasks::root(calls, &row).await?;
    Ok(ConversationView {
        id: row.id,
        revision,
        title: row.title,
        model: row.model.map(ModelId::from),
        state,
        is_pinned: row.is_pinned,
        assistant: row.assistant,
        task_of: row.task.map(|task| task.parent),
        has_reader: !root.shows_all,
        branch_of: row.branch_of,
        created_at: row.created_at,
        changed_at: row.changed_at,
    })
}

/// Things of a conversation, by their numbers.
pub(super) fn items(conversation: &Conversation, which: Range<usize>) -> Vec<ConversationItem> {
    let from = which.start;
    let shown = conversation.items().get(which).unwrap_or_default();
    let begins_turn = |at| conversation.turn_at(at).is_some();
    let shown = shown.iter().enumerate();
    shown
        .map(|(nth, one)| item(one, begins_turn(from + nth)))
        .collect()
}

fn item(item: &Item, begins_turn: bool) -> ConversationItem {
    match item {
        Item::Said(said) => match Said::task(said) {
            Some((text, label)) => ConversationItem::Task {
                text: text.to_owned(),
                attached: attached(said),
                label: label.clone(),
            },
            None => ConversationItem::Said {
                text: Said::words(said),
                attached: attached(said),
                begins_turn,
            },
        },
        Item::LetGoOn => ConversationItem::LetGoOn,
        Item::Imported(imported) => read(&imported.item),
        Item::Reply {
            model,
            asked,
            sent,
            least: _,
            reply,
            calls,
            broke,
        } => ConversationItem::Reply {
            model: model.name.clone(),
            parts: parts(&reply.parts, calls),
            broke: broke.as_ref().map(|broke| match broke {
                Broke::Stopped => BrokenReply::Stopped,
                Broke::ApplicationEnded => BrokenReply::ApplicationEnded,
                Broke::Failed { failure } => BrokenReply::Failed {
                    code: reasons::failure(failure),
                    message: failure.to_string(),
                },
            }),
            read: reply.usage.input,
            written: reply.usage.output,
            sent: *sent,
            was_truncated: item.was_truncated(),
            has_ledger: asked.is_some(),
        },
    }
}

/// Something out of a file.
fn read(item: &TranscriptItem) -> ConversationItem {
    match item {
        TranscriptItem::Said { text, attached, .. } => {
            let view = |one: &TranscriptAttachment| attachment(&one.name, &one.content, &one.label);
            ConversationItem::Said {
                text: text.clone(),
                attached: attached.iter().map(view).collect(),
                // What stands there is not the person's, to be said again.
                begins_turn: false,
            }
        }
        TranscriptItem::Task {
            text,
            attached,
            label,
        } => {
            let view = |one: &TranscriptAttachment| attachment(&one.name, &one.content, &one.label);
            ConversationItem::Task {
                text: text.clone(),
                attached: attached.iter().map(view).collect(),
                label: label.clone(),
            }
        }
        TranscriptItem::LetGoOn => ConversationItem::LetGoOn,
        TranscriptItem::Reply {
            model,
            parts,
            broke,
            read,
            written,
            sent,
            was_truncated,
        } => ConversationItem::Reply {
            model: model.clone(),
            parts: parts.iter().map(part_read).collect(),
            broke: broke.as_ref().map(|broke| match broke {
                TranscriptBreak::Stopped => BrokenReply::Stopped,
                TranscriptBreak::ApplicationEnded => BrokenReply::ApplicationEnded,
                TranscriptBreak::Failed { message } => BrokenReply::Failed {
                    code: None,
                    message: message.clone(),
                },
            }),
            read: *read,
            written: *written,
            sent: *sent,
            was_truncated: *was_truncated,
            has_ledger: false,
        },
    }
}

fn part_read(part: &TranscriptPart) -> ReplyItem {
    match part {
        TranscriptPart::Text { text } => ReplyItem::Text { text: text.clone() },
        TranscriptPart::Image { data, mime_type } => ReplyItem::Image {
            data: data.clone(),
            mime_type: mime_type.clone(),
        },
        TranscriptPart::Call {
            call,
            name,
            server,
            tool,
            arguments,
            outcome,
        } => ReplyItem::Call {
            // Its number is none of ours: whatever is known here of one like it is of another call.
            call: CallId::from(format!("imported:{call}")),
            name: name.clone(),
            server: server.clone(),
            tool: tool.clone(),
            task: None,
            arguments: arguments.clone(),
            outcome: outcome.as_ref().map(outcome_read),
        },
    }
}

fn outcome_read(outcome: &TranscriptOutcome) -> ModelCallOutcome {
    match outcome {
        TranscriptOutcome::Answered { result, label, at } => ModelCallOutcome::Answered {
            result: result.clone(),
            label: label.clone(),
            at: *at,
        },
        TranscriptOutcome::Denied { reason } => ModelCallOutcome::Denied {
            reason: reason.clone(),
        },
        TranscriptOutcome::NotRun { told } => ModelCallOutcome::NotRun {
            why: None,
            told: told.clone(),
        },
        TranscriptOutcome::Unknown { told } => ModelCallOutcome::Unknown {
            why: None,
            told: told.clone(),
        },
        TranscriptOutcome::Own { told } => ModelCallOutcome::Own { told: told.clone() },
        TranscriptOutcome::Helped {
            told,
            is_error,
            label,
            at,
        } => ModelCallOutcome::Helped {
            answer: (!is_error).then(|| told.clone()),
            why: None,
            told: told.clone(),
            is_error: *is_error,
            // A file can say that of anything.
            is_closed: false,
            label: label.clone(),
            at: *at,
        },
    }
}

/// What a person said while a model answered.
pub(super) fn steered(said: &[Said]) -> Steered {
    Steered {
        text: Said::words(said),
        attached: attached(said),
    }
}

fn attached(said: &[Said]) -> Vec<AttachmentView> {
    let views = Said::attachments(said).map(|one| attachment(&one.name, &one.content, &one.label));
    views.collect()
}

/// What was attached, without what is in it.
fn attachment(name: &str, content: &[Content], label: &Label) -> AttachmentView {
    let bytes = content.iter().map(|part| match part {
        Content::Text { text, .. } => text.len(),
        Content::Image { data, .. } => picture::bytes_in(data),
        _ => 0,
    });
    let picture = content.iter().find_map(|part| match part {
        Content::Image {
            data, mime_type, ..
        } => Some(AttachmentKind::Picture {
            mime_type: mime_type.clone(),
            size: picture::size(data),
        }),
        _ => None,
    });
    AttachmentView {
        name: name.to_owned(),
        kind: picture.unwrap_or(AttachmentKind::Text),
        bytes: bytes.sum::<usize>() as u64,
        label: label.clone(),
    }
}

/// The parts of a reply that are for a person, each call with what became of it.
pub(super) fn parts(parts: &[ReplyPart], calls: &[Call]) -> Vec<ReplyItem> {
    let mut calls = calls.iter();
    let shown = parts.iter().filter_map(|part| match part {
        ReplyPart::Text { text, .. } => Some(ReplyItem::Text { text: text.clone() }),
        ReplyPart::Reasoning { text, .. } => {
            let text = text.clone();
            (!text.is_empty()).then_some(ReplyItem::Reasoning { text })
        }
        ReplyPart::Image {
            data, mime_type, ..
        } => Some(ReplyItem::Image {
            data: data.clone(),
            mime_type: mime_type.clone(),
        }),
        ReplyPart::Call(wanted) => calls.next().map(|call| ReplyItem::Call {
            call: call.id.clone(),
            name: wanted.name.clone(),
            server: call.tool.as_ref().map(|tool| tool.server.clone()),
            tool: call.tool.as_ref().map(|tool| tool.tool.clone()),
            task: call.task.as_ref().map(|task| {
                Box::new(TaskView {
                    helper: match &task.worker {
                        Worker::Helper { name, .. } => Some(name.clone()),
                        Worker::Reader { .. } => None,
                    },
                    conversation: tasks::conversation_of(&call.id),
                })
            }),
            arguments: wanted.arguments.clone(),
            outcome: call.outcome.as_ref().map(outcome),
        }),
        ReplyPart::Opaque { .. } => None,
    });
    shown.collect()
}

fn outcome(outcome: &Outcome) -> ModelCallOutcome {
    let told = outcome.words().unwrap_or_default();
    match outcome {
        Outcome::Answered { answer } => ModelCallOutcome::Answered {
            result: Box::new(answer.result.clone()),
            label: answer.label.clone(),
            at: answer.at,
        },
        Outcome::Denied { reason } => ModelCallOutcome::Denied {
            reason: reason.clone(),
        },
        Outcome::Refused { .. } | Outcome::NotRun { .. } => ModelCallOutcome::NotRun {
            why: reasons::not_run(outcome),
            told,
        },
        Outcome::Unknown { why } => ModelCallOutcome::Unknown {
            why: Some(reasons::unknown(*why)),
            told,
        },
        Outcome::Own { .. } => ModelCallOutcome::Own { told },
        Outcome::Helped { report } => ModelCallOutcome::Helped {
            answer: report.answer(),
            why: reasons::no_answer(&report.end),
            told: report.told(),
            is_error: outcome.is_error(),
            is_closed: report.is_closed(),
            label: report.label.clone(),
            at: report.at,
        },
    }
}

pub(super) fn pause(why: Closing) -> PauseReason {
    match why {
        Closing::PurseSpent => PauseReason::PurseSpent,
        Closing::Loops => PauseReason::Loops,
    }
}

/// Of which servers something was read for a task.
fn servers_of(label: &Label) -> Vec<&ServerId> {
    let servers = label.origins().filter_map(|origin| match origin {
        Origin::Tool { server, .. } => server.as_ref(),
        _ => None,
    });
    servers.collect()
}

/// From which servers a conversation has taken something in.
pub(super) fn taken_in(conversation: &Conversation) -> Vec<TakenIn> {
    let mut taken: Vec<TakenIn> = Vec::new();
    let mut since = 0;
    for (at, item) in conversation.items().iter().enumerate() {
        if conversation.turn_at(at).is_some() {
            since = u32::try_from(at).unwrap_or(u32::MAX);
        }
        let Item::Reply { calls, .. } = item else {
            continue;
        };
        for call in calls {
            let (servers, label) = match (&call.tool, &call.outcome) {
                // What we say in its place is nothing of the server's.
                (Some(tool), Some(Outcome::Answered { answer }))
                    if answer.label.origins().any(|origin| *origin != Origin::Host) =>
                {
                    (vec![&tool.server], &answer.label)
                }
                (_, Some(Outcome::Helped { report })) => (servers_of(&report.label), &report.label),
                _ => continue,
            };
            for server in servers {
                match taken.iter_mut().find(|one| one.server == *server) {
                    Some(one) => one.label = one.label.clone().join(label),
                    None => taken.push(TakenIn {
                        server: server.clone(),
                        label: label.clone(),
                        since,
                    }),
                }
            }
        }
    }
    taken
}
