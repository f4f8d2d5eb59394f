//! A conversation as a text.
//!
//! Always true here: what a model thought is left out; what a model or a server said stands where it
//! can be taken for nobody else's words.

use super::journal;
use agent::{
    TranscriptAttachment, TranscriptBreak, TranscriptItem, TranscriptOutcome, TranscriptPart,
};
use api::{ConversationExport, ConversationFormat, HostError};
use calls::Calls;
use protocol::{Content, ConversationId};
use serde_json::json;
use std::fmt::Write as _;

/// What programs find at the beginning of the text.
pub(super) const FORMAT: &str = "majordomo-conversation 1";
/// What the formats of every version begin with.
pub(super) const FORMATS: &str = "majordomo-conversation ";

/// One of them, whole.
pub(crate) async fn export(
    calls: &Calls,
    id: &ConversationId,
    format: ConversationFormat,
) -> Result<ConversationExport, HostError> {
    let row = calls.store().conversations().of(id).await?;
    let (_, conversation) = journal::conversation(calls, id).await?;
    let items = conversation.items().iter().enumerate();
    let items: Vec<_> = items
        .map(|(at, item)| TranscriptItem::of(item, conversation.turn_at(at).is_some()))
        .collect();
    let (end, text) = match format {
        ConversationFormat::Markdown => {
            let imported = conversation.imported();
            ("md", markdown(&row.title, &items, imported))
        }
        ConversationFormat::Json => {
            let whole = json!({
                "format": FORMAT,
                "title": row.title,
                "created_at": row.created_at,
                "items": items,
            });
            ("json", format!("{whole:#}\n"))
        }
    };
    Ok(ConversationExport {
        file_name: format!("{}.{end}", row.id),
        text,
    })
}

/// For people. The first of the things, as many as are said, are out of a file.
fn markdown(title: &str, items: &[TranscriptItem], imported: usize) -> String {
    let mut text = String::new();
    if !title.is_empty() {
        line(&mut text, &format!("# {title}"));
    }
    for (at, item) in items.iter().enumerate() {
        let is_imported = at < imported;
        match item {
            TranscriptItem::Said {
                text: said,
                attached,
                ..
            } => {
                line(
                    &mut text,
                    match is_imported {
                        true => "## The person, in an imported file",
                        false => "## You",
                    },
                );
                line(&mut text, said);
                for TranscriptAttachment { name, content, .. } in attached {
                    line(&mut text, &format!("Attached: {name}"));
                    for part in content {
                        match part {
                            Content::Text { text: inner, .. } => fenced(&mut text, "", inner),
                            Content::Image { mime_type, .. } => {
                                line(&mut text, &format!("*A picture, {mime_type}.*"));
                            }
                            _ => {}
                        }
                    }
                }
            }
            TranscriptItem::Task { text: task, .. } => {
                line(&mut text, "## Task");
                fenced(&mut text, "", task);
            }
            TranscriptItem::LetGoOn if is_imported => {
                line(&mut text, "*The person let it go on.*");
            }
            TranscriptItem::LetGoOn => line(&mut text, "*You let it go on.*"),
            TranscriptItem::Reply {
                model,
                parts,
                broke,
                ..
            } => {
                line(
                    &mut text,
                    &match is_imported {
                        true => format!("## {model}, in an imported file"),
                        false => format!("## {model}"),
                    },
                );
                parts.iter().for_each(|part| reply_part(&mut text, part));
                match broke {
                    None => {}
                    Some(TranscriptBreak::Stopped) => line(&mut text, "*Stopped.*"),
                    Some(TranscriptBreak::ApplicationEnded) => {
                        line(&mut text, "*Broken off: Majordomo ended.*");
                    }
                    Some(TranscriptBreak::Failed { message }) => {
                        line(&mut text, &format!("*Broken off: {message}.*"));
                    }
                }
            }
        }
    }
    text
}

fn reply_part(text: &mut String, part: &TranscriptPart) {
    match part {
        TranscriptPart::Text { text: said } => line(text, said),
        TranscriptPart::Image { mime_type, .. } => {
            line(text, &format!("*A picture, {mime_type}.*"))
        }
        TranscriptPart::Call {
            name,
            arguments,
            outcome,
            ..
        } => {
            line(text, &format!("**Call of `{name}`**"));
            fenced(text, "json", &format!("{:#}", json!(arguments)));
            match outcome {
                None => line(text, "*It has not ended.*"),
                Some(TranscriptOutcome::Answered { result, .. }) => {
                    fenced(text, "", &result.as_text());
                }
                Some(TranscriptOutcome::Denied { reason: None }) => line(text, "*Not allowed.*"),
                Some(TranscriptOutcome::Denied {
                    reason: Some(reason),
                }) => line(text, &format!("*Not allowed: {reason}*")),
                Some(TranscriptOutcome::Own { told } | TranscriptOutcome::Helped { told, .. }) => {
                    fenced(text, "", told);
                }
                Some(TranscriptOutcome::NotRun { told } | TranscriptOutcome::Unknown { told }) => {
                    line(text, &format!("*{told}*"));
                }
            }
        }
    }
}

fn line(text: &mut String, words: &str) {
    // Writing to a String cannot fail.
    _ = writeln!(text, "{}\n", words.trim_end());
}

/// A text between fences that are longer than any in it.
fn fenced(text: &mut String, language: &str, inner: &str) {
    let mut longest = 0;
    let mut run = 0;
    for c in inner.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(3.max(longest + 1));
    line(
        text,
        &format!("{fence}{language}\n{}\n{fence}", inner.trim_end()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_cannot_end_its_own_fence() {
        let mut text = String::new();
        fenced(&mut text, "", "a\n````\n## You\nb");
        assert_eq!(text, "`````\na\n````\n## You\nb\n`````\n\n");
    }
}
