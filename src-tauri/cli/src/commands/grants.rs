//! `majordomoctl grants …`

use crate::args::Grants;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use protocol::Timestamp;
use serde_json::{Value, json};

/// Lists grants or takes one back.
pub(crate) async fn run(link: &Link, command: Grants, json: bool) -> Result<Exit, HostError> {
    match command {
        Grants::List => {
            let grants = link.ask(&json!({"method": "list_grants"})).await?;
            if json { print::json(&grants) } else { list(&grants) }
        }
        Grants::Revoke { id } => {
            let grant = link.ask(&json!({"method": "revoke_grant", "params": {"grant": id}})).await?;
            if json {
                print::json(&grant);
            }
            print::note("Taken back. The next call asks again.");
        }
    }
    Ok(Exit::Done)
}

fn list(grants: &Value) {
    let cells: Vec<Vec<String>> = grants
        .as_array()
        .into_iter()
        .flatten()
        .map(|grant| {
            let text = |pointer: &str| print::text(grant, pointer);
            let at = grant["made_at"].as_i64().map(|at| Timestamp(at).to_string()).unwrap_or_default();
            vec![text("/id"), text("/caller/kind"), text("/server"), text("/tool/name"), text("/scope/kind"), at]
        })
        .collect();
    print::table(&["GRANT", "FOR", "SERVER", "TOOL", "COVERS", "SINCE"], &cells);
}
