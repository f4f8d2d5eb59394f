//! Accounts at servers, and how the program is known there. Values of tokens and client secrets lie
//! in the vault.
//!
//! Always true here: of the accounts of one server at most one is in use.

use crate::StoreError;
use crate::db::{Commit, Database, from_json, to_json};
use protocol::{SecretId, ServerId};
use rusqlite::{OptionalExtension, params};

/// An account at a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// The name that a person gave it.
    pub name: String,
    /// Whether it is the one in use.
    pub in_use: bool,
    /// Where its tokens lie; none if nobody is signed in with it.
    pub secret: Option<SecretId>,
}

/// How the program is known at a server's sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OauthClientRow {
    /// The client id.
    pub client_id: String,
    /// Where its secret lies.
    pub secret: Option<SecretId>,
    /// Whether the program signs in by itself.
    pub without_person: bool,
    /// Who gave the client id out, once that has shown: it is used with nobody else.
    pub issuer: Option<String>,
}

/// The tables of accounts and clients.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) db: Database,
}

impl Accounts {
    /// The accounts of a server, by name.
    pub async fn of(&self, server: &ServerId) -> Result<Vec<AccountRow>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let mut select = db.prepare_cached(
                    "SELECT name, in_use, secret FROM accounts WHERE server = ?1 ORDER BY name",
                )?;
                let mut found = select.query([key])?;
                let mut rows = Vec::new();
                while let Some(row) = found.next()? {
                    rows.push(AccountRow {
                        name: row.get(0)?,
                        in_use: row.get(1)?,
                        secret: secret(row.get(2)?)?,
                    });
                }
                Ok(rows)
            })
            .await
    }

    /// Keeps an account in place of the one of its name. If it is in use, the others are not any
    /// more.
    pub async fn save(&self, server: &ServerId, account: AccountRow) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                if account.in_use {
                    tx.execute("UPDATE accounts SET in_use = 0 WHERE server = ?1", [&key])?;
                }
                let secret = account.secret.as_ref().map(to_json).transpose()?;
                let sql = "INSERT OR REPLACE INTO accounts (server, name, in_use, secret) VALUES (?1, ?2, ?3, ?4)";
                tx.execute(sql, params![key, account.name, account.in_use, secret])?;
                Ok(())
            })
            .await
    }

    /// Notes where the new tokens of an account lie; whether it is in use stays as it is. `false`
    /// if the account is not there any more: then the secret is the caller's to remove, and
    /// otherwise the one before is.
    pub async fn renew(
        &self,
        server: &ServerId,
        name: &str,
        secret: SecretId,
    ) -> Result<bool, StoreError> {
        let (key, name) = (server.key(), name.to_owned());
        self.db
            .write(Commit::Durable, move |tx| {
                let sql = "UPDATE accounts SET secret = ?3 WHERE server = ?1 AND name = ?2";
                Ok(tx.execute(sql, params![key, name, to_json(&secret)?])? > 0)
            })
            .await
    }

    /// Forgets an account. Its secret is the caller's to remove.
    pub async fn remove(&self, server: &ServerId, name: &str) -> Result<(), StoreError> {
        let (key, name) = (server.key(), name.to_owned());
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute(
                    "DELETE FROM accounts WHERE server = ?1 AND name = ?2",
                    params![key, name],
                )?;
                Ok(())
            })
            .await
    }

    /// How the program is known at a server, if a person said so.
    pub async fn client(&self, server: &ServerId) -> Result<Option<OauthClientRow>, StoreError> {
        let key = server.key();
        self.db
            .read(move |db| {
                let sql = "SELECT client_id, secret, without_person, issuer FROM clients WHERE server = ?1";
                let row = db.query_row(sql, [key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).optional()?;
                let read = |(client_id, value, without_person, issuer)| {
                    Ok(OauthClientRow { client_id, secret: secret(value)?, without_person, issuer })
                };
                row.map(read).transpose()
            })
            .await
    }

    /// Keeps how the program is known at a server; none forgets it. The secret before is the
    /// caller's to remove.
    pub async fn set_oauth_client(
        &self,
        server: &ServerId,
        client: Option<OauthClientRow>,
    ) -> Result<(), StoreError> {
        let key = server.key();
        self.db
            .write(Commit::Durable, move |tx| {
                tx.execute("DELETE FROM clients WHERE server = ?1", [&key])?;
                if let Some(client) = client {
                    let secret = client.secret.as_ref().map(to_json).transpose()?;
                    let sql = "INSERT INTO clients (server, client_id, secret, without_person, issuer) VALUES (?1, ?2, ?3, ?4, ?5)";
                    tx.execute(sql, params![key, client.client_id, secret, client.without_person, client.issuer])?;
                }
                Ok(())
            })
            .await
    }
}

fn secret(value: Option<String>) -> Result<Option<SecretId>, StoreError> {
    value.map(|value| from_json(&value)).transpose()
}
