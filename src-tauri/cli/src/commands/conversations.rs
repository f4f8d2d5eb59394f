//! `majordomoctl conversations …`

use crate::args;
use crate::commands::talk;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    ConversationFormat, ConversationState, ConversationView, DeleteConversation, ErrorCode,
    ExportConversation, HostError, ListConversations, PauseReason, ReadConversation,
    RenameConversation, StopConversation,
};

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
            let conversation = named(link, &conversation).await?.id;
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
    }
    Ok(Exit::Done)
}

/// The conversation of this number or title, in whatever case; of several of one title the one that
/// was changed last. Fails with `unknown_conversation`.
pub(super) async fn named(link: &Link, word: &str) -> Result<ConversationView, HostError> {
    let key = word.to_lowercase();
    let all = link.ask(ListConversations { text: None }).await?;
    let by_number = all.iter().position(|one| one.id.as_str() == word);
    let place = by_number.or_else(|| all.iter().position(|one| one.title.to_lowercase() == key));
    place
        .and_then(|place| all.into_iter().nth(place))
        .ok_or_else(|| {
            HostError::of(
                ErrorCode::UnknownConversation,
                format!("there is no conversation called {word}"),
            )
        })
}

fn list(conversations: &[ConversationView]) {
    let row = |conversation: &ConversationView| {
        let ConversationView {
            id,
            title,
            model: _,
            state,
            created_at: _,
            changed_at,
        } = conversation;
        vec![
            id.to_string(),
            title.clone(),
            going_on(state).to_owned(),
            changed_at.to_string(),
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
