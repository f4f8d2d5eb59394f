//! The first two minutes: from an empty window to an approved call of a built-in server, and its
//! trace in the log.

use window_driver::Majordomo;

#[tokio::test]
async fn a_newcomer_makes_an_approved_first_call_and_finds_it_in_the_log() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;

    page.sees("Shall we begin?").await;
    page.picture("welcome").await;
    page.click("button", "Review the first server").await;
    page.sees("Nothing has run yet.").await;
    page.picture("review-built-in").await;
    page.click("button", "Switch on").await;

    page.sees("get_exchange_rate").await;
    page.click("button", "Run").await;
    page.question().await;
    page.sees("You have not allowed this tool yet.").await;
    assert_eq!(
        page.focus().await,
        "Don't allow",
        "the safe answer has the focus"
    );
    page.picture("question").await;
    page.click("button", "Allow once").await;
    page.after_the_question().await;
    page.sees("Ran ").await;
    let clicks = page.clicks();
    assert!(clicks <= 4, "a first result took {clicks} clicks");
    page.picture("first-result").await;

    page.click("link", "Activity").await;
    page.sees("get_exchange_rate").await;
    page.click("button", "Verify log").await;
    page.sees("The log is intact").await;
    page.picture("activity").await;
    majordomo.end().await;
}

#[tokio::test]
async fn a_call_that_is_not_allowed_does_not_run_and_says_so() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;

    page.asks_the_first_question().await;
    page.fill("Reason", "not today").await;
    page.refuse().await;
    page.after_the_question().await;
    page.sees("You denied it: not today").await;
    page.picture("not-allowed").await;
    majordomo.end().await;
}
