//! Who may come in by a door, and on whose word.
//!
//! Always true here:
//! - each door has its own tokens: those of the note open nothing over TCP, and the page's nothing
//!   else;
//! - only the check of a token makes an [`Admitted`], and nothing is done without one.

use host::{Approver, Clients, Surface};
use hyper::{HeaderMap, StatusCode, header};
use protocol::{Caller, CallerId};

/// The header that carries the second token.
pub(crate) const APPROVER: &str = "x-majordomo-approver";

/// The name under which programs speak to the host where there is no port.
pub(crate) const NAME: &str = "localhost";

/// What guards one door.
pub(crate) struct Guard {
    /// The names under which it may be spoken to.
    names: Vec<String>,
    keys: Keys,
}

/// What opens it.
enum Keys {
    /// A token for every request, and others besides for whom they vouch for.
    Programs {
        token: String,
        words: Vec<(String, Approver)>,
        /// From where they ask, on nobody's word.
        surface: Surface,
    },
    /// The token in the address that is shown to the person only, and who opens it speaks for them.
    Page { token: String, surface: Surface },
    /// Each application has its own, of which the host keeps the hash.
    Clients,
}

/// A request has shown a valid token.
#[derive(Debug, Clone)]
pub(crate) struct Admitted(());

/// The application that has shown its token.
pub(crate) fn client_of(clients: &Clients, headers: &HeaderMap) -> Option<(CallerId, Admitted)> {
    let client = bearer(headers).and_then(|token| clients.by_token(token))?;
    Some((client, Admitted(())))
}

impl Guard {
    /// For the door of programs: the token for every request, and others with whom each vouches
    /// for.
    pub(crate) fn of_programs(token: String, words: Vec<(String, Approver)>) -> Self {
        Self {
            names: vec![NAME.to_owned()],
            keys: Keys::Programs {
                token,
                words,
                surface: Surface::of(Caller::terminal(), None),
            },
        }
    }

    /// For the page in a browser, at a port of 127.0.0.1.
    pub(crate) fn of_page(port: u16, token: String) -> Self {
        Self {
            names: vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            keys: Keys::Page {
                token,
                surface: Surface::of(Caller::browser(), Some(Approver::Browser)),
            },
        }
    }

    /// For other applications, at a port of 127.0.0.1.
    pub(crate) fn of_clients(port: u16) -> Self {
        Self {
            names: vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            keys: Keys::Clients,
        }
    }

    /// Turns away what does not come from this computer under its own name, or from a page of
    /// another origin. A web page that points a name of its own at 127.0.0.1 is stopped here.
    pub(crate) fn check_place(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        let is_named = |given: &[u8], scheme: &str| {
            self.names
                .iter()
                .any(|name| given == format!("{scheme}{name}").as_bytes())
        };
        let host = headers.get(header::HOST);
        let origin = headers.get(header::ORIGIN);
        let is_here = host.is_some_and(|host| is_named(host.as_bytes(), ""));
        let is_own = match self.keys {
            // No page is served there, so none speaks.
            Keys::Programs { .. } => origin.is_none(),
            Keys::Page { .. } | Keys::Clients => {
                origin.is_none_or(|origin| is_named(origin.as_bytes(), "http://"))
            }
        };
        if is_here && is_own {
            Ok(())
        } else {
            Err(StatusCode::FORBIDDEN)
        }
    }

    /// From where somebody asks who knows the token; turns everybody else away.
    pub(crate) fn check_token(
        &self,
        headers: &HeaderMap,
    ) -> Result<(Surface, Admitted), StatusCode> {
        let (token, surface, words) = match &self.keys {
            Keys::Programs {
                token,
                words,
                surface,
            } => (token, surface, words.as_slice()),
            Keys::Page { token, surface } => (token, surface, [].as_slice()),
            Keys::Clients => return Err(StatusCode::UNAUTHORIZED),
        };
        if !bearer(headers).is_some_and(|given| same(given, token)) {
            return Err(StatusCode::UNAUTHORIZED);
        }
        let word = headers.get(APPROVER).and_then(|given| given.to_str().ok());
        let vouched_for = word.and_then(|given| {
            let of_it = |(token, _): &&(String, Approver)| same(given, token);
            words.iter().find(of_it).map(|(_, approver)| *approver)
        });
        let surface = Surface {
            approver: vouched_for.or(surface.approver),
            ..surface.clone()
        };
        Ok((surface, Admitted(())))
    }

    /// The token by which this host is known to who has read its note.
    pub(crate) fn note_token(&self) -> Option<&str> {
        match &self.keys {
            Keys::Programs { token, .. } => Some(token),
            Keys::Page { .. } | Keys::Clients => None,
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token)
}

/// Compares without stopping at the first difference, so that the time taken says nothing.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given
            .bytes()
            .zip(token.bytes())
            .fold(0, |differences, (a, b)| differences | (a ^ b))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs() -> Guard {
        let words = [
            ("a", Approver::Token),
            ("u", Approver::Unattended),
            ("t", Approver::Terminal),
        ];
        let words = words.map(|(token, approver)| (token.to_owned(), approver));
        Guard::of_programs("n".into(), words.into())
    }

    fn page() -> Guard {
        Guard::of_page(7, "p".into())
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    header::HeaderName::from_static(name),
                    value.parse().unwrap(),
                )
            })
            .collect()
    }

    #[test]
    fn only_this_computer_under_its_own_name_gets_in() {
        let place = |pairs: &[(&'static str, &str)]| page().check_place(&headers(pairs)).is_ok();
        assert!(place(&[("host", "127.0.0.1:7")]));
        assert!(place(&[
            ("host", "localhost:7"),
            ("origin", "http://localhost:7")
        ]));
        assert!(!place(&[("host", "evil.example:7")]));
        assert!(!place(&[
            ("host", "127.0.0.1:7"),
            ("origin", "https://evil.example")
        ]));
        assert!(!place(&[("host", "127.0.0.1:7"), ("origin", "null")]));
        assert!(!place(&[]));
    }

    #[test]
    fn no_other_page_speaks_at_the_door_of_applications_and_no_other_token_opens_it() {
        let guard = Guard::of_clients(7);
        let place = |pairs: &[(&'static str, &str)]| guard.check_place(&headers(pairs)).is_ok();
        assert!(place(&[("host", "127.0.0.1:7")]));
        for (host, origin) in [
            ("127.0.0.1:7", "https://evil.example"),
            ("127.0.0.1:7", "http://localhost:8"),
            ("127.0.0.1:7", "null"),
            ("evil.example:7", "http://evil.example:7"),
        ] {
            assert!(!place(&[("host", host), ("origin", origin)]), "{origin}");
        }
        let given = headers(&[("authorization", "Bearer n")]);
        assert!(guard.check_token(&given).is_err());
        assert!(client_of(&Clients::default(), &given).is_none());
    }

    #[test]
    fn no_page_speaks_at_the_door_of_programs() {
        let place =
            |pairs: &[(&'static str, &str)]| programs().check_place(&headers(pairs)).is_ok();
        assert!(place(&[("host", "localhost")]));
        for origin in ["http://localhost", "https://evil.example", "null"] {
            assert!(!place(&[("host", "localhost"), ("origin", origin)]));
        }
        assert!(!place(&[("host", "evil.example")]));
        assert!(!place(&[]));
    }

    #[test]
    fn a_request_needs_the_token_of_its_door_and_an_answer_another_one() {
        let admitted = |guard: Guard, bearer: &str, second: &str| {
            let bearer = format!("Bearer {bearer}");
            let given = headers(&[("authorization", &bearer), (APPROVER, second)]);
            guard
                .check_token(&given)
                .map(|(surface, _)| (surface.caller, surface.approver))
        };
        for (second, approver) in [
            ("a", Some(Approver::Token)),
            ("u", Some(Approver::Unattended)),
            ("t", Some(Approver::Terminal)),
            ("n", None),
            ("p", None),
            ("", None),
        ] {
            let by_program = (Caller::terminal(), approver);
            assert_eq!(
                admitted(programs(), "n", second),
                Ok(by_program),
                "{second}"
            );
        }
        for bearer in ["x", "", "p", "a", "t"] {
            assert!(admitted(programs(), bearer, "a").is_err(), "{bearer}");
        }
        let by_page = (Caller::browser(), Some(Approver::Browser));
        assert_eq!(admitted(page(), "p", "a"), Ok(by_page));
        assert!(admitted(page(), "n", "").is_err());
        assert!(programs().check_token(&headers(&[])).is_err());
    }
}
