//! `majordomoctl servers sampling …`

use super::or_dash;
use crate::args::Sampling;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{HostError, SamplingSettings, SamplingView, SetSampling, ShowSampling};

/// Chooses whether a server may ask for a model and how much, or shows it.
pub(crate) async fn run(
    link: &Link,
    wanted: Sampling,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let server = wanted.name.clone();
    let mut view = link.ask(ShowSampling { server }).await?;
    let settings = chosen(view.settings, &wanted);
    if settings != view.settings {
        let server = wanted.name;
        view = word.ask(link, SetSampling { server, settings }).await?;
    }
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(())
}

/// The settings with what was written on the command line.
fn chosen(mut settings: SamplingSettings, wanted: &Sampling) -> SamplingSettings {
    if wanted.on || wanted.off {
        settings.on = wanted.on;
    }
    if let Some(review) = wanted.review {
        settings.review_replies = review;
    }
    let limit = &mut settings.limit;
    for (number, chosen) in [
        (&mut limit.requests, wanted.requests),
        (&mut limit.tokens, wanted.tokens),
        (&mut limit.per_reply, wanted.per_reply),
    ] {
        if let Some(chosen) = chosen {
            *number = chosen;
        }
    }
    settings
}

fn show(view: &SamplingView) {
    let SamplingView {
        settings:
            SamplingSettings {
                on,
                review_replies,
                limit,
            },
        left,
        model,
    } = view;
    let yes = |is: &bool| if *is { "yes" } else { "no" }.to_owned();
    let cells = vec![
        yes(on),
        or_dash(model.as_deref()),
        format!("{} of {}", left.requests, limit.requests),
        format!("{} of {}", left.tokens, limit.tokens),
        limit.per_reply.to_string(),
        yes(review_replies),
    ];
    print::table(
        &[
            "MAY ASK",
            "MODEL",
            "REQUESTS LEFT",
            "TOKENS LEFT",
            "TOKENS A REPLY",
            "REPLIES SHOWN FIRST",
        ],
        &[cells],
    );
}
