//! The rules that hold, and what they say at each of the four points where they are asked.
//!
//! Always true here:
//! - the administrator's file is read first, and nothing that a person or a program does here changes what it says;
//! - what cannot be read forbids, from the moment it is noticed;
//! - a file that vanishes while the host runs goes on holding until the host ends.

mod circumstances;
mod file;
mod named;
mod watch;

pub(crate) use file::system_file;

use crate::api::{HostError, HostEvent, LayerView, PolicyView};
use crate::{Host, error};
use circumstances::{destination, of_call, of_server, of_tool};
use inspect::{Finding, FindingKind};
use policy::flow::Concern;
use policy::{AdministratorRules, FoundWhat, Hook, Layer, LayerRules, Occasion, Refusal, Rule, Rules, Ruling};
use protocol::{Caller, Fingerprint, ServerId, ToolCall, ToolName};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use store::{Entry, Event};

/// The rules that hold.
pub(crate) struct HeldRules {
    sources: Mutex<Sources>,
    rules: RwLock<Rules>,
    watching: Mutex<Option<watch::Watching>>,
}

/// What the rules are made of.
struct Sources {
    file: Option<PathBuf>,
    administrator: AdministratorRules,
    present: bool,
    person: Vec<Rule>,
}

impl HeldRules {
    /// Reads the administrator's file, and takes the rules of the person as they are kept.
    pub(crate) fn open(file: Option<PathBuf>, person: Vec<Rule>) -> Self {
        let administrator = file.as_deref().map(file::read).unwrap_or_default();
        let present = administrator.text.is_some() || administrator.broken.is_some();
        let rules = RwLock::new(Rules::new(&administrator, &person));
        Self { sources: Mutex::new(Sources { file, administrator, present, person }), rules, watching: Mutex::default() }
    }

    /// The rules as they are at this moment.
    pub(crate) fn now(&self) -> Rules {
        self.rules.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One of the rules that the person made.
    pub(crate) fn of_person(&self, id: &str) -> Option<Rule> {
        self.sources().person.iter().find(|rule| rule.id.as_str() == id).cloned()
    }

    /// Has other rules of the person hold from now on.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Vec<Rule>)) {
        let mut sources = self.sources();
        change(&mut sources.person);
        self.hold(&sources);
    }

    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, sources: &Sources) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Rules::new(&sources.administrator, &sources.person);
    }

    /// Reads the administrator's file again. Whether anything is different, and what there is to note.
    fn read_again(&self) -> Option<Event> {
        let mut sources = self.sources();
        let read = file::read(sources.file.as_deref()?);
        let present = read.text.is_some() || read.broken.is_some();
        if !present {
            // Doubt is a no: whoever removed the file, what it forbids stays forbidden until the host ends.
            return std::mem::take(&mut sources.present).then(|| Event::PolicyGone { file: sources.administrator.file.clone() });
        }
        if sources.present && read == sources.administrator {
            return None;
        }
        (sources.administrator, sources.present) = (read, true);
        self.hold(&sources);
        drop(sources);
        self.note()
    }

    /// What there is to note about the administrator's rules as they are.
    fn note(&self) -> Option<Event> {
        let sources = self.sources();
        let broken = self.now().layers().iter().find(|layer| layer.layer == Layer::Administrator).and_then(|layer| layer.broken.clone());
        match (broken, &sources.administrator.text) {
            (Some(problem), _) => Some(Event::PolicyBroken { problem }),
            (None, Some(text)) => {
                let fingerprint = Fingerprint::of(&Value::String(text.clone()));
                Some(Event::PolicyRead { file: sources.administrator.file.clone(), fingerprint })
            }
            (None, None) => None,
        }
    }

    /// All rules as people read them.
    pub(crate) fn view(&self) -> PolicyView {
        let (rules, sources) = (self.now(), self.sources());
        let file = |layer| (layer == Layer::Administrator).then(|| sources.file.as_deref().map(shown)).flatten();
        let layer = |LayerRules { layer, broken, rules }: &LayerRules| LayerView {
            layer: *layer,
            file: file(*layer),
            present: *layer != Layer::Administrator || sources.present,
            broken: broken.clone(),
            rules: rules.clone(),
        };
        let mut layers: Vec<LayerView> = rules.layers().iter().map(layer).collect();
        // The one that nobody can change comes first.
        layers.sort_by_key(|layer| layer.layer != Layer::Administrator);
        PolicyView { layers }
    }
}

/// Writes down what became of the administrator's rules.
pub(crate) fn record(host: &Host, event: Event) {
    if let Event::PolicyBroken { problem } = &event {
        tracing::error!(%problem, "the administrator's rules cannot be read; nothing runs until they can");
    }
    let entry = Entry { at: host.now(), call: None, caller: None, approver: None, server: None, tool: None, event };
    if let Err(problem) = host.record(entry) {
        tracing::error!(%problem, "a change of the administrator's rules could not be written to the log");
    }
}

/// Notes the administrator's rules as they were found when the host was opened.
pub(crate) fn record_found(host: &Host) {
    if let Some(event) = host.rules().note() {
        record(host, event);
    }
}

/// Reads the administrator's file again after it has changed.
pub(crate) fn read_again(host: &Host) {
    if let Some(event) = host.rules().read_again() {
        record(host, event);
        host.tell(HostEvent::PolicyChanged);
    }
}

/// What the rules say about a call at each point before its result comes back, in order.
pub(crate) async fn at_hooks(host: &Host, call: &ToolCall, concerns: &[Concern]) -> Vec<(Hook, Ruling)> {
    let rules = host.rules().now();
    let known = of_call(host, &call.server, &call.tool, &call.arguments, concerns).await;
    let occasion = Occasion { caller: Some(&call.caller), server: &call.server, tool: Some(&call.tool), circumstances: &known };
    let mut said = vec![(Hook::Discover, rules.ruling(Hook::Discover, &occasion)), (Hook::Call, rules.ruling(Hook::Call, &occasion))];
    if let Some(to) = destination(host, &call.server) {
        let leaving = policy::Circumstances { hosts: vec![to], ..known.clone() };
        let occasion = Occasion { circumstances: &leaving, ..occasion };
        said.push((Hook::Egress, rules.ruling(Hook::Egress, &occasion)));
    }
    said
}

/// What the rules say about a call: a tool that is hidden from a caller, or may not send to its server, cannot be called.
pub(crate) async fn on_call(host: &Host, call: &ToolCall, concerns: &[Concern]) -> Ruling {
    joined(&at_hooks(host, call, concerns).await)
}

/// What the rules say at several points together.
pub(crate) fn joined(said: &[(Hook, Ruling)]) -> Ruling {
    said.iter().fold(Ruling::default(), |joined, (_, ruling)| joined.and(ruling.clone()))
}

/// Whether a tool is hidden from a caller.
pub(crate) fn hides(host: &Host, caller: &Caller, server: &ServerId, tool: &ToolName) -> bool {
    let known = of_tool(host, server, tool);
    let occasion = Occasion { caller: Some(caller), server, tool: Some(tool), circumstances: &known };
    host.rules().now().ruling(Hook::Discover, &occasion).refusal().is_some()
}

/// What the rules say about handing a result to whoever made the call.
pub(crate) async fn on_return(host: &Host, call: &ToolCall, findings: &[Finding]) -> Ruling {
    let mut known = of_call(host, &call.server, &call.tool, &call.arguments, &[]).await;
    known.found = [FoundWhat::Instructions, FoundWhat::Credentials, FoundWhat::PersonalNumbers]
        .into_iter()
        .filter(|what| findings.iter().any(|finding| is(*what, finding.kind)))
        .collect();
    let occasion = Occasion { caller: Some(&call.caller), server: &call.server, tool: Some(&call.tool), circumstances: &known };
    host.rules().now().ruling(Hook::Return, &occasion)
}

/// Whether a caller may have something sent to a server that is reached over the network.
pub(crate) fn may_send(host: &Host, caller: &Caller, server: &ServerId) -> Result<(), HostError> {
    let Some(to) = destination(host, server) else { return Ok(()) };
    let known = policy::Circumstances { hosts: vec![to], ..of_server(host, server) };
    let occasion = Occasion { caller: Some(caller), server, tool: None, circumstances: &known };
    let refusal = host.rules().now().ruling(Hook::Egress, &occasion).refusal();
    refusal.map_or(Ok(()), |refusal| Err(error::refused(refusal)))
}

/// What forbids that anything leaves for a host on behalf of a server.
pub(crate) fn forbids_leaving(host: &Host, server: &ServerId, to: &str) -> Option<Refusal> {
    let known = policy::Circumstances { hosts: vec![to.to_owned()], ..of_server(host, server) };
    let occasion = Occasion { caller: None, server, tool: None, circumstances: &known };
    host.rules().now().ruling(Hook::Egress, &occasion).refusal()
}

/// The same as an error.
pub(crate) fn may_leave(host: &Host, server: &ServerId, to: &str) -> Result<(), HostError> {
    forbids_leaving(host, server, to).map_or(Ok(()), |refusal| Err(error::refused(refusal)))
}

fn is(what: FoundWhat, kind: FindingKind) -> bool {
    match what {
        FoundWhat::Instructions => kind.speaks_to_model(),
        FoundWhat::Credentials => matches!(kind, FindingKind::Credential | FindingKind::HeldSecret),
        FoundWhat::PersonalNumbers => kind == FindingKind::PersonalNumber,
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
