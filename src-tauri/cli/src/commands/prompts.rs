//! `majordomoctl prompts …`

use super::{call, or_dash};
use crate::args::Prompts;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use api::{ErrorCode, GetPrompt, HostError, ListPrompts};
use protocol::{PromptArgument, PromptSpec};
use serde_json::json;
use std::collections::BTreeMap;
use std::slice;

/// Lists prompts, or has one filled in.
pub(crate) async fn run(link: &Link, command: Prompts, json: bool) -> Result<Exit, HostError> {
    match command {
        Prompts::List { server } => {
            let prompts = link.ask(ListPrompts { server }).await?;
            if json {
                print::json(&prompts)
            } else {
                show(&prompts)
            }
        }
        Prompts::Get {
            server,
            prompt,
            arguments,
        } => {
            let wanted = GetPrompt {
                server,
                prompt,
                arguments: pairs(&arguments)?,
            };
            let chosen = json!({"name": wanted.prompt, "arguments": wanted.arguments});
            let answer = call::request(link, wanted, &chosen).await?;
            if json {
                print::json(&answer);
            } else {
                for message in &answer.messages {
                    print::result(format_args!("{}:", print::visible(&message.role)));
                    call::show_parts(slice::from_ref(&message.content));
                }
            }
        }
    }
    Ok(Exit::Done)
}

/// Reads `NAME=VALUE` as often as it was written.
pub(super) fn pairs(written: &[String]) -> Result<BTreeMap<String, String>, HostError> {
    let pair = |pair: &String| {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            HostError::of(
                ErrorCode::BadRequest,
                format!("{pair:?} has no '='; write NAME=VALUE"),
            )
        })?;
        Ok((name.to_owned(), value.to_owned()))
    };
    written.iter().map(pair).collect()
}

fn show(prompts: &[PromptSpec]) {
    let argument = |argument: &PromptArgument| {
        let optional = if argument.required { "" } else { "?" };
        format!("{}{optional}", argument.name)
    };
    let row = |prompt: &PromptSpec| {
        let arguments: Vec<String> = prompt.arguments.iter().map(argument).collect();
        vec![
            prompt.name.clone(),
            arguments.join(" "),
            or_dash(prompt.description.as_deref()),
        ]
    };
    print::table(
        &["PROMPT", "ARGUMENTS", "DESCRIPTION (THE SERVER'S WORDS)"],
        &prompts.iter().map(row).collect::<Vec<_>>(),
    );
}
