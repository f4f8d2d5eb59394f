//! `majordomoctl offers …`

use crate::args::{Decided, Offers};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use crate::quote::fenced;
use host::api::Standing;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};

/// Shows what a server offers, or keeps decisions about it.
pub(crate) async fn run(link: &Link, command: Offers, json: bool) -> Result<Exit, HostError> {
    match command {
        Offers::Review { server, all } => {
            let review = reviewed(link, &server).await?;
            if json { print::json(&review) } else { show(&review, all) }
        }
        Offers::Approve(decided) => decide(link, decided, "approve", json).await?,
        Offers::KeepOff(decided) => decide(link, decided, "keep_off", json).await?,
        Offers::Block(decided) => decide(link, decided, "block", json).await?,
    }
    Ok(Exit::Done)
}

async fn reviewed(link: &Link, server: &str) -> Result<Value, HostError> {
    link.ask(&json!({"method": "review_offers", "params": {"server": server}})).await
}

fn offers(review: &Value) -> impl Iterator<Item = &Value> {
    review["offers"].as_array().into_iter().flatten()
}

fn waits(offer: &Value) -> bool {
    serde_json::from_value::<Standing>(offer["standing"].clone()).is_ok_and(|standing| standing.waits())
}

async fn decide(link: &Link, decided: Decided, decision: &str, json: bool) -> Result<(), HostError> {
    let server = &decided.server;
    let review = reviewed(link, server).await?;
    let chosen: Vec<&Value> = if decided.all {
        offers(&review).filter(|offer| waits(offer) && (offer["held_back"] != true || decision != "approve")).collect()
    } else {
        decided.what.iter().map(|what| find(&review, what)).collect::<Result<_, _>>()?
    };
    let decisions: Vec<Value> =
        chosen.iter().map(|offer| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": decision})).collect();
    let after = link.ask(&json!({"method": "decide_offers", "params": {"server": server, "decisions": decisions}})).await?;
    if json {
        print::json(&after);
    }
    let (count, waiting) = (chosen.len(), print::text(&after, "/waiting"));
    print::note(format_args!("Decided about {count} of {server}; {waiting} wait."));
    for offer in offers(&after).filter(|offer| offer["held_back"] == true) {
        print::note(format_args!("Held back; look at it: majordomoctl offers review {server}"));
        print::note(print::quote(&label(offer)));
    }
    Ok(())
}

/// The offer that a person means: by its kind and name, or by its name alone where that is enough.
fn find<'a>(review: &'a Value, what: &str) -> Result<&'a Value, HostError> {
    let (kind, name) = match what.split_once(':') {
        Some((kind @ ("tool" | "prompt" | "template"), name)) => (Some(kind), name),
        _ if what == "about" => (Some("about"), ""),
        _ => (None, what),
    };
    let fits = |offer: &&Value| {
        offer.pointer("/key/name").and_then(Value::as_str) == Some(name)
            && kind.is_none_or(|kind| offer.pointer("/key/kind").and_then(Value::as_str) == Some(kind))
    };
    let mut found = offers(review).filter(fits);
    match (found.next(), found.next()) {
        (Some(offer), None) => Ok(offer),
        (Some(_), Some(_)) => {
            let message = format!("there are several of the name {what}");
            Err(link::error(ErrorCode::UnknownTool, message, "Write tool:NAME, prompt:NAME or template:ADDRESS."))
        }
        _ => Err(link::error(ErrorCode::UnknownTool, format!("nothing called {what} is offered"), "See `majordomoctl offers review`.")),
    }
}

fn label(offer: &Value) -> String {
    match print::text(offer, "/key/kind").as_str() {
        "about" => "what it says about itself".to_owned(),
        kind => format!("{kind} {}", print::text(offer, "/key/name")),
    }
}

fn show(review: &Value, all: bool) {
    let mut shown = 0;
    for offer in offers(review).filter(|offer| all || waits(offer)) {
        shown += 1;
        show_one(offer);
    }
    if shown == 0 {
        print::note("Nothing waits for a decision.");
    } else {
        let server = print::text(review, "/server");
        print::note(format_args!("Next: majordomoctl offers approve {server} --all, or keep-off or block with a name."));
    }
}

/// One offer with all that speaks for or against it; words of strangers are quoted with everything in them visible.
fn show_one(offer: &Value) {
    let standing = print::text(offer, "/standing/kind").replace('_', " ");
    let from = offer.pointer("/standing/from").map_or_else(String::new, |from| format!(" (was {})", print::text(from, "")));
    let held = if offer["held_back"] == true { "  HELD BACK" } else { "" };
    print::result(fenced("", "  | ", &format!("{}: {standing}{from}{held}", label(offer))));
    let list = |key: &str| offer[key].as_array().cloned().unwrap_or_default();
    for change in list("changes") {
        let value = |key: &str| if change[key].is_null() { "(nothing)".to_owned() } else { change[key].to_string() };
        print::result(fenced(
            "  ",
            "  | ",
            &format!("{} {}", print::text(&change, "/kind").replace('_', " "), print::text(&change, "/at")),
        ));
        print::result(fenced("    - ", "  | ", &value("before")));
        print::result(fenced("    + ", "  | ", &value("now")));
    }
    if standing == "new" {
        for field in ["description", "instructions"] {
            if let Some(text) = offer.pointer(&format!("/definition/{field}")).and_then(Value::as_str) {
                print::result(print::quote(text));
            }
        }
    }
    for finding in offer.pointer("/inspection/findings").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| print::text(finding, key).replace('_', " ");
        let what = format!("  {} {}: ", print::visible(&text("/severity").to_uppercase()), print::visible(&text("/kind")));
        print::result(fenced(&what, "  | ", &text("/evidence")));
    }
    for other in list("resembles") {
        let how = print::text(&other, "/how/kind");
        print::result(fenced("  like ", "  | ", &format!("{}.{} ({how})", print::text(&other, "/server"), print::text(&other, "/tool"))));
    }
}
