//! A server that asks for its folders because of what an application wants is told those that are
//! its own and the application's: never one that the person has not given it.

use crate::support::mcp_client::{McpClient, first_text};
use crate::support::{TestHost, misbehave, text};
use loopback::Serving;
use policy::Decision;
use protocol::CallerId;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use url::Url;

/// A server of each era, and its tool that asks for folders.
const SERVERS: [(&str, &str); 2] = [
    ("asks-roots", "roots"),
    ("conforming", "test_input_required_result_list_roots"),
];

struct Scene {
    test: TestHost,
    _serving: Serving,
    editor: CallerId,
    folders: TempDir,
}

/// A served host with a server called `asks` that was given the folder `ours`, and an application.
async fn scene(mode: &str) -> Scene {
    let folders = tempfile::tempdir().unwrap();
    for folder in ["ours/inner", "other"] {
        std::fs::create_dir_all(folders.path().join(folder)).unwrap();
    }
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), mode]).await;
    let ours = folders.path().join("ours");
    test.ask("add_root", json!({"server": "asks", "path": ours}))
        .await
        .unwrap();
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let editor = test.add_client("Editor").await;
    Scene {
        test,
        _serving: serving,
        editor,
        folders,
    }
}

impl Scene {
    fn at(&self, path: &str) -> PathBuf {
        let folder = self.folders.path().canonicalize().unwrap();
        folder.join(path)
    }

    fn listed(&self, paths: &[&str]) -> Value {
        let root = |path: &&str| json!({"uri": uri(&self.at(path)), "name": "Mallory"});
        json!({"roots": paths.iter().map(root).collect::<Value>()})
    }
}

fn uri(path: &Path) -> String {
    Url::from_file_path(path).unwrap().into()
}

fn can() -> Value {
    json!({"roots": {"listChanged": true}})
}

fn roots(tool: &str) -> Value {
    json!({"name": format!("asks__{tool}"), "arguments": {}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_told_what_is_its_own_folder_and_the_applications() {
    for (mode, tool) in SERVERS {
        let scene = scene(mode).await;
        let _person = scene.test.person([Decision::always()]);
        let mut client = McpClient::begin_able(&scene.test, &scene.editor, can()).await;
        for (theirs, told) in [
            (&["ours/inner", "other"][..], &["ours/inner"][..]),
            (&["ours/../other"], &[]),
            (&["ours/inner/../../other", "ours/missing"], &[]),
            (&["", "ours/inner"], &["ours", "ours/inner"]),
            (&[], &[]),
        ] {
            let id = client.begin_to_ask("tools/call", roots(tool)).await;
            let (asked, _) = client.asked("roots/list").await;
            client.reply(&asked, scene.listed(theirs)).await;
            let said = client.answer(id).await.unwrap();
            let said = first_text(&said);
            assert_eq!(
                said.matches("file://").count(),
                told.len(),
                "{mode}: {said}"
            );
            for folder in told {
                let told = format!("\"{}\"", uri(&scene.at(folder)));
                assert!(said.contains(&told), "{mode}: {said}");
            }
            assert!(!said.contains("Mallory"), "its words are nobody's: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_era_of_2026_its_folders_come_with_the_call_made_again() {
    for (mode, tool) in SERVERS {
        let scene = scene(mode).await;
        let _person = scene.test.person([Decision::always()]);
        let mut client = McpClient::come(&scene.test, &scene.editor, None).await;
        let first = client.ask_able(can(), "tools/call", roots(tool)).await;
        let wants = first.unwrap();
        let requests = wants["inputRequests"].as_object().unwrap();
        let (key, wanted) = requests.iter().next().unwrap();
        assert_eq!(wanted["method"], "roots/list", "{wants}");
        let mut again = roots(tool);
        again["requestState"] = wants["requestState"].clone();
        again["inputResponses"] = json!({ key: scene.listed(&["ours/inner", "other"]) });
        let said = client.ask_able(can(), "tools/call", again).await.unwrap();
        let said = first_text(&said);
        let told = uri(&scene.at("ours/inner"));
        assert!(said.contains(&told) && !said.contains("other"), "{said}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_out_of_a_folder_of_its_own_is_none_of_them() {
    let scene = scene("asks-roots").await;
    std::os::unix::fs::symlink(scene.at("other"), scene.at("ours/out")).unwrap();
    let _person = scene.test.person([Decision::always()]);
    let mut client = McpClient::begin_able(&scene.test, &scene.editor, can()).await;
    let id = client.begin_to_ask("tools/call", roots("roots")).await;
    let (asked, _) = client.asked("roots/list").await;
    client.reply(&asked, scene.listed(&["ours/out"])).await;
    let said = client.answer(id).await.unwrap();
    assert!(!first_text(&said).contains("file://"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_lists_none_takes_nothing_away() {
    let scene = scene("asks-roots").await;
    let _person = scene
        .test
        .person(std::iter::repeat_with(Decision::always).take(2));
    let ours = uri(&scene.at("ours"));
    let mut unable = McpClient::begin(&scene.test, &scene.editor, None).await;
    let said = unable.ask("tools/call", roots("roots")).await.unwrap();
    assert!(first_text(&said).contains(&ours), "{said}");

    let mut client = McpClient::begin_able(&scene.test, &scene.editor, can()).await;
    for answer in [
        json!({"error": {"code": -32601, "message": "not here"}}),
        json!({"result": {"roots": "everything"}}),
        json!({"result": {"roots": [], "more": "x".repeat(128 * 1024)}}),
    ] {
        let id = client.begin_to_ask("tools/call", roots("roots")).await;
        let (asked, _) = client.asked("roots/list").await;
        let mut message = answer;
        message["jsonrpc"] = "2.0".into();
        message["id"] = asked;
        client.send(&message).await;
        let said = client.answer(id).await.unwrap();
        assert!(first_text(&said).contains(&ours), "{said}");
    }
    // Nobody's call, nobody's folders.
    let said = scene.test.call("asks", "roots", json!({})).await.unwrap();
    assert!(text(&said).contains(&ours));
}
