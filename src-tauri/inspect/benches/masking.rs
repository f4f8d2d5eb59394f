//! How fast held secrets are covered: a mebibyte of prose, of JSON with many escapes, and of
//! nothing but beginnings of escapes, with five secrets held.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inspect::Masker;
use std::hint::black_box;

const LENGTH: usize = 1024 * 1024;

fn masking(criterion: &mut Criterion) {
    let masker = Masker::new([
        "pl4nted/s3cret+value\"1",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "correct horse battery staple",
        "hunter22",
        "sk-ant-api03-R2D2C3PO-0123456789abcdef",
    ]);
    let mut group = criterion.benchmark_group("masking");
    group
        .throughput(Throughput::Bytes(LENGTH as u64))
        .sample_size(20);
    for (name, piece) in [
        (
            "prose",
            "The server answered in 12 ms, as it did on Monday; nothing else is known. ",
        ),
        (
            "json",
            "{\\\"name\\\":\\\"caf\\u00e9\\\",\\\"url\\\":\\\"https:\\/\\/a.example\\/%41%42\\\"}\\n",
        ),
        ("escapes", "%\\&#%&\\"),
        ("chinese", "服务器在十二毫秒内作出了回应，与周一相同。"),
    ] {
        let text: String = piece.chars().cycle().take(LENGTH).collect();
        let text = &text[..text.floor_char_boundary(LENGTH)];
        group.bench_function(name, |bencher| {
            bencher.iter(|| masker.mask(black_box(text)));
        });
    }
    group.finish();
}

criterion_group!(benches, masking);
criterion_main!(benches);
