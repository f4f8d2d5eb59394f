//! `majordomoctl telemetry …`

use crate::args::Telemetry;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use protocol::Timestamp;
use serde_json::{Value, json};

/// Shows or chooses where traces and metrics are sent.
pub(crate) async fn run(link: &Link, command: Telemetry, json: bool) -> Result<Exit, HostError> {
    let request = match command {
        Telemetry::Show => json!({"method": "show_telemetry"}),
        Telemetry::Set { url, contents, propagate } => {
            json!({"method": "set_telemetry", "params": {"settings": {"endpoint": url, "contents": contents, "propagate": propagate}}})
        }
        Telemetry::Off => json!({"method": "set_telemetry", "params": {"settings": {"endpoint": null}}}),
    };
    let view = link.ask(&request).await?;
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
