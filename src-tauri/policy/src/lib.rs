//! May this call run, and may this be sent? Pure: values in, a verdict out.
//!
//! Always true here:
//! - a [`PermittedCall`] is made in this crate only, by a grant that fits, by a person's answer, or of
//!   one that was sent and goes on ([`PausedCall`]); so is the [`Permitted`] that everything else needs which is sent by somebody's wish (see
//!   [`permit`]);
//! - no clock, disk, network or surface; `now` is an argument;
//! - doubt is a no.

mod address;
mod checked;
mod client_settings;
mod cover;
mod decide;
mod decision;
mod edit;
pub mod flow;
mod grant;
#[cfg(test)]
mod notations;
mod offerings;
mod paths;
mod paused;
mod pending;
pub mod permit;
mod permitted;
pub mod pin;
mod question;
mod question_time;
mod refusal;
mod remember;
mod request;
mod rule;
mod schema;
mod selection;
mod spelling;
mod template;
mod tighten;
mod tool;
mod tool_flags;
pub mod waiting;

pub use address::{HostReadings, hosts_in, only_host};
pub use checked::CheckedCall;
pub use client_settings::{ClientChange, ClientSettings, ToolMode};
pub use cover::{Allowed, Covered, Limit, Places, lies_in};
pub use decide::{Facts, Verdict, decide};
pub use decision::Decision;
pub use edit::{CoveredValueChanged, put_back};
pub use grant::{Effect, Grant, GrantOrigin, LONG_ARGUMENTS, Scope, Setting, UNUSED, is_long};
pub use offerings::{Offerings, RequestOrigin};
pub use paths::{PathReadings, matches_glob, only_path, paths_in};
pub use paused::PausedCall;
pub use pending::{DecisionOutcome, Pending, grant_number};
pub use permit::{
    PendingRequest, Permitted, PermittedRoots, RequestFacts, RequestVerdict, decide_request,
    permit_roots,
};
pub use permitted::{Permission, PermittedCall};
pub use question::{
    AffectedFile, AffectedResources, Budget, ChangeDetail, Confinement, Question, Reason,
    RequestKind, RequestReason, Shown, Subject, WantedChange,
};
pub use question_time::QuestionTime;
pub use refusal::Refusal;
pub use remember::{
    ArgumentOptions, ArgumentScope, Lasting, LimitChoice, MOST_TIMES, Remember, RememberProblem,
    options_for,
};
pub use request::{
    Complete, FilledIn, GetPrompt, ReadResource, ServerRequest, SetLogLevel, SubscribeResource,
};
pub use rule::{
    AdministratorRules, BadDraft, Condition, Context, EnforcementPoint, FoundWhat, Layer,
    LayerRules, PolicyDecision, PolicyRequest, Rule, RuleDraft, RuleEffect, RuleProblem, Rules,
    Target, language,
};
pub use schema::{Schema, SchemaProblem};
pub use selection::{Selected, ToolSelection};
pub use tighten::{Tighter, Varied, tighten};
pub use tool::KnownTool;
pub use tool_flags::ToolFlags;
