//! A person who looks elsewhere is told that a question waits, and by nothing else than the question's window is it answered.

use crate::driver::Majordomo;
use crate::surroundings::Desktop;

#[tokio::test]
async fn a_question_is_told_of_on_the_desktop_and_answered_only_in_its_window() {
    let desktop = Desktop::new().await;
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    desktop.tray_says("No question waits").await;

    page.click("button", "Review the first server").await;
    page.click("button", "Switch on").await;
    page.sees("get_exchange_rate").await;
    page.click("button", "Run").await;
    page.question().await;
    let shown = desktop.shows(&["1 question waits for you"]).await;
    assert_eq!(shown[0].text, "Majordomo does nothing until you have answered.");
    desktop.tray_says("1 question waits for you").await;

    majordomo.put_main_window_in_front();
    desktop.click(&shown[0]).await;
    majordomo.wait_until_newest_window_is_in_front().await;
    majordomo.put_main_window_in_front();
    desktop.choose("Show the question").await;
    majordomo.wait_until_newest_window_is_in_front().await;
    page.sees("Becomes a no in").await;

    page.refuse().await;
    page.after_the_question().await;
    desktop.shows(&[]).await;
    desktop.tray_says("No question waits").await;
    majordomo.end().await;
}
