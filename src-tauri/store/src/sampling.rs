//! Whether servers may ask for a model, and what they have used of it.
//!
//! Always true here: use is taken from the budget before anything is asked, in one step, so that
//! two requests at once cannot both take the last of it; and without a word of a person nothing may
//! be used.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{ServerId, Timestamp};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The tables of what servers may use and have used of a model.
#[derive(Clone)]
pub struct Sampling {
    pub(crate) db: Database,
}

/// What a person chose for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingRow {
    /// Whether it may ask at all.
    pub on: bool,
    /// Whether the person sees each reply before the server gets it.
    pub review_replies: bool,
    /// Requests within an hour.
    pub requests: u32,
    /// Tokens within a day.
    pub tokens: u32,
    /// Tokens of one reply.
    pub per_reply: u32,
}

/// What is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplingLeft {
    /// Requests within the hour.
    pub requests: u32,
    /// Tokens within the day.
    pub tokens: u32,
}

/// A part of the budget that one request has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    id: i64,
    /// Tokens that the reply may have.
    pub tokens: u32,
}

impl Sampling {
    /// What a person chose for a server, if anything.
    pub async fn of(&self, server: &ServerId) -> Result<Option<SamplingRow>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let sql = "SELECT settings FROM sampling WHERE server = ?1";
                let text: Option<String> = db.query_row(sql, [key], |row| row.get(0)).optional()?;
                text.map(|text| from_json(&text)).transpose()
            })
            .await
    }

    /// Keeps what a person chose.
    pub async fn set(&self, server: &ServerId, row: SamplingRow) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "INSERT INTO sampling (server, settings) VALUES (?1, ?2) ON CONFLICT (server) DO UPDATE SET settings = excluded.settings";
                tx.execute(sql, params![key, to_json(&row)?])?;
                Ok(())
            })
            .await
    }

    /// Forgets a server.
    pub async fn remove(&self, server: &ServerId) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM sampling WHERE server = ?1", [&key])?;
                tx.execute("DELETE FROM sampling_use WHERE server = ?1", [&key])?;
                Ok(())
            })
            .await
    }

    /// What a server may still use.
    pub async fn left(
        &self,
        server: &ServerId,
        row: SamplingRow,
        now: Timestamp,
    ) -> Result<SamplingLeft, StoreError> {
        let key = server.key();
        // In the writer's order, so that what was taken before is seen.
        self.db
            .write(Commit::Lazy, move |tx| left(tx, &key, row, now))
            .await
    }

    /// Takes one request of up to `wanted` tokens from the budget of a server; `None` if there is
    /// nothing left.
    pub async fn take(
        &self,
        server: &ServerId,
        row: SamplingRow,
        wanted: u32,
        now: Timestamp,
    ) -> Result<Option<Taken>, StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                let left = left(tx, &key, row, now)?;
                let tokens = wanted.min(row.per_reply).min(left.tokens);
                if !row.on || left.requests == 0 || tokens == 0 {
                    return Ok(None);
                }
                tx.execute(
                    "DELETE FROM sampling_use WHERE at <= ?1",
                    [before(now, DAY)],
                )?;
                tx.execute(
                    "INSERT INTO sampling_use (server, at, tokens) VALUES (?1, ?2, ?3)",
                    params![key, now.0, tokens],
                )?;
                Ok(Some(Taken {
                    id: tx.last_insert_rowid(),
                    tokens,
                }))
            })
            .await
    }

    /// Notes how many tokens a request really took. The request itself stays counted.
    pub async fn used(&self, taken: Taken, tokens: u32) -> Result<(), StoreError> {
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "UPDATE sampling_use SET tokens = ?2 WHERE id = ?1",
                    params![taken.id, tokens],
                )?;
                Ok(())
            })
            .await
    }
}

fn left(
    tx: &Transaction<'_>,
    key: &str,
    row: SamplingRow,
    now: Timestamp,
) -> Result<SamplingLeft, StoreError> {
    let number = |sql: &str, since: i64| -> Result<u32, StoreError> {
        let number: i64 = tx.query_row(sql, params![key, since], |row| row.get(0))?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    };
    let requests = number(
        "SELECT COUNT(*) FROM sampling_use WHERE server = ?1 AND at > ?2",
        before(now, HOUR),
    )?;
    let tokens = number(
        "SELECT COALESCE(SUM(tokens), 0) FROM sampling_use WHERE server = ?1 AND at > ?2",
        before(now, DAY),
    )?;
    Ok(SamplingLeft {
        requests: row.requests.saturating_sub(requests),
        tokens: row.tokens.saturating_sub(tokens),
    })
}

fn before(now: Timestamp, span: Duration) -> i64 {
    now.0
        .saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Home, NOW, server};

    const ROW: SamplingRow = SamplingRow {
        on: true,
        review_replies: false,
        requests: 2,
        tokens: 150,
        per_reply: 100,
    };

    #[tokio::test]
    async fn a_budget_is_taken_before_and_comes_back_with_time() {
        let home = Home::new();
        let sampling = home.open().await.sampling();
        let (one, other) = (server("one"), server("other"));
        let first = sampling.take(&one, ROW, 1_000, NOW).await.unwrap().unwrap();
        assert_eq!(first.tokens, 100, "a reply has its own limit");
        let second = sampling.take(&one, ROW, 1_000, NOW).await.unwrap().unwrap();
        assert_eq!(second.tokens, 50, "no more than is left of the day");
        assert_eq!(
            sampling.take(&one, ROW, 1, NOW).await.unwrap(),
            None,
            "no more requests within the hour"
        );
        assert_eq!(
            sampling
                .take(&other, ROW, 1, NOW)
                .await
                .unwrap()
                .map(|taken| taken.tokens),
            Some(1),
            "another server has its own"
        );
        sampling.used(first, 10).await.unwrap();
        let later = NOW.plus(HOUR);
        assert_eq!(
            sampling.left(&one, ROW, later).await.unwrap(),
            SamplingLeft {
                requests: 2,
                tokens: 90
            }
        );
        assert_eq!(
            sampling.left(&one, ROW, NOW.plus(DAY)).await.unwrap(),
            SamplingLeft {
                requests: 2,
                tokens: 150
            }
        );
    }

    #[tokio::test]
    async fn nothing_is_taken_unless_it_is_on_and_many_at_once_take_no_more_than_there_is() {
        let home = Home::new();
        let sampling = home.open().await.sampling();
        let one = server("one");
        assert_eq!(
            sampling
                .take(&one, SamplingRow { on: false, ..ROW }, 1, NOW)
                .await
                .unwrap(),
            None
        );
        let takes = (0..20).map(|_| sampling.take(&one, ROW, 10, NOW));
        let taken = futures_join(takes).await;
        assert_eq!(taken, 2);
    }

    async fn futures_join(
        takes: impl Iterator<Item = impl Future<Output = Result<Option<Taken>, StoreError>>>,
    ) -> usize {
        let mut taken = 0;
        for take in takes {
            taken += usize::from(take.await.unwrap().is_some());
        }
        taken
    }
}
