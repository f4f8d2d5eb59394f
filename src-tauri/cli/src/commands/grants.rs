//! `majordomoctl grants …`

use crate::args::Grants;
use crate::exit::Exit;
use crate::link::Link;
use crate::{print, remember};
use host::HostError;
use protocol::Timestamp;
use serde_json::{Value, json};

/// Lists grants, takes one back, or makes one narrower.
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
        Grants::Tighten { id: None } => {
            let proposals = link.ask(&json!({"method": "list_tightenings"})).await?;
            if json { print::json(&proposals) } else { propose(&proposals) }
        }
        Grants::Tighten { id: Some(id) } => {
            let grant = link.ask(&json!({"method": "tighten", "params": {"grant": id}})).await?;
            if json {
                print::json(&grant);
            }
            print::note(format_args!("It covers only this now: {}", remember::covers(&grant["arguments"])));
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
            let at = |pointer: &str| grant.pointer(pointer).and_then(Value::as_i64).map(|at| Timestamp(at).to_string()).unwrap_or_default();
            let covers = remember::covers(&grant["arguments"]);
            let (effect, name) = (text("/effect/kind"), print::visible(&text("/tool/name")));
            vec![
                text("/id"),
                effect,
                text("/caller/kind"),
                text("/server"),
                name,
                covers,
                remember::lasts(grant),
                at("/made_at"),
                at("/last_used_at"),
            ]
        })
        .collect();
    print::table(&["GRANT", "ANSWER", "FOR", "SERVER", "TOOL", "COVERS", "LASTS", "SINCE", "LAST USED"], &cells);
}

fn propose(proposals: &Value) {
    let cells: Vec<Vec<String>> = proposals
        .as_array()
        .into_iter()
        .flatten()
        .map(|proposal| {
            let text = |pointer: &str| print::text(proposal, pointer);
            let (now, narrower) = (remember::covers(&proposal["grant"]["arguments"]), remember::covers(&proposal["arguments"]));
            vec![
                text("/grant/id"),
                text("/grant/server"),
                print::visible(&text("/grant/tool/name")),
                now,
                narrower,
                proposal["used"].to_string(),
            ]
        })
        .collect();
    print::table(&["GRANT", "SERVER", "TOOL", "COVERS NOW", "WOULD COVER", "CALLS"], &cells);
}
