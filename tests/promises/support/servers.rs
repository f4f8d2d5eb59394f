//! Real servers, installed by `cargo xtask test` at fixed versions.

use std::path::PathBuf;

/// Where they lie.
pub fn folder() -> PathBuf {
    std::env::var_os("MAJORDOMO_TEST_SERVERS")
        .map(PathBuf::from)
        .expect("MAJORDOMO_TEST_SERVERS is not set: run the tests with `cargo xtask test`")
}

/// npm's `@modelcontextprotocol/server-everything`.
pub fn everything() -> Vec<String> {
    npm("server-everything")
}

/// npm's `@modelcontextprotocol/server-filesystem`, without a folder of its own: it asks for roots.
pub fn filesystem() -> Vec<String> {
    npm("server-filesystem")
}

/// PyPI's `mcp-server-time`.
pub fn time() -> Vec<String> {
    python("mcp-server-time")
}

/// PyPI's `mcp-server-git`.
pub fn git() -> Vec<String> {
    python("mcp-server-git")
}

fn npm(name: &str) -> Vec<String> {
    let file = folder().join("npm/node_modules/@modelcontextprotocol").join(name).join("dist/index.js");
    vec!["node".to_owned(), there(file)]
}

fn python(name: &str) -> Vec<String> {
    let programs = folder().join(if cfg!(windows) { "python/Scripts" } else { "python/bin" });
    vec![there(programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))]
}

fn there(file: PathBuf) -> String {
    assert!(file.is_file(), "{} is missing: run the tests with `cargo xtask test`", file.display());
    file.to_str().unwrap().to_owned()
}
