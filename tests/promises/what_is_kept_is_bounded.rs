//! What a request can have kept is bounded, in number and in bytes; what does not fit is refused with
//! its name and the bound.

use crate::support::TestHost;
use crate::support::import::{choices, pasted};
use host::api::{ErrorCode, ImportOutcome};
use serde_json::{Value, json};

/// Most servers beside the built-in ones.
const MOST: usize = 500;

#[tokio::test(flavor = "multi_thread")]
async fn so_many_servers_are_kept_and_those_that_find_no_room_are_named() {
    let test = TestHost::new().await;
    let names: Vec<String> = (0..MOST + 2)
        .map(|number| format!("one-{number}"))
        .collect();
    let servers: Value = names
        .iter()
        .map(|name| (name.clone(), json!({"command": "x"})))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let wanted: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), name.as_str()))
        .collect();
    let text = json!({"mcpServers": servers}).to_string();
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": pasted(&text), "choices": choices(&wanted), "keep": "keyring"}),
        )
        .await;
    assert_eq!(outcome.added.len(), MOST);
    let left_out: Vec<_> = outcome
        .failed
        .iter()
        .map(|failed| (failed.source_name.as_str(), failed.error.code))
        .collect();
    let expected: Vec<_> = names[MOST..]
        .iter()
        .map(|name| (name.as_str(), ErrorCode::TooMany))
        .collect();
    assert_eq!(left_out, expected);
    assert!(
        outcome.failed[0].error.message.contains("at most 500"),
        "{}",
        outcome.failed[0].error.message
    );

    let one_more = json!({"draft": {"name": "more", "target": {"kind": "stdio", "command": "x"}}});
    let refused = test.ask("add_server", one_more.clone()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooMany, "{refused}");
    test.ask("remove_server", json!({"server": "one-0"}))
        .await
        .unwrap();
    test.ask("add_server", one_more).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_larger_than_can_be_kept_is_refused_by_the_name_of_the_field() {
    let test = TestHost::new().await;
    let long = "x".repeat(1024 * 1024);
    let target = json!({"kind": "stdio", "command": "x", "args": ["a", long]});
    for method in ["add_server", "review_draft"] {
        let draft = json!({"draft": {"name": "large", "target": target}});
        let refused = test.ask(method, draft).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::TooLarge, "{refused}");
        assert_eq!(
            refused.message,
            "argument 2 has 1048576 bytes, and takes at most 32768"
        );
    }
    let text = json!({"mcpServers": {"large": {"command": "x", "args": [long]}, "small": {"command": "x"}}});
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": pasted(&text.to_string()), "choices": choices(&[("large", "large"), ("small", "small")]), "keep": "keyring"}),
        )
        .await;
    assert_eq!(outcome.added.len(), 1);
    assert_eq!(outcome.failed[0].error.code, ErrorCode::TooLarge);
    test.ask("add_workspace", json!({"name": long, "like": null}))
        .await
        .unwrap_err();
    let begin = "x".repeat(64 * 1024);
    for (path, bytes) in crate::support::terminal::files(test.dir()) {
        let kept = bytes
            .windows(begin.len())
            .any(|bytes| bytes == begin.as_bytes());
        assert!(!kept, "{}", path.display());
    }
}
