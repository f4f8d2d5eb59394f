//! A value that must not be seen.

use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

/// A secret value. It cannot be printed or serialised, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a value over.
    pub fn new(value: String) -> Self {
        Self(Zeroizing::new(value))
    }

    /// The value. Call it only where the value leaves for a server or the keyring.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("•••")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_secret_cannot_be_printed() {
        assert_eq!(format!("{:?}", super::Secret::new("hunter2".into())), "•••");
    }
}
