//! How long it takes to read the paths and hosts that programs may read in arguments: of usual ones,
//! of a long text, and of one that is made to take long.

use criterion::{Criterion, criterion_group, criterion_main};
use policy::{hosts_in, only_host, only_path, paths_in};
use std::hint::black_box;

fn reading(criterion: &mut Criterion) {
    let usual = [
        ("a path", "/home/person/project/src/main.rs".to_owned()),
        ("an address", "https://www.example.org/x?y=1".to_owned()),
        ("a command", "tar -C/srv/a -xf /tmp/b.tar && ls".to_owned()),
        (
            "100 kB of a page",
            "<p>See a.b or /usr/x.</p>\n".repeat(4_000),
        ),
        ("500 kB of signs", "/,".repeat(250_000)),
    ];
    for (name, text) in &usual {
        criterion.bench_function(&format!("read {name}"), |bencher| {
            bencher.iter(|| black_box((paths_in(black_box(text)), hosts_in(black_box(text)))));
        });
        criterion.bench_function(&format!("is {name} one path or address"), |bencher| {
            bencher.iter(|| black_box((only_path(black_box(text)), only_host(black_box(text)))));
        });
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
