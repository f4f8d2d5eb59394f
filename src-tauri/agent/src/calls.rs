//! A call that a model wants, from the reply that wants it to its end.

use crate::{ModelCall, NotRun, Outcome, Purse, Reply, StopReason, ToolRef, ToolTable};
use protocol::{CallId, Fingerprint, TurnId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// After how many equal calls with equal results the next one is not made.
const MOST_EQUAL: usize = 3;
/// For how many names that are none near ones are looked for in one reply.
const MOST_MISNAMED: usize = 8;

/// What is done with a call of a reply. It is decided when the reply comes, and written with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// Our number of it. Whoever makes calls makes no number twice.
    pub call: CallId,
    /// The tool that is called, if it is to be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolRef>,
    /// Why it is not, otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<NotRun>,
}

/// A call of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Our number of it.
    pub id: CallId,
    /// What the model wants.
    pub wanted: ModelCall,
    /// The tool, where there is one.
    pub tool: Option<ToolRef>,
    /// How it has ended, once it has.
    pub outcome: Option<Outcome>,
}

/// A call to be made now, by the walk that every call takes.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOrder {
    /// Our number of it.
    pub id: CallId,
    /// Which tool.
    pub tool: ToolRef,
    /// With what.
    pub arguments: Map<String, Value>,
}

/// Decides about the calls of a reply, in the model's order.
pub(crate) fn plan(
    reply: &Reply,
    at: (&TurnId, u32),
    tools: &ToolTable,
    left: Purse,
    closing: bool,
    before: &[Equal],
) -> Vec<Planned> {
    let mut left = left.calls;
    let mut misnamed = 0;
    let mut planned = Vec::new();
    for (number, wanted) in reply.calls().enumerate() {
        let (tool, not_run) = match fit(reply, wanted, tools, closing, before) {
            Ok(_) if left == 0 => (None, Some(NotRun::PurseSpent)),
            Ok(tool) => {
                left -= 1;
                (Some(tool), None)
            }
            Err(NotRun::NoSuchTool { .. }) => {
                misnamed += 1;
                let is_looked_for = misnamed <= MOST_MISNAMED;
                let near = is_looked_for.then(|| tools.near(&wanted.name));
                let near = near.unwrap_or_default();
                (None, Some(NotRun::NoSuchTool { near }))
            }
            Err(why) => (None, Some(why)),
        };
        planned.push(Planned {
            call: number_of(at, number),
            tool,
            not_run,
        });
    }
    planned
}

fn fit(
    reply: &Reply,
    wanted: &ModelCall,
    tools: &ToolTable,
    closing: bool,
    before: &[Equal],
) -> Result<ToolRef, NotRun> {
    if matches!(reply.stop, StopReason::Length | StopReason::Refused { .. }) {
        return Err(NotRun::ReplyCut);
    }
    if closing {
        return Err(NotRun::PurseSpent);
    }
    let Some(offered) = tools.by_name(&wanted.name) else {
        return Err(NotRun::NoSuchTool { near: Vec::new() });
    };
    if wanted.invalid.is_some() {
        let problem = "they are not a JSON object".to_owned();
        return Err(NotRun::Arguments { problem });
    }
    let tool = ToolRef {
        server: offered.server.clone(),
        tool: offered.spec.name.clone(),
    };
    let same = Equal::key(&tool, &wanted.arguments);
    let mut results = before.iter().filter(|equal| equal.call == same).rev();
    let last = results.next();
    let times = 1 + results
        .take_while(|equal| Some(&equal.result) == last.map(|last| &last.result))
        .count();
    if last.is_some() && times >= MOST_EQUAL {
        return Err(NotRun::Repeated);
    }
    Ok(tool)
}

/// The number of a call: always the same for the same place in a conversation, so that a reply that
/// is looked at once more cannot have its calls made once more.
fn number_of((turn, step): (&TurnId, u32), number: usize) -> CallId {
    let place = Fingerprint::of(&json!([turn, step, number]));
    let hex = place.as_str().rsplit(':').next().unwrap_or_default();
    CallId(format!("call-{}", hex.get(..32).unwrap_or(hex)))
}

/// A call that was made in this turn and what came of it, for telling whether it goes in circles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Equal {
    call: Fingerprint,
    result: Fingerprint,
}

impl Equal {
    pub(crate) fn of(call: &Call, outcome: &Outcome) -> Option<Self> {
        let result = match outcome {
            Outcome::Answered { answer } => {
                json!([answer.result.is_error, answer.result.as_text()])
            }
            other => json!(other.words()),
        };
        Some(Self {
            call: Self::key(call.tool.as_ref()?, &call.wanted.arguments),
            result: Fingerprint::of(&result),
        })
    }

    fn key(tool: &ToolRef, arguments: &Map<String, Value>) -> Fingerprint {
        Fingerprint::of(&json!([tool.server, tool.tool, arguments]))
    }
}
