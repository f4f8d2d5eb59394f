//! The system's keyring, behind a thread of its own.
//!
//! Always true here: nobody waits longer than they said they would, even while the system shows a
//! prompt that nobody answers; and what was given up on before it began is not done later.

use crate::StoreError;
use protocol::Secret;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The name under which all entries stand in the keyring.
const SERVICE: &str = "majordomo";

/// Which keyring to use.
#[derive(Debug, Clone)]
pub enum KeyringChoice {
    /// The system's.
    System,
    /// None, for this reason.
    Absent(String),
}

/// Why the keyring did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RingError {
    /// There is none.
    Missing(String),
    /// It refused, failed or did not answer in time.
    Failed(String),
}

/// What a keyring can do. Its calls may block for as long as a person looks at a prompt.
pub(crate) trait Ring: Send {
    fn get(&mut self, account: &str) -> Result<Option<Secret>, RingError>;
    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError>;
    fn remove(&mut self, account: &str) -> Result<(), RingError>;
}

/// A handle on the entries of one data folder; cheap to clone.
#[derive(Clone)]
pub(crate) struct Keyring {
    jobs: mpsc::Sender<Job>,
    /// Stands before the name of each entry, so that two data folders have different ones.
    prefix: Arc<str>,
}

type Job = Box<dyn FnOnce(&mut dyn Ring) + Send>;

impl Keyring {
    /// The entries of the data folder `dir` in the chosen keyring.
    pub(crate) fn new(choice: KeyringChoice, dir: &Path) -> Result<Self, StoreError> {
        match choice {
            KeyringChoice::System => Self::over(System, dir),
            KeyringChoice::Absent(reason) => Self::over(Absent(reason), dir),
        }
    }

    /// The entries of the data folder `dir` in `ring`.
    pub(crate) fn over(mut ring: impl Ring + 'static, dir: &Path) -> Result<Self, StoreError> {
        let (jobs, work) = mpsc::channel::<Job>();
        let thread = std::thread::Builder::new().name("store-keyring".into());
        thread
            .spawn(move || {
                for job in work {
                    job(&mut ring);
                }
            })
            .map_err(StoreError::Folder)?;
        Ok(Self {
            jobs,
            prefix: prefix(dir).into(),
        })
    }

    /// Reads an entry; blocks at most for `patience`.
    pub(crate) fn get(&self, name: &str, patience: Duration) -> Result<Option<Secret>, RingError> {
        self.ask(name, patience, |ring, account| ring.get(account))
    }

    /// Writes an entry; blocks at most for `patience`.
    pub(crate) fn set(
        &self,
        name: &str,
        value: Secret,
        patience: Duration,
    ) -> Result<(), RingError> {
        self.ask(name, patience, move |ring, account| {
            ring.set(account, &value)
        })
    }

    /// As [`Keyring::get`], for async code.
    pub(crate) async fn get_async(
        &self,
        name: &str,
        patience: Duration,
    ) -> Result<Option<Secret>, RingError> {
        let (keyring, name) = (self.clone(), name.to_owned());
        off_the_runtime(move || keyring.get(&name, patience)).await
    }

    /// As [`Keyring::set`], for async code.
    pub(crate) async fn set_async(
        &self,
        name: &str,
        value: Secret,
        patience: Duration,
    ) -> Result<(), RingError> {
        let (keyring, name) = (self.clone(), name.to_owned());
        off_the_runtime(move || keyring.set(&name, value, patience)).await
    }

    /// Removes an entry; removing what is not there is done already.
    pub(crate) async fn remove_async(
        &self,
        name: &str,
        patience: Duration,
    ) -> Result<(), RingError> {
        let (keyring, name) = (self.clone(), name.to_owned());
        off_the_runtime(move || keyring.ask(&name, patience, |ring, account| ring.remove(account)))
            .await
    }

    /// Writes an entry some time soon and tells `done` whether it worked.
    pub(crate) fn set_later(
        &self,
        name: &str,
        value: Secret,
        done: impl FnOnce(Result<(), RingError>) + Send + 'static,
    ) {
        let account = self.account(name);
        // If the thread is gone the host is ending, and nobody listens to `done`.
        let _ = self
            .jobs
            .send(Box::new(move |ring| done(ring.set(&account, &value))));
    }

    /// Removes an entry some time soon, after all that was asked for before.
    pub(crate) fn remove_later(&self, name: &str) {
        let account = self.account(name);
        let _ = self.jobs.send(Box::new(move |ring| {
            if let Err(error) = ring.remove(&account) {
                tracing::warn!(
                    ?error,
                    "an entry that is not needed could not be taken from the keyring"
                );
            }
        }));
    }

    #[cfg(test)]
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    fn account(&self, name: &str) -> String {
        format!("{}/{name}", self.prefix)
    }

    fn ask<T: Send + 'static>(
        &self,
        name: &str,
        patience: Duration,
        work: impl FnOnce(&mut dyn Ring, &str) -> Result<T, RingError> + Send + 'static,
    ) -> Result<T, RingError> {
        let account = self.account(name);
        let given_up = Arc::new(AtomicBool::new(false));
        let (answer, answered) = mpsc::sync_channel(1);
        let job = {
            let given_up = Arc::clone(&given_up);
            move |ring: &mut dyn Ring| {
                if !given_up.load(Ordering::SeqCst) {
                    let _ = answer.send(work(ring, &account));
                }
            }
        };
        self.jobs
            .send(Box::new(job))
            .map_err(|_| RingError::Failed("its thread has ended".to_owned()))?;
        answered.recv_timeout(patience).unwrap_or_else(|_| {
            given_up.store(true, Ordering::SeqCst);
            Err(RingError::Failed(format!(
                "it did not answer within {} seconds",
                patience.as_secs()
            )))
        })
    }
}

impl From<RingError> for StoreError {
    fn from(error: RingError) -> Self {
        match error {
            RingError::Missing(reason) => Self::KeyringMissing { reason },
            RingError::Failed(reason) => Self::KeyringFailed { reason },
        }
    }
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RingError> + Send + 'static,
) -> Result<T, RingError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(RingError::Failed(error.to_string())))
}

/// The first 16 hexadecimal digits of the hash of the folder's real path.
fn prefix(dir: &Path) -> String {
    let real = dir
        .canonicalize()
        .or_else(|_| std::path::absolute(dir))
        .unwrap_or_else(|_| dir.to_owned());
    let mut text = String::with_capacity(16);
    for byte in Sha256::digest(real.as_os_str().as_encoded_bytes())
        .iter()
        .take(8)
    {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

struct Absent(String);

impl Ring for Absent {
    fn get(&mut self, _: &str) -> Result<Option<Secret>, RingError> {
        Err(RingError::Missing(self.0.clone()))
    }
    fn set(&mut self, _: &str, _: &Secret) -> Result<(), RingError> {
        Err(RingError::Missing(self.0.clone()))
    }
    fn remove(&mut self, _: &str) -> Result<(), RingError> {
        Err(RingError::Missing(self.0.clone()))
    }
}

struct System;

impl Ring for System {
    fn get(&mut self, account: &str) -> Result<Option<Secret>, RingError> {
        match entry(account)?.get_password() {
            Ok(value) => Ok(Some(Secret::new(value))),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError> {
        entry(account)?
            .set_password(value.expose())
            .map_err(|error| failed(&error))
    }

    fn remove(&mut self, account: &str) -> Result<(), RingError> {
        match entry(account)?.delete_credential() {
            Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn entry(account: &str) -> Result<keyring::Entry, RingError> {
    if let Err(error) = keyring::Entry::store_status() {
        return Err(RingError::Missing(error.to_string()));
    }
    keyring::Entry::new(SERVICE, account).map_err(|error| failed(&error))
}

fn failed(error: &keyring::Error) -> RingError {
    // Some errors carry the value that was read. Their own text leaves it out; `Debug` would not.
    RingError::Failed(error.to_string())
}
