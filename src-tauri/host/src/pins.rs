//! What a server offers, and how it stands to what a person has approved.
//!
//! Always true here:
//! - nothing that a server offers may be used before a person has approved it exactly as it is; what this program itself offers is
//!   approved;
//! - what a kind holds is compared only after the server was asked for it: what was not listed is not gone;
//! - while words of a server about itself wait for a person, all else that it offers waits too.

mod decide;
mod look;

pub(crate) use decide::decide;
pub(crate) use look::{findings, key_of, review};

use crate::Host;
use crate::api::HostError;
use crate::supervise::tell_changed;
use connections::{Connection, ConnectionError};
use policy::pin::{Compared, Pin, Standing, compare};
use protocol::{Fingerprint, Offer, OfferKey, OfferKind, PromptSpec, ServerId, TemplateSpec};
use std::collections::{BTreeSet, HashMap};
use store::{Entry, Event};

/// What one server offers, compared.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    pins: Vec<Pin>,
    offers: Vec<Offer>,
    listed: BTreeSet<OfferKind>,
    compared: Vec<Compared>,
    /// Where each is in `compared`.
    places: HashMap<OfferKey, usize>,
    /// Part of this program: what it offers is approved unless a person says otherwise.
    own: bool,
    /// What was already written to the log as quarantined.
    noted: BTreeSet<(OfferKey, Option<Fingerprint>)>,
}

impl Offered {
    pub(crate) fn new(pins: Vec<Pin>, own: bool) -> Self {
        Self { pins, own, ..Self::default() }
    }

    /// Takes what the server offers of one kind now, in place of what it offered before.
    pub(crate) fn take(&mut self, kind: OfferKind, offers: impl IntoIterator<Item = Offer>) {
        self.listed.insert(kind);
        self.offers.retain(|offer| offer.key.kind != kind);
        self.offers.extend(offers);
        self.offers.sort_by_key(|offer| offer.key.kind);
        self.compare();
    }

    /// The server is connected anew: what it offers beside tools counts as not listed until it was asked again.
    pub(crate) fn connected(&mut self) {
        self.listed.retain(|kind| matches!(kind, OfferKind::About | OfferKind::Tool));
        self.offers.retain(|offer| self.listed.contains(&offer.key.kind));
        self.compare();
    }

    /// Everything, compared.
    pub(crate) fn compared(&self) -> &[Compared] {
        &self.compared
    }

    /// How one thing stands. What is not listed is new.
    pub(crate) fn standing(&self, key: &OfferKey) -> Standing {
        let of = |key: &OfferKey| self.places.get(key).map_or(Standing::New, |at| self.compared[*at].standing.clone());
        let about = OfferKey { kind: OfferKind::About, name: String::new() };
        // Before the server was connected once in this run it has said nothing about itself.
        let said = if self.listed.contains(&OfferKind::About) { of(&about) } else { Standing::Approved };
        match of(key) {
            Standing::Approved if said.waits() => said,
            standing => standing,
        }
    }

    /// How many wait for a decision.
    pub(crate) fn waiting(&self) -> u32 {
        u32::try_from(self.compared.iter().filter(|one| one.standing.waits()).count()).unwrap_or(u32::MAX)
    }

    /// Takes over decisions.
    pub(crate) fn decided(&mut self, pins: Vec<Pin>, forget: &[OfferKey]) {
        let replaced: BTreeSet<&OfferKey> = pins.iter().map(|pin| &pin.key).chain(forget).collect();
        self.pins.retain(|pin| !replaced.contains(&pin.key));
        drop(replaced);
        self.pins.extend(pins);
        self.compare();
    }

    fn compare(&mut self) {
        let pins: Vec<Pin> = self.pins.iter().filter(|pin| self.listed.contains(&pin.key.kind)).cloned().collect();
        self.compared = compare(&pins, &self.offers);
        if self.own {
            self.compared.retain(|one| one.standing != Standing::Gone);
            for one in self.compared.iter_mut().filter(|one| one.standing.waits()) {
                one.standing = Standing::Approved;
                one.changes.clear();
            }
        }
        self.places = self.compared.iter().enumerate().map(|(at, one)| (one.key.clone(), at)).collect();
    }

    /// What has changed and was not written to the log yet in this run.
    fn unnoted(&mut self) -> Vec<Event> {
        let quarantined = self.compared.iter().filter(|one| one.standing.waits() && one.standing != Standing::New);
        let events = quarantined.filter_map(|one| {
            let fingerprint = one.now.as_ref().map(Offer::fingerprint);
            let approved = one.before.as_ref()?.fingerprint.clone();
            let is_new = self.noted.insert((one.key.clone(), fingerprint.clone()));
            let event = Event::OfferQuarantined { kind: one.key.kind, name: one.key.name.clone(), fingerprint, approved };
            is_new.then_some(event)
        });
        events.collect()
    }
}

/// Takes a new list of one kind, and tells of it.
pub(crate) fn take(host: &Host, id: &ServerId, generation: u64, kind: OfferKind, offers: Vec<Offer>) {
    let events = host.kept().with(id, |kept| {
        if kept.generation != generation {
            return Vec::new();
        }
        kept.offered.take(kind, offers);
        kept.offered.unnoted()
    });
    for event in events.unwrap_or_default() {
        let entry = Entry { at: host.now(), call: None, caller: None, approver: None, server: Some(id.clone()), tool: None, event };
        if let Err(error) = host.record(entry) {
            tracing::error!(server = %id, %error, "that something has changed could not be written to the log");
        }
    }
}

/// Asks a server for what it offers beside tools, so that all of it can be reviewed. What cannot be listed stays as it was.
pub(crate) async fn take_rest(host: &Host, id: &ServerId, generation: u64, connection: &Connection) {
    let able = connection.abilities();
    if able.prompts {
        match connection.prompts().await {
            Ok(prompts) => take_prompts(host, id, generation, &prompts),
            Err(error) => unlisted(id, &error, "prompts"),
        }
    }
    if able.resources {
        match connection.templates().await {
            Ok(templates) => take_templates(host, id, generation, &templates),
            Err(error) => unlisted(id, &error, "resource templates"),
        }
    }
    tell_changed(host, id);
}

/// A server that ends while it is asked has its own word for that.
fn unlisted(id: &ServerId, error: &ConnectionError, what: &str) {
    if !matches!(error, ConnectionError::ConnectionLost { .. }) {
        tracing::warn!(server = %id, %error, what, "something that it offers could not be listed for review");
    }
}

/// How a thing stands that may not have been listed yet.
pub(crate) async fn standing(host: &Host, id: &ServerId, key: &OfferKey) -> Result<Standing, HostError> {
    list_rest(host, id).await?;
    host.kept().with(id, |kept| kept.offered.standing(key))
}

/// Asks a running server for what was not listed since it was connected.
async fn list_rest(host: &Host, id: &ServerId) -> Result<(), HostError> {
    let (generation, connection, listed) =
        host.kept().with(id, |kept| (kept.generation, kept.connection.clone(), kept.offered.listed.clone()))?;
    let Some(connection) = connection else { return Ok(()) };
    let able = connection.abilities();
    if able.prompts && !listed.contains(&OfferKind::Prompt) || able.resources && !listed.contains(&OfferKind::Template) {
        take_rest(host, id, generation, &connection).await;
    }
    Ok(())
}

fn take_prompts(host: &Host, id: &ServerId, generation: u64, prompts: &[PromptSpec]) {
    let masker = host.secrets().masker();
    let prompts = prompts.iter().filter(|prompt| masker.mask(&prompt.name).is_none());
    take(host, id, generation, OfferKind::Prompt, prompts.map(|prompt| masked(&masker, Offer::prompt(prompt))).collect());
}

fn take_templates(host: &Host, id: &ServerId, generation: u64, templates: &[TemplateSpec]) {
    let masker = host.secrets().masker();
    let templates = templates.iter().filter(|template| masker.mask(&template.uri_template).is_none());
    take(host, id, generation, OfferKind::Template, templates.map(|template| masked(&masker, Offer::template(template))).collect());
}

fn masked(masker: &inspect::Masker, mut offer: Offer) -> Offer {
    masker.mask_map(&mut offer.definition);
    offer
}
