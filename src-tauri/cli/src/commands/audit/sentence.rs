//! A row of the activity as a sentence: who did what to what, in the words of the window.
//!
//! Always true here:
//! - a sentence that a row lacks a name for is not used; what kind of thing happened can always be
//!   said;
//! - whoever is called by a word of ours is said with their kind.

use crate::messages::{m, maybe};
use crate::quote::visible;
use crate::sentences::family;
use api::{ActivityReason, ActivityRow, Outcome};
use protocol::{Caller, CallerKind};

/// What only callers do; all else was decided by whoever approved it.
const CALLERS_OWN: [&str; 5] = [
    "call",
    "request_refused",
    "resource_read",
    "prompt_got",
    "client_answered",
];
/// Where only the person answers.
const PERSON: [&str; 4] = ["question_window", "window", "terminal", "browser"];
/// Words of ours for somebody.
const OURS: [&str; 5] = ["window", "terminal", "browser", "majordomo", "nobody"];

/// The sentence of a row.
pub(super) fn sentence(row: &ActivityRow) -> String {
    let said = Said::of(row);
    let keys = variants(row)
        .into_iter()
        .flat_map(|variant| keys(&row.what, variant, row.count));
    keys.filter_map(|key| said.fill(&key))
        .next()
        .unwrap_or_else(|| said.at_least(row))
}

/// How a sentence may go on beside what happened, the most exact first.
fn variants(row: &ActivityRow) -> Vec<&str> {
    let of_window = row.caller.as_ref().is_some_and(is_window);
    match row.what.as_str() {
        "call" => vec![became(row, of_window)],
        "question_answered" => vec![answered(row.reason)],
        "request_refused" if of_window => vec!["own"],
        _ => row.choice.as_deref().into_iter().chain([""]).collect(),
    }
}

/// What became of a call, as far as that is another sentence.
fn became(row: &ActivityRow, of_window: bool) -> &'static str {
    let is_person = row.approver.as_deref().is_some_and(is_person);
    let by_person = match row.reason {
        Some(ActivityReason::DeniedEarlier) => true,
        Some(ActivityReason::Denied) => is_person,
        _ => false,
    };
    match (row.outcome, by_person, of_window) {
        (Outcome::Refused, true, true) => "denied_own",
        (Outcome::Refused, true, false) => "denied",
        (Outcome::Refused, false, true) => "refused_own",
        (Outcome::Refused, false, false) => "refused",
        // Of these nobody can say that the tool ran to its end.
        (Outcome::Running | Outcome::Cancelled | Outcome::Interrupted, ..) => "started",
        _ => "done",
    }
}

/// How a question was answered. What is not known is no yes.
fn answered(reason: Option<ActivityReason>) -> &'static str {
    match reason {
        Some(ActivityReason::Allowed | ActivityReason::AllowedEarlier) => "yes",
        Some(ActivityReason::Denied) => "no",
        _ => "unanswered",
    }
}

/// The names of sentences that may fit, the most exact first.
fn keys(what: &str, variant: &str, count: Option<u64>) -> Vec<String> {
    let base = match variant {
        "" => format!("did.{what}"),
        variant => format!("did.{what}.{variant}"),
    };
    let form = |count| if count == 1 { "one" } else { "other" };
    let counted = count.map(|count| format!("{base}_{}", form(count)));
    let bare = format!("{base}.bare");
    counted.into_iter().chain([base, bare]).collect()
}

/// What a row has for the gaps of a sentence.
struct Said(Vec<(&'static str, String)>);

impl Said {
    fn of(row: &ActivityRow) -> Self {
        let server = row.server.as_ref().map(|server| visible(server.as_str()));
        let tool = row.tool.as_ref().map(|tool| visible(tool.as_str()));
        let is_offer = row.what.starts_with("offer_");
        let of_offer = || tool.clone().filter(|_| is_offer);
        let subject = row.subject.as_deref().map(|subject| {
            let known = row.what.starts_with("application_");
            let known = known.then(|| maybe("application", subject, None, &[]));
            known.flatten().unwrap_or_else(|| visible(subject))
        });
        let all = [
            ("who", Some(who(row, "who"))),
            ("whom", Some(who(row, "whom"))),
            ("subject", subject.or_else(of_offer)),
            ("server", server),
            ("tool", tool),
            ("n", row.count.map(|count| count.to_string())),
        ];
        let had = all
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        Self(had.collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A sentence with its gaps filled; none where there is no such sentence, or nothing for a gap.
    fn fill(&self, key: &str) -> Option<String> {
        let sentence = maybe(key, "", None, &[])?;
        let mut gaps = sentence.split('{').skip(1);
        let is_whole = gaps.all(|gap| {
            let name = gap.split_once('}').map(|(name, _)| name);
            name.is_some_and(|name| self.get(name).is_some())
        });
        let values = self.0.iter().map(|(name, value)| (*name, value.as_str()));
        is_whole.then(|| m(key, &values.collect::<Vec<_>>()))
    }

    /// What kind of thing happened, and what it is about.
    fn at_least(&self, row: &ActivityRow) -> String {
        let what = maybe("what", &row.what, None, &[]);
        let what = what.unwrap_or_else(|| visible(&row.what.replace('_', " ")));
        let about = ["tool", "subject", "server"];
        match about.into_iter().find_map(|name| self.get(name)) {
            Some(name) => m("activity.about", &[("what", &what), ("name", name)]),
            None => what,
        }
    }
}

/// Who did it, as the beginning of a sentence or, as `whom`, inside one.
fn who(row: &ActivityRow, words: &str) -> String {
    let decided = !CALLERS_OWN.contains(&row.what.as_str());
    match (row.approver.as_deref(), &row.caller) {
        (Some(approver), caller) if decided || caller.is_none() => who_approved(approver),
        (_, Some(caller)) => who_called(caller, words),
        (_, None) => m("who.nobody", &[]),
    }
}

fn who_approved(approver: &str) -> String {
    if is_person(approver) {
        return m("who.window", &[]);
    }
    let known = maybe("who", approver, None, &[]);
    known.unwrap_or_else(|| match approver.split_once(':') {
        Some((kind, id)) if is_ours(id) => {
            family("caller", kind, &[("kind", kind), ("name", &visible(id))])
        }
        Some((_, id)) => visible(id),
        None => visible(&approver.replace('_', " ")),
    })
}

fn who_called(caller: &Caller, words: &str) -> String {
    let kind = caller.kind();
    if kind.is_single() {
        return family(words, kind.as_str(), &[]);
    }
    let name = visible(caller.name());
    match is_ours(caller.name()) {
        true => crate::sentences::caller(caller),
        false => name,
    }
}

fn is_window(caller: &Caller) -> bool {
    *caller.kind() == CallerKind::Window
}

fn is_person(approver: &str) -> bool {
    PERSON.contains(&approver)
}

/// Whether a name is a word of ours for somebody else.
fn is_ours(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    OURS.iter()
        .any(|word| family("who", word, &[]).to_lowercase() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::ActivitySegment;
    use protocol::{ServerId, Timestamp};

    fn row(what: &str) -> ActivityRow {
        ActivityRow {
            seq: 1,
            at: Timestamp(0),
            what: what.into(),
            segment: ActivitySegment::Decisions,
            subject: None,
            choice: None,
            count: None,
            question: None,
            grant: None,
            rule: None,
            caller: None,
            server: Some(ServerId::parse("files").unwrap()),
            tool: None,
            outcome: Outcome::Noted,
            reason: None,
            approver: None,
            duration_ms: None,
            waited_ms: None,
            ran_ms: None,
        }
    }

    fn call(caller: Caller, outcome: Outcome) -> ActivityRow {
        ActivityRow {
            tool: Some("write_file".into()),
            caller: Some(caller),
            outcome,
            ..row("call")
        }
    }

    #[test]
    fn a_call_says_who_ran_what_and_whose_word_kept_it_away() {
        let client =
            || serde_json::from_str::<Caller>(r#"{"kind":"client","id":"a","name":"Editor"}"#);
        let denied = |reason, approver: &str| ActivityRow {
            reason: Some(reason),
            approver: Some(approver.to_owned()),
            ..call(Caller::terminal(), Outcome::Refused)
        };
        for (says, row) in [
            (
                "The terminal ran write_file of files",
                call(Caller::terminal(), Outcome::Failed),
            ),
            (
                "You started write_file of files",
                call(Caller::window(), Outcome::Interrupted),
            ),
            (
                "Editor ran write_file of files",
                call(client().unwrap(), Outcome::Done),
            ),
            (
                "You did not allow the terminal to run write_file of files",
                denied(ActivityReason::Denied, "terminal"),
            ),
            (
                "The terminal was not allowed to run write_file of files",
                denied(ActivityReason::Denied, "approver_token"),
            ),
        ] {
            assert_eq!(sentence(&row), says);
        }
    }

    #[test]
    fn a_decision_says_who_decided_and_about_how_much() {
        let by = |approver: &str, row: ActivityRow| ActivityRow {
            approver: Some(approver.to_owned()),
            ..row
        };
        let approved = |count| ActivityRow {
            choice: Some("approve".into()),
            count: Some(count),
            ..row("offers_decided")
        };
        let switched = |choice: Option<&str>| ActivityRow {
            choice: choice.map(str::to_owned),
            ..row("server_switched")
        };
        for (says, row) in [
            ("You approved 2 items of files", by("window", approved(2))),
            (
                "A command with --yes approved 1 item of files",
                by("unattended", approved(1)),
            ),
            (
                "You switched files on",
                by("terminal", switched(Some("on"))),
            ),
            (
                "You switched files on or off",
                by("browser", switched(None)),
            ),
            (
                "editor-1 removed files",
                by("client:editor-1", row("server_removed")),
            ),
            ("Someone removed files", row("server_removed")),
        ] {
            assert_eq!(sentence(&row), says);
        }
    }

    #[test]
    fn what_a_row_lacks_a_name_for_is_still_said_and_so_is_what_this_version_does_not_know() {
        let of_nothing = |what| ActivityRow {
            server: None,
            ..row(what)
        };
        assert_eq!(sentence(&of_nothing("workspace_added")), "Workspace made");
        assert_eq!(
            sentence(&row("offers_decided")),
            "Decisions about what a server offers: files"
        );
        assert_eq!(sentence(&of_nothing("moon_shot")), "moon shot");
    }

    #[test]
    fn whoever_is_called_by_a_word_of_ours_is_said_with_their_kind() {
        let posing = r#"{"kind":"client","id":"you","name":"You"}"#;
        let posing: Caller = serde_json::from_str(posing).unwrap();
        let said = sentence(&call(posing, Outcome::Done));
        assert!(!said.starts_with("You ran"), "{said}");
        assert!(said.contains("ran write_file of files"), "{said}");
    }
}
