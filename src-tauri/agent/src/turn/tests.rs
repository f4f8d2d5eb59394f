//! One test for each arrow of the loop.

use super::world::*;
use super::*;
use crate::{DamagedJournal, StopReason};
use serde_json::json;

fn begun(tools: impl IntoIterator<Item = crate::OfferedTool>) -> (Turn, Vec<Effect>) {
    let mut turn = Turn::new(setting(tools));
    let effects = turn.handle(said("turn-1", "hello")).unwrap();
    (turn, effects)
}

fn ended(turn: &Turn, at: usize, text: &str) -> Event {
    let call = ids(turn)[at].clone();
    Event::CallEnded {
        call,
        outcome: answered(text),
    }
}

#[test]
fn a_model_is_asked_once_what_the_person_said_is_written() {
    let (_, effects) = begun([tool("files", "write")]);
    assert_eq!(
        short(&effects),
        ["write turn_began", "write asked 1", "ask 1"]
    );
}

#[test]
fn a_reply_without_calls_ends_the_turn_and_the_next_one_may_begin() {
    let (mut turn, _) = begun([]);
    assert_eq!(
        step(&mut turn, replied(1, says("hi"))),
        ["write replied", "write ended: Done"]
    );
    assert_eq!(turn.handle(Event::Stop), None);
    let again = step(&mut turn, said("turn-2", "and?"));
    assert_eq!(
        again,
        ["write turn_began", "write asked 1", "ask 1 without tools"]
    );
}

#[test]
fn the_model_is_asked_again_when_every_call_has_ended() {
    let (mut turn, _) = begun([reads("files", "read")]);
    let two = wants(&[
        ("files__read", json!({"path": "a"})),
        ("files__read", json!({"path": "b"})),
    ]);
    assert_eq!(
        step(&mut turn, replied(1, two)),
        ["write replied", "call read", "call read"]
    );
    let last = ended(&turn, 1, "b");
    assert_eq!(step(&mut turn, last.clone()), ["write settled"]);
    assert_eq!(turn.handle(last), None, "a call ends once");
    let first = ended(&turn, 0, "a");
    let effects = turn.handle(first).unwrap();
    assert_eq!(short(&effects), ["write settled", "write asked 2", "ask 2"]);
    let (_, request) = request(&effects).unwrap();
    assert_sound(request);
    assert_eq!(
        results(request)
            .map(|result| result.call.as_str())
            .collect::<Vec<_>>(),
        ["toolu_0", "toolu_1"]
    );
}

#[test]
fn calls_that_may_change_something_at_one_server_are_made_in_the_models_order() {
    let (mut turn, _) = begun([
        tool("files", "write"),
        reads("files", "read"),
        tool("mail", "send"),
    ]);
    let calls = wants(&[
        ("files__read", json!({})),
        ("files__write", json!({"n": 1})),
        ("mail__send", json!({})),
        ("files__write", json!({"n": 2})),
        ("files__read", json!({"n": 3})),
    ]);
    assert_eq!(
        step(&mut turn, replied(1, calls)),
        ["write replied", "call read", "call send"]
    );
    let read = ended(&turn, 0, "");
    assert_eq!(step(&mut turn, read), ["write settled", "call write"]);
    let write = ended(&turn, 0, "");
    assert_eq!(step(&mut turn, write), ["write settled", "call write"]);
    let write = ended(&turn, 1, "");
    assert_eq!(step(&mut turn, write), ["write settled", "call read"]);
}

#[test]
fn at_most_eight_run_at_once_and_one_that_waits_for_a_person_is_none_of_them() {
    let (mut turn, _) = begun([reads("files", "read")]);
    let calls: Vec<_> = (0..10).map(|n| ("files__read", json!({"n": n}))).collect();
    let effects = turn.handle(replied(1, wants(&calls))).unwrap();
    assert_eq!(orders(&effects).len(), 8);
    let waits = orders(&effects)[0].id.clone();
    assert_eq!(
        step(&mut turn, Event::CallWaits(waits.clone())),
        ["call read"]
    );
    assert_eq!(
        step(&mut turn, Event::CallRuns(waits)),
        Vec::<String>::new()
    );
    let one = ended(&turn, 1, "");
    assert_eq!(step(&mut turn, one), ["write settled"]);
    let one = ended(&turn, 1, "");
    assert_eq!(step(&mut turn, one), ["write settled", "call read"]);
}

#[test]
fn what_is_no_call_is_answered_without_one() {
    let (mut turn, _) = begun([tool("files", "write")]);
    let calls = wants(&[
        ("files__wriite", json!({})),
        ("files__write", json!("half")),
        ("files__write", json!({})),
    ]);
    assert_eq!(
        step(&mut turn, replied(1, calls)),
        [
            "write replied, not run: NoSuchTool { near: [\"files__write\"] }, Arguments { problem: \"they are not a JSON object\" }",
            "call write"
        ]
    );
}

#[test]
fn no_call_of_a_reply_that_was_cut_is_made_and_the_model_may_try_once_more() {
    let cut = || Reply {
        stop: StopReason::Length,
        ..wants(&[("files__write", json!({}))])
    };
    let (mut turn, _) = begun([tool("files", "write")]);
    assert_eq!(
        step(&mut turn, replied(1, cut())),
        ["write replied, not run: ReplyCut", "write asked 2", "ask 2"]
    );
    assert_eq!(
        step(&mut turn, replied(2, cut())),
        ["write replied, not run: ReplyCut", "write ended: Cut"]
    );
    let (mut turn, _) = begun([]);
    let text = Reply {
        stop: StopReason::Length,
        ..says("once upon")
    };
    assert_eq!(
        step(&mut turn, replied(1, text)),
        ["write replied", "write ended: Cut"]
    );
}

#[test]
fn a_refusal_ends_the_turn_and_makes_no_call() {
    let refused = StopReason::Refused {
        reason: "safety".to_owned(),
    };
    let (mut turn, _) = begun([tool("files", "write")]);
    let reply = Reply {
        stop: refused,
        ..wants(&[("files__write", json!({}))])
    };
    assert_eq!(
        step(&mut turn, replied(1, reply)),
        ["write replied, not run: ReplyCut", "write ended: Refused"]
    );
}

#[test]
fn a_service_that_wants_to_be_asked_again_is() {
    let (mut turn, _) = begun([]);
    let reply = Reply {
        stop: StopReason::Paused,
        ..says("searching")
    };
    assert_eq!(
        step(&mut turn, replied(1, reply)),
        ["write replied", "write asked 2", "ask 2 without tools"]
    );
}

#[test]
fn of_a_reply_that_broke_is_kept_what_had_come() {
    let (mut turn, _) = begun([]);
    for part in ["Once ", "upon"] {
        assert_eq!(
            turn.handle(Event::Grew {
                step: 1,
                part: ReplyPart::text(part)
            }),
            Some(vec![])
        );
    }
    assert_eq!(
        turn.partial().unwrap().parts,
        [ReplyPart::text("Once upon")]
    );
    let effects = step(
        &mut turn,
        Event::Broke {
            step: 1,
            failure: Failure::CutOff,
        },
    );
    assert_eq!(
        effects,
        [
            "write broke: Failed { failure: CutOff }, 1 parts kept",
            "write ended: Broke"
        ]
    );
    let effects = turn.handle(said("turn-2", "Go on.")).unwrap();
    let (_, request) = request(&effects).unwrap();
    assert_sound(request);
    assert!(
        serde_json::to_string(request)
            .unwrap()
            .contains("Once upon")
    );
}

#[test]
fn what_the_person_says_meanwhile_is_in_the_next_request_and_not_before_the_answer() {
    let (mut turn, _) = begun([]);
    assert_eq!(
        step(&mut turn, Event::Steered(vec![Said::text("in French")])),
        ["write steered"]
    );
    let effects = turn.handle(replied(1, says("hi"))).unwrap();
    assert_eq!(
        short(&effects),
        ["write replied", "write asked 2", "ask 2 without tools"]
    );
    let (_, request) = request(&effects).unwrap();
    let last = request.messages.last().unwrap();
    assert_eq!(
        last,
        &crate::Message::User {
            parts: vec![crate::ResultPart::text("in French")]
        }
    );
    assert_eq!(request.messages.len(), 3);
}

#[test]
fn when_the_purse_is_spent_one_closing_answer_is_asked_for_and_then_the_person() {
    let mut own = setting([reads("files", "read")]);
    own.purse = Purse {
        requests: 2,
        calls: 40,
        tokens: 400_000,
    };
    let mut turn = Turn::new(own);
    turn.handle(said("turn-1", "hello")).unwrap();
    let call = || wants(&[("files__read", json!({}))]);
    step(&mut turn, replied(1, call()));
    let end = ended(&turn, 0, "");
    assert_eq!(
        step(&mut turn, end),
        [
            "write settled",
            "write asked 2, closing: PurseSpent",
            "ask 2 without tools"
        ]
    );
    let more = step(&mut turn, replied(2, call()));
    assert_eq!(
        more,
        [
            "write replied, not run: PurseSpent",
            "write paused",
            "ask the person: PurseSpent"
        ]
    );
    let mut stopped = turn.clone();
    assert_eq!(
        step(&mut stopped, Event::Stop),
        ["write stop_requested", "write ended: Stopped"]
    );
    let mut no = turn.clone();
    assert_eq!(
        step(&mut no, Event::GoOn(false)),
        ["write ended: PurseSpent"]
    );
    assert_eq!(
        step(&mut turn, Event::GoOn(true)),
        ["write purse_raised", "write asked 3", "ask 3"]
    );
    assert_eq!(turn.handle(Event::GoOn(true)), None);
}

#[test]
fn tokens_and_calls_are_of_the_same_purse() {
    let mut own = setting([reads("files", "read")]);
    own.purse = Purse {
        requests: 25,
        calls: 1,
        tokens: 400_000,
    };
    let mut turn = Turn::new(own.clone());
    turn.handle(said("turn-1", "hello")).unwrap();
    let two = wants(&[
        ("files__read", json!({"n": 1})),
        ("files__read", json!({"n": 2})),
    ]);
    assert_eq!(
        step(&mut turn, replied(1, two)),
        ["write replied, not run: PurseSpent", "call read"]
    );
    let end = ended(&turn, 0, "");
    assert_eq!(
        step(&mut turn, end)[1],
        "write asked 2, closing: PurseSpent"
    );

    own.purse = Purse {
        requests: 25,
        calls: 40,
        tokens: 110,
    };
    let mut turn = Turn::new(own);
    turn.handle(said("turn-1", "hello")).unwrap();
    step(&mut turn, replied(1, wants(&[("files__read", json!({}))])));
    let end = ended(&turn, 0, "");
    assert_eq!(
        step(&mut turn, end)[1],
        "write asked 2, closing: PurseSpent"
    );
}

#[test]
fn the_same_call_with_the_same_result_is_not_made_a_fourth_time() {
    let (mut turn, _) = begun([reads("files", "read")]);
    let same = || wants(&[("files__read", json!({"path": "a"}))]);
    for n in 1..=3 {
        assert_eq!(
            step(&mut turn, replied(n, same())),
            ["write replied", "call read"]
        );
        let end = ended(&turn, 0, "nothing new");
        step(&mut turn, end);
    }
    let noticed = step(&mut turn, replied(4, same()));
    assert_eq!(
        noticed,
        [
            "write replied, not run: Repeated",
            "write asked 5, closing: Loops",
            "ask 5 without tools"
        ]
    );
    assert_eq!(
        step(&mut turn, replied(5, says("sorry"))),
        ["write replied", "write paused", "ask the person: Loops"]
    );
    step(&mut turn, Event::GoOn(true));
    assert_eq!(
        step(&mut turn, replied(6, same())),
        ["write replied", "call read"]
    );
}

#[test]
fn a_call_that_brings_something_new_each_time_is_no_loop() {
    let (mut turn, _) = begun([reads("files", "read")]);
    for n in 1..=6 {
        let same = wants(&[("files__read", json!({"path": "log"}))]);
        assert_eq!(
            step(&mut turn, replied(n, same)),
            ["write replied", "call read"]
        );
        let end = ended(&turn, 0, &format!("line {n}"));
        step(&mut turn, end);
    }
}

#[test]
fn stop_drops_the_reply_and_keeps_what_had_come() {
    let (mut turn, _) = begun([]);
    turn.handle(Event::Grew {
        step: 1,
        part: ReplyPart::text("Once"),
    })
    .unwrap();
    assert_eq!(
        step(&mut turn, Event::Stop),
        [
            "write stop_requested",
            "write broke: Stopped, 1 parts kept",
            "write ended: Stopped",
            "drop"
        ]
    );
    assert_eq!(turn.handle(replied(1, says("late"))), None);
}

#[test]
fn stop_cancels_what_runs_and_settles_what_does_not() {
    let (mut turn, _) = begun([tool("files", "write")]);
    let two = wants(&[
        ("files__write", json!({"n": 1})),
        ("files__write", json!({"n": 2})),
    ]);
    step(&mut turn, replied(1, two));
    let runs = ids(&turn)[0].clone();
    let mut stopped = step(&mut turn, Event::Stop);
    stopped.sort();
    assert_eq!(
        stopped,
        ["cancel", "write not run: Stopped", "write stop_requested"]
    );
    let mut impatient = turn.clone();
    assert_eq!(
        step(&mut impatient, Event::Stop),
        ["write unknown: Stopped", "write ended: Stopped"]
    );
    let why = Unknown::Stopped;
    let end = Event::CallEnded {
        call: runs,
        outcome: Outcome::Unknown { why },
    };
    assert_eq!(
        step(&mut turn, end.clone()),
        ["write unknown: Stopped", "write ended: Stopped"]
    );
    assert_eq!(impatient.handle(end), None);
}

#[test]
fn one_call_is_stopped_and_the_others_go_on() {
    let (mut turn, _) = begun([tool("files", "write"), tool("mail", "send")]);
    let calls = wants(&[
        ("files__write", json!({"n": 1})),
        ("files__write", json!({"n": 2})),
        ("mail__send", json!({})),
    ]);
    step(&mut turn, replied(1, calls));
    let [first, second, _] = ids(&turn).try_into().unwrap();
    assert_eq!(
        step(&mut turn, Event::StopCall(second)),
        ["write not run: Stopped"]
    );
    assert_eq!(step(&mut turn, Event::StopCall(first.clone())), ["cancel"]);
    assert_eq!(
        step(&mut turn, Event::StopCall(first)),
        Vec::<String>::new()
    );
    let mail = ended(&turn, 1, "");
    step(&mut turn, mail);
    let write = ended(&turn, 0, "");
    assert_eq!(
        step(&mut turn, write),
        ["write settled", "write asked 2", "ask 2"]
    );
}

#[test]
fn nothing_goes_on_when_it_cannot_be_written() {
    let (mut turn, _) = begun([tool("files", "write")]);
    let two = wants(&[
        ("files__write", json!({"n": 1})),
        ("files__write", json!({"n": 2})),
    ]);
    step(&mut turn, replied(1, two));
    let end = ended(&turn, 0, "");
    // That it was stopped could not be written, and so it was not cancelled either.
    turn.handle(Event::Stop).unwrap();
    assert_eq!(step(&mut turn, Event::WriteFailed), ["drop", "cancel"]);
    assert_eq!(turn.handle(end), None);
    let (mut turn, _) = begun([]);
    assert_eq!(step(&mut turn, Event::WriteFailed), ["drop"]);
}

#[test]
fn a_turn_whose_beginning_fits_into_no_request_says_so() {
    let mut own = setting([]);
    own.context = 4_100;
    let mut turn = Turn::new(own);
    let effects = step(&mut turn, said("turn-1", &"word ".repeat(1_000)));
    assert_eq!(effects, ["write turn_began", "write ended: ContextFull"]);
}

#[test]
fn a_damaged_journal_is_not_gone_on_with() {
    let entries = [Entry::StopRequested];
    let recovered = recover(setting([]), &entries, None, |_| CallState::Unseen);
    assert_eq!(recovered.map(drop), Err(DamagedJournal { at: 0 }));
}

#[test]
fn as_much_again_is_that_much_also_where_more_was_taken_than_there_was() {
    let mut own = setting([reads("files", "read")]);
    own.purse.tokens = 100;
    let mut turn = Turn::new(own.clone());
    turn.handle(said("turn-1", "hello")).unwrap();
    let mut reply = wants(&[("files__read", json!({}))]);
    reply.usage.input = Some(1_000);
    turn.handle(replied(1, reply)).unwrap();
    let end = ended(&turn, 0, "");
    turn.handle(end).unwrap();
    turn.handle(replied(2, says("so far"))).unwrap();
    assert_eq!(
        step(&mut turn, Event::GoOn(true)),
        ["write purse_raised", "write asked 3", "ask 3"]
    );
    assert_eq!(turn.conversation().open().unwrap().left().tokens, 100);
}

#[test]
fn a_turn_that_went_in_circles_goes_on_with_what_it_has_left() {
    let (mut turn, _) = begun([reads("files", "read")]);
    let same = || wants(&[("files__read", json!({}))]);
    for n in 1..=3 {
        turn.handle(replied(n, same())).unwrap();
        let end = ended(&turn, 0, "");
        turn.handle(end).unwrap();
    }
    turn.handle(replied(4, same())).unwrap();
    let other = wants(&[("files__read", json!({"path": "b"}))]);
    assert_eq!(
        step(&mut turn, replied(5, other))[0],
        "write replied, not run: Repeated"
    );
    let purse = turn.conversation().open().unwrap().purse;
    assert_eq!(step(&mut turn, Event::GoOn(true))[0], "write let_go_on");
    assert_eq!(turn.conversation().open().unwrap().purse, purse);
}

#[test]
fn of_equal_calls_in_one_reply_three_are_made() {
    let (mut turn, _) = begun([reads("files", "read")]);
    let many = wants(&vec![("files__read", json!({})); 5]);
    let effects = step(&mut turn, replied(1, many));
    assert_eq!(effects[0], "write replied, not run: Repeated, Repeated");
    assert_eq!(effects[1..], ["call read", "call read", "call read"]);
}

#[test]
fn another_picture_is_another_result_and_another_number_of_the_call_is_not() {
    let result = |data: &str, number: u32| {
        let mut outcome = answered("");
        if let Outcome::Answered { answer } = &mut outcome {
            let extra = json!({"number": number}).as_object().cloned().unwrap();
            answer.result.content = vec![protocol::Content::Image {
                data: data.to_owned(),
                mime_type: "image/png".to_owned(),
                extra,
            }];
        }
        outcome
    };
    for (pictures, last) in [
        (["AAAA", "BBBB", "CCCC"], "write replied"),
        (["AAAA"; 3], "write replied, not run: Repeated"),
    ] {
        let (mut turn, _) = begun([reads("screen", "look")]);
        let same = || wants(&[("screen__look", json!({}))]);
        for (n, data) in (1..).zip(pictures) {
            turn.handle(replied(n, same())).unwrap();
            let (call, outcome) = (ids(&turn)[0].clone(), result(data, n));
            turn.handle(Event::CallEnded { call, outcome }).unwrap();
        }
        assert_eq!(step(&mut turn, replied(4, same()))[0], last);
    }
}
