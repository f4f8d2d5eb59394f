//! What a call touches: files, hosts, an account, and how its server is held back.
//!
//! Always true here: it is computed from what would be sent and from what is kept of the server,
//! never from what the server says.

use crate::places;
use policy::{AffectedFile, AffectedResources, Confinement, Places, hosts_in, lies_in};
use protocol::{ConfinementTier, Launch};
use serde_json::{Map, Value};
use servers::registry::ServerNow;
use std::collections::BTreeSet;
use url::Url;

/// What a call with these arguments touches on its server, with the places of its paths.
pub async fn of(server: &ServerNow, arguments: &Map<String, Value>) -> (AffectedResources, Places) {
    let places = places::of(arguments).await;
    let launch = &server.row.launch;
    let mut hosts = BTreeSet::new();
    arguments
        .values()
        .for_each(|value| gather_hosts(value, &mut hosts));
    let confinement = match launch {
        Launch::Builtin { .. } => Confinement::Own,
        Launch::Stdio(_) => match (server.row.confinement.confined, server.run.tier) {
            (false, _) => Confinement::None,
            (true, Some(ConfinementTier::Namespaces)) => Confinement::Namespaces,
            (true, Some(ConfinementTier::Landlock)) => Confinement::Landlock,
            (true, Some(ConfinementTier::Seatbelt)) => Confinement::Seatbelt,
            (true, Some(ConfinementTier::AppContainer)) => Confinement::AppContainer,
            (true, None) => Confinement::Confined,
        },
        Launch::Http(remote) => {
            hosts.extend(
                Url::parse(&remote.url)
                    .ok()
                    .and_then(|url| url.host_str().map(str::to_owned)),
            );
            Confinement::Elsewhere
        }
    };
    let file = |(of, path): (String, String)| {
        let granted = server.place.roots.iter().any(|root| lies_in(&path, root));
        AffectedFile { of, path, granted }
    };
    let beside = places::beside(arguments).await;
    let files = places.0.clone().into_iter().chain(beside);
    let files = files.map(file).collect();
    (
        AffectedResources {
            files,
            hosts: hosts.into_iter().collect(),
            account: server.account().map(str::to_owned),
            confinement,
            unread: server
                .row
                .identity
                .as_ref()
                .map(|identity| identity.unread.clone())
                .unwrap_or_default(),
        },
        places,
    )
}

fn gather_hosts(value: &Value, hosts: &mut BTreeSet<String>) {
    match value {
        // Shown even if it is written so that programs may read it differently.
        Value::String(text) => hosts.extend(hosts_in(text).unwrap_or_default().addressed),
        Value::Array(items) => items.iter().for_each(|item| gather_hosts(item, hosts)),
        Value::Object(fields) => fields.values().for_each(|field| gather_hosts(field, hosts)),
        _ => {}
    }
}
