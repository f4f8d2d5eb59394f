//! After a failed sync nobody is told that anything is on the disk.

use super::append::Log;
use super::chain::Chain;
use super::disk::{Disk, Segment};
use super::recover::Tail;
use super::sync_thread;
use crate::testing::noted;
use crate::{Event, StoreError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

/// A disk of which one sync fails, and that says of all later ones that they did not: so some
/// systems do.
#[derive(Clone, Default)]
struct Forgetful {
    length: Arc<AtomicU64>,
    has_failed: Arc<AtomicBool>,
}

impl Disk for Forgetful {
    fn open(&self, _: &Path, _: bool, _: u64) -> io::Result<Arc<dyn Segment>> {
        Ok(Arc::new(self.clone()))
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl Segment for Forgetful {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.length.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        Ok(bytes.len())
    }
    fn cut(&self, _: u64) -> io::Result<()> {
        Ok(())
    }
    fn found(&self, _: &dyn Fn() -> PathBuf) -> io::Result<(u64, bool)> {
        Ok((self.length.load(Ordering::SeqCst), false))
    }
    fn sync(&self) -> io::Result<()> {
        if self.has_failed.swap(true, Ordering::SeqCst) {
            Ok(())
        } else {
            Err(io::Error::other("the disk is gone"))
        }
    }
}

fn log() -> Log {
    let tail = Tail {
        chain: Chain::start(),
        segment: 1,
        length: 0,
        torn: None,
        broken: None,
        began_at: None,
        last_at: None,
        keyed: None,
    };
    Log::open_on(
        Arc::new(Forgetful::default()),
        10_000,
        Path::new("nowhere"),
        &tail,
    )
    .unwrap()
}

/// What somebody is told who waits for all up to now to be on the disk, and whether a head may be
/// noted.
fn synced(log: &Log) -> (Result<(), StoreError>, bool) {
    let (tell, told) = mpsc::channel();
    log.wait_for_sync(Box::new(move |outcome| tell.send(outcome).unwrap()))
        .unwrap();
    let chain = sync_thread::sync(log, log.state().unwrap());
    (told.recv().unwrap(), chain.is_some())
}

#[test]
fn a_sync_that_goes_well_after_one_that_failed_acknowledges_nothing() {
    for is_closed in [false, true] {
        let log = log();
        log.append(&noted(Event::HostStopped)).unwrap();
        if is_closed {
            log.refuse().unwrap();
        }
        for _ in 0..3 {
            let (told, may_be_noted) = synced(&log);
            assert!(
                matches!(told, Err(StoreError::LogNotWritable { .. })),
                "{told:?}"
            );
            assert!(!may_be_noted);
            assert_eq!(log.state().unwrap().synced, 0);
        }
        let refused = log.append(&noted(Event::HostStopped));
        assert!(
            matches!(refused, Err(StoreError::LogNotWritable { .. })),
            "{refused:?}"
        );
        assert!(
            log.state().unwrap().is_idle(),
            "the keeper has nothing to do any more"
        );
    }
}
