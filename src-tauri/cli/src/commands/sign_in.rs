//! `majordomoctl servers sign-in`, `sign-out` and `accounts`.

use super::servers;
use crate::args::Allowed;
use crate::exit::Exit;
use crate::link::{Heard, Link};
use crate::messages::name as key;
use crate::word::Word;
use crate::{input, print};
use api::{
    CancelSignIn, FinishSignIn, HostError, HostEvent, ServerView, SignIn, SignInApprovals,
    SignInStatus, SignOut, UseAccount,
};
use protocol::ServerId;
use tokio::sync::mpsc;

/// Signs in, and waits until that has come to an end.
pub(crate) async fn sign_in(
    link: &Link,
    name: &ServerId,
    allow: &[Allowed],
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let mut approved = SignInApprovals::default();
    loop {
        let mut typed = input::lines();
        // Before it begins, so that nothing of it is missed.
        let heard = link.events().await?;
        let server = name.clone();
        word.ask(link, SignIn { server, approved }).await?;
        let Some(view) = follow(link, name, word, heard, &mut typed).await? else {
            return Ok(Exit::Other);
        };
        let Some(SignInStatus::Failed { error, approvable }) = state(&view) else {
            return Ok(done(&view, json));
        };
        match *approvable {
            Some(wanted) if wanted != approved && may_go_on(wanted, allow, error).await => {
                approved = wanted
            }
            _ => {
                if json {
                    print::json(&view.sign_in);
                }
                return Err(error.clone());
            }
        }
    }
}

/// Signs out of an account.
pub(crate) async fn sign_out(
    link: &Link,
    server: ServerId,
    account: Option<String>,
    json: bool,
) -> Result<(), HostError> {
    let view = link.ask(SignOut { server, account }).await?;
    if json {
        print::json(&view.sign_in);
    }
    print::note(format_args!("Signed out; the tokens are forgotten."));
    Ok(())
}

/// Lists the accounts of a server, or uses another one.
pub(crate) async fn accounts(
    link: &Link,
    server: ServerId,
    switch: Option<String>,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let view = match switch {
        Some(account) => word.ask(link, UseAccount { server, account }).await?,
        None => servers::view(link, &server).await?,
    };
    if json {
        print::json(&view.sign_in);
        return Ok(());
    }
    let row = |sign_in: &api::SignInView, account: &String| {
        let state = if *account == sign_in.account {
            format!("in use, {}", key(&sign_in.state).replace('_', " "))
        } else {
            String::new()
        };
        vec![account.clone(), state]
    };
    let cells: Vec<Vec<String>> = view
        .sign_in
        .iter()
        .flat_map(|sign_in| sign_in.accounts.iter().map(|account| row(sign_in, account)))
        .collect();
    print::table(&["ACCOUNT", "STATE"], &cells);
    Ok(())
}

fn state(view: &ServerView) -> Option<&SignInStatus> {
    view.sign_in.as_ref().map(|sign_in| &sign_in.state)
}

/// Waits until no sign-in is under way: the server then, or nothing if the person gave it up. An
/// address that is pasted meanwhile is handed on.
async fn follow(
    link: &Link,
    name: &ServerId,
    word: Word,
    mut heard: Heard,
    typed: &mut mpsc::UnboundedReceiver<String>,
) -> Result<Option<ServerView>, HostError> {
    let mut shown = String::new();
    loop {
        // An event says only that something is different: an older one may still be on its way.
        let view = servers::view(link, name).await?;
        match state(&view) {
            Some(SignInStatus::Preparing) => {}
            Some(SignInStatus::Waiting { url }) => {
                if *url != shown {
                    print::note(
                        "Sign in in the browser. If it does not open, open this address by hand:",
                    );
                    print::note(print::visible(url));
                    print::note(
                        "If the browser cannot come back, paste the address that it was sent to here.",
                    );
                    shown.clone_from(url);
                }
            }
            None
            | Some(
                SignInStatus::SignedOut
                | SignInStatus::Wanted { .. }
                | SignInStatus::SignedIn { .. }
                | SignInStatus::Failed { .. },
            ) => return Ok(Some(view)),
        }
        tokio::select! {
            is_changed = changed(&mut heard, name) => {
                if !is_changed {
                    // Some were missed; whether the host is there at all, the next look shows.
                    heard = link.events().await?;
                }
            }
            Some(line) = typed.recv() => {
                let (server, url) = (name.clone(), line);
                if !url.trim().is_empty()
                    && let Err(problem) = word.ask(link, FinishSignIn { server, url }).await
                {
                    print::error(&problem);
                }
            }
            _ = tokio::signal::ctrl_c() => {
                let server = name.clone();
                link.ask(CancelSignIn { server }).await?;
                print::note("Cancelled.");
                return Ok(None);
            }
        }
    }
}

/// Waits until a server is not what it was. False if that will not be heard any more.
async fn changed(heard: &mut Heard, name: &ServerId) -> bool {
    while let Some(event) = heard.next().await {
        if let HostEvent::ServerChanged { server } = event
            && server.id.key() == name.key()
        {
            return true;
        }
    }
    false
}

/// Whether to go on with what would otherwise end the sign-in: allowed on the command line, or by a
/// person who sits here.
async fn may_go_on(wanted: SignInApprovals, allow: &[Allowed], error: &HostError) -> bool {
    let SignInApprovals {
        foreign_endpoints,
        without_pkce,
        legacy_endpoints,
        without_keyring,
    } = wanted;
    let mut needed = [
        (foreign_endpoints, Allowed::Elsewhere),
        (without_pkce, Allowed::Unprotected),
        (legacy_endpoints, Allowed::Older),
        (without_keyring, Allowed::Memory),
    ]
    .into_iter()
    .filter_map(|(is_needed, word)| is_needed.then_some(word))
    .peekable();
    if needed.peek().is_some() && needed.all(|word| allow.contains(&word)) {
        print::note(format_args!(
            "Going on although {}",
            print::visible(&error.message)
        ));
        return true;
    }
    if !input::interactive() {
        return false;
    }
    print::error(error);
    let asked = || input::is_yes("Go on nevertheless? y to go on [n]");
    // A terminal that cannot be read is a no.
    tokio::task::spawn_blocking(asked).await.unwrap_or(false)
}

fn done(view: &ServerView, json: bool) -> Exit {
    if json {
        print::json(&view.sign_in);
    }
    let name = &view.id;
    match &view.sign_in {
        Some(api::SignInView {
            state: SignInStatus::SignedIn { issuer, .. },
            account,
            ..
        }) => {
            print::note(format_args!(
                "Signed in to {name} as {} by {}.",
                print::visible(account),
                print::visible(issuer)
            ));
            Exit::Done
        }
        _ => {
            print::note(format_args!("{name} still wants a sign-in."));
            Exit::Server
        }
    }
}
