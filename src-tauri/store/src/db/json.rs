//! Values that lie in a column as JSON.

use crate::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value for a column.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged {
        reason: error.to_string(),
    })
}

/// A column's value.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged {
        reason: format!("a stored value cannot be read: {error}"),
    })
}
