//! How what a server offers stands, when something else than a call is to be sent to it.
//!
//! Always true here:
//! - nothing is approved before a person has approved what the server says about itself;
//! - what a person has said no to wins over every list: an address that may be meant by a blocked
//!   template is refused, even if the server lists it;
//! - an address comes from an approved template only if the template could have made it.

use crate::Refusal;
use crate::pin::ApprovalStatus;
use crate::template::Template;
use protocol::{FeatureKey, FeatureKind};
use std::collections::{BTreeMap, BTreeSet};

/// So much an address is compared with templates: the length of the address times that of all of
/// them, in bytes. It takes a part of a second.
const MOST_STEPS: usize = 32 * 1024 * 1024;

/// What a server offers, as it stands now.
#[derive(Debug, Clone)]
pub struct Offerings {
    /// How what the server says about itself stands.
    pub about: ApprovalStatus,
    /// How each prompt and template stands.
    pub standings: BTreeMap<FeatureKey, ApprovalStatus>,
    /// The addresses that the server lists.
    pub listed: BTreeSet<String>,
}

/// Where what a request names comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOrigin {
    /// It is an address that the server itself lists.
    Listed,
    /// A person has approved exactly it, or it names nothing of the server's.
    Approved,
    /// Somebody has filled the gaps of an approved template.
    Filled,
    /// The caller has made it up.
    MadeUp,
}

impl Offerings {
    /// Where a prompt or template comes from. One that is not listed is new.
    pub(crate) fn of_key(&self, key: FeatureKey) -> Result<RequestOrigin, Refusal> {
        let standing = self.standings.get(&key).unwrap_or(&ApprovalStatus::New);
        standing.refusal().map_or(Ok(RequestOrigin::Approved), Err)
    }

    /// Where an address comes from.
    pub(crate) fn of_address(&self, uri: &str) -> Result<RequestOrigin, Refusal> {
        let listed = || {
            let is_template = |(key, _): &(&FeatureKey, _)| key.kind == FeatureKind::Template;
            self.standings.iter().filter(is_template)
        };
        let length: usize = listed().map(|(key, _)| key.name.len() + 1).sum();
        if length.saturating_mul(uri.len() + 1) > MOST_STEPS {
            return Err(Refusal::TooManyTemplates);
        }
        let templates: Vec<(Template, &ApprovalStatus)> = listed()
            .map(|(key, standing)| (Template::read(&key.name), standing))
            .collect();
        let meant = |says: fn(&ApprovalStatus) -> bool| {
            templates
                .iter()
                .filter(|(_, standing)| says(standing))
                .find(|(template, _)| template.may_mean(uri))
                .and_then(|(_, standing)| standing.refusal())
        };
        let said_no = |standing: &ApprovalStatus| {
            matches!(standing, ApprovalStatus::Blocked | ApprovalStatus::KeptOff)
        };
        if let Some(refusal) = meant(said_no) {
            return Err(refusal);
        }
        if self.listed.contains(uri) {
            return Ok(RequestOrigin::Listed);
        }
        let made_by_approved = templates.iter().any(|(template, standing)| {
            **standing == ApprovalStatus::Approved && template.made(uri)
        });
        if made_by_approved {
            return Ok(RequestOrigin::Filled);
        }
        meant(ApprovalStatus::waits).map_or(Ok(RequestOrigin::MadeUp), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offerings(templates: &[(&str, ApprovalStatus)]) -> Offerings {
        let key = |name: &str| FeatureKey {
            kind: FeatureKind::Template,
            name: name.to_owned(),
        };
        Offerings {
            about: ApprovalStatus::Approved,
            standings: templates
                .iter()
                .map(|(name, standing)| (key(name), standing.clone()))
                .collect(),
            listed: BTreeSet::from(["note://a".to_owned()]),
        }
    }

    #[test]
    fn a_blocked_template_wins_over_lists_and_other_templates() {
        let of = offerings(&[
            ("note://{name}", ApprovalStatus::Blocked),
            ("{+any}", ApprovalStatus::Approved),
        ]);
        for uri in ["note://a", "NOTE://b", "note://b/c", "note://%61"] {
            assert_eq!(of.of_address(uri), Err(Refusal::Blocked), "{uri}");
        }
        assert_eq!(of.of_address("file:///a"), Ok(RequestOrigin::Filled));
    }

    #[test]
    fn a_template_that_waits_holds_up_only_what_nothing_else_covers() {
        let of = offerings(&[
            ("note://{name}", ApprovalStatus::New),
            ("file:///{name}", ApprovalStatus::Approved),
        ]);
        assert_eq!(of.of_address("note://a"), Ok(RequestOrigin::Listed));
        assert_eq!(of.of_address("note://b"), Err(Refusal::NotReviewed));
        assert_eq!(of.of_address("file:///b"), Ok(RequestOrigin::Filled));
        assert_eq!(of.of_address("db://b"), Ok(RequestOrigin::MadeUp));
    }

    #[test]
    fn an_address_is_not_compared_with_more_templates_than_there_is_time_for() {
        let long = format!("x://{}", "{a}b".repeat(500));
        let names: Vec<String> = (0..100).map(|number| format!("{long}{number}")).collect();
        let templates: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), ApprovalStatus::Blocked))
            .collect();
        let of = offerings(&templates);
        let uri = format!("x://{}", "b".repeat(4_000));
        assert_eq!(of.of_address(&uri), Err(Refusal::TooManyTemplates));
        assert_eq!(of.of_address("y://b"), Ok(RequestOrigin::MadeUp));
    }

    #[test]
    fn what_is_not_listed_is_new() {
        let key = FeatureKey {
            kind: FeatureKind::Prompt,
            name: "greet".to_owned(),
        };
        assert_eq!(offerings(&[]).of_key(key), Err(Refusal::NotReviewed));
    }
}
