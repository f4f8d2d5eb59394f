//! What holds in whatever order things happen.

use super::world::*;
use super::*;
use crate::StopReason;
use crate::context::prepare;
use proptest::prelude::*;
use serde_json::json;

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
            .unwrap_or(CallId::from("call-none"))
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
            failure: Failure::CutOff,
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
                let (spent, purse) = (open.spent, open.purse);
                prop_assert!(spent.requests <= purse.requests && spent.calls <= purse.calls);
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
            held,
            ..
        } = entry
        {
            let before = Conversation::read(&again[..at]).unwrap();
            let prepared = prepare(&before, &turn.setting, *closing).unwrap();
            assert_eq!(
                (&prepared.request.digest(), prepared.tokens),
                (digest, *tokens)
            );
            assert_eq!(&prepared.ledger.held(), held);
            let sum: u64 = held.iter().map(|part| part.tokens).sum();
            assert_eq!(sum, *tokens);
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
                let is_settled =
                    |planned: &&crate::Planned| matches!(planned.plan, crate::Plan::NotRun { .. });
                for planned in calls.iter().filter(is_settled) {
                    assert!(settled.insert(planned.call.clone()), "{}", planned.call);
                }
            }
            _ => {}
        }
    }
}
