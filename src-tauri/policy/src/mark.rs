//! What a person says about a tool, beyond what its server says.
//!
//! Always true here: a mark only ever makes the host more careful.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a person says about a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Mark {
    /// It does something that matters, or hands something on: what goes into it is looked at,
    /// whatever its name says.
    pub consequential: bool,
    /// What it returns is secret: it goes to nobody whom the person did not name.
    pub secret: bool,
}
