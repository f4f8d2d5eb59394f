//! How applications stand: whether their files lead here, and whether they have come in since.

use super::document::entry as entry_in;
use super::entry::{self, NAME};
use super::record::{self, Connected};
use super::target::{Target, named, targets};
use super::{document, file};
use crate::Servers;
use crate::import::find::patiently;
use api::{Application, ApplicationView, ConnectionChange, ConnectionState, HostError};
use protocol::{CallerId, Timestamp};
use serde_json::Value;
use std::path::Path;

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

/// Every application that is installed here and could come in. `clients` are those that may.
pub async fn applications(
    servers: &Servers,
    clients: Vec<Client>,
) -> Result<Vec<ApplicationView>, HostError> {
    let Some(folders) = servers.folders().cloned() else {
        return Ok(Vec::new());
    };
    let kept = record::all(servers).await?;
    patiently(move || {
        let look = |target: &Target| {
            let record = kept.iter().find(|one| one.is_of(target));
            looked(target, record, &clients)
        };
        targets(&folders).iter().map(look).collect()
    })
    .await
}

/// One of them. Fails with `bad_path` for a file that is not listed.
pub async fn view(
    servers: &Servers,
    application: Application,
    path: &str,
    clients: Vec<Client>,
) -> Result<ApplicationView, HostError> {
    let target = named(servers, application, path).await?;
    let record = record::of(servers, &target).await?;
    patiently(move || looked(&target, record.as_ref(), &clients)).await
}

fn looked(target: &Target, record: Option<&Connected>, clients: &[Client]) -> ApplicationView {
    let there = file::read(&target.path)
        .and_then(|file| document::read(target.notation(), file.text.as_deref().unwrap_or("")))
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
