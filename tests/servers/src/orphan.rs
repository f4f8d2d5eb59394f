//! `orphan`: starts programs in the background and leaves without a thought for them: a plain one,
//! and one that took a session of its own so that no signal to the group reaches it.

use crate::heard;
use crate::rpc::{Call, Outcome, Server, serve, text, tool};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use test_servers::process_name;

struct Parent {
    /// By their names.
    children: Vec<String>,
}

impl Server for Parent {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        json!({ "tools": [tool("pids", "Says the names of its process and those of its children", &json!({}))] })
    }

    fn call(&mut self, _call: Call) -> Outcome {
        let names = std::iter::once(process_name::own()).chain(self.children.iter().cloned());
        Outcome::Result(text(names.collect::<Vec<_>>().join(" ")))
    }
}

pub(crate) fn orphan() {
    let plain = start("sleep", &["1000"]);
    let daemon = start("setsid", &["sleep", "1000"]);
    serve(Parent {
        children: plain.into_iter().chain(daemon).collect(),
    });
}

/// Standard output and error are handed on, as careless programs do: whoever waits for their end
/// waits for the orphan.
fn start(program: &str, args: &[&str]) -> Option<String> {
    let child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .spawn()
        .ok()?;
    let name = process_name::of(child.id());
    heard::started(&name);
    Some(name)
}
