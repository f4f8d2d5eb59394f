//! A program signs in with a key.

use crate::support::{NOW, world};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use oauth::{
    Algorithm, Credentials, OAuthError, Preregistered, SigningKey, Way, client_credentials, refresh,
};
use protocol::Secret;
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair,
        UnparsedPublicKey,
    },
};
use serde_json::Value;

#[tokio::test]
async fn a_program_signs_in_with_a_key_and_the_assertion_is_for_the_issuer_only() {
    let document =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(
        &ECDSA_P256_SHA256_FIXED_SIGNING,
        document.as_ref(),
        &SystemRandom::new(),
    )
    .unwrap();
    let body = base64::engine::general_purpose::STANDARD.encode(document.as_ref());
    let pem = Secret::new(format!(
        "-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
    ));
    let key = SigningKey {
        pem,
        algorithm: Algorithm::ES256,
        key_id: Some("k1".into()),
    };
    key.check().unwrap();

    let mut world = world(|_| {}).await;
    let entered = Preregistered {
        id: "robot".into(),
        secret: None,
        method: None,
        issuer: None,
    };
    let discovery = world
        .discover_as(|ask| ask.way = Way::Machine)
        .await
        .unwrap();
    let client = entered.bind(&discovery).unwrap().with_key(key);
    let signing_in = client_credentials(&world.egress, &discovery, &client, Vec::new(), NOW);
    let credentials = signing_in.await.unwrap();
    let form = world.last_token_request().form;
    assert_eq!(
        form["client_assertion_type"],
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    );
    let (signed, signature) = form["client_assertion"].rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key())
        .verify(signed.as_bytes(), &signature)
        .unwrap();
    let parts: Vec<Value> = signed
        .split('.')
        .map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
        .collect();
    assert_eq!(
        (parts[0]["alg"].as_str(), parts[0]["kid"].as_str()),
        (Some("ES256"), Some("k1"))
    );
    assert_eq!(parts[1]["aud"], world.authority.issuer());
    assert_eq!(
        (parts[1]["iss"].as_str(), parts[1]["sub"].as_str()),
        (Some("robot"), Some("robot"))
    );
    assert_eq!(
        (parts[1]["iat"].as_i64(), parts[1]["exp"].as_i64()),
        (Some(1_800_000_000), Some(1_800_000_120))
    );

    let read = Credentials::from_secret_json(&credentials.to_secret_json().unwrap()).unwrap();
    refresh(&world.egress, &read, NOW).await.unwrap();
}

#[test]
fn a_key_that_cannot_sign_is_told_when_it_is_entered() {
    for (pem, algorithm) in [
        ("", Algorithm::ES256),
        ("hunter2", Algorithm::RS256),
        (
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
            Algorithm::ES256,
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
            Algorithm::RS256,
        ),
    ] {
        let key = SigningKey {
            pem: Secret::new(pem.into()),
            algorithm,
            key_id: None,
        };
        let error = key.check().unwrap_err();
        assert!(
            matches!(error, OAuthError::BadKey { .. }) && !error.to_string().contains("hunter2")
        );
    }
}
