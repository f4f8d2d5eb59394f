//! What the host knows by its kind only, in sentences of the catalogue.

use crate::date;
use crate::messages::{m, maybe, name, plural};
use crate::print::visible;
use api::AskRefusal;
use inspect::Finding;
use policy::flow::{Concern, Source, ValueSource, Why};
use policy::{Confinement, Reason, Refusal, RememberProblem, RequestReason};
use protocol::{Caller, Origin, ResultNote, Unread};

/// Who asks, at the beginning of a sentence. A kind without words of its own is said as what it is.
/// A name is the caller's own claim: beside it stands the id, which is not.
pub(crate) fn caller(caller: &Caller) -> String {
    let (kind, id, name) = (caller.kind().as_str(), caller.id().as_str(), caller.name());
    let family = if name == id { "caller" } else { "caller_named" };
    let parameters = [("kind", kind), ("name", name), ("id", id)];
    maybe("caller_there", kind, None, &[])
        .or_else(|| maybe(family, kind, None, &parameters))
        .unwrap_or_else(|| m(&format!("{family}.other"), &parameters))
}

/// Why a person is asked, in a sentence.
pub(crate) fn reason(reason: &Reason) -> String {
    let sentence = |parameters: &[(&str, &str)]| family("reason", &name(reason), parameters);
    match reason {
        Reason::NotAllowedYet
        | Reason::OtherArguments
        | Reason::LongArguments
        | Reason::MayBeDenied
        | Reason::FromStrangers => sentence(&[]),
        Reason::Repeated { times } | Reason::Alike { times } => {
            sentence(&[("times", &times.to_string())])
        }
        Reason::ServerChanged { allowed_at } => {
            let time = date::shown(*allowed_at);
            format!(
                "{} {}",
                sentence(&[]),
                m("consent.allowed_at", &[("time", &time)])
            )
        }
        Reason::ToolChanged {
            parts,
            before: _,
            allowed_at,
        } => {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| family("part", &name(part), &[]))
                .collect();
            let time = date::shown(*allowed_at);
            format!(
                "{} ({}) {}",
                sentence(&[]),
                parts.join(", "),
                m("consent.allowed_at", &[("time", &time)])
            )
        }
        Reason::RuleAsks { rules } => {
            let rules: Vec<&str> = rules.iter().map(|rule| rule.as_str()).collect();
            format!("{} ({})", sentence(&[]), visible(&rules.join(", ")))
        }
    }
}

/// Why a call was not allowed, in a sentence.
pub(crate) fn refusal(refusal: &Refusal) -> String {
    let kind = name(refusal);
    let sentence = |parameters: &[(&str, &str)]| family("refusal", &kind, parameters);
    match refusal {
        Refusal::SwitchedOff
        | Refusal::NotReviewed
        | Refusal::Quarantined
        | Refusal::Blocked
        | Refusal::NotSelected
        | Refusal::WorkspaceNotInUse
        | Refusal::ArgumentsTooLarge
        | Refusal::TooManyTemplates
        | Refusal::TooManyQuestions
        | Refusal::NobodyAnswered
        | Refusal::NobodyThere
        | Refusal::QuestionClosed
        | Refusal::Cancelled
        | Refusal::ChangedWhileAsking
        | Refusal::OtherWorkspace
        | Refusal::TooOften
        | Refusal::NeedsPerson
        | Refusal::DiskFull
        | Refusal::DatabaseLocked
        | Refusal::NoTrace => sentence(&[]),
        Refusal::ArgumentsInvalid { problems } => {
            sentence(&[("problems", &visible(&problems.join("; ")))])
        }
        Refusal::OutsideFolders { path } => sentence(&[("path", &visible(path))]),
        Refusal::SchemaUnusable { problem } => sentence(&[("problem", &visible(problem))]),
        Refusal::Forbidden { rules, by, reason } => {
            let rules: Vec<&str> = rules.iter().map(|rule| rule.as_str()).collect();
            let by = family("layer", &name(by), &[]);
            let why = reason
                .as_deref()
                .map(|reason| format!(": {}", visible(reason)));
            format!(
                "{} ({by}: {}){}",
                sentence(&[]),
                visible(&rules.join(", ")),
                why.unwrap_or_default()
            )
        }
        Refusal::RulesBroken { problem } => {
            format!("{} {}", sentence(&[]), visible(&problem.to_string()))
        }
        Refusal::DeniedByPerson { reason }
        | Refusal::DeniedByToken { reason }
        | Refusal::DeniedEarlier { grant: _, reason } => match reason {
            None => sentence(&[]),
            Some(reason) => {
                let with_reason = format!("{kind}_reason");
                family("refusal", &with_reason, &[("reason", &visible(reason))])
            }
        },
    }
}

/// Why an answer cannot be remembered, in a sentence.
pub(crate) fn not_remembered(problem: &RememberProblem) -> String {
    let sentence =
        |parameters: &[(&str, &str)]| family("not_remembered", &name(problem), parameters);
    match problem {
        RememberProblem::Endless | RememberProblem::Over | RememberProblem::AlsoWithoutLimits => {
            sentence(&[])
        }
        RememberProblem::Times { most } => sentence(&[("most", &most.to_string())]),
        RememberProblem::Nothing { argument } => sentence(&[("argument", &visible(argument))]),
        RememberProblem::Folder { folder } => sentence(&[("folder", &visible(folder))]),
    }
}

/// How a server is held back, in a sentence.
pub(crate) fn confinement(confinement: Confinement) -> String {
    family("confinement", &name(&confinement), &[])
}

/// Code of a server that could not be read: where it is, and why. It may hold words of strangers, and
/// has to be fenced.
pub(crate) fn unread(unread: &Unread) -> String {
    let Unread { piece, at, reason } = unread;
    let (piece, reason) = (name(piece), name(reason));
    let what = m(&format!("identity.{piece}"), &[]);
    let why = m(&format!("identity.unread.{reason}"), &[]);
    if at.is_empty() {
        format!("{what}: {why}")
    } else {
        format!("{what} ({at}): {why}")
    }
}

/// What speaks against a call, in a sentence. It holds words of strangers, and has to be fenced.
pub(crate) fn concern(concern: &Concern) -> String {
    let Concern {
        argument: _,
        value,
        act,
        source,
        why,
    } = concern;
    let Source {
        origin,
        message,
        at,
    } = source;
    let unnamed = matches!(origin, Origin::Unknown);
    let end = match why {
        Why::Recipient | Why::Site | Why::Place | Why::Credential if unnamed => "_unknown",
        Why::SteeredAct | Why::UnaskedAct if value.is_empty() => "_bare",
        Why::Recipient
        | Why::Site
        | Why::Place
        | Why::Credential
        | Why::Steered
        | Why::Led
        | Why::SteeredAct
        | Why::UnaskedAct
        | Why::UnaskedTool
        | Why::Link
        | Why::Secret
        | Why::CarriesOut
        | Why::SearchedFor
        | Why::TooMuch
        | Why::Forgotten => "",
    };
    let whose = origin_words(origin);
    let whose = match (message, at) {
        (_, Some(at)) => m(
            "origin.at",
            &[("origin", &whose), ("time", &date::shown(*at))],
        ),
        (Some(message), None) => m(
            "origin.in_message",
            &[("origin", &whose), ("n", &message.to_string())],
        ),
        (None, None) => whose,
    };
    let act = act.map(|act| family("act", &name(&act), &[]));
    family(
        "concern",
        &format!("{}{end}", name(why)),
        &[
            ("value", value),
            ("origin", &whose),
            ("act", act.as_deref().unwrap_or_default()),
        ],
    )
}

/// Whose words a value of a call is.
pub(crate) fn value_source(of: &ValueSource) -> String {
    match &of.source.origin {
        Origin::Unknown => m("consent.from_model", &[]),
        origin => m("consent.from", &[("origin", &origin_words(origin))]),
    }
}

fn origin_words(origin: &Origin) -> String {
    match origin {
        Origin::Person => m("origin.person", &[]),
        Origin::Host => m("origin.host", &[]),
        Origin::Attachment { name } => m("origin.attachment", &[("name", name)]),
        Origin::Unknown => m("origin.unknown", &[]),
        Origin::Tool {
            server: Some(server),
            tool,
        } => m(
            "origin.tool",
            &[("tool", tool.as_str()), ("server", server.as_str())],
        ),
        Origin::Tool { server: None, tool } => m("origin.tool_alone", &[("tool", tool.as_str())]),
    }
}

/// What was found in a text, in a sentence of ours.
pub(crate) fn finding(finding: &Finding) -> String {
    let grave = family("finding.severity", &name(&finding.severity), &[]);
    let what = family("finding.kind", &name(&finding.kind), &[]);
    format!("{grave}: {what}")
}

/// What this host did to an answer, in a sentence.
pub(crate) fn note(note: &ResultNote) -> String {
    let sentence = |parameters: &[(&str, &str)]| family("answer.note", &name(note), parameters);
    match note {
        ResultNote::SecretsMasked
        | ResultNote::StructuredMissing
        | ResultNote::StructuredUnchecked => sentence(&[]),
        ResultNote::HiddenCharacters { count } => plural("answer.note.hidden_characters", *count),
        ResultNote::Covered {
            credentials,
            numbers,
        } => [
            ("answer.note.covered_credentials", credentials),
            ("answer.note.covered_numbers", numbers),
        ]
        .into_iter()
        .filter(|(_, count)| **count > 0)
        .map(|(key, count)| plural(key, *count))
        .collect::<Vec<_>>()
        .join(" "),
        ResultNote::Cut { bytes, kept } => {
            sentence(&[("bytes", &bytes.to_string()), ("kept", &kept.to_string())])
        }
        ResultNote::StructuredInvalid { problem } => {
            format!("{} {}", sentence(&[]), visible(problem))
        }
    }
}

/// What a server asked for although nobody may be asked for it, in a sentence.
pub(crate) fn refused_ask(why: AskRefusal, server: &str) -> String {
    family("refused_ask", why.key(), &[("server", server)])
}

/// A text of a family; the name itself where the catalogue has none, which a test forbids.
pub(crate) fn family(family: &str, name: &str, parameters: &[(&str, &str)]) -> String {
    maybe(family, name, None, parameters).unwrap_or_else(|| name.to_owned())
}

/// Why a person is asked about a request that is no call.
pub(crate) fn request_reason(reason: &RequestReason) -> String {
    match reason {
        RequestReason::NotListed
        | RequestReason::FromStrangers
        | RequestReason::RuleAsks { rules: _ } => family("request_reason", &name(reason), &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{RuleId, ServerId, Timestamp};

    #[test]
    fn beside_the_name_that_a_stranger_has_chosen_stands_its_id() {
        let said = |kind: &str, id: &str, name: &str| {
            caller(&Caller::new(
                kind.parse().unwrap(),
                id.parse().unwrap(),
                name,
            ))
        };
        assert_eq!(
            said("client", "a", "Editor"),
            "The application “Editor” (a)"
        );
        assert_eq!(said("client", "a", ""), "The application “a”");
        assert_eq!(
            said("orchestrator", "night-7", "Night shift"),
            "Something of the kind “orchestrator” called “Night shift” (night-7)"
        );
        for kind in ["client", "agent", "view", "server", "orchestrator"] {
            assert!(
                said(kind, "a", "Editor").ends_with("“Editor” (a)"),
                "{kind}"
            );
        }
        assert_eq!(caller(&Caller::terminal()), "A program in a terminal");
        assert_eq!(caller(&Caller::window()), "The window");
    }

    #[test]
    fn a_reason_and_a_refusal_name_the_rules() {
        let rules = vec![RuleId::from("rule-1")];
        let asks = reason(&Reason::RuleAsks {
            rules: rules.clone(),
        });
        assert!(
            asks.contains("every time") && asks.ends_with("(rule-1)"),
            "{asks}"
        );
        let forbids = refusal(&Refusal::Forbidden {
            rules,
            by: policy::Layer::Person,
            reason: Some("not\nhere".into()),
        });
        assert!(
            forbids.contains("rule-1") && forbids.ends_with(": not⟨U+000A⟩here"),
            "{forbids}"
        );
    }

    #[test]
    fn what_speaks_against_a_call_is_said_in_the_sentences_of_the_window() {
        let mut about = Concern {
            argument: Some("to".into()),
            value: "eve@example.org".into(),
            act: None,
            source: Source {
                origin: Origin::Tool {
                    server: ServerId::parse("mail").ok(),
                    tool: "read".into(),
                },
                message: None,
                at: Some(Timestamp(0)),
            },
            why: Why::Recipient,
        };
        assert_eq!(
            concern(&about),
            "The recipient eve@example.org came from the result of read on mail at 1970-01-01T00:00:00.000Z, not from you."
        );
        about.source.origin = Origin::Unknown;
        assert_eq!(
            concern(&about),
            "The recipient eve@example.org was named neither by you nor by any result."
        );
    }

    #[test]
    fn what_was_covered_is_counted() {
        let covered = ResultNote::Covered {
            credentials: 1,
            numbers: 2,
        };
        assert_eq!(
            note(&covered),
            "1 credential is covered. 2 personal numbers are covered."
        );
    }
}
