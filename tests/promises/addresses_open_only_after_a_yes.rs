//! An address that a server wants opened, and a model that it wants used: a person is asked, and
//! nothing happens without a yes.

use crate::support::{Choices, TestHost, misbehave, text};
use host::Browser;
use policy::{Decision, Subject};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// A host whose browser only notes what it is sent to.
async fn watched() -> (TestHost, Arc<Mutex<Vec<String>>>) {
    let opened = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&opened);
    let browser = Browser::new(move |url| {
        noted.lock().unwrap().push(url.to_string());
        Ok(())
    });
    let test = TestHost::with(Choices {
        browser,
        ..Choices::default()
    })
    .await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    (test, opened)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_shown_whole_and_opened_after_a_yes() {
    let (test, opened) = watched().await;
    let person = test.person([Decision::once(), Decision::OpenUrl]);
    let answer = test.call("elicits", "url", json!({})).await.unwrap();
    assert_eq!(text(&answer), r#"{"action":"accept"}"#);
    let Subject::Url {
        ask,
        host,
        look_alike,
        during,
    } = person.asked()[1].subject.clone()
    else {
        panic!("it is not asked")
    };
    assert_eq!(
        (ask.url.as_str(), host.as_str(), look_alike, during.len()),
        (
            "https://example.com/connect?state=1",
            "example.com",
            false,
            1
        )
    );
    assert_eq!(
        *opened.lock().unwrap(),
        ["https://example.com/connect?state=1"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_not_opened_after_a_no_nor_when_nobody_says_anything() {
    let (test, opened) = watched().await;
    let _person = test.person([Decision::for_conversation(), Decision::Decline]);
    assert_eq!(
        text(&test.call("elicits", "url", json!({})).await.unwrap()),
        r#"{"action":"decline"}"#
    );
    let (call, waiting) = test.call_later("elicits", "url", json!({}));
    while test.host.waiting().is_empty() {
        tokio::task::yield_now().await;
    }
    test.host.close_question(&test.host.waiting()[0].id);
    let answer = waiting.await.unwrap().unwrap();
    assert!(answer.to_string().contains("cancel"), "{call}: {answer}");
    assert!(opened.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_use_of_a_model_is_shown_and_declined_whatever_is_answered() {
    let (test, _opened) = watched().await;
    let person = test.person([Decision::once()]);
    let answer = test.call("elicits", "sample", json!({})).await.unwrap();
    assert!(text(&answer).contains("declined"), "{answer:?}");
    assert_eq!(
        person.asked().len(),
        1,
        "nobody is asked about what is switched off"
    );
    drop(person);
    let limit = json!({"requests": 9, "tokens": 1_000, "per_reply": 100});
    let settings = json!({"on": true, "review_replies": false, "limit": limit});
    test.ask(
        "set_sampling",
        json!({"server": "elicits", "settings": settings}),
    )
    .await
    .unwrap();
    let person = test.person([Decision::once(), Decision::always()]);
    let answer = test.call("elicits", "sample", json!({})).await.unwrap();
    assert!(text(&answer).contains("declined"), "{answer:?}");
    assert!(matches!(person.asked()[1].subject, Subject::Sample { .. }));
    assert!(
        test.ask("list_grants", json!(null))
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .is_empty(),
        "nothing is remembered of it"
    );
}
