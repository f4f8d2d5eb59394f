//! `majordomoctl logs …` and `majordomoctl exchange …`

use super::{call, or_dash};
use crate::args::{Exchange, Logs};
use crate::exit::Exit;
use crate::link::Link;
use crate::messages::name as key;
use crate::print;
use api::{HostError, ListExchange, ListLogs, LoggedLine, SetLogLevel};
use protocol::{CallId, LogLine};
use serde_json::{Value, json};

/// Shows what a server logged by the protocol, or chooses what it should log.
pub(crate) async fn run(link: &Link, wanted: Logs, json: bool) -> Result<Exit, HostError> {
    let server = wanted.server;
    let log = match wanted.level {
        Some(word) => {
            let level = word.level();
            let chosen = json!({"level": level});
            call::request(link, SetLogLevel { server, level }, &chosen).await?
        }
        None => link.ask(ListLogs { server }).await?,
    };
    if json {
        print::json(&log);
        return Ok(Exit::Done);
    }
    for LoggedLine { at: _, line } in log.lines {
        let LogLine {
            level,
            logger,
            data,
        } = line;
        let said = match data {
            Value::String(text) => text,
            other => other.to_string(),
        };
        print::result(format_args!(
            "{:<9} {}  {}",
            key(&level),
            print::visible(&or_dash(logger)),
            print::visible(&said)
        ));
    }
    Ok(Exit::Done)
}

/// Shows the newest messages between us and a server.
pub(crate) async fn exchange(link: &Link, wanted: Exchange, json: bool) -> Result<Exit, HostError> {
    let exchange = link
        .ask(ListExchange {
            server: wanted.server,
            call: wanted.call.map(CallId::from),
        })
        .await?;
    if json {
        print::json(&exchange);
        return Ok(Exit::Done);
    }
    for frame in exchange.frames {
        let arrow = if frame.sent { "->" } else { "<-" };
        let cut = if frame.cut { " …" } else { "" };
        print::result(format_args!(
            "{:>6} {arrow} {}{cut}",
            frame.number,
            print::visible(&frame.text)
        ));
    }
    Ok(Exit::Done)
}
