//! A reply of a hundred tokens a second, for a minute.

use crate::figure::Figure;
use crate::meter::{self, WebCpu};
use crate::prose::markdown;
use crate::talk::{Talk, paced};
use std::time::Duration;

/// How many tokens there are, and how many characters one has.
const TOKENS: usize = 6_000;
const TOKEN: usize = 5;
/// Most of that, in seconds: of so much the processor time is told.
const MOST: u64 = 55;

pub async fn measure() -> Vec<Figure> {
    let talk = Talk::begin([paced(markdown(TOKENS * TOKEN), TOKEN, 10)]).await;
    meter::start(&talk.page).await;
    let cpu = WebCpu::of(&talk.majordomo);
    let host = WebCpu::of_processes(vec![talk.majordomo.process()]);
    talk.say("Tell me a story.").await;
    tokio::time::sleep(Duration::from_secs(MOST)).await;
    let (cpu, host) = (cpu.percent(), host.percent());
    let sent = talk.until_drawn(1).await;
    let reading = meter::stop(&talk.page).await;
    let frames = reading.frames(0.0, sent);
    talk.end().await;
    let name = |what: &str| format!("100 tokens/s for 60 s: {what}");
    vec![
        Figure::new(name("frames"), frames.per_second, "per second").at_least(55.0),
        Figure::new(name("longest gap"), frames.longest_gap, "ms").at_most(50.0),
        Figure::new(
            name("longest gap at its end"),
            reading.longest_gap_behind(sent),
            "ms",
        ),
        Figure::new(name("the page's process"), cpu, "% of a core").at_most(35.0),
        Figure::new(name("the host's process"), host, "% of a core"),
    ]
}
