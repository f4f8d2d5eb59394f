//! What a request holds, part by part, as a person can look it up.
//!
//! Always true here: what is left out has its line, too.

use super::{Source, Unit};
use crate::request::ToolDefinition;
use crate::{Conversation, Entry, Said, Setting};
use protocol::{CallId, Label, Origin, ServerId, ToolName, estimated_tokens};
use serde::Serialize;
use serde_json::Value;

/// What one request holds, in the order in which it is sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// Its parts.
    pub lines: Vec<LedgerLine>,
}

/// One part of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LedgerLine {
    /// What it is.
    pub part: LedgerPart,
    /// About how many tokens of it are sent.
    pub tokens: u64,
    /// How much of it is sent.
    pub included: Inclusion,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
}

/// What a part of a request is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LedgerPart {
    /// Our words on how to go about it.
    Instructions,
    /// The definition of a tool.
    Definition {
        /// Of which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
    },
    /// What the person said, with what they attached.
    Said,
    /// That the person lets a turn go on.
    LetGoOn,
    /// What a model answered.
    Reply,
    /// What a call came to.
    Result {
        /// Which call.
        call: CallId,
    },
}

/// How much of a part is sent, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Inclusion {
    /// All of it.
    Whole,
    /// All but its pictures.
    WithoutImages,
    /// Only that it was there.
    Named,
    /// Nothing.
    LeftOut,
}

impl Ledger {
    pub(super) fn of(fixed: Vec<LedgerLine>, units: &[Unit<'_>], setting: &Setting) -> Self {
        let mut lines = fixed;
        lines.extend(units.iter().map(|unit| unit.line(setting)));
        Self { lines }
    }

    /// About how many tokens the request takes.
    pub fn tokens(&self) -> u64 {
        self.lines.iter().map(|line| line.tokens).sum()
    }
}

/// What a request held that was made: the one that this entry of a journal is about, with those
/// before it. `None` if the entry is about none, the journal is damaged, or the request was made in
/// another setting: nothing is shown that was not sent.
pub fn ledger(journal: &[Entry], at: usize, setting: &Setting) -> Option<Ledger> {
    let (before, rest) = journal.split_at_checked(at)?;
    let Some(Entry::Asked {
        closing, digest, ..
    }) = rest.first()
    else {
        return None;
    };
    let conversation = Conversation::read(before).ok()?;
    let prepared = super::prepare(&conversation, setting, *closing)?;
    (prepared.request.digest() == *digest).then_some(prepared.ledger)
}

/// The parts that stand in every request.
pub(super) fn fixed(setting: &Setting, tools: &[ToolDefinition]) -> Vec<LedgerLine> {
    let line = |part, tokens, origin| LedgerLine {
        part,
        tokens,
        included: Inclusion::Whole,
        label: Label::of(origin),
    };
    let mut lines = Vec::new();
    if !setting.instructions.is_empty() {
        let tokens = u64::from(estimated_tokens(&setting.instructions));
        lines.push(line(LedgerPart::Instructions, tokens, Origin::Host));
    }
    lines.extend(
        setting
            .tools
            .iter()
            .zip(tools)
            .map(|((_, offered), shown)| {
                let (server, tool) = (offered.server.clone(), offered.spec.name.clone());
                let schema = Value::Object(shown.schema.clone()).to_string();
                let texts = [&shown.name, &shown.description, &schema];
                let tokens = texts
                    .iter()
                    .map(|text| u64::from(estimated_tokens(text)))
                    .sum();
                let origin = Origin::Tool {
                    server: Some(server.clone()),
                    tool: tool.clone(),
                };
                line(LedgerPart::Definition { server, tool }, tokens, origin)
            }),
    );
    lines
}

impl Unit<'_> {
    fn line(&self, setting: &Setting) -> LedgerLine {
        let (part, label) = match self.source {
            Source::Said(said) => {
                let labels = said.iter().map(Said::label);
                let label = labels.fold(Label::of_nothing(), |all, one| all.join(&one));
                (LedgerPart::Said, label)
            }
            Source::LetGoOn => (LedgerPart::LetGoOn, Label::of(Origin::Host)),
            // What a model says names nothing.
            Source::Reply { .. } => (LedgerPart::Reply, Label::of(Origin::Unknown)),
            Source::Result(call) => {
                let label = match &call.outcome {
                    Some(crate::Outcome::Answered { answer }) => answer.label.clone(),
                    _ => Label::of(Origin::Host),
                };
                (
                    LedgerPart::Result {
                        call: call.id.clone(),
                    },
                    label,
                )
            }
        };
        let (tokens, included) = (self.tokens(setting), self.included);
        LedgerLine {
            part,
            tokens,
            included,
            label,
        }
    }
}
