//! Who may speak to the host over loopback.

use axum::http::{HeaderMap, StatusCode, header};
use host::Approver;

/// The tokens of one running host.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub port: u16,
    pub token: String,
    pub terminal_token: Option<String>,
    pub approver_token: Option<String>,
    /// In place of the first token, for the page whose address is shown to the person only.
    pub page_token: Option<String>,
}

/// The header that carries the second token.
pub(crate) const APPROVER: &str = "x-majordomo-approver";

/// The header of a command that says yes by itself, with any value.
pub(crate) const UNATTENDED: &str = "x-majordomo-unattended";

impl Guard {
    /// Turns away what does not come from this computer under its own name, or from a page of
    /// another origin. A web page that points a name of its own at 127.0.0.1 is stopped here.
    pub(crate) fn check_place(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        let names = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        let host = headers
            .get(header::HOST)
            .and_then(|value| value.to_str().ok());
        if !host.is_some_and(|host| names.iter().any(|name| name == host)) {
            return Err(StatusCode::FORBIDDEN);
        }
        match headers.get(header::ORIGIN) {
            None => Ok(()),
            Some(origin)
                if names
                    .iter()
                    .any(|name| origin.as_bytes() == format!("http://{name}").as_bytes()) =>
            {
                Ok(())
            }
            Some(_) => Err(StatusCode::FORBIDDEN),
        }
    }

    /// Turns away who does not know the token.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        let is_known =
            bearer(headers).is_some_and(|given| same(given, &self.token) || self.is_page(given));
        if is_known {
            Ok(())
        } else {
            Err(StatusCode::UNAUTHORIZED)
        }
    }

    fn is_page(&self, given: &str) -> bool {
        self.page_token
            .as_ref()
            .is_some_and(|token| same(given, token))
    }

    /// On whose word a request is made, if it carries a token for that.
    pub(crate) fn approver(&self, headers: &HeaderMap) -> Option<Approver> {
        if bearer(headers).is_some_and(|given| self.is_page(given)) {
            return Some(Approver::Browser);
        }
        let given = headers
            .get(APPROVER)
            .and_then(|value| value.to_str().ok())?;
        let is = |token: &Option<String>| token.as_ref().is_some_and(|token| same(given, token));
        if is(&self.approver_token) {
            Some(Approver::Token)
        } else if is(&self.terminal_token) {
            Some(if headers.contains_key(UNATTENDED) {
                Approver::Unattended
            } else {
                Approver::Terminal
            })
        } else {
            None
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.strip_prefix("Bearer "))
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

    fn guard() -> Guard {
        Guard {
            port: 7,
            token: "t".into(),
            terminal_token: None,
            approver_token: Some("a".into()),
            page_token: Some("p".into()),
        }
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
        let place = |pairs: &[(&'static str, &str)]| guard().check_place(&headers(pairs)).is_ok();
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
    fn a_request_needs_the_token_and_an_answer_another_one() {
        assert!(
            guard()
                .check_token(&headers(&[("authorization", "Bearer t")]))
                .is_ok()
        );
        assert!(
            guard()
                .check_token(&headers(&[("authorization", "Bearer x")]))
                .is_err()
        );
        assert!(guard().check_token(&headers(&[])).is_err());
        assert_eq!(
            guard().approver(&headers(&[(APPROVER, "a")])),
            Some(Approver::Token)
        );
        assert_eq!(guard().approver(&headers(&[(APPROVER, "t")])), None);
        assert_eq!(guard().approver(&headers(&[])), None);
        let page = headers(&[("authorization", "Bearer p")]);
        assert!(guard().check_token(&page).is_ok());
        assert_eq!(guard().approver(&page), Some(Approver::Browser));
    }
}
