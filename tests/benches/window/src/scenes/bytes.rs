//! What the host tells its pages while a reply comes, beside the text of the reply.

use crate::figure::Figure;
use crate::prose::markdown;
use crate::talk::{Talk, paced};

const COUNT: &str = include_str!("bytes.js");
/// Of which reply: how it is called, how many characters it has, and in pieces of how many.
const REPLIES: [(&str, usize, usize); 2] = [
    ("a reply of 100 tokens/s", 10_000, 5),
    ("a reply of 100 k characters in 20 s", 100_000, 50),
];

pub async fn measure() -> Vec<Figure> {
    let steps = REPLIES.map(|(_, characters, piece)| paced(markdown(characters), piece, 10));
    let talk = Talk::begin(steps).await;
    talk.page.evaluate(COUNT, Vec::new()).await;
    let mut figures = Vec::new();
    for (at, (name, characters, _)) in REPLIES.into_iter().enumerate() {
        talk.page.evaluate("window.told = 0", Vec::new()).await;
        talk.say("Tell me a story.").await;
        talk.until_drawn(at + 1).await;
        let told = talk.page.evaluate("return window.told", Vec::new()).await;
        let ratio = told.as_f64().unwrap() / characters as f64;
        figures.push(
            Figure::new(
                format!("{name}: bytes told for each of its text"),
                ratio,
                "×",
            )
            .at_most(1.2),
        );
    }
    talk.end().await;
    figures
}
