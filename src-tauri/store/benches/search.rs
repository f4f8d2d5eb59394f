//! How long it takes to find something in a log of a million records. The log is made once for each
//! run, in a folder that goes away.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed, and nobody calls it"
)]

use api::{ActivityFilter, Outcome};
use criterion::{Criterion, criterion_group, criterion_main};
use policy::Permission;
use protocol::{CallId, Caller, CallerFilter, Fingerprint, GrantId, RunId, ServerId, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;
use store::{
    Audit, CallClosed, CallOpened, Durability, Entry, Event, KeyringChoice, OpenOptions, Store,
};
use tokio::runtime::Runtime;

/// Calls; each is two records.
const CALLS: u64 = 500_000;
const START: i64 = 1_700_000_000_000;
const SERVERS: [&str; 5] = ["files", "mail", "git", "currency", "calendar"];
const TOOLS: [&str; 6] = [
    "read_text",
    "write_text",
    "send",
    "commit",
    "convert",
    "list",
];
/// One of them is in every row.
const PHRASES: [&str; 4] = ["会议记录", "天气预报", "项目计划", "合同文件"];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }
}

fn write(audit: &Audit) {
    let mut dice = Dice(42);
    for number in 0..CALLS {
        let call = CallId::from(format!("call-{number:016x}"));
        let (server, tool) = (
            ServerId::parse(dice.pick(&SERVERS)).unwrap(),
            dice.pick(&TOOLS),
        );
        // A few words are in every second text, most are rare; `archive` was frequent, and is not
        // any more.
        let words: Vec<String> = (0..6)
            .map(|_| format!("word{}", 1_000_000 / (1 + dice.roll(100_000))))
            .collect();
        let old = if number < CALLS / 2 {
            "archive"
        } else {
            "current"
        };
        let path = format!("/home/notes/{old}/{}.txt", dice.roll(50_000));
        let rare: String = (0..2)
            .filter_map(|_| char::from_u32(0x4E00 + dice.roll(300) as u32))
            .collect();
        let arguments: Value = json!({"path": path, "text": words.join(" "), "subject": format!("{}，{rare}", dice.pick(&PHRASES))});
        let arguments = arguments.as_object().cloned().unwrap();
        let entry = |event| Entry {
            at: Timestamp(START + number as i64 * 1_000),
            call: Some(call.clone()),
            caller: Some(if number % 10 == 0 {
                Caller::terminal()
            } else {
                Caller::window()
            }),
            conversation: None,
            approver: None,
            server: Some(server.clone()),
            tool: Some(tool.into()),
            event,
        };
        let opened = Event::CallOpened(CallOpened {
            arguments_fingerprint: Fingerprint::of(&Value::Null),
            arguments,
            tool_fingerprint: Fingerprint::of(&Value::Null),
            launch_fingerprint: Fingerprint::of(&Value::Null),
            permission: Permission::Grant {
                grant: GrantId::from("grant-1"),
            },
        });
        let (outcome, error) = match dice.roll(100) {
            0 => (Outcome::Failed, Some("connection reset by peer".to_owned())),
            1..4 => (Outcome::ToolError, None),
            _ => (Outcome::Done, None),
        };
        audit.append(entry(opened), Durability::Grouped).unwrap();
        audit
            .append(
                entry(Event::CallClosed(CallClosed {
                    outcome,
                    duration_ms: 12,
                    waited_ms: Some(0),
                    ran_ms: Some(12),
                    error,
                })),
                Durability::Grouped,
            )
            .unwrap();
    }
}

fn questions() -> Vec<(&'static str, ActivityFilter)> {
    let all = ActivityFilter::default;
    let text = |words: &str| ActivityFilter {
        text: Some(words.into()),
        ..all()
    };
    let at = |share: u64| Some(Timestamp(START + (CALLS * share / 100) as i64 * 1_000));
    vec![
        ("everything", all()),
        (
            "by server",
            ActivityFilter {
                server: Some(ServerId::parse("mail").unwrap()),
                ..all()
            },
        ),
        (
            "by tool",
            ActivityFilter {
                tool: Some("send".into()),
                ..all()
            },
        ),
        (
            "by outcome",
            ActivityFilter {
                outcome: Some(Outcome::Failed),
                ..all()
            },
        ),
        (
            "by caller",
            ActivityFilter {
                caller: Some(CallerFilter::from(&Caller::terminal())),
                ..all()
            },
        ),
        (
            "by server, tool and outcome",
            ActivityFilter {
                server: Some(ServerId::parse("mail").unwrap()),
                tool: Some("send".into()),
                outcome: Some(Outcome::Failed),
                ..all()
            },
        ),
        (
            "by caller and outcome",
            ActivityFilter {
                caller: Some(CallerFilter::from(&Caller::terminal())),
                outcome: Some(Outcome::Failed),
                ..all()
            },
        ),
        (
            "by tool, caller and an outcome that is nowhere",
            ActivityFilter {
                tool: Some("send".into()),
                caller: Some(CallerFilter::from(&Caller::terminal())),
                outcome: Some(Outcome::Refused),
                ..all()
            },
        ),
        (
            "by server and a tool that is nowhere",
            ActivityFilter {
                server: Some(ServerId::parse("mail").unwrap()),
                tool: Some("shred".into()),
                ..all()
            },
        ),
        (
            "by server, long ago",
            ActivityFilter {
                server: Some(ServerId::parse("mail").unwrap()),
                to: at(5),
                ..all()
            },
        ),
        (
            "by time, the last tenth",
            ActivityFilter {
                from: at(90),
                ..all()
            },
        ),
        (
            "by time, long ago",
            ActivityFilter {
                from: at(20),
                to: at(21),
                ..all()
            },
        ),
        (
            "by time, up to the middle, by outcome",
            ActivityFilter {
                to: at(50),
                outcome: Some(Outcome::Failed),
                ..all()
            },
        ),
        ("a word in every row", text("notes")),
        ("a beginning in every row", text("n")),
        ("a rare word", text("49999")),
        ("a word that is nowhere", text("nowhere")),
        ("two frequent words", text("notes txt")),
        ("a frequent and a rare word", text("notes 49999")),
        ("a beginning of many words", text("word1")),
        ("a word that was frequent long ago", text("archive")),
        ("a word in one row of a hundred", text("reset peer")),
        (
            "two frequent words that are never together",
            text("archive current"),
        ),
        (
            "two frequent words of one row of twenty",
            text("mail archive"),
        ),
        ("a frequent Chinese word", text("会议")),
        ("a beginning of a Chinese word", text("会")),
        ("the end of a Chinese word", text("录")),
        ("a Chinese phrase", text("会议记录")),
        (
            "two Chinese words that are never together",
            text("会议 计划"),
        ),
        ("a rare Chinese word", text("\u{4E10}\u{4E20}")),
        ("a Chinese word that is nowhere", text("火星")),
        (
            "a frequent word, long ago",
            ActivityFilter {
                to: at(5),
                ..text("notes")
            },
        ),
        (
            "a frequent word of before, since then",
            ActivityFilter {
                from: at(60),
                ..text("archive")
            },
        ),
        (
            "a frequent word by caller",
            ActivityFilter {
                caller: Some(CallerFilter::from(&Caller::terminal())),
                ..text("archive")
            },
        ),
        (
            "a frequent word and an outcome that is nowhere",
            ActivityFilter {
                outcome: Some(Outcome::Refused),
                ..text("archive")
            },
        ),
        (
            "a frequent word by server and outcome",
            ActivityFilter {
                server: Some(ServerId::parse("git").unwrap()),
                outcome: Some(Outcome::Failed),
                ..text("notes")
            },
        ),
        (
            "a rare word by server",
            ActivityFilter {
                server: Some(ServerId::parse("git").unwrap()),
                ..text("49999")
            },
        ),
    ]
}

/// What is counted: all of it, one server, and what holds a word.
fn counted() -> [(&'static str, ActivityFilter); 3] {
    let of = |server: Option<&str>, text: Option<&str>| ActivityFilter {
        server: server.map(|server| ServerId::parse(server).unwrap()),
        text: text.map(str::to_owned),
        ..Default::default()
    };
    [
        ("all", of(None, None)),
        ("one server", of(Some("mail"), None)),
        ("a word in a quarter of them", of(None, Some(PHRASES[0]))),
    ]
}

fn search(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let options = OpenOptions {
        dir: folder.path().to_owned(),
        keyring: KeyringChoice::Absent("a benchmark needs none".into()),
        run: RunId::random(),
        version: "bench".into(),
        now: Timestamp(START),
    };
    let store = runtime.block_on(Store::open(options)).unwrap();
    let audit = store.audit();
    write(&audit);
    let newest = runtime
        .block_on(audit.activity(ActivityFilter::default(), None, 1))
        .unwrap()
        .rows[0]
        .seq;
    assert!(newest >= 2 * CALLS);

    let mut group = c.benchmark_group("search in a million records");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    for (name, filter) in questions() {
        for (page, before) in [("first page", None), ("deep page", Some(newest / 3))] {
            group.bench_function(format!("{name}, {page}"), |b| {
                b.iter(|| {
                    runtime
                        .block_on(audit.activity(filter.clone(), before, 50))
                        .unwrap()
                });
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("figures of half a million calls");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(3));
    for (name, filter) in counted() {
        group.bench_function(name, |b| {
            b.iter(|| runtime.block_on(audit.figures(filter.clone())).unwrap());
        });
    }
    group.finish();
    runtime.block_on(store.close());
}

criterion_group!(benches, search);
criterion_main!(benches);
