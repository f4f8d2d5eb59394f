//! `majordomoctl answers …`

use super::{call, questions};
use crate::args::Answers;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use api::{ReadFullAnswer, RevealAnswer};
use host::HostError;
use protocol::CallId;

/// Shows what was left out of an answer.
pub(crate) async fn run(link: &Link, command: Answers, json: bool) -> Result<Exit, HostError> {
    match command {
        Answers::Reveal {
            call,
            approver_token_file,
        } => {
            let request = RevealAnswer {
                call: CallId::from(call),
            };
            let answer =
                questions::ask_as_person(link, request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&answer)
            } else {
                call::show_answer(&answer)
            }
        }
        Answers::Full { call } => {
            let export = link
                .ask(ReadFullAnswer {
                    call: CallId::from(call),
                })
                .await?;
            if json {
                print::json(&export)
            } else {
                print::result(print::lines(&export.text))
            }
        }
    }
    Ok(Exit::Done)
}
