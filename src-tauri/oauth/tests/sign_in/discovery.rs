//! Discovery finds what is where the specification says it may be, and takes nothing else for it.

use crate::support::{url, world};
use oauth::{Ask, Doctor, OAuthError, Outcome, Problem, Source, Way, What, discover};
use serde_json::json;
use test_servers::authority::{Challenge, MetadataAt, Place, ResourceAt};

#[tokio::test]
async fn metadata_is_found_at_every_place_of_the_specification() {
    for resource_at in [
        ResourceAt::Path,
        ResourceAt::Root,
        ResourceAt::Custom("/custom/metadata.json".into()),
    ] {
        for (path, metadata_at) in [
            ("", MetadataAt::OAuth),
            ("", MetadataAt::OpenIdInserted),
            ("/tenant1", MetadataAt::OAuth),
            ("/tenant1", MetadataAt::OpenIdInserted),
            ("/tenant1", MetadataAt::OpenIdAppended),
        ] {
            let mut world = world(|script| {
                script.challenge = if matches!(resource_at, ResourceAt::Custom(_)) {
                    Challenge::Named
                } else {
                    Challenge::Bare
                };
                script.resource_at = resource_at.clone();
                script.issuer_path = path.into();
                script.metadata_at = metadata_at;
            })
            .await;
            let discovery = world.discover().await.unwrap();
            assert_eq!(discovery.issuer, world.authority.issuer());
            assert_eq!(discovery.source, Source::Metadata);
        }
    }
}

#[tokio::test]
async fn where_the_server_says_its_metadata_lie_nothing_else_is_tried() {
    let mut world = world(|script| {
        script.challenge = Challenge::Raw("Bearer resource_metadata=\"x\"".into());
    })
    .await;
    let named = format!(
        "Bearer resource_metadata=\"{}\"",
        world.server.join("/nothing").unwrap()
    );
    world
        .authority
        .script(|script| script.challenge = Challenge::Raw(named));
    assert_eq!(world.problem().await, Problem::NoResourceMetadata);
    assert_eq!(
        world.seen(Place::Server, "/.well-known/oauth-protected-resource/mcp"),
        0
    );
}

#[tokio::test]
async fn metadata_of_the_server_at_another_origin_are_not_fetched() {
    let mut world = world(|_| {}).await;
    let named = format!(
        "Bearer resource_metadata=\"{}/m\"",
        world.authority.elsewhere()
    );
    world
        .authority
        .script(|script| script.challenge = Challenge::Raw(named));
    assert_eq!(world.problem().await, Problem::ForeignResourceMetadata);
    assert_eq!(world.seen(Place::Elsewhere, ""), 0);
}

#[tokio::test]
async fn the_authorization_server_of_an_earlier_sign_in_is_chosen_again_while_it_is_named() {
    let mut world = world(|_| {}).await;
    let (issuer, other) = (
        world.authority.issuer(),
        format!("{}/other", world.authority.elsewhere()),
    );
    world
        .authority
        .script(|script| script.authorization_servers = Some(vec![other.clone(), issuer.clone()]));
    let found = world.discover_after(&issuer).await.unwrap();
    assert_eq!(found.issuer, issuer);
    world
        .authority
        .script(|script| script.authorization_servers = Some(vec![issuer.clone()]));
    let found = world.discover_after("https://gone.example").await.unwrap();
    assert_eq!(found.issuer, issuer);
}

#[tokio::test]
async fn the_name_of_the_authorization_server_is_compared_as_text() {
    for change in ["/", "/other", "?x"] {
        let mut world = world(|_| {}).await;
        let other = format!("{}{change}", world.authority.issuer());
        world
            .authority
            .script(|script| drop(script.metadata.insert("issuer".into(), json!(other))));
        assert!(
            matches!(world.problem().await, Problem::OtherIssuer { .. }),
            "{change}"
        );
        assert_eq!(world.seen(Place::Authority, "/register"), 0);
    }
}

#[tokio::test]
async fn without_proof_keys_nobody_signs_in_unless_the_person_allowed_it_for_this_server() {
    for methods in [json!(null), json!([]), json!(["plain"])] {
        let mut world = world(|script| {
            drop(
                script
                    .metadata
                    .insert("code_challenge_methods_supported".into(), methods),
            )
        })
        .await;
        assert_eq!(world.problem().await, Problem::NoProofKey);
        assert!(
            world
                .discover_as(|ask| ask.missing_proof_key_approved = true)
                .await
                .is_ok()
        );
        assert!(
            world
                .discover_as(|ask| ask.way = Way::Machine)
                .await
                .is_ok()
        );
    }
}

#[tokio::test]
async fn the_older_way_is_taken_only_when_it_is_allowed() {
    for (metadata_at, source) in [
        (MetadataAt::OAuth, Source::LegacyMetadata),
        (MetadataAt::Nowhere, Source::LegacyDefaults),
    ] {
        let mut world = world(|script| {
            script.resource_at = ResourceAt::Nowhere;
            script.at_home = true;
            script.metadata_at = metadata_at;
        })
        .await;
        assert_eq!(world.problem().await, Problem::NoResourceMetadata);
        let discovery = world
            .discover_as(|ask| ask.legacy_approved = true)
            .await
            .unwrap();
        assert_eq!(discovery.source, source);
        assert_eq!(discovery.resource, world.server.as_str());
        assert_eq!(
            discovery.token_endpoint,
            world.server.join("/token").unwrap()
        );
    }
}

#[tokio::test]
async fn the_older_way_stays_at_the_servers_own_origin() {
    let mut world = world(|script| {
        script.resource_at = ResourceAt::Nowhere;
        script.at_home = true;
    })
    .await;
    let other = world.authority.elsewhere().to_owned();
    world
        .authority
        .script(|script| drop(script.metadata.insert("issuer".into(), json!(other))));
    let error = world
        .discover_as(|ask| ask.legacy_approved = true)
        .await
        .unwrap_err();
    assert!(matches!(
        error,
        OAuthError::Discovery {
            step: What::Issuer,
            ..
        }
    ));
}

#[tokio::test]
async fn a_server_address_that_is_not_secure_is_not_asked() {
    let world = world(|_| {}).await;
    for server in [
        "http://mcp.example/mcp",
        "ftp://127.0.0.1/",
        "https://u:p@mcp.example/",
    ] {
        let (server, mut doctor) = (url(server), Doctor::new());
        let error = discover(&world.egress, &Ask::new(&server, None), &mut doctor)
            .await
            .unwrap_err();
        assert!(
            matches!(
                error,
                OAuthError::Discovery {
                    problem: Problem::BadAddress {
                        field: "server",
                        ..
                    },
                    ..
                }
            ),
            "{error}"
        );
        assert!(matches!(doctor.steps()[0].outcome, Outcome::Failed { .. }));
    }
    assert!(world.authority.seen().is_empty());
}
