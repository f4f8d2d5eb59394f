//! How much a request may hold, and how many of a kind are kept: all of what is asked for can end in
//! the log or in the database.
//!
//! Always true here:
//! - every field of every request says how much it may hold, or the contract does not compile;
//! - what is too large is refused as a whole, and the error names the field and its bound; nothing
//!   of it is quoted, because it may hold a secret;
//! - bytes are counted in UTF-8.

mod decision;

use crate::{
    ActivityFilter, AssistantFile, ConversationText, DraftKey, DraftPem, DraftSetting, DraftTarget,
    DraftValue, DryRun, ErrorCode, FeatureDecision, HostError, ImportChoice, ImportSource,
    ModelDraft, NewAttachment, OauthClientDraft, ServerDraft, TelemetrySettings,
};
use policy::{ClientChange, Condition, RuleDraft, ToolSelection};
use protocol::{
    AssistantSettings, AssistantTools, CompletionOf, ConfinementSettings, FeatureKey, GivenPath,
    ModelSettings, NetworkAccess, ToolName,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Most servers, the built-in ones included.
pub const MOST_SERVERS: usize = 500;
/// Most workspaces.
pub const MOST_WORKSPACES: usize = 100;
/// Most paths that a server is given besides its folders, and most hosts that are listed for it.
const MOST_PLACES: usize = 64;
/// Most folders of a server in one workspace.
pub const MOST_FOLDERS: usize = 100;
/// Most accounts of a server.
pub const MOST_ACCOUNTS: usize = 100;
/// Most other applications that may come in by the gateway.
pub const MOST_CLIENTS: usize = 100;
/// Most models that a person sets up.
pub const MOST_MODELS: usize = 100;
/// Most assistants that can be made.
pub const MOST_ASSISTANTS: usize = 200;
/// Most queries of one search for tools.
pub const MOST_QUERIES: usize = 5;
/// Most rules of the person.
pub const MOST_RULES: usize = 1_000;

/// Most things that are attached at once.
pub const MOST_ATTACHMENTS: usize = 8;
/// The most that all of them hold, in bytes.
pub const MOST_ATTACHED: usize = 5 * 1024 * 1024;

/// The most that a conversation to import holds, in bytes.
pub const MOST_IMPORTED: usize = 32 * 1024 * 1024;

/// Longest name or number, in bytes.
const NAME: usize = 4 * 1024;
/// Longest text of another kind: a path, an address, a value, a reason.
pub(crate) const TEXT: usize = 32 * 1024;
/// Longest certificate or key.
const PEM: usize = 64 * 1024;
/// Longest value that is filled into a prompt.
const FILLED: usize = 1024 * 1024;
/// The most that a draft of a server holds in all, as JSON.
const DRAFT: usize = 256 * 1024;
/// The most that an answer to a question holds in all beside what is sent, as JSON.
const REMEMBERED: usize = 256 * 1024;
/// The most that says which servers and tools an application has, as JSON.
const SELECTION: usize = 256 * 1024;
/// The most that is handed to a server at once, as JSON.
const ARGUMENTS: usize = 8 * 1024 * 1024;

/// Refuses one more where there are so many already.
///
/// # Errors
/// `too_many`.
pub fn room_for_one(kind: &str, there_are: usize, most: usize) -> Result<(), HostError> {
    if there_are < most {
        return Ok(());
    }
    Err(HostError::of(
        ErrorCode::TooMany,
        format!("there are {there_are} {kind} already, and at most {most} are kept"),
    ))
}

/// What holds no more than so much.
pub(crate) trait Bounded {
    /// How many of them may stand in one list.
    const MOST: usize = 256;

    /// Fails with `too_large`, which names the field below `at`.
    fn bound(&self, at: &str) -> Result<(), HostError>;
}

fn too_large(at: &str, size: usize, unit: &str, most: usize) -> HostError {
    // As people read it.
    let at = at.replace('_', " ");
    HostError::of(
        ErrorCode::TooLarge,
        format!("{at} has {size} {unit}, and takes at most {most}"),
    )
}

fn text(text: &str, at: &str, most: usize) -> Result<(), HostError> {
    if text.len() > most {
        return Err(too_large(at, text.len(), "bytes", most));
    }
    Ok(())
}

fn number(len: usize, at: &str, most: usize) -> Result<(), HostError> {
    if len > most {
        return Err(too_large(at, len, "entries", most));
    }
    Ok(())
}

/// Bounds something as JSON.
fn whole(value: &impl serde::Serialize, at: &str, most: usize) -> Result<(), HostError> {
    let size = json_bytes(value);
    if size > most {
        return Err(too_large(at, size, "bytes as JSON", most));
    }
    Ok(())
}

/// How many bytes something takes as JSON.
pub fn json_bytes(value: &impl serde::Serialize) -> usize {
    let mut counted = Counted(0);
    // Counting does not fail, and what cannot be written is empty on the wire, too.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is bounded by its type.
macro_rules! small {
    ($($type:ty),* $(,)?) => {
        $( impl Bounded for $type {
            fn bound(&self, _: &str) -> Result<(), HostError> {
                Ok(())
            }
        } )*
    };
}

small!(
    bool,
    u32,
    u64,
    crate::Application,
    crate::ConversationFormat,
    crate::ExportFormat,
    crate::KeepSecrets,
    crate::SamplingSettings,
    crate::SignInApprovals,
    policy::ToolFlags,
    protocol::CallerId,
    protocol::EraChoice,
    protocol::Runs,
    protocol::LogLevel,
    protocol::ServerId,
    protocol::Timestamp,
    protocol::TokenHash,
);

/// Numbers that this host gives out. A surface can send any text in their place.
macro_rules! ids {
    ($($type:ty),* $(,)?) => {
        $( impl Bounded for $type {
            fn bound(&self, at: &str) -> Result<(), HostError> {
                text(self.as_str(), at, NAME)
            }
        } )*
    };
}

ids!(
    protocol::AssistantId,
    protocol::CallId,
    protocol::ConversationId,
    protocol::Fingerprint,
    protocol::GrantId,
    protocol::ModelId,
    protocol::QuestionId,
    protocol::RuleId,
    protocol::WorkspaceId,
    ToolName,
);

impl Bounded for String {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        text(self, at, TEXT)
    }
}

impl<T: Bounded> Bounded for Option<T> {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        self.as_ref().map_or(Ok(()), |there| there.bound(at))
    }
}

impl<T: Bounded> Bounded for Vec<T> {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        number(self.len(), at, T::MOST)?;
        self.iter()
            .zip(1_u32..)
            .try_for_each(|(one, place)| one.bound(&format!("{at} {place}")))
    }
}

/// What is filled into a prompt.
impl Bounded for BTreeMap<String, String> {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        number(self.len(), at, 256)?;
        for (name, value) in self {
            text(name, &format!("a name in {at}"), NAME)?;
            text(value, &format!("a value in {at}"), FILLED)?;
        }
        whole(self, at, ARGUMENTS)
    }
}

/// The arguments of a call.
impl Bounded for Map<String, Value> {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        whole(self, at, ARGUMENTS)
    }
}

impl Bounded for ServerDraft {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            name,
            target,
            keep: _,
            confinement,
        } = self;
        text(name, "name", NAME)?;
        confinement.bound("what it may touch")?;
        target.bound(at)
    }
}

impl Bounded for ConfinementSettings {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            confined: _,
            paths,
            network,
        } = self;
        number(paths.len(), &format!("paths of {at}"), MOST_PLACES)?;
        for GivenPath { path, change: _ } in paths {
            path.bound("path")?;
        }
        match network {
            // Each is no longer than a name of a host can be.
            NetworkAccess::Hosts { hosts } => {
                number(hosts.len(), &format!("hosts of {at}"), MOST_PLACES)
            }
            NetworkAccess::None | NetworkAccess::Open => Ok(()),
        }
    }
}

impl DraftTarget {
    /// Checks that it holds no more than can be kept.
    ///
    /// # Errors
    /// `too_large`, which names the field.
    pub fn check(&self) -> Result<(), HostError> {
        self.bound("the server")
    }
}

impl Bounded for DraftTarget {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        match self {
            Self::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                command.bound("command")?;
                args.bound("argument")?;
                env.bound("environment")?;
                cwd.bound("working folder")?;
            }
            Self::Http {
                url,
                headers,
                authority,
                certificate,
                key,
            } => {
                url.bound("address")?;
                headers.bound("header")?;
                authority.bound("certificate authority")?;
                certificate.bound("certificate")?;
                key.bound("key")?;
            }
        }
        whole(self, at, DRAFT)
    }
}

impl Bounded for DraftSetting {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self { name, value } = self;
        text(name, &format!("the name of {at}"), NAME)?;
        match value {
            DraftValue::Plain { text: plain } => plain.bound(at),
            DraftValue::NewSecret { value } => text(value.expose(), at, TEXT),
            DraftValue::KeptSecret | DraftValue::EmptySecret => Ok(()),
        }
    }
}

impl Bounded for DraftPem {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        match self {
            Self::None => Ok(()),
            Self::File { path } => path.bound(at),
            Self::Pasted { text: pasted } => text(pasted.expose(), at, PEM),
        }
    }
}

impl Bounded for NewAttachment {
    const MOST: usize = MOST_ATTACHMENTS;

    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self { name, data } = self;
        text(name, &format!("the name of {at}"), NAME)?;
        // How much that is in all is looked at where it is read.
        text(data, at, MOST_ATTACHED.div_ceil(3) * 4)
    }
}

impl Bounded for ConversationText {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        text(&self.0, at, MOST_IMPORTED)
    }
}

impl Bounded for ImportSource {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        match self {
            // Whoever reads a configuration says how long one may be, and each server of it is
            // bounded as a draft.
            Self::Text { text: _ } => Ok(()),
            Self::Found {
                application: _,
                path,
            } => path.bound(at),
        }
    }
}

impl Bounded for ImportChoice {
    // Those for which there is no room are named one by one.
    const MOST: usize = 20 * MOST_SERVERS;

    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            place: _,
            source_name,
            name,
        } = self;
        source_name.bound(at)?;
        text(name, &format!("the name of {at}"), NAME)
    }
}

impl Bounded for FeatureDecision {
    const MOST: usize = 200_000;

    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            key: FeatureKey { kind: _, name },
            fingerprint,
            decision: _,
        } = self;
        name.bound(at)?;
        fingerprint.bound(at)
    }
}

impl Bounded for CompletionOf {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        match self {
            Self::Prompt { name } => name.bound(at),
            Self::Template { uri_template } => uri_template.bound(at),
        }
    }
}

impl Bounded for OauthClientDraft {
    fn bound(&self, _: &str) -> Result<(), HostError> {
        let Self {
            client_id,
            client_secret,
            without_person: _,
            keep: _,
        } = self;
        client_id.bound("client id")?;
        let secret = client_secret.as_ref();
        secret.map_or(Ok(()), |secret| {
            text(secret.expose(), "client secret", TEXT)
        })
    }
}

impl Bounded for ModelDraft {
    fn bound(&self, _: &str) -> Result<(), HostError> {
        let Self {
            name,
            settings,
            key,
            keep: _,
        } = self;
        let ModelSettings {
            service: _,
            url,
            name: model,
            context: _,
            sees_images: _,
            plain_nearby: _,
        } = settings;
        text(name, "name", NAME)?;
        url.bound("address")?;
        text(model, "model", NAME)?;
        match key {
            DraftKey::NewSecret { value } => text(value.expose(), "key", TEXT),
            DraftKey::None | DraftKey::Kept => Ok(()),
        }
    }
}

impl Bounded for AssistantSettings {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            name,
            description,
            instructions,
            model,
            tools,
            calculates: _,
            helpers,
            is_helper: _,
            answer,
        } = self;
        text(name, "name", NAME)?;
        description.bound("description")?;
        instructions.bound("instructions")?;
        model.bound("model")?;
        helpers.bound("helper")?;
        match tools {
            AssistantTools::All => {}
            AssistantTools::Chosen { tools } => number(tools.len(), "tools", 10_000)?,
        }
        whole(tools, "tools", SELECTION)?;
        whole(answer, at, NAME)
    }
}

impl Bounded for AssistantFile {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self { text: written } = self;
        text(written, at, 2 * SELECTION)
    }
}

impl Bounded for ClientChange {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        if let Self::Tools {
            tools: ToolSelection::Only { parts } | ToolSelection::Except { parts },
        } = self
        {
            number(parts.len(), "tools", MOST_SERVERS)?;
        }
        whole(self, at, SELECTION)
    }
}

impl Bounded for TelemetrySettings {
    fn bound(&self, _: &str) -> Result<(), HostError> {
        let Self {
            endpoint,
            contents: _,
            propagate: _,
        } = self;
        endpoint.bound("endpoint")
    }
}

impl Bounded for ActivityFilter {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        whole(self, at, TEXT)
    }
}

impl Bounded for DryRun {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        whole(self, at, ARGUMENTS)
    }
}

impl Bounded for RuleDraft {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            effect: _,
            hook: _,
            caller: _,
            server: _,
            tool,
            when,
            reason,
        } = self;
        tool.bound("tool")?;
        when.bound("condition")?;
        reason.bound("reason")?;
        whole(self, at, TEXT)
    }
}

impl Bounded for Condition {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        match self {
            Self::ToHosts { hosts } => hosts.bound(&format!("host of {at}")),
            Self::InFolder { folder } => folder.bound(at),
            Self::Consequential
            | Self::Secret
            | Self::FromStrangers
            | Self::Remote
            | Self::Unconfined
            | Self::Found { .. } => Ok(()),
        }
    }
}
