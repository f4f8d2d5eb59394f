//! A program signs in with credentials of its own.

use crate::support::{NOW, World, world};
use oauth::{
    Client, Credentials, GrantType, Method, OAuthError, Preregistered, Way, client_credentials,
    refresh,
};
use protocol::Secret;
use serde_json::Value;

async fn sign_in(world: &mut World, entered: &Preregistered) -> Result<Credentials, OAuthError> {
    let discovery = world.discover_as(|ask| ask.way = Way::Machine).await?;
    let client: Client = world
        .register_as(&discovery, |registration| {
            registration.preregistered = Some(entered)
        })
        .await?;
    client_credentials(&world.egress, &discovery, &client, vec!["a".into()], NOW).await
}

#[tokio::test]
async fn a_program_signs_in_with_a_secret_and_again_when_its_token_ends() {
    for (method, in_header) in [
        (Method::ClientSecretBasic, true),
        (Method::ClientSecretPost, false),
    ] {
        let mut world = world(|script| {
            script.refresh = false;
            script
                .metadata
                .insert("authorization_endpoint".into(), Value::Null);
        })
        .await;
        let secret = Some(Secret::new("s3cret".into()));
        let entered = Preregistered {
            id: "robot".into(),
            secret,
            method: Some(method),
            issuer: None,
        };
        let first = sign_in(&mut world, &entered).await.unwrap();
        assert_eq!(first.grant, GrantType::ClientCredentials);
        let again = refresh(&world.egress, &first, NOW).await.unwrap();
        assert_eq!(world.ask(Some(&again)).await.0, 200);
        let asked = world.last_token_request();
        assert_eq!(asked.form["grant_type"], "client_credentials");
        assert_eq!(
            (
                asked.form["scope"].as_str(),
                asked.form["resource"].as_str()
            ),
            ("a", world.server.as_str())
        );
        assert_eq!(asked.basic().is_some(), in_header);
    }
}
