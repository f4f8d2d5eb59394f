//! Writes down what could not be written before, as on a full disk. No other call begins until it
//! is.

use crate::Calls;
use crate::unwritten::Late;
use api::HostError;
use store::StoreError;

/// Writes all of it. Fails if it still cannot be written: nothing new may begin.
pub async fn catch_up(calls: &Calls) -> Result<(), HostError> {
    let unwritten = calls.unwritten();
    if unwritten.first().is_none() {
        return Ok(());
    }
    let _turn = unwritten.turn().await;
    while let Some(late) = unwritten.first() {
        match late {
            Late::Record(entry) => {
                calls.record(*entry)?;
            }
            Late::Ended(question, end) => {
                let rows = calls.store().waiting();
                match rows.ended(&question, end, calls.now()).await {
                    Ok(()) | Err(StoreError::UnknownQuestion { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        unwritten.written();
    }
    Ok(())
}
