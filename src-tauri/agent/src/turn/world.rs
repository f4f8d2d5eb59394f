//! What a turn lives in, for tests: a model that follows a script, servers that count, and a disk
//! that ends the application after any write.

use super::*;
use crate::{CallState, LabelledResult, ModelCall, OfferedTool, Plan, Usage};
use protocol::{
    Boundary, Content, Label, ModelId, ModelService, Origin, ServerId, Timestamp, ToolResult,
    ToolSpec,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(crate) fn tool(server: &str, name: &str) -> OfferedTool {
    OfferedTool {
        server: ServerId::parse(server).unwrap(),
        spec: ToolSpec {
            description: Some(format!("Does {name}.")),
            input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
            ..ToolSpec::named(name)
        },
        reads: false,
        always_shown: false,
    }
}

pub(crate) fn reads(server: &str, name: &str) -> OfferedTool {
    OfferedTool {
        reads: true,
        ..tool(server, name)
    }
}

pub(crate) fn setting(tools: impl IntoIterator<Item = OfferedTool>) -> Setting {
    Setting {
        model: ModelRef {
            id: ModelId::from("model-1"),
            wire: ModelService::Anthropic,
            name: "model".to_owned(),
        },
        instructions: "Be brief.".to_owned(),
        tools: ToolTable::of(tools),
        purse: Purse::default(),
        context: 100_000,
        max_output: 4_000,
        sees_images: true,
        helpers: Vec::new(),
        calculates: false,
        has_reader: false,
        does_task: false,
    }
}

pub(crate) fn said(turn: &str, text: &str) -> Event {
    Event::Said {
        turn: TurnId::from(turn),
        said: vec![Said::text(text)],
    }
}

pub(crate) fn says(text: &str) -> Reply {
    Reply {
        parts: vec![ReplyPart::text(text)],
        usage: Usage {
            input: Some(100),
            output: Some(10),
            ..Usage::default()
        },
        ..Reply::default()
    }
}

pub(crate) fn wants(calls: &[(&str, Value)]) -> Reply {
    let part = |(at, (name, arguments)): (usize, &(&str, Value))| {
        ReplyPart::Call(ModelCall {
            provider_id: Some(format!("toolu_{at}")),
            name: (*name).to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            invalid: (!arguments.is_object()).then(|| arguments.to_string()),
            native: None,
        })
    };
    Reply {
        parts: calls.iter().enumerate().map(part).collect(),
        ..says("")
    }
}

pub(crate) fn answered(text: &str) -> Outcome {
    Outcome::Answered {
        answer: Box::new(LabelledResult {
            result: ToolResult {
                content: vec![Content::text(text)],
                ..ToolResult::default()
            },
            label: Label::of(Origin::Unknown),
            at: Timestamp(0),
            boundary: Boundary::of(7),
            changed: None,
        }),
    }
}

/// The calls that are to be made.
pub(crate) fn orders(effects: &[Effect]) -> Vec<&CallOrder> {
    let mut orders = Vec::new();
    for effect in effects {
        if let Effect::Call(order) = effect {
            orders.push(order);
        }
    }
    orders
}

/// The request that is made.
pub(crate) fn request(effects: &[Effect]) -> Option<(u32, &Request)> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel { step, request } => Some((*step, &**request)),
        _ => None,
    })
}

/// What became of a call at whoever makes calls. It outlives the application.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Made {
    Waiting(CallOrder),
    Sent(CallOrder),
    Ended(Outcome),
}

/// The application has ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Ended;

/// What outlives the application, and what happens outside of it.
pub(crate) struct World {
    pub(crate) journal: Vec<Entry>,
    pub(crate) made: BTreeMap<CallId, Made>,
    /// How often each tool has done something.
    pub(crate) done: BTreeMap<String, u32>,
    /// Which tools ask a person first.
    pub(crate) asks: Vec<&'static str>,
    /// Writes until the application ends.
    pub(crate) left: u32,
    pub(crate) model: fn(&Request) -> Reply,
}

impl World {
    pub(crate) fn new(model: fn(&Request) -> Reply) -> Self {
        Self {
            journal: Vec::new(),
            made: BTreeMap::new(),
            done: BTreeMap::new(),
            asks: Vec::new(),
            left: u32::MAX,
            model,
        }
    }

    fn write(&mut self) -> Result<(), Ended> {
        self.left = self.left.checked_sub(1).ok_or(Ended)?;
        Ok(())
    }

    /// Performs what is to be done, and all that comes of it, until nothing is under way.
    pub(crate) fn run(&mut self, turn: &mut Turn, effects: Vec<Effect>) -> Result<(), Ended> {
        let mut todo: std::collections::VecDeque<Effect> = effects.into();
        while let Some(effect) = todo.pop_front() {
            let mut heard = Vec::new();
            match effect {
                Effect::Write(entries) => {
                    self.write()?;
                    self.journal.extend(entries);
                }
                Effect::AskModel { step, request } => {
                    let reply = (self.model)(&request);
                    heard.push(Event::Replied { step, reply });
                }
                Effect::Call(order) => {
                    assert!(
                        !self.made.contains_key(&order.id),
                        "{order:?} is made twice"
                    );
                    let id = order.id.clone();
                    if self.asks.contains(&order.tool.tool.as_str()) {
                        self.write()?;
                        self.made.insert(id.clone(), Made::Waiting(order));
                        heard.push(Event::CallWaits(id));
                    } else {
                        heard.push(self.send(order)?);
                    }
                }
                Effect::CancelCall(call) => heard.extend(self.cancel(call)?),
                Effect::Give(order) => panic!("{order:?} is nothing of these tests"),
                Effect::DropModel | Effect::AskPerson(_) => {}
            }
            for event in heard {
                todo.extend(
                    turn.handle(event.clone())
                        .unwrap_or_else(|| panic!("{event:?}")),
                );
            }
        }
        Ok(())
    }

    /// That it is sent is written before, what came of it after.
    fn send(&mut self, order: CallOrder) -> Result<Event, Ended> {
        let call = order.id.clone();
        self.write()?;
        self.made.insert(call.clone(), Made::Sent(order.clone()));
        *self.done.entry(order.tool.tool.to_string()).or_default() += 1;
        self.write()?;
        let outcome = answered(&format!("{} is done", order.tool.tool));
        self.made.insert(call.clone(), Made::Ended(outcome.clone()));
        Ok(Event::CallEnded { call, outcome })
    }

    fn cancel(&mut self, call: CallId) -> Result<Option<Event>, Ended> {
        let why = match self.made.get(&call) {
            Some(Made::Waiting(_)) => Outcome::NotRun {
                why: NotRun::Stopped,
            },
            Some(Made::Sent(_)) => Outcome::Unknown {
                why: Unknown::Stopped,
            },
            Some(Made::Ended(_)) | None => return Ok(None),
        };
        self.write()?;
        self.made.insert(call.clone(), Made::Ended(why.clone()));
        Ok(Some(Event::CallEnded { call, outcome: why }))
    }

    /// A person answers every question that waits.
    pub(crate) fn answer(&mut self, turn: &mut Turn, yes: bool) -> Result<(), Ended> {
        let waiting = self.made.iter().find_map(|(call, made)| match made {
            Made::Waiting(order) => Some((call.clone(), order.clone())),
            _ => None,
        });
        let Some((call, order)) = waiting else {
            return Ok(());
        };
        let event = if yes {
            self.send(order)?
        } else {
            self.write()?;
            let outcome = Outcome::Denied { reason: None };
            self.made.insert(call.clone(), Made::Ended(outcome.clone()));
            Event::CallEnded { call, outcome }
        };
        let effects = turn.handle(event).unwrap();
        self.run(turn, effects)?;
        self.answer(turn, yes)
    }

    pub(crate) fn state_of(&self, call: &CallId) -> CallState {
        match self.made.get(call) {
            None => CallState::Unseen,
            Some(Made::Waiting(_)) => CallState::Waiting,
            Some(Made::Sent(_)) => CallState::Sent,
            Some(Made::Ended(outcome)) => CallState::Ended(outcome.clone()),
        }
    }

    pub(crate) fn last_end(&self) -> Option<TurnEnd> {
        Conversation::read(&self.journal).unwrap().last_end()
    }
}

/// Whether this tool was called and answered in what a request holds.
pub(crate) fn holds_result(request: &Request, text: &str) -> bool {
    results(request).any(|result| {
        result.parts.iter().any(
            |part| matches!(part, crate::ResultPart::Text { text: held } if held.contains(text)),
        )
    })
}

pub(crate) fn results(request: &Request) -> impl Iterator<Item = &crate::CallResult> {
    let results = request.messages.iter().filter_map(|message| match message {
        crate::Message::Results { results } => Some(results),
        _ => None,
    });
    results.flatten()
}

/// What must hold of every request.
pub(crate) fn assert_sound(request: &Request) {
    let mut messages = request.messages.iter().peekable();
    let mut seen = std::collections::HashSet::new();
    while let Some(message) = messages.next() {
        match message {
            crate::Message::Assistant { parts, .. } => {
                let calls: Vec<_> = parts
                    .iter()
                    .filter_map(|part| match part {
                        ReplyPart::Call(call) => call.provider_id.clone(),
                        _ => None,
                    })
                    .collect();
                for call in &calls {
                    assert!(
                        !call.is_empty() && seen.insert(call.clone()),
                        "{call} twice"
                    );
                }
                let answered: Vec<_> = match messages.peek() {
                    Some(crate::Message::Results { results }) => {
                        results.iter().map(|result| result.call.clone()).collect()
                    }
                    _ => Vec::new(),
                };
                assert_eq!(calls, answered, "{request:#?}");
                if !calls.is_empty() {
                    messages.next();
                }
            }
            crate::Message::Results { .. } => panic!("results without calls: {request:#?}"),
            crate::Message::User { parts } => assert!(!parts.is_empty()),
        }
    }
    assert!(
        matches!(request.messages.first(), Some(crate::Message::User { .. })),
        "{request:#?}"
    );
}

pub(crate) fn replied(step: u32, reply: Reply) -> Event {
    Event::Replied { step, reply }
}

/// The calls that have no outcome.
pub(crate) fn ids(turn: &Turn) -> Vec<CallId> {
    turn.conversation()
        .open_calls()
        .map(|call| call.id.clone())
        .collect()
}

/// In short: what is written, and what is done.
pub(crate) fn short(effects: &[Effect]) -> Vec<String> {
    let name = |entry: &Entry| match entry {
        Entry::Asked {
            step,
            closing: Some(why),
            ..
        } => format!("asked {step}, closing: {why:?}"),
        Entry::Asked { step, .. } => format!("asked {step}"),
        Entry::CallSettled { outcome, .. } => match outcome {
            Outcome::NotRun { why } => format!("not run: {why:?}"),
            Outcome::Unknown { why } => format!("unknown: {why:?}"),
            _ => "settled".to_owned(),
        },
        Entry::TurnEnded { why } => format!("ended: {why:?}"),
        Entry::ReplyBroke { why, parts, .. } => {
            format!("broke: {why:?}, {} parts kept", parts.len())
        }
        Entry::Replied { calls, .. } => {
            let not_run = calls.iter().filter_map(|call| match &call.plan {
                Plan::NotRun { why } => Some(format!("{why:?}")),
                Plan::Make { .. } | Plan::Give { .. } | Plan::Own { .. } => None,
            });
            let not_run: Vec<_> = not_run.collect();
            if not_run.is_empty() {
                "replied".to_owned()
            } else {
                format!("replied, not run: {}", not_run.join(", "))
            }
        }
        other => serde_json::to_value(other).unwrap()["kind"]
            .as_str()
            .unwrap()
            .to_owned(),
    };
    let mut lines = Vec::new();
    for effect in effects {
        match effect {
            Effect::Write(entries) => {
                lines.extend(entries.iter().map(|entry| format!("write {}", name(entry))))
            }
            Effect::AskModel { step, request } => lines.push(format!(
                "ask {step}{}",
                if request.may_call {
                    ""
                } else {
                    " without tools"
                }
            )),
            Effect::DropModel => lines.push("drop".to_owned()),
            Effect::Call(order) => lines.push(format!("call {}", order.tool.tool)),
            Effect::Give(order) => lines.push(format!("give to {}", order.task.worker.name())),
            Effect::CancelCall(_) => lines.push("cancel".to_owned()),
            Effect::AskPerson(why) => lines.push(format!("ask the person: {why:?}")),
        }
    }
    lines
}

pub(crate) fn step(turn: &mut Turn, event: Event) -> Vec<String> {
    short(&turn.handle(event).unwrap())
}
