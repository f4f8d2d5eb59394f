//! A host that was started for applications makes way for a window: who asks for it opens the data
//! folder when the other has closed it.
//!
//! Always true here: no other host makes way, whoever asks.

use crate::Client;
use api::{ErrorCode, HostError};
use host::{Host, Options};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

/// Where it is asked for.
pub(crate) const PATH: &str = "/make-way";

/// How long the other may take to close the folder: its calls may end first.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(60);
/// How often is looked meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// Whether a host makes way, and whether it was asked to.
#[derive(Default)]
pub(crate) struct MakeWay {
    may: AtomicBool,
    asked: Notify,
}

impl MakeWay {
    /// From now on it does. Waits until somebody asks.
    pub(crate) async fn asked(&self) {
        self.may.store(true, Ordering::SeqCst);
        self.asked.notified().await;
    }

    /// Asks for it. False if this host does not make way.
    pub(crate) fn ask(&self) -> bool {
        let may = self.may.load(Ordering::SeqCst);
        if may {
            self.asked.notify_one();
        }
        may
    }
}

/// Opens a host. One that was started for applications makes way for it.
///
/// Fails as [`Host::open`] does; with `already_running` if another host has the data folder open
/// that does not make way.
pub async fn open_in_place(options: Options) -> Result<Host, HostError> {
    let end = Instant::now() + CLOSE_TIMEOUT;
    loop {
        let taken = match Host::open(options.clone()).await {
            Err(error) if error.code == ErrorCode::AlreadyRunning => error,
            opened => return opened,
        };
        // One that is beginning or ending cannot be asked, and is looked for again.
        let stays = match Client::find(&options.data_dir).await? {
            Some(other) => !other.ask_to_make_way().await.unwrap_or(true),
            None => false,
        };
        if stays || Instant::now() >= end {
            return Err(taken);
        }
        sleep(LOOK).await;
    }
}
