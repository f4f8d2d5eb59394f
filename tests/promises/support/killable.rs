//! A conversation on a host in a process of its own, which can be killed.

use super::TestHost;
use super::talk::Talk;
use super::terminal::{Running, Terminal};
use std::sync::Arc;
use tempfile::TempDir;

/// A folder with a conversation, on which a host of its own runs.
pub struct Killable {
    dir: Arc<TempDir>,
    pub talk: Talk,
    host: Running,
    _token: TempDir,
}

impl Killable {
    /// Ends a host and starts one in a process of its own on its folder, where something is said in
    /// a conversation.
    pub async fn say(test: TestHost, talk: Talk, text: &str) -> Self {
        let dir = test.end().await;
        let terminal = Terminal::on(dir.path());
        // So that a question waits for whoever has the token, and not for the one who says something.
        let token = tempfile::tempdir().unwrap();
        let file = token.path().join("token");
        let (host, _) = terminal.serve(&["--approver-token-file", file.to_str().unwrap()]);
        let conversation = talk.conversation.as_str().unwrap();
        let says = [
            "--yes",
            "chat",
            "--conversation",
            conversation,
            "--say",
            text,
        ];
        let says = says.map(str::to_owned);
        // It goes with the host.
        drop(std::thread::spawn(move || {
            terminal.run(&says.each_ref().map(String::as_str))
        }));
        Self {
            dir,
            talk,
            host,
            _token: token,
        }
    }

    pub fn terminal(&self) -> Terminal {
        Terminal::on(self.dir.path())
    }

    /// The host is killed.
    pub fn kill(self) -> (Arc<TempDir>, Talk) {
        self.host.kill();
        (self.dir, self.talk)
    }

    /// The host is killed, and another one is opened on the folder.
    pub async fn killed(self) -> (TestHost, Talk) {
        let (dir, talk) = self.kill();
        (TestHost::on(dir).await, talk)
    }
}
