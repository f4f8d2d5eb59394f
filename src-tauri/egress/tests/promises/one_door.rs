//! Nothing but this crate leaves for the network: no other one has a client for it, or opens a
//! connection by itself. (`loopback` speaks HTTP over a socket of this computer.)

use std::fs;
use std::path::{Path, PathBuf};

/// What a program leaves for the network by.
const WAYS_OUT: [&str; 7] = [
    "TcpStream::connect",
    "TcpSocket",
    "UdpSocket",
    "lookup_host",
    "to_socket_addrs",
    "hyper_util::client",
    "reqwest",
];

/// The files of a kind that the program is made of; tests and what only builds it are left out.
fn files(folder: &Path, kind: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["egress", "fuzz", "tests", "xtask", "target"].contains(&name) {
                files(&path, kind, found);
            }
        } else if name.ends_with(kind) && !name.ends_with("_test.rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_other_part_of_the_program_connects_to_the_network() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (kind, least) in [("Cargo.toml", 15), (".rs", 300)] {
        let mut found = Vec::new();
        files(program, kind, &mut found);
        assert!(found.len() >= least, "{} of {kind}", found.len());
        for path in found {
            let text = fs::read_to_string(&path).unwrap();
            let way = WAYS_OUT.iter().find(|way| text.contains(**way));
            assert_eq!(way, None, "{}", path.display());
        }
    }
}
