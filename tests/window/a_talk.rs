//! A person sets a model up and talks to it, all in the window; its tool is called after a yes.

use serde_json::json;
use test_servers::model::{Model, Step};
use window_driver::Majordomo;

#[tokio::test]
async fn a_person_sets_a_model_up_and_talks_to_it_until_a_call_was_allowed() {
    let model = Model::start([
        Step::wants([(
            "currency__get_exchange_rate",
            json!({"base": "EUR", "target": "USD"}),
        )]),
        Step::says("One euro **buys** more than a dollar."),
    ])
    .await
    .unwrap();
    model.ask_for("sk-window-0123456789");
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.takes_the_first_server().await;

    page.click("link", "Chat").await;
    page.sees("No model yet").await;
    page.picture("chat-without-a-model").await;
    page.click("button", "Set up a model").await;
    page.click("button", "Add a model").await;
    page.fill("Address of the service", &model.address()).await;
    page.fill("Key", "sk-window-0123456789").await;
    page.fill("Model", "wise-1").await;
    page.click("button", "Save and test").await;
    page.sees("wise-1").await;
    page.picture("model-set-up").await;

    page.click("link", "Chat").await;
    page.click("button", "New conversation").await;
    page.fill("Say something", "What is a euro in dollars?")
        .await;
    page.click("button", "Send").await;
    page.question().await;
    page.sees("You have not allowed this tool yet.").await;
    page.picture("chat-question").await;
    page.click("button", "Allow once").await;
    page.after_the_question().await;
    page.sees("One euro buys more than a dollar.").await;
    page.sees("Done").await;
    page.picture("chat").await;
    assert!(
        !page.words().await.contains("sk-window-0123456789"),
        "a key came back"
    );
    // The script has no list of models, for which it is asked once.
    let seen = model.seen();
    let messages = seen.iter().filter(|one| one.path.ends_with("/messages"));
    let refused: Vec<_> = messages.filter_map(|one| one.refused.as_ref()).collect();
    assert!(refused.is_empty() && seen.len() == 3, "{refused:?}");
    majordomo.end().await;
}
