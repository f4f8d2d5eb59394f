//! Several accounts and clients of one server: each is used where it belongs, and leaves nothing
//! behind when it goes.

use crate::support::evidence::secret;
use crate::support::sign_in::{Addresses, SERVER, SigningIn, asked, failed, is_signed_in};
use crate::support::{Choices, code};
use host::api::{ErrorCode, SignInStatus};
use serde_json::json;
use test_servers::authority::{Place, Registration};
use url::Url;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_a_person_entered_is_used_with_its_secret() {
    let (it, secret) = (
        SigningIn::new(|script| {
            script.registration = Registration::Refused("no".into(), "no".into())
        })
        .await,
        secret(40),
    );
    let client = json!({"client_id": "ours", "client_secret": secret});
    let view = it.ask("set_oauth_client", json!({"client": client})).await;
    assert_eq!(
        view.pointer("/sign_in/client"),
        Some(&json!({"client_id": "ours", "has_secret": true, "without_person": false}))
    );
    assert!(is_signed_in(&it.sign_in().await));
    assert_eq!(asked(&it.browser.opened()[0], "client_id"), "ours");
    assert_eq!(
        it.authority.seen_at(Place::Authority, "/token")[0].basic(),
        Some(("ours".to_owned(), secret))
    );
    assert!(
        it.authority
            .seen_at(Place::Authority, "/register")
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_a_person_entered_is_shown_to_nobody_but_who_knows_it() {
    let it = SigningIn::new(|_| {}).await;
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": secret(40)}}),
    )
    .await;
    assert!(is_signed_in(&it.sign_in().await));
    it.ask("sign_out", json!({})).await;
    // The server now names another service. The tokens are gone, and still the client is not shown
    // there.
    it.authority
        .script(|script| script.issuer_path = "/tenant2".into());
    let before = it.authority.seen_at(Place::Authority, "/token").len();
    let (error, approvable) = failed(it.sign_in().await);
    assert_eq!((error.code, approvable), (ErrorCode::SignInMismatch, None));
    assert_eq!(
        it.authority.seen_at(Place::Authority, "/token").len(),
        before
    );
    // A person who expects that enters it anew.
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": secret(40)}}),
    )
    .await;
    assert!(is_signed_in(&it.sign_in().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_metadata_document_is_our_name_where_it_is_taken() {
    let document: Url = "https://majordomo.example/client.json".parse().unwrap();
    let choices = Choices {
        client_document: Some(document.clone()),
        ..Choices::default()
    };
    let taken = |script: &mut test_servers::authority::Script| {
        script
            .metadata
            .insert("client_id_metadata_document_supported".into(), json!(true));
    };
    let it = SigningIn::with(taken, Addresses::agreeing, choices).await;
    assert!(is_signed_in(&it.sign_in().await));
    assert_eq!(
        asked(&it.browser.opened()[0], "client_id"),
        document.as_str()
    );
    assert!(
        it.authority
            .seen_at(Place::Authority, "/register")
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_account_has_its_own_tokens_and_another_one_begins_without() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let first = it
        .authority
        .seen_at(Place::Server, "/mcp")
        .last()
        .unwrap()
        .bearer()
        .map(str::to_owned);
    it.ask("use_account", json!({"account": "work"})).await;
    it.ended().await;
    assert_eq!(it.test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    it.sign_in().await;
    let second = it
        .authority
        .seen_at(Place::Server, "/mcp")
        .last()
        .unwrap()
        .bearer()
        .map(str::to_owned);
    assert_ne!(first, second);
    it.ask("use_account", json!({"account": "default"})).await;
    assert!(is_signed_in(&it.ended().await));
    assert_eq!(
        it.authority
            .seen_at(Place::Server, "/mcp")
            .last()
            .unwrap()
            .bearer()
            .map(str::to_owned),
        first
    );
    let shown = it.view().await.sign_in.unwrap();
    assert_eq!(
        (shown.account.as_str(), shown.accounts),
        ("default", vec!["default".to_owned(), "work".to_owned()])
    );
    for bad in ["", " ", "a\nb", &"x".repeat(65)] {
        assert_eq!(
            code(it.try_ask("use_account", json!({"account": bad})).await),
            ErrorCode::BadName,
            "{bad:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_gives_the_tokens_back_and_forgets_them() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    it.ask("sign_out", json!({})).await;
    it.ended().await;
    let given_back = it.authority.seen_at(Place::Authority, "/revoke");
    let kinds: Vec<_> = given_back
        .iter()
        .map(|seen| seen.form["token_type_hint"].as_str())
        .collect();
    assert_eq!(kinds, ["refresh_token", "access_token"]);
    assert_eq!(it.test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    assert!(it.view().await.sign_in.unwrap().accounts.is_empty());
    let test = it.test.again().await;
    test.ask("review_offers", json!({"server": SERVER}))
        .await
        .unwrap();
    assert_eq!(test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    assert_eq!(
        code(
            test.ask("sign_out", json!({"server": SERVER, "account": "nobody"}))
                .await
        ),
        ErrorCode::BadName
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_of_one_account_uses_no_other_one_unasked() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    it.ask("use_account", json!({"account": "work"})).await;
    it.sign_in().await;
    it.ask("sign_out", json!({"account": null})).await;
    it.ended().await;
    let shown = it.view().await.sign_in.unwrap();
    assert_eq!(
        (shown.account.as_str(), it.test.failure(SERVER).await.code),
        ("work", ErrorCode::NeedsSignIn)
    );
    it.ask("use_account", json!({"account": "default"})).await;
    assert!(is_signed_in(&it.ended().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_moves_to_another_origin_gets_nothing_of_the_old_one() {
    let it = SigningIn::new(|_| {}).await;
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": secret(40)}}),
    )
    .await;
    it.sign_in().await;
    let other = test_servers::authority::Authority::start().await.unwrap();
    it.ask(
        "edit_server",
        json!({"draft": {"name": SERVER, "target": {"kind": "http", "url": other.server()}}}),
    )
    .await;
    let shown = it.view().await.sign_in.unwrap();
    assert_eq!(
        (shown.state, shown.accounts.len(), shown.client),
        (SignInStatus::SignedOut, 0, None)
    );
    it.test.switch_on(SERVER).await;
    let sent = other.seen();
    assert!(
        !sent.is_empty() && sent.iter().all(|seen| seen.authorization.is_none()),
        "{sent:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_moves_to_another_path_is_signed_in_to_anew() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let elsewhere = it.authority.server().replace("/mcp", "/other");
    it.ask(
        "edit_server",
        json!({"draft": {"name": SERVER, "target": {"kind": "http", "url": elsewhere}}}),
    )
    .await;
    it.test.switch_on(SERVER).await;
    let sent = it.authority.seen_at(Place::Server, "/other");
    assert!(
        !sent.is_empty() && sent.iter().all(|seen| seen.authorization.is_none()),
        "{sent:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_removed_takes_its_accounts_and_secrets_along() {
    let it = SigningIn::new(|_| {}).await;
    it.ask(
        "set_oauth_client",
        json!({"client": {"client_id": "ours", "client_secret": secret(40)}}),
    )
    .await;
    it.sign_in().await;
    it.ask("remove_server", json!({})).await;
    // The same name again knows nothing of the server before.
    it.test
        .add_with(
            SERVER,
            json!({"kind": "http", "url": it.authority.server()}),
        )
        .await;
    let shown = it.view().await.sign_in.unwrap();
    assert_eq!((shown.accounts.len(), shown.client), (0, None));
    assert_eq!(it.test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    assert_eq!(
        std::fs::read_dir(it.test.dir().join("sign-in"))
            .unwrap()
            .count(),
        0
    );
}
