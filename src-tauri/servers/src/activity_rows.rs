//! Which records have made or changed a row of the activity that nobody was told of yet.
//!
//! Always true here:
//! - whoever writes a record waits for nobody;
//! - records that are made soon after each other are told of together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// So long after a record come those that are told of with it.
const TOGETHER: Duration = Duration::from_millis(50);

/// The records, by their numbers. A copy is the same list.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActivityRows(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    records: Mutex<Records>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Records {
    due: Vec<u64>,
    /// Nothing comes any more.
    ended: bool,
}

impl ActivityRows {
    /// One more record.
    pub fn add(&self, seq: u64) {
        let mut records = self.lock();
        let is_first = records.due.is_empty();
        records.due.push(seq);
        drop(records);
        if is_first {
            self.0.changed.notify_one();
        }
    }

    /// Nothing comes any more.
    pub fn end(&self) {
        self.lock().ended = true;
        self.0.changed.notify_one();
    }

    /// Waits for records, and a little longer for those that come with them. None once it has
    /// ended.
    pub async fn due(&self) -> Option<Vec<u64>> {
        self.0.changed.notified().await;
        if self.lock().ended {
            return None;
        }
        tokio::time::sleep(TOGETHER).await;
        Some(std::mem::take(&mut self.lock().due))
    }

    fn lock(&self) -> MutexGuard<'_, Records> {
        self.0
            .records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_comes_soon_after_each_other_is_told_together() {
        let rows = ActivityRows::default();
        rows.add(1);
        let teller = tokio::spawn({
            let rows = rows.clone();
            async move { (rows.due().await, rows.due().await, rows.due().await) }
        });
        tokio::time::sleep(TOGETHER / 2).await;
        rows.add(2);
        tokio::time::sleep(TOGETHER).await;
        rows.add(3);
        tokio::time::sleep(2 * TOGETHER).await;
        rows.end();
        let told = teller.await.unwrap();
        assert_eq!(told, (Some(vec![1, 2]), Some(vec![3]), None));
    }
}
