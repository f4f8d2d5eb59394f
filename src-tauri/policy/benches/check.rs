//! How long a call is looked at in a conversation that has read a lot: 200 results of 16 KiB.

use criterion::{Criterion, criterion_group, criterion_main};
use policy::ToolFlags;
use policy::flow::{Conversation, Message, Proposed};
use protocol::Confidentiality;
use serde_json::{Map, Value, json};
use std::hint::black_box;

const RESULTS: u64 = 200;
const RESULT: usize = 16 * 1024;

/// Words in the manner of mails and lists, the same in every run.
fn result(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::with_capacity(RESULT + 64);
    while text.len() < RESULT {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let word = state >> 40;
        match word % 40 {
            0 => text.push_str(&format!(
                "\n- sender: name{}@mail{}.example\n  body: ",
                word % 997,
                word % 31
            )),
            1 => text.push_str(&format!("https://site{}.example/page/{word} ", word % 97)),
            _ => text.push_str(&format!("word{} ", word % 4999)),
        }
    }
    text
}

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn read_a_lot() -> Conversation {
    let mut conversation = Conversation::new();
    conversation.observe(
        Message::Person {
            text: "Read my mails, then write Alice what is new.",
        },
        None,
    );
    let none = Map::new();
    for seed in 0..RESULTS {
        let call = Proposed {
            server: None,
            tool: "read_mail",
            known: None,
            mark: ToolFlags::default(),
            arguments: &none,
        };
        conversation.observe(
            Message::Result {
                call: Some(call),
                text: &result(seed),
                confidentiality: Confidentiality::Private,
            },
            None,
        );
    }
    conversation
}

fn check(criterion: &mut Criterion) {
    let conversation = read_a_lot();
    let calls = [
        (
            "an address that was read",
            json!({"to": ["name7@mail3.example"], "subject": "News", "body": result(9000)[..1000]}),
        ),
        (
            "an address that nobody named",
            json!({"to": ["somebody@else.example"], "subject": "News", "body": "Nothing new."}),
        ),
        (
            "fifty addresses",
            json!({"to": (0..50).map(|n| format!("name{n}@mail{n}.example")).collect::<Vec<_>>(), "body": "Hello."}),
        ),
    ];
    for (name, value) in calls {
        let arguments = arguments(value);
        let call = Proposed {
            server: None,
            tool: "send_mail",
            known: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        criterion.bench_function(&format!("check, {name}"), |bencher| {
            bencher.iter(|| black_box(conversation.check(black_box(&call))))
        });
    }
    let text = result(9001);
    criterion.bench_function("take in 16 KiB", |bencher| {
        bencher.iter_batched(
            Conversation::new,
            |mut fresh| {
                fresh.observe(
                    Message::Result {
                        call: None,
                        text: black_box(&text),
                        confidentiality: Confidentiality::Private,
                    },
                    None,
                )
            },
            criterion::BatchSize::SmallInput,
        );
    });
    criterion.bench_function("copy the conversation", |bencher| {
        bencher.iter(|| black_box(conversation.clone()))
    });
}

criterion_group!(benches, check);
criterion_main!(benches);
