//! What a request holds, part by part; and, as it is kept for the person to look up, put together by
//! what it is and from whom.
//!
//! Always true here: what is left out is counted, too.

use super::{Source, Unit};
use crate::request::ToolDefinition;
use crate::{Said, Setting};
use protocol::{
    CallId, Label, Origin, RequestPart, RequestPartKind, ServerId, ToolName, estimated_tokens,
};
use serde_json::Value;

/// What one request holds, in the order in which it is sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ledger {
    /// Its parts.
    pub(crate) lines: Vec<LedgerLine>,
}

/// One part of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LedgerLine {
    /// What it is.
    pub(crate) part: LedgerPart,
    /// About how many tokens of it are sent.
    pub(crate) tokens: u64,
    /// How much of it is sent.
    pub(crate) included: Inclusion,
    /// From whom it is, how far it may be believed, and who may read it.
    pub(crate) label: Label,
}

/// What a part of a request is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LedgerPart {
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
        /// Of which server, if there was such a tool.
        server: Option<ServerId>,
    },
}

/// How much of a part is sent, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Inclusion {
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
    pub(super) fn tokens(&self) -> u64 {
        self.lines.iter().map(|line| line.tokens).sum()
    }

    /// What it holds, put together: in the order in which the first of each is sent.
    pub(crate) fn held(&self) -> Vec<RequestPart> {
        let mut held: Vec<RequestPart> = Vec::new();
        for line in &self.lines {
            let kind = line.part.kind();
            match held.iter_mut().find(|part| part.kind == kind) {
                Some(part) => line.add_to(part),
                None => {
                    let mut part = RequestPart {
                        kind,
                        count: 0,
                        shortened: 0,
                        left_out: 0,
                        tokens: 0,
                        trust: line.label.trust(),
                        confidentiality: line.label.confidentiality(),
                    };
                    line.add_to(&mut part);
                    held.push(part);
                }
            }
        }
        held
    }
}

impl LedgerLine {
    fn add_to(&self, part: &mut RequestPart) {
        part.count += 1;
        match self.included {
            Inclusion::Whole => {}
            Inclusion::WithoutImages | Inclusion::Named => part.shortened += 1,
            Inclusion::LeftOut => part.left_out += 1,
        }
        part.tokens += self.tokens;
        part.trust = part.trust.max(self.label.trust());
        part.confidentiality = part.confidentiality.max(self.label.confidentiality());
    }
}

impl LedgerPart {
    fn kind(&self) -> RequestPartKind {
        match self {
            Self::Instructions => RequestPartKind::Instructions,
            Self::Definition { server, .. } => RequestPartKind::Definitions {
                server: server.clone(),
            },
            Self::Said => RequestPartKind::Said,
            Self::LetGoOn => RequestPartKind::LetGoOn,
            Self::Reply => RequestPartKind::Replies,
            Self::Result { server, .. } => RequestPartKind::Results {
                server: server.clone(),
            },
        }
    }
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
                        server: call.tool.as_ref().map(|tool| tool.server.clone()),
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
