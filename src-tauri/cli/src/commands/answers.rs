//! `majordomoctl answers …`

use super::{call, questions};
use crate::args::Answers;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::json;

/// Shows what was left out of an answer.
pub(crate) async fn run(link: &Link, command: Answers, json: bool) -> Result<Exit, HostError> {
    match command {
        Answers::Reveal { call, approver_token_file } => {
            let request = json!({"method": "reveal_answer", "params": {"call": call}});
            let answer = questions::ask_as_person(link, &request, approver_token_file.as_deref()).await?;
            if json { print::json(&answer) } else { call::show(&answer) }
        }
        Answers::Full { call } => {
            let export = link.ask(&json!({"method": "full_answer", "params": {"call": call}})).await?;
            if json { print::json(&export) } else { print::result(print::lines(&print::text(&export, "/text"))) }
        }
    }
    Ok(Exit::Done)
}
