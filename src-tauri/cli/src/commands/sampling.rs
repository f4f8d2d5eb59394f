//! `majordomoctl servers sampling …`

use crate::args::Sampling;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::{Value, json};

/// Chooses whether a server may ask for a model and how much, or shows it.
pub(crate) async fn run(link: &Link, wanted: Sampling, json: bool) -> Result<(), HostError> {
    let name = &wanted.name;
    let mut view = link.ask(&json!({"method": "show_sampling", "params": {"server": name}})).await?;
    let mut settings = view["settings"].clone();
    if wanted.on || wanted.off {
        settings["on"] = wanted.on.into();
    }
    if let Some(review) = wanted.review {
        settings["review_replies"] = review.into();
    }
    for (key, number) in [("requests", wanted.requests), ("tokens", wanted.tokens), ("per_reply", wanted.per_reply)] {
        if let Some(number) = number {
            settings["limit"][key] = number.into();
        }
    }
    if settings != view["settings"] {
        view = link.ask(&json!({"method": "set_sampling", "params": {"server": name, "settings": settings}})).await?;
    }
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(())
}

fn show(view: &Value) {
    let word = |pointer: &str| if view.pointer(pointer) == Some(&json!(true)) { "yes" } else { "no" }.to_owned();
    let of =
        |key: &str| format!("{} of {}", print::text(view, &format!("/left/{key}")), print::text(view, &format!("/settings/limit/{key}")));
    let model = print::text(view, "/model");
    let cells = vec![
        word("/settings/on"),
        model,
        of("requests"),
        of("tokens"),
        print::text(view, "/settings/limit/per_reply"),
        word("/settings/review_replies"),
    ];
    print::table(&["MAY ASK", "MODEL", "REQUESTS LEFT", "TOKENS LEFT", "TOKENS A REPLY", "REPLIES SHOWN FIRST"], &[cells]);
}
