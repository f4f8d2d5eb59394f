//! `majordomoctl servers sign-in`, `sign-out` and `accounts`.

use super::servers;
use crate::args::Allowed;
use crate::exit::Exit;
use crate::link::Link;
use crate::{ask, print};
use host::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::io::BufRead as _;
use std::time::Duration;
use tokio::sync::mpsc;

/// How often is looked how far the sign-in has come.
const LOOK: Duration = Duration::from_millis(150);
/// What may be allowed, by its name in the interface.
const ALLOWED: [(Allowed, &str); 4] = [
    (Allowed::Elsewhere, "foreign_endpoints"),
    (Allowed::Unprotected, "without_pkce"),
    (Allowed::Older, "legacy_endpoints"),
    (Allowed::Memory, "without_keyring"),
];

/// Signs in, and waits until that has come to an end.
pub(crate) async fn sign_in(link: &Link, name: &str, allow: &[Allowed], json: bool) -> Result<Exit, HostError> {
    let mut typed = lines();
    let mut approved = json!({});
    loop {
        link.ask(&json!({"method": "sign_in", "params": {"server": name, "approved": approved}})).await?;
        let Some(view) = follow(link, name, &mut typed).await? else { return Ok(Exit::Other) };
        if view.pointer("/sign_in/state/kind") != Some(&json!("failed")) {
            return Ok(done(&view, name, json));
        }
        let error = error(&view);
        let wanted = view.pointer("/sign_in/state/approvable").cloned().unwrap_or_default();
        if wanted.is_null() || wanted == approved || !may_go_on(&wanted, allow, &error, &mut typed).await {
            if json {
                print::json(&view["sign_in"]);
            }
            return Err(error);
        }
        approved = wanted;
    }
}

/// Signs out of an account.
pub(crate) async fn sign_out(link: &Link, name: &str, account: Option<String>, json: bool) -> Result<(), HostError> {
    let view = link.ask(&json!({"method": "sign_out", "params": {"server": name, "account": account}})).await?;
    if json {
        print::json(&view["sign_in"]);
    }
    print::note(format_args!("Signed out; the tokens are forgotten."));
    Ok(())
}

/// Lists the accounts of a server, or uses another one.
pub(crate) async fn accounts(link: &Link, name: &str, switch: Option<String>, json: bool) -> Result<(), HostError> {
    let view = match switch {
        Some(account) => link.ask(&json!({"method": "use_account", "params": {"server": name, "account": account}})).await?,
        None => servers::view(link, name).await?,
    };
    if json {
        print::json(&view["sign_in"]);
        return Ok(());
    }
    let used = print::text(&view, "/sign_in/account");
    let accounts = view.pointer("/sign_in/accounts").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut cells: Vec<Vec<String>> = accounts.map(|account| vec![account.to_owned(), String::new()]).collect();
    for row in &mut cells {
        if row[0] == used {
            row[1] = format!("in use, {}", print::text(&view, "/sign_in/state/kind").replace('_', " "));
        }
    }
    print::table(&["ACCOUNT", "STATE"], &cells);
    Ok(())
}

/// Waits until no sign-in is under way: the server then, or nothing if the person gave it up. An address that is pasted meanwhile
/// is handed on.
async fn follow(link: &Link, name: &str, typed: &mut mpsc::UnboundedReceiver<String>) -> Result<Option<Value>, HostError> {
    let mut shown = String::new();
    loop {
        let view = servers::view(link, name).await?;
        match print::text(&view, "/sign_in/state/kind").as_str() {
            "preparing" => {}
            "waiting" => {
                let url = print::text(&view, "/sign_in/state/url");
                if url != shown {
                    print::note("Sign in in the browser. If it does not open, open this address by hand:");
                    print::note(print::visible(&url));
                    print::note("If the browser cannot come back, paste the address that it was sent to here.");
                    shown = url;
                }
            }
            _ => return Ok(Some(view)),
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            Some(line) = typed.recv() => {
                let request = json!({"method": "finish_sign_in", "params": {"server": name, "url": line}});
                if !line.trim().is_empty() && let Err(problem) = link.ask(&request).await {
                    print::error(&problem);
                }
            }
            _ = tokio::signal::ctrl_c() => {
                link.ask(&json!({"method": "cancel_sign_in", "params": {"server": name}})).await?;
                print::note("Cancelled.");
                return Ok(None);
            }
        }
    }
}

/// Whether to go on with what would otherwise end the sign-in: allowed on the command line, or by a person who sits here.
async fn may_go_on(wanted: &Value, allow: &[Allowed], error: &HostError, typed: &mut mpsc::UnboundedReceiver<String>) -> bool {
    let allowed = |name: &str| ALLOWED.iter().any(|(word, known)| *known == name && allow.contains(word));
    let needed = wanted.as_object().into_iter().flatten().filter(|(_, value)| **value == json!(true));
    if needed.clone().count() > 0 && needed.into_iter().all(|(name, _)| allowed(name)) {
        print::note(format_args!("Going on although {}", print::visible(&error.message)));
        return true;
    }
    if !ask::interactive() {
        return false;
    }
    print::error(error);
    print::note("Go on nevertheless? y to go on [n]: ");
    matches!(typed.recv().await.as_deref().map(str::trim), Some("y" | "yes"))
}

fn done(view: &Value, name: &str, json: bool) -> Exit {
    if json {
        print::json(&view["sign_in"]);
    }
    if view.pointer("/sign_in/state/kind") != Some(&json!("signed_in")) {
        print::note(format_args!("{name} still wants a sign-in."));
        return Exit::Server;
    }
    let (account, issuer) = (print::text(view, "/sign_in/account"), print::text(view, "/sign_in/state/issuer"));
    print::note(format_args!("Signed in to {name} as {} by {}.", print::visible(&account), print::visible(&issuer)));
    Exit::Done
}

fn error(view: &Value) -> HostError {
    let told = view.pointer("/sign_in/state/error").cloned().unwrap_or_default();
    serde_json::from_value(told).unwrap_or_else(|_| HostError::of(ErrorCode::Internal, "the sign-in failed"))
}

/// What is typed, line by line, until standard input ends.
fn lines() -> mpsc::UnboundedReceiver<String> {
    let (line, lines) = mpsc::unbounded_channel();
    // A thread of its own: a terminal is read until it ends, and the program does not wait for that.
    std::thread::spawn(move || {
        for typed in std::io::stdin().lock().lines() {
            if typed.ok().is_none_or(|typed| line.send(typed).is_err()) {
                return;
            }
        }
    });
    lines
}
