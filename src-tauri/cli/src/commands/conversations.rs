//! `majordomoctl conversations …`

use crate::args;
use crate::commands::talk;
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::word::Word;
use crate::{input, print};
use api::{
    BranchConversation, ConversationFormat, ConversationItem, ConversationState, ConversationText,
    ConversationView, DeleteConversation, ErrorCode, ExportConversation, HostError,
    ImportConversation, ListConversations, MOST_IMPORTED, PauseReason, PinConversation,
    ReadAttachment, ReadConversation, ReadLedger, RenameConversation, RequestLedger, SetReader,
    StopConversation,
};
use protocol::{ConversationId, RequestPart, RequestPartKind, Trust};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// How many things are looked at for the last reply.
const NEWEST: u32 = 200;
/// How the number of a conversation begins in which a task is done.
const TASK: &str = "task-";

/// Lists conversations, shows one, or changes it.
pub(crate) async fn run(
    link: &Link,
    command: args::Conversations,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    match command {
        args::Conversations::List { text } => {
            let all = link.ask(ListConversations { text }).await?;
            if json {
                print::json(&all);
            } else {
                list(&all);
            }
        }
        args::Conversations::Show { conversation, last } => {
            let conversation = match conversation.starts_with(TASK) {
                // It stands in no list.
                true => ConversationId::from(conversation),
                false => named(link, &conversation).await?.id,
            };
            let before = None;
            let page = link
                .ask(ReadConversation {
                    conversation,
                    before,
                    limit: last,
                })
                .await?;
            if json {
                print::json(&page);
            } else {
                talk::show(&page);
            }
        }
        args::Conversations::Attached {
            conversation,
            said,
            which,
        } => {
            let conversation = named(link, &conversation).await?.id;
            let read = ReadAttachment {
                conversation,
                item: said,
                attachment: which.saturating_sub(1),
            };
            let attached = link.ask(read).await?;
            if json {
                print::json(&attached);
            } else {
                talk::show_content(&attached);
            }
        }
        args::Conversations::Held {
            conversation,
            reply,
        } => {
            let conversation = named(link, &conversation).await?.id;
            let reply = match reply {
                Some(reply) => reply,
                None => last_reply(link, &conversation).await?,
            };
            let held = link
                .ask(ReadLedger {
                    conversation,
                    reply,
                })
                .await?;
            if json {
                print::json(&held);
            } else {
                show_held(&held);
            }
        }
        args::Conversations::Branch {
            conversation,
            before,
        } => {
            let conversation = named(link, &conversation).await?.id;
            let branch = BranchConversation {
                conversation,
                before,
            };
            let begun = word.ask(link, branch).await?;
            if json {
                print::json(&begun);
            } else {
                list(&[begun]);
            }
        }
        args::Conversations::Pin { conversation } => pin(link, &conversation, true, json).await?,
        args::Conversations::Unpin { conversation } => {
            pin(link, &conversation, false, json).await?;
        }
        args::Conversations::Reader { conversation, off } => {
            let conversation = named(link, &conversation).await?.id;
            let set = SetReader {
                conversation,
                is_on: !off,
            };
            let set = word.ask(link, set).await?;
            if json {
                print::json(&set);
            }
            print::note(match off {
                false => "What speaks to the model is read for it from the next thing you say on.",
                true => "The model is shown everything as it came from the next thing you say on.",
            });
        }
        args::Conversations::Stop { conversation } => {
            let conversation = named(link, &conversation).await?.id;
            let call = None;
            link.ask(StopConversation { conversation, call }).await?;
            if json {
                print::json(&());
            }
            print::note("Stopped.");
        }
        args::Conversations::Rename {
            conversation,
            title,
        } => {
            let conversation = named(link, &conversation).await?.id;
            let renamed = link
                .ask(RenameConversation {
                    conversation,
                    title,
                })
                .await?;
            if json {
                print::json(&renamed);
            } else {
                list(&[renamed]);
            }
        }
        args::Conversations::Delete { conversation } => {
            let conversation = named(link, &conversation).await?;
            word.confirm(
                link,
                &format!(
                    "Delete {} with all that was said in it?",
                    print::visible(&conversation.title)
                ),
                "it stays",
            )?;
            let conversation = conversation.id;
            word.ask(link, DeleteConversation { conversation }).await?;
            if json {
                print::json(&());
            }
            print::note("Deleted.");
        }
        args::Conversations::Export {
            conversation,
            format,
        } => {
            let conversation = named(link, &conversation).await?.id;
            let format = match format {
                args::ExportWord::Markdown => ConversationFormat::Markdown,
                args::ExportWord::Json => ConversationFormat::Json,
            };
            let export = link
                .ask(ExportConversation {
                    conversation,
                    format,
                })
                .await?;
            if json {
                print::json(&export);
            } else {
                print::file(export.text.trim_end());
            }
        }
        args::Conversations::Import { file } => {
            let text = ConversationText(read_file(&file)?);
            let begun = word.ask(link, ImportConversation { text }).await?;
            if json {
                print::json(&begun);
            } else {
                list(&[begun]);
            }
        }
    }
    Ok(Exit::Done)
}

/// The text of a file, or of what is piped in. One that is too long is not read to its end.
fn read_file(file: &Path) -> Result<String, HostError> {
    let mut bytes = Vec::new();
    let most = MOST_IMPORTED as u64 + 1;
    let read = match file == Path::new("-") {
        true => input::piped().take(most).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    let failed = |code, problem: &str| {
        HostError::of(
            code,
            format!("{} cannot be read: {problem}", file.display()),
        )
    };
    read.map_err(|problem| failed(ErrorCode::BadPath, &problem.to_string()))?;
    if bytes.len() > MOST_IMPORTED {
        let problem = format!("it has more than {MOST_IMPORTED} bytes");
        return Err(failed(ErrorCode::TooLarge, &problem));
    }
    let no_text = |_| failed(ErrorCode::UnreadableConversation, "it is no text");
    String::from_utf8(bytes).map_err(no_text)
}

async fn pin(link: &Link, word: &str, is_pinned: bool, json: bool) -> Result<(), HostError> {
    let conversation = named(link, word).await?.id;
    let pin = PinConversation {
        conversation,
        is_pinned,
    };
    let pinned = link.ask(pin).await?;
    if json {
        print::json(&pinned);
    } else {
        list(&[pinned]);
    }
    Ok(())
}

/// The number of the last reply in a conversation, as far as one is among the last things.
async fn last_reply(link: &Link, conversation: &ConversationId) -> Result<u32, HostError> {
    let page = link
        .ask(ReadConversation {
            conversation: conversation.clone(),
            before: None,
            limit: NEWEST,
        })
        .await?;
    let is_reply = |item: &ConversationItem| matches!(item, ConversationItem::Reply { .. });
    let numbered = (page.from..).zip(&page.items);
    let last = numbered.filter(|(_, item)| is_reply(item)).last();
    last.map(|(number, _)| number).ok_or_else(|| {
        HostError::of(
            ErrorCode::BadRequest,
            "no model has answered there lately: say which reply with --reply",
        )
    })
}

fn show_held(held: &RequestLedger) {
    let row = |part: &RequestPart| {
        let RequestPart {
            kind,
            count,
            shortened,
            left_out,
            tokens,
            trust,
            confidentiality: _,
        } = part;
        vec![
            held_kind(kind),
            count.to_string(),
            tokens.to_string(),
            shortened.to_string(),
            left_out.to_string(),
            match trust {
                Trust::Trusted => "yes",
                Trust::Untrusted => "no",
                Trust::Steering => "no, speaks to the model",
            }
            .to_owned(),
        ]
    };
    let rows: Vec<_> = held.parts.iter().map(row).collect();
    print::table(
        &[
            "HELD",
            "NUMBER",
            "TOKENS",
            "SHORTENED",
            "LEFT OUT",
            "TRUSTED",
        ],
        &rows,
    );
    print::note(format_args!(
        "About {} tokens in request {} of its turn.",
        held.tokens, held.step
    ));
}

fn held_kind(kind: &RequestPartKind) -> String {
    match kind {
        RequestPartKind::Instructions => "instructions".to_owned(),
        RequestPartKind::Definitions { server } => format!("tools of {server}"),
        RequestPartKind::OwnDefinitions => "tools of Majordomo itself".to_owned(),
        RequestPartKind::Said => "what you said".to_owned(),
        RequestPartKind::Task => "the task".to_owned(),
        RequestPartKind::Attached => "what you attached".to_owned(),
        RequestPartKind::LetGoOn => "that you let it go on".to_owned(),
        RequestPartKind::Imported => "what you imported".to_owned(),
        RequestPartKind::Replies => "answers of models".to_owned(),
        RequestPartKind::Results {
            server: Some(server),
        } => format!("results of {server}"),
        RequestPartKind::Results { server: None } => "results of no tool".to_owned(),
    }
}

/// The conversation of this number or title, in whatever case. Fails with `unknown_conversation`,
/// and with `bad_request` where several have this title: branches have that of the other one.
pub(super) async fn named(link: &Link, word: &str) -> Result<ConversationView, HostError> {
    let all = link.ask(ListConversations { text: None }).await?;
    let (by_number, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.id.as_str() == word);
    let key = word.to_lowercase();
    let is_called = |one: &ConversationView| one.title.to_lowercase() == key;
    let mut found = match by_number.is_empty() {
        false => by_number,
        true => others.into_iter().filter(is_called).collect(),
    };
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(HostError::of(
            ErrorCode::UnknownConversation,
            format!("there is no conversation called {word}"),
        )),
        _ => {
            let numbers: Vec<_> = found.iter().map(|one| one.id.to_string()).collect();
            Err(HostError::of(
                ErrorCode::BadRequest,
                format!("{word} are several, say which: {}", numbers.join(", ")),
            ))
        }
    }
}

fn list(conversations: &[ConversationView]) {
    let row = |conversation: &ConversationView| {
        let ConversationView {
            id,
            title,
            model: _,
            assistant: _,
            task_of: _,
            has_reader: _,
            revision: _,
            state,
            is_pinned,
            branch_of: _,
            created_at: _,
            changed_at,
        } = conversation;
        vec![
            id.to_string(),
            match is_pinned {
                true => format!("* {title}"),
                false => title.clone(),
            },
            going_on(state).to_owned(),
            date::shown(*changed_at),
        ]
    };
    let rows: Vec<_> = conversations.iter().map(row).collect();
    print::table(&["NUMBER", "TITLE", "STATE", "CHANGED"], &rows);
}

/// What goes on in a conversation, in a word.
fn going_on(state: &ConversationState) -> &'static str {
    match state {
        ConversationState::Idle => "-",
        ConversationState::Asking => "answering",
        ConversationState::Retrying { .. } => "waiting for the service",
        ConversationState::Calling => "calling tools",
        ConversationState::Paused {
            why: PauseReason::PurseSpent,
        } => "paused at its limit",
        ConversationState::Paused {
            why: PauseReason::Loops,
        } => "paused in a loop",
        ConversationState::Left => "left in the middle",
    }
}
