//! `majordomoctl prompts …`

use super::call;
use crate::args::Prompts;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use serde_json::{Map, Value, json};

/// Lists prompts, or has one filled in.
pub(crate) async fn run(link: &Link, command: Prompts, json: bool) -> Result<Exit, HostError> {
    match command {
        Prompts::List { server } => {
            let prompts = link.ask(&json!({"method": "list_prompts", "params": {"server": server}})).await?;
            if json { print::json(&prompts) } else { show(&prompts) }
        }
        Prompts::Get { server, prompt, arguments } => {
            let params = json!({"server": server, "prompt": prompt, "arguments": pairs(&arguments)?});
            let answer = link.ask(&json!({"method": "get_prompt", "params": params})).await?;
            if json {
                print::json(&answer);
            } else {
                for message in answer["messages"].as_array().into_iter().flatten() {
                    print::result(format_args!("{}:", print::visible(&print::text(message, "/role"))));
                    call::show_parts(&json!([message["content"]]));
                }
            }
        }
    }
    Ok(Exit::Done)
}

/// Reads `NAME=VALUE` as often as it was written.
pub(super) fn pairs(written: &[String]) -> Result<Map<String, Value>, HostError> {
    let pair = |pair: &String| {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| link::error(ErrorCode::BadRequest, format!("{pair:?} has no '='"), "Write NAME=VALUE."))?;
        Ok((name.to_owned(), json!(value)))
    };
    written.iter().map(pair).collect()
}

fn show(prompts: &Value) {
    let cells: Vec<Vec<String>> = prompts
        .as_array()
        .into_iter()
        .flatten()
        .map(|prompt| {
            let arguments = prompt["arguments"].as_array().into_iter().flatten();
            let names: Vec<_> =
                arguments.map(|it| format!("{}{}", print::text(it, "/name"), if it["required"] == true { "" } else { "?" })).collect();
            vec![print::text(prompt, "/name"), names.join(" "), print::text(prompt, "/description")]
        })
        .collect();
    print::table(&["PROMPT", "ARGUMENTS", "DESCRIPTION (THE SERVER'S WORDS)"], &cells);
}
