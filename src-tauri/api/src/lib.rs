//! The typed contract between the host and every surface: requests with their replies, events and
//! errors. The source of `ui/src/host/types.gen.ts`.
//!
//! Always true here:
//! - plain data and nothing else: no async, no disk, nothing of how anything is done;
//! - a request is stated once, in [`contract`], with its reply and its power;
//! - no reply and no event carries the value of a secret.

mod applications;
mod approvals;
mod asks;
mod assistants;
mod bounds;
#[cfg(test)]
mod bounds_test;
mod call_result;
mod client;
mod clients;
mod confinement;
mod contract;
mod conversations;
mod draft;
mod error;
mod figures;
mod host;
mod import;
mod limits;
mod log;
mod models;
mod offers;
pub mod own_tools;
mod pins;
mod policy;
mod request;
mod review;
mod runtime;
mod sampling;
mod server;
mod sign_in;
mod telemetry;
#[cfg(test)]
mod types_test;
mod workspaces;

pub use self::policy::{
    DryRun, DryRunResult, DryRunVerdict, EnforcementPointVerdict, LayerView, PolicyView,
};
pub use ::policy::pin::ApprovalStatus;
pub use applications::{
    ApplicationView, Bypass, ConnectionChange, ConnectionPlan, ConnectionPreview, ConnectionState,
    DifferenceLine, FileFate, LineKind, TakesUp,
};
pub use approvals::{
    BatchDecision, BatchOutcome, DecisionPreview, PastCall, SeenValues, Tightening,
};
pub use asks::AskRefusal;
pub use assistants::{
    AssistantExport, AssistantFile, AssistantView, LONGEST_ASSISTANT_NAME, LONGEST_DESCRIPTION,
    LONGEST_INSTRUCTIONS,
};
pub use bounds::{
    MOST_ACCOUNTS, MOST_ASSISTANTS, MOST_ATTACHED, MOST_ATTACHMENTS, MOST_CLIENTS, MOST_FOLDERS,
    MOST_IMPORTED, MOST_MODELS, MOST_QUERIES, MOST_RULES, MOST_SERVERS, MOST_WORKSPACES,
    json_bytes, room_for_one,
};
pub use call_result::{CallResult, FullResult};
pub use client::{AnyReply, read, taken};
pub use clients::{
    ClientCarrier, ClientConnection, ClientView, FoundTool, GATEWAY_PATH, GatewayView, ToolCosts,
    ToolCounts, ToolsFound, UsableTool, gateway_address,
};
pub use confinement::{
    ConfinementView, PathReason, ReachablePath, RefusedBecause, RefusedFile, RefusedHost,
};
pub use contract::*;
pub use conversations::{
    AttachmentContent, AttachmentKind, AttachmentView, BrokenReply, ConversationExport,
    ConversationFormat, ConversationItem, ConversationPage, ConversationState, ConversationText,
    ConversationView, GrowingReply, ModelCallOutcome, NewAttachment, NoAnswerReason, NotRunReason,
    PauseReason, PictureSize, ReplyItem, ReplyPiece, RequestLedger, Steered, TakenIn, TaskView,
    UnknownReason,
};
pub use draft::{DraftPem, DraftSetting, DraftTarget, DraftValue, KeepSecrets, ServerDraft};
pub use error::{ErrorCode, HostError};
pub use figures::{
    ActivityFigures, CallerFigures, OutcomeCount, ServerFigures, SpanFigures, SpanUnit, TimeFigures,
};
pub use host::{
    ApproverKind, EventEnvelope, HostEvent, HostInfo, KeyringStatus, LogExport, RunningCall,
    Snapshot, UnknownCall,
};
pub use import::{
    Application, FoundConfiguration, ImportChoice, ImportEntry, ImportFailure, ImportOutcome,
    ImportPreview, ImportSource,
};
pub use limits::{
    CALL_DEADLINE, CALL_MAXIMUM, IDLE_TIME, RESTART_FIRST, RESTART_LONGEST, RESTARTS,
    START_DEADLINE,
};
pub use log::{
    ActivityDetail, ActivityFilter, ActivityPage, ActivityReason, ActivityRow, ActivitySegment,
    AnchorCheck, AnchorExport, AnchorPlace, Compacted, ExportFormat, KeyPlace, LogReport, Outcome,
    Signed,
};
pub use models::{
    DraftKey, LocalModels, LocalProgram, ModelCheck, ModelDraft, ModelView, OfferedModel,
};
pub use offers::{FrameView, LoggedLine, ProtocolLog, ResourceList, WireLog};
pub use pins::{Alike, FeatureDecision, FeatureView, FeaturesReview, Resemblance};
pub use request::{Power, Request, Visitor};
pub use review::{ArgumentFolder, Review, ReviewWarning, Runtime};
pub use sampling::{SamplingSettings, SamplingView};
pub use server::{
    Capabilities, DownloadView, EraView, RootView, ServerClaims, ServerLog, ServerState,
    ServerUsage, ServerView, ToolView,
};
pub use sign_in::{
    DoctorProblem, DoctorReport, DoctorStep, DoctorWhat, OauthClientDraft, OauthClientView,
    SignInApprovals, SignInStatus, SignInView,
};
pub use telemetry::{TelemetrySettings, TelemetryView};
pub use workspaces::{WorkspaceServer, WorkspaceView};
