//! A call that a model wants, from the reply that wants it to its end.

use crate::calculate::{self, CALCULATE};
use crate::helper::Helpers;
use crate::search::{self, Finder, SEARCH};
use crate::{
    Closing, Conversation, ModelCall, NotRun, Open, Outcome, OwnAnswer, Reply, Setting, StopReason,
    Task, ToolRef, ToolTable,
};
use protocol::{CallId, Content, Fingerprint, ToolResult, TurnId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// After how many equal calls with equal results the next one is not made.
const MOST_EQUAL: usize = 3;
/// For how many names that are none near ones are looked for in one reply.
const MOST_MISNAMED: usize = 8;

/// A call that a reply wants, and what is done with it. It is decided when the reply comes, and
/// written with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// Our number of it. Whoever makes calls makes no number twice.
    pub call: CallId,
    /// What is done.
    pub plan: Plan,
}

/// What is done with a call that a model wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Plan {
    /// It is made.
    Make {
        /// Of which tool.
        tool: ToolRef,
    },
    /// It is not.
    NotRun {
        /// Why.
        why: NotRun,
    },
    /// It gives a task away.
    Give {
        /// The task.
        task: Task,
    },
    /// It is one of a tool of ours, and has come to this.
    Own {
        /// To what.
        answer: OwnAnswer,
    },
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
    /// The task that it gives away, if it gives one.
    pub task: Option<Task>,
    /// How it has ended, once it has.
    pub outcome: Option<Outcome>,
}

impl Call {
    /// Whether it counts against what a turn may take.
    pub(crate) fn counts(&self) -> bool {
        let is_own = matches!(self.outcome, Some(Outcome::Own { .. }));
        self.tool.is_some() || self.task.is_some() || is_own
    }

    /// Whether it is made, and has an end that is heard.
    pub(crate) fn is_made(&self) -> bool {
        self.tool.is_some() || self.task.is_some()
    }
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
    (conversation, open): (&Conversation, &Open),
    step: u32,
    setting: &Setting,
) -> Vec<Planned> {
    let mut planner = Planner {
        is_cut: matches!(reply.stop, StopReason::Length | StopReason::Refused { .. }),
        closing: open.closing,
        tools: &setting.tools,
        helpers: Helpers::of(setting, conversation),
        calculates: setting.calculates,
        searches: search::is_needed(setting),
        finder: None,
        before: &open.repeats,
        left: open.left().calls,
        misnamed: 0,
        made: HashMap::new(),
    };
    let planned = reply.calls().enumerate().map(|(number, wanted)| Planned {
        call: number_of((&open.turn, step), number),
        plan: planner
            .fit(wanted)
            .unwrap_or_else(|why| Plan::NotRun { why }),
    });
    planned.collect()
}

struct Planner<'a> {
    is_cut: bool,
    closing: Option<Closing>,
    tools: &'a ToolTable,
    helpers: Helpers<'a>,
    calculates: bool,
    /// Whether tools are looked for.
    searches: bool,
    /// They are made ready to be searched once for a reply.
    finder: Option<Finder<'a>>,
    before: &'a [RepeatKey],
    left: u32,
    misnamed: usize,
    /// How often each call is made that this reply wants.
    made: HashMap<Fingerprint, usize>,
}

impl Planner<'_> {
    fn fit(&mut self, wanted: &ModelCall) -> Result<Plan, NotRun> {
        if self.is_cut {
            return Err(NotRun::ReplyCut);
        }
        match self.closing {
            Some(Closing::PurseSpent) => return Err(NotRun::PurseSpent),
            Some(Closing::Loops) => return Err(NotRun::Repeated),
            None => {}
        }
        if self.searches && wanted.name == SEARCH {
            return self.search(wanted);
        }
        if self.calculates && wanted.name == CALCULATE {
            return self.calculate(wanted);
        }
        if let Some(task) = self.helpers.task(wanted) {
            let task = task.map_err(|problem| NotRun::Arguments { problem })?;
            self.count(RepeatKey::of_own(wanted))?;
            return Ok(Plan::Give { task });
        }
        let Some(offered) = self.tools.by_name(&wanted.name) else {
            self.misnamed += 1;
            let is_looked_for = self.misnamed <= MOST_MISNAMED;
            let near = is_looked_for.then(|| self.tools.near(&wanted.name));
            let near = near.unwrap_or_default();
            return Err(NotRun::NoSuchTool { near });
        };
        if wanted.invalid.is_some() {
            let problem = "they are not a JSON object".to_owned();
            return Err(NotRun::Arguments { problem });
        }
        let tool = offered.tool_ref();
        self.count(RepeatKey::of_call(&tool, &wanted.arguments))?;
        Ok(Plan::Make { tool })
    }

    /// Counts a call against what is left, unless it repeats itself.
    fn count(&mut self, same: Fingerprint) -> Result<(), NotRun> {
        let before = times(self.before, &same);
        // Of those that this reply wants nobody knows a result yet; it will hardly be another one.
        let made = self.made.entry(same).or_default();
        if before + *made >= MOST_EQUAL {
            return Err(NotRun::Repeated);
        }
        self.left = self.left.checked_sub(1).ok_or(NotRun::PurseSpent)?;
        *made += 1;
        Ok(())
    }

    fn calculate(&mut self, wanted: &ModelCall) -> Result<Plan, NotRun> {
        self.count(RepeatKey::of_own(wanted))?;
        let text = calculate::answer(&wanted.arguments);
        let text = text.map_err(|problem| NotRun::Arguments { problem })?;
        let found = Vec::new();
        let answer = OwnAnswer { text, found };
        Ok(Plan::Own { answer })
    }

    fn search(&mut self, wanted: &ModelCall) -> Result<Plan, NotRun> {
        self.count(RepeatKey::of_own(wanted))?;
        let tools = self.tools;
        let finder = self.finder.get_or_insert_with(|| Finder::of(tools));
        let answer = finder.search(wanted);
        let answer = answer.map_err(|problem| NotRun::Arguments { problem })?;
        Ok(Plan::Own { answer })
    }
}

/// How often a call has had the result that it had last, without another one between.
fn times(before: &[RepeatKey], call: &Fingerprint) -> usize {
    let mut results = before.iter().filter(|made| made.call == *call).rev();
    let Some(last) = results.next() else {
        return 0;
    };
    1 + results
        .take_while(|made| made.result == last.result)
        .count()
}

/// The number of a call: always the same for the same place in a conversation, so that a reply that
/// is looked at once more cannot have its calls made once more.
fn number_of((turn, step): (&TurnId, u32), number: usize) -> CallId {
    let place = Fingerprint::of(&json!([turn, step, number]));
    let hex = place.as_str().rsplit(':').next().unwrap_or_default();
    CallId::from(format!("call-{}", hex.get(..32).unwrap_or(hex)))
}

/// A call that was made in this turn and what came of it, for telling whether it goes in circles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RepeatKey {
    call: Fingerprint,
    result: Fingerprint,
}

impl RepeatKey {
    pub(crate) fn of(call: &Call, outcome: &Outcome) -> Option<Self> {
        let result = match outcome {
            Outcome::Answered { answer } => shown(&answer.result),
            Outcome::Helped { report } => json!(report.end),
            other => json!(other.words()),
        };
        let key = match (&call.tool, outcome) {
            (Some(tool), _) => Self::of_call(tool, &call.wanted.arguments),
            (None, Outcome::Own { .. }) => Self::of_own(&call.wanted),
            (None, _) if call.task.is_some() => Self::of_own(&call.wanted),
            (None, _) => return None,
        };
        Some(Self {
            call: key,
            result: Fingerprint::of(&result),
        })
    }

    fn of_own(wanted: &ModelCall) -> Fingerprint {
        Fingerprint::of(&json!([wanted.name, wanted.arguments]))
    }

    fn of_call(tool: &ToolRef, arguments: &Map<String, Value>) -> Fingerprint {
        Fingerprint::of(&json!([tool.server, tool.tool, arguments]))
    }
}

/// What a model is shown of a result. Beside it may stand what is another each time, as a number of
/// the call.
fn shown(result: &ToolResult) -> Value {
    let mut content = result.content.clone();
    for (_, extra) in content.iter_mut().flat_map(Content::extras_mut) {
        extra.clear();
    }
    json!([result.is_error, content, result.structured])
}
