//! A file that lies outside the folders that a server was given is named to it by nobody, whether it
//! is confined or not. What the server heard is the evidence.

#![cfg(unix)]

use crate::support::{Choices, TestHost, misbehave, unconfined};
use host::{Folders, HostError, Os};
use policy::{Decision, Refusal};
use protocol::Caller;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A computer with a person's home, and a server that notes what it hears.
struct Scene {
    test: TestHost,
    home: TempDir,
}

impl Scene {
    async fn new(confinement: Value) -> Self {
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let real = home.path().canonicalize().unwrap();
        for (path, text) in [
            (".ssh/id_ed25519", "a key"),
            ("work/notes.txt", "some notes"),
            ("letters/letter.txt", "a letter"),
            ("letters/a letter.txt", "another letter"),
            ("heard/whole", ""),
        ] {
            let path = real.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::os::unix::fs::symlink(real.join("letters"), real.join("work/way-out")).unwrap();
        let script = json!({
            "able": true,
            "tools": [{"name": "open", "inputSchema": {"type": "object"}}],
            "prompts": [{"name": "greet", "arguments": [{"name": "who"}]}],
            "templates": [{"uriTemplate": "file:///{path}", "name": "file"}],
        });
        std::fs::write(real.join("heard/script.json"), script.to_string()).unwrap();
        let test = TestHost::with(Choices {
            folders: Some(Folders::below(Os::here(), real)),
            ..Choices::default()
        })
        .await;
        let scene = Self { test, home };
        let target = json!({
            "kind": "stdio", "command": misbehave(), "args": ["scripted", scene.at("heard/script.json")],
            "env": [{"name": "HEARD_WHOLE", "value": {"kind": "plain", "text": scene.at("heard/whole")}}],
        });
        scene.test.add_confined("notes", target, confinement).await;
        scene.give("work").await;
        scene
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().canonicalize().unwrap().join(path)
    }

    fn text(&self, path: &str) -> String {
        self.at(path).to_str().unwrap().to_owned()
    }

    async fn give(&self, folder: &str) {
        self.test.give("notes", &self.at(folder)).await;
    }

    async fn call(&self, arguments: Value) -> Result<Value, HostError> {
        let person = self.test.person([Decision::once()]);
        let called = self.test.call("notes", "open", arguments).await;
        let asked = person.asked().len();
        assert!(called.is_ok() || asked == 0, "nobody is asked about it");
        called.map(|_| Value::Null)
    }

    /// How often the server heard a word.
    fn times(&self, word: &str) -> usize {
        let heard = std::fs::read_to_string(self.at("heard/whole")).unwrap();
        heard.matches(word).count()
    }
}

fn is_outside(said: &Result<Value, HostError>) -> bool {
    let refusal = said.as_ref().err().and_then(|error| error.refusal.as_ref());
    matches!(refusal, Some(Refusal::OutsideFolders { .. }))
}

/// Confined, where that is possible here, and not.
fn both() -> Vec<Value> {
    let confined = cfg!(target_os = "linux").then_some(Value::Null);
    confined.into_iter().chain([unconfined()]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_names_one_is_refused_before_the_server_hears_of_it() {
    for confinement in both() {
        let scene = Scene::new(confinement).await;
        let letter = scene.text("letters/letter.txt");
        let ways = [
            json!({"path": letter}),
            json!({"path": scene.at("letters")}),
            json!({"path": scene.at("letters/new.txt")}),
            json!({"path": scene.at("work/../letters/letter.txt")}),
            json!({"path": scene.at("work/way-out/letter.txt")}),
            json!({"path": "way-out/letter.txt"}),
            json!({"path": "../letters/letter.txt"}),
            json!({"path": "a b/../../letters/letter.txt"}),
            json!({"path": scene.at("letters/*.txt")}),
            json!({"path": format!("file://{letter}")}),
            json!({"path": format!("sqlite://{letter}")}),
            json!({"path": format!("{}:{letter}", scene.text("work/a"))}),
            json!({"option": format!("-C{letter}")}),
            json!({"option": format!("--file={letter}")}),
            json!({"paths": [scene.at("work/notes.txt"), letter]}),
            json!({"files": {letter.clone(): "text"}}),
            json!({"deep": [{"er": [{"path": letter}]}]}),
            json!({"path": "/etc/passwd"}),
            json!({"path": "/not-here/../etc/passwd"}),
            json!({"path": " \"/etc/passwd\"\n"}),
            json!({"path": "/\n/../etc/passwd"}),
            json!({"path": format!("/{}etc/passwd", "./".repeat(8000))}),
            json!({"path": format!("{}../letters/letter.txt", "a/../".repeat(2000))}),
            json!({"path": "way-out"}),
            json!({"path": "way-out/a letter.txt"}),
            json!({"path": "http://x/../../../letters/letter.txt"}),
            json!({"path": "file:../letters/letter.txt"}),
            json!({"path": "file:///etc/passwd# x"}),
            json!({"path": "a%2f..%2f..%2fletters/letter.txt"}),
            json!({"option": "--git-dir=.."}),
            json!({"path": "/e*/passwd"}),
            json!({"path": "/"}),
            json!({"path": "~/.ssh/id_ed25519"}),
            json!({"path": "$HOME/.ssh/id_ed25519"}),
        ];
        let number = ways.len();
        for arguments in ways {
            let called = scene.call(arguments.clone()).await;
            assert!(is_outside(&called), "{arguments}: {called:?}");
        }
        assert_eq!(scene.times("tools/call"), 0);
        let filter = json!({"filter": {"outcome": "refused"}, "before": null, "limit": 100});
        let page = scene.test.ask("list_activity", filter).await.unwrap();
        let rows = page["rows"].as_array().unwrap();
        assert_eq!(rows.len(), number, "each stands in the log");
        assert!(rows.iter().all(|row| row["reason"] == "outside_folders"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_them_and_what_is_none_of_this_computer_reach_it() {
    for confinement in both() {
        let scene = Scene::new(confinement).await;
        let fine = [
            json!({"path": scene.at("work")}),
            json!({"path": scene.at("work/notes.txt")}),
            json!({"path": scene.at("work/new/and newer.txt")}),
            json!({"path": format!("file://{}", scene.text("work/notes.txt"))}),
            json!({"path": "notes.txt"}),
            json!({"path": "./src/main.rs"}),
            json!({"endpoint": "/not-on-this-computer/1", "route": "/{id}", "page": "/?page=2"}),
            json!({"selector": "//button[@type='submit']", "expression": "/foo.*bar/", "version": "~1.2.3"}),
            json!({"query": "/* a hint */ select 1", "again": "~~done~~"}),
            json!({"url": "https://example.org/etc/passwd"}),
            json!({"kind": "text/html", "who": "@scope/package", "ratio": "and/or"}),
            json!({"text": "See /etc/passwd, and then\n/etc/hosts."}),
            json!({"text": "/* a remark */ int x;\n../x"}),
            json!({"text": "a".repeat(100_000) + "/etc/passwd"}),
            json!({"date": "24/12/2026", "part": "1/2", "pattern": "**/lib/*.js"}),
        ];
        for (number, arguments) in fine.into_iter().enumerate() {
            let called = scene.call(arguments.clone()).await;
            assert!(called.is_ok(), "{number}: {called:?}");
            assert_eq!(scene.times("tools/call"), number + 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_request_names_one_either() {
    for confinement in both() {
        let scene = Scene::new(confinement).await;
        let letter = scene.text("letters/letter.txt");
        let address = format!("file://{letter}");
        let of = [
            json!({"kind": "prompt", "name": "greet"}),
            json!({"kind": "template", "uri_template": "file:///{path}"}),
        ];
        let proposal = |of: &Value| json!({"server": "notes", "of": of, "argument": "who", "value": letter, "context": {}});
        for (method, params) in [
            ("read_resource", json!({"server": "notes", "uri": address})),
            (
                "watch_resource",
                json!({"server": "notes", "uri": address, "on": true}),
            ),
            (
                "get_prompt",
                json!({"server": "notes", "prompt": "greet", "arguments": {"who": letter}}),
            ),
            ("complete", proposal(&of[0])),
            ("complete", proposal(&of[1])),
        ] {
            for caller in [Caller::terminal(), Caller::window()] {
                let told = scene.test.ask_as(method, params.clone(), caller).await;
                assert!(is_outside(&told), "{method}: {told:?}");
            }
        }
        assert_eq!(scene.times("letter.txt"), 0);
        // What is being typed is the beginning of a path.
        let typed = json!({"server": "notes", "of": of[1], "argument": "path", "value": scene.text("wo"), "context": {}});
        scene.test.ask("complete", typed).await.unwrap();
        let own = format!("file://{}", scene.text("work/notes.txt"));
        let params = json!({"server": "notes", "uri": own});
        scene.test.ask("read_resource", params).await.unwrap();
        assert_eq!(scene.times("notes.txt"), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_counts_as_soon_as_it_is_given_and_not_after_it_was_taken_back() {
    for confinement in both() {
        let scene = Scene::new(confinement).await;
        let letter = json!({"path": scene.at("letters/letter.txt")});
        assert!(is_outside(&scene.call(letter.clone()).await));
        scene.give("letters").await;
        scene.call(letter.clone()).await.unwrap();
        let root = json!({"server": "notes", "path": scene.at("letters")});
        scene.test.ask("remove_root", root).await.unwrap();
        assert!(is_outside(&scene.call(letter).await));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_around_something_protected_is_not_all_that_lies_in_it() {
    let scene = Scene::new(unconfined()).await;
    let home = scene.home.path().canonicalize().unwrap();
    let root = json!({"server": "notes", "path": home, "accept_protected": true});
    scene.test.ask("add_root", root).await.unwrap();
    scene
        .call(json!({"path": scene.at("letters/letter.txt")}))
        .await
        .unwrap();
    let key = scene
        .call(json!({"path": scene.at(".ssh/id_ed25519")}))
        .await;
    assert!(is_outside(&key), "{key:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_of_another_computer_or_of_a_container_is_none_of_this_one() {
    let test = TestHost::new().await;
    let engine = tempfile::tempdir().unwrap();
    let docker = engine.path().join("docker");
    let script = format!("#!/bin/sh\nexec {} ok\n", misbehave());
    std::fs::write(&docker, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&docker, executable).unwrap();
    let target =
        json!({"kind": "stdio", "command": docker, "args": ["run", "-i", "--rm", "example/notes"]});
    test.add_confined("notes", target, unconfined()).await;
    let person = test.person([Decision::once()]);
    let path = json!({"text": "/etc/passwd"});
    test.call("notes", "echo", path).await.unwrap();
    assert_eq!(person.asked().len(), 1);
}
