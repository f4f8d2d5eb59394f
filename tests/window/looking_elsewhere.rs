//! A person who looks elsewhere is told that a question waits, and by nothing else than the
//! question's window is it answered.

use crate::surroundings::{Desktop, Notification};
use window_driver::{Majordomo, Page, native};

// One test: a session has one desktop.
#[tokio::test]
async fn a_question_is_told_of_on_the_desktop_and_answered_only_in_its_window() {
    let desktop = Desktop::new().await;

    let (majordomo, page, shown) = asked(&desktop).await;
    assert_eq!(shown.text, "Nothing runs until you answer.");
    majordomo.put_main_window_in_front().await;
    desktop.click(&shown).await;
    majordomo.wait_until_newest_window_is_in_front().await;
    page.sees("Denied automatically in").await;
    page.refuse().await;
    page.after_the_question().await;
    majordomo.end().await;

    let (majordomo, page, _) = asked(&desktop).await;
    desktop
        .tray_says(majordomo.process(), "1 question waits for you")
        .await;
    majordomo.put_main_window_in_front().await;
    desktop
        .choose(majordomo.process(), "Show the question")
        .await;
    majordomo.wait_until_newest_window_is_in_front().await;
    page.refuse().await;
    page.after_the_question().await;
    desktop
        .tray_says(majordomo.process(), "No question waits")
        .await;
    // What is over is taken back.
    desktop.shows(majordomo.process(), &[]).await;
    majordomo.end().await;
}

/// A newcomer's question that waits while they look elsewhere, and how they are told of it.
async fn asked(desktop: &Desktop) -> (Majordomo, Page, Notification) {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    desktop
        .tray_says(majordomo.process(), "No question waits")
        .await;
    page.takes_the_first_server().await;
    native::look_elsewhere();
    page.click("button", "Run").await;
    page.question().await;
    let shown = desktop
        .shows(majordomo.process(), &["1 question waits for you"])
        .await
        .remove(0);
    (majordomo, page, shown)
}
