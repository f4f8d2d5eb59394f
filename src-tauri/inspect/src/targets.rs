//! Places where credentials and private files lie: named in a text they are worth a look.

use crate::grams::{Grams, rarest};
use crate::{Finding, FindingKind, Severity};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// The most findings in one text.
const MOST: usize = 32;

/// Files, folders and addresses, small letters. A mark at the end is not part of a longer word.
const PLACES: &[&str] = &[
    "~/.ssh",
    "/.ssh/",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "authorized_keys",
    "/etc/shadow",
    "/etc/passwd",
    "/etc/sudoers",
    "~/.aws",
    ".aws/credentials",
    ".aws/config",
    "~/.kube",
    ".kube/config",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "~/.gnupg",
    ".docker/config.json",
    ".config/gcloud",
    "application_default_credentials.json",
    "~/.azure",
    ".bash_history",
    ".zsh_history",
    ".pgpass",
    "login.keychain",
    "library/keychains",
    "wallet.dat",
    "169.254.169.254",
    "metadata.google.internal",
    "100.100.100.200",
    "fd00:ec2::254",
    "/proc/self/environ",
    "/var/run/docker.sock",
    "~/.cursor/mcp.json",
    "claude_desktop_config.json",
    "~/.env",
    "/.env",
    " .env",
    "`.env`",
    "'.env'",
    "\".env\"",
    "~/.password-store",
    "ntds.dit",
    "system32\\config\\sam",
    "login data",
    "cookies.sqlite",
    "logins.json",
    "key4.db",
    "~/.vault-token",
    "/var/run/secrets/kubernetes.io",
    "%appdata%\\microsoft\\credentials",
    "seed phrase",
];

/// Finds the names of such places.
pub fn sensitive_targets(text: &str) -> Vec<Finding> {
    let Some(finder) = FINDER.as_ref().filter(|_| may_name_one(text)) else {
        return Vec::new();
    };
    let bytes = text.as_bytes();
    let word = |index: usize| {
        bytes
            .get(index)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let whole = |found: &aho_corasick::Match| {
        let begins = found.start() == 0 || !word(found.start()) || !word(found.start() - 1);
        begins && !(word(found.end() - 1) && word(found.end()))
    };
    let finding = |found: aho_corasick::Match| {
        Finding::of(
            FindingKind::SensitiveTarget,
            Severity::Low,
            text,
            found.range(),
        )
    };
    finder
        .find_iter(text)
        .filter(whole)
        .take(MOST)
        .map(finding)
        .collect()
}

/// Whether one of the names stands in a text at all.
fn may_name_one(text: &str) -> bool {
    let bytes = text.as_bytes();
    GRAMS.any(bytes, |at, (place, from)| {
        let from = at.checked_sub(from).and_then(|start| bytes.get(start..));
        from.and_then(|from| from.get(..PLACES[place].len()))
            .is_some_and(|there| there.eq_ignore_ascii_case(PLACES[place].as_bytes()))
    })
}

/// The rarest part of each name.
static GRAMS: LazyLock<Grams<(usize, usize), 4>> = LazyLock::new(|| {
    let of = |(index, place): (usize, &&str)| {
        let (from, gram) = rarest(place.as_bytes())?;
        Some((gram, (index, from)))
    };
    Grams::of(PLACES.iter().enumerate().filter_map(of))
});

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(PLACES)
        .ok()
});

#[cfg(test)]
mod tests {
    use super::sensitive_targets;

    #[test]
    fn places_are_found_however_large_their_letters_are() {
        for text in [
            "read ~/.ssh/id_rsa",
            "cat /ETC/shadow",
            "open .env now",
            "http://169.254.169.254/latest",
        ] {
            assert!(!sensitive_targets(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn every_place_has_a_part_by_which_it_is_found() {
        for place in super::PLACES {
            let text = format!("( {} )", place.to_uppercase());
            assert!(super::may_name_one(&text), "{place}");
        }
    }

    #[test]
    fn words_that_only_contain_one_are_left_alone() {
        for text in [
            "process.env.HOME",
            "the environment",
            "valid_rsa",
            "my.environment",
        ] {
            assert!(sensitive_targets(text).is_empty(), "{text}");
        }
    }
}
