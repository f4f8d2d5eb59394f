//! May this call run? Pure: values in, a verdict out.
//!
//! Always true here:
//! - a [`PermittedCall`] is made in this crate only, by a grant that fits or by a person's answer;
//! - no clock, disk, network or surface; `now` is an argument;
//! - doubt is a no.

mod decide;
pub mod flow;
mod grant;
mod mark;
mod permitted;
pub mod pin;
mod question;
mod refusal;
mod schema;
mod tool;

pub use decide::{Facts, Verdict, decide};
pub use grant::{Grant, Scope};
pub use mark::Mark;
pub use permitted::{Permission, PermittedCall};
pub use question::{Answer, PATIENCE, Pending, Question, Reason, Subject};
pub use refusal::Refusal;
pub use schema::{SchemaProblem, check_form};
pub use tool::KnownTool;
