//! `majordomoctl audit …`

use crate::args::{Audit, Format};
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::api::{AnchorCheck, KeyPlace, LogReport, Signed};
use host::{ErrorCode, HostError, KeyringChoice};
use protocol::Timestamp;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Reads the whole log. Needs no host, and works while one runs.
pub(crate) fn verify(data_dir: &Path, json: bool) -> Result<Exit, HostError> {
    let report = host::verify_dir(data_dir, KeyringChoice::System)?;
    if json {
        print::json(&serde_json::to_value(&report).unwrap_or_default());
    }
    match report {
        LogReport::Intact { records, first, anchor, after_anchor, signed } => {
            let anchor = serde_json::to_value(anchor).unwrap_or_default();
            let after = if after_anchor > 0 { format!(", {after_anchor} records after it are chained only") } else { String::new() };
            print::note(format_args!("The log is intact: {records} records, head noted in: {}{after}.", print::text(&anchor, "")));
            if first > 1 {
                print::note(format_args!("It begins with record {first}; older ones were moved out, behind a signed checkpoint."));
            }
            match signed {
                Some(Signed { from, sealed: 0, root, .. }) => {
                    print::note(format_args!("Signed from record {from} on, nothing of it sealed yet; first key: {root}."));
                }
                Some(Signed { from, sealed, kept, root }) => {
                    let kept = match kept {
                        KeyPlace::Keyring => "",
                        KeyPlace::Memory => " There is no keyring: each run has keys of its own.",
                    };
                    print::note(format_args!("Signed from record {from} on, sealed up to record {sealed}; first key: {root}.{kept}"));
                }
                None => print::note(format_args!("It is not signed: who can write to its folder can write it anew.")),
            }
            Ok(Exit::Done)
        }
        LogReport::Broken { record, file, problem } => {
            print::note(format_args!("The log is NOT intact. First bad record: {record} in {file}: {problem}"));
            Ok(Exit::Log)
        }
    }
}

/// The head of the log, to be kept elsewhere. Needs no host, and works while one runs.
pub(crate) fn anchor(data_dir: &Path, file: Option<PathBuf>, qr: bool, json: bool) -> Result<Exit, HostError> {
    let anchor = host::export_anchor_dir(data_dir, KeyringChoice::System, host::Clock::System.now())?;
    let unusable = |message: String| HostError::of(ErrorCode::BadPath, message);
    if let Some(file) = file {
        let written = std::fs::write(&file, format!("{}\n", anchor.text));
        written.map_err(|error| unusable(format!("{} cannot be written: {error}", file.display())))?;
        print::note(format_args!("The anchor of record {} is in {}.", anchor.seq, file.display()));
    }
    if json {
        print::json(&json!({"text": anchor.text, "file_name": anchor.file_name, "seq": anchor.seq, "at": anchor.at}));
    } else if qr {
        print::result(host::qr_blocks(&anchor.text).unwrap_or_default());
    } else {
        print::result(&anchor.text);
    }
    Ok(Exit::Done)
}

/// How the log stands to an anchor. Needs no host, and works while one runs.
pub(crate) fn check_anchor(data_dir: &Path, anchor: &str, json: bool) -> Result<Exit, HostError> {
    let text = match std::fs::metadata(anchor) {
        Ok(file) if file.is_file() && file.len() < 64 * 1024 => std::fs::read_to_string(anchor)
            .map_err(|error| HostError::of(ErrorCode::BadAnchor, format!("{anchor} cannot be read: {error}")))?,
        _ => anchor.to_owned(),
    };
    let check = host::check_anchor_dir(data_dir, KeyringChoice::System, &text)?;
    if json {
        print::json(&serde_json::to_value(&check).unwrap_or_default());
    }
    let (sentence, exit) = match check {
        AnchorCheck::Continues { seq, at, since } => {
            (format!("The log continues the anchor: nothing up to record {seq}, of {at}, was changed; {since} records since."), Exit::Done)
        }
        AnchorCheck::RolledBack { anchor, records } => {
            (format!("The log is OLDER than the anchor: it ends with record {records}, and had {anchor}."), Exit::Log)
        }
        AnchorCheck::Differs { seq } => {
            (format!("The log is NOT the one of the anchor any more: record {seq}, or one before it, differs."), Exit::Log)
        }
        AnchorCheck::MovedOut { seq, first } => {
            let sentence =
                format!("Record {seq} was moved out of the log, which begins with record {first}, and is not in the archive any more.");
            (sentence, Exit::Other)
        }
        AnchorCheck::OtherLog => ("The anchor is of ANOTHER log.".to_owned(), Exit::Log),
    };
    print::note(format_args!("{sentence}"));
    Ok(exit)
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
        Audit::List { server, tool, outcome, caller, from, to, text, limit, before } => {
            let caller = caller.map(|kind| json!({"kind": kind}));
            let (from, to) = (from.as_deref().map(date::parse).transpose()?, to.as_deref().map(date::parse).transpose()?);
            let filter =
                json!({"server": server, "tool": tool, "outcome": outcome, "caller": caller, "from": from, "to": to, "text": text});
            let request = json!({"method": "list_activity", "params": {"filter": filter, "before": before, "limit": limit}});
            let page = link.ask(&request).await?;
            if json {
                print::json(&page)
            } else {
                list(&page)
            }
            if let Some(next) = page["next"].as_u64() {
                print::note(format_args!("There is more: the same with --before {next}"));
            }
        }
        Audit::Export { format } => {
            let format = match format {
                Format::Jsonl => "jsonl",
                Format::Csv => "csv",
            };
            let export = link.ask(&json!({"method": "export_log", "params": {"format": format}})).await?;
            // The export is the result itself, in its own format, with or without --json.
            print::file(print::text(&export, "/text").trim_end());
        }
        Audit::Compact { before } => {
            let before = date::parse(&before)?;
            let compacted = link.ask(&json!({"method": "compact_log", "params": {"before": before}})).await?;
            if json {
                print::json(&compacted);
            } else if let Some(folder) = compacted["file"].as_str() {
                let (records, first) = (&compacted["records"], &compacted["first"]);
                print::note(format_args!("{records} records were moved to {folder}; the log begins with record {first}."));
            } else {
                print::note(format_args!("There is no segment of which every record is that old."));
            }
        }
        Audit::Verify | Audit::Path | Audit::Anchor { .. } | Audit::CheckAnchor { .. } => {}
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
