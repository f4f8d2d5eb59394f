//! `majordomoctl calls …`

use super::questions::ask_as_person;
use crate::args::Calls;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use protocol::Timestamp;
use serde_json::{Value, json};

/// Shows calls of which nobody knows what became of them, or notes that a person has seen one.
pub(crate) async fn run(link: &Link, command: Calls, json: bool) -> Result<Exit, HostError> {
    match command {
        Calls::Unknown => {
            let snapshot = link.ask(&json!({"method": "snapshot"})).await?;
            let unknown = &snapshot["unknown"];
            if json { print::json(unknown) } else { list(unknown) }
        }
        Calls::Noted { call, approver_token_file } => {
            let request = json!({"method": "note_unknown", "params": {"call": call}});
            ask_as_person(link, &request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&json!({"call": call, "noted": true}));
            }
            print::note("Noted.");
        }
    }
    Ok(Exit::Done)
}

fn list(unknown: &Value) {
    let rows = unknown.as_array().map(Vec::as_slice).unwrap_or_default();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let at = row["sent_at"].as_i64().map(|at| Timestamp(at).to_string()).unwrap_or_default();
            let text = |pointer: &str| print::visible(&print::text(row, pointer));
            vec![text("/call"), at, text("/caller/kind"), text("/server"), text("/tool"), print::visible(&row["arguments"].to_string())]
        })
        .collect();
    print::table(&["CALL", "SENT", "CALLER", "SERVER", "TOOL", "ARGUMENTS"], &cells);
}
