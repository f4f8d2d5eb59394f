//! Where servers lie: the real ones that `cargo xtask test` has installed, and those that misbehave
//! on purpose.

use std::path::PathBuf;

/// The main file of an npm server, to be run with `node`.
pub fn npm(name: &str) -> String {
    let folder = std::env::var_os("MAJORDOMO_TEST_SERVERS")
        .expect("MAJORDOMO_TEST_SERVERS is not set: run `cargo xtask test`");
    let file = PathBuf::from(folder)
        .join("npm/node_modules/@modelcontextprotocol")
        .join(name)
        .join("dist/index.js");
    assert!(
        file.is_file(),
        "{} is missing: run `cargo xtask setup`",
        file.display()
    );
    file.display().to_string()
}

/// The server of `tests/servers`. Cargo puts it beside the program.
pub fn misbehave() -> String {
    window_driver::built("misbehave").display().to_string()
}
