//! A person signs in to a remote server by pressing a button, sees where they are sent, and
//! approves what is out of the ordinary.

use crate::support::evidence::{Evidence, secret};
use crate::support::sign_in::{
    Addresses, SERVER, SigningIn, asked, failed, get, is_signed_in, visit, way_back,
};
use crate::support::{Choices, code, text};
use host::KeyringChoice;
use host::api::{ErrorCode, ServerState, SignInApprovals, SignInStatus};
use policy::Decision;
use serde_json::{Value, json};
use test_servers::authority::{Back, Challenge, MetadataAt, Place, Registration, ResourceAt};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_turns_us_away_wants_a_sign_in_and_no_browser_opens_by_itself() {
    let it = SigningIn::new(|script| script.challenge_scope = Some("files:read".into())).await;
    assert_eq!(it.test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    assert_eq!(
        it.state().await,
        SignInStatus::Wanted {
            scopes: vec!["files:read".into()]
        }
    );
    assert!(it.browser.opened().is_empty());
    assert!(
        it.authority.seen_at(Place::Authority, "").is_empty(),
        "nobody was asked before a person wanted it"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_and_the_server_runs() {
    let it = SigningIn::new(|script| script.challenge_scope = Some("files:read".into())).await;
    let state = it.sign_in().await;
    let SignInStatus::SignedIn {
        issuer,
        scopes,
        expires_at,
    } = state
    else {
        panic!("{state:?}")
    };
    assert_eq!(
        (issuer, scopes, expires_at.is_some()),
        (it.authority.issuer(), vec!["files:read".to_owned()], true)
    );
    assert_eq!(it.test.state(SERVER).await, ServerState::Ready);
    let opened = it.browser.opened();
    assert_eq!(opened.len(), 1);
    assert_eq!(asked(&opened[0], "resource"), it.authority.server());
    assert_eq!(asked(&opened[0], "code_challenge_method"), "S256");
    let shown = it.view().await.sign_in.unwrap();
    assert_eq!(
        (shown.account.as_str(), shown.accounts),
        ("default", vec!["default".to_owned()])
    );
    let log = it
        .test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 50}),
        )
        .await
        .unwrap();
    let events: Vec<_> = log["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["what"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        events.contains(&"signed_in".to_owned()) && events.contains(&"url_opened".to_owned()),
        "{events:?}"
    );
    let signed_in = log["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["what"] == "signed_in")
        .unwrap();
    assert_eq!(signed_in["caller"]["kind"], "terminal", "{signed_in}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_pasted_ends_the_wait_and_another_one_does_not() {
    let it = SigningIn::waiting(|_| {}).await;
    let back = way_back(&it.open().await);
    let mut foreign = back.clone();
    foreign
        .query_pairs_mut()
        .clear()
        .append_pair("state", "another")
        .append_pair("code", "x");
    assert_eq!(
        code(it.try_ask("finish_sign_in", json!({"url": foreign})).await),
        ErrorCode::SignInForged
    );
    assert_eq!(
        code(it.try_ask("finish_sign_in", json!({"url": "hello"})).await),
        ErrorCode::SignInForged
    );
    assert!(matches!(it.state().await, SignInStatus::Waiting { .. }));
    it.ask("finish_sign_in", json!({"url": format!("  {back}\n")}))
        .await;
    assert!(is_signed_in(&it.ended().await));
    assert_eq!(
        code(it.try_ask("finish_sign_in", json!({"url": back})).await),
        ErrorCode::SignInTimedOut
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_is_given_up_closes_its_door_and_leaves_what_was() {
    let it = SigningIn::waiting(|_| {}).await;
    let back = way_back(&it.open().await);
    it.ask("cancel_sign_in", json!({})).await;
    assert_eq!(
        it.state().await,
        SignInStatus::Wanted { scopes: Vec::new() }
    );
    let again = it.open().await;
    assert_ne!(asked(&again, "state"), asked(&back, "state"));
    // The old address does not belong to the new sign-in, wherever it is taken to.
    assert_eq!(
        code(it.try_ask("finish_sign_in", json!({"url": back})).await),
        ErrorCode::SignInForged
    );
    assert_eq!(it.grants("authorization_code"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_sign_in_takes_the_place_of_the_first() {
    let it = SigningIn::waiting(|_| {}).await;
    let first = way_back(&it.open().await);
    it.ask("sign_in", json!({})).await;
    it.until(|view| matches!(&view.sign_in.as_ref().unwrap().state, SignInStatus::Waiting { url } if asked(&url.parse().unwrap(), "state") != asked(&first, "state")))
        .await;
    let SignInStatus::Waiting { url } = it.state().await else {
        panic!("it does not wait")
    };
    visit(&url.parse().unwrap());
    assert!(is_signed_in(&it.ended().await));
    assert_eq!(it.grants("authorization_code"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_host_ends_a_sign_in() {
    let it = SigningIn::waiting(|_| {}).await;
    let back = way_back(&it.open().await);
    it.test.host.close().await;
    assert_ne!(get(&back).0, 200, "the door is still open");
    assert_eq!(it.grants("authorization_code"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_tokens_are_kept_in_memory_if_a_person_wants_that() {
    let choices = Choices {
        keyring: KeyringChoice::Absent("there is none here".into()),
        ..Choices::default()
    };
    let it = SigningIn::with(|_| {}, Addresses::agreeing, choices).await;
    let (error, approvable) = failed(it.sign_in().await);
    assert_eq!(
        (error.code, approvable),
        (
            ErrorCode::KeyringMissing,
            Some(SignInApprovals {
                without_keyring: true,
                ..SignInApprovals::default()
            })
        )
    );
    assert!(
        it.browser.opened().is_empty(),
        "nobody is sent anywhere for nothing"
    );
    assert!(is_signed_in(
        &it.sign_in_approving(json!({"without_keyring": true})).await
    ));
    it.authority.expire();
    let _person = it.test.person([Decision::always()]);
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_approves_is_what_was_seen_and_nothing_else() {
    let it = SigningIn::new(|_| {}).await;
    let elsewhere = it.authority.elsewhere().to_owned();
    it.authority.script(|script| {
        _ = script
            .metadata
            .insert("token_endpoint".into(), json!(format!("{elsewhere}/token")))
    });
    // Nothing was seen yet, so there is nothing to approve.
    let (error, approvable) = failed(
        it.sign_in_approving(json!({"foreign_endpoints": true}))
            .await,
    );
    assert_eq!(error.code, ErrorCode::SignInElsewhere);
    assert!(error.message.contains(&elsewhere), "{error:?}");
    assert_eq!(
        approvable,
        Some(SignInApprovals {
            foreign_endpoints: true,
            ..SignInApprovals::default()
        })
    );
    // Meanwhile the service names another place; the approval does not cover it.
    it.authority.script(|script| {
        _ = script.metadata.insert(
            "revocation_endpoint".into(),
            json!("http://127.0.0.1:9/revoke"),
        )
    });
    let (error, _) = failed(
        it.sign_in_approving(json!({"foreign_endpoints": true}))
            .await,
    );
    assert!(
        error.message.contains("127.0.0.1:9")
            && it.authority.seen_at(Place::Elsewhere, "").is_empty(),
        "{error:?}"
    );
    assert!(it.browser.opened().is_empty());
    it.ask("sign_in", json!({"approved": {"foreign_endpoints": true}}))
        .await;
    it.ended().await;
    assert_eq!(it.browser.opened().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_protects_nothing_needs_an_approval() {
    let it = SigningIn::new(|script| {
        _ = script
            .metadata
            .insert("code_challenge_methods_supported".into(), Value::Null)
    })
    .await;
    let (error, approvable) = failed(it.sign_in().await);
    assert_eq!(
        (error.code, approvable),
        (
            ErrorCode::SignInUnprotected,
            Some(SignInApprovals {
                without_pkce: true,
                ..SignInApprovals::default()
            })
        )
    );
    assert!(it.browser.opened().is_empty());
    assert!(is_signed_in(
        &it.sign_in_approving(json!({"without_pkce": true})).await
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_of_2025_03_26_needs_an_approval() {
    let it = SigningIn::new(|script| {
        script.at_home = true;
        script.resource_at = ResourceAt::Nowhere;
        script.challenge = Challenge::Bare;
        script.metadata_at = MetadataAt::Nowhere;
    })
    .await;
    let (error, approvable) = failed(it.sign_in().await);
    assert_eq!(
        (error.code, approvable),
        (
            ErrorCode::SignInNotFound,
            Some(SignInApprovals {
                legacy_endpoints: true,
                ..SignInApprovals::default()
            })
        )
    );
    it.authority.script(|script| script.back = Back::NoIssuer);
    assert!(is_signed_in(
        &it.sign_in_approving(json!({"legacy_endpoints": true}))
            .await
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_registers_nobody_says_so() {
    let it = SigningIn::new(|script| {
        _ = script
            .metadata
            .insert("registration_endpoint".into(), Value::Null)
    })
    .await;
    assert_eq!(failed(it.sign_in().await).0.code, ErrorCode::ClientIdNeeded);
    it.authority.script(|script| {
        script.metadata.clear();
        script.registration =
            Registration::Refused("invalid_redirect_uri".into(), "not from here".into());
    });
    let (error, _) = failed(it.sign_in().await);
    assert_eq!(error.code, ErrorCode::RegistrationRefused);
    assert!(error.message.contains("not from here"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_is_refused_there_says_so_in_the_words_of_the_service() {
    let it = SigningIn::new(|script| {
        script.back = Back::Error("access_denied".into(), "you may not".into())
    })
    .await;
    let (error, _) = failed(it.sign_in().await);
    assert_eq!(error.code, ErrorCode::SignInRefused);
    assert!(error.message.contains("you may not"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_a_server_that_nobody_has_looked_at() {
    let it = SigningIn::new(|_| {}).await;
    let other = test_servers::authority::Authority::start().await.unwrap();
    it.test
        .ask(
            "add_server",
            json!({"draft": {"name": "new", "target": {"kind": "http", "url": other.server()}}}),
        )
        .await
        .unwrap();
    assert_eq!(
        code(it.test.ask("sign_in", json!({"server": "new"})).await),
        ErrorCode::ReviewNeeded
    );
    assert_eq!(
        code(it.test.ask("diagnose", json!({"server": "new"})).await),
        ErrorCode::ReviewNeeded
    );
    assert!(other.seen().is_empty());
    it.test
        .add("local", &[crate::support::misbehave().as_str(), "many"])
        .await;
    assert_eq!(
        code(it.test.ask("sign_in", json!({"server": "local"})).await),
        ErrorCode::NotOffered
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_and_secrets_are_found_nowhere_although_the_server_gives_them_away() {
    let it = SigningIn::new(|_| {}).await;
    let mut evidence = Evidence::gather(&it.test).await;
    let planted = secret(40);
    evidence
        .rpc(
            "set_oauth_client",
            json!({"server": SERVER, "client": {"client_id": "ours", "client_secret": planted}}),
        )
        .await;
    assert!(is_signed_in(&it.sign_in().await));
    let _person = it.test.person([Decision::always()]);
    for _ in 0..2 {
        let answer = it.test.call(SERVER, "whoami", json!({})).await.unwrap();
        assert!(text(&answer).contains("•••"), "{answer:?}");
        evidence.keep("whoami", &answer);
        // The next one is made with a token that is renewed meanwhile.
        it.authority.expire();
    }
    for method in ["list_exchange", "diagnose", "list_logs"] {
        evidence
            .rpc(method, json!({"server": SERVER, "call": null}))
            .await;
    }
    evidence.ask_everything(&[SERVER]).await;
    evidence
        .rpc("sign_out", json!({"server": SERVER, "account": null}))
        .await;
    it.ended().await;
    it.test.host.close().await;
    evidence.collect(&it.test);
    let tokens = it.tokens();
    assert!(
        tokens.len() >= 6 && it.grants("refresh_token") == 1,
        "{tokens:?}"
    );
    for token in tokens.iter().chain([&planted]) {
        evidence.must_not_hold(token);
    }
}
