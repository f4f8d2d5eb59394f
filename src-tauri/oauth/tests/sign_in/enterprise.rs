//! An enterprise signs its people in.

use crate::support::{NOW, World, url, world};
use oauth::{
    ClientAuth, Credentials, GrantType, IdentityProvider, OAuthError, Preregistered, Subject, Way,
    enterprise, refresh,
};
use protocol::Secret;
use test_servers::authority::{Place, Token};

fn secret(text: &str) -> Secret {
    Secret::new(text.into())
}

async fn sign_in(world: &mut World, subject: Subject) -> Result<Credentials, OAuthError> {
    let discovery = world.discover_as(|ask| ask.way = Way::Machine).await?;
    let entered = Preregistered {
        id: "mine".into(),
        secret: Some(secret("s3cret")),
        method: None,
        issuer: None,
    };
    let client = entered.bind(&discovery)?;
    let provider = IdentityProvider {
        issuer: "https://idp.example".into(),
        token_endpoint: url(&format!("{}/idp/token", world.authority.issuer())),
        client_id: "at-idp".into(),
        auth: ClientAuth::Basic(secret("idp-secret")),
    };
    enterprise(
        &world.egress,
        &discovery,
        &client,
        &provider,
        &subject,
        vec!["a".into()],
        NOW,
    )
    .await
}

#[tokio::test]
async fn what_proves_the_person_is_exchanged_for_a_grant_and_that_for_a_token() {
    for (subject, kind) in [
        (
            Subject::IdToken(secret("person")),
            "urn:ietf:params:oauth:token-type:id_token",
        ),
        (
            Subject::RefreshToken(secret("person")),
            "urn:ietf:params:oauth:token-type:refresh_token",
        ),
    ] {
        let mut world = world(|script| script.refresh = false).await;
        let credentials = sign_in(&mut world, subject).await.unwrap();
        assert_eq!(credentials.grant, GrantType::Enterprise);
        assert_eq!(world.ask(Some(&credentials)).await.0, 200);
        let exchanged = world
            .authority
            .seen_at(Place::Authority, "/idp/token")
            .remove(0);
        assert_eq!(
            exchanged.basic(),
            Some(("at-idp".into(), "idp-secret".into()))
        );
        assert_eq!(exchanged.form["subject_token_type"], kind);
        assert_eq!(exchanged.form["audience"], world.authority.issuer());
        assert_eq!(exchanged.form["resource"], world.server.as_str());
        let granted = world.last_token_request();
        assert_eq!(granted.basic(), Some(("mine".into(), "s3cret".into())));
        assert_eq!(
            granted.form["grant_type"],
            "urn:ietf:params:oauth:grant-type:jwt-bearer"
        );
        assert!(
            !granted.body.contains("person"),
            "the identity provider's token stays with it"
        );
        assert!(matches!(
            refresh(&world.egress, &credentials, NOW).await,
            Err(OAuthError::SignedOut)
        ));
    }
}

#[tokio::test]
async fn another_kind_of_grant_is_not_passed_on() {
    let mut world = world(|script| {
        script.issued_token_type = "urn:ietf:params:oauth:token-type:access_token".into()
    })
    .await;
    let error = sign_in(&mut world, Subject::IdToken(secret("person")))
        .await
        .unwrap_err();
    assert!(matches!(error, OAuthError::BadToken { .. }));
    let tokens = world.authority.seen_at(Place::Authority, "/token");
    assert!(tokens.iter().all(|seen| seen.path.ends_with("/idp/token")));
}

#[tokio::test]
async fn a_grant_that_is_refused_is_an_error_with_its_words() {
    let mut world = world(|script| {
        script.token = Token::Refused(400, "invalid_grant".into(), "not your company".into())
    })
    .await;
    let error = sign_in(&mut world, Subject::IdToken(secret("person")))
        .await
        .unwrap_err();
    let OAuthError::TokenRefused { description, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(description.unwrap().as_str(), "not your company");
}
