//! Conversations with models, as surfaces show them.

use crate::ErrorCode;
use protocol::{
    AssistantId, CallId, Content, ConversationId, Label, ModelId, RequestPart, ServerId, Timestamp,
    ToolName, ToolResult, TurnEnd, TurnId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A conversation, without what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ConversationView {
    /// Its number.
    pub id: ConversationId,
    /// Greater the later was looked: of two views the one with the greater number is the newer one.
    #[ts(type = "number")]
    pub revision: u64,
    /// What it is called; empty until something was said in it.
    pub title: String,
    /// The model that answers next, if it is still there.
    pub model: Option<ModelId>,
    /// What is going on in it.
    pub state: ConversationState,
    /// Whether the person wants it at the top.
    pub is_pinned: bool,
    /// The assistant that answers in it, if it is one. That one may be gone.
    pub assistant: Option<AssistantId>,
    /// The conversation that gave the task that is done in it, if one is: nothing can be said in it.
    pub task_of: Option<ConversationId>,
    /// Whether what speaks to the model is read for it, and not shown to it. In a task it is as in
    /// the conversation that the person has begun.
    pub has_reader: bool,
    /// The conversation whose beginning it took over, if it is a branch. That one may be gone.
    pub branch_of: Option<ConversationId>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When something was said or done in it last.
    pub changed_at: Timestamp,
}

/// What is going on in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConversationState {
    /// Nothing: the person may say something.
    Idle,
    /// The model is asked, and its reply is waited for.
    Asking,
    /// The service of the model has too much to do: the same is asked again.
    Retrying {
        /// When, in seconds from when this was told.
        seconds: u32,
    },
    /// Tools are called.
    Calling,
    /// A person is to say whether it goes on.
    Paused {
        /// Why.
        why: PauseReason,
    },
    /// An earlier run of the application left it in the middle. It is taken up with the next thing
    /// that is wanted of it.
    Left,
}

/// Why a turn waits for a person to let it go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// It has taken as many requests, calls or tokens as a turn may.
    PurseSpent,
    /// The same calls kept having the same results.
    Loops,
}

/// Part of what was said in a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ConversationPage {
    /// The conversation.
    pub conversation: ConversationView,
    /// What was said, in its order.
    pub items: Vec<ConversationItem>,
    /// The number of the first of these, from 0.
    pub from: u32,
    /// How many there are in all.
    pub total: u32,
    /// What the person said while the model answered; it is sent with the next request.
    pub steered: Vec<Steered>,
    /// What has come so far of the reply that is coming in.
    pub coming: Vec<ReplyItem>,
    /// Which reply that is, and with which piece it goes on.
    pub growing: Option<GrowingReply>,
    /// How the last turn has ended, if one has and none goes on.
    pub ended: Option<TurnEnd>,
    /// From which servers it has taken something in, the first first.
    pub taken_in: Vec<TakenIn>,
    /// How many things at its beginning were imported from a file: nothing in them is the word of
    /// whom it is said to be.
    pub imported: u32,
}

/// What a conversation has taken in from one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TakenIn {
    /// The server.
    pub server: ServerId,
    /// All of it together: from which tools it is, how far it may be believed, and who may read it.
    pub label: Label,
    /// The number of what the person said with which the turn began that first took something in: a
    /// branch before it is free of this server.
    pub since: u32,
}

/// What a person says while a model answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Steered {
    /// Their words.
    pub text: String,
    /// What they attached.
    pub attached: Vec<AttachmentView>,
}

/// Something that a person attaches to what they say, as it is on their computer.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct NewAttachment {
    /// The name of the file, or what else to call it.
    pub name: String,
    /// Base64 of a text in UTF-8 or UTF-16, or of a PNG, JPEG, GIF or WebP picture.
    pub data: String,
}

/// What a person attached, without what is in it: that is read on its own ([`crate::ReadAttachment`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AttachmentView {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: AttachmentKind,
    /// How much is in it, in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
}

/// What kind of thing is attached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AttachmentKind {
    /// A text.
    Text,
    /// A picture.
    Picture {
        /// Its media type.
        mime_type: String,
        /// How large it is, where that can be read.
        size: Option<PictureSize>,
    },
}

/// How large a picture is, as it says itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PictureSize {
    /// Its width in points.
    pub width: u32,
    /// Its height in points.
    pub height: u32,
}

/// What is in an attachment, as the model gets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AttachmentContent {
    /// Texts and pictures, with everything covered that is to be.
    pub content: Vec<Content>,
}

/// One thing in a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConversationItem {
    /// What the person said.
    Said {
        /// Their words.
        text: String,
        /// What they attached.
        attached: Vec<AttachmentView>,
        /// Whether a turn begins with it: a branch can begin before it.
        begins_turn: bool,
    },
    /// What another model gave it to do. It is nobody's word.
    Task {
        /// The task.
        text: String,
        /// What it is to read for it.
        attached: Vec<AttachmentView>,
        /// Of what the words of the task may be made.
        label: Label,
    },
    /// The person has let a turn go on.
    LetGoOn,
    /// What a model answered.
    Reply {
        /// The model, as its service calls it.
        model: String,
        /// What it answered, in its order.
        parts: Vec<ReplyItem>,
        /// Why it did not come to its end, if it did not.
        broke: Option<BrokenReply>,
        /// Tokens that it has read, where its service says so.
        #[ts(type = "number | null")]
        read: Option<u64>,
        /// Tokens that it has written, where its service says so.
        #[ts(type = "number | null")]
        written: Option<u64>,
        /// About how many tokens it was sent.
        #[ts(type = "number")]
        sent: u64,
        /// Whether its service has taken in less than that: what stood first was dropped without a
        /// word.
        was_truncated: bool,
        /// Whether it is known what the request held that it answers.
        has_ledger: bool,
    },
}

/// Why a reply did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum BrokenReply {
    /// The person has stopped it.
    Stopped,
    /// The application ended.
    ApplicationEnded,
    /// The service failed, or the connection to it.
    Failed {
        /// What kind of failure it is, where it is one that a person knows a way out of.
        code: Option<ErrorCode>,
        /// What happened, in one sentence.
        message: String,
    },
}

/// One part of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReplyItem {
    /// Words for the person. They are a stranger's.
    Text {
        /// The words.
        text: String,
    },
    /// What the model thought, as far as its service shows it.
    Reasoning {
        /// The words.
        text: String,
    },
    /// A picture that the model made.
    Image {
        /// Base64.
        data: String,
        /// Its media type, as the service says.
        mime_type: String,
    },
    /// A call that the model wants.
    Call {
        /// Our number of it.
        call: CallId,
        /// The tool as the model names it.
        name: String,
        /// Which server, if there is such a tool.
        server: Option<ServerId>,
        /// Which of its tools.
        tool: Option<ToolName>,
        /// The task that it gives away, if it gives one.
        task: Option<Box<TaskView>>,
        /// With what.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
        /// How it has ended, once it has.
        outcome: Option<ModelCallOutcome>,
    },
}

/// A task that a model gives away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskView {
    /// What whoever does it is called; none for the reader.
    pub helper: Option<String>,
    /// The conversation in which it is done, once it was begun.
    pub conversation: ConversationId,
}

/// How a call has ended that a model wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ModelCallOutcome {
    /// It was carried out, and answered; the answer may say that it failed.
    Answered {
        /// What came back.
        result: Box<ToolResult>,
        /// From whom it is, how far it may be believed, and who may read it.
        label: Label,
        /// When it came.
        at: Timestamp,
    },
    /// A person has said no.
    Denied {
        /// Why, in their words.
        reason: Option<String>,
    },
    /// It was not carried out for another reason.
    NotRun {
        /// Why; not known of a call in a file that was imported.
        why: Option<NotRunReason>,
        /// What the model is told of it, word for word.
        told: String,
    },
    /// Nobody knows whether it was carried out.
    Unknown {
        /// Why; not known of a call in a file that was imported.
        why: Option<UnknownReason>,
        /// What the model is told of it, word for word.
        told: String,
    },
    /// It gave a task away, which has ended.
    Helped {
        /// The answer, where there is one. It is a stranger's.
        answer: Option<String>,
        /// Why there is none; not known of a call in a file that was imported.
        why: Option<NoAnswerReason>,
        /// What the model is told of it, word for word.
        told: String,
        /// Whether there is no answer.
        is_error: bool,
        /// Whether it holds no words of whoever wrote what was read for it: an answer of a kind that
        /// can hold nothing but what was asked for, or why there is none.
        is_closed: bool,
        /// From whom all is that was read for it, how far that may be believed, and who may read it.
        label: Label,
        /// When it ended.
        at: Timestamp,
    },
    /// It was of a tool of this application, which is part of the conversation.
    Own {
        /// What the model is told of it, word for word.
        told: String,
    },
}

/// Why a call was not carried out that a model wanted, and no person has said no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NotRunReason {
    /// It may not be made here, and nobody was asked.
    Refused,
    /// The person has stopped it, or all of the turn.
    Stopped,
    /// The reply that wanted it was cut.
    ReplyCut,
    /// Its arguments are not valid.
    Arguments,
    /// Its server, or something on the way to it, cannot be used now.
    Unavailable,
    /// There is no tool of this name.
    NoSuchTool,
    /// The turn has used up what it may take.
    PurseSpent,
    /// The same calls kept having the same results.
    Repeated,
    /// The application ended before it was looked at.
    ApplicationEnded,
}

/// Why nobody knows whether a call was carried out that a model wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// The application ended while it ran.
    ApplicationEnded,
    /// The server stopped while it ran.
    ServerStopped,
    /// There was no answer in time.
    NoAnswer,
    /// It was stopped while it ran, and nothing was heard of it since.
    Stopped,
}

/// Why a task has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoAnswerReason {
    /// What was read does not tell.
    CannotTell,
    /// Whoever did it answered in another form than was asked for.
    OtherKind,
    /// They said nothing.
    Silent,
    /// The person has stopped it.
    Stopped,
    /// A reply did not come to its end.
    Broke,
    /// A reply was too long.
    Cut,
    /// They, or their service, refused.
    Refused,
    /// The turn has used up what it may take.
    PurseSpent,
    /// The same calls kept having the same results.
    Loops,
    /// What they have to read is more than they can read at once.
    ContextFull,
    /// Another model would have to go on with it.
    ModelChanged,
}

/// A reply that is coming in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrowingReply {
    /// In which turn.
    pub turn: TurnId,
    /// To which request of it, counted from 1.
    pub step: u32,
    /// How many pieces of it have been told: the number of the next one.
    pub pieces: u32,
}

/// Words of a reply that have just come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReplyPiece {
    /// In which turn.
    pub turn: TurnId,
    /// To which request of it, counted from 1.
    pub step: u32,
    /// The number of this piece, from 0. A gap means: read the conversation again.
    pub piece: u32,
    /// The words. They are a stranger's.
    pub text: String,
    /// Whether the model thinks them, and they are no part of its answer.
    pub is_reasoning: bool,
}

/// What a request to a model held, and what was left out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RequestLedger {
    /// Which request of its turn it was, counted from 1.
    pub step: u32,
    /// About how many tokens it took, as estimated before it was sent.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Its parts, in the order in which they were sent.
    pub parts: Vec<RequestPart>,
}

/// How a conversation is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConversationFormat {
    /// For people.
    Markdown,
    /// For programs, with every call in full.
    Json,
}

/// The text of a file in which a conversation was saved as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct ConversationText(pub String);

/// A conversation, written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConversationExport {
    /// A name for the file.
    pub file_name: String,
    /// Its text.
    pub text: String,
}
