//! A conversation as a text.
//!
//! Always true here: what a model thought is left out; what a model or a server said stands where it
//! can be taken for nobody else's words.

use super::{journal, view};
use api::{
    AttachmentView, BrokenReply, ConversationExport, ConversationFormat, ConversationItem,
    HostError, ModelCallOutcome, ReplyItem,
};
use calls::Calls;
use protocol::{Content, ConversationId};
use serde_json::json;
use std::fmt::Write as _;

/// What programs find at the beginning of the text.
const FORMAT: &str = "majordomo-conversation 1";

/// One of them, whole.
pub(crate) async fn export(
    calls: &Calls,
    id: &ConversationId,
    format: ConversationFormat,
) -> Result<ConversationExport, HostError> {
    let row = calls.store().conversations().of(id).await?;
    let (_, conversation) = journal::conversation(calls, id).await?;
    let items = view::items(&conversation, 0..conversation.items().len());
    let items: Vec<_> = items.into_iter().map(without_thoughts).collect();
    let (end, text) = match format {
        ConversationFormat::Markdown => ("md", markdown(&row.title, &items)),
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

fn without_thoughts(item: ConversationItem) -> ConversationItem {
    match item {
        ConversationItem::Reply {
            model,
            mut parts,
            broke,
            read,
            written,
            sent,
            was_truncated,
            has_ledger,
        } => {
            parts.retain(|part| !matches!(part, ReplyItem::Reasoning { .. }));
            ConversationItem::Reply {
                model,
                parts,
                broke,
                read,
                written,
                sent,
                was_truncated,
                has_ledger,
            }
        }
        other => other,
    }
}

fn markdown(title: &str, items: &[ConversationItem]) -> String {
    let mut text = String::new();
    if !title.is_empty() {
        line(&mut text, &format!("# {title}"));
    }
    for item in items {
        match item {
            ConversationItem::Said {
                text: said,
                attached,
                ..
            } => {
                line(&mut text, "## You");
                line(&mut text, said);
                for AttachmentView { name, content, .. } in attached {
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
            ConversationItem::LetGoOn => line(&mut text, "*You let it go on.*"),
            ConversationItem::Reply {
                model,
                parts,
                broke,
                ..
            } => {
                line(&mut text, &format!("## {model}"));
                parts.iter().for_each(|part| reply_part(&mut text, part));
                match broke {
                    None => {}
                    Some(BrokenReply::Stopped) => line(&mut text, "*Stopped.*"),
                    Some(BrokenReply::ApplicationEnded) => {
                        line(&mut text, "*Broken off: Majordomo ended.*");
                    }
                    Some(BrokenReply::Failed { message }) => {
                        line(&mut text, &format!("*Broken off: {message}.*"));
                    }
                }
            }
        }
    }
    text
}

fn reply_part(text: &mut String, part: &ReplyItem) {
    match part {
        ReplyItem::Text { text: said } => line(text, said),
        ReplyItem::Reasoning { .. } => {}
        ReplyItem::Image { mime_type, .. } => line(text, &format!("*A picture, {mime_type}.*")),
        ReplyItem::Call {
            name,
            arguments,
            outcome,
            ..
        } => {
            line(text, &format!("**Call of `{name}`**"));
            fenced(text, "json", &format!("{:#}", json!(arguments)));
            match outcome {
                None => line(text, "*It has not ended.*"),
                Some(ModelCallOutcome::Answered { result, .. }) => {
                    fenced(text, "", &result.as_text());
                }
                Some(ModelCallOutcome::Denied { reason: None }) => line(text, "*Not allowed.*"),
                Some(ModelCallOutcome::Denied {
                    reason: Some(reason),
                }) => line(text, &format!("*Not allowed: {reason}*")),
                Some(ModelCallOutcome::Own { told }) => fenced(text, "", told),
                Some(ModelCallOutcome::NotRun { told } | ModelCallOutcome::Unknown { told }) => {
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
