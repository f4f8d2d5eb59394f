//! May this call run? Pure: values in, a verdict out.
//!
//! Always true here:
//! - a [`PermittedCall`] is made in this crate only, by a grant that fits or by a person's answer;
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
mod pending;
mod permitted;
pub mod pin;
mod question;
mod refusal;
mod remember;
mod rule;
mod schema;
mod tighten;
mod tool;

pub use address::{bare_host, host_of, hosts_named};
pub use answer::Answer;
pub use cover::{Allowed, Covered, Limit, Places, lies_in};
pub use decide::{Facts, Verdict, decide};
pub use edit::{CoveredValueChanged, put_back};
pub use grant::{Effect, Grant, GrantOrigin, LONG_ARGUMENTS, Scope, Setting, UNUSED, is_long};
pub use mark::Mark;
pub use pending::{Answered, Pending};
pub use permitted::{Permission, PermittedCall};
pub use question::{Budget, Confinement, PATIENCE, Question, Reason, Shown, Subject, TouchedFile, Touches};
pub use refusal::Refusal;
pub use remember::{ArgumentOptions, Cover, Lasting, LimitChoice, MOST_TIMES, Remember, RememberProblem, options_for};
pub use rule::{
    AdministratorRules, BadDraft, Circumstances, Condition, FoundWhat, Hook, Layer, LayerRules, Occasion, Rule, RuleDraft, RuleEffect,
    RuleProblem, Rules, Ruling, language,
};
pub use schema::{SchemaProblem, check_form};
pub use tighten::{Tighter, Varied, tighten};
pub use tool::KnownTool;
