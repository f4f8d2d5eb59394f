//! Other applications: who may come in by the gateway, and who is here.
//!
//! Always true here:
//! - who is removed, or has lost the token that it came with, is not connected any more;
//! - what a client says about itself is bounded, shown as it is, and decides nothing;
//! - who is not known here any more is given nothing;
//! - over HTTP nobody says goodbye, so that only who is using a connection is said to be connected:
//!   one that rests stays good, and is told by when it was seen last.

use api::{ClientCarrier, ClientConnection};
use policy::{ClientSettings, Refusal, Target};
use protocol::{Caller, CallerId, CallerKind, ServerId, Timestamp, TokenHash, WorkspaceId, reveal};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::GatewayClientRow;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Longest text in which a client says what it is, in characters.
const LONGEST: usize = 120;

/// How long after its last request a client over HTTP is still said to be connected.
pub const PRESENT: Duration = Duration::from_secs(5 * 60);

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
    /// When it was seen last, as far as that is in the store.
    noted_at: Option<Timestamp>,
}

/// One of them, as it is at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientNow {
    /// What is kept of it.
    pub row: GatewayClientRow,
    /// Its connections that are in use, oldest first.
    pub connections: Vec<ClientConnection>,
}

struct Connected {
    about: ClientConnection,
    ended: CancellationToken,
    /// How many of its requests are carried out, and of its streams open.
    busy: usize,
    /// When it was busy last.
    seen_at: Timestamp,
    /// Whether it was in use when that was told last.
    was_present: bool,
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
    pub fn all(&self, now: Timestamp) -> Vec<ClientNow> {
        let known = self.lock();
        let clients = known.by_id.values();
        let mut all: Vec<_> = clients.map(|client| client.now(now)).collect();
        drop(known);
        all.sort_by(|one, other| {
            let order = |now: &ClientNow| (now.row.added_at, now.row.id.clone());
            order(one).cmp(&order(other))
        });
        all
    }

    /// One of them.
    pub fn now(&self, id: &CallerId, now: Timestamp) -> Option<ClientNow> {
        self.lock().by_id.get(id).map(|client| client.now(now))
    }

    /// What is kept of one of them.
    pub fn row(&self, id: &CallerId) -> Option<GatewayClientRow> {
        self.lock().by_id.get(id).map(|client| client.row.clone())
    }

    /// Whether a connection has come into use, or gone out of it, since this was asked last.
    pub fn presence_changed(&self, now: Timestamp) -> bool {
        let mut known = self.lock();
        let all = known.by_id.values_mut();
        // Each is asked, so that each is told once.
        let changed = all
            .flat_map(|client| client.connected.values_mut())
            .map(|one| one.presence_changed(now));
        changed.filter(|changed| *changed).count() > 0
    }

    /// Those that were seen since this was asked last, and when.
    pub fn seen_since(&self) -> Vec<(CallerId, Timestamp)> {
        let mut known = self.lock();
        let clients = known.by_id.values_mut();
        let seen = clients.filter(|client| client.row.seen_at != client.noted_at);
        seen.filter_map(|client| {
            client.noted_at = client.row.seen_at;
            Some((client.row.id.clone(), client.noted_at?))
        })
        .collect()
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

    /// Whether any of them has a connection that is good, in use or not.
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
            let id = row.id.clone();
            let client = Client {
                noted_at: row.seen_at,
                connected: BTreeMap::new(),
                row,
            };
            known.by_id.insert(id, client);
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
        client.noted_at = Some(now);
        let ended = CancellationToken::new();
        let about = ClientConnection {
            by,
            since: now,
            says: None,
        };
        let connected = Connected {
            about,
            ended: ended.clone(),
            busy: 0,
            seen_at: now,
            was_present: true,
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
    fn now(&self, now: Timestamp) -> ClientNow {
        let connected = self.connected.values().filter(|one| one.is_present(now));
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

impl Connected {
    fn is_present(&self, now: Timestamp) -> bool {
        let ends_by_itself = self.about.by == ClientCarrier::Bridge;
        ends_by_itself || self.busy > 0 || now.since(self.seen_at) < PRESENT
    }

    fn presence_changed(&mut self, now: Timestamp) -> bool {
        let is_present = self.is_present(now);
        std::mem::replace(&mut self.was_present, is_present) != is_present
    }
}

impl Admitted {
    /// Takes note that it begins with a request or a stream. Whether it was not said to be connected
    /// any more.
    pub fn begins(&self, now: Timestamp) -> bool {
        self.seen(now, |one| one.busy += 1)
    }

    /// Takes note that a request or a stream of it has ended.
    pub fn ends(&self, now: Timestamp) {
        self.seen(now, |one| one.busy = one.busy.saturating_sub(1));
    }

    fn seen(&self, now: Timestamp, take: impl FnOnce(&mut Connected)) -> bool {
        let mut known = self.clients.lock();
        let Some(client) = known.by_id.get_mut(self.caller.id()) else {
            return false;
        };
        client.row.seen_at = client.row.seen_at.max(Some(now));
        let connected = client.connected.get_mut(&self.number);
        connected.is_some_and(|one| {
            take(one);
            one.seen_at = now;
            one.presence_changed(now)
        })
    }

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
    fn who_comes_over_http_is_connected_while_it_uses_that_and_seen_last_then() {
        let clients = clients();
        let editor: CallerId = "editor".parse().unwrap();
        let at = |minutes: i64| Timestamp(2 + minutes * 60_000);
        let by_http = clients.admit(&editor, ClientCarrier::Http, at(0)).unwrap();
        let stands = |now| {
            let ClientNow { row, connections } = clients.now(&editor, now).unwrap();
            (connections.len(), row.seen_at.unwrap())
        };
        assert_eq!(stands(at(4)), (1, at(0)));
        assert!(!clients.presence_changed(at(4)));
        assert_eq!(stands(at(5)), (0, at(0)), "nobody says goodbye over HTTP");
        assert!(clients.presence_changed(at(5)) && !clients.presence_changed(at(6)));
        assert!(
            clients.any_connected() && !by_http.is_sent_away(),
            "it stays good"
        );

        assert!(by_http.begins(at(30)), "it is back");
        assert_eq!(stands(at(55)), (1, at(30)), "a stream of it is open");
        by_http.ends(at(55));
        assert_eq!((stands(at(59)), stands(at(60))), ((1, at(55)), (0, at(55))));
        assert_eq!(clients.seen_since(), [(editor.clone(), at(55))]);
        assert_eq!(clients.seen_since(), []);

        let _by_bridge = clients
            .admit(&editor, ClientCarrier::Bridge, at(60))
            .unwrap();
        assert_eq!(stands(at(600)).0, 1, "a bridge ends with its application");
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
        let says = clients.now(&other, Timestamp(2)).unwrap().connections[0]
            .says
            .clone()
            .unwrap();
        assert!(says.starts_with("Edi⟨U+200B⟩tor 1.0 xx") && says.chars().count() == LONGEST);
        drop(client);
        assert_eq!(clients.now(&other, Timestamp(2)).unwrap().connections, []);
    }
}
