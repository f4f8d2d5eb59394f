//! From the bytes at our socket to the words on the screen: each word is the time at which it was
//! sent.

use crate::figure::{Figure, percentile};
use crate::meter;
use crate::talk::{Talk, paced};
use test_servers::model::SENT_AT;

/// How many words there are, and after how many a paragraph ends.
const WORDS: usize = 1_500;
const PARAGRAPH: usize = 50;

pub async fn measure() -> Vec<Figure> {
    // All words are of one length, so that each is one piece.
    let (word, last) = (format!("{SENT_AT}  "), format!("{SENT_AT}\n\n"));
    let paragraph = word.repeat(PARAGRAPH - 1) + &last;
    let text = paragraph.repeat(WORDS / PARAGRAPH);
    let talk = Talk::begin([paced(text, word.len(), 10)]).await;
    meter::start(&talk.page).await;
    talk.say_and_wait("Count.", 1).await;
    let ages = meter::stop(&talk.page).await.ages;
    talk.end().await;
    let of = |share| percentile(&ages, share);
    vec![
        Figure::new(
            "bytes at our socket to words on the screen, p50",
            of(0.5),
            "ms",
        ),
        Figure::new(
            "bytes at our socket to words on the screen, p95",
            of(0.95),
            "ms",
        )
        .at_most(80.0),
    ]
}
