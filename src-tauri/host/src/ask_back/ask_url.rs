//! An address that a server wants a person to open: shown whole, opened by the system's browser only after a yes, never fetched here.

use super::refuse::refuse;
use super::{ask, during};
use crate::api::AskRefusal;
use crate::{Host, rules};
use policy::{Answer, Subject};
use protocol::{CallId, ServerId, UrlAnswer, UrlAsk};
use store::{Entry, Event};
use url::{Host as UrlHost, Url};

/// The longest address that is shown, in bytes.
const LONGEST: usize = 8 * 1024;

pub(super) async fn ask_person(host: &Host, server: &ServerId, asked: UrlAsk, call: Option<CallId>) -> UrlAnswer {
    let during = during(host, server, call);
    let Some(url) = openable(&asked.url) else {
        refuse(host, server, during, AskRefusal::BadAddress);
        return UrlAnswer::Decline;
    };
    if rules::forbids_leaving(host, server, url.host_str().unwrap_or_default()).is_some() {
        refuse(host, server, during, AskRefusal::Rule);
        return UrlAnswer::Decline;
    }
    let masker = host.secrets().masker();
    // A secret of ours in the address would leave with it.
    if masker.mask(url.as_str()).is_some() {
        refuse(host, server, during, AskRefusal::SecretInAddress);
        return UrlAnswer::Decline;
    }
    let mut shown = UrlAsk { url: url.as_str().to_owned(), ..asked };
    masker.mask_text(&mut shown.message);
    let (name, look_alike) = shown_host(&url);
    let subject = Subject::Url { during, ask: shown, host: name, look_alike };
    match ask(host, server, subject).await {
        // Asked anew: the rules may have changed while the person was thinking.
        Ok(Answer::OpenUrl) if rules::forbids_leaving(host, server, url.host_str().unwrap_or_default()).is_some() => UrlAnswer::Decline,
        Ok(Answer::OpenUrl) => open(host, server, &url),
        Ok(_) => UrlAnswer::Decline,
        Err(_) => UrlAnswer::Cancel,
    }
}

fn open(host: &Host, server: &ServerId, url: &Url) -> UrlAnswer {
    let event = Event::UrlOpened { origin: url.origin().ascii_serialization() };
    let entry = Entry { at: host.now(), call: None, caller: None, approver: None, server: Some(server.clone()), tool: None, event };
    // What leaves no trace does not happen.
    if host.record(entry).is_err() {
        return UrlAnswer::Cancel;
    }
    match host.browser().open(url) {
        Ok(()) => UrlAnswer::Opened,
        Err(error) => {
            tracing::warn!(%server, %error, "the browser could not be opened");
            UrlAnswer::Cancel
        }
    }
}

/// The address, if it is one that a browser may be sent to: `https:`, or `http:` on this computer; no name and password in it.
pub(crate) fn openable(text: &str) -> Option<Url> {
    if text.len() > LONGEST || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let here = match url.host()? {
        UrlHost::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        UrlHost::Ipv4(ip) => ip.is_loopback(),
        UrlHost::Ipv6(ip) => ip.is_loopback(),
    };
    let plain = url.username().is_empty() && url.password().is_none();
    (plain && (url.scheme() == "https" || url.scheme() == "http" && here)).then_some(url)
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
    fn only_addresses_for_a_browser_are_opened() {
        for good in ["https://example.com/a?b=c", "http://127.0.0.1:8080/", "http://localhost/x", "https://xn--pple-43d.com/"] {
            assert!(openable(good).is_some(), "{good}");
        }
        for bad in [
            "http://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "a:$(touch x)",
            "\\\\server\\share",
            "https://me:secret@example.com/",
            "https://example.com/\nx",
            "smb://example.com/",
            "ms-msdt:/id",
            "",
        ] {
            assert!(openable(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_host_with_letters_of_other_scripts_is_shown_as_it_is_asked_for() {
        let url = openable("https://аpple.com/").unwrap();
        assert_eq!(shown_host(&url), ("xn--pple-43d.com".to_owned(), true));
    }
}
