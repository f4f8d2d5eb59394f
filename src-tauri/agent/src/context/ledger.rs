//! What a request holds, part by part; and, as it is kept for the person to look up, put together by
//! what it is and from whom.
//!
//! Always true here: what is left out is counted, too.

use super::piece::Piece;
use super::{Source, Unit};
use crate::search::ShownTools;
use crate::{Said, Setting, ToolRef};
use protocol::{
    CallId, Label, Origin, RequestPart, RequestPartKind, ServerId, ToolName, Trust,
    estimated_tokens,
};

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
    /// The definition of a tool of this application.
    OwnDefinition,
    /// What the person said.
    Said,
    /// What another model gives to do.
    Task,
    /// What the person attached.
    Attached,
    /// That the person lets a turn go on.
    LetGoOn,
    /// What is out of a file.
    Imported,
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
        lines.extend(units.iter().flat_map(|unit| unit.lines(setting)));
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
            Self::OwnDefinition => RequestPartKind::OwnDefinitions,
            Self::Said => RequestPartKind::Said,
            Self::Task => RequestPartKind::Task,
            Self::Attached => RequestPartKind::Attached,
            Self::LetGoOn => RequestPartKind::LetGoOn,
            Self::Imported => RequestPartKind::Imported,
            Self::Reply => RequestPartKind::Replies,
            Self::Result { server, .. } => RequestPartKind::Results {
                server: server.clone(),
            },
        }
    }
}

fn found_label(found: &[ToolRef]) -> Label {
    let of_tool = |tool: &ToolRef| {
        Label::of(Origin::Tool {
            server: Some(tool.server.clone()),
            tool: tool.tool.clone(),
        })
    };
    let labels = found.iter().map(of_tool);
    labels.fold(Label::of(Origin::Host), |all, one| all.join(&one))
}

fn definition(tool: &ToolRef, tokens: u64, included: Inclusion) -> LedgerLine {
    let (server, tool) = (tool.server.clone(), tool.tool.clone());
    let label = Label::of(Origin::Tool {
        server: Some(server.clone()),
        tool: tool.clone(),
    });
    LedgerLine {
        part: LedgerPart::Definition { server, tool },
        tokens,
        included,
        label,
    }
}

/// The parts that stand in every request.
pub(super) fn fixed(setting: &Setting, tools: &ShownTools) -> Vec<LedgerLine> {
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
    for (shown, tool) in tools.definitions.iter().zip(&tools.of) {
        let tokens = shown.tokens();
        lines.push(match tool {
            None => line(LedgerPart::OwnDefinition, tokens, Origin::Host),
            Some(tool) => definition(tool, tokens, Inclusion::Whole),
        });
    }
    let left_out = tools.left_out.iter();
    lines.extend(left_out.map(|tool| definition(tool, 0, Inclusion::LeftOut)));
    lines
}

impl Unit<'_> {
    fn lines(&self, setting: &Setting) -> Vec<LedgerLine> {
        let (part, label) = match self.source {
            Source::Said(said) => {
                let pieces = said.iter().zip(&self.pieces);
                return pieces
                    .map(|(said, piece)| self.said_line(said, piece, setting))
                    .collect();
            }
            Source::LetGoOn => (LedgerPart::LetGoOn, Label::of(Origin::Host)),
            Source::Imported(imported) => {
                let label = imported.label.clone();
                let label = label.at_least_as_doubtful(Trust::Untrusted);
                (LedgerPart::Imported, label)
            }
            // What a model says names nothing.
            Source::Reply { .. } => (LedgerPart::Reply, Label::of(Origin::Unknown)),
            Source::Result(call) => {
                let label = match &call.outcome {
                    Some(crate::Outcome::Answered { answer }) => answer.label.clone(),
                    // It says what servers say of their tools.
                    Some(crate::Outcome::Own { answer }) => found_label(&answer.found),
                    Some(crate::Outcome::Helped { report }) => report.label.clone(),
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
        let included = match self.is_kept_back {
            true => self.included.max(Inclusion::Named),
            false => self.included,
        };
        let tokens = self.tokens(setting);
        vec![LedgerLine {
            part,
            tokens,
            included,
            label,
        }]
    }

    fn said_line(&self, said: &Said, piece: &Piece, setting: &Setting) -> LedgerLine {
        let (part, included) = match (said, self.included) {
            (Said::Attached { .. }, included) => (LedgerPart::Attached, included),
            // Words are sent whole, or not at all.
            (Said::Text { .. }, Inclusion::LeftOut) => (LedgerPart::Said, Inclusion::LeftOut),
            (Said::Text { .. }, _) => (LedgerPart::Said, Inclusion::Whole),
            (Said::Task { .. }, Inclusion::LeftOut) => (LedgerPart::Task, Inclusion::LeftOut),
            (Said::Task { .. }, _) => (LedgerPart::Task, Inclusion::Whole),
        };
        LedgerLine {
            part,
            tokens: self.tokens_of(piece, setting),
            included,
            label: said.label(),
        }
    }
}
