//! Records of earlier versions are still read.

use super::record::{Entry, Event};
use crate::testing::{NOW, about, closed, opened};
use api::Outcome;
use protocol::{CallId, Caller, QuestionId};
use serde_json::{Value, json};

fn read(mut record: Value) -> Entry {
    record["at"] = json!(1);
    Entry::read(record.to_string().as_bytes()).unwrap()
}

#[test]
fn a_record_of_an_earlier_version_still_says_who_decided() {
    let grant = "grant-0123456789abcdef";
    let made = read(
        json!({"event": "grant_made", "grant": grant, "scope": {"kind": "always"}, "approver": "terminal"}),
    );
    assert_eq!(made.approver.as_deref(), Some("terminal"));
    assert!(matches!(
        made.event,
        Event::GrantMade {
            effect: None,
            arguments: None,
            ..
        }
    ));
    let earliest = read(json!({"event": "grant_revoked", "grant": grant}));
    assert_eq!(earliest.approver, None);
    let question = "question-0123456789abcdef";
    let answered = read(
        json!({"event": "question_answered", "question": question, "answer": "deny", "approver": "question_window"}),
    );
    assert_eq!(answered.approver.as_deref(), Some("question_window"));
    let set = read(
        json!({"event": "sampling_set", "on": true, "requests": 1, "tokens": 2, "per_reply": 3}),
    );
    assert!(matches!(
        set.event,
        Event::SamplingSet {
            review_replies: None,
            ..
        }
    ));
}

#[test]
fn what_is_read_is_what_was_written() {
    let call = CallId::random();
    let question = QuestionId::random();
    for entry in [
        opened(
            &call,
            json!({"path": "/srv/\"tea\".txt", "deep": {"event": ["call_closed", 1.5]}}),
        ),
        closed(&call, Outcome::ToolError, Some("no such \u{1F375}")),
        about(&call, Event::QuestionAsked { question }),
        Entry::new(NOW, Event::HostStopped),
    ] {
        let written = serde_json::to_vec(&entry).unwrap();
        assert_eq!(Entry::read(&written).unwrap(), entry);
    }
    for half in [
        r#"{"event": "call_opened"}"#,
        r#"{"at": 1, "event": "call_opened"}"#,
        r#"{"at": 1, "event": "another"}"#,
        r#"{"at": 1}"#,
    ] {
        assert!(Entry::read(half.as_bytes()).is_err(), "{half}");
    }
}

#[test]
fn who_decided_is_written_once() {
    let entry = read(
        json!({"event": "grant_revoked", "grant": "grant-0123456789abcdef", "approver": "window"}),
    );
    assert_eq!(
        serde_json::to_string(&entry)
            .unwrap()
            .matches("approver")
            .count(),
        1
    );
}

#[test]
fn a_record_of_an_earlier_version_says_who_asked() {
    let mut record = json!({"event": "call_closed", "outcome": "done", "duration_ms": 1});
    for (kind, caller) in [
        ("window", Caller::window()),
        ("terminal", Caller::terminal()),
    ] {
        record["caller"] = json!({ "kind": kind });
        let entry = read(record.clone());
        assert_eq!((entry.caller, entry.conversation), (Some(caller), None));
    }
}
