//! A server of one's own: added by clicking, given a folder, asked about, and remembered as far as
//! was said.

use crate::servers;
use window_driver::{Majordomo, Page};

#[tokio::test]
async fn a_real_server_is_added_by_clicking_and_asks_until_it_is_always_allowed() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    let folder = majordomo.folder().join("papers");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("harvest-1911.txt"), "wheat").unwrap();
    let folder = folder.canonicalize().unwrap().display().to_string();

    page.click("link", "Servers").await;
    page.click("button", "Add server").await;
    page.fill("Name", "files").await;
    page.fill("Command", "node").await;
    page.click("button", "Add argument").await;
    page.fill("Argument 1", &servers::npm("server-filesystem"))
        .await;
    page.click("button", "Continue to review").await;
    page.sees("This runs a program on your computer, in a sandbox.")
        .await;
    page.picture("review").await;
    page.click("button", "Add and switch on").await;
    page.sees("Nothing that it offers can be used before you approve it")
        .await;
    page.picture("review-of-offers").await;
    page.approve_all().await;

    page.click("tab", "Folders").await;
    page.fill("Or type a full path", &folder).await;
    page.click("button", "Add").await;
    page.sees(&folder).await;
    page.picture("folders").await;
    page.sees("Running").await;

    page.click("link", "Tools").await;
    page.click("link", "List Directory").await;
    list(&page, &folder).await;
    page.question().await;
    page.sees("You have not allowed this tool yet.").await;
    page.sees(&folder).await;
    page.click("button", "Allow once").await;
    page.after_the_question().await;
    page.sees("harvest-1911.txt").await;
    page.picture("result").await;

    page.click("button", "Run").await;
    page.question().await;
    let before = page.clicks();
    page.click("button", "Remember…").await;
    page.sees("Always allow in").await;
    page.picture("question-always").await;
    page.takes_an_answer().await;
    page.click("menuitem", "Always allow in").await;
    page.after_the_question().await;
    let clicks = page.clicks() - before;
    assert!(
        clicks <= 1 + 2,
        "always took {clicks} clicks, and this once one"
    );
    page.sees_choices("Earlier results", 2).await;

    page.click("button", "Run").await;
    page.sees_choices("Earlier results", 3).await;
    assert!(
        page.asks_nothing().await,
        "what is always allowed is not asked again"
    );

    page.click("link", "Activity").await;
    page.click("button", "Verify log").await;
    page.sees("The log is intact").await;
    page.picture("activity-of-a-real-server").await;
    majordomo.end().await;
}

#[tokio::test]
async fn a_folder_that_vanishes_is_shown() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    let folder = majordomo.folder().canonicalize().unwrap().join("papers");
    std::fs::create_dir(&folder).unwrap();

    page.click("link", "Servers").await;
    page.click("row", "currency").await;
    page.click("tab", "Folders").await;
    page.fill("Or type a full path", &folder.display().to_string())
        .await;
    page.click("button", "Add").await;
    page.sees(&folder.display().to_string()).await;
    std::fs::remove_dir(&folder).unwrap();
    page.sees("Not there any more").await;
    page.picture("vanished-folder").await;
    std::fs::create_dir(&folder).unwrap();
    page.sees_no_more("Not there any more").await;
    majordomo.end().await;
}

#[tokio::test]
async fn a_pasted_configuration_is_previewed_and_what_is_kept_stays_off() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    let pasted = r#"{ "mcpServers": { "files": { "command": "node", "args": ["x.js"] }, /* old */ "notes": { "url": "https://example.com/mcp" } } }"#;

    page.click("link", "Servers").await;
    page.click("button", "Add server").await;
    page.click("tab", "Import configuration").await;
    page.fill("Configuration", pasted).await;
    page.click("button", "Preview").await;
    page.sees("2 servers found.").await;
    page.picture("import").await;
    page.click("button", "Import 2 servers").await;
    page.sees("All are off.").await;
    page.click("button", "Done").await;
    page.sees("Needs review").await;
    page.picture("imported").await;
    majordomo.end().await;
}

async fn list(page: &Page, folder: &str) {
    page.fill("path", folder).await;
    page.click("button", "Run").await;
}
