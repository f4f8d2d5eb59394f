//! `huge-line`, `dies-in-call`, `freezes-in-call`, `hangs-in-call`, `ignores-eof`,
//! `ignores-eof-only`: servers that do not end as they should.

use crate::echo::Echo;
use crate::rpc::{Call, Outcome, Server, answer, complain, serve, text, tool};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// The length of a huge line, in bytes.
const HUGE: usize = 64 * 1024 * 1024;

fn one(name: &str) -> Value {
    json!({ "tools": [tool(name, "Misbehaves", &json!({}))] })
}

/// Answers a call with one line of 64 MiB.
pub(crate) struct HugeLine;

impl Server for HugeLine {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        one("huge")
    }

    fn call(&mut self, call: Call) -> Outcome {
        answer(&call.id, &text("x".repeat(HUGE)));
        Outcome::Later
    }
}

/// Ends in the middle of a call of `die`; `echo` works.
pub(crate) struct Dies;

impl Server for Dies {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        let mut tools = Echo.tools(cursor);
        if let Some(tools) = tools["tools"].as_array_mut() {
            tools.insert(0, tool("die", "Misbehaves", &json!({})));
        }
        tools
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "to leave everything as it is, is the misbehaviour"
    )]
    fn call(&mut self, call: Call) -> Outcome {
        if call.tool != "die" {
            return Echo.call(call);
        }
        complain("panic: out of ideas");
        std::process::exit(7)
    }
}

/// Stops doing anything in the middle of a call of `freeze`; `echo` works before.
pub(crate) struct Freezes;

impl Server for Freezes {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        let mut tools = Echo.tools(cursor);
        if let Some(tools) = tools["tools"].as_array_mut() {
            tools.insert(0, tool("freeze", "Misbehaves", &json!({})));
        }
        tools
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool == "freeze" {
            loop {
                thread::sleep(Duration::from_secs(60));
            }
        }
        Echo.call(call)
    }
}

/// Never answers a call.
pub(crate) struct Hangs;

impl Server for Hangs {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        one("hang")
    }

    fn call(&mut self, call: Call) -> Outcome {
        complain(&format!("hanging in {}", call.id));
        Outcome::Later
    }
}

/// Ends neither with its input nor when it is asked to. A shell makes the system ignore the asking,
/// which is inherited.
#[cfg(unix)]
pub(crate) fn ignores_eof() {
    use std::os::unix::process::CommandExt;
    let Ok(own) = std::env::current_exe() else {
        return;
    };
    let script = r#"trap '' TERM; exec "$0" ignores-eof-only"#;
    // Comes back only when there is no shell.
    let error = std::process::Command::new("/bin/sh")
        .arg("-c")
        .arg(script)
        .arg(own)
        .exec();
    complain(&error.to_string());
}

#[cfg(not(unix))]
pub(crate) fn ignores_eof() {
    sits_on();
}

/// Serves, and stays when there is nobody left to serve.
pub(crate) fn sits_on() {
    serve(Echo);
    loop {
        thread::sleep(Duration::from_secs(1_000));
    }
}
