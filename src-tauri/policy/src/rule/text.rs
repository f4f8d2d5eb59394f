//! Writes a rule that was clicked together in the language of rules.
//!
//! Always true here: whatever characters stand in a draft, its text is exactly one rule that means
//! the draft. Names of tools are strangers' words.

use super::{Condition, EnforcementPoint, FoundWhat, RuleDraft, RuleEffect};
use protocol::{CallerFilter, CallerId, CallerKind, RuleId, ServerId};
use std::fmt::Write;

impl RuleDraft {
    /// The rule's text in the Cedar language, with its number and reason as annotations.
    pub fn text(&self, id: &RuleId) -> String {
        let mut text = format!("@id({})\n", quoted(id.as_str()));
        if let Some(reason) = &self.reason {
            let _ = writeln!(text, "@reason({})", quoted(reason));
        }
        let (effect, action) = match self.effect {
            RuleEffect::Forbid => ("forbid", self.hook.action()),
            RuleEffect::Ask => ("forbid", SILENTLY),
            RuleEffect::Allow => ("permit", SILENTLY),
        };
        let principal = self
            .caller
            .as_ref()
            .map(|CallerFilter { kind, id }| match id {
                Some(id) => {
                    let (entity, id) = caller_entity(kind, id);
                    format!(" == {entity}::{}", quoted(&id))
                }
                None => format!(" in Kind::{}", quoted(kind.as_str())),
            });
        let resource = match (&self.server, &self.tool) {
            (Some(server), Some(tool)) => {
                format!(" == Tool::{}", quoted(&part_id(server, tool.as_str())))
            }
            (Some(server), None) => format!(" in Server::{}", quoted(&server.key())),
            (None, _) => String::new(),
        };
        let principal = principal.unwrap_or_default();
        let _ = write!(
            text,
            "{effect} (\n    principal{principal},\n    action == Action::{},\n    resource{resource}\n)",
            quoted(action)
        );
        let conditions: Vec<String> = self
            .when
            .iter()
            .map(|condition| self.condition(condition))
            .collect();
        if !conditions.is_empty() {
            let _ = write!(text, "\nwhen {{\n    {}\n}}", conditions.join(" &&\n    "));
        }
        text.push(';');
        text
    }

    fn condition(&self, condition: &Condition) -> String {
        // A rule that lets something happen has to hold for all that a call touches, any other one
        // for a part of it.
        let all = self.effect == RuleEffect::Allow;
        match condition {
            Condition::Consequential => "context.consequential".to_owned(),
            Condition::Secret => "context.secret".to_owned(),
            Condition::FromStrangers => "context.fromStrangers".to_owned(),
            Condition::Remote => "context.remote".to_owned(),
            Condition::Unconfined => "context.unconfined".to_owned(),
            Condition::ToHosts { hosts } => {
                let hosts: Vec<String> = hosts
                    .iter()
                    .map(|host| quoted(&host.to_ascii_lowercase()))
                    .collect();
                let which = if all { "commonHosts" } else { "hosts" };
                format!("context.{which}.containsAny([{}])", hosts.join(", "))
            }
            Condition::InFolder { folder } => {
                format!(
                    "context.{}.contains({})",
                    if all { "commonFolders" } else { "folders" },
                    quoted(folder)
                )
            }
            Condition::Found { what } => format!("context.found.contains({})", quoted(what.word())),
        }
    }
}

/// The action that is a call without a question.
pub(super) const SILENTLY: &str = "callSilently";

impl EnforcementPoint {
    pub(super) const ALL: [Self; 4] = [Self::Discover, Self::Call, Self::Return, Self::Egress];

    /// Its action in the language of rules.
    pub(super) fn action(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Call => "call",
            Self::Return => "return",
            Self::Egress => "egress",
        }
    }
}

impl FoundWhat {
    /// Its word in the language of rules.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Credentials => "credentials",
            Self::PersonalNumbers => "personal_numbers",
        }
    }
}

/// What a caller is in the language of rules. Kinds without a word of their own share one, and stand
/// before the id.
pub(super) fn caller_entity(kind: &CallerKind, id: &CallerId) -> (&'static str, String) {
    let entity = match kind {
        CallerKind::Window => "Person",
        CallerKind::Terminal => "Terminal",
        CallerKind::Browser => "Browser",
        CallerKind::Client => "Client",
        CallerKind::Agent => "Agent",
        CallerKind::View => "View",
        CallerKind::Server | CallerKind::Other(_) => return ("Caller", format!("{kind}/{id}")),
    };
    (entity, id.as_str().to_owned())
}

/// The name of a part of a server in the language of rules. A server's name holds no slash, so the
/// first one ends it.
pub(super) fn part_id(server: &ServerId, part: &str) -> String {
    format!("{}/{part}", server.key())
}

/// A text between quotes. What cannot be seen, or could be taken for an end of the text, is written
/// by its number.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        let plain = c.is_alphanumeric() && !inspect::has_hidden(c.encode_utf8(&mut [0; 4]));
        if plain || c == ' ' || (c.is_ascii_punctuation() && !matches!(c, '"' | '\\')) {
            quoted.push(c);
        } else {
            let _ = write!(quoted, "\\u{{{:x}}}", u32::from(c));
        }
    }
    quoted.push('"');
    quoted
}
