//! Places where credentials and private files lie: named in a text they are worth a look.

use crate::spots::Spots;
use crate::{Finding, FindingKind, Severity};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// The most findings in one text.
const MOST: usize = 32;

/// Files, folders and addresses, small letters. A mark at the end is not part of a longer word.
pub(crate) const PLACES: &[&str] = &[
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
    in_spots(text, &Spots::of(text))
}

/// The same for a text, or the beginning of one, of which it is known what it may hold.
pub(crate) fn in_spots(text: &str, spots: &Spots) -> Vec<Finding> {
    let Some(finder) = FINDER.as_ref().filter(|_| spots.has_target) else {
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
