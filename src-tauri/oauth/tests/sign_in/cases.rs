//! Attacks that happened to others, by their number in the security reference.

use crate::support::{BACK, NOW, code, door, page, url, world};
use egress::EgressError;
use oauth::{Attempt, Credentials, OAuthError, Preregistered, Problem, refresh};
use serde_json::json;
use std::time::Duration;
use test_servers::authority::{Back, Challenge, Place, Registration, ResourceAt, Token};

/// Addresses that nobody may open or fetch.
const BAD: [&str; 11] = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "a:$(calc.exe)",
    "\\\\evil\\share",
    "//evil.example/x",
    "https://a.example/\nx",
    "https://a.example/\u{202E}x",
    "http://a.example/authorize",
    "https://a:b@a.example/",
    "https://a.example/#x",
    "ms-msdt:/id",
];

#[tokio::test]
async fn case_15_an_authorization_address_that_is_no_web_address_is_refused() {
    for bad in BAD {
        let mut world = world(|script| {
            drop(
                script
                    .metadata
                    .insert("authorization_endpoint".into(), json!(bad)),
            )
        })
        .await;
        let problem = world.problem().await;
        assert!(
            matches!(
                problem,
                Problem::BadAddress {
                    field: "authorization_endpoint",
                    ..
                }
            ),
            "{bad}: {problem}"
        );
        assert_eq!(world.seen(Place::Authority, "/register"), 0);
    }
}

#[tokio::test]
async fn case_16_every_address_of_the_metadata_is_checked_in_the_same_way() {
    for field in [
        "token_endpoint",
        "registration_endpoint",
        "revocation_endpoint",
    ] {
        for bad in BAD {
            let mut world =
                world(|script| drop(script.metadata.insert(field.into(), json!(bad)))).await;
            let problem = world.problem().await;
            assert!(
                matches!(problem, Problem::BadAddress { field: found, .. } if found == field),
                "{bad}: {problem}"
            );
        }
    }
    for bad in BAD {
        let mut world = world(|script| script.authorization_servers = Some(vec![bad.into()])).await;
        assert!(
            matches!(world.problem().await, Problem::BadAddress { .. }),
            "{bad}"
        );
        let named = bad.replace(['\n', '\u{202E}'], " ").replace('\\', "\\\\");
        world.authority.script(|script| {
            script.challenge = Challenge::Raw(format!("Bearer resource_metadata=\"{named}\""))
        });
        assert!(
            matches!(world.problem().await, Problem::BadAddress { .. }),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn case_16_addresses_that_are_not_used_do_nothing() {
    let mut world = world(|_| {}).await;
    let elsewhere = world.authority.elsewhere().to_owned();
    for field in [
        "jwks_uri",
        "op_policy_uri",
        "service_documentation",
        "introspection_endpoint",
        "userinfo_endpoint",
        "end_session_endpoint",
    ] {
        world
            .authority
            .script(|script| drop(script.metadata.insert(field.into(), json!(elsewhere))));
    }
    world.sign_in().await.unwrap();
    assert_eq!(world.seen(Place::Elsewhere, ""), 0);
}

#[tokio::test]
async fn case_18_metadata_that_speak_of_another_server_end_the_sign_in() {
    let mut world = world(|_| {}).await;
    let own = world.server.clone();
    let resources = [
        "https://evil.example/mcp".to_owned(),
        world.authority.elsewhere().to_owned(),
        format!("{own}/below"),
        own.as_str().replace("/mcp", "/mc"),
        format!("{own}#x"),
        own.as_str().replace("http:", "https:"),
        "mcp".to_owned(),
        String::new(),
    ];
    for resource in resources {
        world
            .authority
            .script(|script| script.resource = Some(resource.clone()));
        assert!(
            matches!(world.problem().await, Problem::OtherResource { .. }),
            "{resource}"
        );
    }
    assert_eq!(world.seen(Place::Authority, ""), 0);
}

#[tokio::test]
async fn case_19_a_token_endpoint_of_another_origin_gets_nothing() {
    let mut world = world(|_| {}).await;
    let elsewhere = format!("{}/token", world.authority.elsewhere());
    world.authority.script(|script| {
        drop(
            script
                .metadata
                .insert("token_endpoint".into(), json!(elsewhere)),
        )
    });
    let foreign = vec![world.authority.elsewhere().to_owned()];
    assert_eq!(
        world.problem().await,
        Problem::ForeignEndpoints {
            origins: foreign.clone()
        }
    );
    assert_eq!(world.seen(Place::Elsewhere, ""), 0);
    let other = ["https://b.example".to_owned()];
    assert!(world.discover_approving(&other).await.is_err());
    let approved = world.discover_approving(&foreign).await.unwrap();
    assert_eq!(approved.token_endpoint.as_str(), elsewhere);
}

#[tokio::test]
async fn case_20_a_token_endpoint_that_redirects_gets_nothing_sent_again() {
    let mut world = world(|script| {
        drop(script.metadata.insert(
            "token_endpoint_auth_methods_supported".into(),
            json!(["client_secret_post"]),
        ))
    })
    .await;
    let known_client = world.sign_in().await.unwrap();
    for to in [
        format!("{}/token", world.authority.elsewhere()),
        format!("{}/other", world.authority.issuer()),
    ] {
        world
            .authority
            .script(|script| script.token = Token::Redirect(to));
        let attempt = world.attempt().await.unwrap();
        assert!(matches!(
            world.finish(attempt).await,
            Err(OAuthError::TokenRedirected)
        ));
        assert!(matches!(
            refresh(&world.egress, &known_client, NOW).await,
            Err(OAuthError::TokenRedirected)
        ));
    }
    world.authority.script(|script| {
        script.registration = Registration::Redirect(format!("{}/register", known_client.issuer))
    });
    assert!(matches!(
        world.attempt().await,
        Err(OAuthError::RegistrationRefused { .. })
    ));
    assert_eq!(world.seen(Place::Elsewhere, ""), 0);
    assert_eq!(world.seen(Place::Authority, "/other"), 0);
}

#[tokio::test]
async fn case_24_a_code_is_redeemed_by_the_sign_in_that_it_came_back_to_and_no_other() {
    let mut world = world(|_| {}).await;
    let (one, other) = (
        world.attempt().await.unwrap(),
        world.attempt().await.unwrap(),
    );
    let back = world.browse(one.url()).await;
    let code = code(&one, &back).unwrap();
    assert!(matches!(
        other.redeem(&world.egress, code, NOW).await,
        Err(OAuthError::NotOurs)
    ));
    assert_eq!(world.seen(Place::Authority, "/token"), 0);
}

#[tokio::test]
async fn case_21_an_authorization_server_where_no_server_can_be_is_not_reached() {
    for (host, plain) in [
        ("169.254.169.254", false),
        ("[::ffff:169.254.169.254]", false),
        ("0xa9.0xfe.0xa9.0xfe", false),
        ("2852039166", false),
        ("0.0.0.0", false),
        ("224.0.0.1", false),
        ("[fe80::1]", false),
        ("169.254.169.254", true),
    ] {
        let scheme = if plain { "http" } else { "https" };
        let mut world =
            world(|script| script.authorization_servers = Some(vec![format!("{scheme}://{host}")]))
                .await;
        let problem = world.problem().await;
        assert!(
            matches!(
                problem,
                Problem::Forbidden { .. } | Problem::BadAddress { .. }
            ),
            "{host}: {problem}"
        );
    }
}

#[tokio::test]
async fn case_21_a_public_server_cannot_send_us_to_this_computer() {
    let mut world = world(|_| {}).await;
    let known_client = world.sign_in().await.unwrap();
    let before = world.seen(Place::Authority, "/token");
    let moved = Credentials {
        server: url("https://1.1.1.1/mcp"),
        ..known_client
    };
    for endpoint in [
        moved.token_endpoint.as_str().to_owned(),
        moved
            .token_endpoint
            .as_str()
            .replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    ] {
        let moved = Credentials {
            token_endpoint: url(&endpoint),
            ..moved.clone()
        };
        let error = refresh(&world.egress, &moved, NOW).await.unwrap_err();
        assert!(
            matches!(
                error,
                OAuthError::Egress(EgressError::Forbidden { .. } | EgressError::BadUrl { .. })
            ),
            "{error:?}"
        );
    }
    assert_eq!(world.seen(Place::Authority, "/token"), before);
}

#[tokio::test]
async fn case_23_a_foreign_or_old_state_is_ignored_and_a_second_use_too() {
    let mut world = world(|_| {}).await;
    let listener = door().await;
    let redirect = listener.redirect().clone();
    let old = world.attempt().await.unwrap();
    let old = world.browse(old.url()).await;
    let discovery = world.discover().await.unwrap();
    let client = world.register_as(&discovery, |_| {}).await.unwrap();
    let attempt = Attempt::begin(&discovery, &client, &redirect, vec![]).unwrap();
    let right = world.browse(attempt.url()).await;

    let visits = async {
        let to = |query: &str| url(&format!("{redirect}?{query}"));
        for wrong in [
            to(old.query().unwrap()),
            to("code=stolen&state=guessed"),
            to("code=stolen"),
            to("error=access_denied&error_description=x"),
            redirect.clone(),
            url(&right.as_str().replace("/callback", "/other")),
        ] {
            assert_eq!(visit(&world.egress, &wrong).await, 404, "{wrong}");
        }
        assert_eq!(visit(&world.egress, &right).await, 200);
        // The door is closed at once: a second use finds nobody, or one who does not listen.
        let again = world
            .egress
            .send(egress::Request::get(right.clone(), egress::Reach::Typed))
            .await;
        assert!(again.is_err() || again.is_ok_and(|answer| answer.status == 404));
    };
    let (answer, ()) = tokio::join!(
        listener.wait(&attempt, page(), Duration::from_secs(60)),
        visits
    );
    attempt
        .redeem(&world.egress, answer.unwrap(), NOW)
        .await
        .unwrap();
    assert_eq!(world.seen(Place::Authority, "/token"), 1);
}

async fn visit(egress: &egress::Egress, to: &url::Url) -> u16 {
    egress
        .send(egress::Request::get(to.clone(), egress::Reach::Typed))
        .await
        .unwrap()
        .status
        .as_u16()
}

#[tokio::test]
async fn case_24_an_answer_of_another_authorization_server_ends_it_before_the_code_is_sent() {
    let mut world = world(|_| {}).await;
    let issuer = world.authority.issuer();
    for advertised in [true, false] {
        world.authority.script(|script| {
            script.metadata.insert(
                "authorization_response_iss_parameter_supported".into(),
                json!(advertised),
            );
        });
        for other in [
            "https://evil.example".to_owned(),
            format!("{issuer}/"),
            issuer.to_uppercase(),
            String::new(),
        ] {
            world
                .authority
                .script(|script| script.back = Back::Issuer(other.clone()));
            assert!(
                matches!(world.sign_in().await, Err(OAuthError::OtherIssuer)),
                "{other}"
            );
            let words = Back::ErrorOf(
                "access_denied".into(),
                "call 555 to go on".into(),
                other.clone(),
            );
            world.authority.script(|script| script.back = words);
            let error = world.sign_in().await.unwrap_err();
            assert!(matches!(error, OAuthError::OtherIssuer), "{other}");
            assert!(!format!("{error} {error:?}").contains("555"));
        }
    }
    world
        .authority
        .script(|script| script.back = Back::NoIssuer);
    world.authority.script(|script| {
        drop(script.metadata.insert(
            "authorization_response_iss_parameter_supported".into(),
            json!(true),
        ))
    });
    assert!(matches!(world.sign_in().await, Err(OAuthError::NoIssuer)));
    assert_eq!(world.seen(Place::Authority, "/token"), 0);

    world.authority.script(|script| {
        drop(script.metadata.insert(
            "authorization_response_iss_parameter_supported".into(),
            json!(null),
        ))
    });
    world.sign_in().await.unwrap();
}

#[tokio::test]
async fn case_27_a_token_is_handed_out_for_its_own_server_only() {
    let mut world = world(|_| {}).await;
    let credentials = world.sign_in().await.unwrap();
    let (own, elsewhere) = (world.server.clone(), url(world.authority.elsewhere()));
    let tampered = Credentials {
        resource: elsewhere.to_string(),
        ..credentials.clone()
    };
    assert!(matches!(
        tampered.header_for(&elsewhere),
        Err(OAuthError::OtherServer)
    ));
    assert!(credentials.header_for(&own).is_ok());
    assert!(
        credentials
            .header_for(&url(&format!("{own}/messages?x=1")))
            .is_ok()
    );
    for other in [
        elsewhere.clone(),
        own.join("/mcp2").unwrap(),
        own.join("/").unwrap(),
        url(&own.as_str().replace("127.0.0.1", "localhost")),
        url(&own.as_str().replace("http:", "https:")),
        url(&own.as_str().replace("127.0.0.1", "127.0.0.1@evil.example")),
    ] {
        assert!(
            matches!(credentials.header_for(&other), Err(OAuthError::OtherServer)),
            "{other}"
        );
    }
}

#[tokio::test]
async fn case_27_a_token_goes_where_the_server_says_that_it_is_at_its_own_origin() {
    let mut world = world(|script| script.resource_at = ResourceAt::Root).await;
    let credentials = world.sign_in().await.unwrap();
    assert!(
        credentials
            .header_for(&world.server.join("/messages").unwrap())
            .is_ok()
    );
    assert!(
        credentials
            .header_for(&url(world.authority.elsewhere()))
            .is_err()
    );
}

#[tokio::test]
async fn case_27_a_key_in_the_address_of_a_server_goes_to_that_server_only() {
    let mut world = world(|script| {
        script.resource_at = ResourceAt::Nowhere;
        script.at_home = true;
    })
    .await;
    world.server.set_query(Some("key=hunter2"));
    let discovery = world
        .discover_as(|ask| ask.legacy_approved = true)
        .await
        .unwrap();
    let client = world.register_as(&discovery, |_| {}).await.unwrap();
    let attempt = Attempt::begin(&discovery, &client, &url(BACK), vec![]).unwrap();
    assert!(!attempt.url().as_str().contains("hunter2"));
    assert!(
        !serde_json::to_string(&world.doctor)
            .unwrap()
            .contains("hunter2")
    );
}

#[tokio::test]
async fn case_27_a_client_is_shown_to_no_other_authorization_server() {
    let mut world = world(|_| {}).await;
    let known_client = world.sign_in().await.unwrap();
    let seen = world.seen(Place::Authority, "/register");
    world
        .authority
        .script(|script| script.issuer_path = "/other".into());
    let moved = world.discover().await.unwrap();
    assert!(!known_client.belong_to(&moved));
    assert!(matches!(
        Attempt::begin(&moved, &known_client.client, &url(BACK), vec![]),
        Err(OAuthError::OtherAuthorizationServer { .. })
    ));
    let client = world
        .register_as(&moved, |registration| {
            registration.known_client = Some(&known_client.client)
        })
        .await
        .unwrap();
    assert_ne!(client.id, known_client.client.id);
    assert_eq!(world.seen(Place::Authority, "/register"), seen + 1);

    let entered = Preregistered {
        id: "mine".into(),
        secret: None,
        method: None,
        issuer: Some(known_client.issuer.clone()),
    };
    let error = world
        .register_as(&moved, |registration| {
            registration.preregistered = Some(&entered)
        })
        .await
        .unwrap_err();
    assert!(matches!(error, OAuthError::OtherAuthorizationServer { .. }));
    assert!(matches!(
        world.doctor.problem(),
        Some(Problem::OtherAuthorizationServer { .. })
    ));
}

#[tokio::test]
async fn case_27_a_client_is_used_again_where_it_is_known() {
    let mut world = world(|_| {}).await;
    let known_client = world.sign_in().await.unwrap().client;
    let discovery = world.discover().await.unwrap();
    let again = world
        .register_as(&discovery, |registration| {
            registration.known_client = Some(&known_client)
        })
        .await
        .unwrap();
    assert_eq!(again.id, known_client.id);
    let other = url("http://127.0.0.1:2/callback");
    let moved = world
        .register_as(&discovery, |registration| {
            registration.known_client = Some(&known_client);
            registration.redirect = &other;
        })
        .await;
    assert_ne!(moved.unwrap().id, known_client.id);
    let attempt = world.attempt().await.unwrap();
    let back = world.browse(attempt.url()).await;
    assert!(code(&attempt, &back).is_ok());
}
