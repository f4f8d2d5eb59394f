//! What is seen of servers at a glance: their pictures, since when they run, and what they use.

use crate::support::{TestHost, misbehave, unconfined};
use serde_json::{Value, json};

/// A small picture, and another one.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNwaDjwHwAFBAKAPJ4DgAAAAABJRU5ErkJggg==";
const ANOTHER: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGM40ODwHwAGBAKAhQLkFgAAAABJRU5ErkJggg==";

/// A server with these pictures, which nobody has approved yet.
async fn with_pictures(test: &TestHost, icons: Value) {
    say(test, icons);
    let file = test.dir().join("pictured.json");
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["scripted", file]});
    let draft = json!({"name": "pictured", "target": target, "confinement": unconfined()});
    test.ask("add_server", json!({"draft": draft}))
        .await
        .unwrap();
    test.only_switch_on("pictured").await;
}

/// What the server says of itself from its next start on.
fn say(test: &TestHost, icons: Value) {
    let script = json!({"about": {"name": "pictured", "icons": icons}, "tools": []});
    std::fs::write(test.dir().join("pictured.json"), script.to_string()).unwrap();
}

async fn picture(test: &TestHost) -> Value {
    json!(test.server("pictured").await)["claims"]["icon"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_shown_once_it_was_approved_and_so_is_another_one_in_its_place() {
    let test = TestHost::new().await;
    with_pictures(&test, json!([{"src": PICTURE}])).await;
    assert_eq!(picture(&test).await, Value::Null, "nobody has seen it yet");
    test.decide_all("pictured", "approve").await;
    assert_eq!(picture(&test).await, json!(PICTURE));

    let test = test.again().await;
    assert_eq!(picture(&test).await, json!(PICTURE), "also before it runs");

    say(&test, json!([{"src": ANOTHER}]));
    for request in ["restart_server", "list_tools"] {
        test.ask(request, json!({"server": "pictured"}))
            .await
            .unwrap();
    }
    assert_eq!(
        picture(&test).await,
        Value::Null,
        "it could be another server's"
    );
    let review = test
        .ask("review_offers", json!({"server": "pictured"}))
        .await
        .unwrap();
    let about = &review["offers"].as_array().unwrap()[0];
    assert_eq!(about["standing"]["kind"], "changed", "{about}");
    test.decide_all("pictured", "approve").await;
    assert_eq!(picture(&test).await, json!(ANOTHER));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_picture_is_fetched() {
    let test = TestHost::new().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}/icon.png", listener.local_addr().unwrap());
    with_pictures(
        &test,
        json!([{"src": address}, {"src": "file:///etc/hostname"}]),
    )
    .await;
    test.decide_all("pictured", "approve").await;
    assert_eq!(picture(&test).await, Value::Null);
    let came = listener.accept();
    assert!(came.is_err(), "somebody came for it: {came:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn since_when_a_server_runs_and_what_its_processes_use_can_be_asked() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let since = json!(test.server("echo").await)["since"].clone();
    assert!(since.as_i64().is_some_and(|since| since > 0), "{since}");

    let usage = || async { test.ask("server_usage", json!({})).await.unwrap() };
    let first = usage().await;
    let of_echo = &first.as_array().unwrap()[0];
    assert_eq!(of_echo["server"], "echo");
    assert!(of_echo["processes"].as_u64() >= Some(1), "{of_echo}");
    assert!(of_echo["memory"].as_u64() > Some(100_000), "{of_echo}");
    assert_eq!(of_echo["cpu"], Value::Null, "a share needs two looks");
    assert!(usage().await[0]["cpu"].as_f64().is_some());

    test.ask("disable_server", json!({"server": "echo"}))
        .await
        .unwrap();
    assert_eq!(usage().await, json!([]));
    assert_eq!(json!(test.server("echo").await)["since"], Value::Null);
}
