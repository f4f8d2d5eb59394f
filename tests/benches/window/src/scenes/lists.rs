//! Long lists are opened and scrolled through: what a server with a thousand tools offers, its tools,
//! and the activity behind a hundred thousand records.

use crate::figure::Figure;
use crate::{folder, server};
use protocol::ServerId;
use serde::Deserialize;
use serde_json::json;
use window_driver::{Majordomo, Page};

const LOOK: &str = include_str!("lists.js");
const TOOLS: &str = "1000";
const FEW_TOOLS: &str = "30";
const RECORDS: i64 = 100_000;
const SERVER: &str = "many";
const SMALL_SERVER: &str = "few";

/// What came of one.
#[derive(Debug, Deserialize)]
struct Look {
    /// Until the words were drawn, in milliseconds.
    taken: f64,
    /// Elements of the page.
    nodes: f64,
    /// How far it was scrolled.
    scrolled: f64,
    /// The longest time between two frames, in milliseconds.
    longest: f64,
    per_second: f64,
}

pub async fn measure() -> Vec<Figure> {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    // Whatever is opened first in a window pays for the start of its pages, too.
    server::add(&page, SMALL_SERVER, &["many", FEW_TOOLS]).await;
    let mut figures = Vec::new();
    let review = format!("servers/{SMALL_SERVER}/review");
    figures.extend(look(&page, "30 offers, opened first", &review, "tool-0").await);
    page.go("servers").await;

    server::add(&page, SERVER, &["many", TOOLS]).await;
    let review = format!("servers/{SERVER}/review");
    figures.extend(look(&page, "1,000 offers", &review, "tool-0").await);
    server::approve(&page, SERVER).await;
    page.go("servers").await;
    let tools = format!("servers/{SERVER}/tools");
    figures.extend(look(&page, "1,000 tools", &tools, "tool-0").await);

    let now = page.evaluate("return Date.now()", Vec::new()).await;
    let now = now.as_f64().unwrap() as i64;
    let folder = majordomo.end().await;
    let server = ServerId::parse(SERVER).unwrap();
    folder::fill_log(&folder, &server, RECORDS, now).await;
    let majordomo = Majordomo::on(folder).await;
    let page = majordomo.page().await;
    page.go("servers").await;
    let newest = format!("note://{}", RECORDS - 1);
    figures.extend(look(&page, "100,000 records", "activity", &newest).await);
    majordomo.end().await;
    figures
}

/// Opens a place and scrolls through its list.
async fn look(page: &Page, of: &str, place: &str, words: &str) -> Vec<Figure> {
    let arguments = vec![json!(place), json!(words)];
    let seen = page.evaluate_async(LOOK, arguments).await;
    let seen: Look = serde_json::from_value(seen).unwrap();
    assert!(seen.scrolled > 0.0, "{of}: there is nothing to scroll");
    let name = |what: &str| format!("{of}: {what}");
    vec![
        Figure::new(name("first paint"), seen.taken, "ms").at_most(300.0),
        Figure::new(name("elements of the page"), seen.nodes, ""),
        Figure::new(name("frames while scrolling"), seen.per_second, "/s").at_least(50.0),
        Figure::new(name("longest frame"), seen.longest, "ms").at_most(100.0),
    ]
}
