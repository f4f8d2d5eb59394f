//! Whoever goes round in circles is found, and honest work is not disturbed.

use super::*;
use protocol::{CallId, Caller, Content, ServerId, ToolName};
use serde_json::json;

const NOW: Timestamp = Timestamp(1_795_000_000_000);

fn call(arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId::random(),
        caller: Caller::terminal(),
        conversation: Caller::terminal().conversation(),
        by_hand: false,
        server: ServerId::parse("files").unwrap(),
        tool: "read".into(),
        arguments: arguments.as_object().cloned().unwrap(),
    }
}

fn result(text: &str) -> ToolResult {
    ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    }
}

/// After how many calls somebody is asked, of at most 500.
fn asked_after(
    arguments: impl Fn(u32) -> Value,
    text: impl Fn(u32) -> String,
) -> Option<(u32, u32)> {
    let mut alike = Alike::default();
    (0..500).find_map(|number| {
        let call = call(arguments(number));
        match alike.again(&call, NOW) {
            Again::Ask(Reason::Alike { times }) => return Some((number, times)),
            Again::Usual => alike.came(&call, Some(&result(&text(number)))),
            other => panic!("{other:?}"),
        }
        None
    })
}

#[test]
fn whoever_counts_up_and_gets_the_same_each_time_is_found_early() {
    let same = |_| "Error 503, call again".to_owned();
    for arguments in [
        (|n| json!({"q": "x", "attempt": n})) as fn(u32) -> Value,
        |n| json!({"q": "x", "at": format!("2026-11-23T10:{:02}:00Z", n % 60)}),
        |n| json!({"q": {"text": "x", "id": format!("a{:016x}", u64::from(n) * 77_777_777)}}),
        |n| json!({"n": n, "t": n * 1000, "id": format!("abcdef-{n}"), "q": "x"}),
    ] {
        assert_eq!(asked_after(arguments, same), Some((SAME, SAME)));
    }
}

#[test]
fn honest_pages_and_files_are_not_disturbed() {
    let pages = asked_after(
        |n| json!({"list": "all", "page": n}),
        |n| format!("rows of page {n}"),
    );
    assert_eq!(pages, None);
    let files = asked_after(
        |n| json!({"path": format!("/src/part-{n}.rs")}),
        |n| format!("fn number_{n}() {{}}"),
    );
    assert_eq!(files, None);
    // What is written differs in more than what counts; that each is done says nothing.
    let written = asked_after(
        |n| json!({"path": format!("/out-{n}"), "text": "x".repeat(n as usize)}),
        |_| "done".to_owned(),
    );
    assert_eq!(written, None);
    let others = asked_after(
        |n| json!({"a": n, "b": n, "c": n, "d": n}),
        |_| "done".to_owned(),
    );
    assert_eq!(others, None);
}

#[test]
fn long_results_are_read_as_often_as_one_likes() {
    let long = "x".repeat(LONG);
    assert_eq!(
        asked_after(|n| json!({ "page": n }), |_| long.clone()),
        None
    );
    let short = "x".repeat(LONG / 2);
    let same = asked_after(|n| json!({ "page": n }), |_| short.clone());
    assert_eq!(same, Some((SAME, SAME)));
}

#[test]
fn a_result_that_changes_begins_the_count_anew() {
    let now_and_then = asked_after(|n| json!({ "page": n }), |n| (n / 10).to_string());
    assert_eq!(now_and_then, None);
}

#[test]
fn a_yes_and_a_rest_begin_anew_and_a_no_holds_for_a_while() {
    let mut alike = Alike::default();
    let numbered = |number: u32| call(json!({ "n": number }));
    let run = |alike: &mut Alike, from: u32, now| {
        (from..from + SAME).for_each(|number| {
            assert_eq!(alike.again(&numbered(number), now), Again::Usual);
            alike.came(&numbered(number), Some(&result("same")));
        });
    };
    run(&mut alike, 0, NOW);
    let reason = Reason::Alike { times: SAME };
    assert_eq!(alike.again(&numbered(20), NOW), Again::Ask(reason.clone()));
    alike.answered(&numbered(20), true, NOW);
    run(&mut alike, 21, NOW.plus(Duration::from_secs(1)));
    run(&mut alike, 60, NOW.plus(REST + Duration::from_secs(2)));
    let later = NOW.plus(REST + Duration::from_secs(3));
    assert_eq!(alike.again(&numbered(90), later), Again::Ask(reason));
    alike.answered(&numbered(90), false, later);
    assert_eq!(alike.again(&numbered(91), later), Again::Refuse);
    assert_eq!(
        alike.again(&numbered(92), later.plus(REFUSED)),
        Again::Usual
    );
}

#[test]
fn what_has_not_ended_yet_says_nothing_and_what_fails_each_time_does() {
    let mut alike = Alike::default();
    let numbered = |number: u32| call(json!({ "n": number }));
    for number in 0..2 * SAME {
        assert_eq!(alike.again(&numbered(number), NOW), Again::Usual);
    }
    for number in 0..2 * SAME {
        alike.came(&numbered(number), None);
    }
    let times = 2 * SAME;
    assert_eq!(
        alike.again(&numbered(times), NOW),
        Again::Ask(Reason::Alike { times })
    );
}

#[test]
fn taking_turns_between_two_forms_hides_neither() {
    let form = |n: u32| match n % 2 {
        0 => json!({ "a": n }),
        _ => json!({ "b": n }),
    };
    let asked = asked_after(form, |_| "same".to_owned());
    assert_eq!(asked, Some((2 * SAME, SAME)));
}

#[test]
fn what_is_followed_is_bounded() {
    let mut alike = Alike::default();
    for number in 0..2 * FOLLOWED {
        let tool = ToolName::from(format!("tool-{number}"));
        for form in ["a", "b", "c", "d", "e", "f"] {
            let call = ToolCall {
                tool: tool.clone(),
                ..call(json!({ form: number }))
            };
            alike.again(&call, NOW);
        }
    }
    assert_eq!(alike.runs.len(), FOLLOWED);
    assert!(alike.runs.values().all(|runs| runs.len() == RUNS));
    let many: Vec<usize> = (0..=VALUES).collect();
    assert_eq!(alike.values(&call(json!({ "many": many }))), None);
}
