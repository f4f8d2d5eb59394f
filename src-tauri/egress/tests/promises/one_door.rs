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

/// What is none: a socket of the network of one confined server, in which there is nobody else.
const NO_WAY_OUT: [(&str, &str); 6] = [
    // The attempts to get out of the sandbox are to fail.
    ("sandbox/src/escape/network.rs", "TcpStream::connect"),
    ("sandbox/src/escape/network.rs", "UdpSocket"),
    ("sandbox/src/escape/host.rs", "UdpSocket"),
    ("sandbox/src/escape/listeners.rs", "UdpSocket"),
    ("connections/src/process/listed_hosts.rs", "UdpSocket"),
    ("connections/src/process/listed_hosts/dns.rs", "UdpSocket"),
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
            let is_none = |way: &str| {
                NO_WAY_OUT
                    .iter()
                    .any(|(file, one)| path.ends_with(file) && *one == way)
            };
            let mut ways = WAYS_OUT.iter().filter(|way| text.contains(**way));
            let way = ways.find(|way| !is_none(way));
            assert_eq!(way, None, "{}", path.display());
        }
    }
}
