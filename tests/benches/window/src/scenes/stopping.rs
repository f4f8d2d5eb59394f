//! A reply is stopped while it comes. The worst of a few times counts.

use crate::figure::Figure;
use crate::prose::markdown;
use crate::talk::{Talk, paced};
use std::time::{Duration, UNIX_EPOCH};

const STOP: &str = include_str!("stopping.js");
const TIMES: usize = 5;
/// How long it comes before.
const COMES: Duration = Duration::from_secs(3);

pub async fn measure() -> Vec<Figure> {
    let steps = (0..TIMES).map(|_| paced(markdown(20_000), 5, 10));
    let talk = Talk::begin(steps).await;
    let (mut words, mut closed) = (0.0_f64, 0.0_f64);
    for request in 0..TIMES {
        talk.say("Tell me a story.").await;
        tokio::time::sleep(COMES).await;
        let left = async {
            talk.model.left(request).await;
            UNIX_EPOCH.elapsed().unwrap().as_secs_f64() * 1e3
        };
        let (told, left) = tokio::join!(talk.page.evaluate_async(STOP, Vec::new()), left);
        words = words.max(told["last"].as_f64().unwrap());
        closed = closed.max(left - told["clicked"].as_f64().unwrap());
        talk.until_idle().await;
    }
    talk.end().await;
    vec![
        Figure::new("a click on Stop to the last words", words, "ms").at_most(100.0),
        // The service learns of it with the second piece that it sends afterwards.
        Figure::new("a click on Stop to the closed connection", closed, "ms").at_most(250.0),
    ]
}
