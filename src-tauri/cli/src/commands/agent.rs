//! A task for a model, with an answer that a program can read.

use super::chat::{self, Chat, Wish};
use crate::args::{Agent, Task};
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{ConversationItem, ConversationPage, HostError, ReplyItem};
use protocol::AnswerType;
use serde_json::{Value, json};

/// How often an answer of another kind is asked for again.
const AGAIN: usize = 1;

pub(crate) async fn run(
    link: &Link,
    command: Agent,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let Agent::Run(Task {
        task,
        answer_type,
        model,
        assistant,
        attach,
    }) = command;
    let attachments = chat::attachments(&attach)?;
    let mut chat = Chat::begin(link, model.as_deref(), assistant.as_deref(), word).await?;
    let mut wish = Wish::Say(asked(&task, &answer_type), attachments);
    for _ in 0..=AGAIN {
        let page = chat.turn(wish).await?;
        let exit = chat::exit(&page);
        if exit != Exit::Done {
            super::talk::show_end(&page);
            return Ok(exit);
        }
        let said = last_words(&page);
        if let Some(answer) = answer_type.read(&said) {
            show(&answer, &page, json);
            return Ok(Exit::Done);
        }
        print::note(print::quote_as("answer of another kind", &said));
        let again = format!("That is not the answer in the form that is needed: {answer_type}.");
        wish = Wish::Say(again, Vec::new());
    }
    print::note(format_args!("The answer is to be {answer_type}."));
    Ok(Exit::Other)
}

fn asked(task: &str, answer_type: &AnswerType) -> String {
    match answer_type {
        AnswerType::Text => task.to_owned(),
        other => format!("{task}\n\nYour answer is {other}."),
    }
}

/// What the model has said last.
fn last_words(page: &ConversationPage) -> String {
    let reply = page.items.iter().rev().find_map(|item| match item {
        ConversationItem::Reply { parts, .. } => Some(parts),
        _ => None,
    });
    let words = reply.into_iter().flatten().filter_map(|part| match part {
        ReplyItem::Text { text } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

fn show(answer: &Value, page: &ConversationPage, json: bool) {
    match answer {
        _ if json => print::json(&json!({"answer": answer, "conversation": page.conversation.id})),
        Value::String(text) => print::result(print::lines(text)),
        other => print::result(other),
    }
}
