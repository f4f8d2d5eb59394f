//! Servers that are confined: what they have of their own, and which hosts they reach.

use crate::support::{call, misbehave, not_started, program, running, started, text};
use connections::{Confinement, ConnectionError, Follow, HostOutcome, HostUses, StdioStart};
use egress::{Egress, Proxy, Resolver, Settings};
use futures::FutureExt as _;
use futures::future::{BoxFuture, ready};
use protocol::ListedHost;
use sandbox::profile::{Profile, Tier};
use serde_json::json;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// The connections of one server at once.
const MOST_CONNECTIONS: usize = 128;

/// Names with their answers, one for each question; the last one stays.
#[derive(Default)]
struct Names {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    /// What was asked for, with answers or without.
    asked: Mutex<Vec<String>>,
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut names = self.answers.lock().unwrap();
        let answers = names.get_mut(host);
        let answer = answers.and_then(|answers| match answers.len() {
            1 => answers.front().cloned(),
            _ => answers.pop_front(),
        });
        ready(answer.ok_or_else(|| io::ErrorKind::NotFound.into())).boxed()
    }
}

/// A server that is confined, and what of it is seen from outside.
struct Confined {
    start: StdioStart,
    uses: HostUses,
    home: TempDir,
    names: Arc<Names>,
}

/// Confined to these hosts. Names lead where is said: the answers to questions, one after the other.
fn confined(hosts: &[&str], names: &[(&str, &[&str])]) -> Confined {
    let mut start = misbehave(&["reaches"]);
    let (home, uses) = (tempfile::tempdir().unwrap(), HostUses::default());
    let addresses = |answer: &&str| answer.split(' ').map(|one| one.parse().unwrap()).collect();
    let names = names.iter().map(|(name, answers)| {
        let answers = answers.iter().map(addresses).collect();
        ((*name).to_owned(), answers)
    });
    let names = Arc::new(Names {
        answers: Mutex::new(names.collect()),
        ..Names::default()
    });
    let egress = Egress::new(Settings {
        proxy: Proxy::None,
        resolver: names.clone(),
        ..Settings::default()
    });
    start.confinement = Some(Confinement {
        profile: Profile {
            read: vec![program("misbehave")],
            home: home.path().to_owned(),
            ..Profile::nothing(Tier::Namespaces)
        },
        hosts: hosts
            .iter()
            .map(|host| ListedHost::parse(host).unwrap())
            .collect(),
        egress: egress.unwrap(),
        uses: uses.clone(),
    });
    Confined {
        start,
        uses,
        home,
        names,
    }
}

/// What was done with hosts: name, port, outcome, how often.
fn noted(uses: &HostUses) -> Vec<(String, Option<u16>, HostOutcome, u64)> {
    let uses = uses.all().into_iter();
    uses.map(|one| (one.host, one.port, one.outcome, one.count))
        .collect()
}

/// Says again what is said to it, on a port of this computer.
async fn echo() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                copy(&mut from, &mut to).await
            });
        }
    });
    port
}

#[tokio::test]
async fn a_confined_server_has_a_home_of_its_own() {
    let Confined { start, home, .. } = confined(&[], &[]);
    let (connection, _handler) = started(start).await;
    let of = |name: &'static str| call(&connection, "env", json!({ "name": name }));
    let home = home.path().to_str().unwrap();
    assert_eq!(text(of("HOME").await.unwrap()), home);
    assert_eq!(text(of("TMPDIR").await.unwrap()), "/tmp");
    assert_eq!(text(of("TOKEN").await.unwrap()), "hunter2-of-the-test");
    connection.stop().await;
}

/// npm's server-filesystem is told that everything is allowed, so that it refuses nothing by itself.
#[tokio::test]
async fn a_server_that_looks_at_no_path_itself_cannot_leave_its_folder() {
    let servers = std::env::var_os("MAJORDOMO_TEST_SERVERS")
        .map(PathBuf::from)
        .expect("MAJORDOMO_TEST_SERVERS is not set: run the tests with `cargo xtask test`");
    let packages = servers.join("npm/node_modules");
    let script = packages.join("@modelcontextprotocol/server-filesystem/dist/index.js");
    let path = std::env::var_os("PATH");
    let node = connections::resolve("node", path.as_deref()).unwrap();
    let runtime = node.canonicalize().unwrap();
    let (given, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (folder, text) in [(&given, "tea"), (&other, "a secret")] {
        std::fs::write(folder.path().join("note.txt"), text).unwrap();
    }
    std::os::unix::fs::symlink(other.path(), given.path().join("link")).unwrap();

    let mut confined = confined(&[], &[]);
    let profile = &mut confined.start.confinement.as_mut().unwrap().profile;
    let runtime = runtime.ancestors().nth(2).unwrap().to_owned();
    profile.read = vec![node.clone(), runtime, packages.clone()];
    profile.write = vec![given.path().to_owned()];
    confined.start.command = node;
    confined.start.args = vec![script.to_str().unwrap().to_owned(), "/".to_owned()];
    let (connection, _handler) = started(confined.start).await;
    let read = async |path: PathBuf| {
        let result = call(&connection, "read_text_file", json!({ "path": path })).await;
        let result = result.unwrap();
        (result.is_error, text(result))
    };
    let at = |folder: &TempDir, name: &str| folder.path().join(name);
    assert_eq!(
        read(at(&given, "note.txt")).await,
        (false, "tea".to_owned())
    );
    for outside in [
        at(&other, "note.txt"),
        at(&given, "link/note.txt"),
        at(&given, "..")
            .join(other.path().file_name().unwrap())
            .join("note.txt"),
        PathBuf::from("/etc/shadow"),
        PathBuf::from("/proc/1/environ"),
    ] {
        let (failed, said) = read(outside.clone()).await;
        assert!(failed && !said.contains("a secret"), "{outside:?}: {said}");
    }
    for outside in [at(&other, "new.txt"), at(&given, "link/new.txt")] {
        let told = json!({ "path": outside, "content": "mine" });
        let result = call(&connection, "write_file", told).await.unwrap();
        assert!(result.is_error, "{outside:?}");
    }
    connection.stop().await;
    assert!(!at(&other, "new.txt").exists());
}

#[tokio::test]
async fn a_server_that_cannot_be_confined_as_it_should_be_is_not_started() {
    let mut confined = confined(&[], &[]);
    let confinement = confined.start.confinement.as_mut().unwrap();
    confinement.profile.tier = Tier::Seatbelt;
    let failure = not_started(confined.start).await;
    assert!(
        matches!(failure.error, ConnectionError::NotConfined { .. }),
        "{failure}"
    );
}

#[tokio::test]
async fn a_listed_host_is_reached_by_its_name_and_all_that_is_said_arrives() {
    let port = echo().await;
    let (by_name, here) = (format!("*.Example.com:{port}"), format!("127.0.0.1:{port}"));
    let names: &[(&str, &[&str])] = &[("api.example.com", &["127.0.0.1"])];
    let Confined {
        start, uses, home, ..
    } = confined(&[&by_name, &here], names);
    let (connection, _handler) = started(start).await;
    let say = |tool: &'static str, host: &'static str| {
        let said = json!({ "host": host, "port": port, "text": "hello", "bytes": 3_000_000 });
        call(&connection, tool, said)
    };
    assert_eq!(
        text(say("look_up", "api.example.com").await.unwrap()),
        "127.64.0.1"
    );
    for host in ["api.example.com", "API.example.com", "127.0.0.1"] {
        assert_eq!(text(say("say", host).await.unwrap()), "hello", "{host}");
    }
    assert_eq!(
        text(say("say_bytes", "api.example.com").await.unwrap()),
        "3000000 bytes, the same: true"
    );
    connection.stop().await;
    let reached = |host: &str, count| (host.to_owned(), Some(port), HostOutcome::Reached, count);
    assert_eq!(
        noted(&uses),
        [reached("127.0.0.1", 1), reached("api.example.com", 3)]
    );
    drop(home);
}

#[tokio::test]
async fn this_computer_is_reached_where_it_is_listed() {
    let (port, other) = (echo().await, echo().await);
    let listed = format!("localhost:{port}");
    let Confined { start, uses, .. } = confined(&[&listed, &format!("a.example:{other}")], &[]);
    let (connection, _handler) = started(start).await;
    let say = async |port: u16| {
        let said = json!({ "host": "localhost", "port": port, "text": "hello" });
        text(call(&connection, "say", said).await.unwrap())
    };
    assert_eq!(say(port).await, "hello");
    assert_eq!(say(other).await, "Connection reset by peer");
    connection.stop().await;
    let mut expected = [
        ("localhost".to_owned(), Some(port), HostOutcome::Reached, 1),
        (
            "localhost".to_owned(),
            Some(other),
            HostOutcome::NotListed,
            1,
        ),
    ];
    expected.sort();
    assert_eq!(noted(&uses), expected);
}

#[tokio::test]
async fn what_is_not_listed_is_not_there_and_is_noted() {
    let port = echo().await;
    let listed = format!("api.example.com:{port}");
    let names: &[(&str, &[&str])] = &[
        ("api.example.com", &["127.0.0.1"]),
        ("evil.example", &["127.0.0.1"]),
    ];
    let Confined { start, uses, .. } = confined(&[&listed, "b.example:81"], names);
    let (connection, _handler) = started(start).await;
    let say = async |host: &str, port: u16| {
        let said = json!({ "host": host, "port": port, "text": "hello" });
        text(call(&connection, "say", said).await.unwrap())
    };
    assert!(
        say("evil.example", port)
            .await
            .starts_with("failed to lookup")
    );
    assert_eq!(say("1.1.1.1", port).await, "Network is unreachable");
    assert_eq!(say("127.64.9.9", port).await, "Connection reset by peer");
    assert_eq!(say("127.0.0.1", 80).await, "Connection refused");
    assert_eq!(say("api.example.com", 81).await, "Connection reset by peer");
    connection.stop().await;
    let noted = noted(&uses).into_iter();
    let noted: Vec<_> = noted
        .map(|(host, port, outcome, _)| (host, port, outcome))
        .collect();
    assert_eq!(
        noted,
        [
            ("127.64.9.9".to_owned(), Some(port), HostOutcome::NotListed),
            (
                "api.example.com".to_owned(),
                Some(81),
                HostOutcome::NotListed
            ),
            ("evil.example".to_owned(), None, HostOutcome::NotListed),
        ]
    );
}

#[tokio::test]
async fn a_name_that_is_not_listed_carries_nothing_out() {
    let port = echo().await;
    let listed = format!("api.example.com:{port}");
    let known: &[(&str, &[&str])] = &[("api.example.com", &["127.0.0.1"])];
    let Confined { start, names, .. } = confined(&[&listed], known);
    let (connection, _handler) = started(start).await;
    let long = format!("{}.evil.example", "s3cr3t".repeat(10));
    for name in [
        "s3cr3t.evil.example",
        "s3cr3t.api.example.com",
        "com",
        &long,
    ] {
        let host = json!({ "host": name, "port": port, "text": "hello" });
        for tool in ["look_up", "say"] {
            let heard = text(call(&connection, tool, host.clone()).await.unwrap());
            assert!(heard.starts_with("failed to lookup"), "{name}: {heard}");
        }
    }
    // Nor is anybody asked for one that is listed, before it is connected to.
    let host = json!({ "host": "api.example.com" });
    let found = text(call(&connection, "look_up", host).await.unwrap());
    assert_eq!(found, "127.64.0.1");
    assert_eq!(*names.asked.lock().unwrap(), [] as [String; 0]);
    for address in ["10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254"] {
        let said = json!({ "host": address, "port": port, "text": "hello" });
        let heard = text(call(&connection, "say", said).await.unwrap());
        assert_eq!(heard, "Network is unreachable", "{address}");
    }
    connection.stop().await;
}

#[tokio::test]
async fn a_home_may_lie_behind_a_link_of_the_hosts_and_be_none() {
    let mut behind = confined(&[], &[]);
    let folder = tempfile::tempdir().unwrap();
    let (around, link) = (folder.path().join("around"), folder.path().join("link"));
    std::os::unix::fs::symlink(behind.home.path().parent().unwrap(), &around).unwrap();
    std::os::unix::fs::symlink(behind.home.path(), &link).unwrap();
    let name = behind.home.path().file_name().unwrap();
    let confinement = behind.start.confinement.as_mut().unwrap();
    confinement.profile.home = around.join(name);
    let (connection, _handler) = started(behind.start.clone()).await;
    let home = call(&connection, "env", json!({ "name": "HOME" })).await;
    assert_eq!(text(home.unwrap()), behind.home.path().to_str().unwrap());
    connection.stop().await;
    behind.start.confinement.as_mut().unwrap().profile.home = link;
    let failure = not_started(behind.start).await;
    assert!(
        matches!(failure.error, ConnectionError::NotConfined { .. }),
        "{failure}"
    );
}

#[tokio::test]
async fn hosts_are_not_listed_where_there_is_no_network_of_its_own() {
    let mut confined = confined(&["api.example.com"], &[]);
    let confinement = confined.start.confinement.as_mut().unwrap();
    confinement.profile.tier = Tier::Landlock;
    let failure = not_started(confined.start).await;
    assert!(
        matches!(failure.error, ConnectionError::NotConfined { .. }),
        "{failure}"
    );
}

#[tokio::test]
async fn a_name_leads_to_no_place_that_is_not_public_or_listed_itself() {
    let port = echo().await;
    let names: &[(&str, &[&str])] = &[
        ("metadata.example", &["169.254.169.254"]),
        ("private.example", &["10.0.0.1"]),
        ("both.example", &["1.1.1.1 192.168.0.1"]),
        ("here.example", &["127.0.0.1"]),
        ("mapped.example", &["::ffff:127.0.0.1"]),
        ("nobody.example", &["0.0.0.0"]),
    ];
    let listed = [
        format!("*.a.example:{port}"),
        // Not even because it is listed.
        format!("169.254.169.254:{port}"),
    ];
    let mut listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let with_port: Vec<_> = names
        .iter()
        .map(|(name, _)| format!("{name}:{port}"))
        .collect();
    listed.extend(with_port.iter().map(String::as_str));
    let Confined { start, uses, .. } = confined(&listed, names);
    let (connection, _handler) = started(start).await;
    for (name, _) in names.iter().chain(&[("169.254.169.254", &[][..])]) {
        let said = json!({ "host": name, "port": port, "text": "hello" });
        let heard = text(call(&connection, "say", said).await.unwrap());
        assert_eq!(heard, "Connection reset by peer", "{name}");
    }
    connection.stop().await;
    let problems: Vec<_> = uses
        .all()
        .into_iter()
        .map(|one| {
            assert_eq!(one.outcome, HostOutcome::Forbidden, "{one:?}");
            one.problem.unwrap()
        })
        .collect();
    assert_eq!(
        problems,
        [
            "169.254.169.254 is not reached: it leads to a cloud's metadata service (169.254.169.254)",
            "both.example is not reached: it leads to a private network (192.168.0.1)",
            "here.example is not reached: it leads to this computer (127.0.0.1)",
            "mapped.example is not reached: it leads to this computer (::ffff:127.0.0.1)",
            "metadata.example is not reached: it leads to a cloud's metadata service (169.254.169.254)",
            "nobody.example is not reached: it leads to no address at all (0.0.0.0)",
            "private.example is not reached: it leads to a private network (10.0.0.1)",
        ]
    );
}

#[tokio::test]
async fn a_name_that_moves_gains_nothing() {
    let port = echo().await;
    let (listed, here) = (format!("moves.example:{port}"), format!("127.0.0.1:{port}"));
    // Each answer is for one connection, whatever the next one would be.
    let names: &[(&str, &[&str])] = &[("moves.example", &["127.0.0.1", "10.0.0.1", "127.0.0.1"])];
    let Confined { start, uses, .. } = confined(&[&listed, &here], names);
    let (connection, _handler) = started(start).await;
    for heard in ["hello", "Connection reset by peer", "hello"] {
        let said = json!({ "host": "moves.example", "port": port, "text": "hello" });
        assert_eq!(text(call(&connection, "say", said).await.unwrap()), heard);
    }
    connection.stop().await;
    let outcomes: Vec<_> = noted(&uses).into_iter().map(|one| (one.2, one.3)).collect();
    assert_eq!(
        outcomes,
        [(HostOutcome::Reached, 2), (HostOutcome::Forbidden, 1)]
    );
}

#[tokio::test]
async fn only_so_many_connections_are_open_at_once_and_the_others_wait() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // How many are open, and how many were at most.
    let open = Arc::new(watch::Sender::new((0_usize, 0_usize)));
    let enough = Arc::new(Semaphore::new(0));
    let (opened, released) = (Arc::clone(&open), Arc::clone(&enough));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (opened, released) = (Arc::clone(&opened), Arc::clone(&released));
            opened.send_modify(|(now, most)| {
                *now += 1;
                *most = (*most).max(*now);
            });
            tokio::spawn(async move {
                let _one = released.acquire().await.unwrap();
                opened.send_modify(|(now, _)| *now -= 1);
                stream.write_all(b"x").await.unwrap();
            });
        }
    });
    let Confined { start, .. } = confined(&[&format!("localhost:{port}")], &[]);
    let (connection, _handler) = started(start).await;
    let many = json!({ "host": "localhost", "port": port, "connections": 200 });
    let (_, crowd) = running(&connection, "crowd", many, Follow::nothing());
    let mut seen = open.subscribe();
    seen.wait_for(|(now, _)| *now == MOST_CONNECTIONS)
        .await
        .unwrap();
    enough.add_permits(200);
    assert_eq!(text(crowd.await.unwrap().unwrap()), "200");
    assert_eq!(*open.borrow(), (0, MOST_CONNECTIONS));
    connection.stop().await;
}

#[tokio::test]
async fn the_end_of_a_server_closes_all_of_its_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let Confined { start, .. } = confined(&[&format!("localhost:{port}")], &[]);
    let (connection, _handler) = started(start).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let host = json!({ "host": "localhost", "port": port });
        let opened = call(&connection, "hold", host);
        let (opened, accepted) = tokio::join!(opened, listener.accept());
        assert_eq!(text(opened.unwrap()), "held");
        held.push(accepted.unwrap().0);
    }
    connection.stop().await;
    for mut stream in held {
        let mut rest = Vec::new();
        // It may have been cut off.
        let _ = stream.read_to_end(&mut rest).await;
        assert!(rest.is_empty());
    }
}
