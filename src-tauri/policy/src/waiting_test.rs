use super::*;
use crate::QuestionTime;
use expect_test::expect;
use proptest::prelude::*;
use std::time::Duration;

const NOW: Timestamp = Timestamp(1_795_000_000_000);

fn yes() -> Box<Decision> {
    Box::new(Decision::once())
}

fn recovered(left: Left) -> Event {
    Event::Recovered(Recovery {
        left,
        asked_at: NOW,
        in_the_log: false,
        carries_out: true,
        question_time: QuestionTime::default(),
        now: NOW,
    })
}

fn stages() -> Vec<Stage> {
    vec![
        Stage::New,
        Stage::Waiting(Awaited::Call(Durable::Yes)),
        Stage::Waiting(Awaited::Call(Durable::No)),
        Stage::Waiting(Awaited::Other),
        Stage::Answered {
            answer: yes(),
            durable: Durable::Yes,
        },
        Stage::Answered {
            answer: yes(),
            durable: Durable::No,
        },
        Stage::Given,
        Stage::Allowed,
        Stage::Refused(End::Lapsed),
        Stage::Sent(End::Answered),
        Stage::SentUnasked,
        Stage::Paused(End::Answered),
        Stage::LeftToNextRun,
        Stage::Ended(End::Answered),
    ]
}

fn events() -> Vec<Event> {
    let answered = Left::Answered {
        answer: yes(),
        at: NOW,
    };
    vec![
        Event::Asked,
        Event::Written(Awaited::Call(Durable::Yes)),
        Event::Answered(yes()),
        Event::Superseded(Superseded::ByPermission),
        Event::Superseded(Superseded::ByRefusal(Refusal::Blocked)),
        Event::Superseded(Superseded::ByServerGone),
        Event::Lapsed,
        Event::Closed,
        Event::Withdrawn,
        Event::HostEnds,
        recovered(Left::Waiting),
        recovered(answered),
        recovered(Left::Unreadable),
        recovered(Left::Sent(End::Answered)),
        recovered(Left::Paused(End::Answered)),
        Event::Sends,
        Event::Pauses,
        Event::Paused,
        Event::Settled,
        Event::Failed,
    ]
}

/// In one word each; what is inside is told apart where it matters.
fn short(text: &impl std::fmt::Debug) -> String {
    let (answer, recovery) = (
        format!("{:?}", yes()),
        format!(
            ", asked_at: {NOW:?}, in_the_log: false, carries_out: true, question_time: {:?}, now: {NOW:?}",
            QuestionTime::default()
        ),
    );
    format!("{text:?}")
        .replace(&answer, "yes")
        .replace(&recovery, "")
        .replace(&format!(", at: {NOW:?}"), "")
}

#[test]
fn every_stage_takes_these_events_and_no_others() {
    let mut table = String::new();
    for stage in stages() {
        table.push_str(&format!("{}\n", short(&stage)));
        for event in events() {
            let Some((after, effects)) = next(&stage, event.clone()) else {
                continue;
            };
            table.push_str(&format!("  {} -> {}\n", short(&event), short(&after)));
            for effect in effects {
                table.push_str(&format!("    {}\n", short(&effect)));
            }
        }
    }
    expect![[r#"
        New
          Asked -> New
            Persist(Waiting)
          Written(Call(Yes)) -> Waiting(Call(Yes))
            Record(Asked)
            Show(None)
          Recovered(Recovery { left: Waiting }) -> Waiting(Call(Yes))
            Show(Some(Timestamp(1795000600000)))
          Recovered(Recovery { left: Answered { answer: yes } }) -> Answered { answer: yes, durable: Yes }
            Resolve(Answered(yes))
          Recovered(Recovery { left: Unreadable }) -> Ended(Closed)
            Record(Refused(QuestionClosed))
            Persist(Ended(Closed))
          Recovered(Recovery { left: Sent(Answered) }) -> Ended(Answered)
            Record(OutcomeUnknown)
            Persist(Ended(Answered))
          Recovered(Recovery { left: Paused(Answered) }) -> Paused(Answered)
        Waiting(Call(Yes))
          Answered(yes) -> Answered { answer: yes, durable: Yes }
            Record(Answered(yes))
            Persist(Answered(yes))
            Withdraw
            Resolve(Answered(yes))
          Superseded(ByPermission) -> Allowed
            Record(Superseded(SettledByPermission))
            Withdraw
            Resolve(Allowed)
          Superseded(ByRefusal(Blocked)) -> Refused(Refused)
            Record(Superseded(Refused))
            Withdraw
            Resolve(Refused(Blocked))
          Superseded(ByServerGone) -> Refused(ServerGone)
            Record(Superseded(ServerGone))
            Withdraw
            Resolve(Refused(ChangedWhileAsking))
          Lapsed -> Refused(Lapsed)
            Withdraw
            Resolve(Refused(NobodyAnswered))
          Closed -> Refused(Closed)
            Withdraw
            Resolve(Refused(QuestionClosed))
          Withdrawn -> Refused(Withdrawn)
            Withdraw
            Resolve(Refused(Cancelled))
          HostEnds -> LeftToNextRun
            Withdraw
            Resolve(LeftToNextRun)
          Failed -> Refused(Closed)
            Withdraw
            Resolve(Refused(NoTrace))
        Waiting(Call(No))
          Answered(yes) -> Answered { answer: yes, durable: No }
            Record(Answered(yes))
            Persist(Answered(yes))
            Withdraw
            Resolve(Answered(yes))
          Superseded(ByPermission) -> Allowed
            Record(Superseded(SettledByPermission))
            Withdraw
            Resolve(Allowed)
          Superseded(ByRefusal(Blocked)) -> Refused(Refused)
            Record(Superseded(Refused))
            Withdraw
            Resolve(Refused(Blocked))
          Superseded(ByServerGone) -> Refused(ServerGone)
            Record(Superseded(ServerGone))
            Withdraw
            Resolve(Refused(ChangedWhileAsking))
          Lapsed -> Refused(Lapsed)
            Withdraw
            Resolve(Refused(NobodyAnswered))
          Closed -> Refused(Closed)
            Withdraw
            Resolve(Refused(QuestionClosed))
          Withdrawn -> Refused(Withdrawn)
            Withdraw
            Resolve(Refused(Cancelled))
          HostEnds -> Refused(Withdrawn)
            Withdraw
            Resolve(Refused(Cancelled))
          Failed -> Refused(Closed)
            Withdraw
            Resolve(Refused(NoTrace))
        Waiting(Other)
          Answered(yes) -> Given
            Record(Answered(yes))
            Persist(Ended(Answered))
            Withdraw
            Resolve(Answered(yes))
          Lapsed -> Ended(Lapsed)
            Persist(Ended(Lapsed))
            Withdraw
            Resolve(Refused(NobodyAnswered))
          Closed -> Ended(Closed)
            Persist(Ended(Closed))
            Withdraw
            Resolve(Refused(QuestionClosed))
          Withdrawn -> Ended(Withdrawn)
            Persist(Ended(Withdrawn))
            Withdraw
            Resolve(Refused(Cancelled))
          HostEnds -> Ended(Withdrawn)
            Persist(Ended(Withdrawn))
            Withdraw
            Resolve(Refused(Cancelled))
          Failed -> Ended(Closed)
            Persist(Ended(Closed))
            Withdraw
            Resolve(Refused(NoTrace))
        Answered { answer: yes, durable: Yes }
          HostEnds -> LeftToNextRun
            Resolve(LeftToNextRun)
          Sends -> Sent(Answered)
            Persist(Sent(Answered))
          Settled -> Ended(Answered)
            Persist(Ended(Answered))
          Failed -> Waiting(Call(Yes))
        Answered { answer: yes, durable: No }
          Sends -> Sent(Answered)
            Persist(Sent(Answered))
          Settled -> Ended(Answered)
            Persist(Ended(Answered))
          Failed -> Waiting(Call(No))
        Given
          Failed -> Waiting(Other)
        Allowed
          Sends -> Sent(SettledByPermission)
            Persist(Sent(SettledByPermission))
          Settled -> Ended(SettledByPermission)
            Persist(Ended(SettledByPermission))
        Refused(Lapsed)
          Settled -> Ended(Lapsed)
            Persist(Ended(Lapsed))
        Sent(Answered)
          Pauses -> Sent(Answered)
            Persist(Paused(Answered))
          Paused -> Paused(Answered)
          Settled -> Ended(Answered)
            Persist(Ended(Answered))
        SentUnasked
          Pauses -> SentUnasked
            Persist(Paused(SettledByPermission))
          Paused -> Paused(SettledByPermission)
          Settled -> Ended(SettledByPermission)
        Paused(Answered)
          HostEnds -> LeftToNextRun
          Sends -> Sent(Answered)
            Persist(Sent(Answered))
          Settled -> Ended(Answered)
            Persist(Ended(Answered))
        LeftToNextRun
        Ended(Answered)
    "#]].assert_eq(&table);
}

#[test]
fn ends_are_written_as_they_always_were() {
    for end in [
        End::Answered,
        End::Lapsed,
        End::Closed,
        End::Withdrawn,
        End::Refused,
        End::ServerGone,
        End::SettledByPermission,
    ] {
        assert_eq!(
            serde_json::to_value(end).unwrap(),
            serde_json::json!(end.word())
        );
    }
}

#[test]
fn a_question_is_brought_up_for_a_day_and_an_answer_is_carried_out_unasked_for_ten_minutes() {
    let minute = Duration::from_secs(60);
    let after = |left: Left, later: Duration| {
        let mut waiting = Waiting::default();
        waiting
            .on(Event::Recovered(Recovery {
                left,
                asked_at: NOW,
                in_the_log: false,
                carries_out: true,
                question_time: QuestionTime::default(),
                now: NOW.plus(later),
            }))
            .unwrap()
    };
    let answered = || Left::Answered {
        answer: yes(),
        at: NOW,
    };
    let shown = |until| Effect::Show(Some(NOW.plus(until)));
    assert_eq!(after(Left::Waiting, 60 * minute), [shown(70 * minute)]);
    assert_eq!(
        after(Left::Waiting, 24 * 60 * minute - minute),
        [shown(24 * 60 * minute)]
    );
    assert_eq!(
        after(Left::Waiting, 24 * 60 * minute)[0],
        Effect::Record(Record::Refused(Refusal::NobodyAnswered))
    );
    assert_eq!(
        after(answered(), 9 * minute),
        [Effect::Resolve(Resolution::Answered(yes()))]
    );
    assert_eq!(
        after(answered(), 10 * minute),
        [Effect::Persist(Step::WaitingAgain), shown(20 * minute)]
    );
}

#[test]
fn what_the_log_knows_is_over_whatever_the_row_says() {
    let lefts = [
        Left::Waiting,
        Left::Answered {
            answer: yes(),
            at: NOW,
        },
        Left::Unreadable,
        Left::Sent(End::Answered),
        Left::Paused(End::Answered),
    ];
    for left in lefts {
        let mut waiting = Waiting::default();
        let effects = waiting.on(Event::Recovered(Recovery {
            left,
            asked_at: NOW,
            in_the_log: true,
            carries_out: true,
            question_time: QuestionTime::default(),
            now: NOW,
        }));
        let effects = effects.unwrap();
        assert!(
            matches!(effects[..], [Effect::Persist(Step::Ended(_))]),
            "{effects:?}"
        );
    }
}

proptest! {
    /// Whatever happens in whatever order.
    #[test]
    fn one_answer_counts_and_one_call_is_sent(picked in prop::collection::vec(0..events().len(), 0..40)) {
        let all = events();
        let mut waiting = Waiting::default();
        let (mut answers, mut sent, mut paused, mut resolved, mut over) = (0, 0, 0, 0, false);
        let mut failed = 0;
        for index in picked {
            let before = waiting.stage().clone();
            let Some(effects) = waiting.on(all[index].clone()) else {
                prop_assert_eq!(waiting.stage(), &before, "what does not fit changes nothing");
                continue;
            };
            prop_assert!(!over, "{:?} after the end", all[index]);
            for effect in effects {
                match effect {
                    Effect::Record(Record::Answered(_)) => answers += 1,
                    Effect::Persist(Step::Sent(_)) => sent += 1,
                    Effect::Resolve(Resolution::Refused(_)) => {
                        prop_assert_eq!(sent, 0);
                        resolved += 1;
                    }
                    Effect::Resolve(_) => resolved += 1,
                    _ => {}
                }
            }
            // An answer that could not be written is none: the question waits on.
            if matches!(all[index], Event::Failed) && matches!(waiting.stage(), Stage::Waiting(_)) {
                answers = 0;
                failed += 1;
            }
            paused += usize::from(!matches!(before, Stage::Paused(_)) && waiting.is_paused());
            over = matches!(waiting.stage(), Stage::Ended(_));
        }
        // Each time its server wants input it goes on once more.
        prop_assert!(answers <= 1 && sent <= 1 + paused, "{answers} answers, {sent} sent");
        // Told once; and once more each time an answer could not be written down, or if the
        // application ends before it was carried out.
        prop_assert!(resolved <= 2 + failed, "{resolved}");
    }
}
