//! Other applications: who may come in by the gateway, and who is here.
//!
//! Always true here:
//! - who is removed, or has lost the token that it came with, is not connected any more;
//! - what a client says about itself is bounded, shown as it is, and decides nothing;
//! - who is not known here any more is given nothing.

use api::{ClientCarrier, ClientConnection};
use policy::{ClientSettings, Refusal, Target};
use protocol::{Caller, CallerId, CallerKind, ServerId, Timestamp, TokenHash, WorkspaceId, reveal};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::GatewayClientRow;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Longest text in which a client says what it is, in characters.
const LONGEST: usize = 120;

/// All of them.
#[derive(Default)]
pub struct Clients {
    known: Mutex<Known>,
    /// Moves on whenever one is kept or forgotten, comes or goes. Never while `known` is locked: who
    /// waits for it looks there.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Known {
    by_id: BTreeMap<CallerId, Client>,
    /// The number of the next connection.
    next: u64,
    /// Where they come in over HTTP.
    address: Option<String>,
}

struct Client {
    row: GatewayClientRow,
    connected: BTreeMap<u64, Connected>,
}

/// One of them, as it is at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientNow {
    /// What is kept of it.
    pub row: GatewayClientRow,
    /// Its connections, oldest first.
    pub connections: Vec<ClientConnection>,
}

struct Connected {
    about: ClientConnection,
    ended: CancellationToken,
}

/// A client that has come in. It has gone when this is dropped.
pub struct Admitted {
    clients: Arc<Clients>,
    caller: Caller,
    number: u64,
    ended: CancellationToken,
}

impl Clients {
    /// Those that are kept.
    pub(crate) fn new(rows: Vec<GatewayClientRow>) -> Self {
        let clients = Self::default();
        rows.into_iter().for_each(|row| clients.keep(row));
        clients
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them, oldest first.
    pub fn all(&self) -> Vec<ClientNow> {
        let mut all: Vec<_> = self.lock().by_id.values().map(Client::now).collect();
        all.sort_by(|one, other| {
            let order = |now: &ClientNow| (now.row.added_at, now.row.id.clone());
            order(one).cmp(&order(other))
        });
        all
    }

    /// One of them.
    pub fn now(&self, id: &CallerId) -> Option<ClientNow> {
        self.lock().by_id.get(id).map(Client::now)
    }

    /// What one of them is given, and how it is shown it.
    pub fn settings(&self, id: &CallerId) -> Option<ClientSettings> {
        Some(self.lock().by_id.get(id)?.row.settings.clone())
    }

    /// Whether a caller was an application that may not come in any more.
    pub fn is_gone(&self, caller: &Caller) -> bool {
        *caller.kind() == CallerKind::Client && !self.lock().by_id.contains_key(caller.id())
    }

    /// Why a caller is not given this of a server while a workspace is in use, if so. Who is no
    /// application is given everything.
    pub fn withhold(
        &self,
        caller: &Caller,
        in_use: &WorkspaceId,
        server: &ServerId,
        target: Target<'_>,
    ) -> Option<Refusal> {
        if *caller.kind() != CallerKind::Client {
            return None;
        }
        match self.lock().by_id.get(caller.id()) {
            Some(client) => client.row.settings.withholds(in_use, server, target),
            None => Some(Refusal::NotSelected),
        }
    }

    /// Whether any of them is connected.
    pub fn any_connected(&self) -> bool {
        let known = self.lock();
        let mut clients = known.by_id.values();
        clients.any(|client| !client.connected.is_empty())
    }

    /// Where they come in over HTTP, if they do.
    pub fn address(&self) -> Option<String> {
        self.lock().address.clone()
    }

    /// Notes where they come in over HTTP.
    pub fn set_address(&self, address: Option<String>) {
        self.lock().address = address;
    }

    /// Moves on whenever one is kept or forgotten, comes or goes.
    pub fn changed(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Whether any of them has a token.
    pub fn has_token(&self) -> bool {
        let known = self.lock();
        let mut clients = known.by_id.values();
        clients.any(|client| client.row.token_hash.is_some())
    }

    /// Takes over what is kept of one now. With another token than before, whoever came with that is
    /// sent away.
    pub fn keep(&self, row: GatewayClientRow) {
        self.take(row);
        self.changed.send_replace(());
    }

    fn take(&self, row: GatewayClientRow) {
        let mut known = self.lock();
        let Some(client) = known.by_id.get_mut(&row.id) else {
            let connected = BTreeMap::new();
            known
                .by_id
                .insert(row.id.clone(), Client { row, connected });
            return;
        };
        if client.row.token_hash != row.token_hash {
            client.end(|about| about.by == ClientCarrier::Http);
        }
        client.row = row;
    }

    /// Sends one away. It may come back.
    pub fn disconnect(&self, id: &CallerId) {
        if let Some(client) = self.lock().by_id.get_mut(id) {
            client.end(|_| true);
        }
    }

    /// Forgets one, and sends it away.
    pub fn remove(&self, id: &CallerId) {
        if let Some(mut client) = self.lock().by_id.remove(id) {
            client.end(|_| true);
        }
        self.changed.send_replace(());
    }

    /// Whose token this is.
    pub fn by_token(&self, token: &str) -> Option<CallerId> {
        let hash = TokenHash::of(token);
        let known = self.lock();
        let mut clients = known.by_id.values();
        let found = clients.find(|client| client.row.token_hash.as_ref() == Some(&hash))?;
        Some(found.row.id.clone())
    }

    /// Lets one in; none of this id may come in otherwise.
    pub fn admit(
        self: &Arc<Self>,
        id: &CallerId,
        by: ClientCarrier,
        now: Timestamp,
    ) -> Option<Admitted> {
        let mut known = self.lock();
        let number = known.next;
        let client = known.by_id.get_mut(id)?;
        client.row.seen_at = Some(now);
        let ended = CancellationToken::new();
        let about = ClientConnection {
            by,
            since: now,
            says: None,
        };
        let connected = Connected {
            about,
            ended: ended.clone(),
        };
        client.connected.insert(number, connected);
        let caller = Caller::new(CallerKind::Client, id.clone(), &client.row.name);
        known.next += 1;
        drop(known);
        self.changed.send_replace(());
        Some(Admitted {
            clients: Arc::clone(self),
            caller,
            number,
            ended,
        })
    }
}

impl Client {
    fn now(&self) -> ClientNow {
        let connected = self.connected.values();
        ClientNow {
            row: self.row.clone(),
            connections: connected.map(|one| one.about.clone()).collect(),
        }
    }

    fn end(&mut self, is_meant: impl Fn(&ClientConnection) -> bool) {
        self.connected.retain(|_, one| {
            let ends = is_meant(&one.about);
            if ends {
                one.ended.cancel();
            }
            !ends
        });
    }
}

impl Admitted {
    /// In whose name it asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Takes what it says that it is.
    pub fn says(&self, what: &str) {
        let shown = reveal(what).map_or_else(|| what.to_owned(), |(shown, _)| shown);
        let line: Vec<&str> = shown.split_whitespace().collect();
        let says = line.join(" ").chars().take(LONGEST).collect();
        let mut known = self.clients.lock();
        let client = known.by_id.get_mut(self.caller.id());
        if let Some(one) = client.and_then(|client| client.connected.get_mut(&self.number)) {
            one.about.says = Some(says);
        }
    }

    /// What is cancelled when it is sent away.
    pub fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }

    /// Waits until it is sent away.
    pub async fn sent_away(&self) {
        self.ended.cancelled().await;
    }

    /// Whether it was sent away.
    pub fn is_sent_away(&self) -> bool {
        self.ended.is_cancelled()
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut known = self.clients.lock();
        if let Some(client) = known.by_id.get_mut(self.caller.id()) {
            client.connected.remove(&self.number);
        }
        drop(known);
        self.clients.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, token: Option<&str>) -> GatewayClientRow {
        GatewayClientRow {
            id: id.parse().unwrap(),
            name: id.to_owned(),
            added_at: Timestamp(1),
            token_hash: token.map(TokenHash::of),
            seen_at: None,
            settings: ClientSettings::default(),
        }
    }

    fn clients() -> Arc<Clients> {
        let rows = vec![row("editor", Some("a token")), row("other", None)];
        Arc::new(Clients::new(rows))
    }

    #[test]
    fn a_token_is_that_of_one_client_only() {
        let clients = clients();
        let editor: CallerId = "editor".parse().unwrap();
        assert_eq!(clients.by_token("a token"), Some(editor));
        for token in ["", "another token", TokenHash::of("a token").as_str()] {
            assert_eq!(clients.by_token(token), None, "{token}");
        }
    }

    #[test]
    fn whoever_came_with_a_token_goes_with_it() {
        let clients = clients();
        let editor: CallerId = "editor".parse().unwrap();
        let come = |by| clients.admit(&editor, by, Timestamp(2)).unwrap();
        let (by_token, by_bridge) = (come(ClientCarrier::Http), come(ClientCarrier::Bridge));
        clients.keep(row("editor", Some("another token")));
        assert!(by_token.is_sent_away() && !by_bridge.is_sent_away());
        assert_eq!(clients.by_token("a token"), None);
        clients.remove(&editor);
        assert!(by_bridge.is_sent_away());
        assert!(
            clients
                .admit(&editor, ClientCarrier::Bridge, Timestamp(3))
                .is_none()
        );
    }

    #[test]
    fn who_is_not_known_is_given_nothing_and_who_is_no_application_everything() {
        let clients = clients();
        let (home, files) = (WorkspaceId::first(), ServerId::parse("files").unwrap());
        let withheld = |caller: &Caller| clients.withhold(caller, &home, &files, Target::Server);
        let client = |id: &str| Caller::new(CallerKind::Client, id.parse().unwrap(), id);
        assert_eq!(withheld(&client("editor")), None);
        assert_eq!(withheld(&client("nobody")), Some(Refusal::NotSelected));
        assert_eq!(withheld(&Caller::window()), None);
    }

    #[test]
    fn what_a_client_says_of_itself_is_one_visible_line() {
        let clients = clients();
        let other: CallerId = "other".parse().unwrap();
        let client = clients
            .admit(&other, ClientCarrier::Bridge, Timestamp(2))
            .unwrap();
        client.says(&format!("Edi\u{200B}tor\n1.0 {}", "x".repeat(1_000)));
        let says = clients.now(&other).unwrap().connections[0]
            .says
            .clone()
            .unwrap();
        assert!(says.starts_with("Edi⟨U+200B⟩tor 1.0 xx") && says.chars().count() == LONGEST);
        drop(client);
        assert_eq!(clients.now(&other).unwrap().connections, []);
    }
}
