//! A conversation of thousands of turns is opened, of which the program has read nothing yet.

use crate::figure::{Figure, percentile};
use crate::long_conversation::repeated;
use crate::prose::markdown;
use crate::talk::{Talk, place_of};
use load::process::pss_mib;
use serde_json::{Value, json};
use std::time::Duration;
use test_servers::model::Step;
use window_driver::Majordomo;

const OPEN: &str = include_str!("opening.js");
/// How many turns; how many milliseconds it may take.
const LENGTHS: [(usize, f64); 2] = [(2_000, 150.0), (10_000, 200.0)];
/// How many conversations there are of each length: each is opened once.
const OF_EACH: usize = 3;
/// What the last reply of each says.
const LAST: &str = "That was all.";
/// How long the program is left alone before.
const SETTLES: Duration = Duration::from_secs(3);

pub async fn measure() -> Vec<Figure> {
    let talk = Talk::begin([Step::says(&format!("{}\n\n{LAST}", markdown(400)))]).await;
    talk.say_and_wait("And then?", 1).await;
    let mut figures = Vec::new();
    let mut long = Vec::new();
    let talk = talk
        .with_folder(async |folder, one| {
            for (turns, _) in LENGTHS {
                let copies = repeated(folder, one, turns, OF_EACH).await;
                long.push(copies);
            }
        })
        .await;
    talk.page.go("conversations").await;
    for ((turns, most), conversations) in LENGTHS.into_iter().zip(long) {
        tokio::time::sleep(SETTLES).await;
        let before = memory(&talk.majordomo);
        let mut taken = Vec::new();
        let mut more = Vec::new();
        for conversation in conversations {
            taken.push(opened(&talk, &conversation).await);
            tokio::time::sleep(SETTLES).await;
            more.push(memory(&talk.majordomo) - before);
            talk.page.go("conversations").await;
        }
        let name = |what: &str| format!("a conversation of {turns} turns: {what}");
        figures.extend([
            Figure::new(name("first paint"), percentile(&taken, 0.5), "ms").at_most(most),
            Figure::new(name("memory more (PSS)"), more[0], "MiB").at_most(60.0),
        ]);
    }
    talk.end().await;
    figures
}

async fn opened(talk: &Talk, conversation: &Value) -> f64 {
    let arguments = vec![json!(place_of(conversation)), json!(LAST)];
    let taken = talk.page.evaluate_async(OPEN, arguments).await;
    taken.as_f64().unwrap()
}

/// Of the program and the processes that draw its pages.
fn memory(majordomo: &Majordomo) -> f64 {
    let mut all = majordomo.web_processes();
    all.push(majordomo.process());
    all.into_iter().filter_map(pss_mib).sum()
}
