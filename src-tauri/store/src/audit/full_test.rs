//! The disk fills at every byte of what is written, and then there is room again.

use super::anchor::Heads;
use super::append::Log;
use super::disk::{Disk, Segment};
use super::signer::{self, Begun, Keys};
use super::verify::check;
use super::{export, recover, sync_thread};
use crate::StoreError;
use crate::testing::{Drawer, opened};
use crate::vault::Keyring;
use api::{ExportFormat, LogReport};
use protocol::CallId;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A segment is full with so many bytes, so that a short story fills some.
const FULL: u64 = 3_000;
/// After so many records there is room again.
const ROOM_AGAIN: usize = 12;

/// A disk that takes so many bytes more. A file that is made takes one.
#[derive(Clone)]
struct Small(Arc<Mutex<u64>>);

impl Small {
    fn take(&self, bytes: u64) -> io::Result<u64> {
        let mut room = self.0.lock().unwrap();
        let taken = bytes.min(*room);
        *room -= taken;
        if taken == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(taken)
    }

    fn leave(&self, bytes: u64) {
        *self.0.lock().unwrap() = bytes;
    }
}

struct SmallFile {
    disk: Small,
    file: File,
}

impl Disk for Small {
    fn open(&self, path: &Path, new: bool, _: u64) -> io::Result<Arc<dyn Segment>> {
        self.take(1)?;
        let mut options = OpenOptions::new();
        let file = options
            .append(true)
            .create(true)
            .create_new(new)
            .open(path)?;
        let disk = self.clone();
        Ok(Arc::new(SmallFile { disk, file }))
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl Segment for SmallFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.disk.take(bytes.len() as u64)? as usize;
        (&self.file).write_all(&bytes[..taken])?;
        Ok(taken)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        let freed = self.file.metadata()?.len() - length;
        let mut room = self.disk.0.lock().unwrap();
        *room = room.saturating_add(freed);
        self.file.set_len(length)
    }

    fn found(&self, _: &dyn Fn() -> PathBuf) -> io::Result<(u64, bool)> {
        Ok((self.file.metadata()?.len(), false))
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Lets the disk fill after `room` bytes, makes room again, and looks. How many records were
/// refused.
fn filled_after(room: u64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (drawer, disk) = (Drawer::default(), Small(Arc::new(Mutex::new(u64::MAX))));
    let none = Heads {
        keyring: None,
        database: None,
    };
    let tail = recover::recover(folder.path(), &none).unwrap();
    let keyring = || Keyring::over(drawer.clone(), folder.path()).unwrap();
    let keys = Keys::new(keyring());
    let Begun {
        signer, introduced, ..
    } = keys.signer(tail.keyed, tail.chain.seq(), true).unwrap();
    let log = Arc::new(Log::open_on(Arc::new(disk.clone()), FULL, folder.path(), &tail).unwrap());
    let introduced = introduced.map(|event| log.append(&crate::testing::noted(event)).unwrap());
    Keys::begin(&log, signer, introduced).unwrap();
    disk.leave(room);

    let (mut told, mut refused) = (Vec::new(), 0);
    for number in 0..2 * ROOM_AGAIN {
        let is_full = number < ROOM_AGAIN;
        if number == ROOM_AGAIN {
            disk.leave(u64::MAX);
        }
        let call = CallId::from(format!("call-{number}"));
        match log.append(&opened(&call, json!({"text": "x".repeat(40)}))) {
            Ok(seq) => told.push((seq, call)),
            Err(StoreError::DiskFull { .. }) if is_full => refused += 1,
            Err(error) => panic!("record {number} with room for {room} bytes: {error}"),
        }
        sync_thread::sync(&log, log.state().unwrap());
        keys.renew_now(&log);
        if number % 4 == 3 {
            match log.seal() {
                Ok(_) => {}
                Err(StoreError::DiskFull { .. }) if is_full => {}
                Err(error) => panic!("seal {number} with room for {room} bytes: {error}"),
            }
        }
    }
    log.refuse().unwrap();

    let held = signer::held(&keyring());
    let report = check(folder.path(), &none, held.as_deref()).unwrap();
    assert!(
        matches!(
            report,
            LogReport::Intact {
                signed: Some(_),
                ..
            }
        ),
        "room for {room} bytes: {report:?}"
    );
    let text = export::export(folder.path(), ExportFormat::Jsonl, None)
        .unwrap()
        .text;
    let records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (seq, call) in &told {
        let found = &records[*seq as usize - 1];
        assert_eq!(found["call"], json!(call), "room for {room} bytes: {seq}");
    }
    let calls = records
        .iter()
        .filter(|record| record["event"] == "call_opened");
    assert_eq!(calls.count(), told.len(), "room for {room} bytes");
    refused
}

#[test]
fn a_disk_that_fills_at_any_byte_takes_whole_records_only_and_goes_on_when_there_is_room() {
    let mut room = 0;
    loop {
        let refused = filled_after(room);
        assert!(room > 0 || refused == ROOM_AGAIN);
        if refused == 0 {
            break;
        }
        room += 61;
    }
    assert!(room > FULL, "it was not filled in a second segment: {room}");
}
