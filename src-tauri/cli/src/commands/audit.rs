//! `majordomoctl audit …`

mod sentence;

use super::questions::ask_as_person;
use crate::args::{Audit, Format, RowsArgs};
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::messages::{m, maybe, name as key};
use crate::print;
use crate::sentences::family;
use api::{
    ActivityFilter, ActivityReason, ActivityRow, AnchorCheck, CompactLog, Compacted, ErrorCode,
    ExportFormat, ExportLog, HostError, KeyPlace, ListActivity, LogReport, Outcome, Signed,
};
use host::KeyringChoice;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Reads the whole log. Needs no host, and works while one runs.
pub(crate) fn verify(data_dir: &Path, json: bool) -> Result<Exit, HostError> {
    let report = host::verify_dir(data_dir, KeyringChoice::System)?;
    if json {
        print::json(&report);
    }
    match report {
        LogReport::Intact {
            records,
            first,
            read_from,
            anchor,
            after_anchor,
            signed,
        } => {
            let after = if after_anchor > 0 {
                format!(", {after_anchor} records after it are chained only")
            } else {
                String::new()
            };
            print::note(format_args!(
                "The log is intact: {records} records, latest checksum in: {}{after}.",
                key(&anchor)
            ));
            if first > 1 {
                let archive = if read_from == 1 {
                    format!(
                        "in the archive, {} of them, and were read as well",
                        first - 1
                    )
                } else {
                    "NOT in the archive beside it, or not all of them, and were not read".to_owned()
                };
                print::note(format_args!(
                    "The log begins with record {first}; older ones were moved out, behind a signed checkpoint. They are {archive}."
                ));
            }
            signatures(signed);
            Ok(Exit::Done)
        }
        LogReport::Broken {
            record,
            file,
            problem,
        } => {
            print::note(format_args!(
                "The log is NOT intact. First bad record: {record} in {file}: {problem}"
            ));
            Ok(Exit::Log)
        }
    }
}

/// Says how the log is signed, and what is not.
fn signatures(signed: Option<Signed>) {
    let Some(Signed {
        from,
        sealed,
        kept,
        root,
    }) = signed
    else {
        return print::note(format_args!(
            "The log is not signed: whoever can write to its folder can rewrite it."
        ));
    };
    let (first, sealed_to) = (from.to_string(), sealed.to_string());
    let signed = match sealed {
        0 => m("log.signed_open", &[("from", &first)]),
        _ => m("log.signed", &[("from", &first), ("sealed", &sealed_to)]),
    };
    print::note(format_args!("{signed} First key: {root}."));
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
pub(crate) fn anchor(
    data_dir: &Path,
    file: Option<PathBuf>,
    qr: bool,
    json: bool,
) -> Result<Exit, HostError> {
    let anchor =
        host::export_anchor_dir(data_dir, KeyringChoice::System, host::Clock::System.now())?;
    let unusable = |message: String| HostError::of(ErrorCode::BadPath, message);
    if let Some(file) = file {
        let written = std::fs::write(&file, format!("{}\n", anchor.text));
        written
            .map_err(|error| unusable(format!("{} cannot be written: {error}", file.display())))?;
        print::note(format_args!(
            "The anchor of record {} is in {}.",
            anchor.seq,
            file.display()
        ));
    }
    if json {
        print::json(
            &json!({"text": anchor.text, "file_name": anchor.file_name, "seq": anchor.seq, "at": anchor.at}),
        );
    } else if qr {
        let blocks = host::qr_blocks(&anchor.text);
        let too_long = "the anchor is too long for a code to be scanned: leave out --qr";
        print::result(blocks.ok_or_else(|| HostError::of(ErrorCode::TooLarge, too_long))?);
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
        print::json(&check);
    }
    let (sentence, exit) = match check {
        AnchorCheck::Continues { seq, at, since } => (
            format!(
                "The log continues the anchor: nothing up to record {seq}, of {}, was changed; {since} records since.",
                date::shown(at)
            ),
            Exit::Done,
        ),
        AnchorCheck::RolledBack { anchor, records } => (
            format!(
                "The log is OLDER than the anchor: it ends with record {records}, and had {anchor}."
            ),
            Exit::Log,
        ),
        AnchorCheck::Differs { seq } => (
            format!(
                "The log is NOT the one of the anchor any more: record {seq}, or one before it, differs."
            ),
            Exit::Log,
        ),
        AnchorCheck::MovedOut { seq, first } => {
            let sentence = format!(
                "Record {seq} was moved out of the log, which begins with record {first}, and is not in the archive any more."
            );
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
        HostError::of(
            ErrorCode::BadAnchor,
            format!(
                "{anchor} cannot be read: {problem}; give the file in which an anchor was kept, or its line, which begins with majordomo-log-anchor"
            ),
        )
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
        Audit::List {
            rows,
            limit,
            before,
        } => {
            let request = ListActivity {
                filter: filter(rows)?,
                before,
                limit,
            };
            let page = link.ask(request).await?;
            if json {
                print::json(&page)
            } else {
                list(&page.rows)
            }
            if let Some(next) = page.next {
                print::note(format_args!("There is more: the same with --before {next}"));
            }
        }
        Audit::Export { format, rows } => {
            let format = match format {
                Format::Jsonl => ExportFormat::Jsonl,
                Format::Csv => ExportFormat::Csv,
            };
            let filter = Some(filter(rows)?).filter(|filter| *filter != ActivityFilter::default());
            let is_whole = filter.is_none();
            let export = link.ask(ExportLog { format, filter }).await?;
            print::note(match is_whole {
                true => format!("{} records, those in the archive included.", export.records),
                false => format!("{} records; the archive is not searched.", export.records),
            });
            if export.missing > 0 {
                print::note(format_args!(
                    "{} are NOT among them: moved out and not in the archive any more, or damaged.",
                    export.missing
                ));
            }
            // The export is the result itself, in its own format, with or without --json.
            print::file(export.text.trim_end());
        }
        Audit::Compact {
            before,
            approver_token_file,
        } => {
            let before = date::parse(&before)?;
            let request = CompactLog { before };
            let compacted = ask_as_person(link, request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&compacted);
            } else {
                show_compacted(&compacted);
            }
        }
        Audit::Verify | Audit::Path | Audit::Anchor { .. } | Audit::CheckAnchor { .. } => {}
    }
    Ok(Exit::Done)
}

fn filter(rows: RowsArgs) -> Result<ActivityFilter, HostError> {
    let RowsArgs {
        segment,
        server,
        tool,
        outcome,
        caller,
        from,
        to,
        text,
    } = rows;
    Ok(ActivityFilter {
        segment,
        server,
        tool,
        outcome,
        caller,
        from: from.as_deref().map(date::parse).transpose()?,
        to: to.as_deref().map(date::parse).transpose()?,
        text,
    })
}

fn show_compacted(compacted: &Compacted) {
    let Compacted {
        records,
        file,
        first,
    } = compacted;
    match file {
        Some(folder) => print::note(format_args!(
            "{records} records were moved to {folder}; the log begins with record {first}."
        )),
        None => print::note(
            "There is no segment of which every record is that old, and every call has an end: see `calls unknown`.",
        ),
    }
}

fn list(rows: &[ActivityRow]) {
    print::table(
        &[
            "RECORD",
            "AT",
            "WHAT HAPPENED",
            "OUTCOME",
            "WHY",
            "RAN",
            "WAITED",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    );
}

/// Why a row ended so, and on whose word.
fn why(reason: Option<ActivityReason>, approver: Option<&str>) -> String {
    let by = approver.map(|key| {
        maybe("activity.by", key, None, &[]).unwrap_or_else(|| m("activity.by", &[("who", key)]))
    });
    match (reason, by) {
        (Some(ActivityReason::Allowed | ActivityReason::Denied) | None, Some(by)) => by,
        (Some(reason), _) => m(&format!("activity.reason.{}", reason.as_str()), &[]),
        (None, None) => String::new(),
    }
}

/// A row of the list.
fn cells(row: &ActivityRow) -> Vec<String> {
    let ActivityRow {
        seq,
        at,
        // Of these the sentence is made.
        what: _,
        subject: _,
        choice: _,
        count: _,
        caller: _,
        server: _,
        tool: _,
        segment: _,
        question: _,
        grant: _,
        rule: _,
        outcome,
        reason,
        approver,
        duration_ms,
        waited_ms,
        ran_ms,
    } = row;
    // Of a call that has ended and of which the parts were not kept, that is said.
    let is_unknown = duration_ms.is_some() && waited_ms.is_none();
    let part = |part: &Option<u64>| match part {
        Some(part) => format!("{part} ms"),
        None if is_unknown => "unknown".to_owned(),
        None => String::new(),
    };
    let ran = match outcome {
        // It did not run, whatever else was kept of it.
        Outcome::Refused => String::new(),
        _ => part(ran_ms),
    };
    vec![
        seq.to_string(),
        date::shown(*at),
        sentence::sentence(row),
        family("outcome", outcome.as_str(), &[]),
        why(*reason, approver.as_deref()),
        ran,
        part(waited_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::ActivitySegment;
    use protocol::{Caller, Timestamp};

    #[test]
    fn of_a_call_that_was_refused_no_run_time_is_said() {
        let times = |outcome, [duration_ms, waited_ms, ran_ms]: [Option<u64>; 3]| {
            let row = ActivityRow {
                seq: 1,
                at: Timestamp(0),
                what: "call".into(),
                segment: ActivitySegment::Calls,
                subject: None,
                choice: None,
                count: None,
                question: None,
                grant: None,
                rule: None,
                caller: Some(Caller::terminal()),
                server: None,
                tool: None,
                outcome,
                reason: None,
                approver: None,
                duration_ms,
                waited_ms,
                ran_ms,
            };
            cells(&row).split_off(5)
        };
        let earlier = [Some(20), None, None];
        assert_eq!(times(Outcome::Refused, earlier), ["", "unknown"]);
        assert_eq!(times(Outcome::Failed, earlier), ["unknown", "unknown"]);
        let waited = [Some(20), Some(20), None];
        assert_eq!(times(Outcome::Refused, waited), ["", "20 ms"]);
        let done = [Some(20), Some(5), Some(15)];
        assert_eq!(times(Outcome::Done, done), ["15 ms", "5 ms"]);
    }
}
