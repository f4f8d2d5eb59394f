//! The values of secrets that this run has seen, so that they can be covered wherever they turn up.

use crate::error;
use api::{ErrorCode, HostError};
use inspect::Masker;
use protocol::{Launch, Secret, SecretId, ServerId, SettingValue};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use store::Store;

/// How many values that come and go are held of one server: the newest, and those that may still be
/// under way.
const TOKENS: usize = 32;

/// Where a secret lies that is still to be filled in. Nothing is ever put there, so a start fails
/// with `secret_lost` until then.
pub(crate) const NOWHERE: &str = "secret-empty";

/// The values, by which secret or server they are.
#[derive(Default)]
pub struct HeldSecrets {
    values: Mutex<Values>,
    masker: RwLock<Arc<Masker>>,
}

#[derive(Default)]
struct Values {
    stored: HashMap<SecretId, Secret>,
    /// By the server's key, oldest first.
    tokens: HashMap<String, VecDeque<Secret>>,
}

impl HeldSecrets {
    /// From now on this value is covered. It stays so until the application ends, even if the
    /// secret is removed.
    pub fn hold(&self, id: SecretId, value: Secret) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.stored.insert(id, value);
        self.renew(&values);
    }

    /// From now on these tokens are covered. They are renewed again and again, so those that ended
    /// long ago are let go.
    pub(crate) fn hold_tokens<'a>(
        &self,
        server: &ServerId,
        tokens: impl IntoIterator<Item = &'a Secret>,
    ) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let held = values.tokens.entry(server.key()).or_default();
        let before = held.len();
        for token in tokens {
            if token.expose().len() >= Masker::SHORTEST
                && held.iter().all(|known| known.expose() != token.expose())
            {
                held.push_back(token.clone());
            }
        }
        if held.len() == before {
            return;
        }
        while held.len() > TOKENS {
            held.pop_front();
        }
        self.renew(&values);
    }

    fn renew(&self, values: &Values) {
        let all = values
            .stored
            .values()
            .chain(values.tokens.values().flatten());
        let masker = Arc::new(Masker::new(all.map(Secret::expose)));
        *self.masker.write().unwrap_or_else(PoisonError::into_inner) = masker;
    }

    /// What covers them, as they are at this moment.
    pub fn masker(&self) -> Arc<Masker> {
        self.masker
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The text with every value covered.
    pub fn masked(&self, text: &str) -> String {
        self.masker().mask(text).unwrap_or_else(|| text.to_owned())
    }

    /// Reads the settings of a launch for one start: names with their real values.
    pub(crate) async fn settings(
        &self,
        store: &Store,
        launch: &Launch,
    ) -> Result<Vec<(String, Secret)>, HostError> {
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

/// A secret must be long enough to be covered in texts. Fails with `secret_too_short`.
pub fn check_length(name: &str, value: &Secret) -> Result<(), HostError> {
    if value.expose().len() < Masker::SHORTEST {
        let message = format!("the value of {name} is too short to be kept as a secret");
        return Err(error::host(ErrorCode::SecretTooShort, message));
    }
    Ok(())
}
