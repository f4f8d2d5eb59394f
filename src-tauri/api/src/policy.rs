//! The rules as people read them, and what they would say about a call.

use policy::{EnforcementPoint, Grant, Layer, Reason, Refusal, Rule, RuleProblem};
use protocol::{Caller, RuleId, ServerId, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// All rules, the administrator's first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PolicyView {
    /// One for each who may make rules.
    pub layers: Vec<LayerView>,
}

/// The rules of one who may make rules.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LayerView {
    /// Who.
    pub layer: Layer,
    /// The file in which they stand, if they stand in one.
    pub file: Option<String>,
    /// Whether that file is there; always so for rules that stand in none.
    pub present: bool,
    /// Why none of it can be read. Nothing runs while this is so.
    pub broken: Option<RuleProblem>,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// A call that is only thought of.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct DryRun {
    /// Who would ask.
    pub caller: Caller,
    /// Which server.
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    /// With which arguments.
    #[ts(type = "Record<string, unknown>")]
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Whether to suppose that a value of it came from a stranger.
    #[serde(default)]
    pub from_strangers: bool,
}

/// What would become of a call that is only thought of, and why.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DryRunResult {
    /// What would become of it.
    pub verdict: DryRunVerdict,
    /// What each enforcement point says, in their order.
    pub hooks: Vec<EnforcementPointVerdict>,
    /// The grant that would cover it, if no rule forbids it.
    pub grant: Option<Grant>,
}

/// What would become of a call that is only thought of.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DryRunVerdict {
    /// It would run.
    Allow,
    /// A person would be asked.
    Ask {
        /// Why.
        reason: Reason,
    },
    /// It would be refused.
    Deny {
        /// Why.
        refusal: Refusal,
    },
}

/// What the rules say at one enforcement point.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EnforcementPointVerdict {
    /// Which enforcement point.
    pub hook: EnforcementPoint,
    /// Rules that forbid it.
    pub forbid: Vec<RuleId>,
    /// Rules that want a person to be asked every time.
    pub ask: Vec<RuleId>,
    /// Rules that let it happen without a question.
    pub allow: Vec<RuleId>,
}
