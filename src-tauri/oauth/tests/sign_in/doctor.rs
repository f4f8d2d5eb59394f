//! The doctor says what was tried, in order, and what went wrong, also when it went wrong early.

use crate::support::world;
use oauth::{OAuthError, Outcome, Problem, What};
use serde_json::json;
use test_servers::authority::{Challenge, MetadataAt, Registration, ResourceAt, Script};

#[tokio::test]
async fn every_step_of_a_good_sign_in_is_noted() {
    let mut world = world(|script| {
        script.challenge = Challenge::Bare;
        script.resource_at = ResourceAt::Root;
        script.metadata_at = MetadataAt::OpenIdInserted;
    })
    .await;
    world.attempt().await.unwrap();
    let steps: Vec<_> = world
        .doctor
        .steps()
        .iter()
        .map(|step| (step.what, step.outcome.clone()))
        .collect();
    assert_eq!(
        steps,
        [
            (What::Challenge, Outcome::Ok),
            (What::ResourceMetadata, Outcome::Skipped),
            (What::ResourceMetadata, Outcome::Ok),
            (What::Resource, Outcome::Ok),
            (What::AuthorizationServer, Outcome::Ok),
            (What::ServerMetadata, Outcome::Skipped),
            (What::ServerMetadata, Outcome::Ok),
            (What::Issuer, Outcome::Ok),
            (What::Endpoints, Outcome::Ok),
            (What::ProofKey, Outcome::Ok),
            (What::Registration, Outcome::Ok),
        ]
    );
    let places: Vec<_> = world
        .doctor
        .steps()
        .iter()
        .filter_map(|step| step.url.as_ref())
        .map(|url| url.path().to_owned())
        .collect();
    assert_eq!(
        places,
        [
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-protected-resource",
            "/",
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration",
            "/",
            "/register",
        ]
    );
}

/// The step that fails after this change, and its code.
async fn failing(change: impl FnOnce(&mut Script)) -> (What, String) {
    let mut world = world(change).await;
    world.attempt().await.unwrap_err();
    let last = world.doctor.steps().last().unwrap().clone();
    let Outcome::Failed { problem } = &last.outcome else {
        panic!("{last:?}")
    };
    assert_eq!(world.doctor.problem(), Some(problem));
    assert!(problem.to_string().ends_with('.'), "a remedy: {problem}");
    let code = serde_json::to_value(problem).unwrap()["code"]
        .as_str()
        .unwrap()
        .to_owned();
    (last.what, code)
}

fn field(script: &mut Script, name: &str, value: serde_json::Value) {
    script.metadata.insert(name.into(), value);
}

#[tokio::test]
async fn each_step_that_can_fail_says_why() {
    let told = |what, code: &str| (what, code.to_owned());
    assert_eq!(
        failing(|s| s.resource_at = ResourceAt::Nowhere).await,
        told(What::ResourceMetadata, "no_resource_metadata")
    );
    assert_eq!(
        failing(|s| s.resource_raw = Some("<html>".into())).await.1,
        "unreadable"
    );
    assert_eq!(
        failing(|s| s.resource_raw = Some("x".repeat(300_000))).await,
        told(What::ResourceMetadata, "too_long")
    );
    assert_eq!(
        failing(|s| s.resource = Some("https://b.example/mcp".into())).await,
        told(What::Resource, "other_resource")
    );
    assert_eq!(
        failing(|s| s.authorization_servers = Some(vec![])).await,
        told(What::AuthorizationServer, "no_authorization_server")
    );
    assert_eq!(
        failing(|s| s.authorization_servers = Some(vec!["file:///x".into()])).await,
        told(What::AuthorizationServer, "bad_address")
    );
    assert_eq!(
        failing(|s| s.authorization_servers = Some(vec!["http://127.0.0.1:1".into()])).await,
        told(What::ServerMetadata, "unreachable")
    );
    assert_eq!(
        failing(|s| s.metadata_at = MetadataAt::Nowhere).await,
        told(What::ServerMetadata, "no_server_metadata")
    );
    assert_eq!(
        failing(|s| s.metadata_status = Some(503)).await,
        told(What::ServerMetadata, "status")
    );
    assert_eq!(
        failing(|s| field(s, "issuer", json!("https://b.example"))).await,
        told(What::Issuer, "other_issuer")
    );
    assert_eq!(
        failing(|s| field(s, "token_endpoint", json!(null))).await,
        told(What::Endpoints, "missing_endpoint")
    );
    assert_eq!(
        failing(|s| field(s, "authorization_endpoint", json!(null))).await,
        told(What::Endpoints, "missing_endpoint")
    );
    assert_eq!(
        failing(|s| field(s, "token_endpoint", json!("https://b.example/t"))).await,
        told(What::Endpoints, "foreign_endpoints")
    );
    assert_eq!(
        failing(|s| field(s, "code_challenge_methods_supported", json!(null))).await,
        told(What::ProofKey, "no_proof_key")
    );
    assert_eq!(
        failing(|s| field(s, "registration_endpoint", json!(null))).await,
        told(What::Registration, "client_id_needed")
    );
    assert_eq!(
        failing(|s| s.registration =
            Registration::Refused("invalid_redirect_uri".into(), "no loopback".into()))
        .await,
        told(What::Registration, "registration_refused")
    );
}

#[tokio::test]
async fn a_challenge_that_cannot_be_read_is_noted_and_the_sign_in_goes_on() {
    let mut world =
        world(|script| script.challenge = Challenge::Raw("Bearer scope=\"a".into())).await;
    world.attempt().await.unwrap();
    assert_eq!(
        world.doctor.steps()[0].outcome,
        Outcome::Failed {
            problem: Problem::UnreadableChallenge
        }
    );
}

#[tokio::test]
async fn words_of_a_server_are_cleaned_and_cut() {
    let words = format!("no\u{202E}\r\n{}", "x".repeat(5_000));
    let mut world =
        world(|script| script.registration = Registration::Refused("bad".into(), words)).await;
    let OAuthError::RegistrationRefused { error, description } = world.attempt().await.unwrap_err()
    else {
        panic!()
    };
    assert_eq!(error.as_str(), "bad");
    let description = description.unwrap();
    assert!(description.as_str().starts_with("no⟨U+202E⟩  xxx"));
    assert_eq!(description.as_str().chars().count(), 300);
}
