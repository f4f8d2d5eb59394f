//! `majordomoctl grants …`

use crate::args::Grants;
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::word::Word;
use crate::{print, remember};
use api::{ListGrants, ListTightenings, RevokeGrant, Tighten, Tightening};
use host::HostError;
use policy::{Effect, Grant};
use protocol::GrantId;

/// Lists grants, takes one back, or makes one narrower.
pub(crate) async fn run(
    link: &Link,
    command: Grants,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    match command {
        Grants::List => {
            let grants = link.ask(ListGrants {}).await?;
            if json {
                print::json(&grants)
            } else {
                list(&grants)
            }
        }
        Grants::Revoke { id } => {
            // Without a remembered no, more can happen.
            let grant = word
                .ask(
                    link,
                    RevokeGrant {
                        grant: GrantId::from(id),
                    },
                )
                .await?;
            if json {
                print::json(&grant);
            }
            print::note("Taken back. The next call asks again.");
        }
        Grants::Tighten { id: None } => {
            let proposals = link.ask(ListTightenings {}).await?;
            if json {
                print::json(&proposals)
            } else {
                propose(&proposals)
            }
        }
        Grants::Tighten { id: Some(id) } => {
            let grant = link
                .ask(Tighten {
                    grant: GrantId::from(id),
                })
                .await?;
            if json {
                print::json(&grant);
            }
            print::note(format_args!(
                "It covers only this now: {}",
                remember::covers(&grant.arguments)
            ));
        }
    }
    Ok(Exit::Done)
}

fn list(grants: &[Grant]) {
    let cells: Vec<Vec<String>> = grants
        .iter()
        .map(|grant| {
            let effect = match grant.effect {
                Effect::Allow => "allow",
                Effect::Deny { .. } => "deny",
            };
            let used = grant.last_used_at.map(date::shown);
            vec![
                grant.id.to_string(),
                effect.to_owned(),
                grant.caller.to_string(),
                grant.server.to_string(),
                print::visible(grant.tool.name.as_str()),
                remember::covers(&grant.arguments),
                remember::lasts(grant),
                date::shown(grant.made_at),
                used.unwrap_or_default(),
            ]
        })
        .collect();
    print::table(
        &[
            "GRANT",
            "ANSWER",
            "FOR",
            "SERVER",
            "TOOL",
            "COVERS",
            "LASTS",
            "SINCE",
            "LAST USED",
        ],
        &cells,
    );
}

fn propose(proposals: &[Tightening]) {
    let cells: Vec<Vec<String>> = proposals
        .iter()
        .map(|proposal| {
            let grant = &proposal.grant;
            vec![
                grant.id.to_string(),
                grant.server.to_string(),
                print::visible(grant.tool.name.as_str()),
                remember::covers(&grant.arguments),
                remember::covers(&proposal.arguments),
                proposal.used.to_string(),
            ]
        })
        .collect();
    print::table(
        &[
            "GRANT",
            "SERVER",
            "TOOL",
            "COVERS NOW",
            "WOULD COVER",
            "CALLS",
        ],
        &cells,
    );
}
