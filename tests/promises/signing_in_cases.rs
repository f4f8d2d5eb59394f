//! Attacks on sign-ins that have happened elsewhere, one test each, by their number in the list of
//! cases. What the mechanics alone can show is shown where they are (`oauth`, `egress`); here it is
//! the host that is attacked.

use crate::support::evidence::secret;
use crate::support::http::Address;
use crate::support::remote::Remote;
use crate::support::sign_in::{SERVER, SigningIn, get, visit, way_back};
use crate::support::{TestHost, code};
use host::api::{ErrorCode, HostEvent, SignInStatus};
use policy::Decision;
use serde_json::{Value, json};
use test_servers::authority::{Authority, Back, Challenge, Place, Script, Token};

/// A sign-in that must fail like this, without a browser, a token or a credential that goes
/// anywhere.
async fn refused(script: impl FnOnce(&mut Script), expected: ErrorCode) {
    let it = SigningIn::new(script).await;
    match it.sign_in().await {
        SignInStatus::Failed { error, approvable } => {
            assert_eq!((error.code, approvable), (expected, None), "{error:?}");
            assert!(!error.message.contains("evil"), "{error:?}");
        }
        other => panic!("it did not fail: {other:?}"),
    }
    assert!(it.browser.opened().is_empty());
    assert_eq!(it.authority.seen_at(Place::Authority, "/token").len(), 0);
    assert!(it.authority.seen_at(Place::Elsewhere, "").is_empty());
}

const UNSAFE: [&str; 8] = [
    "file:///etc/passwd",
    "a:$(touch evil)",
    "javascript:alert('evil')",
    "\\\\evil\\share",
    "http://evil.example/authorize",
    "https://user:evil@a.example/",
    "https://a.example/\nevil",
    "ms-msdt:/id evil",
];

#[tokio::test(flavor = "multi_thread")]
async fn case_15_no_address_but_one_for_a_browser_is_opened() {
    for address in UNSAFE {
        refused(
            |script| {
                _ = script
                    .metadata
                    .insert("authorization_endpoint".into(), json!(address))
            },
            ErrorCode::SignInUnsafe,
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_16_nor_is_any_other_address_used() {
    for field in [
        "token_endpoint",
        "registration_endpoint",
        "revocation_endpoint",
    ] {
        refused(
            |script| _ = script.metadata.insert(field.into(), json!("file:///evil")),
            ErrorCode::SignInUnsafe,
        )
        .await;
    }
    refused(
        |script| script.authorization_servers = Some(vec!["file:///evil".into()]),
        ErrorCode::SignInUnsafe,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_17_no_request_opens_an_address_of_a_surface_or_a_server() {
    let it = SigningIn::waiting(|_| {}).await;
    let url = it.open().await;
    let opened = it.browser.opened();
    assert_eq!(opened, [url]);
    for address in UNSAFE {
        assert_eq!(
            code(it.try_ask("finish_sign_in", json!({"url": address})).await),
            ErrorCode::SignInForged
        );
    }
    assert_eq!(it.browser.opened(), opened);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_18_metadata_of_another_server_end_the_sign_in() {
    refused(
        |script| script.resource = Some("https://another.example/mcp".into()),
        ErrorCode::SignInMismatch,
    )
    .await;
    let foreign =
        "Bearer resource_metadata=\"https://another.example/.well-known/oauth-protected-resource\"";
    refused(
        |script| script.challenge = Challenge::Raw(foreign.into()),
        ErrorCode::SignInMismatch,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_19_a_token_endpoint_elsewhere_gets_nothing_unless_a_person_approves_it() {
    let it = SigningIn::new(|_| {}).await;
    let elsewhere = format!("{}/token", it.authority.elsewhere());
    it.authority.script(|script| {
        _ = script
            .metadata
            .insert("token_endpoint".into(), json!(elsewhere))
    });
    assert!(
        matches!(it.sign_in().await, SignInStatus::Failed { error, .. } if error.code == ErrorCode::SignInElsewhere)
    );
    assert!(
        it.authority.seen_at(Place::Elsewhere, "").is_empty() && it.browser.opened().is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_20_a_token_endpoint_that_redirects_gets_no_secret_sent_again() {
    let it = SigningIn::new(|_| {}).await;
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": secret(40)}}),
    )
    .await;
    let elsewhere = format!("{}/token", it.authority.elsewhere());
    it.authority
        .script(|script| script.token = Token::Redirect(elsewhere));
    assert!(
        matches!(it.sign_in().await, SignInStatus::Failed { error, .. } if error.code == ErrorCode::SignInUnsafe)
    );
    assert!(it.authority.seen_at(Place::Elsewhere, "").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn case_20_nor_does_one_at_a_renewal() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let elsewhere = format!("{}/token", it.authority.elsewhere());
    it.authority
        .script(|script| script.token = Token::Redirect(elsewhere));
    it.authority.expire();
    let _person = it.test.person([Decision::always()]);
    assert_eq!(
        code(it.test.call(SERVER, "whoami", json!({})).await),
        ErrorCode::NeedsSignIn
    );
    assert!(it.authority.seen_at(Place::Elsewhere, "").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn case_21_a_service_where_no_server_can_be_is_not_reached() {
    for address in [
        "https://169.254.169.254",
        "https://[::ffff:169.254.169.254]",
        "https://0xa9.0xfe.0xa9.0xfe",
        "https://198.18.0.1",
    ] {
        refused(
            |script| script.authorization_servers = Some(vec![address.into()]),
            ErrorCode::SignInUnsafe,
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_23_a_foreign_or_old_way_back_is_ignored_and_a_second_use_too() {
    let it = SigningIn::waiting(|_| {}).await;
    let old = way_back(&it.open().await);
    it.ask("cancel_sign_in", json!({})).await;
    let back = way_back(&it.open().await);
    let mut foreign = back.clone();
    foreign.set_query(Some("state=foreign&code=stolen"));
    let mut stale = back.clone();
    stale.set_query(old.query());
    for wrong in [&foreign, &stale] {
        assert_eq!(get(wrong).0, 404, "{wrong}");
    }
    assert!(matches!(it.state().await, SignInStatus::Waiting { .. }));
    assert_eq!(visit(&back).0, 200);
    assert!(matches!(it.ended().await, SignInStatus::SignedIn { .. }));
    assert_ne!(get(&back).0, 200, "the door is still open");
    assert_eq!(it.grants("authorization_code"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_24_an_answer_of_another_service_ends_it_before_the_code_is_sent_and_its_words_are_not_shown()
 {
    let other = || "https://another.example".to_owned();
    for back in [
        Back::Issuer(other()),
        Back::NoIssuer,
        Back::ErrorOf("evil".into(), "evil words".into(), other()),
    ] {
        let it = SigningIn::new(|script| script.back = back.clone()).await;
        match it.sign_in().await {
            SignInStatus::Failed { error, .. } => {
                assert_eq!(error.code, ErrorCode::SignInForged);
                assert!(!error.message.contains("evil"), "{error:?}");
            }
            other => panic!("{back:?}: {other:?}"),
        }
        assert_eq!(
            it.authority.seen_at(Place::Authority, "/token").len(),
            0,
            "{back:?}"
        );
    }
    let it = SigningIn::new(|_| {}).await;
    let slash = format!("{}/", it.authority.issuer());
    it.authority
        .script(|script| script.back = Back::Issuer(slash));
    assert!(
        matches!(it.sign_in().await, SignInStatus::Failed { error, .. } if error.code == ErrorCode::SignInForged)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_25_a_server_that_redirects_elsewhere_gets_no_token_sent_there() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let elsewhere = it.authority.elsewhere().to_owned();
    it.authority
        .script(|script| script.moved = Some(format!("{elsewhere}/mcp")));
    let _person = it.test.person([Decision::always()]);
    assert_eq!(
        code(it.test.call(SERVER, "whoami", json!({})).await),
        ErrorCode::Redirected
    );
    assert!(it.authority.seen_at(Place::Elsewhere, "").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn case_26_what_stands_for_another_value_is_sent_as_it_is_written() {
    let (test, remote) = (TestHost::new().await, Remote::new("X-Key").await);
    let template = "${HOME} {{TOKEN}} $(id) %PATH%";
    let headers = json!([{"name": "X-Key", "value": {"kind": "plain", "text": template}}]);
    test.add_with(
        "remote",
        json!({"kind": "http", "url": remote.url, "headers": headers}),
    )
    .await;
    let seen = remote.seen();
    assert!(
        !seen.is_empty() && seen.iter().all(|value| value == template),
        "{seen:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_27_the_token_of_one_server_is_never_sent_to_another() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let other = Authority::start().await.unwrap();
    it.test
        .add_with("other", json!({"kind": "http", "url": other.server()}))
        .await;
    // The other one says that it belongs to the same service, and to the server that is signed in
    // to.
    let (server, issuer) = (it.authority.server(), it.authority.issuer());
    other.script(|script| {
        script.resource = Some(server);
        script.authorization_servers = Some(vec![issuer]);
    });
    it.test
        .ask("sign_in", json!({"server": "other"}))
        .await
        .unwrap();
    let fits = |event: &HostEvent| {
        matches!(event, HostEvent::ServerChanged { server }
            if server.id.as_str() == "other" && matches!(server.sign_in.as_ref().unwrap().state, SignInStatus::Failed { .. }))
    };
    let failed = |server: &host::api::ServerView| {
        matches!(
            server.sign_in.as_ref().unwrap().state,
            SignInStatus::Failed { .. }
        )
    };
    let mut recorder = it.test.listen();
    let now = it
        .test
        .host
        .snapshot()
        .await
        .servers
        .into_iter()
        .find(|server| server.id.as_str() == "other")
        .unwrap();
    if !failed(&now) {
        recorder.until(fits).await;
    }
    assert!(other.seen().iter().all(|seen| seen.authorization.is_none()));
    assert!(
        it.tokens()
            .iter()
            .all(|token| other.seen().iter().all(|seen| !seen.body.contains(token)))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_28_no_request_returns_a_stored_secret() {
    let (it, planted) = (SigningIn::new(|_| {}).await, secret(40));
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": planted}}),
    )
    .await;
    it.sign_in().await;
    let calls = [
        ("snapshot", Value::Null),
        ("review_server", json!({"server": SERVER})),
        ("server_log", json!({"server": SERVER})),
        ("list_tools", json!({"server": SERVER})),
        ("list_logs", json!({"server": SERVER})),
        ("list_exchange", json!({"server": SERVER, "call": null})),
        ("diagnose", json!({"server": SERVER})),
        (
            "use_account",
            json!({"server": SERVER, "account": "default"}),
        ),
        ("cancel_sign_in", json!({"server": SERVER})),
        (
            "set_oauth_client",
            json!({"server": SERVER, "client": {"client_id": "ours", "client_secret": null}}),
        ),
        ("restart_server", json!({"server": SERVER})),
        ("export_log", json!({"format": "jsonl"})),
        (
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 500}),
        ),
        ("sign_out", json!({"server": SERVER, "account": null})),
    ];
    let mut answers = Vec::new();
    for (method, params) in calls {
        answers.push((
            method,
            it.test.ask(method, params).await.unwrap().to_string(),
        ));
    }
    let tokens = it.tokens();
    assert!(tokens.len() >= 4, "{tokens:?}");
    for (method, answer) in answers {
        for token in tokens.iter().chain([&planted]) {
            assert!(!answer.contains(&token[..12]), "{method}: {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_29_nobody_signs_in_over_loopback_without_the_token_or_from_another_origin() {
    let it = SigningIn::new(|_| {}).await;
    let pages = tempfile::tempdir().unwrap();
    let serving = loopback::serve(it.test.host.clone(), Some(pages.path()), None)
        .await
        .unwrap();
    let address = Address::of_page(serving.page().unwrap());
    let ask = json!({"method": "sign_in", "params": {"server": SERVER}});
    for (headers, status) in [
        ([("Authorization", "")], 401),
        ([("Authorization", "Bearer")], 401),
        ([("Authorization", "Bearer ")], 401),
        ([("Host", "evil.example")], 403),
        ([("Host", "0.0.0.0")], 403),
        ([("Origin", "https://evil.example")], 403),
        ([("Origin", "null")], 403),
    ] {
        assert_eq!(address.rpc(&ask, &headers).await.0, status, "{headers:?}");
    }
    let place = address.place().replace("127.0.0.1", "0.0.0.0");
    assert_eq!(address.rpc(&ask, &[("Host", &place)]).await.0, 403);
    assert!(it.browser.opened().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn case_30_no_other_origin_is_told_that_it_may_read_answers() {
    let test = TestHost::new().await;
    let pages = tempfile::tempdir().unwrap();
    let serving = loopback::serve(test.host.clone(), Some(pages.path()), None)
        .await
        .unwrap();
    let address = Address::of_page(serving.page().unwrap());
    let place = address.place();
    let bearer = format!("Bearer {}", address.token);
    let ask = json!({"method": "list_questions"}).to_string();
    for origin in [
        format!("http://{place}"),
        "https://evil.example".to_owned(),
        "null".to_owned(),
    ] {
        for (line, body) in [("POST /rpc", ask.as_str()), ("OPTIONS /rpc", "")] {
            let headers = [
                ("Host", place.as_str()),
                ("Authorization", &bearer),
                ("Origin", &origin),
            ];
            let head = address
                .head(line, &headers, body)
                .await
                .to_ascii_lowercase();
            assert!(
                head.starts_with("http/1.1") && !head.contains("access-control-allow"),
                "{origin}: {head}"
            );
        }
    }
}
