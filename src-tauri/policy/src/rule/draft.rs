//! What makes a rule that was clicked together one that can be kept.

use super::{Condition, EnforcementPoint, Layer, Rule, RuleDraft, RuleEffect};
use protocol::{RuleId, Timestamp};
use std::path::Path;

/// Longest reason, in characters.
const LONGEST: usize = 500;

/// Most conditions, hosts of one condition, or characters of a name or path: more is no rule that a
/// person clicked together.
const MOST: usize = 100;
const LONGEST_NAME: usize = 4096;

/// Why a rule that was clicked together cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDraft {
    /// Asking and allowing are about calls.
    #[error("only calls can be asked about or allowed; everything else can only be forbidden")]
    OnlyCalls,
    /// A tool without its server.
    #[error("a rule for a tool needs the server of the tool")]
    ToolWithoutServer,
    /// A condition of which nothing is known when the rule is asked.
    #[error("at this point it is not known whether the condition holds: {0}")]
    NotKnown(&'static str),
    /// A condition about hosts without any, or with something that is none.
    #[error("{0:?} is not a host; write it as in an address, such as example.org")]
    BadHost(String),
    /// A condition about hosts that names none.
    #[error("a rule about hosts needs at least one host")]
    NoHost,
    /// Not an absolute path.
    #[error("{0:?} is not an absolute path of a folder without detours")]
    BadFolder(String),
    /// A rule that lets everything happen.
    #[error("a rule that allows must say for which server, or under which condition")]
    AllowsEverything,
    /// Too much text.
    #[error("that is too long for a rule: {0}")]
    TooLong(&'static str),
}

impl RuleDraft {
    /// The rule that it is, under a number.
    pub fn rule(&self, id: RuleId, made_at: Timestamp) -> Rule {
        Rule {
            layer: Layer::Person,
            effect: self.effect,
            hooks: vec![self.hook],
            text: self.text(&id),
            reason: self.reason.clone().filter(|reason| !reason.is_empty()),
            draft: Some(self.clone()),
            made_at: Some(made_at),
            id,
        }
    }

    /// Checks that the rule can be kept: that it means something at its point, and that what it
    /// names can be named.
    pub fn check(&self) -> Result<(), BadDraft> {
        if self.effect != RuleEffect::Forbid && self.hook != EnforcementPoint::Call {
            return Err(BadDraft::OnlyCalls);
        }
        if self.tool.is_some() && self.server.is_none() {
            return Err(BadDraft::ToolWithoutServer);
        }
        if self.effect == RuleEffect::Allow && self.server.is_none() && self.when.is_empty() {
            return Err(BadDraft::AllowsEverything);
        }
        if self
            .reason
            .as_ref()
            .is_some_and(|reason| reason.chars().count() > LONGEST)
        {
            return Err(BadDraft::TooLong("its reason"));
        }
        if self
            .tool
            .as_ref()
            .is_some_and(|tool| tool.as_str().len() > LONGEST_NAME)
        {
            return Err(BadDraft::TooLong("the tool's name"));
        }
        if self.when.len() > MOST {
            return Err(BadDraft::TooLong("its conditions"));
        }
        self.when
            .iter()
            .try_for_each(|condition| condition.check(self.hook))
    }
}

impl Condition {
    fn check(&self, hook: EnforcementPoint) -> Result<(), BadDraft> {
        let with_arguments = hook != EnforcementPoint::Discover;
        match self {
            Self::Consequential | Self::Secret | Self::Remote | Self::Unconfined => Ok(()),
            Self::FromStrangers
                if !matches!(hook, EnforcementPoint::Call | EnforcementPoint::Egress) =>
            {
                Err(BadDraft::NotKnown("values from strangers"))
            }
            Self::ToHosts { .. } if !with_arguments => Err(BadDraft::NotKnown("hosts")),
            Self::InFolder { .. } if !with_arguments => Err(BadDraft::NotKnown("folders")),
            Self::Found { .. } if hook != EnforcementPoint::Return => {
                Err(BadDraft::NotKnown("what a result holds"))
            }
            Self::FromStrangers | Self::Found { .. } => Ok(()),
            Self::ToHosts { hosts } if hosts.is_empty() => Err(BadDraft::NoHost),
            Self::ToHosts { hosts } if hosts.len() > MOST => Err(BadDraft::TooLong("its hosts")),
            Self::ToHosts { hosts } => match hosts.iter().find(|host| !is_host(host)) {
                Some(host) => Err(BadDraft::BadHost(host.clone())),
                None => Ok(()),
            },
            Self::InFolder { folder } if folder.len() > LONGEST_NAME => {
                Err(BadDraft::TooLong("the folder's path"))
            }
            Self::InFolder { folder } if is_folder(folder) => Ok(()),
            Self::InFolder { folder } => Err(BadDraft::BadFolder(folder.clone())),
        }
    }
}

/// Whether it is a host as an address has it: what an address of it is read back as.
fn is_host(text: &str) -> bool {
    let read = url::Url::parse(&format!("https://{text}/")).ok();
    let host = read.as_ref().and_then(url::Url::host_str);
    !text.is_empty() && host.is_some_and(|host| host.eq_ignore_ascii_case(text))
}

/// Whether it is an absolute path that names every folder on the way once and nothing else.
fn is_folder(text: &str) -> bool {
    let path = Path::new(text);
    let straight: std::path::PathBuf = path
        .components()
        .filter(|part| !matches!(part, std::path::Component::ParentDir))
        .collect();
    path.is_absolute() && straight.as_os_str() == path.as_os_str()
}
