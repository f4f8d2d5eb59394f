//! Conversations are begun, branched, listed, read, renamed, pinned and deleted.

use super::chats::{Chats, Growing, Order};
use super::last_read::latest;
use super::view::view_of;
use super::{journal, setting, tasks, view};
use agent::{Entry, Item, Said, TranscriptItem};
use api::{
    AttachmentContent, ConversationPage, ConversationState, ConversationView, ErrorCode,
    GrowingReply, HostError, HostEvent, RequestLedger,
};
use calls::Calls;
use protocol::{AssistantId, ConversationId, ModelId, is_one_line};
use servers::{error, revision};
use store::NewConversation;

/// How many are found at once.
const MOST_FOUND: usize = 1_000;
/// How many things are read of one at once.
const MOST_ITEMS: u32 = 200;
/// The longest title, in characters.
pub(super) const LONGEST_TITLE: usize = 200;

/// All of them, or those that hold some words.
pub(crate) async fn list(
    calls: &Calls,
    chats: &Chats,
    text: Option<String>,
) -> Result<Vec<ConversationView>, HostError> {
    let conversations = calls.store().conversations();
    let revision = revision::next();
    let open = journal::open(calls).await?;
    let rows = match text {
        None => conversations.all().await?,
        Some(text) => {
            let found = conversations.search(&text, MOST_FOUND).await?;
            found.into_iter().map(|found| found.conversation).collect()
        }
    };
    let mut views = Vec::with_capacity(rows.len());
    for row in rows {
        let is_open = open.contains(&row.id);
        views.push(view_of(calls, chats, row, is_open, revision).await?);
    }
    Ok(views)
}

/// Begins one. Fails with `no_model`, `unknown_model` and `unknown_assistant`.
pub(crate) async fn start(
    calls: &Calls,
    chats: &Chats,
    model: Option<ModelId>,
    assistant: Option<AssistantId>,
) -> Result<ConversationView, HostError> {
    let of_assistant = match &assistant {
        Some(id) => setting::assistant(calls, id).await?.model,
        None => None,
    };
    let model = model.or(of_assistant);
    let model = setting::model(calls, model.as_ref()).await?.id;
    let id = ConversationId::random();
    let new = NewConversation {
        id: id.clone(),
        title: String::new(),
        model: Some(model.as_str().to_owned()),
        workspace: calls.workspace(),
        assistant,
        task: None,
    };
    calls
        .store()
        .conversations()
        .begin(new, calls.now())
        .await?;
    changed(calls, chats, &id).await
}

/// What was said in one: the last things, or those before one.
pub(crate) async fn read(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    before: Option<u32>,
    limit: u32,
) -> Result<ConversationPage, HostError> {
    let revision = revision::next();
    // Before the journal: what is written meanwhile would be there twice.
    let growing = chats.growing(id);
    let (conversation, state) = loop {
        let conversation = latest(calls, chats, id).await?;
        let state = match conversation.open() {
            Some(_) => view::state_of_open(calls, chats, id).await?,
            None => chats.state(id).unwrap_or(ConversationState::Idle),
        };
        // Where it has ended since, its end is read, too.
        if state != ConversationState::Idle || conversation.open().is_none() {
            break (conversation, state);
        }
    };
    let row = calls.store().conversations().of(id).await?;
    let total = conversation.items().len();
    let end = before.map_or(total, |before| total.min(before as usize));
    let from = end.saturating_sub(limit.clamp(1, MOST_ITEMS) as usize);
    let open = conversation.open();
    let is_asking = open.is_some_and(|open| open.stage == agent::Stage::Asking);
    // What is noted may be of the request before: that reply is in the journal by now.
    let is_now = |growing: &GrowingReply| {
        open.is_some_and(|open| (&growing.turn, growing.step) == (&open.turn, open.step))
    };
    let growing = match is_asking && growing.reply.as_ref().is_some_and(is_now) {
        true => growing,
        false => Growing::default(),
    };
    let steered = open.map(|open| open.steered()).unwrap_or_default();
    Ok(ConversationPage {
        conversation: view::view(calls, row, state, revision).await?,
        items: view::items(&conversation, from..end),
        from: u32::try_from(from).unwrap_or(u32::MAX),
        total: u32::try_from(total).unwrap_or(u32::MAX),
        steered: steered.iter().map(|said| view::steered(said)).collect(),
        coming: growing.coming,
        growing: growing.reply,
        ended: match open {
            Some(_) => None,
            None => conversation.last_end(),
        },
        taken_in: view::taken_in(&conversation),
        imported: u32::try_from(conversation.imported()).unwrap_or(u32::MAX),
    })
}

/// Begins one with what was said in another one before a turn. Fails with `bad_request` where no
/// turn begins.
pub(crate) async fn branch(
    calls: &Calls,
    chats: &Chats,
    of: &ConversationId,
    before: u32,
) -> Result<ConversationView, HostError> {
    tasks::is_for_person(&calls.store().conversations().of(of).await?)?;
    let conversation = latest(calls, chats, of).await?;
    let turn = conversation.turn_at(before as usize).ok_or_else(|| {
        let message = "a branch begins before something that the person said to begin a turn";
        error::host(ErrorCode::BadRequest, message)
    })?;
    let id = ConversationId::random();
    let conversations = calls.store().conversations();
    conversations
        .branch(of, turn.entry as u64, id.clone(), calls.now())
        .await?;
    changed(calls, chats, &id).await
}

/// What is in something that a person attached. Fails with `bad_request` where there is no such thing.
pub(crate) async fn attachment(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    item: u32,
    attachment: u32,
) -> Result<AttachmentContent, HostError> {
    calls.store().conversations().of(id).await?;
    let conversation = latest(calls, chats, id).await?;
    let items = conversation.items();
    let steered = conversation.open().map(|open| open.steered());
    let (item, nth) = (item as usize, attachment as usize);
    let content = |said: &Vec<Said>| {
        let attached = Said::attachments(said).nth(nth);
        attached.map(|attached| attached.content.clone())
    };
    let content = match items.get(item) {
        Some(Item::Said(said)) => content(said),
        Some(Item::Imported(imported)) => match &imported.item {
            TranscriptItem::Said { attached, .. } | TranscriptItem::Task { attached, .. } => {
                attached.get(nth).map(|attached| attached.content.clone())
            }
            _ => None,
        },
        Some(_) => None,
        None => steered
            .and_then(|steered| steered.get(item - items.len()))
            .and_then(content),
    };
    let content = content.ok_or_else(|| {
        let message = format!("nothing of number {attachment} is attached to {item}");
        error::host(ErrorCode::BadRequest, message)
    })?;
    Ok(AttachmentContent { content })
}

/// What the request held that a reply answers. Fails with `bad_request` where there is no such reply,
/// or that was not kept.
pub(crate) async fn ledger(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    reply: u32,
) -> Result<RequestLedger, HostError> {
    calls.store().conversations().of(id).await?;
    let conversation = latest(calls, chats, id).await?;
    let asked = match conversation.items().get(reply as usize) {
        Some(Item::Reply { asked, .. }) => *asked,
        _ => None,
    };
    let entry = match asked {
        Some(asked) => {
            let one = journal::from(calls, id, asked, 1).await?;
            one.into_iter().next()
        }
        None => None,
    };
    match entry {
        Some((
            Entry::Asked {
                step, tokens, held, ..
            },
            _,
        )) => Ok(RequestLedger {
            step,
            tokens,
            parts: held,
        }),
        _ => Err(error::host(
            ErrorCode::BadRequest,
            "this is no reply, or what its request held was not kept",
        )),
    }
}

/// Keeps one at the top, or not any more.
pub(crate) async fn pin(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    is_pinned: bool,
) -> Result<ConversationView, HostError> {
    calls.store().conversations().pin(id, is_pinned).await?;
    changed(calls, chats, id).await
}

/// Has what speaks to the model read for it, or not any more.
pub(crate) async fn set_reader(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    is_on: bool,
) -> Result<ConversationView, HostError> {
    let conversations = calls.store().conversations();
    tasks::is_for_person(&conversations.of(id).await?)?;
    conversations.show_all(id, !is_on).await?;
    changed(calls, chats, id).await
}

/// Calls one something else. Fails with `bad_name`.
pub(crate) async fn rename(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
    title: &str,
) -> Result<ConversationView, HostError> {
    let title = title.trim();
    if !is_one_line(title, LONGEST_TITLE) {
        return Err(error::host(
            ErrorCode::BadName,
            format!("a title is one line of 1 to {LONGEST_TITLE} visible characters"),
        ));
    }
    let title = calls.secrets().masked(title);
    calls.store().conversations().rename(id, title).await?;
    changed(calls, chats, id).await
}

/// Deletes one, with all that was said in it.
pub(crate) async fn delete(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
) -> Result<(), HostError> {
    tasks::is_for_person(&calls.store().conversations().of(id).await?)?;
    // What cannot be read any more goes, too.
    _ = chats.order(calls, id, Order::Leave).await;
    for task in calls.store().conversations().tasks_of(id).await? {
        _ = chats.order(calls, &task, Order::Leave).await;
    }
    calls.store().conversations().delete(id).await?;
    chats.last_read().take_if(|kept| kept.id == *id);
    let conversation = id.clone();
    calls.publish(HostEvent::ConversationDeleted { conversation });
    Ok(())
}

/// Tells every surface how one is now.
pub(super) async fn changed(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
) -> Result<ConversationView, HostError> {
    let revision = revision::next();
    let row = calls.store().conversations().of(id).await?;
    let is_open = journal::open(calls).await?.contains(id);
    let view = view_of(calls, chats, row, is_open, revision).await?;
    let conversation = Box::new(view.clone());
    calls.publish(HostEvent::ConversationChanged { conversation });
    Ok(view)
}
