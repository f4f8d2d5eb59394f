//! `majordomoctl audit …`

use super::questions::ask_as_person;
use crate::args::{Audit, Format};
use crate::date;
use crate::exit::Exit;
use crate::link::{self, Link};
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
        LogReport::Intact { records, first, read_from, anchor, after_anchor, signed } => {
            let anchor = serde_json::to_value(anchor).unwrap_or_default();
            let after = if after_anchor > 0 { format!(", {after_anchor} records after it are chained only") } else { String::new() };
            print::note(format_args!("The log is intact: {records} records, head noted in: {}{after}.", print::text(&anchor, "")));
            if first > 1 {
                let archive = if read_from == 1 {
                    format!("in the archive, {} of them, and were read as well", first - 1)
                } else {
                    "NOT in the archive beside it, or not all of them, and were not read".to_owned()
                };
                print::note(format_args!(
                    "It begins with record {first}; older ones were moved out, behind a signed checkpoint. They are {archive}."
                ));
            }
            signatures(signed);
            Ok(Exit::Done)
        }
        LogReport::Broken { record, file, problem } => {
            print::note(format_args!("The log is NOT intact. First bad record: {record} in {file}: {problem}"));
            Ok(Exit::Log)
        }
    }
}

/// Says how the log is signed, and what is not.
fn signatures(signed: Option<Signed>) {
    let Some(Signed { from, sealed, kept, root }) = signed else {
        return print::note(format_args!("It is not signed: who can write to its folder can write it anew."));
    };
    let sealed = if sealed == 0 { "nothing of it sealed yet".to_owned() } else { format!("sealed up to record {sealed}") };
    print::note(format_args!("Signed from record {from} on, {sealed}; first key: {root}."));
    if kept == KeyPlace::Memory {
        print::note("There is no keyring: each run has keys of its own.");
    }
    if from > 1 {
        print::note(format_args!(
            "Records before {from} are chained only: there were no keys yet, or they were lost, or somebody has begun with others."
        ));
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
    let text = text_of_anchor(anchor)?;
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

/// The text itself, or that of the file which it names.
fn text_of_anchor(anchor: &str) -> Result<String, HostError> {
    if anchor.trim_start().starts_with("majordomo-log-anchor-") && !Path::new(anchor).is_file() {
        return Ok(anchor.to_owned());
    }
    let unusable = |problem: String| {
        let hint = "Give the file in which an anchor was kept, or its line, which begins with majordomo-log-anchor.";
        link::error(ErrorCode::BadAnchor, format!("{anchor} cannot be read: {problem}"), hint)
    };
    let found = std::fs::metadata(anchor).map_err(|error| unusable(error.to_string()))?;
    if !found.is_file() || found.len() >= 64 * 1024 {
        return Err(unusable("it is no file with an anchor".to_owned()));
    }
    std::fs::read_to_string(anchor).map_err(|error| unusable(error.to_string()))
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
            let (records, missing) = (&export["records"], export["missing"].as_u64().unwrap_or_default());
            print::note(format_args!("{records} records, those in the archive included."));
            if missing > 0 {
                print::note(format_args!("{missing} are NOT among them: moved out and not in the archive any more, or damaged."));
            }
            // The export is the result itself, in its own format, with or without --json.
            print::file(print::text(&export, "/text").trim_end());
        }
        Audit::Compact { before, approver_token_file } => {
            let before = date::parse(&before)?;
            let request = json!({"method": "compact_log", "params": {"before": before}});
            let compacted = ask_as_person(link, &request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&compacted);
            } else if let Some(folder) = compacted["file"].as_str() {
                let (records, first) = (&compacted["records"], &compacted["first"]);
                print::note(format_args!("{records} records were moved to {folder}; the log begins with record {first}."));
            } else {
                print::note("There is no segment of which every record is that old, and every call has an end: see `calls unknown`.");
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
