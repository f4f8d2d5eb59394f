//! What a server asks for when it turns a request away: `WWW-Authenticate` (RFC 9110 section 11,
//! RFC 6750, RFC 9728 section 5.1).

use crate::{ServerText, scopes};
use egress::{HeaderMap, StatusCode, header::WWW_AUTHENTICATE};

/// Longest header value that is read, in bytes, and most challenges and parameters in it.
const LONGEST: usize = 16 * 1024;
const MOST: usize = 64;

/// The Bearer challenge of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Challenge {
    /// Where the server says its metadata lies. As it was written: it is checked when it is used.
    pub resource_metadata: Option<String>,
    /// The scopes that this operation needs.
    pub scopes: Vec<String>,
    /// The error's code, such as `invalid_token`.
    pub error: Option<ServerText>,
    /// The error in the server's words.
    pub error_description: Option<ServerText>,
    /// Whether a part of the header could not be read and was left out.
    pub malformed: bool,
}

impl Challenge {
    /// Reads an answer. `None` if it asks for no sign-in: neither 401, nor 403 with a Bearer
    /// challenge.
    pub fn parse(status: StatusCode, headers: &HeaderMap) -> Option<Self> {
        let mut challenges = Vec::new();
        let mut malformed = false;
        for value in headers.get_all(WWW_AUTHENTICATE).iter().take(MOST) {
            let (more, whole) = read(&String::from_utf8_lossy(value.as_bytes()));
            challenges.extend(more);
            malformed |= !whole;
        }
        let mut bearer: Vec<_> = challenges
            .into_iter()
            .filter(|raw| raw.scheme.eq_ignore_ascii_case("bearer"))
            .collect();
        // Of several, the one that says where to go on.
        let chosen = bearer
            .iter()
            .position(|raw| raw.get("resource_metadata").is_some())
            .unwrap_or(0);
        let raw = (chosen < bearer.len()).then(|| bearer.swap_remove(chosen));
        match (status, raw) {
            (StatusCode::UNAUTHORIZED, None) => Some(Self {
                malformed,
                ..Self::default()
            }),
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, Some(raw)) => {
                Some(Self::of(&raw, malformed))
            }
            _ => None,
        }
    }

    /// Whether the token was good and only its scopes were too few: sign in again with more, a few
    /// times at most.
    pub fn wants_more_scope(&self) -> bool {
        self.error
            .as_ref()
            .is_some_and(|error| error.as_str() == "insufficient_scope")
    }

    fn of(raw: &Raw, malformed: bool) -> Self {
        Self {
            resource_metadata: raw.get("resource_metadata").map(str::to_owned),
            scopes: raw.get("scope").map(scopes::split).unwrap_or_default(),
            error: raw.get("error").map(ServerText::new),
            error_description: raw.get("error_description").map(ServerText::new),
            malformed: malformed || raw.twice,
        }
    }
}

/// One challenge as it is written.
#[derive(Debug, Default)]
struct Raw {
    scheme: String,
    parameters: Vec<(String, String)>,
    /// A parameter came twice; the first is kept.
    twice: bool,
}

impl Raw {
    fn get(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    fn add(&mut self, name: &str, value: String) {
        if self.get(name).is_some() {
            self.twice = true;
        } else {
            self.parameters.push((name.to_owned(), value));
        }
    }
}

/// The challenges of one header value, and whether all of it could be read.
fn read(text: &str) -> (Vec<Raw>, bool) {
    if text.len() > LONGEST {
        return (Vec::new(), false);
    }
    let mut rest = Rest(text);
    let mut all: Vec<Raw> = Vec::new();
    for _ in 0..MOST {
        rest.skip(|c| c == ' ' || c == '\t' || c == ',');
        if rest.0.is_empty() {
            return (all, true);
        }
        let Some(name) = rest.token() else {
            return (all, false);
        };
        if rest.parameter_follows() {
            let (Some(value), Some(current)) = (rest.value(), all.last_mut()) else {
                return (all, false);
            };
            current.add(name, value);
            // Only a comma or the end may follow a parameter.
            rest.skip_space();
            if !rest.0.is_empty() && !rest.0.starts_with(',') {
                return (all, false);
            }
        } else {
            rest.skip_token68();
            all.push(Raw {
                scheme: name.to_owned(),
                ..Raw::default()
            });
        }
    }
    (all, false)
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self, these: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(these);
    }

    fn skip_space(&mut self) {
        self.skip(|c| c == ' ' || c == '\t');
    }

    /// RFC 9110 section 5.6.2.
    fn token(&mut self) -> Option<&'a str> {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let end = self.0.find(|c| !is_token(c)).unwrap_or(self.0.len());
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        (!token.is_empty()).then_some(token)
    }

    /// Whether the token before was the name of a parameter: then the `=` is taken.
    fn parameter_follows(&mut self) -> bool {
        let after = self.0.trim_start_matches([' ', '\t']);
        let Some(value) = after.strip_prefix('=') else {
            return false;
        };
        self.0 = value;
        self.skip_space();
        true
    }

    /// A token or a quoted string (RFC 9110 section 5.6.4).
    fn value(&mut self) -> Option<String> {
        let Some(quoted) = self.0.strip_prefix('"') else {
            return self.token().map(str::to_owned);
        };
        let (mut value, mut escaped) = (String::new(), false);
        for (at, c) in quoted.char_indices() {
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.0 = &quoted[at + 1..];
                    return Some(value);
                }
                _ => value.push(c),
            }
        }
        None
    }

    /// Skips the one word that some schemes carry in place of parameters (`token68`), if that is
    /// what follows.
    fn skip_token68(&mut self) {
        let Some(after) = self
            .0
            .strip_prefix(' ')
            .map(|rest| rest.trim_start_matches(' '))
        else {
            return;
        };
        let word =
            after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c));
        let end = word.trim_start_matches('=').trim_start_matches([' ', '\t']);
        if word.len() < after.len() && (end.is_empty() || end.starts_with(',')) {
            self.0 = end;
        }
    }
}

#[cfg(test)]
#[path = "challenge_test.rs"]
mod tests;
