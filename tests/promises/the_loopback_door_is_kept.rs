//! Other programs of this user reach a running host, and only it: a crowd keeps nobody out, a
//! stranger in its place learns nothing, and no token has more power than the person gave it.

use crate::support::TestHost;
use crate::support::http::Address;
use crate::support::terminal::{Ran, Running, Terminal, files};
use serde_json::{Value, json};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A host without a window, and the file with the token for its answers.
struct Served {
    terminal: Terminal,
    token: String,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "it runs until it is dropped")
    )]
    running: Running,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "what is asked about it is asked of Linux")
    )]
    said: Value,
}

impl Served {
    fn with(words: &[&str]) -> Self {
        let terminal = Terminal::new();
        let token = terminal.beside("token").to_str().unwrap().to_owned();
        let words = [&["--approver-token-file", &token], words].concat();
        let (running, said) = terminal.serve(&words);
        Self {
            terminal,
            token,
            running,
            said,
        }
    }

    fn done(&self, words: &[&str]) {
        let ran = self.terminal.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
    }

    fn enable(&self) {
        self.done(&["servers", "review", "currency", "--accept", "--yes"]);
        self.done(&["servers", "enable", "currency", "--yes"]);
        self.done(&["offers", "approve", "currency", "--all", "--yes"]);
    }

    /// A call that waits for an answer, and its question.
    fn ask(&self) -> (Running, String) {
        let call = self.terminal.start(&[
            "call",
            "currency",
            "get_exchange_rate",
            "--args",
            r#"{"base": "USD", "target": "EUR"}"#,
        ]);
        let question = self.terminal.question();
        (call, question["id"].as_str().unwrap().to_owned())
    }

    fn answer(&self, question: &str, token_file: &str) -> Ran {
        self.terminal.run(&[
            "questions",
            "answer",
            question,
            "allow",
            "--approver-token-file",
            token_file,
        ])
    }
}

#[cfg(target_os = "linux")]
mod crowd {
    use super::*;
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

    /// As many as a host that keeps them has no file left for.
    const MANY: usize = 1100;
    const FILES: u64 = 1024;

    /// What a person does meanwhile: a call is asked about and answered, a server is started.
    fn everything_goes_on(served: &Served) {
        let (call, question) = served.ask();
        assert_eq!(served.answer(&question, &served.token).code, 0);
        assert_eq!(call.ended().code, 0);
        served.done(&["servers", "disable", "currency"]);
        served.done(&["servers", "enable", "currency", "--yes"]);
    }

    /// A host that may have as many files open as usual, and a test that may have more.
    fn served(ui: &Path) -> Served {
        let served = Served::with(&["--ui", ui.to_str().unwrap()]);
        served.enable();
        let pid = Pid::from_raw(served.running.pid().try_into().unwrap());
        let usual = Rlimit {
            current: Some(FILES),
            maximum: Some(FILES),
        };
        prlimit(pid, Resource::Nofile, usual).unwrap();
        let maximum = getrlimit(Resource::Nofile).maximum;
        let all = Rlimit {
            current: maximum,
            maximum,
        };
        setrlimit(Resource::Nofile, all).unwrap();
        served
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_silent_crowd_at_the_door_of_a_browser_keeps_nobody_out() {
        let ui = tempfile::tempdir().unwrap();
        let served = served(ui.path());
        let port = served.said["address"].as_str().unwrap();
        let port = port.split([':', '/']).nth(4).unwrap().parse().unwrap();
        let mut crowd = Vec::new();
        for _ in 0..MANY {
            crowd.push(std::net::TcpStream::connect(("127.0.0.1", port)).unwrap());
        }
        tokio::task::block_in_place(|| everything_goes_on(&served));
        drop(crowd);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_silent_crowd_at_the_door_of_programs_keeps_nobody_out() {
        let ui = tempfile::tempdir().unwrap();
        let served = served(ui.path());
        let address = Address::of_programs(&served.terminal.dir());
        let mut crowd = Vec::new();
        for _ in 0..MANY {
            crowd.push(address.connect().await);
        }
        tokio::task::block_in_place(|| everything_goes_on(&served));
        drop(crowd);
    }
}

/// Somebody who listens, answers everything alike and remembers all that they were sent.
#[derive(Clone, Default)]
struct Stranger(Arc<Mutex<Vec<u8>>>);

impl Stranger {
    fn meet(&self, mut stream: impl std::io::Read + std::io::Write + Send + 'static) {
        let heard = self.0.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = stream.read(&mut bytes) {
                heard.lock().unwrap().extend(&bytes[..length]);
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]";
                if stream.write_all(answer).is_err() {
                    return;
                }
            }
        });
    }

    /// Listens where a note of this format or of an earlier one says that a host does.
    fn in_the_place_of_a_host(&self, dir: &Path) {
        let socket = UnixListener::bind(dir.join("host.socket")).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        note_of_the_dead(dir, port.local_addr().unwrap().port());
        let (at_socket, at_port) = (self.clone(), self.clone());
        std::thread::spawn(move || {
            for stream in socket.incoming() {
                at_socket.meet(stream.unwrap());
            }
        });
        std::thread::spawn(move || {
            for stream in port.incoming() {
                at_port.meet(stream.unwrap());
            }
        });
    }
}

const LEFT: [&str; 3] = ["left behind: one", "left behind: two", "left behind: three"];

fn note_of_the_dead(dir: &Path, port: u16) {
    let [token, unattended, terminal] = LEFT;
    let note = json!({
        "port": port,
        "door": {"socket": "host.socket"},
        "token": token,
        "unattended_token": unattended,
        "terminal_token": terminal,
    });
    std::fs::write(dir.join("host.json"), note.to_string()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_in_the_place_of_a_host_is_told_nothing() {
    let test = TestHost::new().await;
    let stranger = Stranger::default();
    stranger.in_the_place_of_a_host(test.dir());
    let terminal = Terminal::on(test.dir());
    let commands: [&[&str]; 3] = [
        &["servers", "list"],
        &["servers", "enable", "currency", "--yes"],
        &[
            "call",
            "a",
            "b",
            "--args",
            r#"{"text": "left behind: four"}"#,
        ],
    ];
    for words in commands {
        let ran = tokio::task::block_in_place(|| terminal.run(words));
        let heard = String::from_utf8_lossy(&stranger.0.lock().unwrap()).into_owned();
        assert!(!heard.contains("left behind"), "{words:?}: {heard}");
        assert!(!heard.to_lowercase().contains("authorization"), "{heard}");
        assert!(!heard.contains("POST"), "{heard}");
        assert!(
            ran.code == 1 && ran.err.contains("not the Majordomo"),
            "{ran:?}"
        );
    }
    let heard = stranger.0.lock().unwrap();
    assert_eq!(
        heard
            .windows(11)
            .filter(|part| part == b"GET /proof/")
            .count(),
        3
    );
}

#[test]
fn the_note_of_a_dead_host_is_taken_away_before_anything_else() {
    let terminal = Terminal::new();
    terminal.json(&["servers", "list"]);
    let dir = terminal.dir();
    let listener = UnixListener::bind(dir.join("host.socket")).unwrap();
    note_of_the_dead(&dir, 1);
    // Nothing that comes after the lock works.
    std::fs::write(dir.join("majordomo.db"), "no database").unwrap();
    assert_ne!(terminal.run(&["servers", "list"]).code, 0);
    assert!(!dir.join("host.json").exists(), "the note was left");
    assert!(!dir.join("host.socket").exists(), "the socket was left");
    drop(listener);
}

#[test]
fn the_note_of_a_living_host_stays_whoever_asks() {
    let terminal = Terminal::new();
    let (running, _) = terminal.serve(&[]);
    let note = std::fs::read(terminal.dir().join("host.json")).unwrap();
    terminal.json(&["servers", "list"]);
    // A second one is turned away.
    assert_eq!(terminal.run(&["serve"]).code, 1);
    assert_eq!(
        std::fs::read(terminal.dir().join("host.json")).unwrap(),
        note
    );
    terminal.json(&["servers", "list"]);
    running.kill();
    assert!(terminal.dir().join("host.json").exists());
    terminal.json(&["servers", "list"]);
    assert!(!terminal.dir().join("host.json").exists());
    assert!(!terminal.dir().join("host.socket").exists());
}

#[test]
fn with_an_approver_token_no_other_token_answers() {
    let served = Served::with(&[]);
    served.enable();
    let (call, question) = served.ask();
    let note = std::fs::read_to_string(served.terminal.dir().join("host.json")).unwrap();
    let tokens: Vec<&str> = note
        .split('"')
        .filter(|text| text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .collect();
    assert!(!tokens.is_empty(), "{note}");
    let other = served.terminal.beside("other");
    for token in tokens {
        std::fs::write(&other, token).unwrap();
        let ran = served.answer(&question, other.to_str().unwrap());
        assert_eq!(ran.code, 3, "a token of the note has answered: {ran:?}");
    }
    let token = std::fs::read(&served.token).unwrap();
    for (path, bytes) in files(&served.terminal.dir()) {
        let is_there = bytes.windows(token.len()).any(|part| part == token);
        assert!(!is_there, "the token lies in {}, too", path.display());
    }
    assert_eq!(served.answer(&question, &served.token).code, 0);
    assert_eq!(call.ended().code, 0);
}

#[test]
fn a_host_in_a_folder_with_a_long_path_is_found_and_leaves_nothing() {
    let (terminal, runtime) = (Terminal::new(), tempfile::tempdir().unwrap());
    let deep = terminal.beside(&"d".repeat(120));
    let terminal = Terminal::on(&deep);
    let runtime_dir = runtime.path().to_str().unwrap();
    let left = || std::fs::read_dir(runtime.path()).unwrap().count();
    let serve = || {
        terminal
            .serve_with(&[], &[("XDG_RUNTIME_DIR", runtime_dir)])
            .0
    };

    let running = serve();
    assert_eq!(left(), 1);
    assert!(terminal.json(&["servers", "list"]).is_array());
    running.kill();
    assert_eq!(left(), 1);
    terminal.json(&["servers", "list"]);
    assert_eq!(left(), 0, "the next one tidies up");
    #[cfg(target_os = "linux")]
    {
        assert_eq!(serve().end(), 0);
        assert_eq!(left(), 0);
    }
}

#[cfg(target_os = "linux")]
mod tcp {
    use super::*;
    use std::collections::HashSet;

    /// The addresses at which a process listens, as the system writes them.
    fn listening(running: &Running) -> Vec<String> {
        let process = format!("/proc/{}", running.pid());
        let sockets: HashSet<String> = std::fs::read_dir(format!("{process}/fd"))
            .unwrap()
            .filter_map(|file| std::fs::read_link(file.unwrap().path()).ok())
            .filter_map(|to| {
                let number = to.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
                Some(number.to_owned())
            })
            .collect();
        let mut found = Vec::new();
        for table in ["tcp", "tcp6"] {
            let text =
                std::fs::read_to_string(format!("{process}/net/{table}")).unwrap_or_default();
            for line in text.lines().skip(1) {
                let columns: Vec<&str> = line.split_whitespace().collect();
                // 0A is LISTEN.
                if columns[3] == "0A" && sockets.contains(columns[9]) {
                    found.push(columns[1].to_owned());
                }
            }
        }
        found
    }

    #[test]
    fn nothing_listens_on_tcp_unless_a_browser_was_asked_for() {
        let served = Served::with(&[]);
        served.enable();
        assert_eq!(served.said["address"], Value::Null);
        assert!(listening(&served.running).is_empty());

        let ui = tempfile::tempdir().unwrap();
        let served = Served::with(&["--ui", ui.path().to_str().unwrap()]);
        let at = listening(&served.running);
        assert!(
            at.len() == 1 && at[0].starts_with("0100007F:"),
            "not this computer only: {at:?}"
        );
    }
}
