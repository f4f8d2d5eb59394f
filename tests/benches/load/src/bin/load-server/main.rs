//! `load-server [--tools N]`: a server of MCP by hand that answers as fast as it can, on standard
//! input and output. It offers N tools in all; those that are not there to be called are made up.
//!
//! Always true here: an answer leaves as soon as there is nothing more to read, and only the answer
//! of `wait` overtakes none of those that came before it.

mod tools;

use load::Failure;
use load::call::{BIG, ECHO};
use load::prose;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::ExitCode;
use std::time::Duration;

/// How much is read at once.
const READ: usize = 64 * 1024;
/// So much is gathered before it leaves, at most.
const GATHERED: usize = 64 * 1024;

#[expect(clippy::print_stderr, reason = "a program that people start by hand")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let many = match words.as_slice() {
        [] => Some(0),
        [name, many] if name == "--tools" => many.parse().ok(),
        _ => None,
    };
    let Some(many) = many else {
        eprintln!("usage: load-server [--tools N]");
        return ExitCode::from(2);
    };
    match serve(&tools::of(many)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("load-server: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// A request, or what needs no answer.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Called<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Arguments<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    bytes: usize,
    n: u64,
    ms: u64,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the protocol comes by standard input, and no person types here"
)]
fn serve(tools: &[Value]) -> Result<(), Failure> {
    let mut read = BufReader::with_capacity(READ, io::stdin().lock());
    let (mut line, mut out) = (Vec::new(), Vec::with_capacity(GATHERED));
    while read.read_until(b'\n', &mut line)? > 0 {
        answer(&line, tools, &mut out)?;
        line.clear();
        if out.len() >= GATHERED || !read.buffer().contains(&b'\n') {
            io::stdout().write_all(&out)?;
            out.clear();
        }
    }
    Ok(())
}

/// Writes the answer to a message, if it needs one now.
fn answer(line: &[u8], tools: &[Value], out: &mut Vec<u8>) -> Result<(), Failure> {
    let message: Message<'_> = serde_json::from_slice(line)?;
    let Some(id) = message.id.map(RawValue::get) else {
        return Ok(());
    };
    let params = message.params.map_or("{}", RawValue::get);
    match &*message.method {
        "tools/call" => call(id, &serde_json::from_str(params)?, out)?,
        "tools/list" => {
            let params: Value = serde_json::from_str(params)?;
            write(out, id, "result", &tools::page(tools, &params["cursor"]))?;
        }
        "initialize" => {
            let params: Value = serde_json::from_str(params)?;
            let hello = json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "load-server", "version": env!("CARGO_PKG_VERSION")},
            });
            write(out, id, "result", &hello)?;
        }
        "ping" => write(out, id, "result", &json!({}))?,
        other => {
            let error = json!({"code": -32601, "message": format!("there is no {other}")});
            write(out, id, "error", &error)?;
        }
    }
    Ok(())
}

fn call(id: &str, called: &Called<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    let arguments = &called.arguments;
    match &*called.name {
        // As it came: it was written in JSON already.
        ECHO => text(out, id, arguments.text.map_or("\"\"", RawValue::get))?,
        BIG => {
            // Prose needs no escapes.
            let prose = prose::text(arguments.bytes, arguments.n);
            text(out, id, &format!("\"{prose}\""))?;
        }
        "wait" => {
            let (id, long) = (id.to_owned(), Duration::from_millis(arguments.ms));
            std::thread::spawn(move || {
                std::thread::sleep(long);
                let mut late = Vec::new();
                // Nobody is there to be told that nobody is there.
                let _ =
                    text(&mut late, &id, "\"waited\"").and_then(|()| io::stdout().write_all(&late));
            });
        }
        other => {
            let error = json!({"code": -32602, "message": format!("{other} does nothing")});
            write(out, id, "error", &error)?;
        }
    }
    Ok(())
}

fn text(out: &mut Vec<u8>, id: &str, quoted: &str) -> io::Result<()> {
    writeln!(
        out,
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{quoted}}}]}}}}"#
    )
}

fn write(out: &mut Vec<u8>, id: &str, kind: &str, value: &Value) -> io::Result<()> {
    writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},"{kind}":{value}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use load::call::{Call, Dialect, Reply};

    fn answered(message: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        answer(message, &tools::of(0), &mut out).unwrap();
        out
    }

    #[test]
    fn calls_are_answered_with_their_own_text_and_size() {
        for bytes in [None, Some(100), Some(200_000)] {
            let call = Call { number: 9, bytes };
            let out = answered(&call.to_server(Dialect::default()));
            assert!(out.ends_with(b"}\n"));
            call.check(&Reply::of_server(&out).unwrap()).unwrap();
        }
    }

    #[test]
    fn the_handshake_keeps_the_version_that_was_wanted() {
        let hello = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-11-25"}});
        let out: Value = serde_json::from_slice(&answered(hello.to_string().as_bytes())).unwrap();
        assert_eq!(out["id"], "a");
        assert_eq!(out["result"]["protocolVersion"], "2025-11-25");
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert!(answered(ready).is_empty());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for message in [
            json!({"id": 1, "method": "server/discover"}),
            json!({"id": 1, "method": "tools/call", "params": {"name": "list_invoices"}}),
        ] {
            let out = answered(message.to_string().as_bytes());
            let out: Value = serde_json::from_slice(&out).unwrap();
            assert!(out["error"]["code"].is_i64());
        }
    }
}
