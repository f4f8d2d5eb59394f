//! Applications that misbehave, and servers that crash under many of them, take nothing from anybody
//! else: no answer, no memory, no place.

use crate::support::http::Address;
use crate::support::mcp_client::{McpClient, first_text};
use crate::support::terminal::Terminal;
use crate::support::{Choices, TestHost, WAIT_TIMEOUT, misbehave};
use host::Restart;
use host::api::LogReport;
use policy::Decision;
use protocol::CallerId;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::{AbortHandle, JoinSet};

/// How much more memory a host may take while clients misbehave, in KiB. A line of each may be nine
/// megabytes long.
const MORE: u64 = 256 * 1024;
/// How many sessions one client opens.
const SESSIONS: usize = 1_000;
/// How many clients call servers that crash, and how many servers those are.
const CALLERS: usize = 16;
const SERVERS: usize = 5;
/// How many calls they make, unless `MAJORDOMO_STORM` says another number.
const CALLS: usize = 800;
/// How many calls a client makes before it waits for answers.
const AT_ONCE: usize = 8;

/// The most memory that a process has taken so far, in KiB.
fn most_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.unwrap().split_whitespace().next().unwrap();
    number.parse().unwrap()
}

/// A client that does one thing over and over on a line of its own, and reads only if it says so.
async fn says(dir: &Path, text: Vec<u8>, reads: bool) -> AbortHandle {
    let host = loopback::Client::find(dir).await.unwrap().unwrap();
    let stream = host.bridge(&"bad".parse().unwrap(), None).await.unwrap();
    let (mut reading, mut writing) = tokio::io::split(stream);
    let task = tokio::spawn(async move {
        let read = async {
            if reads {
                let _ = tokio::io::copy(&mut reading, &mut tokio::io::sink()).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        let write = async { while writing.write_all(&text).await.is_ok() {} };
        tokio::join!(read, write);
    });
    task.abort_handle()
}

async fn begin_session(address: &Address) -> u16 {
    let (bearer, place) = (format!("Bearer {}", address.token), address.place());
    let headers = [
        ("Host", place.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    address
        .send("POST /mcp", &headers, &hello.to_string())
        .await
        .0
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_read_send_junk_or_open_a_thousand_sessions_keep_nobody_waiting() {
    let terminal = Terminal::new();
    let dir = terminal.dir();
    for words in [
        &["clients", "add", "Bad", "--yes"][..],
        &["clients", "add", "Good", "--yes"],
        &["servers", "enable", "currency", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    let (running, _) = terminal.serve(&[]);
    let token = terminal.json(&["clients", "token", "bad", "--yes"]);
    let address = token["address"].as_str().unwrap();
    let web = Address::of_gateway(address, token["token"].as_str().unwrap());
    let good: CallerId = "good".parse().unwrap();
    let mut served = McpClient::at(&dir, &good, None).await;
    served.greet().await;
    let tools = served.tools().await;
    assert!(!tools.is_empty());
    let before = most_memory(running.pid());

    let list = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}\n".to_vec();
    let junk = b"{[\"\0\n{}\n[[[[[[\n7\n\n".to_vec();
    let (mut crowd, mut half) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        crowd.push(says(&dir, list.clone(), false).await);
        crowd.push(says(&dir, junk.clone(), true).await);
        crowd.push(says(&dir, vec![b'x'; 64 * 1024], true).await);
        let mut stream = web.connect().await;
        stream
            .write_all(b"POST /mcp HTTP/1.1\r\nHost: ")
            .await
            .unwrap();
        half.push(stream);
    }
    for _ in 0..SESSIONS / 8 {
        let mut begun = JoinSet::new();
        for _ in 0..8 {
            let web = web.clone();
            begun.spawn(async move { begin_session(&web).await });
        }
        for status in begun.join_all().await {
            assert!([200, 429, 503].contains(&status), "{status}");
        }
        assert_eq!(served.tools().await, tools);
    }
    // Who comes anew in the middle of it is served, too.
    let mut fresh = McpClient::at(&dir, &good, None).await;
    fresh.greet().await;
    assert_eq!(fresh.tools().await, tools);
    for mut stream in half {
        // What is not said to its end is not waited for.
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(WAIT_TIMEOUT, stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "half a request is waited for");
    }
    let more = most_memory(running.pid()) - before;
    crowd.iter().for_each(AbortHandle::abort);
    assert!(more < MORE, "{more} KiB more");
    assert_eq!(served.tools().await, tools);
}

/// What a client was answered: how often what, and the calls that came to a result.
type Answered = (BTreeMap<String, usize>, Vec<String>);

/// One that calls servers that may crash meanwhile.
async fn calls_away(test: Arc<TestHost>, id: CallerId, calls: usize) -> Answered {
    let mut client = McpClient::begin(&test, &id, None).await;
    let (mut made, mut open, mut came) = (0, BTreeMap::new(), BTreeMap::new());
    let mut done = Vec::new();
    // The same numbers in each run.
    let mut number = id.as_str().bytes().map(u64::from).sum::<u64>();
    while made < calls || !open.is_empty() {
        while made < calls && open.len() < AT_ONCE {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (server, dies) = ((number >> 33) as usize % SERVERS, (number >> 40) % 50 == 0);
            let said = format!("{id} {number:016x} {made}");
            let tool = if dies { "die" } else { "echo" };
            let params = json!({
                "name": format!("server-{server}__{tool}"),
                "arguments": {"text": said},
                "_meta": {"progressToken": said},
            });
            let request = client.begin_to_ask("tools/call", params).await;
            open.insert(request, said);
            made += 1;
        }
        let message = client.heard().await.expect("it was sent away");
        if message.get("method").is_some() {
            let token = message["params"]["progressToken"].as_str();
            assert!(
                token.is_none_or(|token| token.starts_with(id.as_str())),
                "{message}"
            );
            continue;
        }
        let request = message["id"].as_u64().unwrap();
        let said = open.remove(&request);
        let said = said.unwrap_or_else(|| panic!("answered twice, or not asked: {message}"));
        let result = &message["result"];
        let kind = match (result["isError"] == true, message.get("error").is_some()) {
            (false, false) => {
                assert_eq!(first_text(result), said, "another's answer");
                done.push(
                    result["_meta"]["majordomo/call"]
                        .as_str()
                        .unwrap()
                        .to_owned(),
                );
                "done"
            }
            (true, _) => "failed",
            (_, true) => "refused",
        };
        *came.entry(kind.to_owned()).or_default() += 1;
    }
    (came, done)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_calls_to_servers_that_crash_each_is_answered_once_and_to_who_made_it() {
    let all = std::env::var("MAJORDOMO_STORM").map_or(CALLS, |number| number.parse().unwrap());
    let first = Duration::from_millis(20);
    let restart = Restart {
        first,
        longest: 5 * first,
        times: u32::MAX,
    };
    let test = TestHost::with(Choices {
        restart,
        ..Choices::default()
    })
    .await;
    // What a rule allows, a person has to allow.
    let person = test.person(std::iter::repeat_n(Decision::ChangeRule, SERVERS));
    for number in 0..SERVERS {
        let name = format!("server-{number}");
        test.add(&name, &[&misbehave(), "dies-in-call"]).await;
        let allow = json!({"effect": "allow", "hook": "call", "caller": null, "server": name, "tool": null, "when": [], "reason": null});
        test.ask("add_rule", json!({"draft": allow})).await.unwrap();
    }
    drop(person);
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let (test, mut callers, mut came) = (Arc::new(test), JoinSet::new(), BTreeMap::new());
    for number in 0..CALLERS {
        let id = test.add_client(&format!("Caller {number}")).await;
        callers.spawn(calls_away(test.clone(), id, all / CALLERS));
    }
    let mut done = BTreeSet::new();
    for (answered, calls) in callers.join_all().await {
        for (kind, number) in answered {
            *came.entry(kind).or_insert(0) += number;
        }
        for call in calls {
            assert!(done.insert(call), "two answers of one call");
        }
    }
    let made = all / CALLERS * CALLERS;
    assert_eq!(came.values().sum::<usize>(), made, "{came:?}");
    assert!(came["done"] > made / 2 && came["failed"] > 0, "{came:?}");
    println!("{came:?}");
    drop(serving);

    let report: LogReport = test.get("verify_log", Value::Null).await;
    assert!(matches!(report, LogReport::Intact { .. }), "{report:?}");
    let export = test.ask("export_log", json!({"format": "jsonl"})).await;
    let export = export.unwrap()["text"].take();
    let mut ended = BTreeSet::new();
    for line in export.as_str().unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if ["call_closed", "call_refused"].contains(&record["event"].as_str().unwrap()) {
            assert_eq!(record["caller"]["kind"], "client");
            let call = record["call"].as_str().unwrap().to_owned();
            assert!(ended.insert(call), "ended twice: {record}");
        }
    }
    // One that met its server between two starts was not sent, and is not there.
    assert!(ended.is_superset(&done), "a call left no trace");
    assert!(ended.len() <= made, "{} of {made}", ended.len());
}
