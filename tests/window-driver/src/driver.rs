//! Starts Majordomo under WebKitWebDriver and ends it with everything that it started.

use crate::page::Page;
use crate::{built, native, processes};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value, json};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What is waited for at most: it only bounds a failure.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How many ports are tried: each was free a moment before.
const MOST_PORTS: usize = 10;

/// Majordomo with an open window, on a data folder of its own.
pub struct Majordomo {
    client: Client,
    // Dropped before the folder: the program may still be writing into it.
    driver: Driver,
    folder: TempDir,
    home: Option<PathBuf>,
}

/// `WebKitWebDriver`, the leader of a process group to which the window's process belongs.
struct Driver(Child);

impl Majordomo {
    /// A newcomer's: nothing has been done with it yet.
    pub async fn new() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap(), None).await
    }

    /// A newcomer's whose home folder is a folder of the test's, `home` in the one that is given.
    pub async fn at_home_in(folder: TempDir) -> Self {
        let home = folder.path().join("home");
        Self::in_folder(folder, Some(home)).await
    }

    /// On a folder in which something was done before.
    pub async fn on(folder: TempDir) -> Self {
        Self::in_folder(folder, None).await
    }

    /// The same, ended and started once more.
    pub async fn again(self) -> Self {
        let home = self.home.clone();
        Self::in_folder(self.end().await, home).await
    }

    async fn in_folder(folder: TempDir, home: Option<PathBuf>) -> Self {
        let options = json!({
            "binary": built("majordomo"),
            "args": ["--data-dir", Self::data_in(&folder)],
        });
        let capabilities = Map::from_iter([("webkitgtk:browserOptions".to_owned(), options)]);
        let (driver, client) =
            Driver::with_window(folder.path(), home.as_deref(), capabilities).await;
        Self {
            client,
            driver,
            folder,
            home,
        }
    }

    /// What a person sees. It begins in the main window.
    pub async fn page(&self) -> Page {
        Page::of(self.client.clone()).await
    }

    /// Where it keeps everything.
    pub fn data_dir(&self) -> PathBuf {
        Self::data_in(&self.folder)
    }

    /// Where a program that was started on this folder keeps everything.
    pub fn data_in(folder: &TempDir) -> PathBuf {
        folder.path().join("data")
    }

    /// A folder beside the data, for files of the test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        processes::mentioning_one(&self.data_dir())
    }

    /// The numbers of the processes that draw its pages.
    pub fn web_processes(&self) -> Vec<u32> {
        processes::descendants_named(self.process(), "WebKitWebProces")
    }

    /// How long it has been running, to a hundredth of a second.
    pub fn age(&self) -> Duration {
        processes::age(self.process())
    }

    /// Presses the close button of the window that was opened beside the main one.
    pub async fn close_newest_window(&self) {
        self.wait_until_two_windows_are_in_sight().await;
        native::close_newest_window_of(self.process());
    }

    /// Puts the main window before the one that was opened beside it.
    pub async fn put_main_window_in_front(&self) {
        self.wait_until_two_windows_are_in_sight().await;
        native::raise_oldest_window_of(self.process());
        assert!(!self.newest_window_is_in_front());
    }

    /// Waits until the window that was opened last is before the others.
    pub async fn wait_until_newest_window_is_in_front(&self) {
        until("the newest window to come forward", || {
            self.newest_window_is_in_front()
        })
        .await;
    }

    /// A page can be read before its window is in sight.
    async fn wait_until_two_windows_are_in_sight(&self) {
        until("a second window", || {
            native::windows_in_sight_of(self.process()) > 1
        })
        .await;
    }

    fn newest_window_is_in_front(&self) -> bool {
        native::newest_window_is_in_front_of(self.process())
    }

    /// Ends it, and sees to it that no process of it is left. Its folder goes where nobody takes it.
    pub async fn end(self) -> TempDir {
        let data_dir = self.data_dir();
        self.client.close().await.unwrap();
        drop(self.driver);
        processes::wait_until_none_mentions(&data_dir).await;
        self.folder
    }
}

impl Driver {
    /// One with an open window. It takes no port but one that it is told, and somebody else may have
    /// taken that meanwhile: then it ends at once, and another is tried.
    async fn with_window(
        folder: &Path,
        home: Option<&Path>,
        capabilities: Map<String, Value>,
    ) -> (Self, Client) {
        for _ in 0..MOST_PORTS {
            let (mut driver, address) = Self::start(folder, home);
            if let Some(client) = driver.window(&address, &capabilities).await {
                return (driver, client);
            }
        }
        panic!("WebKitWebDriver listened on none of {MOST_PORTS} ports");
    }

    /// Opens the window once it listens; nothing if it has ended.
    async fn window(&mut self, address: &str, capabilities: &Map<String, Value>) -> Option<Client> {
        let begun = Instant::now();
        loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            let opened = builder.capabilities(capabilities.clone()).connect(address);
            match opened.await {
                Ok(client) => return Some(client),
                Err(_) if self.0.try_wait().unwrap().is_some() => return None,
                Err(error) if begun.elapsed() > LONGEST_WAIT => {
                    panic!("the window did not open: {error:?}")
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// One that is told to listen on a port that was free a moment ago, and its address.
    fn start(folder: &Path, home: Option<&Path>) -> (Self, String) {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut command = Command::new("WebKitWebDriver");
        command
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null());
        // What the pages keep by themselves, such as the theme, is kept by the web view and not in
        // the data folder.
        for (variable, name) in [
            ("XDG_DATA_HOME", "web"),
            ("XDG_CONFIG_HOME", "web-config"),
            ("XDG_CACHE_HOME", "web-cache"),
        ] {
            command.env(variable, folder.join(name));
        }
        if let Some(home) = home {
            command.env("HOME", home);
        }
        let child = command
            .process_group(0)
            .spawn()
            .expect("WebKitWebDriver is missing: run `cargo xtask test`");
        (Self(child), format!("http://127.0.0.1:{port}"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Also when a test has failed half-way. The servers are in groups of their own and go with
        // the host.
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < LONGEST_WAIT, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
