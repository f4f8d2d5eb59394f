//! What one server offers, beside what a person has approved of it.
//!
//! Always true here: a definition and how it stands are set together. There is no moment at which
//! a tool has a new definition and still counts as what it was.

use policy::pin::{ApprovalStatus, FeatureComparison, Pin, compare};
use policy::{KnownTool, Offerings};
use protocol::{Feature, FeatureKey, FeatureKind, Fingerprint, ToolName, ToolSpec};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use store::{Event, Times};

/// So many others are named where one list has changed several things.
const NAMED: usize = 5;

/// What one server offers, compared.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    pins: Vec<Pin>,
    tools: Vec<Arc<KnownTool>>,
    /// Where each is in `tools`; the first of those with one name.
    named: HashMap<ToolName, usize>,
    offers: Vec<Feature>,
    listed: BTreeSet<FeatureKind>,
    compared: Vec<FeatureComparison>,
    /// Where each is in `compared`.
    places: HashMap<FeatureKey, usize>,
    /// Part of this program: what it offers is approved unless a person says otherwise.
    own: bool,
    /// What was written to the log last of each that was approved and is not what it was.
    noted: HashMap<FeatureKey, Option<Fingerprint>>,
}

impl Offered {
    pub(crate) fn new(pins: Vec<Pin>, own: bool) -> Self {
        Self {
            pins,
            own,
            ..Self::default()
        }
    }

    /// Takes what the server says about itself now.
    pub(crate) fn take_about(&mut self, about: Feature) {
        self.take(FeatureKind::About, [about]);
    }

    /// Takes the tools that the server lists now, in place of those that it listed before.
    pub fn take_tools(&mut self, tools: Vec<ToolSpec>) {
        let offers: Vec<Feature> = tools.iter().map(Feature::tool).collect();
        let known = |spec| Arc::new(KnownTool::new(spec));
        self.tools = tools.into_iter().map(known).collect();
        self.named.clear();
        for (at, tool) in self.tools.iter().enumerate() {
            self.named.entry(tool.spec().name.clone()).or_insert(at);
        }
        self.take(FeatureKind::Tool, offers);
    }

    /// The same for its prompts.
    pub(crate) fn take_prompts(&mut self, prompts: Vec<Feature>) {
        self.take(FeatureKind::Prompt, prompts);
    }

    /// The same for its resource templates.
    pub(crate) fn take_templates(&mut self, templates: Vec<Feature>) {
        self.take(FeatureKind::Template, templates);
    }

    /// The tools as the server listed them last.
    pub fn tools(&self) -> &[Arc<KnownTool>] {
        &self.tools
    }

    /// The tool with a name, as it is written.
    pub(crate) fn tool(&self, name: &ToolName) -> Option<&Arc<KnownTool>> {
        self.tools.get(*self.named.get(name)?)
    }

    /// Whether the server was asked for its tools at all.
    pub(crate) fn has_tools_listed(&self) -> bool {
        self.has_listed(FeatureKind::Tool)
    }

    /// Whether the server was asked for this kind since it was connected.
    pub(crate) fn has_listed(&self, kind: FeatureKind) -> bool {
        self.listed.contains(&kind)
    }

    fn take(&mut self, kind: FeatureKind, offers: impl IntoIterator<Item = Feature>) {
        self.listed.insert(kind);
        self.offers.retain(|feature| feature.key.kind != kind);
        self.offers.extend(offers);
        self.offers.sort_by_key(|feature| feature.key.kind);
        self.compare();
    }

    /// The server is connected anew: what it offers beside tools counts as not listed until it was
    /// asked again.
    pub(crate) fn connected(&mut self) {
        self.listed
            .retain(|kind| matches!(kind, FeatureKind::About | FeatureKind::Tool));
        self.offers
            .retain(|feature| self.listed.contains(&feature.key.kind));
        self.compare();
    }

    /// Everything, compared.
    pub(crate) fn compared(&self) -> &[FeatureComparison] {
        &self.compared
    }

    /// One thing, compared.
    pub(crate) fn comparison(&self, key: &FeatureKey) -> Option<&FeatureComparison> {
        self.compared.get(*self.places.get(key)?)
    }

    /// How one thing stands. What is not listed is new.
    pub(crate) fn standing(&self, key: &FeatureKey) -> ApprovalStatus {
        let of = |key: &FeatureKey| {
            self.places.get(key).map_or(ApprovalStatus::New, |at| {
                self.compared[*at].standing.clone()
            })
        };
        let about = FeatureKey {
            kind: FeatureKind::About,
            name: String::new(),
        };
        // Before the server was connected once in this run it has said nothing about itself.
        let said = if self.listed.contains(&FeatureKind::About) {
            of(&about)
        } else {
            ApprovalStatus::Approved
        };
        match of(key) {
            ApprovalStatus::Approved if said.waits() => said,
            standing => standing,
        }
    }

    /// How what the server says about itself stands. Before it was heard of it is new.
    pub fn about(&self) -> ApprovalStatus {
        let about = |one: &&FeatureComparison| one.key.kind == FeatureKind::About;
        self.compared
            .iter()
            .find(about)
            .map_or(ApprovalStatus::New, |one| one.standing.clone())
    }

    /// How what requests name stands, without the addresses that the server lists.
    pub fn offerings(&self) -> Offerings {
        let named = |one: &&FeatureComparison| {
            matches!(one.key.kind, FeatureKind::Prompt | FeatureKind::Template)
        };
        Offerings {
            about: self.about(),
            standings: self
                .compared
                .iter()
                .filter(named)
                .map(|one| (one.key.clone(), one.standing.clone()))
                .collect(),
            listed: BTreeSet::new(),
        }
    }

    /// How many wait for a decision.
    pub(crate) fn waiting(&self) -> u32 {
        u32::try_from(
            self.compared
                .iter()
                .filter(|one| one.standing.waits())
                .count(),
        )
        .unwrap_or(u32::MAX)
    }

    /// Takes over decisions.
    pub(crate) fn decided(&mut self, pins: Vec<Pin>, forget: &[FeatureKey]) {
        let replaced: BTreeSet<&FeatureKey> =
            pins.iter().map(|pin| &pin.key).chain(forget).collect();
        self.pins.retain(|pin| !replaced.contains(&pin.key));
        drop(replaced);
        self.pins.extend(pins);
        self.compare();
    }

    fn compare(&mut self) {
        let pins: Vec<Pin> = self
            .pins
            .iter()
            .filter(|pin| self.listed.contains(&pin.key.kind))
            .cloned()
            .collect();
        self.compared = compare(&pins, &self.offers);
        if self.own {
            self.compared
                .retain(|one| one.standing != ApprovalStatus::Gone);
            for one in self.compared.iter_mut().filter(|one| one.standing.waits()) {
                one.standing = ApprovalStatus::Approved;
                one.changes.clear();
            }
        }
        self.places = self
            .compared
            .iter()
            .enumerate()
            .map(|(at, one)| (one.key.clone(), at))
            .collect();
    }

    /// What has changed and was not written to the log yet in this run.
    pub(crate) fn unnoted(&mut self) -> Option<Quarantined> {
        let noted = &mut self.noted;
        let mut new = self
            .compared
            .iter()
            .filter(|one| one.standing.waits() && one.standing != ApprovalStatus::New)
            .filter_map(|one| {
                let now = one.now.as_ref().map(Feature::fingerprint);
                let approved = one.before.as_ref()?.fingerprint.clone();
                let last = noted.insert(one.key.clone(), now.clone());
                (last.as_ref() != Some(&now)).then(|| (one.key.clone(), now, approved))
            });
        let (key, now, approved) = new.next()?;
        let mut quarantined = Quarantined {
            key,
            now,
            approved,
            others: 0,
            also: Vec::new(),
        };
        for (key, ..) in new {
            quarantined.others = quarantined.others.saturating_add(1);
            if quarantined.also.len() < NAMED {
                quarantined.also.push(key);
            }
        }
        Some(quarantined)
    }
}

/// What one list has changed of that which was approved.
#[derive(Debug, Clone, PartialEq)]
pub struct Quarantined {
    /// The first of it.
    key: FeatureKey,
    now: Option<Fingerprint>,
    approved: Fingerprint,
    /// How many others.
    others: u32,
    /// The first few of these.
    also: Vec<FeatureKey>,
}

impl Quarantined {
    /// The one record of it.
    pub(crate) fn event(self, times: Times) -> Event {
        Event::OfferQuarantined {
            kind: self.key.kind,
            name: self.key.name,
            fingerprint: self.now,
            approved: self.approved,
            others: self.others,
            also: self.also,
            times,
        }
    }
}

/// By what a tool is known.
pub fn key_of(tool: &ToolName) -> FeatureKey {
    FeatureKey {
        kind: FeatureKind::Tool,
        name: tool.to_string(),
    }
}
