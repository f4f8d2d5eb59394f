//! The question's own window answers, and no other.

use serde_json::json;
use window_driver::Majordomo;

#[tokio::test]
async fn the_main_window_cannot_answer_and_the_questions_window_cannot_do_anything_else() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.asks_the_first_question().await;
    let questions = page
        .tries("questions_for_this_window", json!({}))
        .await
        .unwrap();
    let answer = json!({ "question": questions[0]["id"], "answer": { "kind": "allow" } });
    let as_request = json!({ "request": { "method": "answer_question", "params": answer } });

    let refused = page.tries("rpc", as_request.clone()).await.unwrap_err();
    assert!(refused.contains("not allowed on window"), "{refused}");
    page.look_at_main().await;
    let refused = page
        .tries("answer_question", answer.clone())
        .await
        .unwrap_err();
    assert!(refused.contains("not allowed on window"), "{refused}");
    for (command, arguments) in [
        ("answer_questions", json!({ "answers": [answer] })),
        ("preview_answer", answer.clone()),
    ] {
        let refused = page.tries(command, arguments).await.unwrap_err();
        assert!(refused.contains("not allowed on window"), "{refused}");
    }
    let refused = page.tries("rpc", as_request).await.unwrap_err();
    assert!(refused.contains("not_an_approver"), "{refused}");
    let refused = page
        .tries(
            "plugin:event|emit",
            json!({ "event": "host-event", "payload": null }),
        )
        .await
        .unwrap_err();
    assert!(refused.contains("not allowed"), "{refused}");
    assert!(!page.asks_nothing().await, "the question still waits");

    page.question().await;
    let other = json!({ "question": "question-0000000000000000", "answer": { "kind": "allow" } });
    let refused = page.tries("answer_question", other).await.unwrap_err();
    assert!(refused.contains("not_an_approver"), "{refused}");
    page.refuse().await;
    page.after_the_question().await;
    page.sees("You denied it").await;
    majordomo.end().await;
}

#[tokio::test]
async fn a_question_whose_window_is_closed_is_a_no() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.asks_the_first_question().await;
    majordomo.close_newest_window().await;
    page.after_the_question().await;
    page.sees("The question was closed without an answer.")
        .await;
    majordomo.end().await;
}

#[tokio::test]
async fn a_question_that_waited_has_its_window_again_after_the_next_start() {
    let majordomo = Majordomo::new().await;
    let page = majordomo.page().await;
    page.asks_the_first_question().await;
    let majordomo = majordomo.again().await;
    let page = majordomo.page().await;
    page.question().await;
    page.refuse().await;
    page.after_the_question().await;
    majordomo.end().await;
}
