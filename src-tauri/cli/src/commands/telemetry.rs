//! `majordomoctl telemetry …`

use super::questions;
use crate::args::Telemetry;
use crate::ask;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use protocol::Timestamp;
use serde_json::{Value, json};

/// Shows or chooses where traces and metrics are sent.
pub(crate) async fn run(link: &Link, command: Telemetry, json: bool) -> Result<Exit, HostError> {
    let set = |settings: Value| json!({"method": "set_telemetry", "params": {"settings": settings}});
    let view = match command {
        Telemetry::Show => link.ask(&json!({"method": "show_telemetry"})).await?,
        Telemetry::Off => link.ask(&set(json!({"endpoint": null}))).await?,
        Telemetry::Set { url, contents, propagate, approver_token_file } => {
            let request = set(json!({"endpoint": url, "contents": contents, "propagate": propagate}));
            // Who is no person may still let less leave; the host knows which it is.
            if approver_token_file.is_none() && !ask::interactive() {
                link.ask(&request).await?
            } else {
                questions::ask_as_person(link, &request, approver_token_file.as_deref()).await?
            }
        }
    };
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(Exit::Done)
}

fn show(view: &Value) {
    let Some(endpoint) = view.pointer("/settings/endpoint").and_then(Value::as_str) else {
        return print::result("Traces and metrics are not sent.");
    };
    let is = |name: &str| if view["settings"][name] == true { "yes" } else { "no" };
    let sent = view["sent_at"].as_i64().map_or_else(|| "not yet".to_owned(), |at| Timestamp(at).to_string());
    print::result(format_args!("Traces and metrics are sent to {}", print::visible(endpoint)));
    print::result(format_args!("with arguments and results: {}", is("contents")));
    print::result(format_args!("servers are told the trace: {}", is("propagate")));
    print::result(format_args!("last arrived:               {sent}"));
    if let Some(problem) = view["problem"].as_str() {
        print::result(format_args!("last problem:               {}", print::visible(problem)));
    }
    if view["dropped"].as_u64().unwrap_or(0) > 0 {
        print::result(format_args!("dropped:                    {}", view["dropped"]));
    }
}
