//! Of many servers, those that are well can be used while the others still hang.

use crate::support::{Choices, TestHost, misbehave, unconfined};
use host::Limits;
use host::api::{HostEvent, ServerState};
use serde_json::json;
use std::time::{Duration, Instant};

const WELL: usize = 40;
const HANGING: usize = 10;

/// A host that waits for a server longer than any test lasts.
fn patient() -> Choices {
    let usual = Choices::default();
    Choices {
        limits: Limits {
            start: Duration::from_secs(600),
            ..usual.limits
        },
        ..usual
    }
}

async fn enable(test: &TestHost, name: &str, mode: &str) {
    let target = json!({"kind": "stdio", "command": misbehave(), "args": [mode]});
    test.ask(
        "add_server",
        json!({"draft": {"name": name, "target": target, "confinement": unconfined()}}),
    )
    .await
    .unwrap();
    let review = test
        .ask("review_server", json!({"server": name}))
        .await
        .unwrap();
    test.ask(
        "enable_server",
        json!({"server": name, "reviewed": review["fingerprint"]}),
    )
    .await
    .unwrap();
    test.ask("set_runs", json!({"server": name, "runs": "always"}))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_servers_are_listed_while_ten_others_still_hang() {
    let test = TestHost::with(patient()).await;
    // The hanging ones first, so that all the others would stand behind them.
    for number in 0..HANGING {
        enable(&test, &format!("hangs-{number}"), "silent").await;
    }
    for number in 0..WELL {
        enable(&test, &format!("well-{number}"), "ok").await;
    }
    let test = test.again_with(patient()).await;
    let begun = Instant::now();
    let names: Vec<_> = (0..WELL).map(|number| format!("well-{number}")).collect();
    let listed = futures::future::join_all(names.iter().map(|name| {
        let listing = test.ask("list_tools", json!({"server": name}));
        async move {
            (
                listing.await.unwrap().as_array().unwrap().len(),
                begun.elapsed(),
            )
        }
    }));
    let listed = listed.await;
    println!(
        "all listed after {:?}, the first after {:?}",
        listed.iter().map(|one| one.1).max(),
        listed.iter().map(|one| one.1).min()
    );
    assert!(listed.iter().all(|(tools, _)| *tools == 5), "{listed:?}");
    for name in &names {
        assert_eq!(test.state(name).await, ServerState::Ready, "{name}");
    }
    for number in 0..HANGING {
        assert_eq!(
            test.state(&format!("hangs-{number}")).await,
            ServerState::Starting,
            "{number}"
        );
    }
    // Nor does the end wait for them.
    let mut recorder = test.listen();
    test.ask("disable_server", json!({"server": "hangs-0"}))
        .await
        .unwrap();
    recorder.until(
        |event| matches!(event, HostEvent::ServerChanged { server } if server.id.as_str() == "hangs-0" && server.state == ServerState::Off),
    )
    .await;
    test.end().await;
}
