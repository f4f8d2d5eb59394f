//! What the row of a record says besides who, where, and how it ended: enough for a sentence.
//!
//! Always true here: a match names every event, so that a new one gets its sentence, too.

use super::call_events::CallOpened;
use super::record::{Entry, Event};
use api::ActivitySegment;
use policy::pin::PinDecision;
use policy::{Effect, Permission, Refusal};
use protocol::{GrantId, QuestionId, RuleId};
use serde::Serialize;

/// The longest subject, in characters.
const LONGEST: usize = 200;

/// What a row says of its first record.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RowFacts {
    /// What it is about, besides the server and the tool.
    pub(super) subject: Option<String>,
    /// What was chosen, as one word.
    pub(super) choice: Option<String>,
    /// Of how many things it speaks, where that can be more than one.
    pub(super) count: Option<u64>,
    /// Which question it belongs to.
    pub(super) question: Option<QuestionId>,
    /// Which grant.
    pub(super) grant: Option<GrantId>,
    /// Which rule.
    pub(super) rule: Option<RuleId>,
}

/// In which part of the activity an event stands.
pub(super) fn segment(event: &Event) -> ActivitySegment {
    match event {
        Event::CallOpened(_)
        | Event::CallClosed(_)
        | Event::CallRefused { .. }
        | Event::RequestRefused { .. }
        | Event::ResourceRead { .. }
        | Event::PromptGot { .. }
        | Event::TaskResumed
        | Event::CallResumed => ActivitySegment::Calls,
        Event::QuestionAsked { .. }
        | Event::QuestionAnswered { .. }
        | Event::GrantMade { .. }
        | Event::GrantRevoked { .. }
        | Event::RuleMade { .. }
        | Event::RuleRemoved { .. }
        | Event::ServerAdded { .. }
        | Event::ServerEdited { .. }
        | Event::ServerReviewed { .. }
        | Event::ServerSwitched { .. }
        | Event::ServerRemoved
        | Event::WorkspaceAdded { .. }
        | Event::WorkspaceRenamed { .. }
        | Event::WorkspaceRemoved { .. }
        | Event::WorkspaceSwitched { .. }
        | Event::RootAdded { .. }
        | Event::RootRemoved { .. }
        | Event::ToolSwitched { .. }
        | Event::ToolAlwaysShown { .. }
        | Event::ToolMarked { .. }
        | Event::OfferDecided { .. }
        | Event::OffersDecided { .. }
        | Event::AnswerRevealed
        | Event::UrlOpened { .. }
        | Event::SampleAnswered { .. }
        | Event::ClientAnswered { .. }
        | Event::UnknownNoted
        | Event::SamplingSet { .. }
        | Event::SignedIn { .. }
        | Event::AccountChosen { .. }
        | Event::SignedOut { .. }
        | Event::ClientSet { .. }
        | Event::ClientAdded { .. }
        | Event::ClientTokenSet { .. }
        | Event::ClientChanged { .. }
        | Event::ClientRemoved { .. }
        | Event::ModelAdded { .. }
        | Event::ModelChanged { .. }
        | Event::ModelRemoved { .. }
        | Event::AssistantSaved { .. }
        | Event::AssistantRemoved { .. }
        | Event::ApplicationConnected { .. }
        | Event::ApplicationDisconnected { .. }
        | Event::EraChosen { .. }
        | Event::RunsChosen { .. }
        | Event::ConfinementChosen { .. }
        | Event::TelemetrySet { .. }
        | Event::QuestionTimeSet { .. } => ActivitySegment::Decisions,
        Event::PolicyRead { .. }
        | Event::PolicyBroken { .. }
        | Event::PolicyGone { .. }
        | Event::GrantLapsed { .. }
        | Event::ApprovalVoided { .. }
        | Event::Vouched { .. }
        | Event::ProgramChanged { .. }
        | Event::OfferQuarantined { .. }
        | Event::SampleDeclined { .. }
        | Event::AskRefused { .. }
        | Event::HostStarted { .. }
        | Event::HostStopped
        | Event::TailRepaired { .. }
        | Event::LogKeyed { .. }
        | Event::LogSealed { .. }
        | Event::LogCompacted { .. } => ActivitySegment::System,
    }
}

/// What an event is about, besides the server and the tool, in full.
pub(super) fn subject(event: &Event) -> Option<String> {
    RowFacts::about(event).subject
}

impl RowFacts {
    /// Those of a record.
    pub(super) fn of(entry: &Entry) -> Self {
        let mut facts = Self::about(&entry.event);
        facts.subject = facts.subject.map(|words| shortened(&words));
        facts
    }

    fn about(event: &Event) -> Self {
        match event {
            Event::CallOpened(CallOpened { permission, .. }) => Self::permitted(permission),
            Event::CallRefused { refusal, .. } => Self::refused(refusal),
            Event::RequestRefused {
                refusal,
                method,
                arguments: _,
            } => Self {
                subject: Some(method.clone()),
                ..Self::refused(refusal)
            },
            Event::QuestionAsked { question } | Event::QuestionAnswered { question, .. } => Self {
                question: Some(question.clone()),
                ..Self::default()
            },
            Event::GrantMade { grant, effect, .. } => Self {
                choice: effect.as_ref().map(|effect| match effect {
                    Effect::Allow => "allow".to_owned(),
                    Effect::Deny { .. } => "deny".to_owned(),
                }),
                grant: Some(grant.clone()),
                ..Self::default()
            },
            Event::GrantRevoked { grant } | Event::GrantLapsed { grant } => Self {
                grant: Some(grant.clone()),
                ..Self::default()
            },
            Event::RuleMade { rule, text } | Event::RuleRemoved { rule, text } => Self {
                rule: Some(rule.clone()),
                ..Self::named(text)
            },
            Event::PolicyRead { file, .. } | Event::PolicyGone { file } => Self::named(file),
            Event::PolicyBroken { .. } | Event::Vouched { .. } | Event::ServerAdded { .. } => {
                Self::default()
            }
            Event::ApprovalVoided { subject, .. } => Self::named(subject),
            Event::ServerSwitched { on }
            | Event::ToolSwitched { on }
            | Event::ToolAlwaysShown { on }
            | Event::SamplingSet { on, .. } => Self::switched(*on),
            Event::WorkspaceAdded { name, .. }
            | Event::WorkspaceRenamed { name, .. }
            | Event::WorkspaceRemoved { name, .. }
            | Event::WorkspaceSwitched { name, .. }
            | Event::ClientAdded { name, .. }
            | Event::ClientRemoved { name, .. }
            | Event::ModelAdded { name, .. }
            | Event::ModelChanged { name, .. }
            | Event::ModelRemoved { name, .. }
            | Event::AssistantRemoved { name, .. } => Self::named(name),
            Event::AssistantSaved { settings, .. } => Self::named(&settings.name),
            Event::RootAdded { path } | Event::RootRemoved { path } => Self::named(path),
            Event::OfferDecided { decided } => Self {
                choice: serde_word(&decided.decision),
                count: Some(1),
                ..Self::named(&decided.name)
            },
            Event::OffersDecided { decided } => {
                let first = decided.first();
                let is_same = |one: &PinDecision| decided.iter().all(|each| each.decision == *one);
                Self {
                    subject: first.map(|first| first.name.clone()),
                    choice: first
                        .map(|first| first.decision)
                        .filter(is_same)
                        .as_ref()
                        .and_then(serde_word),
                    count: Some(decided.len() as u64),
                    ..Self::default()
                }
            }
            Event::OfferQuarantined { name, others, .. } => Self {
                count: Some(u64::from(*others) + 1),
                ..Self::named(name)
            },
            Event::ResourceRead { uri } => Self::named(uri),
            Event::PromptGot { prompt } => Self::named(prompt),
            Event::UrlOpened { origin } => Self::named(origin),
            Event::SampleAnswered { model, .. } => Self::named(model),
            Event::SampleDeclined { times } => Self::repeated(u64::from(times.get())),
            Event::AskRefused { why, times } => Self {
                subject: Some(why.clone()),
                ..Self::repeated(u64::from(times.get()))
            },
            Event::ClientAnswered { asked, .. } => Self::named(asked),
            Event::SignedIn { account, .. }
            | Event::AccountChosen { account }
            | Event::SignedOut { account } => Self::named(account),
            Event::ClientSet { client_id } => Self::switched(client_id.is_some()),
            Event::ClientTokenSet { client, has_token } => Self {
                subject: Some(client.as_str().to_owned()),
                ..Self::switched(*has_token)
            },
            Event::ClientChanged { client, .. } => Self::named(client.as_str()),
            Event::ApplicationConnected { application, .. }
            | Event::ApplicationDisconnected { application, .. } => Self {
                subject: serde_word(application),
                ..Self::default()
            },
            Event::EraChosen { era } => Self {
                choice: serde_word(era),
                ..Self::default()
            },
            Event::RunsChosen { runs } => Self {
                choice: serde_word(runs),
                ..Self::default()
            },
            Event::ConfinementChosen { settings } => Self::switched(settings.confined),
            Event::TelemetrySet { endpoint, .. } => Self {
                subject: endpoint.clone(),
                ..Self::switched(endpoint.is_some())
            },
            Event::QuestionTimeSet { minutes } => Self::repeated(u64::from(*minutes)),
            Event::HostStarted { version, .. } => Self::named(version),
            Event::CallClosed(_)
            | Event::ServerEdited { .. }
            | Event::ServerReviewed { .. }
            | Event::ServerRemoved
            | Event::ProgramChanged { .. }
            | Event::ToolMarked { .. }
            | Event::AnswerRevealed
            | Event::UnknownNoted
            | Event::TaskResumed
            | Event::CallResumed
            | Event::HostStopped
            | Event::TailRepaired { .. }
            | Event::LogKeyed { .. }
            | Event::LogSealed { .. }
            | Event::LogCompacted { .. } => Self::default(),
        }
    }

    fn named(name: &str) -> Self {
        Self {
            subject: Some(name.to_owned()),
            ..Self::default()
        }
    }

    fn switched(on: bool) -> Self {
        Self {
            choice: Some(if on { "on" } else { "off" }.to_owned()),
            ..Self::default()
        }
    }

    fn repeated(times: u64) -> Self {
        Self {
            count: Some(times),
            ..Self::default()
        }
    }

    fn permitted(permission: &Permission) -> Self {
        match permission {
            Permission::Grant { grant } => Self {
                grant: Some(grant.clone()),
                ..Self::default()
            },
            Permission::Answer {
                question, grant, ..
            } => Self {
                question: Some(question.clone()),
                grant: grant.clone(),
                ..Self::default()
            },
            Permission::Rules { rules } => Self {
                rule: rules.first().cloned(),
                ..Self::default()
            },
        }
    }

    fn refused(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::DeniedEarlier { grant, .. } => Self {
                grant: Some(grant.clone()),
                ..Self::default()
            },
            Refusal::Forbidden { rules, .. } => Self {
                rule: rules.first().cloned(),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

/// The word by which a choice without anything in it is written.
fn serde_word(choice: &impl Serialize) -> Option<String> {
    serde_json::to_value(choice)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

fn shortened(words: &str) -> String {
    match words.char_indices().nth(LONGEST) {
        None => words.to_owned(),
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
    }
}
