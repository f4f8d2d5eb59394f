//! Conversations with models.

use crate::chat::{self, Order};
use crate::rooms::Rooms;
use ::servers::{Surface, revision};
use api::{
    AttachmentContent, BranchConversation, CheckLink, ConversationExport, ConversationPage,
    ConversationView, DeleteConversation, ExportConversation, GoOn, HostError, ImportConversation,
    ListConversations, PinConversation, ReadAttachment, ReadConversation, ReadLedger,
    RenameConversation, RequestLedger, SayInConversation, SetReader, StartConversation,
    StopConversation,
};
use policy::flow::Concern;
use protocol::ConversationId;

pub(crate) async fn list_conversations(
    rooms: &Rooms,
    ListConversations { text }: ListConversations,
    _: &Surface,
) -> Result<Vec<ConversationView>, HostError> {
    chat::list(rooms, rooms.chats(), text).await
}

pub(crate) async fn read_conversation(
    rooms: &Rooms,
    ReadConversation {
        conversation,
        before,
        limit,
    }: ReadConversation,
    _: &Surface,
) -> Result<ConversationPage, HostError> {
    chat::read(rooms, rooms.chats(), &conversation, before, limit).await
}

pub(crate) async fn read_attachment(
    rooms: &Rooms,
    ReadAttachment {
        conversation,
        item,
        attachment,
    }: ReadAttachment,
    _: &Surface,
) -> Result<AttachmentContent, HostError> {
    chat::attachment(rooms, rooms.chats(), &conversation, item, attachment).await
}

pub(crate) async fn start_conversation(
    rooms: &Rooms,
    StartConversation { model, assistant }: StartConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::start(rooms, rooms.chats(), model, assistant).await
}

pub(crate) async fn set_reader(
    rooms: &Rooms,
    SetReader {
        conversation,
        is_on,
    }: SetReader,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::set_reader(rooms, rooms.chats(), &conversation, is_on).await
}

pub(crate) async fn branch_conversation(
    rooms: &Rooms,
    BranchConversation {
        conversation,
        before,
    }: BranchConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::branch(rooms, rooms.chats(), &conversation, before).await
}

pub(crate) async fn read_ledger(
    rooms: &Rooms,
    ReadLedger {
        conversation,
        reply,
    }: ReadLedger,
    _: &Surface,
) -> Result<RequestLedger, HostError> {
    chat::ledger(rooms, rooms.chats(), &conversation, reply).await
}

pub(crate) async fn check_link(
    rooms: &Rooms,
    CheckLink {
        conversation,
        address,
    }: CheckLink,
    _: &Surface,
) -> Result<Vec<Concern>, HostError> {
    chat::check_link(rooms, &conversation, &address).await
}

pub(crate) async fn say_in_conversation(
    rooms: &Rooms,
    SayInConversation {
        conversation,
        text,
        attachments,
        model,
    }: SayInConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    let say = Order::Say {
        text,
        attachments,
        model,
    };
    ordered(rooms, &conversation, say).await
}

pub(crate) async fn stop_conversation(
    rooms: &Rooms,
    StopConversation { conversation, call }: StopConversation,
    _: &Surface,
) -> Result<(), HostError> {
    let order = Order::Stop(call);
    rooms.chats().order(rooms, &conversation, order).await
}

pub(crate) async fn go_on(
    rooms: &Rooms,
    GoOn {
        conversation,
        words,
    }: GoOn,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    ordered(rooms, &conversation, Order::GoOn(words)).await
}

pub(crate) async fn rename_conversation(
    rooms: &Rooms,
    RenameConversation {
        conversation,
        title,
    }: RenameConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::rename(rooms, rooms.chats(), &conversation, &title).await
}

pub(crate) async fn pin_conversation(
    rooms: &Rooms,
    PinConversation {
        conversation,
        is_pinned,
    }: PinConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::pin(rooms, rooms.chats(), &conversation, is_pinned).await
}

pub(crate) async fn delete_conversation(
    rooms: &Rooms,
    DeleteConversation { conversation }: DeleteConversation,
    _: &Surface,
) -> Result<(), HostError> {
    chat::delete(rooms, rooms.chats(), &conversation).await
}

pub(crate) async fn export_conversation(
    rooms: &Rooms,
    ExportConversation {
        conversation,
        format,
    }: ExportConversation,
    _: &Surface,
) -> Result<ConversationExport, HostError> {
    chat::export(rooms, &conversation, format).await
}

pub(crate) async fn import_conversation(
    rooms: &Rooms,
    ImportConversation { text }: ImportConversation,
    _: &Surface,
) -> Result<ConversationView, HostError> {
    chat::import(rooms, rooms.chats(), text).await
}

/// Has something done, and returns the conversation as it is then.
async fn ordered(
    rooms: &Rooms,
    id: &ConversationId,
    order: Order,
) -> Result<ConversationView, HostError> {
    rooms.chats().order(rooms, id, order).await?;
    let revision = revision::next();
    let row = rooms.store().conversations().of(id).await?;
    chat::view_of(rooms, rooms.chats(), row, false, revision).await
}
