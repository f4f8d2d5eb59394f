//! Tokens: what is taken for one, how long it lasts, and how a new one comes.

use crate::support::{NOW, world};
use oauth::{Credentials, OAuthError, refresh, sign_out};
use protocol::Timestamp;
use serde_json::json;
use std::time::Duration;
use test_servers::authority::{Place, Token};

#[tokio::test]
async fn a_refresh_token_that_is_replaced_is_kept_and_the_old_one_is_gone() {
    let mut world = world(|_| {}).await;
    let first = world.sign_in().await.unwrap();
    world.authority.expire();
    assert_eq!(world.ask(Some(&first)).await.0, 401);
    let second = refresh(&world.egress, &first, NOW).await.unwrap();
    assert_eq!(world.ask(Some(&second)).await.0, 200);
    assert_eq!(
        world.last_token_request().form["resource"],
        world.server.as_str()
    );
    refresh(&world.egress, &second, NOW).await.unwrap();
    assert!(matches!(
        refresh(&world.egress, &first, NOW).await,
        Err(OAuthError::SignedOut)
    ));
}

#[tokio::test]
async fn a_refresh_token_that_is_not_replaced_stays() {
    let mut world = world(|script| script.rotates = false).await;
    let first = world.sign_in().await.unwrap();
    let second = refresh(&world.egress, &first, NOW).await.unwrap();
    let third = refresh(&world.egress, &second, NOW).await.unwrap();
    let token = |credentials: &Credentials| {
        credentials
            .tokens
            .refresh
            .as_ref()
            .map(|token| token.expose().to_owned())
    };
    assert_eq!(token(&first), token(&third));
}

#[tokio::test]
async fn without_a_refresh_token_the_person_signs_in_again() {
    let mut world = world(|script| script.refresh = false).await;
    let first = world.sign_in().await.unwrap();
    let before = world.seen(Place::Authority, "/token");
    assert!(matches!(
        refresh(&world.egress, &first, NOW).await,
        Err(OAuthError::SignedOut)
    ));
    assert_eq!(world.seen(Place::Authority, "/token"), before);
}

#[tokio::test]
async fn a_client_that_is_refused_and_a_server_in_trouble_do_not_sign_anyone_out() {
    let mut world = world(|_| {}).await;
    let known_client = world.sign_in().await.unwrap();
    world.authority.script(|script| {
        script.token = Token::Refused(401, "invalid_client".into(), "who?".into())
    });
    assert!(matches!(
        refresh(&world.egress, &known_client, NOW).await,
        Err(OAuthError::ClientRefused)
    ));
    world.authority.script(|script| {
        script.token = Token::Refused(503, "temporarily_unavailable".into(), "later".into())
    });
    let error = refresh(&world.egress, &known_client, NOW)
        .await
        .unwrap_err();
    assert!(matches!(error, OAuthError::TokenRefused { .. }), "{error}");
}

#[tokio::test]
async fn only_a_bearer_token_that_can_be_sent_is_a_token() {
    for raw in [
        json!({ "access_token": "a", "token_type": "mac" }),
        json!({ "access_token": "a" }),
        json!({ "access_token": "", "token_type": "Bearer" }),
        json!({ "access_token": "a\r\nX: y", "token_type": "Bearer" }),
        json!({ "access_token": "a b", "token_type": "Bearer" }),
        json!({ "access_token": "x".repeat(40_000), "token_type": "Bearer" }),
        json!({ "access_token": 7, "token_type": "Bearer" }),
        json!({ "access_token": "a", "token_type": "Bearer", "expires_in": -1 }),
        json!({ "access_token": "a", "token_type": "Bearer", "expires_in": "soon" }),
        json!(null),
        json!([]),
    ] {
        let mut world = world(|script| script.token = Token::Raw(raw.to_string())).await;
        let error = world.sign_in().await.unwrap_err();
        assert!(
            matches!(error, OAuthError::BadToken { .. }),
            "{raw}: {error}"
        );
    }
    for (raw, granted) in [
        (json!({ "access_token": "a", "token_type": "bEARER" }), true),
        (
            json!({ "error": "slow_down", "access_token": "a", "token_type": "Bearer" }),
            false,
        ),
    ] {
        let mut world = world(|script| script.token = Token::Raw(raw.to_string())).await;
        assert_eq!(world.sign_in().await.is_ok(), granted);
    }
}

#[tokio::test]
async fn a_token_ends_when_it_was_said_to_end() {
    for (said, ends) in [
        (json!(3600), Some(3_600_000)),
        (json!("3600"), Some(3_600_000)),
        (json!(59.9), Some(59_000)),
        (json!(null), None),
        (json!(1e300), Some(315_360_000_000)),
    ] {
        let mut world = world(|script| script.expires_in = said).await;
        let credentials = world.sign_in().await.unwrap();
        assert_eq!(
            credentials.tokens.expires_at,
            ends.map(|ms| Timestamp(NOW.0 + ms))
        );
        assert_eq!(
            credentials.expires_within(Duration::from_secs(60), NOW),
            ends == Some(59_000)
        );
    }
}

#[tokio::test]
async fn signing_out_gives_both_tokens_back() {
    let mut world = world(|_| {}).await;
    let credentials = world.sign_in().await.unwrap();
    assert!(sign_out(&world.egress, &credentials, NOW).await.unwrap());
    let kinds: Vec<_> = world
        .authority
        .seen_at(Place::Authority, "/revoke")
        .into_iter()
        .map(|seen| seen.form["token_type_hint"].clone())
        .collect();
    assert_eq!(kinds, ["refresh_token", "access_token"]);
    let without = Credentials {
        revocation_endpoint: None,
        ..credentials
    };
    assert!(!sign_out(&world.egress, &without, NOW).await.unwrap());
}
