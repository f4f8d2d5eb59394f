//! How it looks: light and dark, English and Chinese, kept as pictures for people to judge; and
//! what its pages may load.

use serde_json::json;
use window_driver::Majordomo;

#[tokio::test]
async fn the_window_is_shown_light_and_dark_and_in_chinese() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.sees("Shall we begin?").await;
    page.click("link", "Settings").await;
    for theme in ["Light", "Dark"] {
        page.choose("Theme", theme).await;
        for room in ["Servers", "Tools", "Activity", "Approvals", "Settings"] {
            page.click("link", room).await;
            page.picture(&format!("{}-{}", theme.to_lowercase(), room.to_lowercase()))
                .await;
        }
    }
    page.choose("Language", "简体中文").await;
    page.sees("设置").await;
    page.picture("dark-settings-zh").await;
    majordomo.end().await;
}

#[tokio::test]
async fn nothing_on_the_pages_needs_more_than_their_content_security_policy_grants() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.sees("Shall we begin?").await;
    page.watch_policy().await;

    page.click("link", "Servers").await;
    page.click("button", "Add server").await;
    page.click("tab", "Import configuration").await;
    page.click("tab", "Address (URL)").await;
    page.click("button", "Cancel").await;
    page.click("row", "currency").await;
    page.click("switch", "Off").await;
    page.sees("Running").await;
    page.click("button", "More actions").await;
    page.picture("menu").await;
    page.click("menuitem", "Restart").await;
    for tab in ["Folders", "Output", "Details", "Tools"] {
        page.click("tab", tab).await;
    }
    page.click("link", "Exchange rate").await;
    page.click("tab", "Definition").await;
    for room in ["Activity", "Approvals", "Settings"] {
        page.click("link", room).await;
        page.picture(&format!("policy-{}", room.to_lowercase()))
            .await;
    }
    assert_eq!(page.forbidden().await, json!([]));
    majordomo.end().await;
}
