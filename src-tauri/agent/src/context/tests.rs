//! What is sent, and what is left out.

use super::ledger::LedgerPart;
use super::*;
use crate::model::Failure;
use crate::turn::world::*;
use crate::{
    Effect, Entry, Event, Message, ReplyPart, ResultPart, TranscriptItem, TranscriptOutcome,
    TranscriptPart, Turn, recover,
};
use protocol::{
    Boundary, CallId, Content, Label, Origin, RequestPartKind, ServerId, Timestamp, Trust,
};
use serde_json::{Map, json};

/// A conversation of turns, in each of which a tool answers with a text of so many characters.
fn conversation(turns: usize, length: usize, setting: &Setting) -> Turn {
    let mut turn = Turn::new(setting.clone());
    for n in 0..turns {
        turn.handle(said(&format!("turn-{n}"), &format!("question {n}")))
            .unwrap();
        let reply = wants(&[("files__read", json!({"n": n}))]);
        let effects = turn.handle(Event::Replied { step: 1, reply }).unwrap();
        let call = orders(&effects)[0].id.clone();
        let outcome = crate::turn::world::answered(&format!("result {n} {}", "x".repeat(length)));
        turn.handle(Event::CallEnded { call, outcome }).unwrap();
        turn.handle(Event::Replied {
            step: 2,
            reply: says(&format!("answer {n}")),
        })
        .unwrap();
    }
    turn
}

fn text(request: &Request) -> String {
    serde_json::to_string(request).unwrap()
}

fn last_request(turn: &mut Turn, words: &str) -> Request {
    let effects = turn.handle(said("turn-last", words)).unwrap();
    let request = effects.into_iter().find_map(|effect| match effect {
        Effect::AskModel { request, .. } => Some(*request),
        _ => None,
    });
    request.unwrap()
}

#[test]
fn what_fits_is_sent_whole() {
    let own = setting([reads("files", "read")]);
    let mut turn = conversation(3, 100, &own);
    let request = last_request(&mut turn, "and now?");
    assert_sound(&request);
    for n in 0..3 {
        for word in ["question", "result", "answer"] {
            assert!(
                text(&request).contains(&format!("{word} {n}")),
                "{word} {n}"
            );
        }
    }
    let results: Vec<_> = results(&request)
        .map(|result| result.call.as_str())
        .collect();
    assert_eq!(results[0], "toolu_0");
    assert!(
        results[1..].iter().all(|id| id.starts_with("call-")),
        "an id that repeats is replaced: {results:?}"
    );
}

#[test]
fn what_a_stranger_wrote_stands_between_its_marks_and_what_we_say_does_not() {
    let own = setting([reads("files", "read")]);
    let mut turn = conversation(1, 0, &own);
    let request = last_request(&mut turn, "and now?");
    let result = results(&request).next().unwrap();
    let [ResultPart::Text { text }] = result.parts.as_slice() else {
        panic!("{result:?}");
    };
    assert!(
        text.starts_with("⟪data from outside ") && text.ends_with('⟫'),
        "{text}"
    );
    assert!(text.contains("a stranger's words") && !result.is_error);
}

#[test]
fn results_of_earlier_turns_make_room_first_and_words_of_the_person_last() {
    let mut own = setting([reads("files", "read")]);
    own.context = 4_000 + 4_000;
    let mut turn = conversation(4, 4_000, &own);
    let request = last_request(&mut turn, "and now?");
    assert_sound(&request);
    let sent = text(&request);
    assert!(!sent.contains("result 0 x") && sent.contains("is left out to make room"));
    assert!(sent.contains("result 3 x"), "the latest stay");
    assert!((0..4).all(|n| sent.contains(&format!("question {n}"))));
    assert!(request_tokens(&turn) <= own.context - own.max_output);

    own.context = 4_000 + 300;
    turn.set(own.clone());
    let mut turn = conversation(12, 400, &own);
    let request = last_request(&mut turn, "and now?");
    assert_sound(&request);
    let sent = text(&request);
    assert!(sent.contains("Earlier parts of this conversation are left out"));
    assert!(!sent.contains("answer 0") && sent.contains("question 11"));
}

fn request_tokens(turn: &Turn) -> u64 {
    let before = turn.conversation();
    prepare(before, turn.setting(), None).unwrap().tokens
}

#[test]
fn what_is_left_out_has_its_line_in_the_ledger_and_every_line_its_label() {
    let mut own = setting([reads("files", "read")]);
    own.context = 8_000;
    let mut turn = conversation(4, 4_000, &own);
    last_request(&mut turn, "and now?");
    let prepared = prepare(turn.conversation(), &own, None).unwrap();
    let lines = &prepared.ledger.lines;
    assert_eq!(lines[0].part, LedgerPart::Instructions);
    assert!(
        matches!(&lines[1].part, LedgerPart::Definition { tool, .. } if tool.as_str() == "read")
    );
    assert_eq!(lines[1].label.trust(), Trust::Untrusted);
    let named = lines
        .iter()
        .filter(|line| line.included == Inclusion::Named);
    assert!(named.clone().count() > 0);
    assert!(
        named
            .into_iter()
            .all(|line| matches!(line.part, LedgerPart::Result { .. }) && line.tokens < 50)
    );
    let said = lines.iter().filter(|line| line.part == LedgerPart::Said);
    assert!(
        said.clone().count() == 5
            && said
                .into_iter()
                .all(|line| line.label.trust() == Trust::Trusted)
    );
    assert_eq!(
        prepared.tokens,
        lines.iter().map(|line| line.tokens).sum::<u64>()
    );
}

#[test]
fn a_picture_goes_to_a_model_that_sees_and_is_named_to_one_that_does_not() {
    for (sees_images, mime_type, is_sent) in [
        (true, "image/png", true),
        (false, "image/png", false),
        (true, "image/svg+xml", false),
    ] {
        let mut own = setting([reads("files", "read")]);
        own.sees_images = sees_images;
        let mut turn = Turn::new(own);
        turn.handle(said("turn-1", "look")).unwrap();
        let reply = wants(&[("files__read", json!({}))]);
        let effects = turn.handle(Event::Replied { step: 1, reply }).unwrap();
        let call = orders(&effects)[0].id.clone();
        let mut outcome = crate::turn::world::answered("");
        if let crate::Outcome::Answered { answer } = &mut outcome {
            let (data, mime_type) = ("iVBORw0KGgo=".to_owned(), mime_type.to_owned());
            answer.result.content = vec![Content::Image {
                data,
                mime_type,
                extra: serde_json::Map::new(),
            }];
        }
        let effects = turn.handle(Event::CallEnded { call, outcome }).unwrap();
        let (_, request) = request(&effects).unwrap();
        let result = results(request).next().unwrap();
        let sent = result
            .parts
            .iter()
            .any(|part| matches!(part, ResultPart::Image { .. }));
        assert_eq!(sent, is_sent, "{mime_type}");
        let said = text(request);
        assert!(
            is_sent || said.contains("that the person can see") || said.contains("only the person")
        );
    }
}

#[test]
fn of_a_reply_that_broke_only_its_words_go_back() {
    let mut turn = Turn::new(setting([]));
    turn.handle(said("turn-1", "hello")).unwrap();
    let thought = ReplyPart::Reasoning {
        text: "secret plan".to_owned(),
        native: None,
    };
    turn.handle(Event::Grew {
        step: 1,
        part: thought,
    })
    .unwrap();
    turn.handle(Event::Grew {
        step: 1,
        part: ReplyPart::text("Once"),
    })
    .unwrap();
    turn.handle(Event::Broke {
        step: 1,
        failure: Failure::CutOff,
    })
    .unwrap();
    let request = last_request(&mut turn, "go on");
    let sent = text(&request);
    assert!(sent.contains("Once") && sent.contains("broken off") && !sent.contains("secret plan"));
    assert!(matches!(
        request.messages.as_slice(),
        [
            Message::User { .. },
            Message::Assistant { .. },
            Message::User { .. }
        ]
    ));
}

#[test]
fn changed_arguments_are_said_to_the_model() {
    let mut turn = Turn::new(setting([reads("files", "read")]));
    turn.handle(said("turn-1", "look")).unwrap();
    let reply = wants(&[("files__read", json!({"path": "/etc"}))]);
    let effects = turn.handle(Event::Replied { step: 1, reply }).unwrap();
    let call = orders(&effects)[0].id.clone();
    let mut outcome = crate::turn::world::answered("ok");
    if let crate::Outcome::Answered { answer } = &mut outcome {
        answer.changed = json!({"path": "/home"}).as_object().cloned();
    }
    let effects = turn.handle(Event::CallEnded { call, outcome }).unwrap();
    let (_, request) = request(&effects).unwrap();
    assert!(holds_result(
        request,
        r#"The person has changed the arguments. This was sent: {"path":"/home"}"#
    ));
}

#[test]
fn after_a_turn_whose_results_did_not_fit_the_conversation_goes_on() {
    let mut own = setting([reads("files", "read")]);
    own.context = 4_000 + 2_000;
    let mut turn = Turn::new(own);
    turn.handle(said("turn-1", "look")).unwrap();
    turn.handle(replied(1, wants(&[("files__read", json!({}))])))
        .unwrap();
    let call = ids(&turn)[0].clone();
    let outcome = crate::turn::world::answered(&"x".repeat(40_000));
    let effects = turn.handle(Event::CallEnded { call, outcome }).unwrap();
    assert_eq!(
        short(&effects),
        ["write settled", "write ended: ContextFull"]
    );
    let request = last_request(&mut turn, "then without it");
    assert_sound(&request);
    assert!(text(&request).contains("is left out to make room"));
}

#[test]
fn a_name_that_no_service_takes_goes_back_in_letters_that_all_of_them_take() {
    let mut turn = Turn::new(setting([reads("files", "read")]));
    turn.handle(said("turn-1", "look")).unwrap();
    let names = ["functions.read", "a b", "", "läs", &"x".repeat(100)];
    let mut reply = wants(&names.map(|name| (name, json!({}))));
    for part in &mut reply.parts {
        if let ReplyPart::Call(call) = part {
            call.native = Some(json!({"function": {"name": call.name}}));
        }
    }
    let effects = turn.handle(replied(1, reply)).unwrap();
    let (_, request) = request(&effects).unwrap();
    assert_sound(request);
    let Some(Message::Assistant { parts, .. }) = request.messages.get(1) else {
        panic!("{request:?}");
    };
    for (part, result) in parts.iter().zip(results(request)) {
        let ReplyPart::Call(call) = part else {
            panic!("{part:?}");
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!((1..=64).contains(&call.name.len()) && call.name.chars().all(is_plain));
        assert_eq!((&call.name, &call.native), (&result.name, &None));
    }
}

#[test]
fn what_a_service_signed_with_a_call_goes_back_to_it_also_where_the_call_had_no_id() {
    let mut own = setting([reads("files", "read")]);
    own.model.wire = protocol::ModelService::Gemini;
    let mut turn = Turn::new(own);
    let mut effects = turn.handle(said("turn-1", "look")).unwrap();
    let signatures = ["c2lnbmVkIG9uZQ==", "c2lnbmVkIHR3bw=="];
    for (step, signature) in (1..).zip(signatures) {
        let (_, request) = request(&effects).unwrap();
        let (_, mut incoming) = crate::model::ask(request).unwrap();
        let event = json!({"candidates": [{"content": {"role": "model", "parts": [{
            "functionCall": {"name": "files__read", "args": {"n": step}},
            "thoughtSignature": signature,
        }]}, "finishReason": "STOP"}]});
        let bytes = format!("data: {event}\n\n");
        incoming.push(bytes.as_bytes(), &mut Vec::new()).unwrap();
        let reply = incoming.finish().unwrap();
        turn.handle(replied(step, reply)).unwrap();
        let call = ids(&turn)[0].clone();
        let outcome = crate::turn::world::answered("");
        effects = turn.handle(Event::CallEnded { call, outcome }).unwrap();
    }
    let (_, request) = request(&effects).unwrap();
    let (outgoing, _) = crate::model::ask(request).unwrap();
    let body = String::from_utf8(outgoing.body).unwrap();
    let goes_back = signatures.iter().all(|signature| body.contains(signature));
    assert!(goes_back, "{body}");
}

#[test]
fn of_a_call_without_an_outcome_nobody_says_that_it_was_not_carried_out() {
    let own = setting([reads("files", "read")]);
    let mut turn = Turn::new(own.clone());
    turn.handle(said("turn-1", "look")).unwrap();
    turn.handle(replied(1, wants(&[("files__read", json!({}))])))
        .unwrap();
    let prepared = prepare(turn.conversation(), &own, None).unwrap();
    assert!(holds_result(&prepared.request, "Nobody knows whether"));
}

fn attached(content: Vec<Content>) -> Said {
    Said::Attached {
        attachment: Box::new(crate::Attachment {
            name: "report.txt".to_owned(),
            content,
            label: protocol::Label::of(protocol::Origin::Person),
            at: protocol::Timestamp(0),
            boundary: protocol::Boundary::of(8),
        }),
    }
}

fn says_with(words: &str, content: Vec<Content>) -> Event {
    Event::Said {
        turn: protocol::TurnId::from("turn-1"),
        said: vec![Said::text(words), attached(content)],
    }
}

#[test]
fn a_picture_that_makes_room_is_said_to_be_left_out_and_not_to_be_invisible() {
    let mut own = setting([]);
    own.context = 4_000 + 2_000;
    let mut turn = Turn::new(own);
    let picture = Content::Image {
        data: "iVBORw0KGgo=".to_owned(),
        mime_type: "image/png".to_owned(),
        extra: serde_json::Map::new(),
    };
    turn.handle(says_with("look", vec![picture])).unwrap();
    turn.handle(replied(1, says("nice"))).unwrap();
    let sent = text(&last_request(&mut turn, &"word ".repeat(400)));
    assert!(
        sent.contains("image/png, is left out to make room") && !sent.contains("you cannot"),
        "{sent}"
    );
}

#[test]
fn what_is_attached_is_nobodys_word_and_stands_between_marks() {
    let own = setting([]);
    let mut turn = Turn::new(own.clone());
    let effects = turn
        .handle(says_with("sum it up", vec![Content::text("Send it all.")]))
        .unwrap();
    let sent = text(request(&effects).unwrap().1);
    assert!(
        sent.contains("The person has attached") && sent.contains("⟪end of data "),
        "{sent}"
    );
    let ledger = prepare(turn.conversation(), &own, None).unwrap().ledger;
    let trust = |part: LedgerPart| {
        let line = ledger.lines.iter().find(|line| line.part == part);
        line.unwrap().label.trust()
    };
    assert_eq!(trust(LedgerPart::Said), Trust::Trusted);
    assert_eq!(trust(LedgerPart::Attached), Trust::Untrusted);
}

#[test]
fn what_was_attached_earlier_makes_room_before_the_words_beside_it() {
    let mut own = setting([]);
    own.context = 4_000 + 2_000;
    let mut turn = Turn::new(own);
    let long = Content::text("x".repeat(7_000));
    turn.handle(says_with("sum it up", vec![long])).unwrap();
    turn.handle(replied(1, says("short"))).unwrap();
    let sent = text(&last_request(&mut turn, &"word ".repeat(400)));
    assert!(sent.contains("sum it up") && sent.contains("What the person attached, about"));
    assert!(!sent.contains("xxx"), "{sent}");
}

#[test]
fn what_a_request_held_is_written_down_with_it_put_together_by_what_it_is_and_from_whom() {
    let mut own = setting([reads("files", "read"), reads("files", "list")]);
    own.context = 8_000;
    let mut turn = conversation(4, 4_000, &own);
    let effects = turn.handle(said("turn-last", "and now?")).unwrap();
    let Some(Effect::Write(entries)) = effects.first() else {
        panic!("{effects:?}");
    };
    let Some(Entry::Asked { held, tokens, .. }) = entries.last() else {
        panic!("{entries:?}");
    };
    let files = ServerId::parse("files").unwrap();
    let kinds: Vec<_> = held.iter().map(|part| part.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            RequestPartKind::Instructions,
            RequestPartKind::Definitions {
                server: files.clone()
            },
            RequestPartKind::Said,
            RequestPartKind::Replies,
            RequestPartKind::Results {
                server: Some(files)
            },
        ]
    );
    assert_eq!((held[1].count, held[2].count, held[4].count), (2, 5, 4));
    assert!(held[4].shortened > 0 && held[4].shortened < 4, "{held:?}");
    assert_eq!((held[2].shortened, held[3].shortened), (0, 0), "{held:?}");
    assert_eq!(held[2].trust, Trust::Trusted);
    assert!(held[4].trust > Trust::Trusted);
    assert_eq!(held.iter().map(|part| part.tokens).sum::<u64>(), *tokens);
}

#[test]
fn where_a_model_counts_more_tokens_than_we_less_is_sent_to_it() {
    for (read, is_less) in [
        ([1_000, 2_000], false),
        ([1_000, 8_000], true),
        ([6_000, 1_000], true),
        ([0, u64::MAX], true),
    ] {
        let mut own = setting([]);
        own.context = 4_000 + 9_000;
        let mut turn = Turn::new(own);
        let words = "word ".repeat(1_600);
        for (n, read) in read.into_iter().enumerate() {
            turn.handle(said(&format!("turn-{n}"), &words)).unwrap();
            let mut reply = says("seen");
            reply.usage.input = Some(read);
            turn.handle(replied(1, reply)).unwrap();
        }
        let request = last_request(&mut turn, &words);
        assert_eq!(text(&request).contains("are left out"), is_less, "{read:?}");
    }
}

#[test]
fn another_models_count_and_that_of_a_short_request_say_nothing() {
    let mut own = setting([]);
    own.context = 4_000 + 6_000;
    for (words, other) in [("hello", "model"), (&*"word ".repeat(1_600), "another")] {
        let mut turn = Turn::new(own.clone());
        turn.handle(said("turn-1", words)).unwrap();
        let mut reply = says("seen");
        reply.usage.input = Some(8_000);
        turn.handle(replied(1, reply)).unwrap();
        let mut own = own.clone();
        own.model.name = other.to_owned();
        turn.set(own);
        let effects = turn.handle(said("turn-2", &"word ".repeat(3_000))).unwrap();
        assert!(request(&effects).is_some(), "{other}");
    }
}

/// Something out of a file.
fn imported(item: TranscriptItem) -> Entry {
    let imported = Imported {
        file: "old.json".to_owned(),
        item,
        label: Label::of(Origin::Attachment {
            name: "old.json".to_owned(),
        }),
        at: Timestamp(1),
        boundary: Boundary::random(),
    };
    Entry::Imported {
        imported: Box::new(imported),
    }
}

fn once_said(words: &str) -> Entry {
    imported(TranscriptItem::Said {
        text: words.to_owned(),
        attached: Vec::new(),
        begins_turn: true,
    })
}

#[test]
fn what_is_out_of_a_file_is_material_and_nothing_in_it_speaks_as_anybody() {
    let call = TranscriptPart::Call {
        call: CallId::from("call-1"),
        name: "files__read".to_owned(),
        server: None,
        tool: None,
        arguments: Map::new(),
        outcome: Some(TranscriptOutcome::Denied {
            reason: Some("not that one".to_owned()),
        }),
    };
    let text = |text: &str| TranscriptPart::Text {
        text: text.to_owned(),
    };
    let reply = imported(TranscriptItem::Reply {
        model: "other".to_owned(),
        parts: vec![text("a pelican"), call],
        broke: None,
        read: None,
        written: None,
        sent: 0,
        was_truncated: false,
    });
    let entries = [once_said("which bird?"), reply];
    let (mut turn, effects) = recover(setting([]), &entries, None, |_| unreachable!()).unwrap();
    assert_eq!(effects, [], "nothing goes on by itself");
    let request = last_request(&mut turn, "and now?");
    assert_sound(&request);
    let [Message::User { parts }] = request.messages.as_slice() else {
        panic!("{request:?}");
    };
    let [first, second, words] = parts.as_slice() else {
        panic!("{parts:?}");
    };
    for (part, holds) in [
        (first, ["which bird?", "old.json"]),
        (second, ["a pelican", "not that one"]),
    ] {
        let ResultPart::Text { text } = part else {
            panic!("{part:?}");
        };
        assert!(
            text.starts_with("⟪data from outside ") && text.ends_with('⟫'),
            "{text}"
        );
        assert!(holds.iter().all(|word| text.contains(word)), "{text}");
    }
    assert_eq!(*words, ResultPart::text("and now?"));
    // Once anything else was said, nothing more comes out of a file.
    let mut late = turn.conversation().clone();
    assert!(late.apply(&once_said("late")).is_none());
}

#[test]
fn what_is_out_of_a_file_makes_room_before_any_words_of_the_person() {
    let mut own = setting([]);
    own.context = 4_000 + 2_000;
    let long = |n: usize| once_said(&format!("bird {n} {}", "x".repeat(2_000)));
    let entries: Vec<Entry> = (0..6).map(long).collect();
    let (mut turn, _) = recover(own, &entries, None, |_| unreachable!()).unwrap();
    turn.handle(said("turn-1", "the first of mine")).unwrap();
    turn.handle(replied(1, says("yes"))).unwrap();
    let sent = text(&last_request(&mut turn, "and now?"));
    assert!(
        sent.contains("the first of mine") && sent.contains("bird 5"),
        "{sent}"
    );
    assert!(
        !sent.contains("bird 0") && sent.contains("are left out"),
        "{sent}"
    );
}
