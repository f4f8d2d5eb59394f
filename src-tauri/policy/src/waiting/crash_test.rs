//! The application is killed, or the power goes, after every single write of the life of a call.
//! No decision that was acknowledged is lost, nothing is done twice, and what may have been done
//! is never said not to have been.

use super::*;
use crate::QuestionTime;
use std::ops::Range;

const NOW: Timestamp = Timestamp(1_795_000_000_000);

/// What is left of a call in the table.
#[derive(Debug, Clone, PartialEq)]
enum Row {
    Waiting,
    Answered(Box<Decision>),
    Sent(End),
    Paused(End),
    Ended,
}

/// What the log says about a call.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    About(Record),
    Opened,
    Closed,
    Refused,
}

/// What happens to the question.
#[derive(Debug, Clone, PartialEq)]
enum Story {
    Answered(Decision),
    Changes(Superseded),
    Lapses,
    Closes,
    IsWithdrawn,
}

/// A write does not come about.
#[derive(Debug, PartialEq)]
enum Crash {
    /// And nothing after it.
    Crashed,
    /// There was no room for it.
    Full,
}

/// The disk, the server, and how long the computer runs.
#[derive(Debug)]
struct World {
    row: Option<Row>,
    log: Vec<Line>,
    /// How many lines of the log a loss of power leaves.
    synced: usize,
    /// Its server wants input before it goes on.
    wants_input: bool,
    /// How often the call has reached its server.
    begun: u32,
    /// How often the server has done what it was asked for.
    done: u32,
    /// A person was told that this answer counts.
    acknowledged: Option<Decision>,
    /// Writes until it crashes.
    left: u32,
    /// Which writes find no room, the next one being number 0.
    full: Range<u32>,
}

impl World {
    fn write(&mut self) -> Result<(), Crash> {
        self.left = self.left.checked_sub(1).ok_or(Crash::Crashed)?;
        let is_full = self.full.start == 0 && self.full.end > 0;
        self.full.start = self.full.start.saturating_sub(1);
        self.full.end = self.full.end.saturating_sub(1);
        if is_full { Err(Crash::Full) } else { Ok(()) }
    }

    fn line(&mut self, line: Line, synced: bool) -> Result<(), Crash> {
        self.write()?;
        self.log.push(line);
        if synced {
            self.synced = self.log.len();
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), Crash> {
        self.write()?;
        let (before, after) = (
            self.row.clone(),
            match step {
                Step::Waiting | Step::WaitingAgain => Row::Waiting,
                Step::Answered(answer) => Row::Answered(answer),
                Step::Sent(end) => Row::Sent(end),
                Step::Paused(end) => Row::Paused(end),
                Step::Ended(_) => Row::Ended,
            },
        );
        assert_ne!(before, Some(Row::Ended), "nothing comes after the end");
        assert!(
            !matches!(before, Some(Row::Sent(_))) || matches!(after, Row::Ended | Row::Paused(_)),
            "{before:?} -> {after:?}"
        );
        self.row = Some(after);
        Ok(())
    }

    /// Does what is to be done, and returns what whoever waits was told.
    fn perform(&mut self, effects: Vec<Effect>) -> Result<Option<Resolution>, Crash> {
        let mut told = None;
        for effect in effects {
            match effect {
                Effect::Persist(step) => {
                    if let Step::Answered(answer) = &step {
                        let answer = Decision::clone(answer);
                        self.step(step)?;
                        self.acknowledged = Some(answer);
                    } else {
                        self.step(step)?;
                    }
                }
                Effect::Record(record) => {
                    let synced = !matches!(record, Record::Asked | Record::Superseded(_));
                    self.line(Line::About(record), synced)?;
                }
                Effect::Resolve(resolution) => told = Some(resolution),
                Effect::Show(_) | Effect::Withdraw => {}
            }
        }
        Ok(told)
    }

    fn knows_the_call(&self) -> bool {
        let paused = matches!(self.row, Some(Row::Paused(_)));
        self.log.iter().any(|line| match line {
            Line::About(Record::Asked | Record::Answered(_) | Record::Superseded(_)) => false,
            Line::Opened => !paused,
            _ => true,
        })
    }

    /// The server wants input, gets it, and does what it was asked for.
    fn go_on(&mut self, waiting: &mut Waiting) -> Result<(), Crash> {
        let effects = waiting.on(Event::Sends).unwrap();
        self.perform(effects)?;
        self.write()?;
        self.done += 1;
        self.line(Line::Closed, false)
    }

    /// One run of the application, as far as it gets.
    fn run(&mut self, story: &Story) -> Result<(), Crash> {
        let mut waiting = Waiting::default();
        let left = match &self.row {
            None => {
                // Whoever asked is gone with the run in which it was asked.
                if self.log.contains(&Line::Refused) {
                    return Ok(());
                }
                let effects = waiting.on(Event::Asked).unwrap();
                self.perform(effects)?;
                let written = Event::Written(Awaited::Call(Durable::Yes));
                let effects = waiting.on(written).unwrap();
                self.perform(effects)?;
                None
            }
            Some(Row::Ended) => return Ok(()),
            Some(Row::Waiting) => Some(Left::Waiting),
            Some(Row::Answered(answer)) => Some(Left::Answered {
                answer: answer.clone(),
                at: NOW,
            }),
            Some(Row::Sent(end)) => Some(Left::Sent(*end)),
            Some(Row::Paused(end)) => Some(Left::Paused(*end)),
        };
        let mut told = None;
        if let Some(left) = left {
            let recovery = Recovery {
                left,
                asked_at: NOW,
                in_the_log: self.knows_the_call(),
                carries_out: true,
                question_time: QuestionTime::default(),
                now: NOW,
            };
            let effects = waiting.on(Event::Recovered(recovery)).unwrap();
            told = self.perform(effects)?;
        }
        if waiting.is_paused() {
            self.go_on(&mut waiting)?;
            let effects = waiting.on(Event::Settled).unwrap();
            self.perform(effects)?;
            return Ok(());
        }
        if waiting.is_open() {
            let event = match story {
                Story::Answered(answer) => Event::Answered(Box::new(answer.clone())),
                Story::Changes(by) => Event::Superseded(by.clone()),
                Story::Lapses => Event::Lapsed,
                Story::Closes => Event::Closed,
                Story::IsWithdrawn => Event::Withdrawn,
            };
            let effects = waiting.on(event).unwrap();
            told = self.perform(effects)?;
        }
        let runs = match told {
            None => return Ok(()),
            Some(Resolution::Allowed) => true,
            Some(Resolution::Answered(answer)) => matches!(*answer, Decision::Allow { .. }),
            Some(Resolution::Refused(_) | Resolution::LeftToNextRun) => false,
        };
        if runs {
            let effects = waiting.on(Event::Sends).unwrap();
            self.perform(effects)?;
            self.line(Line::Opened, false)?;
            self.write()?;
            self.begun += 1;
            if self.wants_input {
                let effects = waiting.on(Event::Pauses).unwrap();
                self.perform(effects)?;
                let effects = waiting.on(Event::Paused).unwrap();
                self.perform(effects)?;
                self.go_on(&mut waiting)?;
            } else {
                self.done += 1;
                self.line(Line::Closed, false)?;
            }
        } else {
            self.line(Line::Refused, false)?;
        }
        let effects = waiting.on(Event::Settled).unwrap();
        self.perform(effects)?;
        Ok(())
    }

    /// What the log does when it is opened after a crash.
    fn crashes(&mut self, power: bool) {
        if power {
            self.log.truncate(self.synced);
        }
        let opened = self.log.contains(&Line::Opened);
        let paused = matches!(self.row, Some(Row::Paused(_)));
        if opened && !paused && !self.log.contains(&Line::Closed) && !self.unknown() {
            self.log.push(Line::About(Record::OutcomeUnknown));
        }
        self.synced = self.log.len();
    }

    fn unknown(&self) -> bool {
        self.log.contains(&Line::About(Record::OutcomeUnknown))
    }
}

fn stories() -> Vec<Story> {
    vec![
        Story::Answered(Decision::once()),
        Story::Answered(Decision::always()),
        Story::Answered(Decision::no(Some("not now"))),
        Story::Changes(Superseded::ByPermission),
        Story::Changes(Superseded::ByRefusal(Refusal::Blocked)),
        Story::Changes(Superseded::ByServerGone),
        Story::Lapses,
        Story::Closes,
        Story::IsWithdrawn,
    ]
}

/// So many writes a life has at most.
const WRITES: u32 = 15;

#[test]
fn after_a_crash_at_any_write_no_decision_is_lost_and_nothing_is_done_twice() {
    let (mut tried, mut unknown) = (0, 0);
    for story in stories() {
        // It may crash again while it recovers, and the person may say something else the next time.
        for other in stories() {
            for (first, second) in (0..WRITES).flat_map(|a| (0..WRITES).map(move |b| (a, b))) {
                for (power, wants_input) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    let mut world = World {
                        row: None,
                        log: Vec::new(),
                        synced: 0,
                        wants_input,
                        begun: 0,
                        done: 0,
                        acknowledged: None,
                        left: first,
                        full: 0..0,
                    };
                    let told = format!(
                        "{story:?} {first}, {other:?} {second}, power {power}, input {wants_input}"
                    );
                    let crashed = world.run(&story).is_err();
                    if crashed && world.row.is_none() {
                        continue;
                    }
                    if crashed {
                        world.crashes(power);
                        world.left = second;
                        if world.run(&other).is_err() {
                            world.crashes(power);
                            world.left = u32::MAX;
                            world.run(&other).unwrap();
                        }
                    }
                    tried += 1;
                    unknown += u32::from(world.unknown());
                    assert!(world.begun <= 1, "begun twice: {told}\n{world:#?}");
                    assert!(world.done <= 1, "done twice: {told}\n{world:#?}");
                    assert_eq!(world.row, Some(Row::Ended), "{told}\n{world:#?}");
                    match &world.acknowledged {
                        Some(Decision::Allow { .. }) => assert!(
                            world.done == 1 || world.unknown(),
                            "a yes was lost: {told}\n{world:#?}"
                        ),
                        Some(_) => assert_eq!(world.done, 0, "a no was lost: {told}\n{world:#?}"),
                        None => {}
                    }
                    // What was done, or may have been, is never said to have been refused.
                    if world.done == 1 {
                        assert!(
                            world.unknown() || world.log.contains(&Line::Closed),
                            "{told}\n{world:#?}"
                        );
                        assert!(!world.log.contains(&Line::Refused), "{told}\n{world:#?}");
                    }
                }
            }
        }
    }
    assert!(tried > 20_000 && unknown > 100, "{tried} {unknown}");
}

impl World {
    /// As whoever drives the life of a question does where the disk may be full: what could not be
    /// written has no effect, the person is told, and says it again when there is room. What is
    /// over is written before anything else begins.
    fn run_full(&mut self) -> Option<()> {
        let mut waiting = Waiting::default();
        let asked = waiting.on(Event::Asked)?;
        if self.perform(asked).is_err() {
            // Nobody was asked, and nothing is left of it.
            return None;
        }
        let shown = waiting.on(Event::Written(Awaited::Call(Durable::Yes)))?;
        let told = match self.perform(shown) {
            Ok(_) => self.answered(&mut waiting),
            Err(_) => waiting.on(Event::Failed).map(|_| ()).and(None),
        };
        if let Some(Resolution::Answered(_)) = told {
            let sends = waiting.on(Event::Sends)?;
            if self.perform(sends).is_ok() && self.line(Line::Opened, false).is_ok() {
                self.begun += 1;
                self.done += 1;
                self.late(|world| world.line(Line::Closed, false));
            } else {
                self.late(|world| world.line(Line::Refused, false));
            }
        } else {
            self.late(|world| world.line(Line::Refused, false));
        }
        for effect in waiting.on(Event::Settled)? {
            self.late(|world| world.perform(vec![effect.clone()]).map(|_| ()));
        }
        Some(())
    }

    /// A person answers until they are told that it counts.
    fn answered(&mut self, waiting: &mut Waiting) -> Option<Resolution> {
        loop {
            let answer = Box::new(Decision::once());
            let effects = waiting.on(Event::Answered(answer))?;
            match self.perform(effects) {
                Ok(told) => return told,
                Err(_) => {
                    waiting.on(Event::Failed)?;
                    assert!(waiting.is_open(), "the question has gone");
                }
            }
        }
    }

    /// Writes something as soon as there is room.
    fn late(&mut self, mut write: impl FnMut(&mut Self) -> Result<(), Crash>) {
        while write(self).is_err() {}
    }
}

#[test]
fn on_a_disk_that_is_full_at_any_writes_no_answer_is_lost_and_nothing_is_done_twice() {
    for (from, to) in (0..WRITES).flat_map(|from| (from..2 * WRITES).map(move |to| (from, to))) {
        let mut world = World {
            row: None,
            log: Vec::new(),
            synced: 0,
            wants_input: false,
            begun: 0,
            done: 0,
            acknowledged: None,
            left: u32::MAX,
            full: from..to,
        };
        let over = world.run_full();
        let told = format!("full from {from} to {to}\n{world:#?}");
        assert_eq!(over.is_some(), world.row.is_some(), "{told}");
        assert!(over.is_none() || world.row == Some(Row::Ended), "{told}");
        assert!(world.done <= 1, "{told}");
        let refused = world.log.contains(&Line::Refused);
        assert_eq!(over.is_some(), refused != (world.done == 1), "{told}");
        if world.acknowledged.is_some() {
            let answered = Line::About(Record::Answered(Box::new(Decision::once())));
            assert!(world.log.contains(&answered), "{told}");
        }
        // The next run finds nothing to do.
        let before = (world.log.len(), world.done);
        if over.is_some() {
            world.run(&Story::Answered(Decision::once())).unwrap();
            assert_eq!(before, (world.log.len(), world.done), "{told}");
        }
    }
}
