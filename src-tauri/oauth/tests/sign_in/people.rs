//! A person signs in with a browser, whatever way the application becomes known.

use crate::support::{BACK, NOW, url, world};
use oauth::{
    Attempt, ClientAuth, Method, OAuthError, Preregistered, RegistrationKind, choose, union,
};
use protocol::Secret;
use serde_json::json;
use test_servers::authority::{Back, Place, Registration};

#[tokio::test]
async fn a_person_signs_in_and_the_server_lets_them_in() {
    let mut world = world(|script| script.challenge_scope = Some("files:read".into())).await;
    let credentials = world.sign_in().await.unwrap();
    assert_eq!(credentials.client.kind, RegistrationKind::Dynamic);
    assert_eq!(credentials.tokens.granted, ["files:read"]);
    assert_eq!(credentials.issuer, world.authority.issuer());
    assert_eq!(world.ask(Some(&credentials)).await.0, 200);
}

#[tokio::test]
async fn the_browser_and_the_token_request_say_what_the_specification_asks_for() {
    let mut world = world(|_| {}).await;
    world.sign_in().await.unwrap();
    let asked = world
        .authority
        .seen_at(Place::Authority, "/authorize")
        .remove(0)
        .query;
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert_eq!(asked["code_challenge"].len(), 43);
    assert_eq!(asked["resource"], world.server.as_str());
    assert_eq!(asked["redirect_uri"], BACK);
    assert!(asked["state"].len() >= 22);
    assert!(
        !asked.contains_key("scope"),
        "nothing is named, so nothing is asked"
    );
    let token = world.last_token_request();
    assert_eq!(token.form["resource"], world.server.as_str());
    assert_eq!(token.form["redirect_uri"], BACK);
    assert!(token.authorization.is_none() && !token.query.contains_key("code"));
}

#[tokio::test]
async fn every_attempt_has_its_own_state_and_proof_key() {
    let mut world = world(|_| {}).await;
    let (one, two) = (
        world.attempt().await.unwrap(),
        world.attempt().await.unwrap(),
    );
    for name in ["state", "code_challenge"] {
        let value = |attempt: &Attempt| {
            attempt
                .url()
                .query_pairs()
                .find(|(key, _)| key == name)
                .unwrap()
                .1
                .into_owned()
        };
        assert_ne!(value(&one), value(&two));
    }
}

#[tokio::test]
async fn dynamic_registration_says_what_we_are() {
    let mut world = world(|_| {}).await;
    world.attempt().await.unwrap();
    let seen = world
        .authority
        .seen_at(Place::Authority, "/register")
        .remove(0);
    let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(
        body,
        json!({
            "client_name": "Majordomo",
            "redirect_uris": [BACK],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        })
    );
}

#[tokio::test]
async fn a_registered_client_proves_itself_in_the_way_that_is_offered() {
    for (offered, in_header, in_body) in [
        (json!(["none"]), false, false),
        (json!(["client_secret_basic"]), true, false),
        (json!(["client_secret_post"]), false, true),
        (
            json!([
                "private_key_jwt",
                "client_secret_post",
                "client_secret_basic"
            ]),
            true,
            false,
        ),
        (json!(null), false, false),
    ] {
        let mut world = world(|script| {
            drop(
                script
                    .metadata
                    .insert("token_endpoint_auth_methods_supported".into(), offered),
            )
        })
        .await;
        let credentials = world.sign_in().await.unwrap();
        let seen = world.last_token_request();
        assert_eq!(
            seen.basic()
                .is_some_and(|(id, _)| id == credentials.client.id),
            in_header
        );
        assert_eq!(seen.form.contains_key("client_secret"), in_body);
        assert_eq!(seen.form.contains_key("client_id"), !in_header);
    }
}

#[tokio::test]
async fn a_secret_that_came_without_a_word_is_used_where_one_can_be() {
    for (offered, used) in [
        (json!(null), true),
        (json!(["none", "client_secret_basic"]), true),
        (json!(["none"]), false),
    ] {
        let answer = json!({ "client_id": "a b", "client_secret": "s:/+ é" });
        let mut world = world(|script| {
            script
                .metadata
                .insert("token_endpoint_auth_methods_supported".into(), offered);
            script.registration = Registration::Answer(answer);
        })
        .await;
        world.sign_in().await.unwrap();
        assert_eq!(
            world.last_token_request().basic(),
            used.then(|| ("a b".into(), "s:/+ é".into()))
        );
        assert!(!world.last_token_request().body.contains("secret"));
    }
}

#[tokio::test]
async fn a_way_to_prove_ourselves_that_we_do_not_have_is_an_error() {
    let mut world = world(|script| {
        drop(script.metadata.insert(
            "token_endpoint_auth_methods_supported".into(),
            json!(["tls_client_auth"]),
        ))
    })
    .await;
    assert!(matches!(
        world.attempt().await,
        Err(OAuthError::MethodNotOffered { .. })
    ));
    assert_eq!(world.seen(Place::Authority, "/register"), 0);
}

#[tokio::test]
async fn a_client_id_that_the_person_entered_comes_first() {
    let mut world = world(|script| {
        drop(
            script
                .metadata
                .insert("client_id_metadata_document_supported".into(), json!(true)),
        )
    })
    .await;
    let discovery = world.discover().await.unwrap();
    let document = url("https://majordomo.example/client.json");
    for (method, in_header) in [(None, true), (Some(Method::ClientSecretPost), false)] {
        let entered = Preregistered {
            id: "mine".into(),
            secret: Some(Secret::new("s3cret".into())),
            method,
            issuer: None,
        };
        let client = world
            .register_as(&discovery, |registration| {
                registration.preregistered = Some(&entered);
                registration.document = Some(&document);
            })
            .await
            .unwrap();
        assert_eq!(
            (client.kind, client.id.as_str()),
            (RegistrationKind::Preregistered, "mine")
        );
        let attempt = Attempt::begin(&discovery, &client, &url(BACK), vec![]).unwrap();
        world.finish(attempt).await.unwrap();
        assert_eq!(world.last_token_request().basic().is_some(), in_header);
    }
    assert_eq!(world.seen(Place::Authority, "/register"), 0);
}

#[tokio::test]
async fn a_secret_is_not_sent_in_a_way_that_is_not_offered() {
    let mut world = world(|script| {
        drop(script.metadata.insert(
            "token_endpoint_auth_methods_supported".into(),
            json!(["private_key_jwt"]),
        ))
    })
    .await;
    let discovery = world.discover().await.unwrap();
    let secret = Some(Secret::new("s3cret".into()));
    let entered = Preregistered {
        id: "mine".into(),
        secret,
        method: None,
        issuer: None,
    };
    assert!(matches!(
        entered.bind(&discovery),
        Err(OAuthError::MethodNotOffered { .. })
    ));
}

#[tokio::test]
async fn our_metadata_document_is_the_client_id_where_that_is_supported() {
    let mut world = world(|script| {
        drop(
            script
                .metadata
                .insert("client_id_metadata_document_supported".into(), json!(true)),
        )
    })
    .await;
    let discovery = world.discover().await.unwrap();
    let document = url("https://majordomo.example/client.json");
    let client = world
        .register_as(&discovery, |registration| {
            registration.document = Some(&document)
        })
        .await
        .unwrap();
    assert_eq!(
        (client.kind, client.id.as_str()),
        (RegistrationKind::Document, document.as_str())
    );
    assert!(matches!(client.auth, ClientAuth::None));
    let attempt = Attempt::begin(&discovery, &client, &url(BACK), vec![]).unwrap();
    world.finish(attempt).await.unwrap();
    assert_eq!(
        world.last_token_request().form["client_id"],
        document.as_str()
    );
    assert_eq!(world.seen(Place::Authority, "/register"), 0);
}

#[tokio::test]
async fn where_there_is_no_way_to_register_the_person_is_asked() {
    let mut world = world(|script| {
        drop(
            script
                .metadata
                .insert("registration_endpoint".into(), json!(null)),
        )
    })
    .await;
    let document = url("https://majordomo.example/client.json");
    let discovery = world.discover().await.unwrap();
    let error = world
        .register_as(&discovery, |registration| {
            registration.document = Some(&document)
        })
        .await
        .unwrap_err();
    assert!(
        matches!(error, OAuthError::ClientIdNeeded { issuer } if issuer == world.authority.issuer())
    );
}

#[tokio::test]
async fn scopes_come_from_the_challenge_else_from_the_metadata_and_offline_access_only_where_it_is_offered()
 {
    let scopes = |list: &[&str]| {
        list.iter()
            .map(|scope| (*scope).to_owned())
            .collect::<Vec<_>>()
    };
    for (challenged, listed, offered, asked) in [
        (Some("a b"), Some(vec!["c"]), None, Some("a b")),
        (None, Some(vec!["c", "d"]), None, Some("c d")),
        (None, None, None, None),
        (
            Some("a"),
            None,
            Some(json!(["a", "offline_access"])),
            Some("a offline_access"),
        ),
        (Some("a"), None, Some(json!(["a"])), Some("a")),
        (None, None, Some(json!(["offline_access"])), None),
        (
            None,
            Some(vec!["c", "offline_access"]),
            Some(json!(["c"])),
            Some("c"),
        ),
    ] {
        let mut world = world(|script| {
            script.challenge_scope = challenged.map(str::to_owned);
            script.resource_scopes = listed.map(|listed| scopes(&listed));
            script
                .metadata
                .extend(offered.map(|offered| ("scopes_supported".to_owned(), offered)));
        })
        .await;
        let attempt = world.attempt().await.unwrap();
        let value = |name: &str| {
            attempt
                .url()
                .query_pairs()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        assert_eq!(value("scope").as_deref(), asked);
        assert_eq!(
            value("prompt").is_some(),
            asked.is_some_and(|asked| asked.contains("offline_access"))
        );
    }
}

#[tokio::test]
async fn a_step_up_asks_for_what_was_asked_before_and_more() {
    let mut world = world(|script| script.challenge_scope = Some("files:read".into())).await;
    let first = world.sign_in().await.unwrap();
    world
        .authority
        .script(|script| script.needed_scope = Some("files:write".into()));
    let (status, challenge) = world.ask(Some(&first)).await;
    let challenge = challenge.unwrap();
    assert!(status == 403 && challenge.wants_more_scope());
    let discovery = world.discover().await.unwrap();
    let wanted = choose(Some(&challenge), &discovery, &first.scopes);
    assert_eq!(wanted, ["files:read", "files:write"]);
    let attempt = Attempt::begin(&discovery, &first.client, &url(BACK), wanted).unwrap();
    let second = world.finish(attempt).await.unwrap();
    assert_eq!(second.scopes, union(&first.scopes, &challenge.scopes));
    assert_eq!(world.ask(Some(&second)).await.0, 200);
}

#[tokio::test]
async fn a_no_of_the_person_is_shown_in_the_servers_cleaned_words() {
    let mut world = world(|script| {
        script.back = Back::Error("access_denied".into(), "she said\u{200B} no".into())
    })
    .await;
    let error = world.sign_in().await.unwrap_err();
    let OAuthError::Declined { error, description } = error else {
        panic!("{error}")
    };
    assert_eq!(error.as_str(), "access_denied");
    assert_eq!(description.unwrap().as_str(), "she said⟨U+200B⟩ no");
    assert_eq!(world.seen(Place::Authority, "/token"), 0);
}

#[tokio::test]
async fn a_person_can_paste_the_address_that_the_browser_ended_at() {
    let mut world = world(|_| {}).await;
    let attempt = world.attempt().await.unwrap();
    let back = world.browse(attempt.url()).await;
    for wrong in [
        "",
        "nonsense",
        "https://a.example/callback?code=x&state=y",
        BACK,
        &back.as_str().replace("state=", "state=x"),
    ] {
        assert!(
            matches!(attempt.pasted(wrong), Err(OAuthError::NotOurs)),
            "{wrong}"
        );
    }
    let code = attempt.pasted(&format!("  {back}\n")).unwrap();
    attempt.redeem(&world.egress, code, NOW).await.unwrap();
}

#[tokio::test]
async fn a_code_that_comes_twice_or_empty_is_no_code() {
    let mut world = world(|_| {}).await;
    let attempt = world.attempt().await.unwrap();
    let back = world.browse(attempt.url()).await;
    let twice = format!("{back}&code=other");
    let named_twice = format!("{back}&iss=https://b.example");
    let empty = back.as_str().replace("code=", "code=&x=");
    for wrong in [&twice, &named_twice, &empty] {
        assert!(
            matches!(attempt.pasted(wrong), Err(OAuthError::UnreadableAnswer)),
            "{wrong}"
        );
    }
    assert!(matches!(
        attempt.pasted(&format!("{back}&state=x")),
        Err(OAuthError::NotOurs)
    ));
}
