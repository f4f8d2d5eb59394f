//! `majordomoctl servers import`: what was found, what is in it, and what of it is kept.

use super::review::warnings;
use super::{add, or_dash};
use crate::args::Import;
use crate::link::Link;
use crate::messages::{maybe, name as key};
use crate::{input, print};
use api::{
    ErrorCode, FindConfigurations, FoundConfiguration, HostError, ImportChoice, ImportEntry,
    ImportPreview, ImportServers, ImportSource, PreviewImport,
};
use protocol::Launch;
use std::io::Read as _;

/// The largest configuration that is read from a file, in bytes. The host takes no longer one.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Lists configurations, shows one, or keeps entries of it.
pub(crate) async fn run(link: &Link, wanted: Import, json: bool) -> Result<(), HostError> {
    let mut names = wanted.words;
    let from = match wanted.from {
        Some(application) => found(link, &application, wanted.path.as_deref()).await?,
        None if names.is_empty() => return list(link, json).await,
        None => ImportSource::Text {
            text: text(&names.remove(0))?,
        },
    };
    let preview = link.ask(PreviewImport { from: from.clone() }).await?;
    if names.is_empty() {
        if json {
            print::json(&preview)
        } else {
            show(&preview)
        }
        print::note("Nothing is kept. Name entries to keep them, switched off.");
        return Ok(());
    }
    keep(link, from, &preview, names, wanted.session, json).await
}

async fn list(link: &Link, json: bool) -> Result<(), HostError> {
    let found = link.ask(FindConfigurations {}).await?;
    if json {
        print::json(&found);
        return Ok(());
    }
    let row = |row: &FoundConfiguration| {
        vec![
            key(&row.application).replace('_', "-"),
            row.servers.to_string(),
            row.path.clone(),
            or_dash(row.problem.as_deref()),
        ]
    };
    print::table(
        &["APPLICATION", "SERVERS", "FILE", "PROBLEM"],
        &found.iter().map(row).collect::<Vec<_>>(),
    );
    print::note("See what is in one with: majordomoctl servers import --from APPLICATION");
    Ok(())
}

/// Where to read the configuration of an application that was found. Of several files the one with
/// servers is meant.
async fn found(
    link: &Link,
    application: &str,
    path: Option<&str>,
) -> Result<ImportSource, HostError> {
    let found = link.ask(FindConfigurations {}).await?;
    let wanted = application.replace('-', "_");
    let fitting: Vec<&FoundConfiguration> = found
        .iter()
        .filter(|row| key(&row.application) == wanted)
        .filter(|row| path.is_none_or(|path| row.path == path))
        .collect();
    let with_servers: Vec<&FoundConfiguration> = fitting
        .iter()
        .copied()
        .filter(|row| row.servers != 0)
        .collect();
    let row = match (with_servers.as_slice(), fitting.as_slice()) {
        ([row], _) | ([], [row, ..]) => row,
        ([], []) => {
            return Err(HostError::of(
                ErrorCode::BadPath,
                format!(
                    "no configuration of {application} was found; `majordomoctl servers import` shows those that are"
                ),
            ));
        }
        (several, _) => {
            let paths: Vec<&str> = several.iter().map(|row| row.path.as_str()).collect();
            return Err(HostError::of(
                ErrorCode::BadPath,
                format!(
                    "{application} has servers in several files: {}; choose one with --path FILE",
                    paths.join(", ")
                ),
            ));
        }
    };
    Ok(ImportSource::Found {
        application: row.application,
        path: row.path.clone(),
    })
}

fn text(file: &str) -> Result<String, HostError> {
    let unread = |problem: std::io::Error| {
        HostError::of(
            ErrorCode::BadPath,
            format!("{file} cannot be read: {problem}"),
        )
    };
    let mut text = String::new();
    // One more than the host takes: it says what is wrong with a longer one.
    let read = |reader: &mut dyn std::io::Read, text: &mut String| {
        reader.take(MAX_BYTES + 1).read_to_string(text)
    };
    if file == "-" {
        read(&mut input::piped(), &mut text).map_err(unread)?;
    } else {
        read(&mut std::fs::File::open(file).map_err(unread)?, &mut text).map_err(unread)?;
    }
    Ok(text)
}

fn show(preview: &ImportPreview) {
    let row = |entry: &ImportEntry| {
        vec![
            entry.source_name.clone(),
            entry.name.to_string(),
            what(entry),
            notes(entry),
        ]
    };
    print::table(
        &["ENTRY", "NAME HERE", "COMMAND OR URL", "NOTES"],
        &preview.entries.iter().map(row).collect::<Vec<_>>(),
    );
}

/// What an entry would run or call; nothing if it cannot be used.
fn what(entry: &ImportEntry) -> String {
    match entry.review.as_ref().map(|review| &review.launch) {
        Some(Launch::Http(launch)) => launch.url.clone(),
        Some(Launch::Stdio(launch)) => {
            let words: Vec<&str> = std::iter::once(&launch.command)
                .chain(&launch.args)
                .map(String::as_str)
                .collect();
            words.join(" ")
        }
        Some(Launch::Builtin { .. }) | None => String::new(),
    }
}

fn notes(entry: &ImportEntry) -> String {
    let ImportEntry {
        place: _,
        source_name: _,
        project: _,
        name: _,
        review,
        secrets,
        ignored,
        refused,
        problem,
    } = entry;
    let named = |label: &str, list: &[String]| {
        (!list.is_empty()).then(|| format!("{label}: {}", list.join(", ")))
    };
    let problem = problem
        .iter()
        .map(|problem| format!("cannot be used: {problem}"));
    let warned = review
        .iter()
        .flat_map(warnings)
        .map(|(label, warning)| format!("{label}: {warning}"));
    let about = [
        named("removed", refused),
        named("secret", secrets),
        named("ignored", ignored),
    ];
    problem
        .chain(warned)
        .chain(about.into_iter().flatten())
        .collect::<Vec<_>>()
        .join("; ")
}

async fn keep(
    link: &Link,
    from: ImportSource,
    preview: &ImportPreview,
    names: Vec<String>,
    session: bool,
    json: bool,
) -> Result<(), HostError> {
    let choice = |source_name: String| {
        let entry = preview
            .entries
            .iter()
            .find(|entry| entry.source_name == source_name);
        let name = entry.map_or_else(|| source_name.clone(), |entry| entry.name.to_string());
        ImportChoice {
            place: None,
            source_name,
            name,
        }
    };
    let request = ImportServers {
        from,
        choices: names.into_iter().map(choice).collect(),
        keep: add::keep(session),
    };
    let outcome = link.ask(request).await?;
    if json {
        print::json(&outcome);
    }
    for view in &outcome.added {
        print::note(format_args!("Added {}, switched off.", view.id));
    }
    for failure in &outcome.failed {
        print::note(format_args!(
            "Not added: {}: {}",
            print::visible(&failure.source_name),
            print::visible(&failure.error.message)
        ));
        if let Some(next) = maybe("error", &key(&failure.error.code), Some("next"), &[]) {
            print::note(format_args!("  {next}"));
        }
    }
    Ok(())
}
