//! A server asks the person back, in the middle of a call.

use window_driver::Majordomo;

#[tokio::test]
async fn a_large_order_is_placed_only_after_its_form_was_sent() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;

    page.click("link", "Servers").await;
    page.click("row", "shipping").await;
    page.click("switch", "Off").await;
    page.sees("Running").await;
    page.click("link", "Place a shipping order").await;
    page.fill("Containers", "12").await;
    page.fill("Destination", "Rotterdam").await;
    page.click("button", "Run").await;
    page.question().await;
    page.click("button", "Allow once").await;

    page.next_question().await;
    page.sees("shipping wants you to fill in a form").await;
    assert_eq!(
        page.focus().await,
        "Decline",
        "the safe answer has the focus"
    );
    page.picture("question-form").await;
    page.click("button", "Send").await;
    page.after_the_question().await;
    page.sees("Order ORD-0001 is placed").await;
    page.picture("order-placed").await;
    majordomo.end().await;
}
