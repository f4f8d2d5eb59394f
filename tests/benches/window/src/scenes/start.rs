//! The program is started while a question waits: one about a call of a person, and one in the middle
//! of a long conversation.

use crate::figure::{Figure, percentile};
use crate::long_conversation::repeated;
use crate::prose::markdown;
use crate::talk::Talk;
use serde_json::{Value, json};
use test_servers::model::Step;

const TURNS: usize = 2_000;
/// How often each is started.
const TIMES: usize = 5;

pub async fn measure() -> Vec<Figure> {
    let plain = plain().await;
    let turn = turn().await;
    vec![
        Figure::new("start to a question about a person's call", plain, "ms"),
        Figure::new(
            format!("start to a question of a turn, behind {TURNS} turns"),
            turn,
            "ms",
        ),
        Figure::new("what the turn adds to that", turn - plain, "ms").at_most(100.0),
    ]
}

async fn plain() -> f64 {
    let talk = Talk::begin([]).await;
    talk.add_clock().await;
    let call = json!({"request": {"method": "call_tool", "params": {"call": null, "server": "clock", "tool": "time", "arguments": {"number": 1}}}});
    // Its reply comes after the answer, and nobody answers.
    let ask = "void window.__TAURI_INTERNALS__.invoke('rpc', arguments[0]).catch(() => {})";
    talk.page.evaluate(ask, vec![call]).await;
    started(talk).await
}

async fn turn() -> f64 {
    let call = Step::wants([("clock__time", json!({"number": 1}))]);
    let talk = Talk::begin([Step::says(&markdown(400)), call]).await;
    talk.add_clock().await;
    talk.say_and_wait("And then?", 1).await;
    let mut long = Value::Null;
    let talk = talk
        .with_folder(async |folder, one| {
            long = repeated(folder, one, TURNS, 1).await.remove(0);
        })
        .await;
    let talk = Talk {
        conversation: long,
        ..talk
    };
    talk.say("What time is it?").await;
    started(talk).await
}

/// How long it takes until the question is shown that waits, in milliseconds.
async fn started(mut talk: Talk) -> f64 {
    talk.page.question().await;
    let mut taken = Vec::new();
    for _ in 0..TIMES {
        talk = talk.again().await;
        talk.page.question().await;
        taken.push(talk.majordomo.age().as_secs_f64() * 1e3);
    }
    talk.end().await;
    percentile(&taken, 0.5)
}
