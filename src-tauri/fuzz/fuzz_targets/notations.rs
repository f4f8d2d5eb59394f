//! Notations of common programs: whatever path or host stands in one is read in it, and no other
//! one is taken for sure.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policy::{hosts_in, matches_glob, only_host, only_path, paths_in};

const NOTATIONS: &str = include_str!("../../policy/tests/notations.txt");

fuzz_target!(|input: (u8, &str)| {
    let (number, text) = input;
    // Whatever it is, it is read, and what is sure is among what is read.
    let (paths, hosts) = (paths_in(text), hosts_in(text));
    if let (Some(only), Some(paths)) = (only_path(text), &paths) {
        assert!(paths.absolute.contains(only.trim_end()), "{text:?}");
    }
    if let (Some(only), Some(hosts)) = (only_host(text), &hosts) {
        assert!(hosts.addressed.contains(&only), "{text:?}");
    }
    let _ = matches_glob(text, "/home/ann");

    let name: String = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .take(40)
        .collect();
    let path = format!("/home/{name}x");
    let host = format!("h{}.example", name.to_ascii_lowercase());
    let notations: Vec<&str> = NOTATIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" | "))
        .map(|(_, notation)| notation)
        .collect();
    let notation = notations[usize::from(number) % notations.len()];
    let told = notation.replace("{path}", &path).replace("{host}", &host);
    if notation.contains("{path}") {
        let read = paths_in(&told)
            .map(|read| read.absolute)
            .unwrap_or_default();
        let is_it = |read: &str| read.trim_end_matches('/') == path;
        assert!(read.iter().any(|read| is_it(read)), "{told:?}: {read:?}");
        // A name may have a comma in it; then it is one beside the path.
        let only = only_path(&told).map(|only| only.trim_end_matches(",b"));
        assert!(only.is_none_or(is_it), "{told:?}");
    }
    if notation.contains("{host}") {
        let read = hosts_in(&told).unwrap_or_default();
        assert!(read.all().any(|read| *read == host), "{told:?}: {read:?}");
    }
});
