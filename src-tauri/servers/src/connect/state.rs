//! How applications stand: whether their files lead here, and whether they have come in since.

use super::bypass::{client_of_target, leads_here, parsed};
use super::document::entry as entry_in;
use super::entry::{self, NAME};
use super::record::{self, Connected};
use super::target::{Target, not_listed, targets};
use super::{document, file};
use crate::Servers;
use crate::import::find::patiently;
use crate::import::text;
use api::{Application, ApplicationView, ConnectionChange, ConnectionState, HostError};
use protocol::{CallerId, Timestamp};
use serde_json::Value;
use std::path::Path;
use url::Url;

/// A client that may come in.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its id.
    pub id: CallerId,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it came in last, if ever.
    pub seen_at: Option<Timestamp>,
}

/// Every application that is installed here and could come in. `clients` are those that may, and
/// `here` is the address at which they do over HTTP, if they do.
pub async fn applications(
    servers: &Servers,
    clients: Vec<Client>,
    here: Option<String>,
) -> Result<Vec<ApplicationView>, HostError> {
    let Some(folders) = servers.folders().cloned() else {
        return Ok(Vec::new());
    };
    let kept = record::all(servers).await?;
    patiently(move || all(&targets(&folders), &kept, &clients, here.as_deref())).await
}

fn all(
    targets: &[Target],
    kept: &[Connected],
    clients: &[Client],
    here: Option<&str>,
) -> Vec<ApplicationView> {
    let here = parsed(here);
    let look = |target: &Target| {
        let record = kept.iter().find(|one| one.is_of(target));
        looked(target, record, clients, here.as_ref())
    };
    let mut all: Vec<ApplicationView> = targets.iter().map(look).collect();
    let named: Vec<CallerId> = all.iter().filter_map(|view| view.client.clone()).collect();
    for view in &mut all {
        let is_same = |id: &&CallerId| view.client.as_ref() == Some(*id);
        if named.iter().filter(is_same).count() > 1 {
            view.connection = shared(&view.connection, clients, view.client.as_ref());
        }
    }
    all
}

/// How an application stands whose client others name, too.
fn shared(
    alone: &ConnectionState,
    clients: &[Client],
    client: Option<&CallerId>,
) -> ConnectionState {
    match alone {
        ConnectionState::Written | ConnectionState::Connected { .. } => {
            let known = clients.iter().find(|one| Some(&one.id) == client);
            let seen_at = known.and_then(|client| client.seen_at);
            ConnectionState::LeadsHere { seen_at }
        }
        alone => alone.clone(),
    }
}

/// One of them. Fails with `bad_path` for a file that is not listed.
pub async fn view(
    servers: &Servers,
    application: Application,
    path: &str,
    clients: Vec<Client>,
    here: Option<String>,
) -> Result<ApplicationView, HostError> {
    let all = applications(servers, clients, here).await?;
    let is_it = |view: &ApplicationView| view.application == application && view.path == path;
    all.into_iter().find(is_it).ok_or_else(|| not_listed(path))
}

fn looked(
    target: &Target,
    record: Option<&Connected>,
    clients: &[Client],
    here: Option<&Url>,
) -> ApplicationView {
    let text = file::read(&target.path).map(|file| file.text.unwrap_or_default());
    let there = text
        .as_deref()
        .map_err(String::clone)
        .and_then(|text| document::read(target.notation(), text))
        .map(|document| entry_in(&document, target.place(&document), NAME).cloned());
    let own = there.as_ref().ok().and_then(Option::as_ref);
    let client = match record {
        Some(record) => Some(record.client.clone()),
        None => own
            .and_then(entry::client)
            .filter(|id| clients.iter().any(|client| client.id == *id)),
    };
    let known = client
        .as_ref()
        .and_then(|id| clients.iter().find(|client| client.id == *id));
    let connection = match &there {
        Err(problem) => ConnectionState::Unreadable {
            problem: problem.clone(),
        },
        Ok(entry) => stands(entry.as_ref(), record, known, |program| {
            Path::new(program).exists()
        }),
    };
    let (connection, client) = match connection {
        ConnectionState::NotConnected => by_hand(text.as_deref().unwrap_or(""), clients, here),
        connection => (connection, client),
    };
    let copy = record.and_then(|record| record.before.copy());
    ApplicationView {
        application: target.application,
        path: target.shown(),
        leads_to: target.leads_to.clone(),
        connection,
        client,
        backup: copy.map(|path| path.to_string_lossy().into_owned()),
        takes_up: target.takes_up(),
    }
}

/// How an application stands where Majordomo has written nothing: a person may have, under another
/// name or with the address over HTTP.
fn by_hand(
    text: &str,
    clients: &[Client],
    here: Option<&Url>,
) -> (ConnectionState, Option<CallerId>) {
    let entries = text::read(text).map(|found| found.entries);
    let targets = entries.unwrap_or_default().into_iter();
    let leading = targets
        .filter(|entry| !entry.is_off && entry.project.is_none())
        .filter_map(|entry| entry.target.ok())
        .find_map(|target| match client_of_target(&target) {
            Some(id) => clients.iter().find(|client| client.id == id).map(Some),
            None => leads_here(&target, here).then_some(None),
        });
    match leading {
        None => (ConnectionState::NotConnected, None),
        Some(client) => {
            let seen_at = client.and_then(|client| client.seen_at);
            let id = client.map(|client| client.id.clone());
            (ConnectionState::LeadsHere { seen_at }, id)
        }
    }
}

/// How an application stands by the entry in its file, by what was written there, and by who came
/// in. Pure but for `is_there`, which says whether a program is.
fn stands(
    entry: Option<&Value>,
    record: Option<&Connected>,
    client: Option<&Client>,
    is_there: impl Fn(&str) -> bool,
) -> ConnectionState {
    let changed = |what| ConnectionState::Changed { what };
    let since = match (record, entry) {
        (None, None) => return ConnectionState::NotConnected,
        (Some(_), None) => return changed(ConnectionChange::Gone),
        (Some(record), Some(entry)) => {
            let program = entry::words(entry).first().copied().unwrap_or_default();
            if !has_fields(entry, &record.entry) || !is_there(program) {
                return changed(ConnectionChange::Altered);
            }
            if client.is_none() {
                return changed(ConnectionChange::NotLetIn);
            }
            record.at
        }
        // A person has put it there.
        (None, Some(_)) => match client {
            Some(client) => client.added_at,
            None => return ConnectionState::NotConnected,
        },
    };
    match client.and_then(|client| client.seen_at) {
        Some(seen_at) if seen_at >= since => ConnectionState::Connected { seen_at },
        _ => ConnectionState::Written,
    }
}

/// Whether an entry says all that was written. Applications add settings of their own, such as what
/// is approved there.
fn has_fields(entry: &Value, written: &Value) -> bool {
    let same = |(key, value): (&String, &Value)| entry.get(key) == Some(value);
    written
        .as_object()
        .is_some_and(|written| written.iter().all(same))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::record::Before;
    use serde_json::json;

    fn record() -> Connected {
        Connected {
            application: Application::Cursor,
            path: "/home/ada/.cursor/mcp.json".into(),
            client: "cursor".parse().unwrap(),
            entry: json!({"command": "/opt/majordomoctl", "args": ["bridge"]}),
            left: String::new(),
            before: Before::Nothing,
            at: Timestamp(10),
        }
    }

    fn client(seen_at: Option<i64>) -> Client {
        Client {
            id: "cursor".parse().unwrap(),
            added_at: Timestamp(10),
            seen_at: seen_at.map(Timestamp),
        }
    }

    #[test]
    fn connected_is_who_has_come_in_since_the_entry_was_written() {
        let record = record();
        let look = |seen| {
            let client = client(seen);
            stands(Some(&record.entry), Some(&record), Some(&client), |_| true)
        };
        assert_eq!(look(None), ConnectionState::Written);
        assert_eq!(look(Some(9)), ConnectionState::Written);
        let seen_at = Timestamp(11);
        assert_eq!(look(Some(11)), ConnectionState::Connected { seen_at });
    }

    #[test]
    fn an_entry_that_is_gone_altered_or_leads_nowhere_is_noticed() {
        let (record, client) = (record(), client(Some(11)));
        let changed = |what| ConnectionState::Changed { what };
        let look = |entry: Option<&Value>, client, is_there: bool| {
            stands(entry, Some(&record), client, |_| is_there)
        };
        let more = json!({"command": "/opt/majordomoctl", "args": ["bridge"], "alwaysAllow": []});
        let other = json!({"command": "/opt/other", "args": ["bridge"]});
        assert!(matches!(
            look(Some(&more), Some(&client), true),
            ConnectionState::Connected { .. }
        ));
        for (state, what) in [
            (look(None, Some(&client), true), ConnectionChange::Gone),
            (
                look(Some(&other), Some(&client), true),
                ConnectionChange::Altered,
            ),
            (
                look(Some(&record.entry), Some(&client), false),
                ConnectionChange::Altered,
            ),
            (
                look(Some(&record.entry), None, true),
                ConnectionChange::NotLetIn,
            ),
        ] {
            assert_eq!(state, changed(what));
        }
    }
}
