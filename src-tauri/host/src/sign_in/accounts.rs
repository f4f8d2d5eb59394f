//! Several accounts of one server: which one is used, and signing out.

use super::{begin, keep, lock, record};
use crate::api::{ErrorCode, HostError, ServerView};
use crate::{Host, Surface, error, supervise, way_out};
use protocol::{HttpLaunch, ServerId};
use store::{AccountRow, Entry, Event};

/// Longest name of an account, in characters.
const LONGEST: usize = 64;

/// Uses another account. A new one begins without tokens.
pub(crate) async fn use_account(host: &Host, id: &ServerId, account: &str, surface: &Surface) -> Result<ServerView, HostError> {
    {
        let _turn = host.kept().turn(id).await?;
        begin::remote(host, id)?;
        let account = checked(account)?;
        let event = Event::AccountChosen { account: account.clone() };
        host.record_synced(Entry { server: Some(id.clone()), ..surface.decided(host, event) }).await?;
        let rows = host.store().accounts().of(id).await?;
        let secret = rows.iter().find(|row| row.name == account).and_then(|row| row.secret.clone());
        host.store().accounts().save(id, AccountRow { name: account.clone(), in_use: true, secret }).await?;
        let rows = host.store().accounts().of(id).await?;
        host.kept().with(id, |kept| {
            kept.sign_in.clear();
            kept.sign_in.take_accounts(&rows);
        })?;
        if let Err(problem) = record::held(host, id).await {
            tracing::warn!(server = %id, %problem, "a sign-in that is kept cannot be read");
        }
        supervise::tell_changed(host, id);
    }
    keep::again(host, id).await?;
    host.kept().with(id, |kept| kept.view())
}

/// Gives the tokens of an account back and forgets it.
pub(crate) async fn sign_out(host: &Host, id: &ServerId, account: Option<String>, surface: &Surface) -> Result<ServerView, HostError> {
    let in_use = {
        let _turn = host.kept().turn(id).await?;
        let launch = begin::remote(host, id)?;
        let used = host.kept().with(id, |kept| kept.sign_in.account.clone())?;
        let account = account.unwrap_or_else(|| used.clone());
        let rows = host.store().accounts().of(id).await?;
        let row = rows.iter().find(|row| row.name == account).cloned();
        if row.is_none() && account != used {
            return Err(error::host(ErrorCode::BadName, format!("{id} has no account called {account:?}")));
        }
        if account == used {
            // Nothing that is still under way is to use what is given back.
            supervise::stop(host, id).await;
        }
        if let Some(row) = row {
            let event = Event::SignedOut { account: row.name.clone() };
            host.record_synced(Entry { server: Some(id.clone()), ..surface.decided(host, event) }).await?;
            forget(host, id, &launch, row, rows.len() > 1).await?;
        }
        let rows = host.store().accounts().of(id).await?;
        host.kept().with(id, |kept| {
            if account == used {
                kept.sign_in.clear();
            }
            kept.sign_in.take_accounts(&rows);
        })?;
        supervise::tell_changed(host, id);
        account == used
    };
    if in_use {
        keep::again(host, id).await?;
    }
    host.kept().with(id, |kept| kept.view())
}

/// Forgets an account. One that is in use stays as an empty one if there are `others`: none of them is used unasked.
async fn forget(host: &Host, id: &ServerId, launch: &HttpLaunch, row: AccountRow, others: bool) -> Result<(), HostError> {
    let _lock = lock::lock(host, id, &row.name).await?;
    revoke(host, id, launch, &row.name).await;
    let secret = host.store().accounts().of(id).await?.into_iter().find(|kept| kept.name == row.name).and_then(|kept| kept.secret);
    if row.in_use && others {
        host.store().accounts().save(id, AccountRow { secret: None, ..row }).await?;
    } else {
        host.store().accounts().remove(id, &row.name).await?;
        lock::remove(host, id, &row.name);
    }
    if let Some(secret) = secret {
        record::remove(host, &secret).await;
    }
    Ok(())
}

/// Gives the tokens back. They are forgotten here in any case.
async fn revoke(host: &Host, id: &ServerId, launch: &HttpLaunch, account: &str) {
    let record = match record::read(host, id, account).await {
        Ok(Some(record)) => record,
        Ok(None) => return,
        Err(problem) => return tracing::warn!(server = %id, %problem, "tokens that are forgotten could not be given back"),
    };
    let given_back = match way_out::to(host, id, launch).await {
        Ok(egress) => oauth::sign_out(&egress, &record.credentials, host.now()).await,
        Err(problem) => return tracing::warn!(server = %id, %problem, "tokens that are forgotten could not be given back"),
    };
    match given_back {
        Ok(true) => {}
        Ok(false) => tracing::info!(server = %id, "the sign-in service takes no tokens back; they end by themselves"),
        Err(problem) => tracing::warn!(server = %id, code = problem.code(), "tokens that are forgotten could not be given back"),
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
