//! The log as text for other programs.
//!
//! Always true here:
//! - a cell of the CSV is text to a spreadsheet, never a formula, whatever a server or a caller put
//!   into it;
//! - what was moved out comes first, as far as it is in the archive, and what is not there is
//!   counted.

use super::call_end::refused;
use super::call_events::{CallClosed, CallOpened};
use super::chain::{HEAD, Hash, Link};
use super::record::{Entry, Event};
use super::segments::{self, Lines};
use crate::StoreError;
use api::{ExportFormat, Outcome};
use protocol::{Caller, ServerId, Timestamp};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

const HEADING: &str = "seq,at,what,caller,server,tool,outcome,duration_ms,waited_ms,ran_ms,arguments,error,permission,approver,detail,hash\r\n";

/// Members of a record that have columns of their own.
const IN_COLUMNS: [&str; 9] = [
    "event",
    "arguments",
    "outcome",
    "duration_ms",
    "waited_ms",
    "ran_ms",
    "error",
    "permission",
    "approver",
];

/// The log as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The records, first to last.
    pub text: String,
    /// How many they are.
    pub records: u64,
    /// How many records up to the last are not among them: moved out and not in the archive any
    /// more, or no records any more.
    pub missing: u64,
}

/// All records, or `only` these, first to last. What is not a record is left out; the check of the
/// log reports it.
pub(super) fn export(
    folder: &Path,
    format: ExportFormat,
    only: Option<&HashSet<u64>>,
) -> Result<Exported, StoreError> {
    let mut text = String::from(if format == ExportFormat::Csv {
        HEADING
    } else {
        ""
    });
    let (mut records, mut last) = (0, 0);
    let numbers = segments::list(folder)?;
    let archive = segments::archive(folder);
    let archived = numbers
        .first()
        .map(|first| segments::archived(folder, *first))
        .transpose()?
        .unwrap_or_default();
    let files = archived
        .into_iter()
        .map(|number| (&*archive, number))
        .chain(numbers.into_iter().map(|number| (folder, number)));
    for (place, number) in files {
        let bytes = segments::read(place, number)?;
        for (_, line) in Lines::of(&bytes) {
            let json = &line[HEAD..];
            let Some(link) = Link::of(json) else { continue };
            if only.is_some_and(|only| !only.contains(&link.seq)) {
                continue;
            }
            match (format, Entry::read(json)) {
                (ExportFormat::Jsonl, _) => text.push_str(&String::from_utf8_lossy(json)),
                (ExportFormat::Csv, Ok(entry)) => {
                    row(link.seq, &entry, Hash::of(line).as_str(), &mut text)
                }
                (ExportFormat::Csv, Err(_)) => continue,
            }
            (records, last) = (records + 1, link.seq.max(last));
        }
    }
    Ok(Exported {
        text,
        records,
        missing: match only {
            None => last.saturating_sub(records),
            Some(_) => 0,
        },
    })
}

/// What else a record says of what happened, as JSON: how a question was answered, the text of a
/// rule, how far a grant goes.
fn detail(event: &Event) -> String {
    let Ok(Value::Object(mut members)) = serde_json::to_value(event) else {
        return String::new();
    };
    members.retain(|name, _| !IN_COLUMNS.contains(&name.as_str()));
    if members.is_empty() {
        String::new()
    } else {
        Value::Object(members).to_string()
    }
}

fn row(seq: u64, entry: &Entry, hash: &str, text: &mut String) {
    let (mut outcome, mut arguments, mut error) = (Outcome::Noted, None, None);
    // Milliseconds: of all of it, of waiting for a person, of running. What is unknown stays empty.
    let mut took = [None; 3];
    match &entry.event {
        Event::CallOpened(CallOpened {
            arguments: sent, ..
        }) => (outcome, arguments) = (Outcome::Running, Some(sent)),
        Event::CallClosed(CallClosed {
            outcome: how,
            duration_ms,
            waited_ms,
            ran_ms,
            error: why,
        }) => {
            (outcome, error) = (*how, why.clone());
            took = [Some(*duration_ms), *waited_ms, *ran_ms];
        }
        Event::CallRefused {
            arguments: wanted,
            refusal,
            duration_ms,
            waited_ms,
        } => {
            outcome = refused(refusal);
            (arguments, error) = (Some(wanted), Some(refusal.to_string()));
            took = [Some(*duration_ms), *waited_ms, None];
        }
        Event::RequestRefused {
            arguments: wanted,
            refusal,
            ..
        } => {
            outcome = refused(refusal);
            (arguments, error) = (Some(wanted), Some(refusal.to_string()));
        }
        _ => {}
    }
    let permission = match &entry.event {
        Event::CallOpened(CallOpened {
            permission: word, ..
        }) => serde_json::to_string(word).ok(),
        _ => None,
    };
    let [duration, waited, ran] =
        took.map(|ms: Option<u64>| ms.map(|ms| ms.to_string()).unwrap_or_default());
    let cells = [
        seq.to_string(),
        rfc3339(entry.at),
        entry.event.name().to_owned(),
        entry
            .caller
            .as_ref()
            .map(Caller::to_string)
            .unwrap_or_default(),
        entry
            .server
            .as_ref()
            .map_or("", ServerId::as_str)
            .to_owned(),
        entry
            .tool
            .as_ref()
            .map_or("", |tool| tool.as_str())
            .to_owned(),
        outcome.as_str().to_owned(),
        duration,
        waited,
        ran,
        arguments
            .and_then(|map| serde_json::to_string(map).ok())
            .unwrap_or_default(),
        error.unwrap_or_default(),
        permission.unwrap_or_default(),
        entry.approver.clone().unwrap_or_default(),
        detail(&entry.event),
        hash.to_owned(),
    ];
    for (place, value) in cells.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        cell(value, text);
    }
    text.push_str("\r\n");
}

/// One cell (RFC 4180). Spreadsheets read one that begins with any of these characters as a
/// formula.
fn cell(value: &str, text: &mut String) {
    let is_formula =
        value.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if !is_formula && !value.contains([',', '"', '\r', '\n']) {
        return text.push_str(value);
    }
    text.push('"');
    if is_formula {
        text.push('\'');
    }
    text.push_str(&value.replace('"', "\"\""));
    text.push('"');
}

/// A time in UTC with milliseconds, such as `2026-11-21T09:30:00.250Z` (RFC 3339).
fn rfc3339(at: Timestamp) -> String {
    let (seconds, ms) = (at.0.div_euclid(1_000), at.0.rem_euclid(1_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years begin in March, so that the leap day is the last day of one; 400 of them have 146,097
    // days.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{ms:03}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_calendar_has_them() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_253_400_250, "2026-11-21T09:30:00.250Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(rfc3339(Timestamp(ms)), text);
        }
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        for (value, expected) in [
            ("plain", "plain"),
            ("=1+1", "\"'=1+1\""),
            ("-2", "\"'-2\""),
            ("@x", "\"'@x\""),
            ("\tx", "\"'\tx\""),
            ("a,\"b\"\nc", "\"a,\"\"b\"\"\nc\""),
        ] {
            let mut text = String::new();
            cell(value, &mut text);
            assert_eq!(text, expected);
        }
    }
}
