//! `majordomoctl calls …`

use super::questions::ask_as_person;
use crate::args::Calls;
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use api::{NoteUnknown, TakeSnapshot, UnknownCall};
use host::HostError;
use protocol::CallId;
use serde_json::json;

/// Shows calls of which nobody knows what became of them, or notes that a person has seen one.
pub(crate) async fn run(link: &Link, command: Calls, json: bool) -> Result<Exit, HostError> {
    match command {
        Calls::Unknown => {
            let snapshot = link.ask(TakeSnapshot {}).await?;
            if json {
                print::json(&snapshot.unknown)
            } else {
                list(&snapshot.unknown)
            }
            if snapshot.unknown_more > 0 {
                print::note(format_args!(
                    "And {} more. Note these with `majordomoctl calls noted` to see the next.",
                    snapshot.unknown_more
                ));
            }
        }
        Calls::Noted {
            call,
            approver_token_file,
        } => {
            let request = NoteUnknown {
                call: CallId::from(call.clone()),
            };
            ask_as_person(link, request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&json!({"call": call, "noted": true}));
            }
            print::note("Noted.");
        }
    }
    Ok(Exit::Done)
}

fn list(unknown: &[UnknownCall]) {
    let cells: Vec<Vec<String>> = unknown
        .iter()
        .map(|unknown| {
            let UnknownCall {
                call,
                caller,
                server,
                tool,
                sent_at,
                arguments,
            } = unknown;
            vec![
                print::visible(call.as_str()),
                date::shown(*sent_at),
                caller.to_string(),
                server.to_string(),
                print::visible(tool.as_str()),
                print::visible(&json!(arguments).to_string()),
            ]
        })
        .collect();
    print::table(
        &["CALL", "SENT", "CALLER", "SERVER", "TOOL", "ARGUMENTS"],
        &cells,
    );
}
