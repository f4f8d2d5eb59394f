//! The values of secrets that this run has seen, so that they can be covered wherever they turn up.

use crate::api::{ErrorCode, HostError};
use crate::error;
use inspect::Masker;
use protocol::{Launch, Secret, SecretId, SettingValue};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use store::Store;

#[derive(Default)]
pub(crate) struct HeldSecrets {
    values: Mutex<HashMap<SecretId, Secret>>,
    masker: RwLock<Arc<Masker>>,
}

impl HeldSecrets {
    /// From now on this value is covered. It stays so until the application ends, even if the secret is removed.
    pub(crate) fn hold(&self, id: SecretId, value: Secret) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(id, value);
        let masker = Arc::new(Masker::new(values.values().map(Secret::expose)));
        *self.masker.write().unwrap_or_else(PoisonError::into_inner) = masker;
    }

    pub(crate) fn masker(&self) -> Arc<Masker> {
        self.masker.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn masked(&self, text: &str) -> String {
        self.masker().mask(text).unwrap_or_else(|| text.to_owned())
    }

    /// Reads the settings of a launch for one start: names with their real values.
    pub(crate) async fn settings(&self, store: &Store, launch: &Launch) -> Result<Vec<(String, Secret)>, HostError> {
        let mut settings = Vec::new();
        for setting in launch.settings() {
            let value = match &setting.value {
                SettingValue::Plain { text } => Secret::new(text.clone()),
                SettingValue::Secret { secret } => {
                    let value = store.vault().get(secret).await?;
                    self.hold(secret.clone(), value.clone());
                    value
                }
            };
            settings.push((setting.name.clone(), value));
        }
        Ok(settings)
    }
}

/// A secret must be long enough to be covered in texts.
pub(crate) fn check_length(name: &str, value: &Secret) -> Result<(), HostError> {
    if value.expose().len() < Masker::SHORTEST {
        let message = format!("the value of {name} is too short to be kept as a secret");
        return Err(error::host(ErrorCode::SecretTooShort, message));
    }
    Ok(())
}
