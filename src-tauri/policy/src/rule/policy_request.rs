//! What the rules are asked about: who wants what of which tool, and what is known about it.

use super::text::{caller_entity, part_id};
use super::{Condition, FoundWhat, language};
use cedar_policy::{Context as CedarContext, Entities, Entity, EntityUid, RestrictedExpression};
use protocol::{Caller, ServerId, ToolName};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// What the rules are asked about.
#[derive(Debug, Clone, Copy)]
pub struct PolicyRequest<'a> {
    /// Who wants it; none is Majordomo by itself, as when it connects to a server.
    pub caller: Option<&'a Caller>,
    /// Of which server.
    pub server: &'a ServerId,
    /// What of it.
    pub target: Target<'a>,
    /// What else is known.
    pub context: &'a Context,
}

/// What of a server is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// The server as such.
    Server,
    /// A tool.
    Tool(&'a ToolName),
    /// A resource, by its address, or a template of resources.
    Resource(&'a str),
    /// A prompt, by its name.
    Prompt(&'a str),
}

impl<'a> Target<'a> {
    /// The tool, if it is one.
    pub(super) fn tool(self) -> Option<&'a ToolName> {
        match self {
            Self::Tool(tool) => Some(tool),
            Self::Server | Self::Resource(_) | Self::Prompt(_) => None,
        }
    }

    /// Its kind and name in the language of rules, if it is a part of the server.
    fn part(self) -> Option<(&'static str, &'a str)> {
        match self {
            Self::Server => None,
            Self::Tool(tool) => Some(("Tool", tool.as_str())),
            Self::Resource(uri) => Some(("Resource", uri)),
            Self::Prompt(name) => Some(("Prompt", name)),
        }
    }
}

/// What is known when the rules are asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The person marked the tool as one that does something that matters.
    pub consequential: bool,
    /// The person marked what the tool returns as secret.
    pub secret: bool,
    /// The server is reached over the network.
    pub remote: bool,
    /// The server is a program on this computer that nothing confines.
    pub unconfined: bool,
    /// A value of the call came from a stranger.
    pub from_untrusted: bool,
    /// The hosts of addresses in the arguments, or the one that something leaves for.
    pub hosts: Vec<String>,
    /// Others that some program may read in the arguments. What lets something happen does not look
    /// at them.
    pub named_hosts: Vec<String>,
    /// Where the files and folders that the arguments name for every program really lie.
    pub paths: Vec<String>,
    /// The same as the arguments name them, links not followed, and others that some program may
    /// read. What lets something happen does not look at them.
    pub named: Vec<String>,
    /// Whether something in the arguments may name a file or folder that is not in `paths`.
    pub other_paths: bool,
    /// Whether the arguments name more hosts, files and folders than are looked at. Nothing that is
    /// asked about then runs.
    pub too_many: bool,
    /// What an inspection found in a result.
    pub found: Vec<FoundWhat>,
}

/// What is true or not when the rules are asked, each in a bit of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Flags(u8);

impl Flags {
    fn new(flags: [bool; 5]) -> Self {
        Self(
            flags
                .iter()
                .fold(0, |bits, flag| bits << 1 | u8::from(*flag)),
        )
    }

    pub(super) fn of(known: &Context) -> Self {
        Self::new([
            known.consequential,
            known.secret,
            known.remote,
            known.unconfined,
            known.from_untrusted,
        ])
    }

    /// Those that must be true for all of these to hold.
    pub(super) fn needed(when: &[Condition]) -> Self {
        let needed = |condition| when.contains(&condition);
        Self::new([
            needed(Condition::Consequential),
            needed(Condition::Secret),
            needed(Condition::Remote),
            needed(Condition::Unconfined),
            needed(Condition::FromStrangers),
        ])
    }

    pub(super) fn hold_in(self, given: Self) -> bool {
        self.0 & !given.0 == 0
    }
}

/// Who and what of a request, in the language of rules, with what is a part of what.
#[derive(Debug, Clone)]
pub(super) struct Parties {
    pub(super) principal: EntityUid,
    /// The kind of caller that the principal is one of, if it is one.
    pub(super) kind: Option<EntityUid>,
    pub(super) resource: EntityUid,
    /// The server that the resource is a part of, if it is a part of one.
    pub(super) server: Option<EntityUid>,
    pub(super) entities: Entities,
}

impl Parties {
    pub(super) fn of(request: &PolicyRequest<'_>) -> Result<Self, String> {
        let (principal, kind) = match request.caller {
            Some(caller) => {
                let (entity, id) = caller_entity(caller.kind(), caller.id());
                let kind = language::entity("Kind", caller.kind().as_str())?;
                (language::entity(entity, &id)?, Some(kind))
            }
            None => (language::entity("Majordomo", "majordomo")?, None),
        };
        let server = language::entity("Server", &request.server.key())?;
        let (resource, server) = match request.target.part() {
            Some((kind, name)) => (
                language::entity(kind, &part_id(request.server, name))?,
                Some(server),
            ),
            None => (server, None),
        };
        let part_of = |entity: &EntityUid, of: &Option<EntityUid>| {
            Entity::new_no_attrs(entity.clone(), HashSet::from_iter(of.clone()))
        };
        let entities = [part_of(&resource, &server), part_of(&principal, &kind)];
        let entities =
            Entities::from_entities(entities, None).map_err(|problem| problem.to_string())?;
        Ok(Self {
            principal,
            kind,
            resource,
            server,
            entities,
        })
    }
}

impl PolicyRequest<'_> {
    /// What is known, in the language of rules.
    pub(super) fn context(&self) -> Result<CedarContext, String> {
        let known = self.context;
        if known.too_many {
            return Err(
                "the arguments name more hosts, files and folders than rules are asked about"
                    .to_owned(),
            );
        }
        let hosts: Vec<Vec<String>> = known.hosts.iter().map(|host| domains(host)).collect();
        let folders: Vec<Vec<String>> = known.paths.iter().map(|path| folders(path)).collect();
        let common_folders = if known.other_paths {
            Vec::new()
        } else {
            common(&folders)
        };
        let flag = RestrictedExpression::new_bool;
        let text = |text: &str| RestrictedExpression::new_string(text.to_owned());
        let pairs = [
            ("server", text(&self.server.key())),
            (
                "tool",
                text(self.target.tool().map_or("", ToolName::as_str)),
            ),
            ("consequential", flag(known.consequential)),
            ("secret", flag(known.secret)),
            ("remote", flag(known.remote)),
            ("unconfined", flag(known.unconfined)),
            ("fromStrangers", flag(known.from_untrusted)),
            ("commonHosts", set(common(&hosts))),
            (
                "hosts",
                set(hosts
                    .into_iter()
                    .flatten()
                    .chain(known.named_hosts.iter().flat_map(|host| domains(host)))),
            ),
            ("commonFolders", set(common_folders)),
            (
                "folders",
                set(folders
                    .into_iter()
                    .flatten()
                    .chain(known.named.iter().flat_map(|path| self::folders(path)))),
            ),
            (
                "found",
                set(known.found.iter().map(|what| what.word().to_owned())),
            ),
        ];
        CedarContext::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value)))
            .map_err(|problem| problem.to_string())
    }
}

fn set(texts: impl IntoIterator<Item = String>) -> RestrictedExpression {
    let texts: BTreeSet<String> = texts.into_iter().collect();
    RestrictedExpression::new_set(texts.into_iter().map(RestrictedExpression::new_string))
}

/// What all of the lists hold; nothing where there is no list.
fn common(lists: &[Vec<String>]) -> Vec<String> {
    let Some((first, others)) = lists.split_first() else {
        return Vec::new();
    };
    first
        .iter()
        .filter(|text| others.iter().all(|list| list.contains(text)))
        .cloned()
        .collect()
}

/// A host and all domains that it is a part of. An address in numbers is a part of nothing.
fn domains(host: &str) -> Vec<String> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_number = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
    let parts = host
        .match_indices('.')
        .filter(|_| !is_number)
        .map(|(dot, _)| host[dot + 1..].to_owned());
    let parts: Vec<String> = parts.collect();
    std::iter::once(host).chain(parts).collect()
}

/// A path and all folders that it lies in.
fn folders(path: &str) -> Vec<String> {
    Path::new(path)
        .ancestors()
        .filter_map(Path::to_str)
        .filter(|folder| !folder.is_empty())
        .map(str::to_owned)
        .collect()
}
