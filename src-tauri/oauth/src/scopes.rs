//! Which scopes are asked for. MCP authorization, "Scope Selection Strategy" and "Step-Up
//! Authorization Flow".

use crate::{Challenge, Discovery};

/// Most scopes that are read from one place.
const MOST: usize = 100;
/// Longest scope, in bytes.
const LONGEST: usize = 256;
/// The scope by which a client asks for a refresh token (OpenID Connect Core, section 11).
pub(crate) const OFFLINE_ACCESS: &str = "offline_access";

/// The scopes of one sign-in: those of the challenge, else those of the server's metadata, else
/// none; together with those asked for `earlier`, so that a step up never loses a permission.
/// `offline_access` is added where it is advertised.
///
/// An empty list means that no scope is named at all, and the authorization server decides.
pub fn choose(
    challenge: Option<&Challenge>,
    discovery: &Discovery,
    earlier: &[String],
) -> Vec<String> {
    let offered = discovery
        .scopes_supported
        .iter()
        .any(|scope| scope == OFFLINE_ACCESS);
    let asked = match challenge {
        Some(challenge) if !challenge.scopes.is_empty() => challenge.scopes.clone(),
        // A server should not list it there, and a list is not a demand.
        _ => discovery
            .resource_scopes
            .iter()
            .filter(|scope| offered || *scope != OFFLINE_ACCESS)
            .cloned()
            .collect(),
    };
    let mut scopes = union(earlier, &asked);
    // Alone it would replace what the authorization server gives when nothing is named.
    if offered && !scopes.is_empty() {
        scopes = union(&scopes, &[OFFLINE_ACCESS.to_owned()]);
    }
    scopes
}

/// Both lists as one, in the order of their first mention, each scope once.
pub fn union(first: &[String], second: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for scope in first.iter().chain(second) {
        if !all.contains(scope) {
            all.push(scope.clone());
        }
    }
    all
}

/// Reads a list that is separated by spaces. What cannot be a scope (RFC 6749, section 3.3) is left
/// out.
pub(crate) fn split(text: &str) -> Vec<String> {
    accept(text.split_ascii_whitespace())
}

/// Keeps what can be a scope.
pub(crate) fn accept<'a>(scopes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let valid = |scope: &&str| {
        !scope.is_empty()
            && scope.len() <= LONGEST
            && scope
                .bytes()
                .all(|b| matches!(b, 0x21 | 0x23..=0x5B | 0x5D..=0x7E))
    };
    let scopes: Vec<String> = scopes
        .into_iter()
        .filter(valid)
        .take(MOST)
        .map(str::to_owned)
        .collect();
    union(&scopes, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_a_scope_is_read() {
        assert_eq!(
            split("files:read  files:read a\"b ünï \\ x"),
            ["files:read", "x"]
        );
        assert_eq!(split(&"a b ".repeat(999)), ["a", "b"]);
        assert!(split(&"x".repeat(257)).is_empty());
    }
}
