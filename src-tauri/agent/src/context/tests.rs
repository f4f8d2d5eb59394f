//! What is sent, and what is left out.

use super::*;
use crate::model::Failure;
use crate::turn::world::*;
use crate::{Effect, Event, Message, ReplyPart, ResultPart, Turn};
use protocol::{Content, Trust};
use serde_json::json;

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
    let named = lines.iter().filter(|line| line.kept == Kept::Named);
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
