//! What is sent of one thing of a conversation that is no reply, and how much that is.
//!
//! Always true here: what is nobody's word stands between its marks, and is counted without being
//! copied.

use super::{IMAGE_TOKENS, Inclusion, Source, Unit};
use crate::helper::withheld;
use crate::request::ResultPart;
use crate::{
    Call, HelperReport, Imported, LabelledResult, Outcome, ReplyPart, Said, Setting, Unknown,
};
use protocol::{
    Boundary, Content, DataSource, Label, Provenance, Timestamp, ToolResult, Trust, envelope,
    estimated_tokens,
};
use serde_json::Value;
use std::borrow::Cow;

/// The media types of pictures that every service takes.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const LET_GO_ON: &str = "(The person lets you go on.)";

/// A piece of what is sent, whole.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Words of the person, or ours.
    Words(ResultPart),
    /// An answer or an attachment, between its marks.
    Data(Vec<ResultPart>),
}

impl Piece {
    fn text(text: impl Into<String>) -> Self {
        Self::Words(ResultPart::text(text))
    }

    /// The pieces of anything but a reply.
    pub(super) fn all_of(source: Source<'_>) -> Vec<Self> {
        match source {
            Source::Said(said) => said.iter().map(spoken).collect(),
            Source::LetGoOn => vec![Self::text(LET_GO_ON)],
            Source::Imported(imported) => vec![Self::Data(read(imported))],
            Source::Result(call) => outcome(call),
            Source::Reply { .. } => Vec::new(),
        }
    }
}

impl Unit<'_> {
    /// What is sent of anything but a reply.
    pub(super) fn parts(&self, setting: &Setting) -> Vec<ResultPart> {
        let sent = self.pieces.iter();
        let sent = sent.flat_map(|piece| self.sent_of(piece, setting));
        sent.map(Cow::into_owned).collect()
    }

    /// About how many tokens of it are sent.
    pub(super) fn tokens(&self, setting: &Setting) -> u64 {
        match self.source {
            _ if self.included == Inclusion::LeftOut => 0,
            Source::Reply { model, reply, .. } => {
                let is_own = *model == setting.model;
                let is_sent = |part: &&ReplyPart| is_own || !part.is_for_its_own_service();
                let sent = reply.parts.iter().filter(is_sent);
                sent.map(ReplyPart::estimated_tokens).sum()
            }
            _ => {
                let pieces = self.pieces.iter();
                pieces.map(|piece| self.tokens_of(piece, setting)).sum()
            }
        }
    }

    /// About how many tokens of one of its pieces are sent.
    pub(super) fn tokens_of(&self, piece: &Piece, setting: &Setting) -> u64 {
        match self.included {
            Inclusion::LeftOut => 0,
            _ => self.sent_of(piece, setting).map(|part| tokens(&part)).sum(),
        }
    }

    /// Shows the model no more of a result than that it is there, by its number.
    pub(super) fn keep_back(&mut self, number: usize) {
        let parts = self.pieces.iter().flat_map(|piece| match piece {
            Piece::Words(part) => std::slice::from_ref(part),
            Piece::Data(parts) => parts.as_slice(),
        });
        let tokens = parts.map(tokens).sum();
        self.pieces = vec![Piece::text(withheld(number, tokens))];
        self.is_kept_back = true;
    }

    /// Whether there is a picture in it.
    pub(super) fn has_picture(&self) -> bool {
        let is_picture = |part: &ResultPart| matches!(part, ResultPart::Image { .. });
        self.pieces.iter().any(|piece| match piece {
            Piece::Words(part) => is_picture(part),
            Piece::Data(parts) => parts.iter().any(is_picture),
        })
    }

    fn sent_of<'a>(
        &self,
        piece: &'a Piece,
        setting: &'a Setting,
    ) -> impl Iterator<Item = Cow<'a, ResultPart>> {
        let is_named = self.included >= Inclusion::Named;
        let (whole, named) = match piece {
            Piece::Words(part) => (std::slice::from_ref(part), None),
            Piece::Data(parts) if is_named => ([].as_slice(), Some(self.left_out(parts))),
            Piece::Data(parts) => (parts.as_slice(), None),
        };
        let named = named.into_iter().map(Cow::Owned);
        let parts = whole.iter().map(Cow::Borrowed).chain(named);
        let has_room = self.included < Inclusion::WithoutImages;
        parts.map(move |part| match &*part {
            ResultPart::Image { mime_type, .. } if !setting.sees_images => {
                Cow::Owned(ResultPart::text(format!(
                    "(A picture, {mime_type}, that the person can see and you cannot.)"
                )))
            }
            ResultPart::Image { mime_type, .. } if !has_room => Cow::Owned(ResultPart::text(
                format!("(A picture, {mime_type}, is left out to make room.)"),
            )),
            _ => part,
        })
    }

    fn left_out(&self, parts: &[ResultPart]) -> ResultPart {
        let what = match self.source {
            Source::Said(_) => "What the person attached",
            _ => "The answer to this call",
        };
        let tokens: u64 = parts.iter().map(tokens).sum();
        ResultPart::text(format!(
            "({what}, about {tokens} tokens, is left out to make room.)"
        ))
    }
}

fn spoken(said: &Said) -> Piece {
    let attachment = match said {
        Said::Task { text, .. } => return Piece::text(text.clone()),
        Said::Text { text } => return Piece::text(text),
        Said::Attached { attachment } => attachment,
    };
    let source = DataSource::Attachment {
        name: attachment.name.clone(),
    };
    let from = provenance(source, attachment.at, &said.label());
    let result = ToolResult {
        content: attachment.content.clone(),
        ..ToolResult::default()
    };
    Piece::Data(enclosed(&from, &result, &attachment.boundary))
}

/// What is out of a file, between its marks.
fn read(imported: &Imported) -> Vec<ResultPart> {
    let name = imported.file.clone();
    let label = imported.label.clone();
    let label = label.at_least_as_doubtful(Trust::Untrusted);
    let from = provenance(DataSource::Attachment { name }, imported.at, &label);
    enclosed(&from, &imported.as_result(), &imported.boundary)
}

/// A picture, if it is one that services take.
fn picture(data: &str, mime_type: &str) -> ResultPart {
    if !data.is_empty() && PICTURES.contains(&mime_type) {
        return ResultPart::Image {
            data: data.to_owned(),
            mime_type: mime_type.to_owned(),
        };
    }
    ResultPart::text("(A picture of a kind that only the person can look at.)")
}

/// What a model is told of a call. No request is made while one has no outcome; were one made, nobody
/// would know of it.
fn outcome(call: &Call) -> Vec<Piece> {
    let unknown = Outcome::Unknown {
        why: Unknown::Stopped,
    };
    let outcome = call.outcome.as_ref().unwrap_or(&unknown);
    match (outcome, &call.tool) {
        (Outcome::Answered { answer }, Some(tool)) => {
            let source = DataSource::Tool {
                server: tool.server.clone(),
                tool: tool.tool.clone(),
            };
            vec![Piece::Data(answered(source, answer))]
        }
        (Outcome::Helped { report }, _) => vec![helped(call, report)],
        (outcome, _) => vec![Piece::text(outcome.words().unwrap_or_default())],
    }
}

/// What somebody has answered to a task.
fn helped(call: &Call, report: &HelperReport) -> Piece {
    let Some(text) = report.words_of_others() else {
        return Piece::text(report.words().unwrap_or_default());
    };
    let name = call.task.as_ref().map(|task| task.worker.name().to_owned());
    let source = DataSource::Helper {
        name: name.unwrap_or_default(),
    };
    let from = provenance(source, report.at, &report.label);
    let result = ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    };
    Piece::Data(enclosed(&from, &result, &report.boundary))
}

fn answered(source: DataSource, answer: &LabelledResult) -> Vec<ResultPart> {
    let changed = answer.changed.as_ref().map(|sent| {
        let sent = Value::Object(sent.clone());
        ResultPart::text(format!(
            "The person has changed the arguments. This was sent: {sent}"
        ))
    });
    let from = provenance(source, answer.at, &answer.label);
    let parts = enclosed(&from, &answer.result, &answer.boundary);
    changed.into_iter().chain(parts).collect()
}

fn provenance(source: DataSource, at: Timestamp, label: &Label) -> Provenance {
    Provenance {
        source,
        at,
        trust: label.trust(),
        confidentiality: label.confidentiality(),
    }
}

/// What is nobody's word, between its marks.
fn enclosed(from: &Provenance, result: &ToolResult, boundary: &Boundary) -> Vec<ResultPart> {
    let parts = envelope(from, result, boundary).into_iter();
    let parts = parts.map(|part| match part {
        Content::Text { text, .. } => ResultPart::Text { text },
        Content::Image {
            data, mime_type, ..
        } => picture(&data, &mime_type),
        _ => ResultPart::text("(Something that only the person can hear or look at.)"),
    });
    parts.collect()
}

/// About how many tokens a part takes.
fn tokens(part: &ResultPart) -> u64 {
    u64::from(match part {
        ResultPart::Text { text } => estimated_tokens(text),
        ResultPart::Image { .. } => IMAGE_TOKENS,
    })
}
