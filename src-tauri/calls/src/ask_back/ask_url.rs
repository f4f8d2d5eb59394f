//! An address that a server wants a person to open: shown whole, opened by the system's browser
//! only after a yes, never fetched here.

use super::client::Client;
use super::refuse::refuse;
use super::{LONGEST_TEXT, ask};
use crate::Calls;
use api::AskRefusal;
use connections::During;
use policy::{Decision, Subject};
use protocol::{ServerId, UrlAsk, UrlResult};
use servers::{Servers, openable, rules};
use store::{Entry, Event};
use url::Url;

pub(super) async fn ask_person(
    calls: &Calls,
    server: &ServerId,
    asked: UrlAsk,
    during: During,
) -> UrlResult {
    if asked.message.len() > LONGEST_TEXT {
        refuse(calls, server, during.calls, AskRefusal::TooLarge);
        return UrlResult::Decline;
    }
    let Some(url) = openable(&asked.url) else {
        refuse(calls, server, during.calls, AskRefusal::BadAddress);
        return UrlResult::Decline;
    };
    if forbids(calls, server, &url) {
        refuse(calls, server, during.calls, AskRefusal::Rule);
        return UrlResult::Decline;
    }
    let masker = calls.secrets().masker();
    // A secret of ours in the address would leave with it.
    if masker.mask(url.as_str()).is_some() {
        refuse(calls, server, during.calls, AskRefusal::SecretInAddress);
        return UrlResult::Decline;
    }
    let mut shown = UrlAsk {
        url: url.as_str().to_owned(),
        ..asked
    };
    masker.mask_text(&mut shown.message);
    if let Some(client) = Client::behind(calls, server, &during, |can| can.url)
        && let Some(answer) = client.url(&shown, url.origin().ascii_serialization()).await
    {
        return match answer {
            UrlResult::Opened if forbids(calls, server, &url) => UrlResult::Decline,
            answer => answer,
        };
    }
    let (name, look_alike) = shown_host(&url);
    let subject = Subject::Url {
        during: during.calls,
        ask: shown,
        host: name,
        look_alike,
    };
    match ask(calls, server, subject).await {
        // Asked anew: the rules may have changed while the person was thinking.
        Ok(Decision::OpenUrl) if forbids(calls, server, &url) => UrlResult::Decline,
        Ok(Decision::OpenUrl) => open(calls, server, &url),
        Ok(_) => UrlResult::Decline,
        Err(_) => UrlResult::Cancel,
    }
}

/// Whether a rule forbids what a server says to lead there.
fn forbids(servers: &Servers, server: &ServerId, url: &Url) -> bool {
    rules::forbids_leaving(servers, server, url.host_str().unwrap_or_default()).is_some()
}

fn open(servers: &Servers, server: &ServerId, url: &Url) -> UrlResult {
    let event = Event::UrlOpened {
        origin: url.origin().ascii_serialization(),
    };
    let entry = Entry {
        server: Some(server.clone()),
        ..Entry::new(servers.now(), event)
    };
    // What leaves no trace does not happen.
    if servers.record(entry).is_err() {
        return UrlResult::Cancel;
    }
    match servers.browser().open(url) {
        Ok(()) => UrlResult::Opened,
        Err(error) => {
            tracing::warn!(%server, %error, "the browser could not be opened");
            UrlResult::Cancel
        }
    }
}

/// The host as it is shown, and whether it holds letters that can be taken for others.
fn shown_host(url: &Url) -> (String, bool) {
    let host = url.host_str().unwrap_or_default().to_owned();
    let look_alike = host.split('.').any(|label| label.starts_with("xn--"));
    (host, look_alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_with_letters_of_other_scripts_is_shown_as_it_is_asked_for() {
        let url = openable("https://аpple.com/").unwrap();
        assert_eq!(shown_host(&url), ("xn--pple-43d.com".to_owned(), true));
    }
}
