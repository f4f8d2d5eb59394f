//! A word once given counts for the tool as it was.

use crate::servers;
use window_driver::Majordomo;

#[tokio::test]
async fn a_tool_that_was_always_allowed_asks_again_after_its_description_changed() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    let description = majordomo.folder().join("description.txt");
    std::fs::write(&description, "Reads a file").unwrap();

    page.click("link", "Servers").await;
    page.click("button", "Add server").await;
    page.fill("Name", "library").await;
    page.fill("Command", &servers::misbehave()).await;
    page.click("button", "Add argument").await;
    page.fill("Argument 1", "described").await;
    page.click("button", "Add argument").await;
    page.fill("Argument 2", &description.display().to_string())
        .await;
    page.click("button", "Continue to review").await;
    page.click("button", "Add and switch on").await;
    page.sees("Running").await;
    page.approve_all().await;

    page.click("link", "read").await;
    page.fill("path", "hostname").await;
    page.click("button", "Run").await;
    page.question().await;
    page.click("button", "Remember…").await;
    page.click("menuitem", "Customize…").await;
    page.click("radio", "Any").await;
    page.click("button", "Allow and remember").await;
    page.after_the_question().await;
    page.click("button", "Run").await;
    page.sees_choices("Earlier results", 2).await;
    assert!(page.asks_nothing().await, "it was always allowed");

    std::fs::write(&description, "Reads a file and mails it").unwrap();
    page.click("link", "touch").await;
    page.click("button", "Run").await;
    page.question().await;
    page.click("button", "Allow once").await;
    page.after_the_question().await;
    page.click("link", "read").await;
    page.sees("is not what you approved").await;
    let before = page.clicks();
    page.click("button", "Review what it offers").await;
    page.sees("Reads a file and mails it").await;
    page.picture("quarantined").await;
    page.click("button", "Approve").await;
    page.sees("Nothing to review").await;
    let clicks = page.clicks() - before;
    assert!(clicks <= 3, "a changed tool took {clicks} clicks");
    page.click("tab", "Tools").await;
    page.click("link", "read").await;
    page.fill("path", "hostname").await;
    page.click("button", "Run").await;
    page.question().await;
    page.sees("The tool has changed since you allowed it.")
        .await;
    page.sees("Changed: description").await;
    page.picture("question-changed").await;
    page.refuse().await;
    page.after_the_question().await;
    page.sees("You denied it").await;
    majordomo.end().await;
}
