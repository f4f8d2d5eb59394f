//! A server may be killed as often as one likes: it comes back, whoever called learns what became
//! of it, and nothing grows.

use crate::support::alone::is_alone;
use crate::support::processes::{mark, marked, wait_until_none};
use crate::support::{Choices, TestHost, WAIT_TIMEOUT, misbehave, text};
use host::Restart;
use host::api::{ErrorCode, HostEvent};
use policy::Decision;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use test_servers::process_name::number_of;
use tokio::runtime::Handle;

/// How often the server is killed.
const KILLS: usize = 50;
/// How often before anything is counted, so that all that is made once is there.
const BEFORE: usize = 5;

/// Everything that could grow.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Count {
    tasks: usize,
    files: usize,
    processes: usize,
}

impl Count {
    fn now(mark: &str, own: &Path) -> Self {
        let open = std::fs::read_dir("/proc/self/fd")
            .unwrap()
            .filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
        Self {
            tasks: Handle::current().metrics().num_alive_tasks(),
            // The database has up to as many connections as it may, and opens them when they are
            // needed.
            files: open.filter(|file| !file.starts_with(own)).count(),
            processes: marked(mark).len(),
        }
    }

    /// Whether nothing is more than it was.
    fn fits(self, before: Self) -> bool {
        self.tasks <= before.tasks
            && self.files <= before.files
            && self.processes <= before.processes
    }
}

/// Arguments that were not given before: the same call over and over would be asked about.
fn other() -> usize {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed)
}

/// Calls until the server has answered. What goes wrong meanwhile says that the connection was
/// lost, and nothing else.
async fn pid(test: &TestHost) -> u32 {
    loop {
        match test.call("often", "whoami", json!({"call": other()})).await {
            Ok(answer) => return number_of(&text(&answer)).unwrap(),
            Err(error) => assert_eq!(error.code, ErrorCode::ConnectionLost, "{error}"),
        }
    }
}

/// Kills the server while one calls it, and waits until it answers again. True if the call was
/// lost.
async fn kill(test: &TestHost) -> bool {
    let server = rustix::process::Pid::from_raw(pid(test).await.cast_signed()).unwrap();
    let mut recorder = test.listen();
    let (_, call) = test.call_later("often", "slow", json!({"ms": 1_000, "call": other()}));
    recorder
        .until(|event| matches!(event, HostEvent::CallProgress { .. }))
        .await;
    rustix::process::kill_process(server, rustix::process::Signal::KILL).unwrap();
    let lost = match call.await.unwrap() {
        Ok(answer) => {
            assert_eq!(answer["content"][0]["text"], "done", "{answer}");
            false
        }
        Err(error) => {
            assert_eq!(error.code, ErrorCode::ConnectionLost, "{error}");
            true
        }
    };
    pid(test).await;
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_again_and_again_comes_back_and_nothing_grows() {
    if !is_alone(
        "a_killed_server_leaves_no_trace::a_server_that_is_killed_again_and_again_comes_back_and_nothing_grows",
    ) {
        return;
    }
    let first = Duration::from_millis(10);
    let restart = Restart {
        first,
        longest: first,
        times: u32::MAX,
    };
    let test = TestHost::with(Choices {
        restart,
        ..Choices::default()
    })
    .await;
    let mark = mark();
    let env = json!([{"name": "MARK", "value": {"kind": "plain", "text": mark}}]);
    test.add_with(
        "often",
        json!({"kind": "stdio", "command": misbehave(), "args": ["ok"], "env": env}),
    )
    .await;
    // Once about each tool, and once about each twenty calls in a row that have failed.
    let person = test.person(std::iter::repeat_n(Decision::for_conversation(), 2 + KILLS));

    for _ in 0..BEFORE {
        kill(&test).await;
    }
    let before = settled(&mark, test.dir(), None).await;
    let mut lost = 0;
    for _ in 0..KILLS {
        lost += usize::from(kill(&test).await);
    }
    let after = settled(&mark, test.dir(), Some(before)).await;
    println!("{KILLS} kills, {lost} calls lost, before {before:?}, after {after:?}");
    assert!(after.fits(before), "before {before:?}, after {after:?}");
    // A call that runs when its server is killed does not end well.
    assert!(lost > 0);
    assert!((2..=2 + KILLS / 10).contains(&person.asked().len()));
    test.end().await;
    wait_until_none(&mark);
}

/// What there is when nothing changes any more, or, where it is known, when nothing is more than it
/// should be.
async fn settled(mark: &str, own: &Path, wanted: Option<Count>) -> Count {
    let begun = Instant::now();
    let mut last = Count::now(mark, own);
    let mut same = 0;
    while begun.elapsed() < WAIT_TIMEOUT {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let now = Count::now(mark, own);
        if wanted.is_some_and(|wanted| now.fits(wanted)) {
            return now;
        }
        same = if now == last { same + 1 } else { 0 };
        last = now;
        if wanted.is_none() && same == 20 {
            break;
        }
    }
    last
}
