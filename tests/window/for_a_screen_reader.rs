//! Whoever does not see the windows hears what is in them.

use window_driver::{Accessible, Majordomo};

/// What the keyboard can get to without being something to use, by AT-SPI's numbers: a filler, a
/// frame, a pane that scrolls, and a page, which hold others.
const HOLDERS: [u32; 4] = [20, 23, 49, 95];
/// What interrupts, by the same numbers: an alert, and a dialog.
const INTERRUPTS: [u32; 2] = [2, 16];

#[tokio::test]
async fn everything_that_can_be_used_has_a_name() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;

    page.sees("Shall we begin?").await;
    all_have_names(&majordomo, "welcome", &["Review the first server"]).await;
    page.click("button", "Review the first server").await;
    page.sees("Nothing has run yet.").await;
    all_have_names(&majordomo, "a review", &["Switch on"]).await;
    page.click("button", "Switch on").await;
    page.sees("get_exchange_rate").await;
    all_have_names(&majordomo, "a tool", &["Run"]).await;
    page.click("button", "Run").await;
    page.question().await;
    page.takes_an_answer().await;
    all_have_names(&majordomo, "a question", &["Don't allow", "Allow once"]).await;
    page.click("button", "Allow once").await;
    page.after_the_question().await;
    page.sees("Ran ").await;
    for (place, title) in [
        ("servers", "Servers"),
        ("servers/currency/details", "currency"),
        ("activity", "Activity"),
        ("approvals", "Approvals"),
        ("policy", "Policy"),
        ("clients", "Applications"),
        ("conversations", "Chat"),
        ("settings", "Settings"),
    ] {
        page.go(place).await;
        page.settles().await;
        let document = format!("{title} · ");
        majordomo.accessible(&document).await;
        all_have_names(&majordomo, place, &["Servers"]).await;
    }
    majordomo.end().await;
}

#[tokio::test]
async fn a_question_is_told_by_who_asks_and_for_what_and_the_safe_answer_is_where_the_keyboard_is()
{
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.click("button", "Review the first server").await;
    page.click("button", "Switch on").await;
    page.click("button", "Run").await;
    page.question().await;
    page.takes_an_answer().await;
    let asks = "You asked to run";
    let all = majordomo.accessible(asks).await;
    let asked = all.iter().find(|one| one.name.starts_with(asks)).unwrap();
    assert!(INTERRUPTS.contains(&asked.role), "{asked:?}");
    let focused: Vec<_> = all.iter().filter(|one| one.is_focused).collect();
    assert!(
        focused.iter().any(|one| one.name == "Don't allow"),
        "{focused:?}"
    );
    page.refuse().await;
    page.after_the_question().await;
    majordomo.end().await;
}

/// Some of what can be used is there, and nothing of that is without a name.
async fn all_have_names(majordomo: &Majordomo, place: &str, some: &[&str]) {
    let all = majordomo.accessible(some[0]).await;
    let used: Vec<&Accessible> = all
        .iter()
        .filter(|one| one.is_focusable && !HOLDERS.contains(&one.role))
        .collect();
    for name in some {
        assert!(
            used.iter().any(|one| one.name == *name),
            "{place}: {name:?} is not told of: {used:#?}"
        );
    }
    let nameless: Vec<_> = used
        .iter()
        .filter(|one| one.name.trim().is_empty())
        .collect();
    assert!(nameless.is_empty(), "{place}: {nameless:?}");
}
