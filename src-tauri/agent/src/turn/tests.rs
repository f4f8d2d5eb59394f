//! One test for each arrow of the loop, and what holds in whatever order things happen.

use super::world::*;
use super::*;
use crate::context::prepare;
use crate::{Misfit, StopReason};
use proptest::prelude::*;
use serde_json::json;

fn begun(tools: impl IntoIterator<Item = crate::OfferedTool>) -> (Turn, Vec<Effect>) {
    let mut turn = Turn::new(setting(tools));
    let effects = turn.handle(said("turn-1", "hello")).unwrap();
    (turn, effects)
}

/// In short: what is written, and what is done.
fn short(effects: &[Effect]) -> Vec<String> {
    let name = |entry: &Entry| match entry {
        Entry::Asked {
            step,
            closing: Some(why),
            ..
        } => format!("asked {step}, closing: {why:?}"),
        Entry::Asked { step, .. } => format!("asked {step}"),
        Entry::CallSettled { outcome, .. } => match outcome {
            Outcome::NotRun { why } => format!("not run: {why:?}"),
            Outcome::Unknown { why } => format!("unknown: {why:?}"),
            _ => "settled".to_owned(),
        },
        Entry::TurnEnded { why } => format!("ended: {why:?}"),
        Entry::ReplyBroke { why, parts, .. } => {
            format!("broke: {why:?}, {} parts kept", parts.len())
        }
        Entry::Replied { calls, .. } => {
            let not_run = calls.iter().filter_map(|call| call.not_run.as_ref());
            let not_run: Vec<_> = not_run.map(|why| format!("{why:?}")).collect();
            if not_run.is_empty() {
                "replied".to_owned()
            } else {
                format!("replied, not run: {}", not_run.join(", "))
            }
        }
        other => serde_json::to_value(other).unwrap()["kind"]
            .as_str()
            .unwrap()
            .to_owned(),
    };
    let mut lines = Vec::new();
    for effect in effects {
        match effect {
            Effect::Write(entries) => {
                lines.extend(entries.iter().map(|entry| format!("write {}", name(entry))))
            }
            Effect::AskModel { step, request } => lines.push(format!(
                "ask {step}{}",
                if request.may_call {
                    ""
                } else {
                    " without tools"
                }
            )),
            Effect::DropModel => lines.push("drop".to_owned()),
            Effect::Call(order) => lines.push(format!("call {}", order.tool.tool)),
            Effect::CancelCall(_) => lines.push("cancel".to_owned()),
            Effect::AskPerson(why) => lines.push(format!("ask the person: {why:?}")),
        }
    }
    lines
}

fn step(turn: &mut Turn, event: Event) -> Vec<String> {
    short(&turn.handle(event).unwrap())
}

fn replied(step: u32, reply: Reply) -> Event {
    Event::Replied { step, reply }
}

fn ids(turn: &Turn) -> Vec<CallId> {
    turn.conversation()
        .open_calls()
        .map(|call| call.id.clone())
        .collect()
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
    assert_eq!(turn.partial(), [ReplyPart::text("Once upon")]);
    let effects = step(
        &mut turn,
        Event::Broke {
            step: 1,
            problem: "cut".to_owned(),
        },
    );
    assert_eq!(
        effects,
        [
            "write broke: Failed { problem: \"cut\" }, 1 parts kept",
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
    let (mut turn, _) = begun([reads("files", "read")]);
    step(&mut turn, replied(1, wants(&[("files__read", json!({}))])));
    let end = ended(&turn, 0, "");
    assert_eq!(step(&mut turn, Event::WriteFailed), ["cancel"]);
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
    let recovered = recover(setting([]), &entries, Vec::new(), |_| CallState::Unseen);
    assert_eq!(recovered.map(drop), Err(Misfit { at: 0 }));
}

#[derive(Debug, Clone)]
enum Deed {
    Said,
    Steered,
    Grew,
    Reply(u8),
    Broke,
    Waits(usize),
    Runs(usize),
    Ends(usize, u8),
    Stop,
    StopCall(usize),
    GoOn(bool),
    Late,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => Just(Deed::Said),
        1 => Just(Deed::Steered),
        1 => Just(Deed::Grew),
        8 => (0_u8..9).prop_map(Deed::Reply),
        1 => Just(Deed::Broke),
        1 => (0_usize..4).prop_map(Deed::Waits),
        1 => (0_usize..4).prop_map(Deed::Runs),
        12 => ((0_usize..4), (0_u8..5)).prop_map(|(at, how)| Deed::Ends(at, how)),
        1 => Just(Deed::Stop),
        1 => (0_usize..4).prop_map(Deed::StopCall),
        2 => any::<bool>().prop_map(Deed::GoOn),
        1 => Just(Deed::Late),
    ]
}

fn event(turn: &Turn, deed: &Deed, number: usize) -> Event {
    let asked = turn.conversation().open().map_or(1, |open| open.step);
    let call = |at: usize| {
        ids(turn)
            .get(at)
            .cloned()
            .unwrap_or(CallId("call-none".to_owned()))
    };
    match deed {
        Deed::Said => said(&format!("turn-{number}"), "go on"),
        Deed::Steered => Event::Steered(vec![Said::text("wait")]),
        Deed::Grew => Event::Grew {
            step: asked,
            part: ReplyPart::text("so"),
        },
        Deed::Reply(kind) => {
            let calls = [
                ("files__read", json!({"n": 1})),
                ("files__write", json!({"n": 2})),
                ("mail__send", json!({})),
                ("nothing", json!({})),
            ];
            let many = calls[..usize::from(*kind).min(4)].to_vec();
            let stop = match kind {
                5 => StopReason::Length,
                6 => StopReason::Refused {
                    reason: String::new(),
                },
                7 => StopReason::Paused,
                _ => StopReason::End,
            };
            let reply = if *kind == 8 {
                wants(&vec![("files__read", json!({})); 12])
            } else {
                wants(&many)
            };
            replied(asked, Reply { stop, ..reply })
        }
        Deed::Broke => Event::Broke {
            step: asked,
            problem: "cut".to_owned(),
        },
        Deed::Waits(at) => Event::CallWaits(call(*at)),
        Deed::Runs(at) => Event::CallRuns(call(*at)),
        Deed::Ends(at, how) => {
            let outcome = match how {
                0 => Outcome::Denied {
                    reason: Some("no".to_owned()),
                },
                1 => Outcome::Refused {
                    why: "a rule".to_owned(),
                },
                2 => Outcome::Unknown {
                    why: Unknown::NoAnswer,
                },
                3 => answered("same"),
                _ => answered(&number.to_string()),
            };
            Event::CallEnded {
                call: call(*at),
                outcome,
            }
        }
        Deed::Stop => Event::Stop,
        Deed::StopCall(at) => Event::StopCall(call(*at)),
        Deed::GoOn(yes) => Event::GoOn(*yes),
        Deed::Late => replied(asked.saturating_sub(1), says("late")),
    }
}

fn small() -> Setting {
    let mut own = setting([
        reads("files", "read"),
        tool("files", "write"),
        tool("mail", "send"),
    ]);
    own.purse = Purse {
        requests: 4,
        calls: 9,
        tokens: 1_500,
    };
    own
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_happens_in_whatever_order(deeds in proptest::collection::vec(deed(), 0..60)) {
        let mut turn = Turn::new(small());
        let mut journal: Vec<Entry> = Vec::new();
        let mut made: Vec<CallId> = Vec::new();
        for (number, deed) in deeds.iter().enumerate() {
            let before = turn.clone();
            let Some(effects) = turn.handle(event(&before, deed, number)) else {
                prop_assert_eq!(&turn, &before, "what does not fit changes nothing");
                continue;
            };
            for effect in &effects {
                match effect {
                    Effect::Write(entries) => journal.extend(entries.iter().cloned()),
                    Effect::AskModel { request, .. } => assert_sound(request),
                    Effect::Call(order) => {
                        prop_assert!(!made.contains(&order.id), "made twice");
                        made.push(order.id.clone());
                    }
                    _ => {}
                }
            }
            if let Some(open) = turn.conversation().open() {
                prop_assert!(open.spent.is_within(open.purse), "{:?}", open);
                let asks = effects.iter().any(|effect| matches!(effect, Effect::AskModel { .. }));
                prop_assert!(!(asks && turn.conversation().open_calls().next().is_some()));
                prop_assert!(open.stage != Stage::Between, "something is under way, or it is over");
            }
        }
        assert_replays(&turn, &journal);
        settled_once(&journal);
    }

    #[test]
    fn stop_always_comes_to_an_end(deeds in proptest::collection::vec(deed(), 0..40)) {
        let mut turn = Turn::new(small());
        for (number, deed) in deeds.iter().enumerate() {
            let event = event(&turn, deed, number);
            let _fits = turn.handle(event);
        }
        if turn.conversation().open().is_some() {
            let mut asked = 0;
            let mut count = |effects: Vec<Effect>| {
                asked += effects.iter().filter(|effect| matches!(effect, Effect::AskModel { .. } | Effect::Call(_))).count();
            };
            if let Some(effects) = turn.handle(Event::Stop) {
                count(effects);
            }
            for call in ids(&turn) {
                let why = Unknown::Stopped;
                count(turn.handle(Event::CallEnded { call, outcome: Outcome::Unknown { why } }).unwrap_or_default());
            }
            prop_assert!(turn.conversation().open().is_none());
            prop_assert_eq!(asked, 0);
        }
    }
}

/// Reading the journal gives the same conversation, and for each request the same digest.
fn assert_replays(turn: &Turn, journal: &[Entry]) {
    assert_eq!(&Conversation::read(journal).unwrap(), turn.conversation());
    let text = serde_json::to_string(journal).unwrap();
    let again: Vec<Entry> = serde_json::from_str(&text).unwrap();
    assert_eq!(again, journal);
    for (at, entry) in journal.iter().enumerate() {
        if let Entry::Asked {
            digest,
            tokens,
            closing,
            ..
        } = entry
        {
            let before = Conversation::read(&again[..at]).unwrap();
            let prepared = prepare(&before, &turn.setting, *closing).unwrap();
            assert_eq!(
                (&prepared.request.digest(), prepared.tokens),
                (digest, *tokens)
            );
            assert_eq!(
                crate::ledger(journal, at, &turn.setting),
                Some(prepared.ledger)
            );
        }
    }
}

/// Of every call there is one outcome at most.
fn settled_once(journal: &[Entry]) {
    let mut settled = std::collections::HashSet::new();
    for entry in journal {
        match entry {
            Entry::CallSettled { call, .. } => assert!(settled.insert(call.clone()), "{call}"),
            Entry::Replied { calls, .. } => {
                for planned in calls.iter().filter(|planned| planned.not_run.is_some()) {
                    assert!(settled.insert(planned.call.clone()), "{}", planned.call);
                }
            }
            _ => {}
        }
    }
}
