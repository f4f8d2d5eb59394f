//! A call whose arguments were compared with the schema of its tool.
//!
//! Always true here: what was compared is what is sent; nobody changes the call afterwards.

use crate::{KnownTool, Refusal, Schema, SchemaProblem};
use protocol::{Fingerprint, ToolCall};
use serde_json::Value;

/// A call whose arguments were compared with the input schema of one definition of its tool, with
/// what came of it.
#[derive(Debug, Clone)]
pub struct CheckedCall {
    call: ToolCall,
    tool: Fingerprint,
    fits: Result<(), SchemaProblem>,
}

impl CheckedCall {
    /// Compares the arguments with the input schema of the tool, compiled. It may take a part of a
    /// second, unless it [is quick](Schema::is_quick).
    pub fn new(mut call: ToolCall, tool: &KnownTool, input: &Schema) -> Self {
        let arguments = Value::Object(std::mem::take(&mut call.arguments));
        let fits = input.check(&arguments);
        if let Value::Object(arguments) = arguments {
            call.arguments = arguments;
        }
        Self {
            call,
            tool: tool.fingerprint().clone(),
            fits,
        }
    }

    /// The same, if it [is quick](Schema::is_quick); otherwise the call as it was.
    pub fn if_quick(
        mut call: ToolCall,
        tool: &KnownTool,
        input: &Schema,
    ) -> Result<Self, Box<ToolCall>> {
        let arguments = Value::Object(std::mem::take(&mut call.arguments));
        let is_quick = input.is_quick(&arguments);
        if let Value::Object(arguments) = arguments {
            call.arguments = arguments;
        }
        if is_quick {
            Ok(Self::new(call, tool, input))
        } else {
            Err(Box::new(call))
        }
    }

    /// A call with which nothing was compared. Wherever it matters whether the arguments fit, they do
    /// not.
    pub fn unchecked(call: ToolCall, tool: &KnownTool) -> Self {
        Self {
            call,
            tool: tool.fingerprint().clone(),
            fits: Err(SchemaProblem::TooLarge),
        }
    }

    /// The call.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Whether its arguments fit the tool as it is now; why not, if so.
    pub fn fits(&self, now: &KnownTool) -> Result<(), Refusal> {
        if self.tool != *now.fingerprint() {
            return Err(Refusal::ChangedWhileAsking);
        }
        self.fits.clone().map_err(Refusal::from)
    }

    /// The call, if its arguments fit the tool as it is now.
    pub(crate) fn fitting(self, now: &KnownTool) -> Result<ToolCall, Refusal> {
        self.fits(now).map(|()| self.call)
    }
}
