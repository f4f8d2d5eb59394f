//! A model is set up with a key that comes in and never goes out again but to its service, and what
//! is wrong with it is said so that something can be done about it.

use crate::support::evidence::{Evidence, secret};
use crate::support::terminal::{Ran, Terminal};
use crate::support::{TestHost, code};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Something that listens where the service of a model could, and answers each request alike.
struct Service {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Service {
    /// Answers with a status line, further headers each on a line, and a body.
    async fn new(status: &str, headers: &str, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
        );
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let hears = heard.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => break,
                    }
                }
                let head = String::from_utf8(head).unwrap();
                hears.lock().unwrap().push(head);
                // Whoever goes away in the middle is no concern of a service.
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            }
        });
        Self { url, heard }
    }

    async fn with_models(names: &[&str]) -> Self {
        let data: Vec<Value> = names.iter().map(|name| json!({"id": name})).collect();
        Self::new("200 OK", "", &json!({"data": data}).to_string()).await
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn draft(service: &str, url: &str, key: Value) -> Value {
    let settings = json!({"service": service, "url": url, "name": "wise-1", "context": 200_000, "sees_images": false});
    json!({"name": "Mine", "settings": settings, "key": key})
}

fn new(key: &str) -> Value {
    json!({"kind": "new_secret", "value": key})
}

async fn added(test: &TestHost, draft: Value) -> Value {
    let added = test.ask("add_model", json!({"draft": draft})).await;
    added.unwrap()["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_a_model_goes_to_its_service_and_is_found_nowhere_else() {
    let (test, service) = (
        TestHost::new().await,
        Service::with_models(&["wise-1"]).await,
    );
    let (key, next) = (secret(60), secret(60));
    let mut evidence = Evidence::gather(&test).await;
    let model = added(&test, draft("anthropic", &service.url, new(&key))).await;
    let change = json!({"model": model, "draft": draft("anthropic", &service.url, new(&next))});
    for (method, params) in [
        ("test_model", json!({"model": model})),
        ("change_model", change),
        ("test_model", json!({"model": model})),
        ("list_models", Value::Null),
    ] {
        let answer = test.ask(method, params).await.unwrap();
        evidence.keep(method, &answer);
    }
    let sent = service.heard();
    assert_eq!(sent.len(), 2, "{sent:?}");
    for (head, key) in sent.iter().zip([&key, &next]) {
        assert!(head.starts_with("GET /v1/models?limit=1000 "), "{head}");
        assert!(head.contains(&format!("x-api-key: {key}\r\n")), "{head}");
    }
    evidence.ask_everything(&[]).await;
    evidence.rpc("list_models", Value::Null).await;
    test.host.close().await;
    evidence.collect(&test);
    assert!(evidence.amount("list_models") > 0 && evidence.amount(".log") > 0);
    evidence.must_not_hold(&key);
    evidence.must_not_hold(&next);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_and_its_key_are_there_after_a_restart_until_it_is_removed() {
    let (test, service) = (
        TestHost::new().await,
        Service::with_models(&["wise-0", "wise-1"]).await,
    );
    let model = added(
        &test,
        draft("responses", &service.url, new("sk-0123456789")),
    )
    .await;
    let test = test.again().await;
    let all = test.ask("list_models", Value::Null).await.unwrap();
    assert_eq!((&all[0]["id"], &all[0]["has_key"]), (&model, &json!(true)));
    let check = test
        .ask("test_model", json!({"model": model}))
        .await
        .unwrap();
    assert_eq!(check["is_offered"], true, "{check}");
    assert_eq!(check["offered"][0]["name"], "wise-0");
    assert!(service.heard()[0].contains("authorization: Bearer sk-0123456789\r\n"));
    test.ask("remove_model", json!({"model": model}))
        .await
        .unwrap();
    let all = test.ask("list_models", Value::Null).await.unwrap();
    assert_eq!(all, json!([]));
    let gone = test.ask("test_model", json!({"model": model})).await;
    assert_eq!(code(gone), host::ErrorCode::UnknownModel);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_model_is_said_by_what_can_be_done_about_it() {
    use host::ErrorCode::{
        ModelKeyRefused, ModelQuotaSpent, ModelServiceFailed, NotAModelService, Unreachable,
    };
    let test = TestHost::new().await;
    let list = "{\"data\": []}";
    let google = r#"{"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}"#;
    for (status, body, expected) in [
        ("401 Unauthorized", "no sk-0123456789", ModelKeyRefused),
        ("403 Forbidden", "", ModelKeyRefused),
        ("400 Bad Request", google, ModelKeyRefused),
        ("400 Bad Request", "", NotAModelService),
        ("402 Payment Required", "", ModelQuotaSpent),
        ("429 Too Many Requests", "", ModelQuotaSpent),
        ("503 Service Unavailable", "", ModelServiceFailed),
        ("529 Overloaded", "", ModelServiceFailed),
        ("404 Not Found", list, NotAModelService),
        ("200 OK", "<html>welcome</html>", NotAModelService),
    ] {
        let service = Service::new(status, "", body).await;
        let model = added(&test, draft("gemini", &service.url, new("sk-0123456789"))).await;
        let refused = test.ask("test_model", json!({"model": model})).await;
        let error = refused.unwrap_err();
        assert_eq!(error.code, expected, "{status}: {error}");
        assert!(!error.message.contains("sk-0123456789"), "{error}");
        test.ask("remove_model", json!({"model": model}))
            .await
            .unwrap();
    }
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let model = added(&test, draft("ollama", &url, json!({"kind": "none"}))).await;
    let refused = test.ask("test_model", json!({"model": model})).await;
    assert_eq!(code(refused), Unreachable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_a_list_of_its_models_can_be_used() {
    let (test, service) = (
        TestHost::new().await,
        Service::new("404 Not Found", "", "").await,
    );
    let model = added(&test, draft("chat", &service.url, json!({"kind": "none"}))).await;
    let check = test
        .ask("test_model", json!({"model": model}))
        .await
        .unwrap();
    assert_eq!(check, json!({"offered": null, "is_offered": null}));
    assert!(
        !service.heard()[0].contains("authorization"),
        "no key, no header"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_of_a_model_is_not_followed_and_nobody_else_gets_the_key() {
    let (test, other) = (
        TestHost::new().await,
        Service::with_models(&["wise-1"]).await,
    );
    let to = format!("Location: {}/v1/models\r\n", other.url);
    let service = Service::new("307 Temporary Redirect", &to, "").await;
    let model = added(
        &test,
        draft("anthropic", &service.url, new("sk-0123456789")),
    )
    .await;
    let refused = test.ask("test_model", json!({"model": model})).await;
    assert_eq!(code(refused), host::ErrorCode::Redirected);
    assert_eq!(other.heard(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_key_of_a_model_stays_with_the_origin_that_it_was_given_for() {
    let (test, other) = (
        TestHost::new().await,
        Service::with_models(&["wise-1"]).await,
    );
    let service = Service::with_models(&["wise-1"]).await;
    let model = added(
        &test,
        draft("anthropic", &service.url, new("sk-0123456789")),
    )
    .await;
    let change = async |url: &str, key: Value| {
        let draft = draft("anthropic", url, key);
        test.ask("change_model", json!({"model": model, "draft": draft}))
            .await
    };
    let kept = || json!({"kind": "kept"});
    let refused = change(&other.url, kept()).await;
    assert_eq!(code(refused), host::ErrorCode::SecretElsewhere);
    let below = change(&format!("{}/below/", service.url), kept()).await;
    assert_eq!(below.unwrap()["has_key"], true);
    let moved = change(&other.url, json!({"kind": "none"})).await.unwrap();
    assert_eq!(moved["has_key"], false);
    test.ask("test_model", json!({"model": model}))
        .await
        .unwrap();
    assert!(!other.heard()[0].contains("x-api-key"), "it has none now");
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_http_to_a_private_network_is_a_choice_of_its_own_for_each_model() {
    let test = TestHost::new().await;
    let mut wanted = draft(
        "ollama",
        "http://192.168.1.7:11434",
        json!({"kind": "none"}),
    );
    let refused = test.ask("add_model", json!({"draft": wanted})).await;
    assert_eq!(code(refused), host::ErrorCode::BadUrl);
    wanted["settings"]["plain_nearby"] = json!(true);
    test.ask("add_model", json!({"draft": wanted}))
        .await
        .unwrap();
    // Chosen for a place that is not near: nothing is sent.
    wanted["name"] = json!("Far");
    wanted["settings"]["url"] = json!("http://8.8.8.8");
    let far = added(&test, wanted).await;
    let refused = test.ask("test_model", json!({"model": far})).await;
    assert_eq!(code(refused), host::ErrorCode::AddressForbidden);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_cannot_be_one_is_refused_and_no_two_have_one_name() {
    use host::ErrorCode::{BadName, BadSetting, BadUrl, NameTaken, SecretTooShort, TooLarge};
    let test = TestHost::new().await;
    let good = || draft("ollama", "http://127.0.0.1:9", json!({"kind": "none"}));
    added(&test, good()).await;
    let bad = |at: &str, value: Value| {
        let mut draft = good();
        draft["name"] = json!("Other");
        *draft.pointer_mut(at).unwrap() = value;
        draft
    };
    for (draft, expected) in [
        (bad("/name", json!("mine")), NameTaken),
        (bad("/name", json!("a\nb")), BadName),
        (bad("/name", json!("x".repeat(5_000))), TooLarge),
        (bad("/settings/name", json!("two words")), BadName),
        (bad("/settings/context", json!(7)), BadSetting),
        (bad("/settings/url", json!("http://example.com")), BadUrl),
        (bad("/key", new("abc")), SecretTooShort),
        (bad("/key", new("sk-01234\r\n56789")), BadSetting),
    ] {
        let refused = test.ask("add_model", json!({"draft": draft})).await;
        assert_eq!(code(refused), expected, "{draft}");
    }
    let all = test.ask("list_models", Value::Null).await.unwrap();
    assert_eq!(all.as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_set_up_tested_and_removed_in_the_terminal() {
    let (terminal, service) = (Terminal::new(), Service::with_models(&["wise-1"]).await);
    let add = [
        "--yes",
        "models",
        "add",
        "Mine",
        "--service",
        "chat",
        "--model",
        "wise-1",
        "--url",
        &service.url,
        "--context",
        "32768",
        "--session",
    ];
    let (_host, _) = terminal.serve(&[]);
    let key = "sk-0123456789";
    let nobody = Ran::with_input(&mut terminal.command(&add[1..]), key);
    assert_eq!(nobody.code, 3, "without a person's word: {nobody:?}");
    let ran = Ran::with_input(&mut terminal.command(&add), &format!("{key}\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let listed = terminal.run(&["models", "list"]);
    assert!(listed.out.contains("wise-1") && listed.out.contains(&service.url));
    assert!(!format!("{ran:?}{listed:?}").contains(key));
    let check = terminal.json(&["models", "test", "mine"]);
    assert_eq!(check["is_offered"], true);
    assert!(service.heard()[0].contains("authorization: Bearer sk-0123456789\r\n"));
    let change = |what: &str| {
        let words = ["--yes", "models", "change", "Mine"];
        let words = words.into_iter().chain(what.split_whitespace());
        terminal.run(&words.collect::<Vec<_>>())
    };
    let nothing = change("");
    assert_eq!(nothing.code, 2, "nothing to change: {nothing:?}");
    let changed = change("--context 65536 --images yes");
    assert_eq!(changed.code, 0, "{changed:?}");
    let elsewhere = change("--url https://other.example/v1");
    assert!(elsewhere.err.contains("key"), "{elsewhere:?}");
    let mine = &terminal.json(&["models", "list"])[0];
    assert_eq!(mine["settings"]["context"], 65_536);
    assert_eq!(mine["settings"]["sees_images"], true);
    assert_eq!(
        mine["settings"]["name"], "wise-1",
        "what is not named stays"
    );
    assert_eq!(mine["has_key"], true, "and so does the key");
    assert_eq!(
        mine["settings"]["url"], service.url,
        "which follows nowhere"
    );
    let moves = "--yes models change Mine --url https://other.example/v1 --key --session";
    let moves: Vec<&str> = moves.split(' ').collect();
    let moved = Ran::with_input(&mut terminal.command(&moves), "sk-another\n");
    assert_eq!(moved.code, 0, "{moved:?}");
    let mine = &terminal.json(&["models", "list"])[0];
    assert_eq!(mine["settings"]["url"], "https://other.example/v1");
    let key = Ran::with_input(
        &mut terminal.command(&["--yes", "models", "key", "Mine", "--remove"]),
        "",
    );
    assert_eq!(key.code, 0, "{key:?}");
    assert_eq!(terminal.json(&["models", "list"])[0]["has_key"], false);
    assert_eq!(terminal.run(&["models", "remove", "Mine"]).code, 0);
    let gone = terminal.run(&["models", "test", "Mine"]);
    assert_eq!(gone.code, 2, "{gone:?}");
}
