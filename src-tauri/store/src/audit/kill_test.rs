//! The power goes, at every step of writing. What was acknowledged is there afterwards, and the log
//! proves itself.

use super::anchor::{Head, Heads};
use super::append::Log;
use super::disk::{Disk, Segment};
use super::key::PublicKey;
use super::recover::{self, Tail};
use super::signer::{self, Begun, Keys};
use super::verify::check;
use super::{segments, sync_thread};
use crate::testing::{Drawer, closed, noted, opened};
use crate::vault::{Keyring, Ring, RingError};
use crate::{DecidedOffer, Entry, Event, StoreError};
use api::{ExportFormat, LogReport, Outcome};
use policy::pin::PinDecision;
use protocol::{CallId, FeatureKind, Fingerprint, Secret};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A segment is full with so many bytes, so that a short story fills some.
const FULL: u64 = 3_000;

/// How long the power lasts, and what would be on the disk if it went now.
#[derive(Default)]
struct Power {
    /// Steps until it goes: each byte that is written is one, and each other thing that is asked of
    /// a disk or a keyring.
    left: u64,
    /// Files by their paths, and how much of each is on the disk.
    synced: BTreeMap<PathBuf, u64>,
    /// Files whose names are on the disk.
    named: BTreeSet<PathBuf>,
    /// At what it went.
    gone_at: Option<&'static str>,
    /// All that was asked for, and how many steps each was.
    asked: Vec<(&'static str, u64)>,
}

#[derive(Clone)]
struct Shaky(Arc<Mutex<Power>>);

impl Shaky {
    /// Takes `steps`; how many of them the power lasted.
    fn take(&self, steps: u64, what: &'static str) -> u64 {
        let mut power = self.0.lock().unwrap();
        let taken = steps.min(power.left);
        power.left -= taken;
        power.asked.push((what, steps));
        if taken < steps {
            power.gone_at.get_or_insert(what);
        }
        taken
    }

    fn step(&self, what: &'static str) -> io::Result<()> {
        if self.take(1, what) == 1 {
            Ok(())
        } else {
            Err(io::Error::other("the power is gone"))
        }
    }

    /// What is left when the power is back: of each file what was on the disk, and some of the
    /// rest.
    fn settle(&self, lucky: bool) {
        let power = self.0.lock().unwrap();
        for (path, synced) in &power.synced {
            let length = std::fs::metadata(path).map_or(0, |file| file.len());
            let left = if lucky { length } else { *synced };
            if !lucky && !power.named.contains(path) {
                std::fs::remove_file(path).unwrap();
            } else {
                OpenOptions::new()
                    .write(true)
                    .open(path)
                    .unwrap()
                    .set_len(left.min(length))
                    .unwrap();
            }
        }
    }
}

struct ShakyFile {
    power: Shaky,
    path: PathBuf,
    file: File,
}

impl Disk for Shaky {
    fn open(&self, path: &Path, new: bool, length: u64) -> io::Result<Arc<dyn Segment>> {
        self.step("opening a segment")?;
        let mut options = OpenOptions::new();
        let file = options
            .append(true)
            .create(true)
            .create_new(new)
            .open(path)?;
        let there = file.metadata()?.len();
        assert_eq!(there, length, "the log goes on at the end of a file");
        self.0.lock().unwrap().synced.insert(path.to_owned(), there);
        Ok(Arc::new(ShakyFile {
            power: self.clone(),
            path: path.to_owned(),
            file,
        }))
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.step("syncing the folder")?;
        let mut power = self.0.lock().unwrap();
        power.named = power.synced.keys().cloned().collect();
        Ok(())
    }
}

impl Segment for ShakyFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let lasted = self.power.take(bytes.len() as u64, "writing a record") as usize;
        (&self.file).write_all(&bytes[..lasted])?;
        if lasted == bytes.len() {
            Ok(lasted)
        } else {
            Err(io::Error::other("the power is gone"))
        }
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.power.step("taking back half a record")?;
        self.file.set_len(length)
    }

    fn found(&self, _: &dyn Fn() -> PathBuf) -> io::Result<(u64, bool)> {
        Ok((self.file.metadata()?.len(), false))
    }

    fn sync(&self) -> io::Result<()> {
        self.power.step("syncing a segment")?;
        let length = self.file.metadata()?.len();
        self.power
            .0
            .lock()
            .unwrap()
            .synced
            .insert(self.path.clone(), length);
        Ok(())
    }
}

/// A keyring that answers as long as there is power, and keeps what it was given.
struct ShakyRing(Shaky, Drawer);

impl Ring for ShakyRing {
    fn get(&mut self, account: &str) -> Result<Option<Secret>, RingError> {
        self.0
            .step("reading the keyring")
            .map_err(|error| RingError::Failed(error.to_string()))?;
        self.1.get(account)
    }
    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError> {
        self.0
            .step("writing to the keyring")
            .map_err(|error| RingError::Failed(error.to_string()))?;
        self.1.set(account, value)
    }
    fn remove(&mut self, account: &str) -> Result<(), RingError> {
        self.1.remove(account)
    }
}

/// What a person was told is safe, and the head that was noted of it.
#[derive(Default)]
struct Told {
    decisions: Vec<u64>,
    head: Option<Head>,
}

/// One decision, or many that are one record.
fn decision(number: u64) -> Entry {
    let event = if number.is_multiple_of(2) {
        Event::ServerRemoved
    } else {
        Event::OffersDecided {
            decided: ["read", "write", "list"].map(approved).into(),
        }
    };
    Entry {
        call: Some(CallId::from(format!("call-{number}"))),
        ..noted(event)
    }
}

fn approved(name: &str) -> DecidedOffer {
    DecidedOffer {
        kind: FeatureKind::Tool,
        name: name.to_owned(),
        decision: PinDecision::Approve,
        fingerprint: Some(Fingerprint::of(&json!(name))),
    }
}

/// A run of the host in small: calls, decisions that are waited for, seals, full segments. Ends
/// where the power does.
fn story(folder: &Path, power: &Shaky, drawer: &Drawer, told: &mut Told) -> Result<(), StoreError> {
    let heads = Heads {
        keyring: told.head.clone(),
        database: None,
    };
    let tail: Tail = recover::recover(folder, &heads)?;
    let keyring = Keyring::over(ShakyRing(power.clone(), drawer.clone()), folder)?;
    let keys = Keys::new(keyring);
    let Begun {
        signer,
        introduced,
        lost,
    } = keys.signer(tail.keyed, tail.chain.seq(), true)?;
    assert!(!lost, "the key of the open section is gone");
    let log = Arc::new(Log::open_on(Arc::new(power.clone()), FULL, folder, &tail)?);
    if let Some(recover::Torn { bytes, sha256 }) = tail.torn {
        log.append(&noted(Event::TailRepaired { bytes, sha256 }))?;
    }
    let introduced = introduced
        .map(|event| log.append(&noted(event)))
        .transpose()?;
    Keys::begin(&log, signer, introduced)?;
    let mut sync = |log: &Arc<Log>| -> Result<(), StoreError> {
        let synced = sync_thread::sync(log, log.state()?);
        let chain = synced.ok_or(StoreError::Closed)?;
        told.head = Some(Head {
            seq: chain.seq(),
            hash: chain.hash().as_str().to_owned(),
            root: None,
            broken: None,
        });
        Ok(())
    };
    for round in 0..4 {
        let calls = [0, 1].map(|number| CallId::from(format!("call-{round}-{number}")));
        for call in &calls {
            log.append(&opened(call, json!({"text": "x".repeat(40)})))?;
        }
        log.append(&closed(&calls[0], Outcome::Done, None))?;
        let seq = log.append(&decision(round))?;
        log.append(&closed(&calls[1], Outcome::Failed, None))?;
        sync(&log)?;
        told.decisions.push(seq);
        keys.renew_now(&log);
        if round % 2 == 1 {
            log.seal()?;
        }
    }
    log.refuse()?;
    sync(&log)?;
    keys.renew_now(&log);
    Ok(())
}

/// Lets the power go after `steps`, brings it back, and looks. `None` if it lasted to the end of
/// both runs.
fn killed_after(steps: u64, lucky: bool) -> Option<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    let (drawer, mut told) = (Drawer::default(), Told::default());
    let power = Shaky(Arc::new(Mutex::new(Power {
        left: steps,
        ..Power::default()
    })));
    // The second run finds what the first one left, in order.
    let outcome = story(folder.path(), &power, &drawer, &mut told)
        .and_then(|()| story(folder.path(), &power, &drawer, &mut told));
    let gone_at = power.0.lock().unwrap().gone_at;
    assert!(outcome.is_ok() || gone_at.is_some(), "{outcome:?}");
    power.settle(lucky);

    let held = || signer::held(&Keyring::over(drawer.clone(), folder.path()).unwrap());
    if before_the_repair(folder.path(), &told, held().as_deref()) {
        panic!(
            "{gone_at:?} after {steps} steps the key of the open section is not where it is looked for"
        );
    }
    let before: u64 = left(folder.path());
    let back = Shaky(Arc::new(Mutex::new(Power {
        left: u64::MAX,
        ..Power::default()
    })));
    let decisions = told.decisions.clone();
    story(folder.path(), &back, &drawer, &mut told)
        .unwrap_or_else(|error| panic!("{gone_at:?} after {steps}: {error}"));
    let heads = Heads {
        keyring: told.head.clone(),
        database: None,
    };
    let report = check(folder.path(), &heads, held().as_deref()).unwrap();
    assert!(
        matches!(
            report,
            LogReport::Intact {
                signed: Some(_),
                ..
            }
        ),
        "{gone_at:?} after {steps} steps: {report:?}"
    );
    let text = super::export::export(folder.path(), ExportFormat::Jsonl, None)
        .unwrap()
        .text;
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for seq in decisions {
        // With the three records of calls that were written to the disk together with it, and the
        // one after it; the log may have ended a section meanwhile.
        let is_of_log = |record: &&serde_json::Value| record["event"] == "log_sealed";
        let (before, from) = records.split_at(seq as usize - 1);
        let before: Vec<_> = before.iter().rev().filter(|one| !is_of_log(one)).collect();
        let from: Vec<_> = from.iter().filter(|one| !is_of_log(one)).collect();
        let around = [before[2], before[1], before[0], from[0], from[1]];
        let events = around.map(|record| record["event"].as_str().unwrap_or_default());
        let is_whole = match events[3] {
            "offers_decided" => around[3]["decided"].as_array().map(Vec::len) == Some(3),
            other => other == "server_removed",
        };
        assert!(
            is_whole
                && events[..3] == ["call_opened", "call_opened", "call_closed"]
                && events[4] == "call_closed",
            "{gone_at:?} after {steps} steps lost decision {seq}, or calls beside it: {events:?}"
        );
    }
    let repaired = records
        .iter()
        .any(|record| record["event"] == "tail_repaired");
    assert_eq!(
        before > 0,
        repaired,
        "{gone_at:?} after {steps} steps: {before} bytes were no record"
    );
    gone_at
}

/// Whether the log, as the power has left it, seems to lack a key. Only its end may be in disorder.
fn before_the_repair(folder: &Path, told: &Told, held: Option<&[PublicKey]>) -> bool {
    let heads = Heads {
        keyring: told.head.clone(),
        database: None,
    };
    match check(folder, &heads, held).unwrap() {
        LogReport::Broken { problem, .. } => problem.contains("does not hold the key"),
        LogReport::Intact { .. } => false,
    }
}

/// Bytes at the end of the log that are no whole record.
fn left(folder: &Path) -> u64 {
    let Some(last) = segments::list(folder).unwrap().last().copied() else {
        return 0;
    };
    let bytes = segments::read(folder, last).unwrap();
    let end = segments::Lines::of(&bytes)
        .last()
        .map_or(0, |(start, line)| start + line.len());
    (bytes.len() - end) as u64
}

/// The steps after which the power is to go: before each thing that is asked for, and of each
/// record before every nineteenth byte and the last one.
fn points() -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    let (drawer, mut told) = (Drawer::default(), Told::default());
    let power = Shaky(Arc::new(Mutex::new(Power {
        left: u64::MAX,
        ..Power::default()
    })));
    for _ in 0..2 {
        story(folder.path(), &power, &drawer, &mut told).unwrap();
    }
    let (mut points, mut before) = (Vec::new(), 0);
    for (_, steps) in &power.0.lock().unwrap().asked {
        points.extend(
            (0..*steps)
                .filter(|step| step % 19 == 0 || step + 1 == *steps)
                .map(|step| before + step),
        );
        before += steps;
    }
    points
}

#[test]
fn wherever_the_power_goes_no_acknowledged_decision_is_lost() {
    let mut killed: BTreeMap<&str, u64> = BTreeMap::new();
    let points = points();
    for (number, steps) in points.iter().enumerate() {
        let gone_at = killed_after(*steps, number % 2 == 0).expect("the power lasted");
        *killed.entry(gone_at).or_default() += 1;
    }
    println!(
        "{} points at which the power went: {killed:?}",
        points.len()
    );
    assert!(points.len() >= 1_000, "{killed:?}");
    for what in [
        "opening a segment",
        "syncing the folder",
        "syncing a segment",
        "writing a record",
        "writing to the keyring",
        "reading the keyring",
    ] {
        assert!(
            killed.get(what).is_some_and(|count| *count > 0),
            "{what}: {killed:?}"
        );
    }
}

#[test]
fn every_byte_of_a_run_may_be_the_last() {
    for steps in 0..700 {
        for lucky in [true, false] {
            killed_after(steps, lucky);
        }
    }
}
