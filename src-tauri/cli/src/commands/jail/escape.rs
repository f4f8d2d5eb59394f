//! `majordomoctl jail test`

use crate::args::TierWord;
use crate::exit::Exit;
use crate::messages::{m, plural};
use crate::print;
use api::{ErrorCode, HostError};
use sandbox::escape::{self, Outcome, Results, Row, Verdict};
use sandbox::profile::Tier;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::Path;

/// Runs the escape suite. Ends with an error code if an attempt got out, or if there was nothing to
/// try.
pub(super) fn run(jail: &Path, tier: Option<TierWord>, json: bool) -> Result<Exit, HostError> {
    let tiers = match tier {
        Some(TierWord::Namespaces) => &[Tier::Namespaces][..],
        Some(TierWord::Landlock) => &[Tier::Landlock],
        None => &[Tier::Namespaces, Tier::Landlock],
    };
    let mut all = Vec::new();
    for tier in tiers {
        match escape::run(jail, *tier, None) {
            Ok(results) => all.push(results),
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                print::note(m("jail.missing", &[("tier", tier.word())]));
            }
            Err(error) => {
                let message = format!("{}: {error}", tier.word());
                return Err(HostError::of(ErrorCode::Internal, message));
            }
        }
    }
    if json {
        print::json(&all.iter().map(written).collect::<Vec<_>>());
    } else {
        all.iter().for_each(show);
    }
    let holds = !all.is_empty() && all.iter().all(Results::holds);
    Ok(if holds { Exit::Done } else { Exit::Other })
}

fn written(results: &Results) -> Value {
    json!({
        "tier": results.tier,
        "denied": results.denied(),
        "counted": results.counted(),
        "attempts": results.rows,
    })
}

fn show(results: &Results) {
    let rows: Vec<Vec<String>> = results.rows.iter().map(cells).collect();
    print::table(&["ATTEMPT", "RESULT", "WHY"], &rows);
    let count = |which: fn(Verdict) -> bool| {
        let found = results.rows.iter().filter(|row| which(row.verdict));
        u32::try_from(found.count()).unwrap_or(u32::MAX)
    };
    let open = count(|verdict| matches!(verdict, Verdict::OpenByDesign { .. }));
    let not_tried = count(|verdict| verdict == Verdict::NotTried);
    print::result("");
    let (denied, counted) = (results.denied().to_string(), results.counted().to_string());
    print::result(m(
        "jail.summary",
        &[
            ("denied", &denied),
            ("counted", &counted),
            ("tier", results.tier.word()),
        ],
    ));
    for (key, n) in [("jail.open", open), ("jail.not_tried", not_tried)] {
        if n > 0 {
            print::result(plural(key, n));
        }
    }
    print::result("");
}

fn cells(row: &Row) -> Vec<String> {
    let word = |outcome: &Outcome| match outcome {
        Outcome::Denied { word } => word.clone(),
        Outcome::Escaped { seen } => seen.clone(),
    };
    let (verdict, why) = match row.verdict {
        Verdict::Denied => ("denied", word(&row.jailed)),
        Verdict::Escaped => ("escaped", word(&row.jailed)),
        Verdict::OpenByDesign { reason } => ("open", reason.to_owned()),
        Verdict::NotTried => ("not_tried", word(&row.control)),
    };
    vec![
        row.name.replace('_', " "),
        m(&format!("jail.verdict.{verdict}"), &[]),
        why,
    ]
}
