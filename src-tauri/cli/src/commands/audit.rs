//! `majordomoctl audit …`

use crate::args::{Audit, Format};
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::api::LogReport;
use host::{HostError, KeyringChoice};
use protocol::Timestamp;
use serde_json::{Value, json};
use std::path::Path;

/// Reads the whole log. Needs no host, and works while one runs.
pub(crate) fn verify(data_dir: &Path, json: bool) -> Result<Exit, HostError> {
    let report = host::verify_dir(data_dir, KeyringChoice::System)?;
    if json {
        print::json(&serde_json::to_value(&report).unwrap_or_default());
    }
    match report {
        LogReport::Intact { records, anchor, after_anchor } => {
            let anchor = serde_json::to_value(anchor).unwrap_or_default();
            let after = if after_anchor > 0 { format!(", {after_anchor} records after it are chained only") } else { String::new() };
            print::note(format_args!("The log is intact: {records} records, head noted in: {}{after}.", print::text(&anchor, "")));
            Ok(Exit::Done)
        }
        LogReport::Broken { record, file, problem } => {
            print::note(format_args!("The log is NOT intact. First bad record: {record} in {file}: {problem}"));
            Ok(Exit::Log)
        }
    }
}

/// Where the segments lie.
pub(crate) fn path(data_dir: &Path, json: bool) -> Result<Exit, HostError> {
    let path = host::log_dir(data_dir);
    if json {
        print::json(&json!({"path": path}))
    } else {
        print::result(path.display())
    }
    Ok(Exit::Done)
}

/// The other commands.
pub(crate) async fn run(link: &Link, command: Audit, json: bool) -> Result<Exit, HostError> {
    match command {
        Audit::List { server, tool, outcome, text, limit } => {
            let filter = json!({"server": server, "tool": tool, "outcome": outcome, "text": text});
            let request = json!({"method": "list_activity", "params": {"filter": filter, "before": null, "limit": limit}});
            let page = link.ask(&request).await?;
            if json { print::json(&page) } else { list(&page) }
        }
        Audit::Export { format } => {
            let format = match format {
                Format::Jsonl => "jsonl",
                Format::Csv => "csv",
            };
            let export = link.ask(&json!({"method": "export_log", "params": {"format": format}})).await?;
            // The export is the result itself, in its own format, with or without --json.
            print::result(print::text(&export, "/text").trim_end());
        }
        Audit::Verify | Audit::Path => {}
    }
    Ok(Exit::Done)
}

fn list(page: &Value) {
    let rows = page["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let at = row["at"].as_i64().map(|at| Timestamp(at).to_string()).unwrap_or_default();
            let took = row["duration_ms"].as_u64().map(|took| format!("{took} ms")).unwrap_or_default();
            let text = |key: &str| print::text(row, key);
            vec![text("/seq"), at, text("/what"), text("/caller/kind"), text("/server"), text("/tool"), text("/outcome"), took]
        })
        .collect();
    print::table(&["RECORD", "AT", "WHAT", "CALLER", "SERVER", "TOOL", "OUTCOME", "TOOK"], &cells);
}
