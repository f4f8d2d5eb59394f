//! Several accounts of one server: which one is used, and signing out.

use super::{begin, keep, lock, record};
use crate::{Servers, Surface, error, server_egress, supervise};
use api::{ErrorCode, HostError, MOST_ACCOUNTS, ServerView, room_for_one};
use protocol::{HttpLaunch, ServerId};
use store::{AccountRow, Entry, Event};

/// Longest name of an account, in characters.
const LONGEST: usize = 64;

/// Uses another account. A new one begins without tokens.
pub async fn use_account(
    servers: &Servers,
    id: &ServerId,
    account: &str,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    {
        let _turn = servers.registry().turn(id).await?;
        begin::remote(servers, id)?;
        let account = checked(account)?;
        let rows = servers.store().accounts().of(id).await?;
        if rows.iter().all(|row| row.name != account) {
            room_for_one("accounts", rows.len(), MOST_ACCOUNTS)?;
        }
        let event = Event::AccountChosen {
            account: account.clone(),
        };
        servers
            .record_synced(Entry {
                server: Some(id.clone()),
                ..surface.decided(servers, event)
            })
            .await?;
        let secret = rows
            .iter()
            .find(|row| row.name == account)
            .and_then(|row| row.secret.clone());
        servers
            .store()
            .accounts()
            .save(
                id,
                AccountRow {
                    name: account.clone(),
                    in_use: true,
                    secret,
                },
            )
            .await?;
        let rows = servers.store().accounts().of(id).await?;
        servers.registry().change(id, |now| {
            now.sign_in.clear();
            now.sign_in.take_accounts(&rows);
        })?;
        if let Err(problem) = record::held(servers, id).await {
            tracing::warn!(server = %id, %problem, "a sign-in that is kept cannot be read");
        }
        servers.tell_changed(id);
    }
    keep::again(servers, id).await?;
    Ok(servers.registry().now(id)?.view())
}

/// Gives the tokens of an account back and forgets it.
pub async fn sign_out(
    servers: &Servers,
    id: &ServerId,
    account: Option<String>,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    let in_use = {
        let _turn = servers.registry().turn(id).await?;
        let launch = begin::remote(servers, id)?;
        let used = servers.registry().now(id)?.sign_in.account.clone();
        let account = account.unwrap_or_else(|| used.clone());
        let rows = servers.store().accounts().of(id).await?;
        let row = rows.iter().find(|row| row.name == account).cloned();
        if row.is_none() && account != used {
            return Err(error::host(
                ErrorCode::BadName,
                format!("{id} has no account called {account:?}"),
            ));
        }
        if account == used {
            // Nothing that is still under way is to use what is given back.
            supervise::stop(servers, id).await;
        }
        if let Some(row) = row {
            let event = Event::SignedOut {
                account: row.name.clone(),
            };
            servers
                .record_synced(Entry {
                    server: Some(id.clone()),
                    ..surface.decided(servers, event)
                })
                .await?;
            forget(servers, id, &launch, row, rows.len() > 1).await?;
        }
        let rows = servers.store().accounts().of(id).await?;
        servers.registry().change(id, |now| {
            if account == used {
                now.sign_in.clear();
            }
            now.sign_in.take_accounts(&rows);
        })?;
        servers.tell_changed(id);
        account == used
    };
    if in_use {
        keep::again(servers, id).await?;
    }
    Ok(servers.registry().now(id)?.view())
}

/// Forgets an account. One that is in use stays as an empty one if there are `others`: none of them
/// is used unasked.
async fn forget(
    servers: &Servers,
    id: &ServerId,
    launch: &HttpLaunch,
    row: AccountRow,
    others: bool,
) -> Result<(), HostError> {
    let _lock = lock::lock(servers, id, &row.name).await?;
    revoke(servers, id, launch, &row.name).await;
    let secret = servers
        .store()
        .accounts()
        .of(id)
        .await?
        .into_iter()
        .find(|entry| entry.name == row.name)
        .and_then(|entry| entry.secret);
    if row.in_use && others {
        servers
            .store()
            .accounts()
            .save(
                id,
                AccountRow {
                    secret: None,
                    ..row
                },
            )
            .await?;
    } else {
        servers.store().accounts().remove(id, &row.name).await?;
        lock::remove(servers, id, &row.name);
    }
    if let Some(secret) = secret {
        record::remove(servers, &secret).await;
    }
    Ok(())
}

/// Gives the tokens back. They are forgotten here in any case.
async fn revoke(servers: &Servers, id: &ServerId, launch: &HttpLaunch, account: &str) {
    let record = match record::read(servers, id, account).await {
        Ok(Some(record)) => record,
        Ok(None) => return,
        Err(problem) => {
            return tracing::warn!(server = %id, %problem, "tokens that are forgotten could not be given back");
        }
    };
    let given_back = match server_egress::to(servers, id, launch).await {
        Ok(egress) => oauth::sign_out(&egress, &record.credentials, servers.now()).await,
        Err(problem) => {
            return tracing::warn!(server = %id, %problem, "tokens that are forgotten could not be given back");
        }
    };
    match given_back {
        Ok(true) => {}
        Ok(false) => {
            tracing::info!(server = %id, "the sign-in service takes no tokens back; they end by themselves")
        }
        Err(problem) => {
            tracing::warn!(server = %id, code = problem.code(), "tokens that are forgotten could not be given back")
        }
    }
}

fn checked(account: &str) -> Result<String, HostError> {
    let account = account.trim();
    let bad = |problem: &str| Err(error::host(ErrorCode::BadName, problem));
    if account.is_empty() {
        return bad("an account needs a name");
    }
    if account.chars().count() > LONGEST {
        return bad("the name of an account has at most 64 characters");
    }
    if account.chars().any(char::is_control) || inspect::has_hidden(account) {
        return bad("the name of an account cannot hold hidden characters");
    }
    Ok(account.to_owned())
}
