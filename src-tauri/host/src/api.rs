//! Every request a surface can make, every answer and every event. The source of `ui/src/host/types.gen.ts`.
//!
//! Always true here: no answer and no event carries the value of a secret. Values of secrets travel inwards only, in a
//! [`DraftValue::NewSecret`].

mod answered;
mod approvals;
mod asks;
mod draft;
mod error;
mod host;
mod import;
mod limits;
mod offers;
mod pins;
mod policy;
mod request;
mod review;
mod sampling;
mod server;
mod sign_in;
mod telemetry;
mod workspaces;

pub use self::policy::{HookVerdict, LayerView, PolicyView, Supposed, SupposedVerdict, Supposition};
pub use ::policy::pin::Standing;
pub use answered::Answered;
pub use approvals::{AnswerPreview, BatchAnswer, BatchOutcome, PastCall, SeenValues, Tightening};
pub use asks::AskRefusal;
pub use draft::{DraftPem, DraftSetting, DraftTarget, DraftValue, KeepSecrets, ServerDraft};
pub use error::{ErrorCode, HostError};
pub use host::{ApproverKind, Export, HostEvent, HostInfo, KeyringStatus, LogExport, Numbered, RunningCall, Snapshot, UnknownCall};
pub use import::{Application, FoundConfiguration, ImportChoice, ImportEntry, ImportFailure, ImportOutcome, ImportPreview, ImportSource};
pub use limits::{CALL_DEADLINE, CALL_MAXIMUM, RESTART_FIRST, RESTART_LONGEST, RESTARTS, START_DEADLINE};
pub use offers::{Exchange, FrameView, LoggedLine, ProtocolLog, ResourceList};
pub use pins::{Alike, OfferDecision, OfferView, OffersReview, Resemblance};
pub use request::Request;
pub use review::{Review, ReviewWarning, Runtime};
pub use sampling::{SamplingSettings, SamplingView};
pub use server::{Abilities, EraView, RootView, ServerClaims, ServerLog, ServerState, ServerView, ToolView};
pub use sign_in::{ClientDraft, ClientView, DoctorProblem, DoctorReport, DoctorStep, DoctorWhat, SignInApprovals, SignInState, SignInView};
pub use store::{
    ActivityDetail, ActivityFilter, ActivityPage, ActivityRow, AnchorCheck, AnchorExport, AnchorPlace, Compacted, ExportFormat, KeyPlace,
    LogReport, Outcome, Signed,
};
pub use telemetry::{TelemetrySettings, TelemetryView};
pub use workspaces::{WorkspaceServer, WorkspaceView};
