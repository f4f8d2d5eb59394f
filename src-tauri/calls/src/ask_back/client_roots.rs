//! The folders of a client because of whose call or request a server asks for folders: what the
//! server is told then is in ours and in the client's.
//!
//! Always true here:
//! - a folder is told only if all of it lies in one that the server would be told without any
//!   client, by where links really lead; rules are asked about each as it is told;
//! - what a client lists is a stranger's text: bounded, used to leave out, and told nobody;
//! - a client that cannot be asked, does not answer in time or not as it should takes nothing away.

use super::client::Client;
use crate::{Calls, gate, places};
use api::json_bytes;
use connections::During;
use policy::PermittedRoots;
use serde_json::{Map, Value};
use servers::registry::ServerNow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

/// How long a client is waited for.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(10);
/// How many folders of a client are looked at, and the largest list, in bytes of JSON.
const MOST: usize = 64;
const LARGEST: usize = 64 * 1024;

/// What a server is told of its folders because of what a client wants of it.
pub(super) async fn within(
    calls: &Calls,
    server: &ServerNow,
    during: &During,
    ours: PermittedRoots,
) -> PermittedRoots {
    let id = &server.row.id;
    let Some(client) = Client::behind(calls, id, during, |can| can.roots) else {
        return ours;
    };
    let Some(theirs) = client.roots().await else {
        return ours;
    };
    let ours = ours.into_roots().into_iter();
    let ours: Vec<String> = ours.filter_map(|root| folder(&root.uri)).collect();
    // A disk that is slow holds up nobody else.
    let looking = tokio::task::spawn_blocking(move || {
        let lead = |folders: Vec<String>| -> BTreeSet<String> {
            let leads = folders.iter().filter_map(|folder| places::lead(folder));
            leads.collect()
        };
        common(&lead(ours), &lead(theirs))
    });
    match looking.await {
        Ok(folders) => gate::roots_of(calls, server, &folders).await,
        Err(_) => PermittedRoots::none(),
    }
}

impl Client {
    /// The folders that the client lists; nothing if it does not. It is asked once because of one
    /// call or request.
    async fn roots(&self) -> Option<Vec<String>> {
        let listed = self.listed_roots().get_or_init(|| self.list_roots());
        listed.await.clone()
    }

    async fn list_roots(&self) -> Option<Vec<String>> {
        let asking = timeout(ROOTS_TIMEOUT, self.ask("roots/list", Map::new()));
        let reply = asking.await.ok()?.ok()?;
        if json_bytes(&reply) > LARGEST {
            return None;
        }
        let roots = reply.get("roots")?.as_array()?.iter().take(MOST);
        let uris = roots.filter_map(|root| root.get("uri").and_then(Value::as_str));
        let folders = uris.filter_map(folder).collect();
        self.record_roots().then_some(folders)
    }
}

/// The folder of an address.
fn folder(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()?.to_str().map(str::to_owned)
}

/// What lies in a folder of each of the two.
fn common(ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> Vec<String> {
    let within = |inner: &String, outer: &BTreeSet<String>| {
        outer
            .iter()
            .any(|outer| Path::new(inner).starts_with(outer))
    };
    let inner = theirs.iter().filter(|folder| within(folder, ours));
    let whole = ours.iter().filter(|folder| within(folder, theirs));
    let common: BTreeSet<&String> = inner.chain(whole).collect();
    common.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folders(texts: &[&str]) -> BTreeSet<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn only_what_is_in_both_is_told() {
        for (ours, theirs, told) in [
            (&["/a"][..], &["/a/b"][..], &["/a/b"][..]),
            (&["/a/b"], &["/a"], &["/a/b"]),
            (&["/a"], &["/a"], &["/a"]),
            (&["/a"], &["/ab", "/", "/c"], &["/a"]),
            (&["/a"], &["/ab", "/c"], &[]),
            (&["/a", "/b"], &["/a/x", "/b/y", "/c"], &["/a/x", "/b/y"]),
            (&["/a"], &[], &[]),
            (&[], &["/"], &[]),
        ] {
            let common = common(&folders(ours), &folders(theirs));
            assert_eq!(common, told, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn an_address_that_is_no_folder_of_this_computer_is_none() {
        for uri in [
            "",
            "/a",
            "https://example.com/a",
            "file://elsewhere/a",
            "data:,a",
        ] {
            assert!(cfg!(windows) || folder(uri).is_none(), "{uri}");
        }
        #[cfg(unix)]
        assert_eq!(folder("file:///a/%2e%2e/b%20c").as_deref(), Some("/b c"));
    }

    proptest! {
        #[test]
        fn never_more_than_ours(
            ours in prop::collection::btree_set("(/[ab.]{1,2}){1,4}", 0..5),
            theirs in prop::collection::btree_set("(/[ab.]{0,2}){1,4}", 0..8),
        ) {
            for folder in common(&ours, &theirs) {
                let path = Path::new(&folder);
                prop_assert!(ours.iter().any(|ours| path.starts_with(ours)), "{folder}");
                prop_assert!(theirs.iter().any(|theirs| path.starts_with(theirs)), "{folder}");
            }
        }
    }
}
