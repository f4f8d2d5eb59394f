//! May this call run, and may this be sent? Pure: values in, a verdict out.
//!
//! Always true here:
//! - a [`PermittedCall`] is made in this crate only, by a grant that fits, by a person's answer, or of
//!   one that was sent and goes on ([`PausedCall`]); so is the [`Permitted`] that everything else needs which is sent by somebody's wish (see
//!   [`permit`]);
//! - no clock, disk, network or surface; `now` is an argument;
//! - doubt is a no.

mod address;
mod answer;
mod cover;
mod decide;
mod edit;
pub mod flow;
mod grant;
mod mark;
mod offerings;
mod paused;
mod pending;
pub mod permit;
mod permitted;
pub mod pin;
mod question;
mod refusal;
mod remember;
mod request;
mod rule;
mod schema;
mod template;
mod tighten;
mod tool;
pub mod waiting;

pub use address::{bare_host, host_of, hosts_named};
pub use answer::Answer;
pub use cover::{Allowed, Covered, Limit, Places, lies_in};
pub use decide::{Facts, Verdict, decide};
pub use edit::{CoveredValueChanged, put_back};
pub use grant::{Effect, Grant, GrantOrigin, LONG_ARGUMENTS, Scope, Setting, UNUSED, is_long};
pub use mark::Mark;
pub use offerings::{Offerings, RequestOrigin};
pub use paused::PausedCall;
pub use pending::{Answered, Pending, grant_number};
pub use permit::{
    PendingRequest, Permitted, PermittedRoots, RequestFacts, RequestVerdict, decide_request,
    permit_roots,
};
pub use permitted::{Permission, PermittedCall};
pub use question::{
    Budget, ChangeDetail, Confinement, PATIENCE, Question, Reason, RequestKind, RequestReason,
    Shown, Subject, TouchedFile, Touches, WantedChange,
};
pub use refusal::Refusal;
pub use remember::{
    ArgumentOptions, Cover, Lasting, LimitChoice, MOST_TIMES, Remember, RememberProblem,
    options_for,
};
pub use request::{
    Complete, GetPrompt, ReadResource, ServerRequest, SetLogLevel, SubscribeResource,
};
pub use rule::{
    AdministratorRules, BadDraft, Circumstances, Condition, FoundWhat, Hook, Layer, LayerRules,
    Occasion, Rule, RuleDraft, RuleEffect, RuleProblem, Rules, Ruling, Target, language,
};
pub use schema::{SchemaProblem, check_form};
pub use tighten::{Tighter, Varied, tighten};
pub use tool::KnownTool;
