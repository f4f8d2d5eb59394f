//! Somebody who has used servers in other applications brings them along.

use crate::servers;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use window_driver::Majordomo;

const NAMES: [&str; 9] = [
    "calendar", "files", "git", "mail", "maps", "memory", "notes", "time", "weather",
];

#[tokio::test]
async fn nine_servers_of_two_applications_are_reviewed_and_on_in_a_few_clicks() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let (some, others) = NAMES.split_at(5);
    keep(&home.join(".cursor/mcp.json"), some);
    keep(&home.join(".claude.json"), others);
    let majordomo = Majordomo::at_home_in(folder).await;
    let page = majordomo.page().await;

    page.sees("9 servers in").await;
    page.picture("found-servers").await;
    page.click("button", "Import…").await;
    page.click("button", "Import 9 servers").await;
    page.sees("Open each one to read all that it runs.").await;
    page.picture("nine-reviews").await;
    page.click("button", "Switch on 9 servers").await;
    for name in NAMES {
        page.sees(name).await;
    }
    page.sees_no_more("Starting").await;
    page.sees("Running").await;
    let clicks = page.clicks();
    assert!(clicks <= 12, "nine servers took {clicks} clicks");
    page.picture("nine-servers").await;
    majordomo.end().await;
}

/// What another application has written: servers of these names.
fn keep(file: &Path, names: &[&str]) {
    let server = |name: &&str| {
        let server = json!({"command": servers::misbehave(), "args": ["ok", name]});
        ((*name).to_owned(), server)
    };
    let servers: Map<String, Value> = names.iter().map(server).collect();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, json!({"mcpServers": servers}).to_string()).unwrap();
}
