//! What is refused, counted in events rather than seconds, and what no good reply comes near.

use super::*;
use serde_json::json;

/// How many of the same events are let through before one is refused, and why that is.
fn check(service: ModelService, event: impl Fn(usize) -> Value) -> (usize, Failure) {
    let mut guard = Guard::new(service);
    let mut bytes = 0;
    for n in 0.. {
        let event = event(n).to_string();
        bytes += event.len();
        assert!(bytes < crate::model::LONGEST_REPLY, "{n} are let through");
        if let Err(failure) = guard.look(&event) {
            return (n, failure);
        }
    }
    unreachable!()
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn piece(call: Value) -> Value {
    delta(json!({"tool_calls": [call]}))
}

#[test]
fn an_index_makes_no_list_longer_than_a_reply_may_be() {
    for at in [json!(1e12), json!("1000000000000"), json!(u64::MAX)] {
        let block = json!({"type": "content_block_start", "index": at, "content_block": {"type": "text", "text": ""}});
        let (let_through, failure) = check(ModelService::Anthropic, |_| block.clone());
        assert_eq!(let_through, 0);
        assert!(matches!(failure, Failure::TooManyParts { .. }));
    }
}

#[test]
fn parts_that_a_codec_holds_and_does_not_tell_of_are_counted() {
    let nameless =
        |n| piece(json!({"index": n, "id": format!("c{n}"), "function": {"arguments": "{}"}}));
    assert_eq!(check(ModelService::Chat, nameless).0, MOST_PARTS);
    let without_index = |n| piece(json!({"id": format!("c{n}"), "function": {"arguments": "{}"}}));
    assert_eq!(check(ModelService::Chat, without_index).0, MOST_PARTS);
    let without_both = |_| piece(json!({"function": {"arguments": "{}"}}));
    assert_eq!(check(ModelService::Chat, without_both).0, MOST_BEGINNINGS);
    let one_index =
        |n| piece(json!({"index": 0, "id": format!("c{n}"), "function": {"arguments": "{}"}}));
    assert!(check(ModelService::Chat, one_index).0 <= MOST_BEGINNINGS + 1);
    let added = |n| json!({"type": "response.output_item.added", "output_index": n, "item": {"type": "message"}});
    assert_eq!(check(ModelService::Responses, added).0, MOST_PARTS);
    let done = |n| json!({"type": "response.output_item.done", "output_index": n, "item": {"type": "reasoning"}});
    assert_eq!(check(ModelService::Responses, done).0, MOST_PARTS);
    let choices = |n| json!({"choices": [{"index": n, "delta": {}}]});
    assert_eq!(check(ModelService::Chat, choices).0, MOST_PARTS);
    let candidates = |n| json!({"candidates": [{"index": n}]});
    assert_eq!(check(ModelService::Gemini, candidates).0, MOST_PARTS);
}

#[test]
fn one_event_brings_no_more_than_a_reply_may_have() {
    let many = vec![json!({"type": "message"}); MOST_PARTS + 1];
    let output = json!({"type": "response.completed", "response": {"output": many}});
    assert_eq!(check(ModelService::Responses, |_| output.clone()).0, 0);
    let calls = json!({"message": {"tool_calls": many}});
    assert_eq!(check(ModelService::Ollama, |_| calls.clone()).0, 0);
    let numbers = vec![0; MOST_VALUES];
    let (let_through, failure) = check(ModelService::Chat, |_| json!({"x": numbers}));
    assert_eq!((let_through, failure), (0, Failure::TooCostly));
    let fewer = vec![0; MOST_VALUES / 2];
    let (let_through, _) = check(ModelService::Anthropic, |_| json!({"x": fewer}));
    assert_eq!(let_through, MOST_VALUES_OF_REPLY / fewer.len());
}

#[test]
fn what_is_blank_is_not_looked_through_without_end() {
    let blank = |_| json!({"message": {"content": " "}, "done": false});
    let (let_through, failure) = check(ModelService::Ollama, blank);
    assert!((5_000..10_000).contains(&let_through), "{let_through}");
    assert_eq!(failure, Failure::TooCostly);
    let arguments = |_| {
        json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": " "}})
    };
    assert!(check(ModelService::Anthropic, arguments).0 < 10_000);
}

#[test]
fn what_has_come_of_arguments_is_not_read_again_without_end() {
    let delta = |_| json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "x".repeat(120)});
    let (let_through, failure) = check(ModelService::Responses, delta);
    assert_eq!(failure, Failure::TooCostly);
    assert!(let_through < 12_000, "{let_through}");
    let other = |n| {
        piece(
            json!({"index": 0, "id": format!("c{n}"), "function": {"arguments": "x".repeat(120)}}),
        )
    };
    assert!(check(ModelService::Chat, other).0 < 3_000);
    let ended = |_| {
        json!({"choices": [{"index": 0, "finish_reason": "tool_calls",
        "delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"arguments": "x".repeat(120)}}]}}]})
    };
    assert!(check(ModelService::Chat, ended).0 < 3_000);
}

#[test]
fn sources_are_bounded_and_so_are_their_copies() {
    let cited = |_| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {}}});
    assert_eq!(check(ModelService::Anthropic, cited).0, MOST_SOURCES);
    let named = |_| delta(json!({"annotations": [{}]}));
    assert_eq!(check(ModelService::Chat, named).0, MOST_SOURCES);
    let copied = json!({"candidates": [{"groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "x".repeat(500_000)}}],
        "groundingSupports": [{"groundingChunkIndices": vec![0; 1_000]}],
    }}]});
    assert_eq!(check(ModelService::Gemini, |_| copied.clone()).0, 0);
}

#[test]
fn nobody_counts_more_tokens_than_a_number_of_json_can_say() {
    let usage = json!({"input_tokens": u64::MAX, "cache_read_input_tokens": "18446744073709551615", "output_tokens": 1e300});
    let events = [
        (
            ModelService::Anthropic,
            json!({"type": "message_delta", "usage": usage}),
        ),
        (
            ModelService::Anthropic,
            json!({"type": "message_start", "message": {"usage": usage}}),
        ),
        (
            ModelService::Responses,
            json!({"type": "response.completed", "response": {"usage": usage}}),
        ),
        (ModelService::Chat, json!({"choices": [{"usage": usage}]})),
        (ModelService::Chat, json!({"usage": {"deeper": [usage]}})),
        (ModelService::Gemini, json!({"usageMetadata": usage})),
        (
            ModelService::Ollama,
            json!({"done": true, "eval_count": u64::MAX, "prompt_eval_count": 1}),
        ),
    ];
    for (service, event) in events {
        let (let_through, failure) = check(service, |_| event.clone());
        assert!(
            let_through == 0 && matches!(failure, Failure::Unreadable { .. }),
            "{event}"
        );
    }
}

#[test]
fn a_long_good_reply_is_far_from_every_bound() {
    let mut guards = [
        ModelService::Chat,
        ModelService::Responses,
        ModelService::Anthropic,
    ]
    .map(Guard::new);
    for n in 0..20_000 {
        let arguments = if n % 5 == 0 { "    " } else { "\"x}" };
        let id = (n == 0).then_some("c");
        let events = [
            piece(json!({"index": 0, "id": id, "function": {"arguments": arguments}})),
            json!({"type": "response.function_call_arguments.delta", "output_index": 3, "delta": arguments}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": arguments}}),
        ];
        for (guard, event) in guards.iter_mut().zip(events) {
            guard.look(&event.to_string()).unwrap();
        }
    }
}
