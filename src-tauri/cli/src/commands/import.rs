//! `majordomoctl servers import`: what was found, what is in it, and what of it is kept.

use super::servers::warnings;
use crate::args::Import;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::io::Read as _;

/// The largest configuration that is read from a file, in bytes. The host takes no longer one.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Lists configurations, shows one, or keeps entries of it.
pub(crate) async fn run(link: &Link, wanted: Import, json: bool) -> Result<(), HostError> {
    let mut names = wanted.words;
    let from = match wanted.from {
        Some(application) => found(link, &application, wanted.path.as_deref()).await?,
        None if names.is_empty() => return list(link, json).await,
        None => json!({"kind": "text", "text": text(&names.remove(0))?}),
    };
    let preview = link.ask(&json!({"method": "preview_import", "params": {"from": from}})).await?;
    if names.is_empty() {
        if json {
            print::json(&preview)
        } else {
            show(&preview)
        }
        print::note("Nothing is kept. Name entries to keep them, switched off.");
        return Ok(());
    }
    keep(link, &from, &preview, &names, wanted.session, json).await
}

async fn list(link: &Link, json: bool) -> Result<(), HostError> {
    let found = link.ask(&json!({"method": "find_configurations"})).await?;
    if json {
        print::json(&found);
        return Ok(());
    }
    let rows = found.as_array().map(Vec::as_slice).unwrap_or_default();
    let cells = rows.iter().map(|row| {
        let text = |pointer: &str| print::text(row, pointer);
        vec![text("/application").replace('_', "-"), text("/servers"), text("/path"), text("/problem")]
    });
    print::table(&["APPLICATION", "SERVERS", "FILE", "PROBLEM"], &cells.collect::<Vec<_>>());
    print::note("See what is in one with: majordomoctl servers import --from APPLICATION");
    Ok(())
}

/// Where to read the configuration of an application that was found. Of several files the one with servers is meant.
async fn found(link: &Link, application: &str, path: Option<&str>) -> Result<Value, HostError> {
    let found = link.ask(&json!({"method": "find_configurations"})).await?;
    let wanted = application.replace('-', "_");
    let of_it = found.as_array().into_iter().flatten().filter(|row| row["application"] == wanted.as_str());
    let fitting: Vec<&Value> = of_it.filter(|row| path.is_none_or(|path| row["path"] == path)).collect();
    let with_servers: Vec<&Value> = fitting.iter().copied().filter(|row| row["servers"] != 0).collect();
    let row = match (with_servers.as_slice(), fitting.as_slice()) {
        ([row], _) | ([], [row, ..]) => row,
        ([], []) => {
            let message = format!("no configuration of {application} was found");
            return Err(link::error(ErrorCode::BadPath, message, "See `majordomoctl servers import`, or name a file."));
        }
        (several, _) => {
            let paths: Vec<_> = several.iter().map(|row| print::text(row, "/path")).collect();
            let message = format!("{application} has servers in several files: {}", paths.join(", "));
            return Err(link::error(ErrorCode::BadPath, message, "Choose one with --path FILE."));
        }
    };
    Ok(json!({"kind": "found", "application": row["application"], "path": row["path"]}))
}

fn text(file: &str) -> Result<String, HostError> {
    let unread = |problem: std::io::Error| {
        link::error(ErrorCode::BadPath, format!("{file} cannot be read: {problem}"), "Name a configuration file.")
    };
    let mut text = String::new();
    // One more than the host takes: it says what is wrong with a longer one.
    let read = |reader: &mut dyn std::io::Read, text: &mut String| reader.take(MAX_BYTES + 1).read_to_string(text);
    if file == "-" {
        read(&mut std::io::stdin().lock(), &mut text).map_err(unread)?;
    } else {
        read(&mut std::fs::File::open(file).map_err(unread)?, &mut text).map_err(unread)?;
    }
    Ok(text)
}

fn show(preview: &Value) {
    let cells = preview["entries"].as_array().into_iter().flatten().map(|entry| {
        let launch = &entry["review"]["launch"];
        let words = std::iter::once(&launch["command"]).chain(launch["args"].as_array().into_iter().flatten()).filter_map(Value::as_str);
        let what = launch["url"].as_str().map_or_else(|| words.collect::<Vec<_>>().join(" "), str::to_owned);
        vec![print::text(entry, "/source_name"), print::text(entry, "/name"), what, notes(entry)]
    });
    print::table(&["ENTRY", "NAME HERE", "RUNS OR CALLS", "NOTES"], &cells.collect::<Vec<_>>());
}

fn notes(entry: &Value) -> String {
    let list = |key: &str| entry[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    let named = |label: &str, key: &str| Some(list(key)).filter(|text| !text.is_empty()).map(|text| format!("{label}: {text}"));
    let problem = entry["problem"].as_str().map(|problem| format!("cannot be used: {problem}"));
    let warned = warnings(&entry["review"]).map(|(label, warning)| format!("{label}: {warning}"));
    let about = [named("refused", "refused"), named("secret", "secrets"), named("passed over", "ignored")];
    problem.into_iter().chain(warned).chain(about.into_iter().flatten()).collect::<Vec<_>>().join("; ")
}

async fn keep(link: &Link, from: &Value, preview: &Value, names: &[String], session: bool, json: bool) -> Result<(), HostError> {
    let entries = preview["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let kept_as = |source: &str| {
        entries.iter().find(|entry| entry["source_name"] == source).map_or_else(|| source.to_owned(), |entry| print::text(entry, "/name"))
    };
    let choices: Vec<Value> = names.iter().map(|source| json!({"source_name": source, "name": kept_as(source)})).collect();
    let keep = if session { "session" } else { "keyring" };
    let outcome = link.ask(&json!({"method": "import_servers", "params": {"from": from, "choices": choices, "keep": keep}})).await?;
    if json {
        print::json(&outcome);
    }
    for view in outcome["added"].as_array().into_iter().flatten() {
        print::note(format_args!("Added {}, switched off.", print::text(view, "/id")));
    }
    for failure in outcome["failed"].as_array().into_iter().flatten() {
        let reason = print::visible(&print::text(failure, "/error/message"));
        print::note(format_args!("Not added: {}: {reason}", print::visible(&print::text(failure, "/source_name"))));
    }
    Ok(())
}
