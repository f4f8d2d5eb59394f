//! What a conversation with a model costs: a piece of a reply on its way, a journal that is read
//! again, and what is searched.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed, and nobody calls it"
)]

use agent::model::{Incoming, StreamEvent, ask};
use agent::{
    Conversation, Effect, Entry, Event, ModelRef, Purse, Reply, ReplyPart, Request, Said, Setting,
    ToolTable, Turn,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use protocol::{
    ConversationId, ModelId, ModelService, RunId, ServerId, Timestamp, ToolSpec, TurnId,
    WorkspaceId,
};
use retrieval::Tools;
use serde_json::json;
use std::hint::black_box;
use store::{JournalEntry, KeyringChoice, NewConversation, OpenOptions, Store};

/// How many pieces of a reply are measured together.
const PIECES: usize = 1_000;
const TURNS: usize = 2_000;
const MESSAGES: usize = 100_000;

fn setting() -> Setting {
    Setting {
        model: ModelRef {
            id: ModelId::from("model-1"),
            wire: ModelService::Anthropic,
            name: "model".to_owned(),
        },
        instructions: String::new(),
        tools: ToolTable::default(),
        purse: Purse::default(),
        context: 200_000,
        max_output: 8_000,
        sees_images: true,
        helpers: Vec::new(),
        calculates: false,
        has_reader: true,
        does_task: false,
    }
}

fn said(turn: usize) -> Event {
    Event::Said {
        turn: TurnId::from(format!("turn-{turn}")),
        said: vec![Said::text("What does the berth cost?")],
    }
}

/// The events of a reply that comes in pieces, as its service writes them.
fn pieces() -> Vec<Vec<u8>> {
    let event = |kind: &str, data: serde_json::Value| {
        format!("event: {kind}\ndata: {data}\n\n").into_bytes()
    };
    let start = json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant",
        "model": "model", "content": [], "stop_reason": null, "usage": {"input_tokens": 1, "output_tokens": 1}}});
    let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
    let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " word"}});
    let mut all = vec![
        event("message_start", start),
        event("content_block_start", block),
    ];
    all.extend((0..PIECES).map(|_| event("content_block_delta", delta.clone())));
    all
}

/// A turn that waits for a reply, and what reads it.
fn asking() -> (Turn, Incoming) {
    let mut turn = Turn::new(setting());
    turn.handle(said(0)).unwrap();
    let request = Request::of_text(setting().model, "What does the berth cost?");
    (turn, ask(&request).unwrap().1)
}

fn pieces_of_a_reply(criterion: &mut Criterion) {
    let pieces = pieces();
    let mut group = criterion.benchmark_group("piece of a reply");
    group.throughput(Throughput::Elements(PIECES as u64));
    group.bench_function("from bytes to the turn", |bencher| {
        bencher.iter_batched(
            asking,
            |(mut turn, mut incoming)| {
                for piece in &pieces {
                    let mut events = Vec::new();
                    incoming.push(piece, &mut events).unwrap();
                    for event in events {
                        if let StreamEvent::Text(text) = event {
                            let part = ReplyPart::text(text);
                            turn.handle(Event::Grew { step: 1, part }).unwrap();
                        }
                    }
                }
                turn
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

/// The journal of a conversation of so many turns.
fn journal(turns: usize) -> Vec<Entry> {
    let mut turn = Turn::new(setting());
    let mut entries = Vec::new();
    for number in 0..turns {
        let reply = Reply {
            parts: vec![ReplyPart::text(
                "It costs 1,200 EUR for the week. ".repeat(4),
            )],
            ..Reply::default()
        };
        for event in [said(number), Event::Replied { step: 1, reply }] {
            for effect in turn.handle(event).unwrap() {
                if let Effect::Write(more) = effect {
                    entries.extend(more);
                }
            }
        }
    }
    entries
}

fn a_journal_that_is_read_again(criterion: &mut Criterion) {
    let entries = journal(TURNS);
    let written: Vec<String> = entries
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    criterion.bench_function("a journal of 2,000 turns", |bencher| {
        bencher.iter(|| {
            let read = written
                .iter()
                .map(|entry| serde_json::from_str(entry).unwrap());
            let read: Vec<Entry> = read.collect();
            black_box(Conversation::read(&read).unwrap());
        });
    });
}

fn a_search_of_tools(criterion: &mut Criterion) {
    let verbs = [
        "read", "write", "list", "delete", "send", "find", "open", "move",
    ];
    let things = [
        "file", "mail", "issue", "page", "ticket", "note", "invoice", "branch",
    ];
    let tools: Vec<_> = (0..10_000_usize)
        .map(|n| {
            let (verb, thing) = (verbs[n % 8], things[n / 8 % 8]);
            let says = format!("{verb}s a {thing} of project {n}, and tells what came of it");
            let spec = ToolSpec {
                description: Some(says),
                ..ToolSpec::named(format!("{verb}_{thing}_{n}").as_str())
            };
            (
                ServerId::parse(&format!("server-{}", n % 100)).unwrap(),
                spec,
            )
        })
        .collect();
    let mut group = criterion.benchmark_group("10,000 tools");
    group.sample_size(10);
    let all = Tools::of(tools.iter().map(|(server, tool)| (server, tool)));
    group.bench_function("searched", |bencher| {
        bencher.iter(|| black_box(all.find("send an invoice by mail")));
    });
    group.bench_function("made ready to be searched", |bencher| {
        bencher.iter(|| black_box(Tools::of(tools.iter().map(|(server, tool)| (server, tool)))));
    });
    group.finish();
}

fn a_search_of_messages(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = runtime.block_on(filled(folder.path()));
    let conversations = store.conversations();
    let mut group = criterion.benchmark_group("100,000 messages");
    group.sample_size(10);
    for (what, text) in [
        ("a rare word", "pelican"),
        ("two common words", "berth harbour"),
    ] {
        group.bench_function(what, |bencher| {
            bencher.iter(|| {
                let found = conversations.search(text, 50);
                black_box(runtime.block_on(found).unwrap());
            });
        });
    }
    group.finish();
    runtime.block_on(store.close());
}

/// A store with a hundred conversations of a thousand messages each.
async fn filled(folder: &std::path::Path) -> Store {
    let options = OpenOptions {
        dir: folder.to_owned(),
        keyring: KeyringChoice::System,
        run: RunId::random(),
        version: "0".to_owned(),
        now: Timestamp(0),
    };
    let store = Store::open(options).await.unwrap();
    let conversations = store.conversations();
    let each = MESSAGES / 100;
    for conversation in 0..100 {
        let id = ConversationId::random();
        let title = format!("Conversation {conversation}");
        let now = Timestamp(conversation);
        let new = NewConversation {
            id: id.clone(),
            title,
            model: None,
            workspace: WorkspaceId::random(),
            assistant: None,
            task: None,
        };
        conversations.begin(new, now).await.unwrap();
        let rows = (0..each).map(|n| {
            let rare = if n == 500 && conversation == 50 {
                " pelican"
            } else {
                ""
            };
            let text = format!("The berth {n} of the harbour costs {} EUR{rare}", n * 7);
            JournalEntry {
                kind: "steered".to_owned(),
                body: json!({"kind": "steered", "said": [{"kind": "text", "text": text}]})
                    .to_string(),
                text,
                is_synced: false,
                ends_draft: false,
                settles: None,
            }
        });
        conversations
            .append(&id, 0, rows.collect(), now)
            .await
            .unwrap();
    }
    store
}

criterion_group!(
    benches,
    pieces_of_a_reply,
    a_journal_that_is_read_again,
    a_search_of_tools,
    a_search_of_messages
);
criterion_main!(benches);
