//! What a request may hold, field by field.

use crate::{AnyRequest, ErrorCode};
use serde_json::{Value, json};

fn checked(method: &str, params: Value) -> Result<(), String> {
    let request: AnyRequest =
        serde_json::from_value(json!({"method": method, "params": params})).unwrap();
    request.check().map_err(|error| {
        assert_eq!(error.code, ErrorCode::TooLarge);
        error.message
    })
}

fn draft(changes: &[(&str, Value)]) -> Value {
    let mut target = json!({"kind": "stdio", "command": "x"});
    for (field, value) in changes {
        target[*field] = value.clone();
    }
    json!({"draft": {"name": "one", "target": target}})
}

#[test]
fn a_field_that_holds_too_much_is_named_with_its_bound() {
    let long = "x".repeat(32 * 1024 + 1);
    let setting = |name: &str, value: Value| json!([{"name": name, "value": value}]);
    let plain = |text: &str| json!({"kind": "plain", "text": text});
    let http = |changes: &[(&str, Value)]| {
        let mut target = json!({"kind": "http", "url": "https://example.org"});
        for (field, value) in changes {
            target[*field] = value.clone();
        }
        json!({"draft": {"name": "one", "target": target}})
    };
    let cases = [
        (
            draft(&[("command", json!(long))]),
            "command has 32769 bytes, and takes at most 32768",
        ),
        (
            draft(&[("args", json!(["x", long]))]),
            "argument 2 has 32769 bytes, and takes at most 32768",
        ),
        (
            draft(&[("args", json!(vec!["x"; 257]))]),
            "argument has 257 entries, and takes at most 256",
        ),
        (
            draft(&[("args", json!(vec!["x".repeat(32 * 1024); 8]))]),
            "draft has ",
        ),
        (draft(&[("cwd", json!(long))]), "working folder has"),
        (
            draft(&[("env", setting("A", plain(&long)))]),
            "environment 1 has",
        ),
        (
            draft(&[("env", setting(&long, plain("")))]),
            "the name of environment 1 has",
        ),
        (
            draft(&[(
                "env",
                setting("A", json!({"kind": "new_secret", "value": long})),
            )]),
            "environment 1 has",
        ),
        (
            draft(&[("env", json!(vec![setting("A", plain(""))[0].clone(); 257]))]),
            "environment has 257 entries",
        ),
        (http(&[("url", json!(long))]), "address has"),
        (
            http(&[("headers", setting("A", plain(&long)))]),
            "header 1 has",
        ),
        (
            http(&[(
                "key",
                json!({"kind": "pasted", "text": "x".repeat(64 * 1024 + 1)}),
            )]),
            "key has",
        ),
        (
            json!({"draft": {"name": long, "target": {"kind": "stdio", "command": "x"}}}),
            "name has",
        ),
    ];
    for (params, begin) in cases {
        for method in ["add_server", "review_draft"] {
            let problem = checked(method, params.clone()).unwrap_err();
            assert!(problem.starts_with(begin), "{problem}");
        }
    }
    assert_eq!(
        checked(
            "add_server",
            draft(&[("args", json!(["x".repeat(32 * 1024)]))])
        ),
        Ok(())
    );
}

#[test]
fn every_text_that_can_be_sent_is_bounded() {
    let long = "x".repeat(1024 * 1024 + 1);
    let longest = "x".repeat(8 * 1024 * 1024);
    let answer = |answer: Value| json!({"question": "question-1", "answer": answer});
    let limit = |allowed: Value| {
        answer(
            json!({"kind": "allow", "remember": {"lasting": {"kind": "always"}, "cover": {"kind": "within", "limits": [{"argument": "a", "allowed": allowed}]}}}),
        )
    };
    for (method, params) in [
        ("add_root", json!({"server": "a", "path": long})),
        ("set_tool", json!({"server": "a", "tool": long, "on": true})),
        (
            "show_tool_always",
            json!({"server": "a", "tool": long, "on": true}),
        ),
        (
            "change_client",
            json!({"client": "a", "change": {"kind": "workspace", "workspace": long}}),
        ),
        (
            "change_client",
            json!({"client": "a", "change": {"kind": "tools", "tools": {"kind": "only", "parts": [{"server": "a", "tools": [long]}]}}}),
        ),
        (
            "change_client",
            json!({"client": "a", "change": {"kind": "tools", "tools": {"kind": "except", "parts": vec![json!({"server": "a", "tools": null}); 501]}}}),
        ),
        ("search_tools", json!({"queries": [long]})),
        (
            "call_tool",
            json!({"call": null, "server": "a", "tool": "t", "arguments": {"a": longest}}),
        ),
        ("read_resource", json!({"server": "a", "uri": long})),
        (
            "get_prompt",
            json!({"server": "a", "prompt": "p", "arguments": {"a": long}}),
        ),
        (
            "get_prompt",
            json!({"server": "a", "prompt": "p", "arguments": {long.clone(): "a"}}),
        ),
        (
            "complete",
            json!({"server": "a", "of": {"kind": "prompt", "name": "p"}, "argument": long, "value": ""}),
        ),
        ("use_account", json!({"server": "a", "account": long})),
        (
            "set_oauth_client",
            json!({"server": "a", "client": {"client_id": long, "client_secret": null}}),
        ),
        (
            "answer_question",
            answer(json!({"kind": "deny", "reason": long})),
        ),
        (
            "answer_question",
            answer(json!({"kind": "send_reply", "reply": long})),
        ),
        (
            "answer_question",
            answer(json!({"kind": "form", "answer": {"kind": "accept", "content": {"a": long}}})),
        ),
        (
            "answer_question",
            answer(json!({"kind": "use_model", "params": {"a": longest}})),
        ),
        (
            "answer_question",
            limit(json!({"kind": "one_of", "values": [long]})),
        ),
        (
            "answer_question",
            limit(json!({"kind": "under", "folder": long})),
        ),
        (
            "answer_question",
            limit(json!({"kind": "hosts", "hosts": vec!["a"; 257]})),
        ),
        ("add_workspace", json!({"name": long, "like": null})),
        ("rename_workspace", json!({"workspace": "w", "name": long})),
        ("set_telemetry", json!({"settings": {"endpoint": long}})),
        (
            "list_activity",
            json!({"filter": {"text": long}, "before": null, "limit": 1}),
        ),
        (
            "import_servers",
            json!({"from": {"kind": "text", "text": ""}, "choices": [{"source_name": long, "name": "a"}], "keep": "keyring"}),
        ),
    ] {
        assert!(checked(method, params).is_err(), "{method}");
    }
}
