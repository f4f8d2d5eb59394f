//! Brings a database to the newest format, one numbered step after the other.
//!
//! Always true here:
//! - a step that was ever released is never edited; a change is a new step at the end;
//! - all missing steps happen in one transaction, or none does;
//! - a database from a newer version is not written to.

use crate::StoreError;
use rusqlite::{Connection, TransactionBehavior};

/// The steps. The format of a database is the number of steps that it has taken (`user_version`).
const STEPS: &[&str] = &[
    include_str!("0001_first.sql"),
    include_str!("0002_speaking.sql"),
    include_str!("0003_signing_in.sql"),
    include_str!("0004_trusting.sql"),
    include_str!("0005_asking.sql"),
    include_str!("0006_waiting.sql"),
    include_str!("0007_durations.sql"),
    include_str!("0008_callers.sql"),
    include_str!("0009_pausing.sql"),
    include_str!("0010_reasons.sql"),
    include_str!("0011_vouching.sql"),
    include_str!("0012_gateway_clients.sql"),
    include_str!("0013_client_settings.sql"),
    include_str!("0014_resting.sql"),
    include_str!("0015_conversing.sql"),
    include_str!("0016_models.sql"),
    include_str!("0017_branching.sql"),
    include_str!("0018_results_of_conversations.sql"),
    include_str!("0019_assistants.sql"),
    include_str!("0020_showing_always.sql"),
    include_str!("0021_confining.sql"),
    include_str!("0022_sentences.sql"),
];

/// Fails if the file is not a database or is from a newer version. Writes nothing.
pub(super) fn check(connection: &Connection) -> Result<(), StoreError> {
    taken(connection).map(|_| ())
}

/// Takes the missing steps.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    // Taken even if there is nothing to do: a database that is locked or cannot be written is found
    // out here and not later.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let taken = taken(&transaction)?;
    for (step, number) in STEPS.iter().zip(1_u32..).skip(taken) {
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", number)?;
    }
    transaction.commit()?;
    Ok(())
}

fn taken(connection: &Connection) -> Result<usize, StoreError> {
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match usize::try_from(found) {
        Ok(taken) if taken <= STEPS.len() => Ok(taken),
        _ => Err(StoreError::Newer {
            found,
            known: u32::try_from(STEPS.len()).unwrap_or(u32::MAX),
        }),
    }
}

/// Brings a new database to the format of an older version.
#[cfg(test)]
pub(crate) fn take_steps(connection: &Connection, number: u32) {
    for (step, _) in STEPS.iter().zip(0..number) {
        connection.execute_batch(step).unwrap();
    }
    connection
        .pragma_update(None, "user_version", number)
        .unwrap();
}
