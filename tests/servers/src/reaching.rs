//! `reaches`: a server that looks names up, connects to them, and opens files, as it is asked to.

use crate::echo::Echo;
use crate::rpc::{Call, Outcome, Server, text, tool};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;

/// Connections that are held until the server ends.
#[derive(Default)]
pub(crate) struct Reaches(Vec<TcpStream>);

impl Server for Reaches {
    fn tools(&mut self, cursor: Option<&str>) -> Value {
        let mut tools = Echo.tools(cursor);
        let host = json!({ "host": { "type": "string" }, "port": { "type": "integer" } });
        let more = [
            ("look_up", "Says the addresses of a name"),
            ("say", "Says something to a host, and what comes back"),
            (
                "say_bytes",
                "Says many bytes to a host that says them again",
            ),
            ("hold", "Opens a connection, and holds it"),
            (
                "crowd",
                "Opens many connections, and waits for a byte on each",
            ),
        ];
        if let Some(tools) = tools["tools"].as_array_mut() {
            tools.extend(more.map(|(name, words)| tool(name, words, &host)));
            let path = json!({ "path": { "type": "string" }, "steps": { "type": "string" } });
            tools.push(tool("read", "Says what is in a file", &path));
            tools.push(tool("write", "Puts a word into a file", &path));
        }
        tools
    }

    fn call(&mut self, call: Call) -> Outcome {
        let done = match call.tool.as_str() {
            "look_up" => look_up(call.text("host")),
            "say" => say(&call, call.text("text").as_bytes())
                .map(|heard| String::from_utf8_lossy(&heard).into_owned()),
            "say_bytes" => say_bytes(&call),
            "hold" => connect(&call).map(|stream| {
                self.0.push(stream);
                "held".to_owned()
            }),
            "crowd" => crowd(&call),
            "read" => fs::read_to_string(path(&call)),
            "write" => fs::write(path(&call), "word").map(|()| "written".to_owned()),
            _ => return Echo.call(call),
        };
        Outcome::Result(text(done.unwrap_or_else(|error| {
            let words = error.to_string();
            words
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_owned()
        })))
    }
}

/// The file that is meant: by its path, or by its steps with `|` between them, which nobody but this
/// server takes for one.
fn path(call: &Call) -> String {
    match call.text("steps") {
        "" => call.text("path").to_owned(),
        steps => steps.replace('|', "/"),
    }
}

fn look_up(name: &str) -> io::Result<String> {
    let addresses: Vec<_> = (name, 0)
        .to_socket_addrs()?
        .map(|address| address.ip().to_string())
        .collect();
    Ok(addresses.join(" "))
}

fn connect(call: &Call) -> io::Result<TcpStream> {
    let port = call.arguments.get("port").and_then(Value::as_u64);
    let port = port.and_then(|port| u16::try_from(port).ok());
    TcpStream::connect((call.text("host"), port.unwrap_or_default()))
}

/// Says all of it, then that this is all, then hears to the end.
fn say(call: &Call, words: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = connect(call)?;
    stream.write_all(words)?;
    stream.shutdown(Shutdown::Write)?;
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard)?;
    Ok(heard)
}

fn say_bytes(call: &Call) -> io::Result<String> {
    let many = call.arguments.get("bytes").and_then(Value::as_u64);
    // Every byte, in an order that does not come again soon.
    let bytes: Vec<u8> = (0..many.unwrap_or_default())
        .map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
        .collect();
    let mut stream = connect(call)?;
    let mut back = stream.try_clone()?;
    let hearing = thread::spawn(move || {
        let mut heard = Vec::new();
        back.read_to_end(&mut heard).map(|_| heard)
    });
    stream.write_all(&bytes)?;
    stream.shutdown(Shutdown::Write)?;
    let heard = hearing.join().unwrap_or_else(|_| Ok(Vec::new()))?;
    let is_same = heard == bytes;
    Ok(format!("{} bytes, the same: {is_same}", heard.len()))
}

fn crowd(call: &Call) -> io::Result<String> {
    let many = call.arguments.get("connections").and_then(Value::as_u64);
    let streams: Vec<_> = (0..many.unwrap_or_default())
        .map(|_| connect(call))
        .collect::<io::Result<_>>()?;
    let waiting: Vec<_> = streams
        .into_iter()
        .map(|mut stream| thread::spawn(move || stream.read_exact(&mut [0])))
        .collect();
    let heard = waiting
        .into_iter()
        .filter_map(|thread| thread.join().ok()?.ok());
    Ok(heard.count().to_string())
}
