//! What a result of a tool costs on its way: `sanitize` as a whole and each finder alone, with texts
//! in which nothing is to be found, from 20 bytes to 16 MiB, and with five secrets held. At the end
//! a thousand definitions of tools.

#[path = "sanitize/texts.rs"]
mod texts;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use inspect::{
    Catalogue, Masker, StreamMask, active_content, credentials, has_hidden, inspect_text,
    inspect_tool, personal_numbers, sanitize, sensitive_targets,
};
use protocol::{Content, ToolResult};
use std::hint::black_box;

const MEBIBYTE: usize = 1024 * 1024;

fn masker() -> Masker {
    Masker::new([
        "pl4nted/s3cret+value\"1",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "correct horse battery staple",
        "hunter22",
        "sk-ant-api03-R2D2C3PO-0123456789abcdef",
    ])
}

fn answer(text: &str) -> ToolResult {
    ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    }
}

fn whole(criterion: &mut Criterion) {
    let masker = masker();
    let mut group = criterion.benchmark_group("sanitize");
    for length in [20, 200, 4096, MEBIBYTE, 16 * MEBIBYTE] {
        for (name, text) in texts::of_length(length) {
            if length > MEBIBYTE && name != "prose" && name != "json" {
                continue;
            }
            group
                .throughput(Throughput::Bytes(text.len() as u64))
                .sample_size(if length < MEBIBYTE { 50 } else { 10 });
            group.bench_function(BenchmarkId::new(name, length), |bencher| {
                let mut stream_mask = StreamMask::default();
                bencher.iter_batched(
                    || answer(&text),
                    |answer| sanitize(answer, &masker, &mut stream_mask),
                    if length < MEBIBYTE {
                        BatchSize::SmallInput
                    } else {
                        BatchSize::PerIteration
                    },
                );
            });
        }
    }
    group.finish();
}

/// Searches a text.
type Find<'a> = &'a dyn Fn(&str);

fn alone(criterion: &mut Criterion) {
    let masker = masker();
    let finders: [(&str, Find<'_>); 7] = [
        ("held secrets", &|text| drop(masker.find(text, None))),
        ("inspect_text", &|text| drop(inspect_text(text))),
        ("credentials", &|text| drop(credentials(text))),
        ("personal numbers", &|text| drop(personal_numbers(text))),
        ("hidden", &|text| {
            black_box(has_hidden(text));
        }),
        ("targets", &|text| drop(sensitive_targets(text))),
        ("active content", &|text| drop(active_content(text))),
    ];
    for (finder, find) in finders {
        let mut group = criterion.benchmark_group(finder);
        for (name, text) in texts::of_length(MEBIBYTE) {
            group
                .throughput(Throughput::Bytes(text.len() as u64))
                .sample_size(10);
            group.bench_function(name, |bencher| bencher.iter(|| find(black_box(&text))));
        }
        group.finish();
    }
}

fn tools(criterion: &mut Criterion) {
    let tools = texts::tools(1000);
    let names = tools.iter().map(|tool| ("server", tool.name.as_str()));
    let catalogue = Catalogue::of(names);
    criterion
        .benchmark_group("inspect_tool")
        .sample_size(10)
        .bench_function("1000 tools", |bencher| {
            bencher.iter(|| {
                for tool in &tools {
                    black_box(inspect_tool("server", tool, &catalogue));
                }
            });
        });
}

criterion_group!(benches, whole, alone, tools);
criterion_main!(benches);
