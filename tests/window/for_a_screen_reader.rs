//! Whoever does not see the windows hears what is in them.

use window_driver::{Accessible, Majordomo};

/// What the keyboard can get to and is read by what it holds, by AT-SPI's numbers: a filler, a frame,
/// a pane that scrolls, what says how something went, a row of a table, and a page.
const HOLDERS: [u32; 6] = [20, 23, 49, 54, 90, 95];
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
        let is_named = |one: &Accessible| one.name.starts_with(&format!("{title} · "));
        majordomo
            .accessible(title, |all| all.iter().any(is_named))
            .await;
        all_have_names(&majordomo, place, &["Servers"]).await;
    }
    majordomo.end().await;
}

#[tokio::test]
async fn a_question_is_told_by_who_asks_and_for_what_and_the_safe_answer_is_where_the_keyboard_is()
{
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.asks_the_first_question().await;
    page.takes_an_answer().await;
    let asks = |one: &&Accessible| {
        INTERRUPTS.contains(&one.role)
            && one.name
                == "You asked to run Exchange rate (get_exchange_rate) on currency (from this app)"
    };
    let all = majordomo
        .accessible("who asks for what", |all| all.iter().any(|one| asks(&one)))
        .await;
    let focused: Vec<_> = all.iter().filter(|one| one.is_focused).collect();
    assert!(
        focused.iter().any(|one| one.name == "Don't allow"),
        "{focused:?}"
    );
    page.refuse().await;
    page.after_the_question().await;
    majordomo.end().await;
}

/// What can be used whose names begin like these is there, and nothing that can be used is without a
/// name.
async fn all_have_names(majordomo: &Majordomo, place: &str, some: &[&str]) {
    let is_used = |one: &&Accessible| one.is_focusable && !HOLDERS.contains(&one.role);
    let is_there = |all: &[Accessible], name: &str| {
        let mut used = all.iter().filter(is_used);
        used.any(|one| one.name.starts_with(name))
    };
    let all = majordomo
        .accessible(&format!("{some:?} in {place}"), |all| {
            some.iter().all(|name| is_there(all, name))
        })
        .await;
    // Told with what is read before and after it.
    for (at, one) in all.iter().enumerate() {
        let around = &all[at.saturating_sub(3)..(at + 3).min(all.len())];
        let is_nameless = is_used(&one) && one.name.trim().is_empty();
        assert!(!is_nameless, "{place}: {one:?} in {around:#?}");
    }
}
