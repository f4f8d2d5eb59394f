//! Another application comes in: its configuration is written from the window, its call is answered
//! there, and taken back the file is what it was.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use window_driver::Majordomo;

/// What Claude Code has written by itself, with an order and spaces of its own.
const BEFORE: &str = "{\n    \"numStartups\": 12,\n    \"mcpServers\": {},\n  \"projects\": { \"/papers\": {\"allowedTools\": [ ]} }\n}";

#[tokio::test]
async fn an_application_is_connected_asks_in_the_window_and_leaves_its_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("home").join(".claude.json");
    std::fs::create_dir(folder.path().join("home")).unwrap();
    std::fs::write(&file, BEFORE).unwrap();
    let majordomo = Majordomo::at_home_in(folder).await;
    let page = majordomo.page().await;

    page.takes_the_first_server().await;

    page.click("link", "Applications").await;
    page.sees("Found on this computer").await;
    page.picture("applications").await;
    page.click("button", "Connect Claude Code").await;
    page.sees("These lines change; a copy of the file is kept")
        .await;
    page.sees("bridge").await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), BEFORE);
    page.picture("connect-an-application").await;
    page.click("button", "Write the change").await;
    page.sees("Claude Code is set up").await;
    page.click("button", "Done").await;

    let mut application = Application::start(&file);
    let tools = application.asks("tools/list", json!({})).await;
    assert!(tools.to_string().contains("currency__get_exchange_rate"));
    let called = application.asks(
        "tools/call",
        json!({"name": "currency__get_exchange_rate", "arguments": {"base": "EUR", "target": "CHF"}}),
    );
    let answered = async {
        page.question().await;
        page.sees("Claude Code").await;
        page.picture("question-of-an-application").await;
        page.click("button", "Allow once").await;
        page.after_the_question().await;
    };
    let (result, ()) = tokio::join!(called, answered);
    assert!(result.to_string().contains("1 EUR is"), "{result}");
    page.picture("application-connected").await;
    application.leave();

    page.click("button", "Undo the connection of Claude Code")
        .await;
    page.sees("The file becomes exactly what it was before")
        .await;
    page.picture("undo-a-connection").await;
    page.click("button", "Undo the connection").await;
    page.sees("The connection of Claude Code is undone").await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), BEFORE);
    majordomo.end().await;
}

/// What the application starts, by the words in its own file.
struct Application {
    child: Child,
    says: Option<ChildStdin>,
    hears: Option<BufReader<ChildStdout>>,
    asked: u32,
}

impl Application {
    fn start(file: &Path) -> Self {
        let settings: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let entry = &settings["mcpServers"]["majordomo"];
        let words = entry["args"].as_array().unwrap().iter();
        let mut child = Command::new(entry["command"].as_str().unwrap())
            .args(words.map(|word| word.as_str().unwrap()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut application = Self {
            says: child.stdin.take(),
            hears: child.stdout.take().map(BufReader::new),
            child,
            asked: 0,
        };
        application.says(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "claude-code", "version": "2"},
            }}),
        );
        application.says(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        application
    }

    fn says(&mut self, message: &Value) {
        writeln!(self.says.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Asks, and waits for the result without keeping the window waiting.
    async fn asks(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.says(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut hears = self.hears.take().unwrap();
        let (hears, heard) = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            loop {
                line.clear();
                assert!(
                    hears.read_line(&mut line).unwrap() > 0,
                    "the bridge has ended"
                );
                let message: Value = serde_json::from_str(&line).unwrap();
                if message["id"] == id {
                    return (hears, message);
                }
            }
        })
        .await
        .unwrap();
        self.hears = Some(hears);
        heard
    }

    /// Closes its side, and waits until what it started has ended.
    fn leave(mut self) {
        drop(self.says.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        // Also when a test has failed half-way; that it has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
