//! Real servers, installed by `cargo xtask test` at fixed versions.

use super::WAIT_TIMEOUT;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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

/// PyPI's `mcp-server-fetch`, which keeps itself from no host and no page.
#[cfg(target_os = "linux")]
pub fn fetch() -> Vec<String> {
    [
        python("mcp-server-fetch"),
        vec![
            "--ignore-robots-txt".to_owned(),
            "--allow-private-ips".to_owned(),
        ],
    ]
    .concat()
}

/// A server written with PyPI's `fastmcp`, in this file.
pub fn fastmcp(script: &Path) -> Vec<String> {
    [python("python"), vec![script.to_str().unwrap().to_owned()]].concat()
}

/// npm's `server-everything` at an address on this computer. It is killed with this value.
pub struct EverythingAt {
    mode: &'static str,
    port: u16,
    child: Child,
}

impl EverythingAt {
    /// Starts it: `streamableHttp`, or `sse` as it was done before.
    pub fn new(mode: &'static str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        Self {
            mode,
            port,
            child: run(mode, port),
        }
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!(
            "http://127.0.0.1:{}/{}",
            self.port,
            if self.mode == "sse" { "sse" } else { "mcp" }
        )
    }

    /// Kills it and starts it at the same place; it remembers nothing.
    pub fn start_anew(&mut self) {
        self.kill();
        self.child = run(self.mode, self.port);
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for EverythingAt {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts it and waits until it can be reached. By itself it would listen to every computer around.
fn run(mode: &str, port: u16) -> Child {
    let stay = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/conformance/loopback.cjs");
    let words = everything();
    let mut command = Command::new(&words[0]);
    command
        .arg("--require")
        .arg(stay)
        .args(&words[1..])
        .arg(mode)
        .env("PORT", port.to_string());
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            begun.elapsed() < WAIT_TIMEOUT,
            "server-everything does not listen"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn npm(name: &str) -> Vec<String> {
    let file = folder()
        .join("npm/node_modules/@modelcontextprotocol")
        .join(name)
        .join("dist/index.js");
    vec!["node".to_owned(), there(file)]
}

fn python(name: &str) -> Vec<String> {
    let programs = folder().join(if cfg!(windows) {
        "python/Scripts"
    } else {
        "python/bin"
    });
    vec![there(
        programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)),
    )]
}

fn there(file: PathBuf) -> String {
    assert!(
        file.is_file(),
        "{} is missing: run the tests with `cargo xtask test`",
        file.display()
    );
    file.to_str().unwrap().to_owned()
}
