//! Everyone who has asked for something, with the name they had last: a part of the index.

use super::index::number;
use crate::StoreError;
use protocol::{Caller, CallerFilter, CallerId, CallerKind};
use rusqlite::{Connection, Transaction, params};

/// Everyone who has asked for something, whoever asked last first.
pub(super) fn list(db: &Connection) -> Result<Vec<Caller>, StoreError> {
    let mut select =
        db.prepare_cached("SELECT caller, name FROM activity_callers ORDER BY seq DESC LIMIT 100")?;
    let mut found = select.query([])?;
    let mut callers = Vec::new();
    while let Some(row) = found.next()? {
        callers.push(named(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?)?);
    }
    Ok(callers)
}

/// Notes who asked, by their column, in record `seq`.
pub(super) fn note(
    tx: &Transaction<'_>,
    key: &str,
    caller: &Caller,
    seq: u64,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO activity_callers (caller, name, seq) VALUES (?1, ?2, ?3)
         ON CONFLICT (caller) DO UPDATE SET name = excluded.name, seq = excluded.seq",
    )?
    .execute(params![key, caller.name(), number(seq)])?;
    Ok(())
}

/// Forgets callers of which no row is left.
pub(super) fn forget_gone(tx: &Transaction<'_>) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM activity_callers WHERE NOT EXISTS (SELECT 1 FROM activity a WHERE a.caller = activity_callers.caller)",
        [],
    )?;
    Ok(())
}

/// How a column names a caller: "kind:id", whatever the kind.
pub(super) fn key_of(kind: &CallerKind, id: &CallerId) -> String {
    format!("{kind}:{id}")
}

/// The caller of a column, of this name.
pub(super) fn named(key: &str, name: &str) -> Result<Caller, StoreError> {
    let damaged = || StoreError::Damaged {
        reason: format!("{key:?} is no caller"),
    };
    let filter: CallerFilter = key.parse().map_err(|_| damaged())?;
    let id = filter.id.ok_or_else(damaged)?;
    Ok(Caller::new(filter.kind, id, name))
}
