//! What services send, and what is read of it: each body whole, split and cut at every byte, with
//! other ends of lines and with what may stand between.
//!
//! A case is a body (`tests/wire/SERVICE/NAME.sse`, `.ndjson`) and beside it what is read of it
//! (`.txt`). `UPDATE_EXPECT=1` writes what is read; look at it before it is committed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use agent::model::{
    Failure, Frames, Framing, Incoming, LONGEST_EVENT, MOST_CALLS, StreamEvent, ask,
};
use agent::{Entry, ModelRef, Reply, ReplyPart, Request};
use proptest::prelude::*;
use protocol::{ModelId, ModelService};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

struct Case {
    path: PathBuf,
    wire: ModelService,
    body: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let services = [
        ("anthropic", ModelService::Anthropic),
        ("chat", ModelService::Chat),
        ("gemini", ModelService::Gemini),
        ("ollama", ModelService::Ollama),
        ("responses", ModelService::Responses),
    ];
    let mut cases = Vec::new();
    for (name, wire) in services {
        for entry in fs::read_dir(folder.join(name)).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|kind| kind == "sse" || kind == "ndjson")
            {
                let body = fs::read(&path).unwrap();
                cases.push(Case { path, wire, body });
            }
        }
    }
    cases.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(cases.len() >= 50, "{}", cases.len());
    cases
}

fn incoming(wire: ModelService) -> Incoming {
    let model = ModelRef {
        id: ModelId::from("model-1"),
        wire,
        name: "m".to_owned(),
    };
    ask(&Request::of_text(model, "hello")).unwrap().1
}

type Read = (Vec<StreamEvent>, Result<Reply, Failure>);

fn read<'a>(wire: ModelService, pieces: impl IntoIterator<Item = &'a [u8]>) -> Read {
    let mut incoming = incoming(wire);
    let mut events = Vec::new();
    for piece in pieces {
        let mut more = Vec::new();
        let pushed = incoming.push(piece, &mut more);
        join(&mut events, more);
        if let Err(failure) = pushed {
            return (events, Err(failure));
        }
    }
    (events, incoming.finish())
}

/// How much text comes at once does not matter.
fn join(events: &mut Vec<StreamEvent>, more: Vec<StreamEvent>) {
    for event in more {
        match (events.last_mut(), event) {
            (Some(StreamEvent::Text(text)), StreamEvent::Text(more))
            | (Some(StreamEvent::Reasoning(text)), StreamEvent::Reasoning(more)) => {
                text.push_str(&more)
            }
            (_, event) => events.push(event),
        }
    }
}

fn in_words((events, reply): &Read) -> String {
    let mut text = String::new();
    for event in events {
        let _ = writeln!(text, "{event:?}");
    }
    match reply {
        Err(failure) => {
            let _ = writeln!(text, "=> {failure:?}");
        }
        Ok(Reply {
            parts,
            usage,
            stop,
            origin,
        }) => {
            for part in parts {
                let _ = writeln!(text, "- {}", serde_json::to_string(part).unwrap());
            }
            let usage = serde_json::to_string(usage).unwrap();
            let _ = writeln!(text, "=> {stop:?} {usage} origin: {}", origin.is_some());
        }
    }
    text
}

/// Ids that were made up here are other ones each time.
fn same(one: &Read, other: &Read) -> bool {
    in_words(one) == in_words(other)
}

#[test]
fn each_body_is_read_as_it_is_meant() {
    for case in cases() {
        let read = read(case.wire, [case.body.as_slice()]);
        let expected = case.path.with_extension("txt");
        expect_test::expect_file![expected].assert_eq(&in_words(&read));
    }
}

/// The events of a body, which are all that a reply is read from.
fn frames<'a>(case: &Case, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let framing = match case.wire {
        ModelService::Ollama => Framing::Lines,
        _ => Framing::Events,
    };
    let mut frames = Frames::new(framing, LONGEST_EVENT);
    let mut all = Vec::new();
    for piece in pieces {
        frames.push(piece, &mut all).unwrap();
    }
    all.extend(frames.finish());
    all
}

#[test]
fn it_does_not_matter_where_the_pieces_end() {
    for case in cases() {
        let body = case.body.as_slice();
        let (whole, all) = (read(case.wire, [body]), frames(&case, [body]));
        for at in 0..=body.len() {
            let (one, other) = body.split_at(at);
            assert_eq!(
                frames(&case, [one, other]),
                all,
                "{} at {at}",
                case.path.display()
            );
        }
        for length in 1..40 {
            let pieces = read(case.wire, body.chunks(length));
            assert!(
                same(&pieces, &whole),
                "{}: {}",
                case.path.display(),
                in_words(&pieces)
            );
        }
    }
}

/// How a service says that a reply has ended. Nothing before it is an end.
fn end_of(case: &Case) -> Option<usize> {
    let marks: &[&str] = match case.wire {
        ModelService::Anthropic => &["\"type\":\"message_stop\""],
        ModelService::Chat => &["\"finish_reason\":\""],
        ModelService::Gemini => &["\"finishReason\":\"", "\"blockReason\":\""],
        ModelService::Ollama => &["\"done\":true"],
        ModelService::Responses => &[
            "\"type\":\"response.completed\"",
            "\"type\":\"response.incomplete\"",
        ],
    };
    let body = String::from_utf8_lossy(&case.body);
    let mark = marks.iter().filter_map(|mark| body.find(mark)).min()?;
    // The event that it stands in has to be whole; of a line, the end may be missing.
    let (end, length) = match case.wire {
        ModelService::Ollama => ("\n", 0),
        _ => ("\n\n", 2),
    };
    let event = body.get(mark..)?.find(end)?;
    Some(mark + event + length)
}

#[test]
fn no_cut_before_the_services_own_end_is_a_good_end_and_none_behind_it_loses_anything() {
    for case in cases() {
        let end = end_of(&case).unwrap_or(case.body.len());
        let (_, whole) = read(case.wire, [case.body.as_slice()]);
        for at in 0..case.body.len() {
            let (cut, _) = case.body.split_at(at);
            let read = read(case.wire, [cut]);
            if at < end {
                assert!(
                    read.1.is_err(),
                    "{} cut at {at}: {}",
                    case.path.display(),
                    in_words(&read)
                );
            } else if let Ok(whole) = &whole {
                let reply = read.1.unwrap_or_else(|failure| {
                    unreachable!("{} cut at {at}: {failure}", case.path.display())
                });
                let parts = |reply: &Reply| reply.parts.iter().map(text_of).collect::<Vec<_>>();
                assert_eq!(
                    parts(&reply),
                    parts(whole),
                    "{} cut at {at}",
                    case.path.display()
                );
            }
        }
    }
}

fn text_of(part: &ReplyPart) -> String {
    match part {
        ReplyPart::Call(call) => format!("{} {:?} {:?}", call.name, call.arguments, call.invalid),
        ReplyPart::Text { text, .. } => text.clone(),
        other => format!("{other:?}"),
    }
}

#[test]
fn other_ends_of_lines_and_what_stands_between_change_nothing() {
    for case in cases() {
        let whole = read(case.wire, [case.body.as_slice()]);
        let text = String::from_utf8(case.body.clone()).unwrap();
        let mut others = vec![text.replace('\n', "\r\n"), format!("\u{feff}{text}")];
        if case
            .path
            .extension()
            .is_some_and(|extension| extension == "sse")
            && text.contains("data:")
        {
            others.push(text.replace('\n', "\r"));
            others.push(format!(
                ": hello\n\n{}",
                text.replace("\n\n", "\nid: 1\nretry: 9\n\n: ping\n\ndata: \n\n")
            ));
        }
        for other in others {
            let read = read(case.wire, [other.as_bytes()]);
            assert!(
                same(&read, &whole),
                "{}: {}",
                case.path.display(),
                in_words(&read)
            );
        }
    }
}

#[test]
fn what_comes_without_an_end_is_refused() {
    let event = format!("data: {}", "x".repeat(2 * 1024 * 1024));
    let read_one = read(ModelService::Chat, event.as_bytes().chunks(4_096));
    assert!(
        matches!(read_one.1, Err(Failure::TooLong { .. })),
        "{read_one:?}"
    );
    let many = r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":N,"id":"cN","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}"#;
    let many: String = (0..200)
        .map(|n| format!("{}\n\n", many.replace('N', &n.to_string())))
        .collect();
    let read_many = read(ModelService::Chat, [many.as_bytes()]);
    assert!(matches!(read_many.1, Err(Failure::TooManyCalls { .. })));
    let comment = vec![b':'; 4_096];
    let mut endless = incoming(ModelService::Anthropic);
    let pieces = (0..10_000).find(|_| endless.push(&comment, &mut Vec::new()).is_err());
    assert!(pieces.is_some(), "what is no event counts, too");
}

fn events(wire: ModelService, event: impl Fn(usize) -> String, count: usize) -> Read {
    let (before, behind) = match wire {
        ModelService::Ollama => ("", "\n"),
        _ => ("data: ", "\n\n"),
    };
    let body: String = (0..count)
        .map(|n| format!("{before}{}{behind}", event(n)))
        .collect();
    read(wire, [body.as_bytes()])
}

#[test]
fn no_number_in_an_event_says_how_much_memory_is_taken() {
    let block = r#"{"type":"content_block_start","index":1000000000000,"content_block":{"type":"text","text":""}}"#;
    let read = events(ModelService::Anthropic, |_| block.to_owned(), 1);
    assert!(
        matches!(read.1, Err(Failure::TooManyParts { .. })),
        "{read:?}"
    );
    let numbers = format!(r#"{{"type":"x","x":[0{}]}}"#, ",0".repeat(500_000));
    let read = events(ModelService::Anthropic, |_| numbers.clone(), 15);
    assert_eq!(read.1, Err(Failure::TooCostly));
}

#[test]
fn what_a_codec_goes_over_again_and_again_does_not_grow_without_end() {
    let nameless = |n| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{"id":"c{n}"}}]}}}}]}}"#);
    let added = |n| {
        format!(
            r#"{{"type":"response.output_item.added","output_index":{n},"item":{{"type":"message"}}}}"#
        )
    };
    for (wire, event) in [
        (ModelService::Chat, &nameless as &dyn Fn(usize) -> String),
        (ModelService::Responses, &added),
    ] {
        let read = events(wire, event, 2_000);
        assert!(
            matches!(read.1, Err(Failure::TooManyParts { .. })),
            "{read:?}"
        );
    }
    let blank = r#"{"message":{"content":" "}}"#;
    let read = events(ModelService::Ollama, |_| blank.to_owned(), 10_000);
    assert_eq!(read.1, Err(Failure::TooCostly));
}

#[test]
fn more_tokens_than_there_are_bring_nothing_down() {
    let usage = format!(
        r#"{{"input_tokens":{0},"cache_read_input_tokens":{0},"output_tokens":{0}}}"#,
        u64::MAX
    );
    let last = format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{usage}}}"#
    );
    let read_one = events(ModelService::Anthropic, |_| last.clone(), 1);
    assert!(
        matches!(read_one.1, Err(Failure::Unreadable { .. })),
        "{read_one:?}"
    );
    let last = format!(
        r#"{{"message":{{}},"done":true,"done_reason":"stop","prompt_eval_count":{0},"eval_count":{0}}}"#,
        u64::MAX
    );
    let read_one = events(ModelService::Ollama, |_| last.clone(), 1);
    assert!(
        matches!(read_one.1, Err(Failure::Unreadable { .. })),
        "{read_one:?}"
    );
}

#[test]
fn what_comes_before_or_behind_an_event_that_is_too_long_is_read() {
    let text = r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let tail = "x".repeat(2 * 1024 * 1024);
    let body = format!("data: {text}\n\ndata: [DONE]\n\ndata: {tail}\n\n");
    for length in [4_096, body.len()] {
        let read = read(ModelService::Chat, body.as_bytes().chunks(length));
        assert!(read.1.is_ok(), "{read:?}");
    }
    let body = format!("data: {text}\n\ndata: {tail}\n\n");
    for length in [4_096, body.len()] {
        let read = read(ModelService::Chat, body.as_bytes().chunks(length));
        assert!(matches!(read.1, Err(Failure::TooLong { .. })));
        assert_eq!(read.0, [StreamEvent::Text("Hi".to_owned())]);
    }
}

/// JSON of so many levels.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn what_is_read_of_a_reply_can_be_read_again_once_it_is_written_however_deep_it_is_nested() {
    let chat = |levels| {
        let arguments = format!(r#"{{\"x\":{}}}"#, nested(levels));
        format!(
            r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"c","type":"function","function":{{"name":"f","arguments":"{arguments}"}}}}]}},"finish_reason":"tool_calls"}}]}}"#
        )
    };
    let gemini = |levels| {
        format!(
            r#"{{"candidates":[{{"index":0,"finishReason":"STOP","content":{{"parts":[{{"functionCall":{{"name":"f","args":{{"x":{}}}}}}}]}}}}]}}"#,
            nested(levels)
        )
    };
    let ollama = |levels| {
        format!(
            r#"{{"message":{{"role":"assistant","content":"","tool_calls":[{{"function":{{"name":"f","arguments":{{"x":{}}}}}}}]}},"done":true,"done_reason":"stop"}}"#,
            nested(levels)
        )
    };
    let services: [(_, &dyn Fn(usize) -> String); 3] = [
        (ModelService::Chat, &chat),
        (ModelService::Gemini, &gemini),
        (ModelService::Ollama, &ollama),
    ];
    for (wire, event) in services {
        for levels in 80..130 {
            let (_, reply) = events(wire, |_| event(levels), 1);
            let Ok(reply) = reply else {
                assert!(levels > 90, "{levels} levels of {wire:?}: {reply:?}");
                continue;
            };
            let entry = Entry::Replied {
                step: 1,
                reply,
                calls: Vec::new(),
            };
            let written = serde_json::to_string(&entry).unwrap();
            let again = serde_json::from_str::<Entry>(&written);
            assert!(again.is_ok(), "{levels} levels of {wire:?}: {again:?}");
        }
    }
}

#[test]
fn a_reply_that_cannot_be_kept_is_too_long_and_not_lost_later() {
    let text = |size: usize| {
        let piece = "x".repeat(1_000_000);
        let event = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{piece}"}}}}]}}"#);
        let last = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
        let event = |n| {
            if n < size {
                event.clone()
            } else {
                last.to_owned()
            }
        };
        events(ModelService::Chat, event, size + 1).1
    };
    assert!(text(11).is_ok());
    assert!(matches!(text(14), Err(Failure::TooLong { .. })));
}

#[test]
fn a_picture_is_called_what_its_service_calls_it() {
    for mime_type in ["image/png", "image/webp", "image/svg+xml", "image/heic"] {
        let event = format!(
            r#"{{"candidates":[{{"index":0,"finishReason":"STOP","content":{{"parts":[
            {{"inlineData":{{"mimeType":"{mime_type}","data":"AAAA"}}}}]}}}}]}}"#
        )
        .replace('\n', " ");
        let reply = events(ModelService::Gemini, |_| event.clone(), 1)
            .1
            .unwrap();
        let [
            ReplyPart::Image {
                mime_type: read, ..
            },
        ] = reply.parts.as_slice()
        else {
            unreachable!("{reply:?}");
        };
        assert_eq!(read, mime_type);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_service_brings_it_down(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        from in any::<prop::sample::Index>(),
        length in 1_usize..200,
    ) {
        let cases = cases();
        let case = which.get(&cases);
        let mut body = case.body.clone();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        let twice = from.index(body.len());
        body.extend_from_within(twice..);
        let whole = read(case.wire, [body.as_slice()]);
        let pieces = read(case.wire, body.chunks(length));
        prop_assert_eq!(whole.1.is_ok(), pieces.1.is_ok());
        if let Ok(reply) = whole.1 {
            prop_assert!(reply.calls().count() <= MOST_CALLS);
        }
    }
}
