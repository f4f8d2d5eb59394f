//! `majordomoctl offers …`

use crate::args::{Decided, Offers};
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::messages::name as key;
use crate::print;
use crate::quote::fenced;
use crate::word::Word;
use api::{
    Alike, ApprovalStatus, DecideOffers, ErrorCode, FeatureDecision, FeatureView, FeaturesReview,
    HostError, Resemblance, ReviewOffers,
};
use inspect::{Finding, Inspection};
use policy::pin::{Change, PinDecision};
use protocol::{FeatureKey, FeatureKind, ServerId};
use serde_json::{Map, Value};

/// Shows what a server offers, or keeps decisions about it.
pub(crate) async fn run(
    link: &Link,
    command: Offers,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let (decided, decision) = match command {
        Offers::Review { server, all } => {
            let review = link.ask(ReviewOffers { server }).await?;
            if json {
                print::json(&review)
            } else {
                show(&review, all)
            }
            return Ok(Exit::Done);
        }
        Offers::Approve(decided) => (decided, PinDecision::Approve),
        Offers::KeepOff(decided) => (decided, PinDecision::KeepOff),
        Offers::Block(decided) => (decided, PinDecision::Block),
    };
    decide(link, decided, decision, word, json).await?;
    Ok(Exit::Done)
}

async fn decide(
    link: &Link,
    decided: Decided,
    decision: PinDecision,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let Decided { server, what, all } = decided;
    let review = reviewed(link, &server).await?;
    let chosen: Vec<&FeatureView> = if all {
        let together =
            |offer: &&FeatureView| offer.standing.waits() && may_go_along(offer, decision);
        review.offers.iter().filter(together).collect()
    } else {
        what.iter()
            .map(|what| find(&review, what))
            .collect::<Result<_, _>>()?
    };
    if all && decision == PinDecision::Approve {
        for offer in &chosen {
            print::note(print::quote(&label(&offer.key)));
        }
        let count = chosen.len();
        word.confirm(
            link,
            &format!("Approve {count} of {server}, exactly as it is now?"),
            "nothing is approved",
        )?;
    }
    let decision = |offer: &&FeatureView| FeatureDecision {
        key: offer.key.clone(),
        fingerprint: offer.fingerprint.clone(),
        decision,
    };
    let decisions: Vec<FeatureDecision> = chosen.iter().map(decision).collect();
    let count = decisions.len();
    let request = DecideOffers {
        server: server.clone(),
        decisions,
    };
    let after = word.ask(link, request).await?;
    if json {
        print::json(&after);
    }
    print::note(format_args!(
        "Decided about {count} of {server}; {} wait.",
        after.waiting
    ));
    let is_left = |offer: &&FeatureView| {
        offer.held_back || offer.standing.waits() && !may_go_along(offer, PinDecision::Approve)
    };
    for offer in after.offers.iter().filter(is_left) {
        let why = if offer.held_back {
            "Held back"
        } else {
            "Not what you approved any more"
        };
        print::note(format_args!(
            "{why}; look at it and decide by its name: majordomoctl offers review {server}"
        ));
        print::note(print::quote(&label(&offer.key)));
    }
    Ok(())
}

/// Whether a decision about all is one about this, too: what was approved once and is another thing
/// now is approved by its name only, and so is what was held back.
fn may_go_along(offer: &FeatureView, decision: PinDecision) -> bool {
    let is_another = matches!(
        offer.standing,
        ApprovalStatus::Changed | ApprovalStatus::Renamed { .. }
    );
    decision != PinDecision::Approve || !offer.held_back && !is_another
}

async fn reviewed(link: &Link, server: &ServerId) -> Result<FeaturesReview, HostError> {
    let server = server.clone();
    link.ask(ReviewOffers { server }).await
}

/// The offer that a person means: by its kind and name, or by its name alone where that is enough.
fn find<'a>(review: &'a FeaturesReview, what: &str) -> Result<&'a FeatureView, HostError> {
    let (kind, name) = match what.split_once(':') {
        Some(("tool", name)) => (Some(FeatureKind::Tool), name),
        Some(("prompt", name)) => (Some(FeatureKind::Prompt), name),
        Some(("template", name)) => (Some(FeatureKind::Template), name),
        _ if what == "about" => (Some(FeatureKind::About), ""),
        _ => (None, what),
    };
    let fits = |offer: &&FeatureView| {
        offer.key.name == name && kind.is_none_or(|kind| offer.key.kind == kind)
    };
    let mut found = review.offers.iter().filter(fits);
    let none = |message: String| Err(HostError::of(ErrorCode::UnknownTool, message));
    match (found.next(), found.next()) {
        (Some(offer), None) => Ok(offer),
        (Some(_), Some(_)) => none(format!(
            "there are several of the name {what}; write tool:NAME, prompt:NAME or template:ADDRESS"
        )),
        (None, _) => none(format!(
            "nothing called {what} is offered; see `majordomoctl offers review`"
        )),
    }
}

fn label(offer: &FeatureKey) -> String {
    let FeatureKey { kind, name } = offer;
    match kind {
        FeatureKind::About => "what it says about itself".to_owned(),
        FeatureKind::Tool | FeatureKind::Prompt | FeatureKind::Template => {
            format!("{} {name}", key(kind))
        }
    }
}

fn show(review: &FeaturesReview, all: bool) {
    let FeaturesReview {
        server,
        offers,
        waiting: _, // They are all shown.
    } = review;
    let mut shown = 0;
    for offer in offers.iter().filter(|offer| all || offer.standing.waits()) {
        shown += 1;
        show_one(offer);
    }
    let waiting = || offers.iter().filter(|offer| offer.standing.waits());
    if shown == 0 {
        print::note("Nothing to review.");
    } else if waiting().any(|offer| may_go_along(offer, PinDecision::Approve)) {
        print::note(format_args!(
            "Next: majordomoctl offers approve {server} --all, or keep-off or block with a name."
        ));
    } else if waiting().next().is_some() {
        print::note(format_args!(
            "Next: majordomoctl offers approve, keep-off or block {server} with a name."
        ));
    }
}

/// One offer with all that speaks for or against it; words of strangers are quoted with everything
/// in them visible.
fn show_one(offer: &FeatureView) {
    let FeatureView {
        key: of,
        standing,
        fingerprint: _, // Sent back with the decision.
        definition,
        before: _, // What of it is different now is shown.
        decided_at,
        changes,
        inspection,
        resembles,
        held_back,
    } = offer;
    let from = match standing {
        ApprovalStatus::Renamed { from } => format!(" (was {from})"),
        ApprovalStatus::Approved
        | ApprovalStatus::New
        | ApprovalStatus::Changed
        | ApprovalStatus::Gone
        | ApprovalStatus::KeptOff
        | ApprovalStatus::Blocked => String::new(),
    };
    let held = if *held_back { "  HELD BACK" } else { "" };
    let head = format!(
        "{}: {}{from}{held}",
        label(of),
        key(standing).replace('_', " ")
    );
    print::result(fenced("", "  | ", &head));
    if let Some(at) = decided_at {
        print::result(format_args!("  decided about on {}", date::shown(*at)));
    }
    changes.iter().for_each(show_change);
    if *standing == ApprovalStatus::New
        && let Some(definition) = definition
    {
        show_definition(definition);
    }
    show_findings(inspection);
    resembles.iter().for_each(show_resemblance);
}

fn show_change(change: &Change) {
    let Change {
        at,
        before,
        now,
        kind,
    } = change;
    let value = |value: &Option<Value>| match value {
        None => "(nothing)".to_owned(),
        Some(value) => value.to_string(),
    };
    let what = format!("{} {at}", key(kind).replace('_', " "));
    print::result(fenced("  ", "  | ", &what));
    print::result(fenced("    - ", "  | ", &value(before)));
    print::result(fenced("    + ", "  | ", &value(now)));
}

/// Everything that a server says about something new: its words for models first, then the rest.
fn show_definition(definition: &Map<String, Value>) {
    const WORDS: [&str; 2] = ["description", "instructions"];
    for text in WORDS
        .iter()
        .filter_map(|field| definition.get(*field)?.as_str())
    {
        print::result(print::quote(text));
    }
    for (field, value) in definition {
        let is_shown = field == "name" || (WORDS.contains(&field.as_str()) && value.is_string());
        if !is_shown {
            print::result(print::quote_as(field, &value.to_string()));
        }
    }
}

fn show_findings(inspection: &Inspection) {
    let Inspection {
        findings,
        held_back: _, // Stands in the head.
    } = inspection;
    for finding in findings {
        let Finding {
            kind,
            severity,
            at: _,
            span: _,
            evidence,
        } = finding;
        let what = format!(
            "  {} {}: ",
            key(severity).to_uppercase(),
            key(kind).replace('_', " ")
        );
        print::result(fenced(&what, "  | ", evidence));
    }
}

fn show_resemblance(other: &Resemblance) {
    let Resemblance {
        server,
        tool,
        description,
        how,
    } = other;
    let how = match how {
        Alike::Name { likeness } => format!("name, {}", key(likeness)),
        Alike::Purpose { percent } => format!("purpose, {percent} %"),
    };
    print::result(fenced(
        "  like ",
        "  | ",
        &format!("{server}.{tool} ({how})"),
    ));
    if let Some(description) = description {
        print::result(print::quote(description));
    }
}
