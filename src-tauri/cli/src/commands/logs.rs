//! `majordomoctl logs …` and `majordomoctl exchange …`

use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::{Value, json};

/// Shows what a server logged by the protocol, or chooses what it should log.
pub(crate) async fn run(link: &Link, server: &str, level: Option<String>, json: bool) -> Result<Exit, HostError> {
    let request = match level {
        Some(level) => {
            let level = (level != "default").then_some(level);
            json!({"method": "set_log_level", "params": {"server": server, "level": level}})
        }
        None => json!({"method": "list_logs", "params": {"server": server}}),
    };
    let log = link.ask(&request).await?;
    if json {
        print::json(&log);
        return Ok(Exit::Done);
    }
    for line in log["lines"].as_array().into_iter().flatten() {
        let said = match line.pointer("/line/data") {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let (level, logger) = (print::visible(&print::text(line, "/line/level")), print::text(line, "/line/logger"));
        print::result(format_args!("{level:<9} {}  {}", print::visible(&logger), print::visible(&said)));
    }
    Ok(Exit::Done)
}

/// Shows the newest messages between us and a server.
pub(crate) async fn exchange(link: &Link, server: &str, call: Option<String>, json: bool) -> Result<Exit, HostError> {
    let exchange = link.ask(&json!({"method": "list_exchange", "params": {"server": server, "call": call}})).await?;
    if json {
        print::json(&exchange);
        return Ok(Exit::Done);
    }
    for frame in exchange["frames"].as_array().into_iter().flatten() {
        let arrow = if frame["sent"] == true { "->" } else { "<-" };
        let cut = if frame["cut"] == true { " …" } else { "" };
        print::result(format_args!("{:>6} {arrow} {}{cut}", print::text(frame, "/number"), print::visible(&print::text(frame, "/text"))));
    }
    Ok(Exit::Done)
}
