//! The application is ended after every single write of a turn, once and once more. Nothing that the
//! person said and no finished reply is lost, and nothing is done twice.

use super::world::*;
use super::*;
use crate::Item;
use serde_json::json;

/// One turn: what is said, and how the person answers what they are asked.
struct Story {
    text: &'static str,
    model: fn(&Request) -> Reply,
    tools: Vec<crate::OfferedTool>,
    asks: Vec<&'static str>,
    says_yes: bool,
    /// How often each tool does something when nothing goes wrong.
    done: &'static [(&'static str, u32)],
}

/// Two calls beside each other, then one that needs both, then the answer.
fn currency(request: &Request) -> Reply {
    let has = |text: &str| holds_result(request, text);
    if !has("fee is done") || !has("rate is done") {
        let (fee, rate) = (
            ("bank__fee", json!({"method": "card"})),
            ("bank__rate", json!({"to": "INR"})),
        );
        return match (has("fee is done"), has("rate is done")) {
            (false, false) => wants(&[fee, rate]),
            (false, true) => wants(&[fee]),
            _ => wants(&[rate]),
        };
    }
    if !has("calculate is done") {
        return wants(&[("own__calculate", json!({"expression": "490 * 83.58"}))]);
    }
    says("40,954.20 INR")
}

/// One call that a person is asked about. What nobody knows is not tried again.
fn shipping(request: &Request) -> Reply {
    if holds_result(request, "order is done") {
        return says("ORD-10-HUMAN");
    }
    if holds_result(request, "did not allow") || holds_result(request, "Nobody knows") {
        return says("It was not, or may have been.");
    }
    wants(&[("harbour__order", json!({"containers": 10}))])
}

fn stories() -> Vec<Story> {
    let bank = || {
        vec![
            reads("bank", "fee"),
            reads("bank", "rate"),
            reads("own", "calculate"),
        ]
    };
    let harbour = || vec![tool("harbour", "order")];
    vec![
        Story {
            text: "500 USD to INR",
            model: currency,
            tools: bank(),
            asks: Vec::new(),
            says_yes: true,
            done: &[("calculate", 1), ("fee", 1), ("rate", 1)],
        },
        Story {
            text: "10 to Rotterdam",
            model: shipping,
            tools: harbour(),
            asks: vec!["order"],
            says_yes: true,
            done: &[("order", 1)],
        },
        Story {
            text: "8 to Los Angeles",
            model: shipping,
            tools: harbour(),
            asks: vec!["order"],
            says_yes: false,
            done: &[],
        },
    ]
}

fn tell(story: &Story, world: &mut World, turn: &mut Turn) -> Result<(), Ended> {
    let effects = turn.handle(said("turn-1", story.text)).unwrap();
    world.run(turn, effects)?;
    world.answer(turn, story.says_yes)
}

/// The next run: what was left goes on; what broke off, the person lets go on.
fn next_run(story: &Story, world: &mut World) -> Result<(), Ended> {
    let journal = world.journal.clone();
    let own = setting(story.tools.clone());
    let (mut turn, effects) = recover(own, &journal, None, |call| world.state_of(call)).unwrap();
    world.run(&mut turn, effects)?;
    world.answer(&mut turn, story.says_yes)?;
    if turn.conversation().items().is_empty() {
        // It ended before it had heard anything: the surface still has the words.
        return tell(story, world, &mut turn);
    }
    let mut more = 0;
    while turn.conversation().last_end() == Some(TurnEnd::Broke) && more < 3 {
        more += 1;
        let runs = world.journal.len();
        let effects = turn
            .handle(said(&format!("turn-{runs}"), "Go on."))
            .unwrap();
        world.run(&mut turn, effects)?;
        world.answer(&mut turn, story.says_yes)?;
    }
    Ok(())
}

fn begin(story: &Story, left: u32) -> (World, Result<(), Ended>) {
    let mut world = World::new(story.model);
    world.asks.clone_from(&story.asks);
    world.left = left;
    let mut turn = Turn::new(setting(story.tools.clone()));
    let told = tell(story, &mut world, &mut turn);
    (world, told)
}

fn assert_nothing_is_lost(story: &Story, world: &World, replies: usize, ends: u32) {
    let conversation = Conversation::read(&world.journal).unwrap();
    assert!(conversation.open().is_none());
    assert_eq!(
        conversation.last_end(),
        Some(TurnEnd::Done),
        "{:#?}",
        world.journal
    );
    let said: Vec<_> = conversation
        .items()
        .iter()
        .filter(|item| matches!(item, Item::Said(said) if said == &[Said::text(story.text)]))
        .collect();
    assert_eq!(said.len(), 1, "the person's words are there, once");
    let kept = conversation
        .items()
        .iter()
        .filter(|item| matches!(item, Item::Reply { .. }))
        .count();
    assert!(kept >= replies, "a finished reply is kept");
    for (tool, times) in &world.done {
        let expected = story
            .done
            .iter()
            .find(|(name, _)| name == tool)
            .map_or(0, |(_, times)| *times);
        // A call that reads may be wanted again where nobody knows what became of it; one that
        // changes something is not.
        let most = if tool == "order" {
            expected
        } else {
            expected + ends
        };
        assert!(*times <= most, "{tool} was done {times} times");
    }
    let mut calls: Vec<_> = world.made.keys().collect();
    calls.sort();
    calls.dedup();
    assert_eq!(calls.len(), world.made.len());
}

fn finished_replies(world: &World) -> usize {
    world
        .journal
        .iter()
        .filter(|entry| matches!(entry, Entry::Replied { .. }))
        .count()
}

#[test]
fn a_turn_survives_the_end_of_the_application_after_each_of_its_writes() {
    for story in stories() {
        let (whole, told) = begin(&story, u32::MAX);
        assert_eq!(told, Ok(()));
        let expected = story
            .done
            .iter()
            .map(|(tool, times)| ((*tool).to_owned(), *times))
            .collect();
        assert_eq!(whole.done, expected);
        assert_nothing_is_lost(&story, &whole, 1, 0);
        let mut writes = 0;
        loop {
            let (mut world, told) = begin(&story, writes);
            if told == Ok(()) {
                break;
            }
            assert_eq!(told, Err(Ended));
            let replies = finished_replies(&world);
            world.left = u32::MAX;
            next_run(&story, &mut world).unwrap();
            assert_nothing_is_lost(&story, &world, replies, 1);
            writes += 1;
        }
        assert!(writes > 5, "{writes}");
    }
}

#[test]
fn it_survives_that_the_next_run_ends_as_well() {
    for story in stories() {
        for first in 0..20 {
            for second in 0..20 {
                let (mut world, told) = begin(&story, first);
                if told == Ok(()) {
                    break;
                }
                world.left = second;
                let again = next_run(&story, &mut world);
                let replies = finished_replies(&world);
                world.left = u32::MAX;
                if again.is_err() {
                    next_run(&story, &mut world).unwrap();
                }
                assert_nothing_is_lost(&story, &world, replies, 2);
            }
        }
    }
}

#[test]
fn every_beginning_of_a_journal_can_be_gone_on_with() {
    for story in stories() {
        let (world, _) = begin(&story, u32::MAX);
        for end in 0..=world.journal.len() {
            let own = setting(story.tools.clone());
            let (turn, effects) = recover(own, &world.journal[..end], None, |call| {
                world.state_of(call)
            })
            .unwrap();
            for effect in &effects {
                if let Effect::AskModel { request, .. } = effect {
                    assert_sound(request);
                }
                assert!(
                    !matches!(effect, Effect::Call(_)),
                    "nothing is made that may have been made"
                );
            }
            assert!(
                turn.conversation()
                    .open()
                    .is_none_or(|open| open.stage != Stage::Between)
            );
        }
    }
}

#[test]
fn a_stop_is_a_stop_in_the_next_run_too() {
    let story = stories().remove(1);
    let mut world = World::new(story.model);
    world.asks.clone_from(&story.asks);
    let mut turn = Turn::new(setting(story.tools.clone()));
    let effects = turn.handle(said("turn-1", story.text)).unwrap();
    world.run(&mut turn, effects).unwrap();
    let effects = turn.handle(Event::Stop).unwrap();
    world.left = 1;
    assert_eq!(world.run(&mut turn, effects), Err(Ended));
    world.left = u32::MAX;
    let journal = world.journal.clone();
    let own = setting(story.tools.clone());
    let (mut turn, effects) = recover(own, &journal, None, |call| world.state_of(call)).unwrap();
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::CancelCall(_)))
    );
    world.run(&mut turn, effects).unwrap();
    assert_eq!(world.last_end(), Some(TurnEnd::Stopped));
    assert!(world.done.is_empty());
}

#[test]
fn a_turn_that_waits_for_the_person_waits_again() {
    let mut own = setting([]);
    own.purse = Purse {
        requests: 1,
        calls: 1,
        tokens: 1,
    };
    let mut turn = Turn::new(own.clone());
    let mut world = World::new(|_| says("so far"));
    let effects = turn.handle(said("turn-1", "hello")).unwrap();
    world.run(&mut turn, effects).unwrap();
    let (mut again, effects) = recover(own, &world.journal, None, |_| CallState::Unseen).unwrap();
    assert_eq!(effects, [Effect::AskPerson(Closing::PurseSpent)]);
    assert_eq!(again, turn);
    assert!(again.handle(Event::GoOn(true)).is_some());
}

#[test]
fn what_had_come_of_a_reply_is_kept_and_nobody_is_asked_again() {
    let mut turn = Turn::new(setting([]));
    let effects = turn.handle(said("turn-1", "hello")).unwrap();
    let Some(Effect::Write(journal)) = effects.first() else {
        panic!("{effects:?}");
    };
    let partial = PartialReply {
        turn: TurnId::from("turn-1"),
        step: 1,
        parts: vec![ReplyPart::text("Once upon")],
    };
    let (turn, effects) = recover(setting([]), journal, Some(partial.clone()), |_| {
        CallState::Unseen
    })
    .unwrap();
    assert!(matches!(effects.as_slice(), [Effect::Write(entries)] if entries.len() == 2));
    assert_eq!(turn.conversation().last_end(), Some(TurnEnd::Broke));
    assert!(
        matches!(turn.conversation().items(), [_, Item::Reply { reply, .. }] if reply.parts == partial.parts)
    );
}

/// A journal in which a call has just been wanted, or, with its reply, the second request was made.
fn journal_of(turn: &mut Turn, with_end: bool) -> Vec<Entry> {
    let mut effects = turn.handle(said("turn-1", "hello")).unwrap();
    let wanted = wants(&[("files__read", json!({}))]);
    effects.extend(turn.handle(replied(1, wanted)).unwrap());
    if with_end {
        let (call, outcome) = (ids(turn)[0].clone(), answered("a"));
        effects.extend(turn.handle(Event::CallEnded { call, outcome }).unwrap());
    }
    let written = effects.into_iter().filter_map(|effect| match effect {
        Effect::Write(entries) => Some(entries),
        _ => None,
    });
    written.flatten().collect()
}

#[test]
fn what_had_come_of_one_reply_is_not_taken_for_the_next_one() {
    let own = setting([reads("files", "read")]);
    let journal = journal_of(&mut Turn::new(own.clone()), true);
    for (turn, step, kept) in [
        ("turn-1", 1, 0),
        ("turn-0", 2, 0),
        ("turn-1", 3, 0),
        ("turn-1", 2, 1),
    ] {
        let partial = PartialReply {
            turn: TurnId::from(turn),
            step,
            parts: vec![ReplyPart::text("Let me look")],
        };
        let (_, effects) =
            recover(own.clone(), &journal, Some(partial), |_| CallState::Unseen).unwrap();
        assert_eq!(
            short(&effects),
            [
                format!("write broke: ApplicationEnded, {kept} parts kept"),
                "write ended: Broke".to_owned()
            ]
        );
    }
}

#[test]
fn another_model_does_not_go_on_with_what_one_has_begun() {
    let own = setting([reads("files", "read")]);
    let mut other = own.clone();
    other.model.name = "another".to_owned();
    let journal = journal_of(&mut Turn::new(own.clone()), false);
    let ended = |_: &CallId| CallState::Ended(answered("a"));
    let (mut turn, effects) = recover(other.clone(), &journal, None, ended).unwrap();
    assert_eq!(
        short(&effects),
        ["write settled", "write ended: ModelChanged"]
    );
    let effects = turn.handle(said("turn-2", "go on")).unwrap();
    assert_eq!(request(&effects).unwrap().1.model, other.model);
    let (_, effects) = recover(own, &journal, None, ended).unwrap();
    assert_eq!(short(&effects), ["write settled", "write asked 2", "ask 2"]);
}

#[test]
fn another_model_is_not_let_go_on_either() {
    let mut own = setting([]);
    own.purse.requests = 1;
    let mut turn = Turn::new(own.clone());
    let mut world = World::new(|_| says("so far"));
    let effects = turn.handle(said("turn-1", "hello")).unwrap();
    world.run(&mut turn, effects).unwrap();
    own.model.name = "another".to_owned();
    let (_, effects) = recover(own, &world.journal, None, |_| CallState::Unseen).unwrap();
    assert_eq!(short(&effects), ["write ended: ModelChanged"]);
}
