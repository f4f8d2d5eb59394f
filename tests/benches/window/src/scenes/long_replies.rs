//! One reply that grows and grows. What counts is the last quarter of it, when most is there.

use crate::figure::Figure;
use crate::meter;
use crate::prose::markdown;
use crate::talk::{Talk, paced};
use load::process::pss_mib;

/// How many characters, in pieces of how many; frames a second while it grows.
const REPLIES: [(usize, usize, f64); 2] = [(100_000, 50, 50.0), (500_000, 100, 30.0)];

pub async fn measure() -> Vec<Figure> {
    let mut figures = Vec::new();
    for (characters, piece, least) in REPLIES {
        let talk = Talk::begin([paced(markdown(characters), piece, 10)]).await;
        meter::start(&talk.page).await;
        let sent = talk.say_and_wait("Tell me everything.", 1).await;
        let reading = meter::stop(&talk.page).await;
        let frames = reading.frames(0.75, sent);
        let web = talk.majordomo.web_processes();
        let memory: f64 = web.into_iter().filter_map(pss_mib).sum();
        talk.end().await;
        let name = |what: &str| format!("a reply of {} k characters: {what}", characters / 1_000);
        figures.extend([
            Figure::new(name("frames"), frames.per_second, "per second").at_least(least),
            Figure::new(name("longest gap"), frames.longest_gap, "ms"),
            Figure::new(
                name("longest gap at its end"),
                reading.longest_gap_behind(sent),
                "ms",
            ),
            Figure::new(name("memory of the page's process (PSS)"), memory, "MiB"),
        ]);
    }
    figures
}
