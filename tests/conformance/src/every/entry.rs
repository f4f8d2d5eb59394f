//! One server of the list, and one that runs at an address.

use conformance::Trouble;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take until it can be reached.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// One server of the list.
#[derive(Debug, Deserialize)]
pub struct Entry {
    /// For the table.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables of its environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Its path, if it is a server at an address.
    pub path: Option<String>,
    /// What should be found, for whoever reads the table.
    #[serde(default)]
    pub expect: String,
}

impl Entry {
    /// Reads the list, with the folder put in.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Trouble> {
        let text = std::fs::read_to_string(folder.join("servers.json"))?;
        let folder = serde_json::to_string(&folder.to_string_lossy())?;
        Ok(serde_json::from_str(
            &text.replace("{folder}", folder.trim_matches('"')),
        )?)
    }
}

/// A server that runs at an address. It is killed with this value.
pub struct Running {
    child: Child,
    port: u16,
}

impl Running {
    /// Starts it and waits until it can be reached.
    pub fn start(entry: &Entry) -> Result<Self, Trouble> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let with_port = |text: &String| text.replace("{port}", &port.to_string());
        let (program, args) = entry.command.split_first().ok_or("there is no command")?;
        let mut command = Command::new(program);
        command.args(args.iter().map(with_port)).envs(
            entry
                .env
                .iter()
                .map(|(name, value)| (name, with_port(value))),
        );
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let running = Self { child, port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > START_TIMEOUT {
                return Err("it does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }

    /// Where it is.
    pub fn url(&self, entry: &Entry) -> String {
        format!(
            "http://127.0.0.1:{}{}",
            self.port,
            entry.path.as_deref().unwrap_or_default()
        )
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
