//! A model calls a tool that is always allowed: from the last byte of its reply to the call at the
//! server.

use crate::figure::{Figure, percentile};
use crate::talk::Talk;
use serde_json::{Value, json};
use test_servers::model::{Seen, Step};

/// How many turns are measured, behind the one in which the tool is allowed.
const TURNS: usize = 20;

pub async fn measure() -> Vec<Figure> {
    let steps = (0..=TURNS).flat_map(|number| {
        let call = Step::wants([("clock__time", json!({"number": number}))]);
        [call, Step::says("Noted.")]
    });
    let talk = Talk::begin(steps).await;
    talk.add_clock().await;
    talk.say("What time is it?").await;
    let page = &talk.page;
    page.question().await;
    page.click("button", "Remember…").await;
    page.click("menuitem", "Customize…").await;
    page.click("radio", "Any").await;
    page.click("button", "Allow and remember").await;
    page.after_the_question().await;
    talk.until_idle().await;
    for turn in 1..=TURNS {
        talk.say_and_wait("And now?", 2 * turn + 2).await;
    }
    let seen = talk.model.seen();
    let taken: Vec<f64> = seen[2..].chunks(2).map(taken).collect();
    talk.end().await;
    let name = |what: &str| format!("the end of a reply to its call at the server, {what}");
    vec![
        Figure::new(name("p50"), percentile(&taken, 0.5), "ms").at_most(8.0),
        Figure::new(name("p95"), percentile(&taken, 0.95), "ms"),
    ]
}

/// In milliseconds, of a request whose answer wants the call, and of the one that holds its result.
fn taken(requests: &[Seen]) -> f64 {
    let [asked, told] = requests else {
        unreachable!("two requests make a turn")
    };
    let mut messages = told.body["messages"].as_array().into_iter().flatten();
    let result = messages.rfind(|message| message["role"] == "tool");
    let text = result.map(|result| text_of(&result["content"])).unwrap();
    let called = text
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| digits.len() == 16)
        .and_then(|micros| micros.parse::<f64>().ok())
        .expect("the server says when it was called");
    called / 1e3 - asked.answered_at.unwrap().as_secs_f64() * 1e3
}

fn text_of(content: &Value) -> String {
    content
        .as_str()
        .map_or_else(|| content.to_string(), str::to_owned)
}
