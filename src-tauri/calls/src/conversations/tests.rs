//! Promises of what is remembered of conversations.

use super::*;
use policy::flow::Why;
use protocol::{CallId, Caller, Content, ToolName, ToolSpec};

const SMALL: Bounds = Bounds {
    most: 3,
    most_bytes: usize::MAX,
    most_forgotten: 4,
};

fn call_in(conversation: &str) -> ToolCall {
    ToolCall {
        id: CallId::random(),
        conversation: ConversationId::from(conversation),
        caller: Caller::terminal(),
        by_hand: false,
        server: ServerId::parse("web").unwrap(),
        tool: ToolName::from("read_page"),
        arguments: Map::new(),
    }
}

fn tool() -> KnownTool {
    KnownTool::new(ToolSpec::named(ToolName::from("read_page")))
}

fn hears(all: &Conversations, conversation: &str, text: &str) {
    let answer = ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    };
    let call = call_in(conversation);
    all.heard(&call, None, ToolFlags::default(), &answer, Timestamp(0));
}

fn is_forgotten(all: &Conversations, conversation: &str) -> bool {
    let concerns = all.check(&call_in(conversation), &tool(), ToolFlags::default());
    concerns.iter().any(|concern| concern.why == Why::Forgotten)
}

#[test]
fn one_that_is_not_kept_any_more_counts_as_one_in_which_anything_was_said() {
    let all = Conversations::within(SMALL);
    for conversation in ["a", "b", "c"] {
        hears(&all, conversation, "hello");
    }
    assert!(!is_forgotten(&all, "a"), "and it is used by that");
    hears(&all, "d", "hello");
    assert_eq!(all.lock().by_id.len(), 3);
    let forgotten = ["a", "b", "c", "d", "new"].map(|one| is_forgotten(&all, one));
    assert_eq!(forgotten, [false, true, false, false, false]);
    // Whatever is said in it from now on, and however often it is asked about.
    hears(&all, "b", "hello again");
    let concerns = all.check(&call_in("b"), &tool(), ToolFlags::default());
    all.settle(&ConversationId::from("b"), &concerns);
    assert!(is_forgotten(&all, "b"));
}

#[test]
fn they_are_bounded_in_bytes_and_the_one_in_use_stays() {
    let most_bytes = 1024 * 1024;
    let all = Conversations::within(Bounds {
        most: 1_000,
        most_bytes,
        most_forgotten: 1_000,
    });
    for number in 0..100 {
        let conversation = format!("conversation {number}");
        hears(
            &all,
            &conversation,
            &format!("page {number} ").repeat(5_000),
        );
        assert!(!is_forgotten(&all, &conversation));
        let kept = all.lock();
        let size = |one: &Said| one.said.lock().unwrap().size();
        let bytes: usize = kept.by_id.values().map(size).sum();
        assert!(bytes <= most_bytes && bytes <= kept.bytes, "{bytes}");
    }
    assert!(all.lock().by_id.len() > 1);
}

#[test]
fn with_too_many_forgotten_every_one_that_is_not_kept_is_doubted() {
    let all = Conversations::within(SMALL);
    for number in 0..7 {
        hears(&all, &format!("conversation {number}"), "hello");
    }
    assert_eq!(all.lock().forgotten.len(), 4);
    assert!(is_forgotten(&all, "new"));
}

#[test]
fn what_is_read_for_one_keeps_no_other_waiting_and_is_not_forgotten_meanwhile() {
    let all = Conversations::within(SMALL);
    let long = ConversationId::from("long");
    all.change(&long, |_| {
        for conversation in ["a", "b", "c", "d"] {
            hears(&all, conversation, "hello");
        }
    });
    assert!(all.lock().by_id.contains_key(&long));
    assert!(is_forgotten(&all, "a"), "it made room");
}

#[test]
fn looking_at_one_that_is_new_keeps_nothing() {
    let all = Conversations::within(SMALL);
    for number in 0..100 {
        assert!(!is_forgotten(&all, &number.to_string()));
    }
    let kept = all.lock();
    assert_eq!((kept.by_id.len(), kept.bytes), (0, 0));
}
