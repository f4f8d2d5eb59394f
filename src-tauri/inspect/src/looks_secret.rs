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

/// Judges by the name of an environment variable or header, and by how the value begins. A
/// reference such as `${TOKEN}` is not a secret, it only names one.
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
        || PREFIXES
            .iter()
            .any(|prefix| value.starts_with(prefix) && value.len() >= 16)
}

#[cfg(test)]
mod tests {
    use super::looks_secret;

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
