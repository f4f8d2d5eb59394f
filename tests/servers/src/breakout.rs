//! `kills-launcher`, `stops-launcher`: leaves a program behind that has a session of its own and no
//! parent any more, and that kills or stops whatever started the server.

use crate::echo::Echo;
use crate::rpc::serve;
use std::process::{Command, Stdio};

/// By a signal's name.
pub(crate) fn break_out(signal: &str) {
    let above = launchers();
    // It sleeps as soon as it has tried.
    let attack = format!("for one in {above}; do kill -{signal} $one; done; exec sleep 1000");
    let _ = Command::new("sh")
        .args(["-c", "setsid sh -c \"$0\" &", &attack])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    serve(Echo);
}

/// The numbers of what is above this process and has a lifeline.
fn launchers() -> String {
    let mut found = Vec::new();
    let mut process = "self".to_owned();
    while let Some(parent) = parent(&process) {
        let words = std::fs::read_to_string(format!("/proc/{parent}/cmdline")).unwrap_or_default();
        if !words.contains("--lifeline") {
            break;
        }
        found.push(parent.clone());
        process = parent;
    }
    found.join(" ")
}

fn parent(process: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(
        stat.rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .to_owned(),
    )
}
