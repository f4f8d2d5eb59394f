//! Several surfaces may change things at the same moment: every change is kept, or refused, and
//! none undoes another.

use crate::support::{TestHost, misbehave};
use futures::future::join_all;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn folders_that_are_given_at_once_are_all_given() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let folders: Vec<_> = (0..8).map(|_| tempfile::tempdir().unwrap()).collect();
    let given = join_all(
        folders
            .iter()
            .map(|folder| test.ask("add_root", json!({"server": "echo", "path": folder.path()}))),
    )
    .await;
    assert!(given.iter().all(Result::is_ok), "{given:?}");
    let test = test.again().await;
    let server = test
        .host
        .snapshot()
        .await
        .servers
        .into_iter()
        .find(|server| server.id.as_str() == "echo")
        .unwrap();
    assert_eq!(
        (server.roots.len(), server.on, server.reviewed),
        (8, true, true)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_given_while_a_server_is_edited_is_not_lost() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let folder = tempfile::tempdir().unwrap();
    let edit = json!({"server": "echo", "draft": {"name": "echo", "target": {"kind": "stdio", "command": misbehave(), "args": ["ok", "more"]}}});
    let (given, edited) = tokio::join!(
        test.ask("add_root", json!({"server": "echo", "path": folder.path()})),
        test.ask("edit_server", edit)
    );
    given.unwrap();
    edited.unwrap();
    let server = test
        .host
        .snapshot()
        .await
        .servers
        .into_iter()
        .find(|server| server.id.as_str() == "echo")
        .unwrap();
    assert_eq!(
        (server.roots.len(), server.on, server.reviewed),
        (1, false, false)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_servers_with_one_name_one_is_kept() {
    let test = TestHost::new().await;
    let draft =
        |name: &str| json!({"draft": {"name": name, "target": {"kind": "stdio", "command": "x"}}});
    let added =
        join_all(["one", "ONE", "One", "oNe"].map(|name| test.ask("add_server", draft(name))))
            .await;
    assert_eq!(
        added.iter().filter(|added| added.is_ok()).count(),
        1,
        "{added:?}"
    );
    assert_eq!(test.again().await.host.snapshot().await.servers.len(), 3);
}
