//! Gives the tokens for requests to one server.

use super::{note, renew};
use crate::Servers;
use crate::WeakServers;
use api::{ErrorCode, HostError};
use connections::Authorization;
use futures::future::BoxFuture;
use oauth::Credentials;
use protocol::{Launch, Secret, ServerId};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Gives the tokens for requests to one server, as it is reached now.
pub(crate) fn authorization(servers: &Servers, id: &ServerId) -> Arc<dyn Authorization> {
    let url = servers.registry().now(id).map(|now| match &now.row.launch {
        Launch::Http(call) => Url::parse(&call.url).ok(),
        Launch::Builtin { .. } | Launch::Stdio(_) => None,
    });
    Arc::new(Tokens {
        servers: servers.weak(),
        server: id.clone(),
        url: url.ok().flatten(),
        given: Mutex::default(),
        locked: Mutex::default(),
    })
}

/// Always true here: a token is given if it was made for the address that the person typed. A
/// server of the oldest kind names another address for its messages; `connections` takes that at
/// the same origin only, and it gets the token of the typed one.
struct Tokens {
    servers: WeakServers,
    server: ServerId,
    url: Option<Url>,
    /// The token that was given last.
    given: Mutex<Option<Secret>>,
    /// Why the keyring gave none, if that was why.
    locked: Mutex<Option<HostError>>,
}

impl Tokens {
    async fn find(&self) -> Option<Secret> {
        let servers = self.servers.upgrade()?;
        let found = renew::fresh(&servers, &self.server).await;
        let locked = found.as_ref().err().filter(|error| {
            matches!(
                error.code,
                ErrorCode::KeyringFailed | ErrorCode::KeyringMissing
            )
        });
        *self.locked.lock().unwrap_or_else(PoisonError::into_inner) = locked.cloned();
        let held = match found {
            Ok(held) => held?,
            Err(error) => {
                tracing::warn!(server = %self.server, %error, "there is no token for a request");
                return None;
            }
        };
        self.is_meant(&held).then(|| held.tokens.access.clone())
    }

    fn is_meant(&self, held: &Credentials) -> bool {
        self.url
            .as_ref()
            .is_some_and(|url| held.header_for(url).is_ok())
    }
}

impl Authorization for Tokens {
    fn token(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async {
            let token = self.find().await;
            (*self.given.lock().unwrap_or_else(PoisonError::into_inner)).clone_from(&token);
            token
        })
    }

    fn refused(&self, status: u16, challenge: Vec<String>) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            // Before anything is waited for: the next request may be given another one.
            let refused = self
                .given
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            let (Some(servers), Some(challenge)) =
                (self.servers.upgrade(), note::read(status, &challenge))
            else {
                return false;
            };
            if let (401, Some(refused)) = (status, refused) {
                match renew::instead_of(&servers, &self.server, &refused).await {
                    Ok(Some(held)) if self.is_meant(&held) => return true,
                    Ok(_) => {}
                    Err(error) => {
                        tracing::warn!(server = %self.server, %error, "a refused token could not be replaced")
                    }
                }
            }
            let locked = self
                .locked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            note::note(&servers, &self.server, status, challenge, locked);
            false
        })
    }
}
