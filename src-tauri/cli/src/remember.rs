//! What is remembered of an answer, as it is written on the command line and as it is shown.

use crate::date;
use crate::link;
use crate::print::visible;
use host::{Clock, ErrorCode, HostError};
use policy::{Allowed, ArgumentScope, Covered, Grant, Limit, LimitChoice, Scope};
use protocol::Timestamp;
use serde_json::{Map, Value};

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
    /// What was chosen; nothing if nothing is remembered.
    pub(crate) fn chosen(&self) -> Result<Option<policy::Lasting>, HostError> {
        Ok(match self {
            Self {
                times: Some(times), ..
            } => Some(policy::Lasting::Times { times: *times }),
            Self {
                until: Some(until), ..
            } => Some(policy::Lasting::Until { at: time(until)? }),
            Self {
                conversation: true, ..
            } => Some(policy::Lasting::Conversation),
            Self {
                workspace: true, ..
            } => Some(policy::Lasting::Workspace),
            Self { always: true, .. } => Some(policy::Lasting::Always),
            _ => None,
        })
    }
}

/// Limits as they are written, for a call with these arguments; what is not named must be the same.
pub(crate) fn within(
    limits: &[String],
    arguments: &Map<String, Value>,
) -> Result<ArgumentScope, HostError> {
    let mut chosen: Vec<LimitChoice> = arguments
        .keys()
        .map(|argument| LimitChoice {
            argument: argument.clone(),
            allowed: None,
        })
        .collect();
    for limit in limits {
        let Some((argument, limit)) = limit.split_once('=') else {
            return Err(usage(format!("{limit:?} is not ARG=LIMIT")));
        };
        let allowed = allowed(limit)?;
        match chosen.iter_mut().find(|choice| choice.argument == argument) {
            Some(choice) => choice.allowed = allowed,
            None => chosen.push(LimitChoice {
                argument: argument.to_owned(),
                allowed,
            }),
        }
    }
    Ok(ArgumentScope::Within { limits: chosen })
}

/// What a limit lets an argument be; nothing means: only what it is.
fn allowed(limit: &str) -> Result<Option<Allowed>, HostError> {
    let (kind, value) = limit.split_once(':').unwrap_or((limit, ""));
    let list = || {
        value
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    Ok(match kind {
        "same" => None,
        "anything" => Some(Allowed::Anything),
        "under" => Some(Allowed::Under {
            folder: value.to_owned(),
        }),
        "one-of" => Some(Allowed::OneOf { values: list() }),
        "hosts" => Some(Allowed::Hosts { hosts: list() }),
        "at-most" => {
            let number = value
                .parse()
                .map_err(|_| usage(format!("{value:?} is not a number")))?;
            Some(Allowed::AtMost { number })
        }
        _ => {
            return Err(usage(format!(
                "{limit:?} is no limit: write under:, one-of:, hosts:, at-most:, same or anything"
            )));
        }
    })
}

/// A time, or so long from now on.
pub(crate) fn time(text: &str) -> Result<Timestamp, HostError> {
    let bad = || {
        usage(format!(
            "{text:?} is neither a time (2026-12-31T18:00:00Z) nor how long (90m, 2h, 7d)"
        ))
    };
    let long = text
        .strip_suffix(['m', 'h', 'd'])
        .and_then(|number| number.parse::<i64>().ok());
    if let Some(number) = long {
        let unit = if text.ends_with('m') {
            60_000
        } else if text.ends_with('h') {
            3_600_000
        } else {
            86_400_000
        };
        return number
            .checked_mul(unit)
            .and_then(|long| Clock::System.now().0.checked_add(long))
            .map(Timestamp)
            .ok_or_else(bad);
    }
    moment(text).map(Timestamp).ok_or_else(bad)
}

/// Milliseconds since 1970 of a time of RFC 3339.
fn moment(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', 't', ' '])?;
    let (clock, offset) = match clock.find(['Z', 'z', '+', '-']) {
        Some(at) => clock.split_at(at),
        None => return None,
    };
    let numbers = |text: &str, by: char| {
        text.split(by)
            .map(|part| part.parse::<i64>().ok())
            .collect::<Option<Vec<_>>>()
    };
    let (date, clock) = (numbers(date, '-')?, numbers(clock.split('.').next()?, ':')?);
    let (&[year, month, day], &[hour, minute, second]) = (date.as_slice(), clock.as_slice()) else {
        return None;
    };
    let right =
        (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !right
        || !(0..24).contains(&hour)
        || !(0..60).contains(&minute)
        || !(0..=60).contains(&second)
    {
        return None;
    }
    let shift = match offset.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, by) => {
            let &[hours, minutes] = numbers(by, ':')?.as_slice() else {
                return None;
            };
            (hours * 60 + minutes) * if sign == "-" { -60 } else { 60 }
        }
    };
    // Days since 1970, counted from March so that the leap day is the last of a year.
    let (y, m) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
    Some((days * 86_400 + hour * 3_600 + minute * 60 + second - shift) * 1_000)
}

/// Which arguments a grant covers, in words.
pub(crate) fn covers(arguments: &Covered) -> String {
    match arguments {
        Covered::Any => "any arguments".into(),
        Covered::Exactly {
            fingerprint: _,
            shown,
        } => format!("exactly {}", json(&Value::Object(shown.clone()))),
        Covered::Within { limits } => {
            let limits = limits.iter().map(|Limit { argument, allowed }| {
                format!("{} {}", visible(argument), may_be(Some(allowed)))
            });
            limits.collect::<Vec<_>>().join(", ")
        }
    }
}

/// What an argument may be, in words; nothing chosen means: only what it is.
pub(crate) fn may_be(allowed: Option<&Allowed>) -> String {
    match allowed {
        None => "the same".into(),
        Some(Allowed::Anything) => "anything".into(),
        Some(Allowed::OneOf { values }) => format!("one of {}", visible(&values.join(", "))),
        Some(Allowed::Under { folder }) => format!("under {}", visible(folder)),
        Some(Allowed::Hosts { hosts }) => format!("on {}", visible(&hosts.join(", "))),
        Some(Allowed::AtMost { number }) => format!("at most {number}"),
        Some(Allowed::Same {
            fingerprint: _,
            shown,
        }) => format!("exactly {}", json(shown)),
    }
}

fn json(shown: &Value) -> String {
    visible(&shown.to_string())
}

/// How long a grant holds, in words.
pub(crate) fn lasts(grant: &Grant) -> String {
    match &grant.scope {
        Scope::Times { times } => format!("{} of {times} calls", grant.used),
        Scope::Until { at } => format!("until {}", date::shown(*at)),
        Scope::Conversation { conversation: _ } => "until the host ends".into(),
        Scope::Workspace => "in its workspace".into(),
        Scope::Always => "everywhere".into(),
    }
}

fn usage(problem: String) -> HostError {
    link::error(
        ErrorCode::BadAnswer,
        problem,
        "See `majordomoctl questions answer --help`.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_is_read_as_the_standard_has_it() {
        assert_eq!(time("1970-01-01T00:00:00Z").unwrap(), Timestamp(0));
        assert_eq!(
            time("2024-02-29T12:30:00+02:00").unwrap(),
            Timestamp(1_709_202_600_000)
        );
        assert_eq!(
            time("2026-12-31T18:00:00.5Z").unwrap(),
            Timestamp(1_798_740_000_000)
        );
        let begun = Clock::System.now().0;
        let later = time("2h").unwrap().0;
        assert!((begun + 7_200_000..=Clock::System.now().0 + 7_200_000).contains(&later));
        for bad in [
            "",
            "tomorrow",
            "2026-13-01T00:00:00Z",
            "2026-12-31",
            "2026-12-31T18:00:00",
            "h",
        ] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_are_read_and_what_is_not_named_stays_the_same() {
        let arguments = json!({"path": "/a/b", "mode": "fast"})
            .as_object()
            .cloned()
            .unwrap();
        let limit = |argument: &str, allowed| LimitChoice {
            argument: argument.to_owned(),
            allowed,
        };
        let under = Allowed::Under {
            folder: "/a".to_owned(),
        };
        assert_eq!(
            within(&["path=under:/a".into()], &arguments).unwrap(),
            ArgumentScope::Within {
                limits: vec![limit("path", Some(under)), limit("mode", None)]
            }
        );
        for bad in ["path", "path=near:/a", "path=at-most:many"] {
            assert!(within(&[bad.into()], &arguments).is_err(), "{bad}");
        }
    }
}
