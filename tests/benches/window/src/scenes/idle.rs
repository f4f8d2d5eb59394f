//! A conversation is open, and nobody does anything.

use crate::figure::Figure;
use crate::meter::WebCpu;
use crate::prose::markdown;
use crate::talk::Talk;
use std::time::Duration;
use test_servers::model::Step;

const COUNT: &str = include_str!("idle.js");
/// How long it is left alone first.
const SETTLES: Duration = Duration::from_secs(5);
/// How long is counted.
const COUNTED: Duration = Duration::from_secs(30);

pub async fn measure() -> Vec<Figure> {
    let talk = Talk::begin([Step::says(&markdown(4_000))]).await;
    talk.say_and_wait("Hello!", 1).await;
    let page = &talk.page;
    page.evaluate(COUNT, Vec::new()).await;
    // Shown anew, its timers are begun where they are counted.
    page.go("settings").await;
    page.sees("Theme").await;
    talk.show().await;
    tokio::time::sleep(SETTLES).await;
    page.evaluate("window.fired = 0", Vec::new()).await;
    let web = WebCpu::of(&talk.majordomo);
    let host = WebCpu::of_processes(vec![talk.majordomo.process()]);
    tokio::time::sleep(COUNTED).await;
    let (web, host) = (web.percent(), host.percent());
    let fired = page.evaluate("return window.fired", Vec::new()).await;
    let fired = fired.as_f64().unwrap();
    talk.end().await;
    let name = |what: &str| format!("an open conversation, left alone for 30 s: {what}");
    vec![
        Figure::new(name("timers"), fired, "times").at_most(0.0),
        Figure::new(name("the page's process"), web, "% of a core").at_most(0.5),
        Figure::new(name("the host's process"), host, "% of a core").at_most(0.5),
    ]
}
