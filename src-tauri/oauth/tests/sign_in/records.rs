//! What is kept of a sign-in.

use crate::support::{NOW, world};
use oauth::{Credentials, OAuthError, refresh};
use protocol::Secret;
use serde_json::json;

#[tokio::test]
async fn a_sign_in_that_was_written_down_goes_on_with_its_clients_secret() {
    for method in ["none", "client_secret_basic", "client_secret_post"] {
        let mut world = world(|script| {
            script.metadata.insert(
                "token_endpoint_auth_methods_supported".into(),
                json!([method]),
            );
            script.challenge_scope = Some("a b".into());
        })
        .await;
        let credentials = world.sign_in().await.unwrap();
        let record = credentials.to_secret_json().unwrap();
        let read = Credentials::from_secret_json(&record).unwrap();
        assert_eq!(read.to_secret_json().unwrap().expose(), record.expose());
        assert_eq!(read.scopes, ["a", "b"]);
        let again = refresh(&world.egress, &read, NOW).await.unwrap();
        assert_eq!(world.ask(Some(&again)).await.0, 200);
    }
}

#[tokio::test]
async fn nothing_secret_can_be_printed() {
    let mut world = world(|script| {
        drop(script.metadata.insert(
            "token_endpoint_auth_methods_supported".into(),
            json!(["client_secret_post"]),
        ))
    })
    .await;
    let attempt = world.attempt().await.unwrap();
    let verifier_and_state = format!("{attempt:?}");
    let state = attempt
        .url()
        .query_pairs()
        .find(|(key, _)| key == "state")
        .unwrap()
        .1
        .into_owned();
    // The state is in the address that the browser is given, and nowhere else.
    assert_eq!(verifier_and_state.matches(&state).count(), 1);
    let credentials = world.finish(attempt).await.unwrap();
    let header = credentials.header_for(&world.server).unwrap();
    let printed = format!(
        "{credentials:?} {header:?} {:?}",
        credentials.to_secret_json().unwrap()
    );
    let token = world.last_token_request();
    assert!(!verifier_and_state.contains(&token.form["code_verifier"]));
    for secret in [
        &token.form["client_secret"],
        credentials.tokens.access.expose(),
        credentials.tokens.refresh.as_ref().unwrap().expose(),
    ] {
        assert!(!printed.contains(secret));
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_an_error_that_holds_nothing_of_it() {
    let mut world = world(|_| {}).await;
    let record = world.sign_in().await.unwrap().to_secret_json().unwrap();
    for broken in [
        String::new(),
        "hunter2".to_owned(),
        record.expose().replace("\"version\":1", "\"version\":2"),
        record.expose().replace("\"access\"", "\"excess\""),
        record.expose()[..record.expose().len() - 1].to_owned(),
    ] {
        let error = Credentials::from_secret_json(&Secret::new(broken)).unwrap_err();
        assert!(matches!(error, OAuthError::BadRecord));
        assert!(!format!("{error:?}").contains("hunter2"));
    }
}
