//! The words everyone shares: who calls, which tool of which server, with what, and what came back.
//!
//! Always true here:
//! - no async, no disk, no network, no clock;
//! - a `Secret` cannot be printed, compared by accident or written to JSON;
//! - two definitions with the same meaning have the same `Fingerprint`, whatever the order of their
//!   keys.

mod answer_type;
mod assistant;
mod budget;
mod call;
mod caller;
mod codex;
mod confinement;
mod containment;
mod envelope;
mod era;
mod feature;
mod fingerprint;
mod form;
mod header_parameters;
mod hidden;
mod identity;
mod ids;
mod joint_name;
mod label;
mod launch;
mod listed_host;
mod model;
mod near;
mod prompt;
mod request_part;
mod resource;
mod ring;
mod root;
mod runs;
mod said;
mod secret;
mod time;
mod token_hash;
mod tokens;
mod tool;
mod tool_result;
mod turn_end;

pub use answer_type::{AnswerType, NoAnswerType};
pub use assistant::{AssistantSettings, AssistantTools, ChosenTool};
pub use budget::{Budget, Reserved, weight_of, weight_of_map};
pub use call::ToolCall;
pub use caller::{Caller, CallerError, CallerFilter, CallerId, CallerKind, OtherKind};
pub use codex::CodexApproval;
pub use confinement::{ConfinementSettings, ConfinementTier, GivenPath, NetworkAccess};
pub use containment::Containment;
pub use envelope::{Boundary, DataSource, Provenance, envelope};
pub use era::{Era, EraChoice};
pub use feature::{Feature, FeatureKey, FeatureKind};
pub use fingerprint::{Fingerprint, canonical_json, settled};
pub use header_parameters::HeaderParameters;
pub use hidden::{has_hidden, hidden_places, is_one_line, reveal, visible_mark};
pub use identity::{
    FileIdentity, Identity, IdentityChange, IdentityPiece, ImageIdentity, Looked, ModulesIdentity,
    PackageIdentity, ProgramIdentity, Unread, UnreadReason,
};
pub use ids::{
    AssistantId, CallId, ConversationId, GrantId, ModelId, NameError, QuestionId, RuleId, RunId,
    SecretId, ServerId, ToolName, TurnId, WorkspaceId,
};
pub use joint_name::{SEPARATOR, is_changed_name, joint_name};
pub use label::{Confidentiality, Label, Origin, Trust};
pub use launch::{
    ClientIdentity, HttpLaunch, Launch, PemPlace, Setting, SettingValue, StdioLaunch,
};
pub use listed_host::{ListedHost, ListedHostError};
pub use model::{ModelService, ModelSettings};
pub use near::name_distance;
pub use prompt::{
    Completion, CompletionOf, PromptArgument, PromptMessage, PromptResult, PromptSpec,
};
pub use request_part::{RequestPart, RequestPartKind};
pub use resource::{ResourceResult, ResourceSpec, TemplateSpec};
pub use ring::{Ring, Weigh};
pub use root::Root;
pub use runs::Runs;
pub use said::{LogLevel, LogLine, Sample, UrlAsk, UrlResult};
pub use secret::Secret;
pub use time::Timestamp;
use time::days_of_month;
pub use token_hash::{NoTokenHash, TokenHash};
pub use tokens::estimated_tokens;
pub use tool::{ToolPart, ToolSpec};
pub use tool_result::{Content, Form, FormResult, ResultNote, ToolResult};
pub use turn_end::TurnEnd;
