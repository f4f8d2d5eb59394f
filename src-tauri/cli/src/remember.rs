//! What is remembered of an answer, as it is written on the command line and as it is shown.

use crate::link;
use crate::print::{text, visible};
use host::{Clock, ErrorCode, HostError};
use serde_json::{Map, Value, json};

/// How long an answer is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lasting<'a> {
    pub times: Option<u32>,
    pub until: Option<&'a str>,
    pub conversation: bool,
    pub workspace: bool,
    pub always: bool,
}

impl Lasting<'_> {
    /// In the shape of the interface; nothing if nothing is remembered.
    pub(crate) fn shape(&self) -> Result<Option<Value>, HostError> {
        Ok(match self {
            Self { times: Some(times), .. } => Some(json!({"kind": "times", "times": times})),
            Self { until: Some(until), .. } => Some(json!({"kind": "until", "at": time(until)?})),
            Self { conversation: true, .. } => Some(json!({"kind": "conversation"})),
            Self { workspace: true, .. } => Some(json!({"kind": "workspace"})),
            Self { always: true, .. } => Some(json!({"kind": "always"})),
            _ => None,
        })
    }
}

/// Limits as they are written, for a call with these arguments; what is not named must be the same.
pub(crate) fn within(limits: &[String], arguments: &Map<String, Value>) -> Result<Value, HostError> {
    let mut shaped = Map::new();
    for name in arguments.keys() {
        shaped.insert(name.clone(), Value::Null);
    }
    for limit in limits {
        let Some((name, limit)) = limit.split_once('=') else { return Err(usage(format!("{limit:?} is not ARG=LIMIT"))) };
        shaped.insert(name.to_owned(), allowed(limit)?);
    }
    let limits: Vec<Value> = shaped.into_iter().map(|(argument, allowed)| json!({"argument": argument, "allowed": allowed})).collect();
    Ok(json!({"kind": "within", "limits": limits}))
}

fn allowed(limit: &str) -> Result<Value, HostError> {
    let (kind, value) = limit.split_once(':').unwrap_or((limit, ""));
    let list = || value.split(',').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>();
    Ok(match kind {
        "same" => Value::Null,
        "anything" => json!({"kind": "anything"}),
        "under" => json!({"kind": "under", "folder": value}),
        "one-of" => json!({"kind": "one_of", "values": list()}),
        "hosts" => json!({"kind": "hosts", "hosts": list()}),
        "at-most" => {
            let number: f64 = value.parse().map_err(|_| usage(format!("{value:?} is not a number")))?;
            json!({"kind": "at_most", "number": number})
        }
        _ => return Err(usage(format!("{limit:?} is no limit: write under:, one-of:, hosts:, at-most:, same or anything"))),
    })
}

/// Milliseconds since 1970 of a time, or of so long from now on.
pub(crate) fn time(text: &str) -> Result<i64, HostError> {
    let bad = || usage(format!("{text:?} is neither a time (2026-12-31T18:00:00Z) nor how long (90m, 2h, 7d)"));
    let long = text.strip_suffix(['m', 'h', 'd']).and_then(|number| number.parse::<i64>().ok());
    if let Some(number) = long {
        let unit = if text.ends_with('m') {
            60_000
        } else if text.ends_with('h') {
            3_600_000
        } else {
            86_400_000
        };
        return number.checked_mul(unit).and_then(|long| Clock::System.now().0.checked_add(long)).ok_or_else(bad);
    }
    moment(text).ok_or_else(bad)
}

/// A time of RFC 3339.
fn moment(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', 't', ' '])?;
    let (clock, offset) = match clock.find(['Z', 'z', '+', '-']) {
        Some(at) => clock.split_at(at),
        None => return None,
    };
    let numbers = |text: &str, by: char| text.split(by).map(|part| part.parse::<i64>().ok()).collect::<Option<Vec<_>>>();
    let (date, clock) = (numbers(date, '-')?, numbers(clock.split('.').next()?, ':')?);
    let (&[year, month, day], &[hour, minute, second]) = (date.as_slice(), clock.as_slice()) else { return None };
    let right = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !right || !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..=60).contains(&second) {
        return None;
    }
    let shift = match offset.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, by) => {
            let &[hours, minutes] = numbers(by, ':')?.as_slice() else { return None };
            (hours * 60 + minutes) * if sign == "-" { -60 } else { 60 }
        }
    };
    // Days since 1970, counted from March so that the leap day is the last of a year.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
    Some((days * 86_400 + hour * 3_600 + minute * 60 + second - shift) * 1_000)
}

/// Which arguments a grant covers, in words.
pub(crate) fn covers(arguments: &Value) -> String {
    match text(arguments, "/kind").as_str() {
        "any" => "any arguments".into(),
        "exactly" => format!("exactly {}", visible(&arguments["shown"].to_string())),
        _ => {
            let limits = arguments["limits"].as_array().into_iter().flatten();
            let limits = limits.map(|limit| format!("{} {}", visible(&text(limit, "/argument")), may_be(&limit["allowed"])));
            limits.collect::<Vec<_>>().join(", ")
        }
    }
}

/// What an argument may be, in words.
pub(crate) fn may_be(allowed: &Value) -> String {
    let list = |name: &str| {
        let parts = allowed[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(visible);
        parts.collect::<Vec<_>>().join(", ")
    };
    match allowed["kind"].as_str() {
        Some("anything") => "anything".into(),
        Some("one_of") => format!("one of {}", list("values")),
        Some("under") => format!("under {}", visible(&text(allowed, "/folder"))),
        Some("hosts") => format!("on {}", list("hosts")),
        Some("at_most") => format!("at most {}", allowed["number"]),
        Some("same") => format!("exactly {}", visible(&allowed["shown"].to_string())),
        _ => "the same".into(),
    }
}

/// How long a grant holds, in words.
pub(crate) fn lasts(grant: &Value) -> String {
    let scope = &grant["scope"];
    match scope["kind"].as_str() {
        Some("times") => format!("{} of {} calls", grant["used"], scope["times"]),
        Some("until") => format!("until {}", scope["at"].as_i64().map(|at| protocol::Timestamp(at).to_string()).unwrap_or_default()),
        Some("conversation") => "until the host ends".into(),
        Some("workspace") => "in its workspace".into(),
        _ => "everywhere".into(),
    }
}

fn usage(problem: String) -> HostError {
    link::error(ErrorCode::BadAnswer, problem, "See `majordomoctl questions answer --help`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_the_standard_has_it() {
        assert_eq!(time("1970-01-01T00:00:00Z").unwrap(), 0);
        assert_eq!(time("2024-02-29T12:30:00+02:00").unwrap(), 1_709_202_600_000);
        assert_eq!(time("2026-12-31T18:00:00.5Z").unwrap(), 1_798_740_000_000);
        let begun = Clock::System.now().0;
        let later = time("2h").unwrap();
        assert!((begun + 7_200_000..=Clock::System.now().0 + 7_200_000).contains(&later));
        for bad in ["", "tomorrow", "2026-13-01T00:00:00Z", "2026-12-31", "2026-12-31T18:00:00", "h"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_are_read_and_what_is_not_named_stays_the_same() {
        let arguments = json!({"path": "/a/b", "mode": "fast"}).as_object().cloned().unwrap();
        let shaped = within(&["path=under:/a".into()], &arguments).unwrap();
        let limits = json!([
            {"argument": "path", "allowed": {"kind": "under", "folder": "/a"}},
            {"argument": "mode", "allowed": null},
        ]);
        assert_eq!(shaped["limits"], limits);
        for bad in ["path", "path=near:/a", "path=at-most:many"] {
            assert!(within(&[bad.into()], &arguments).is_err(), "{bad}");
        }
    }
}
