//! Whether a setting looks like a secret that nobody has marked as one.

/// Parts of names under which people keep secrets, compared in lower case and with `_` for `-`.
const NAMES: [&str; 13] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "api_key",
    "access_key",
    "private_key",
    "credential",
    "authorization",
    "cookie",
    "auth_key",
];

/// How issued secrets begin.
const PREFIXES: [&str; 16] = [
    "sk-",
    "sk_",
    "pk_live",
    "rk_live",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "hf_",
    "-----BEGIN",
];

/// Judges by the name of an environment variable or header, by how the value begins, and by whether
/// it is an address with a password. A reference such as `${TOKEN}` is not a secret, it only names
/// one.
pub fn looks_secret(name: &str, value: &str) -> bool {
    let value = value.trim();
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    if value.is_empty() || (value.starts_with("${") && value.ends_with('}')) {
        return false;
    }
    let name = name.to_lowercase().replace('-', "_");
    let named = NAMES.iter().any(|part| name.contains(part))
        || name.ends_with("_key")
        || name.ends_with("_pat");
    // Words such as "true" or a path under TOKEN_FILE are settings about secrets, not secrets.
    let plain = matches!(value, "true" | "false" | "0" | "1")
        || name.ends_with("_file")
        || name.ends_with("_path")
        || name.ends_with("_url");
    (named && !plain)
        || has_password(value)
        || PREFIXES
            .iter()
            .any(|prefix| value.starts_with(prefix) && value.len() >= 16)
}

/// Whether a text is an address with somebody's password: `postgres://user:password@host/db`. One
/// that is still to be filled in (`${PASSWORD}`) is none.
pub fn has_password(text: &str) -> bool {
    let Some((scheme, rest)) = text.trim().split_once("://") else {
        return false;
    };
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let password = authority
        .rsplit_once('@')
        .and_then(|(user, _)| Some(user.split_once(':')?.1))
        .unwrap_or_default();
    let is_reference = |(open, close)| password.starts_with(open) && password.ends_with(close);
    let references = [("${", "}"), ("{", "}"), ("<", ">")];
    !password.is_empty()
        && !references.into_iter().any(is_reference)
        && !password.strip_prefix('$').is_some_and(is_variable)
}

/// Whether a text is the name of an environment variable.
fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::{has_password, looks_secret};

    #[test]
    fn an_address_with_a_password_gives_it_away() {
        for address in [
            "postgres://user:hunter2@db.example/app",
            "https://me:p%40ss@host",
            "mongodb+srv://a:b@c/d?e=f",
            " redis://:word@localhost:6379 ",
            "https://me:$2y-hunter!@host",
            "https://me:$@host",
        ] {
            assert!(has_password(address), "{address}");
            assert!(looks_secret("DATABASE_URL", address), "{address}");
        }
        for address in [
            "postgres://user@db.example/app",
            "postgres://user:@db.example/app",
            "postgres://user:${PASSWORD}@db.example/app",
            "postgres://user:<password>@db.example/app",
            "postgres://user:$DB_PASSWORD@db.example/app",
            "http://127.0.0.1:8080/a:b@c",
            "user:hunter2@db.example",
            "see a://b",
            "://x:y@z",
        ] {
            assert!(!has_password(address), "{address}");
        }
    }

    #[test]
    fn names_and_beginnings_give_secrets_away() {
        for (name, value) in [
            ("GITHUB_TOKEN", "abc123def"),
            ("Authorization", "Bearer 0123456789"),
            ("X-Api-Key", "0123456789"),
            ("CONFIG", "ghp_0123456789abcdefghij"),
            ("DB_PASSWORD", "hunter22"),
        ] {
            assert!(looks_secret(name, value), "{name}={value}");
        }
    }

    #[test]
    fn settings_about_secrets_are_not_secrets() {
        for (name, value) in [
            ("LOG_LEVEL", "debug"),
            ("TOKEN_FILE", "/run/token"),
            ("GITHUB_TOKEN", "${GITHUB_TOKEN}"),
            ("USE_TOKEN", "true"),
            ("PATH", "/bin"),
            ("API_KEY", ""),
        ] {
            assert!(!looks_secret(name, value), "{name}={value}");
        }
    }
}
