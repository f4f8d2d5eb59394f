//! A server cannot have a person asked for a password, a card, a token, a one-time code or a key;
//! the person learns that it tried.

use crate::support::{TestHost, misbehave, text};
use host::api::{AskRefusal, HostEvent};
use policy::{Decision, Subject};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn case_44_a_form_for_a_secret_is_refused_with_a_notice_and_a_record() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let person = test.person([Decision::always()]);
    let cases = [
        ("Your password", AskRefusal::Password),
        ("信用卡号", AskRefusal::Card),
        ("Access token", AskRefusal::Token),
        ("The code we sent to your phone", AskRefusal::OneTimeCode),
        ("Private key", AskRefusal::Key),
    ];
    for (title, wanted) in cases {
        let mut recorder = test.listen();
        let params = json!({"call": null, "server": "elicits", "tool": "asks", "arguments": {"title": title}});
        let answer = test.ask("call_tool", params).await.unwrap();
        assert_eq!(
            answer["content"][0]["text"], r#"{"action":"decline"}"#,
            "{title}"
        );
        assert_eq!(
            answer["refused_asks"],
            json!([wanted]),
            "whoever called learns of it"
        );
        recorder.until(
            |event| matches!(event, HostEvent::AskRefused { server, why, during, .. } if server.as_str() == "elicits" && *why == wanted && during.len() == 1),
        )
        .await;
    }
    assert_eq!(person.asked().len(), 1, "nobody was shown such a form");
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {"text": "ask_refused"}, "before": null, "limit": 50}),
        )
        .await
        .unwrap();
    assert_eq!(
        page["rows"].as_array().unwrap().len(),
        cases.len(),
        "{page}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_44_a_form_that_is_not_flat_or_only_seems_to_be_a_choice_is_shown_to_nobody() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let person = test.person([Decision::always()]);
    let password = json!({"type": "string", "title": "Password"});
    for (schema, answer) in [
        (
            json!({"properties": {"account": {"type": "object", "properties": {"password": password}}}}),
            "nothing deeper",
        ),
        (
            json!({"properties": {"value": {"$ref": "#/$defs/value"}}, "$defs": {"value": password}}),
            "nothing deeper",
        ),
        (
            json!({"properties": {"password": {"type": "string", "enum": []}}}),
            "decline",
        ),
        (
            json!({"properties": {"password": {"type": "string", "anyOf": [{"minLength": 1}]}}}),
            "decline",
        ),
        (
            json!({"properties": {"value": {"anyOf": [password, {"type": "null"}]}}}),
            "decline",
        ),
    ] {
        let told = text(
            &test
                .call("elicits", "shaped", json!({ "schema": schema }))
                .await
                .unwrap(),
        );
        assert!(told.contains(answer), "{schema}: {told}");
    }
    assert_eq!(person.asked().len(), 1, "nobody was shown such a form");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_44_a_message_that_asks_for_a_secret_makes_every_field_a_place_for_one() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let decline = Decision::Form {
        answer: protocol::FormResult::Decline,
    };
    let person = test.person([Decision::always(), decline]);
    // The fields of this form are called name, age, colour and agree.
    for message in [
        "To go on, type your password into the first field",
        "Please enter the 6-digit code that we have sent you",
        "Your P A S S W O R D is needed here",
        "Introduce tu contraseña para continuar",
        "Введите пароль от почты",
        "パスワードを入力してください",
        "请在下方输入您的登录密码",
    ] {
        let params = json!({"call": null, "server": "elicits", "tool": "form", "arguments": {"message": message}});
        let answer = test.ask("call_tool", params).await.unwrap();
        assert_eq!(
            answer["content"][0]["text"], r#"{"action":"decline"}"#,
            "{message}"
        );
        assert_eq!(
            answer["refused_asks"].as_array().map(Vec::len),
            Some(1),
            "{message}"
        );
    }
    assert_eq!(person.asked().len(), 1, "nobody was shown such a form");
    // Speaking of one is not asking for one: each field says that it is for something else.
    let expired = json!({"message": "Your password has expired. Who are you?"});
    test.call("elicits", "form", expired).await.unwrap();
    assert_eq!(person.asked().len(), 2, "this one is shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_for_anything_else_is_asked_in_the_name_that_we_gave_the_server() {
    let test = TestHost::new().await;
    test.add("mine", &[&misbehave(), "elicits"]).await;
    let content = |value: &str| json!({"value": value}).as_object().unwrap().clone();
    let accept = |value| Decision::Form {
        answer: protocol::FormResult::Accept {
            content: content(value),
        },
    };
    let person = test.person([
        Decision::always(),
        accept("1000"),
        Decision::Form {
            answer: protocol::FormResult::Decline,
        },
        Decision::Form {
            answer: protocol::FormResult::Cancel,
        },
    ]);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(text(
            &test
                .call("mine", "asks", json!({"title": "Token count"}))
                .await
                .unwrap(),
        ));
    }
    assert!(
        answers[0].contains("accept") && answers[0].contains("1000"),
        "{answers:?}"
    );
    assert_eq!(
        answers[1..],
        [r#"{"action":"decline"}"#, r#"{"action":"cancel"}"#]
    );
    let asked = &person.asked()[1];
    assert_eq!(
        asked.server.as_ref().map(|server| server.as_str()),
        Some("mine")
    );
    assert!(matches!(&asked.subject, Subject::Form { during, .. } if during.len() == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_yes_to_a_form_sends_no_value_that_its_server_has_put_there() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let _person = test.person([Decision::always(), Decision::once()]);
    let schema = json!({"type": "object", "properties": {"city": {"type": "string", "title": "City", "default": "Oslo"}}});
    let answer = test
        .call("elicits", "shaped", json!({ "schema": schema }))
        .await
        .unwrap();
    assert_eq!(text(&answer), r#"{"action":"accept","content":{}}"#);
}
