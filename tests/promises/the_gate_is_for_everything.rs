//! One gate: what an administrator forbids, or nobody has approved, is not sent to a server by any
//! way. What the server heard is the evidence.

use crate::support::{Choices, TestHost, misbehave, unconfined};
use host::api::HostEvent;
use policy::{Decision, Layer, Refusal, RequestKind, RequestReason, Subject};
use protocol::Caller;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A host that obeys a file, with one server that notes what it hears.
struct Scene {
    test: TestHost,
    heard: PathBuf,
    policy: PathBuf,
}

/// What the server offers: it lists four addresses, and makes others from a template.
fn script() -> Value {
    json!({
        "able": true,
        "about": {"name": "notes", "instructions": "Read."},
        "tools": [],
        "prompts": [{"name": "greet", "arguments": [{"name": "who"}]}],
        "templates": [{"uriTemplate": "note://{name}", "name": "note"}],
        "answers": {"note://a": "abc", "https://evil.example/a": "abc", "file:///srv/secret/a": "abc", "vault:///kept/a": "abc"}
    })
}

impl Scene {
    /// The server runs; nothing that it offers was approved.
    async fn unseen() -> Self {
        let dir = tempfile::tempdir().unwrap().keep();
        let policy = dir.join("policy.cedar");
        let test = TestHost::with(Choices {
            policy_file: Some(policy.clone()),
            ..Choices::default()
        })
        .await;
        let (script_file, heard) = (dir.join("script.json"), dir.join("heard"));
        std::fs::write(&script_file, script().to_string()).unwrap();
        let target = json!({
            "kind": "stdio", "command": misbehave(), "args": ["scripted", script_file],
            "env": [{"name": "HEARD_WHOLE", "value": {"kind": "plain", "text": heard}}],
        });
        let draft = json!({"name": "notes", "target": target, "confinement": unconfined()});
        test.ask("add_server", json!({"draft": draft}))
            .await
            .unwrap();
        test.only_switch_on("notes").await;
        Self {
            test,
            heard,
            policy,
        }
    }

    /// The server runs, and everything that it offers is approved.
    async fn approved() -> Self {
        let scene = Self::unseen().await;
        scene.test.decide_all("notes", "approve").await;
        scene
    }

    /// Puts the administrator's rules in their place and waits until they hold.
    async fn forbid(&self, rules: &str) {
        let mut recorder = self.test.listen();
        let new = self.policy.with_extension("new");
        std::fs::write(&new, rules).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .unwrap();
        std::fs::rename(new, &self.policy).unwrap();
        recorder
            .until(|event| matches!(event, HostEvent::PolicyChanged))
            .await;
    }

    /// Everything that the server was told, as it came.
    fn heard(&self) -> String {
        std::fs::read_to_string(&self.heard).unwrap_or_default()
    }

    /// How often the server heard a word.
    fn times(&self, word: &str) -> usize {
        self.heard().matches(word).count()
    }

    /// The names of the folders that the server was told, each time that it asked.
    fn told(&self) -> Vec<Vec<String>> {
        let heard = self.heard();
        let messages = heard
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let of_folders = |id: &str| id.starts_with("folders ");
        let answers = messages.filter(|message| message["id"].as_str().is_some_and(of_folders));
        let names = answers.map(|answer| {
            let roots = answer["result"]["roots"].as_array().unwrap().iter();
            roots
                .map(|root| root["name"].as_str().unwrap().to_owned())
                .collect()
        });
        names.collect()
    }

    /// Waits until the server was told so often, or these folders last. How often it is told the same
    /// is the host's own matter.
    async fn until_told(&self, holds: impl Fn(&[Vec<String>]) -> bool) {
        while !holds(&self.told()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn until_told_last(&self, names: &[&str]) {
        self.until_told(|told| told.last().is_some_and(|last| last == names))
            .await;
    }

    /// Every request that names an address, a prompt or a template, and a level, with a mark in all
    /// that a caller chooses freely.
    async fn ask_all(&self, uri: &str, caller: Caller) -> Vec<(&'static str, Option<Refusal>)> {
        let prompt = json!({"kind": "prompt", "name": "greet"});
        let template = json!({"kind": "template", "uri_template": "note://{name}"});
        let proposal = |of: &Value| json!({"server": "notes", "of": of, "argument": "who", "value": uri, "context": {}});
        let mut said = Vec::new();
        for (method, params) in [
            ("read_resource", json!({"server": "notes", "uri": uri})),
            (
                "watch_resource",
                json!({"server": "notes", "uri": uri, "on": true}),
            ),
            (
                "watch_resource",
                json!({"server": "notes", "uri": uri, "on": false}),
            ),
            (
                "get_prompt",
                json!({"server": "notes", "prompt": "greet", "arguments": {"who": uri}}),
            ),
            ("complete", proposal(&prompt)),
            ("complete", proposal(&template)),
        ] {
            let told = self.test.ask_as(method, params, caller.clone()).await;
            let refusal = told.err().and_then(|error| error.refusal);
            said.push((method, refusal));
        }
        said
    }

    async fn set_level(&self) -> Option<Refusal> {
        let params = json!({"server": "notes", "level": "debug"});
        let told = self.test.ask_as_program("set_log_level", params).await;
        told.err().and_then(|error| error.refusal)
    }

    async fn read(&self, uri: &str) -> Result<Value, host::HostError> {
        let params = json!({"server": "notes", "uri": uri});
        self.test.ask_as_program("read_resource", params).await
    }

    /// The refusals in the log, newest first.
    async fn refused(&self) -> Vec<Value> {
        let params = json!({"filter": {"outcome": "refused"}, "before": null, "limit": 100});
        let page = self.test.ask("list_activity", params).await.unwrap();
        page["rows"].as_array().unwrap().clone()
    }
}

fn by_administrator(refusal: &Option<Refusal>) -> bool {
    let by = Layer::Administrator;
    matches!(refusal, Some(Refusal::Forbidden { by: who, .. }) if *who == by)
}

/// Everything but the request to tell no more, which sends nothing that was not sent before.
fn all_forbidden(said: &[(&str, Option<Refusal>)]) {
    for (number, (method, refusal)) in said.iter().enumerate() {
        assert!(
            number == 2 || by_administrator(refusal),
            "{method}: {refusal:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_forbidden_hears_nothing_that_anybody_chose() {
    let scene = Scene::approved().await;
    for action in ["call", "discover"] {
        let rule = format!(
            "forbid(principal, action == Action::\"{action}\", resource in Server::\"notes\");"
        );
        scene.forbid(&rule).await;
        for caller in [Caller::terminal(), Caller::window()] {
            all_forbidden(&scene.ask_all("note://a", caller).await);
        }
    }
    scene
        .forbid("forbid(principal, action == Action::\"call\", resource in Server::\"notes\");")
        .await;
    assert!(by_administrator(&scene.set_level().await));
    assert_eq!(
        scene.times("note://a") + scene.times("setLevel"),
        0,
        "{}",
        scene.heard()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_forbidden_is_named_to_no_server() {
    let scene = Scene::approved().await;
    scene
        .forbid("forbid(principal, action == Action::\"call\", resource) when { context.hosts.contains(\"evil.example\") };")
        .await;
    // One that it lists, one that is made up, and one in another spelling.
    for uri in [
        "https://evil.example/a",
        "https://www.evil.example/b?c",
        "HTTPS://EVIL.example./",
    ] {
        for caller in [Caller::terminal(), Caller::window()] {
            all_forbidden(&scene.ask_all(uri, caller).await);
        }
    }
    assert_eq!(scene.times("evil.example"), 0, "{}", scene.heard());
    scene.read("note://a").await.unwrap();
    assert_eq!(scene.times("note://a"), 1, "all else goes on");
    // Whoever fetches it: it leaves for there.
    scene
        .forbid("forbid(principal, action == Action::\"egress\", resource) when { context.hosts.contains(\"evil.example\") };")
        .await;
    let said = scene
        .ask_all("https://evil.example/a", Caller::terminal())
        .await;
    assert!(
        by_administrator(&said[0].1) && by_administrator(&said[1].1),
        "{said:?}"
    );
    assert_eq!(
        scene.times("\"uri\":\"https://evil"),
        0,
        "{}",
        scene.heard()
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_forbidden_is_named_to_no_server() {
    let scene = Scene::approved().await;
    scene
        .forbid("forbid(principal, action == Action::\"call\", resource) when { context.folders.contains(\"/srv/secret\") };")
        .await;
    for uri in [
        "file:///srv/secret/a",
        "file:///srv/./x/../secret/b",
        "file:///srv/%73ecret/c",
        "file://localhost/srv/secret/d",
        "file://elsewhere/srv/secret/e",
        "vault:///srv/secret/f",
    ] {
        let said = scene.ask_all(uri, Caller::window()).await;
        assert!(
            by_administrator(&said[0].1) && by_administrator(&said[1].1),
            "{uri}: {said:?}"
        );
    }
    assert_eq!(
        scene.times("resources/read") + scene.times("subscribe\""),
        0,
        "{}",
        scene.heard()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn before_anything_is_approved_nothing_that_anybody_chose_is_sent() {
    let scene = Scene::unseen().await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().canonicalize().unwrap();
    scene
        .test
        .ask("add_root", json!({"server": "notes", "path": path}))
        .await
        .unwrap();
    for caller in [Caller::terminal(), Caller::window()] {
        for (number, (method, refusal)) in
            scene.ask_all("note://a", caller).await.iter().enumerate()
        {
            assert!(
                number == 2 || *refusal == Some(Refusal::NotReviewed),
                "{method}: {refusal:?}"
            );
        }
    }
    assert_eq!(scene.set_level().await, Some(Refusal::NotReviewed));
    scene.until_told(|told| told.len() >= 2).await;
    assert!(
        scene.told().iter().all(Vec::is_empty),
        "neither at the start nor when a folder was given"
    );
    let chosen = ["note://a", "setLevel", "subscribe", path.to_str().unwrap()];
    assert!(
        chosen.iter().all(|word| scene.times(word) == 0),
        "{}",
        scene.heard()
    );

    scene.test.decide_all("notes", "approve").await;
    scene.read("note://a").await.unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    scene.until_told_last(&[name]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_forbidden_is_not_told() {
    let scene = Scene::approved().await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().canonicalize().unwrap();
    let (open, secret) = (path.join("open"), path.join("secret"));
    for folder in [&open, &secret] {
        std::fs::create_dir(folder).unwrap();
        let params = json!({"server": "notes", "path": folder});
        scene.test.ask("add_root", params).await.unwrap();
    }
    scene.until_told_last(&["open", "secret"]).await;
    let in_folder = format!("{:?}", secret.to_str().unwrap());
    scene
        .forbid(&format!("forbid(principal, action == Action::\"call\", resource) when {{ context.folders.contains({in_folder}) }};"))
        .await;
    scene.until_told_last(&["open"]).await;
    scene
        .forbid("forbid(principal, action == Action::\"call\", resource in Server::\"notes\");")
        .await;
    scene.until_told_last(&[]).await;
    scene.forbid("// Nothing is forbidden.\n").await;
    scene.until_told_last(&["open", "secret"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_blocked_is_neither_read_nor_filled_in() {
    let scene = Scene::unseen().await;
    scene.test.decide_all("notes", "approve").await;
    let review = scene
        .test
        .ask("review_offers", json!({"server": "notes"}))
        .await
        .unwrap();
    let offers = review["offers"].as_array().unwrap();
    let named = offers
        .iter()
        .filter(|offer| ["prompt", "template"].contains(&offer["key"]["kind"].as_str().unwrap()));
    let decisions: Vec<Value> = named
        .map(|offer| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": "block"}))
        .collect();
    assert_eq!(decisions.len(), 2);
    let params = json!({"server": "notes", "decisions": decisions});
    scene.test.ask("decide_offers", params).await.unwrap();
    // One that the server lists, one that it does not, and one in another spelling.
    for uri in ["note://a", "note://b", "NOTE://%63"] {
        for caller in [Caller::terminal(), Caller::window()] {
            for (number, (method, refusal)) in scene.ask_all(uri, caller).await.iter().enumerate() {
                assert!(
                    number == 2 || *refusal == Some(Refusal::Blocked),
                    "{method}: {refusal:?}"
                );
            }
        }
    }
    for method in [
        "resources/read",
        "subscribe\"",
        "prompts/get",
        "completion/complete",
    ] {
        assert_eq!(scene.times(method), 0, "{method}: {}", scene.heard());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_a_program_has_made_up_is_a_persons_to_allow() {
    let scene = Scene::approved().await;
    let person = scene
        .test
        .person([Decision::no(Some("not that")), Decision::once()]);
    // What the server lists and what its template makes is not asked about.
    for uri in ["note://a", "note://b", "vault:///kept/a"] {
        scene.read(uri).await.unwrap();
    }
    assert!(person.asked().is_empty());
    let no = scene.read("vault:///made/up").await.unwrap_err();
    let reason = Some("not that".to_owned());
    assert_eq!(no.refusal, Some(Refusal::DeniedByPerson { reason }));
    assert_eq!(scene.times("/made/up"), 0, "{}", scene.heard());
    scene.read("vault:///made/up").await.unwrap();
    assert_eq!(scene.times("/made/up"), 1, "{}", scene.heard());
    for question in person.asked() {
        let Subject::Request {
            caller,
            request,
            arguments,
            reason,
            ..
        } = question.subject
        else {
            panic!("it is not asked about")
        };
        assert_eq!(
            (caller, request, &arguments["uri"], reason),
            (
                Caller::terminal(),
                RequestKind::Read,
                &json!("vault:///made/up"),
                RequestReason::NotListed
            )
        );
    }
    // A person who reads by hand has said so.
    let params = json!({"server": "notes", "uri": "vault:///made/by/hand"});
    let read = scene.test.ask_as("read_resource", params, Caller::window());
    read.await.unwrap();
    assert_eq!((person.asked().len(), scene.times("/made/by/hand")), (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_asks_asks_about_reading_too_and_nobody_about_each_key() {
    let scene = Scene::approved().await;
    scene
        .forbid("@id(\"ask\") forbid(principal, action == Action::\"callSilently\", resource in Server::\"notes\");")
        .await;
    let person = scene.test.person([Decision::once(), Decision::Decline]);
    scene.read("note://a").await.unwrap();
    let params = json!({"server": "notes", "prompt": "greet", "arguments": {"who": "Ada"}});
    let no = scene
        .test
        .ask_as("get_prompt", params, Caller::window())
        .await
        .unwrap_err();
    assert_eq!(no.refusal, Some(Refusal::DeniedByPerson { reason: None }));
    let params = json!({"server": "notes", "of": {"kind": "prompt", "name": "greet"}, "argument": "who", "value": "A", "context": {}});
    let no = scene.test.ask("complete", params).await.unwrap_err();
    assert_eq!(no.refusal, Some(Refusal::NeedsPerson));
    assert_eq!(person.asked().len(), 2);
    assert_eq!(
        scene.times("prompts/get") + scene.times("completion/"),
        0,
        "{}",
        scene.heard()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_stands_in_the_log() {
    let scene = Scene::approved().await;
    scene
        .forbid("@id(\"no\") @reason(\"not here\") forbid(principal, action, resource in Server::\"notes\");")
        .await;
    let said = scene.ask_all("note://a", Caller::terminal()).await;
    assert!(by_administrator(&scene.set_level().await));
    let refused = scene.refused().await;
    assert_eq!(
        refused.len(),
        said.len(),
        "all but one, and the level: {refused:#?}"
    );
    for row in &refused {
        assert_eq!(
            (&row["what"], &row["server"]),
            (&json!("request_refused"), &json!("notes"))
        );
        assert_eq!(row["caller"], json!(Caller::terminal()));
    }
    let oldest = refused.last().unwrap();
    let detail = scene
        .test
        .ask("show_activity", json!({"seq": oldest["seq"]}))
        .await
        .unwrap();
    assert_eq!(detail["arguments"], json!({"uri": "note://a"}));
    assert_eq!(detail["refusal"]["reason"], "not here");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_from_a_caller_is_not_listed_for_it() {
    let scene = Scene::approved().await;
    scene
        .forbid("forbid(principal is Terminal, action == Action::\"discover\", resource in Server::\"notes\");")
        .await;
    for (caller, many) in [
        (Caller::terminal(), (0, 0, 0)),
        (Caller::window(), (4, 1, 1)),
    ] {
        let server = json!({"server": "notes"});
        let list = scene
            .test
            .ask_as("list_resources", server.clone(), caller.clone())
            .await
            .unwrap();
        let prompts = scene
            .test
            .ask_as("list_prompts", server, caller)
            .await
            .unwrap();
        let count = |list: &Value| list.as_array().unwrap().len();
        assert_eq!(
            (
                count(&list["resources"]),
                count(&list["templates"]),
                count(&prompts)
            ),
            many
        );
    }
}
