//! Who has signed in stays signed in: tokens are renewed without the person, once for all who need
//! them, and more rights are never taken unasked.

use crate::support::evidence::secret;
use crate::support::sign_in::{SERVER, SigningIn, asked, failed, is_signed_in, view};
use crate::support::{Choices, code};
use host::KeyringChoice;
use host::api::{ErrorCode, ServerState, SignInStatus};
use policy::Decision;
use serde_json::json;
use test_servers::authority::{Place, Token};

#[tokio::test(flavor = "multi_thread")]
async fn who_is_signed_in_stays_so_when_the_host_ends_and_comes_back() {
    let it = SigningIn::new(|_| {}).await;
    assert!(is_signed_in(&it.sign_in().await));
    let test = it.test.again().await;
    assert!(is_signed_in(&view(&test).await.sign_in.unwrap().state));
    test.ask("review_offers", json!({"server": SERVER}))
        .await
        .unwrap();
    assert_eq!(test.state(SERVER).await, ServerState::Ready);
    assert_eq!(it.browser.opened().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_with_credentials_of_its_own_needs_no_browser_and_renews_them_by_itself() {
    let it = SigningIn::new(|script| script.refresh = false).await;
    assert_eq!(
        code(
            it.try_ask(
                "set_oauth_client",
                json!({"client": {"client_id": "ours", "without_person": true}})
            )
            .await
        ),
        ErrorCode::BadSetting
    );
    it.ask("set_oauth_client", json!({"client": {"client_id": "ours", "client_secret": secret(40), "without_person": true}})).await;
    assert!(is_signed_in(&it.sign_in().await));
    assert_eq!(it.test.state(SERVER).await, ServerState::Ready);
    it.authority.expire();
    let _person = it.test.person([Decision::always()]);
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
    assert_eq!(
        (it.grants("client_credentials"), it.browser.opened().len()),
        (2, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_is_renewed_without_the_person_and_the_request_made_again() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    it.authority.expire();
    let _person = it.test.person([Decision::always()]);
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
    assert_eq!(it.grants("refresh_token"), 1);
    assert!(is_signed_in(&it.state().await));
    // What came of it was kept.
    let test = it.test.again().await;
    test.ask("review_offers", json!({"server": SERVER}))
        .await
        .unwrap();
    assert_eq!(test.state(SERVER).await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_renewed_before_it_runs_out() {
    let it = SigningIn::new(|script| script.expires_in = json!(0)).await;
    it.ask("sign_in", json!({})).await;
    it.until(|view| view.state == ServerState::Ready).await;
    assert!(
        it.grants("refresh_token") > 0,
        "a token that has run out was sent"
    );
    let sent: Vec<_> = it
        .authority
        .seen_at(Place::Server, "/mcp")
        .into_iter()
        .filter(|seen| seen.bearer().is_some())
        .collect();
    let unique: std::collections::HashSet<_> = sent
        .iter()
        .map(|seen| seen.bearer().unwrap().to_owned())
        .collect();
    assert_eq!(
        unique.len(),
        sent.len(),
        "a token that has run out was sent"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_requests_at_once_make_one_renewal() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let _person = it.test.person([Decision::always()]);
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
    it.authority.expire();
    let calls: Vec<_> = (0..12)
        .map(|_| it.test.call_later(SERVER, "whoami", json!({})).1)
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(it.grants("refresh_token"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_waits_for_another_process_that_is_at_it() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let _person = it.test.person([Decision::always()]);
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
    let mut locks = std::fs::read_dir(it.test.dir().join("sign-in")).unwrap();
    let held = std::fs::File::open(locks.next().unwrap().unwrap().path()).unwrap();
    held.lock().unwrap();
    it.authority.expire();
    let before = it.authority.seen_at(Place::Server, "/mcp").len();
    let (_, call) = it.test.call_later(SERVER, "whoami", json!({}));
    // It was sent and refused; from here on it can only wait.
    while it.authority.seen_at(Place::Server, "/mcp").len() == before {
        tokio::task::yield_now().await;
    }
    assert_eq!(it.grants("refresh_token"), 0);
    drop(held);
    call.await.unwrap().unwrap();
    assert_eq!(it.grants("refresh_token"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_has_ended_at_the_service_is_wanted_again() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    it.authority.expire();
    it.authority
        .script(|script| script.token = Token::Refused(400, "invalid_grant".into(), "over".into()));
    let _person = it.test.person([Decision::always()]);
    assert_eq!(
        code(it.test.call(SERVER, "whoami", json!({})).await),
        ErrorCode::NeedsSignIn
    );
    assert!(matches!(it.state().await, SignInStatus::Wanted { .. }));
    // A refresh token that was refused is not tried again.
    let before = it.grants("refresh_token");
    assert_eq!(
        code(it.test.call(SERVER, "whoami", json!({})).await),
        ErrorCode::NeedsSignIn
    );
    assert_eq!(it.grants("refresh_token"), before);
    it.authority.script(|script| script.token = Token::Granted);
    assert!(is_signed_in(&it.sign_in().await));
    assert_eq!(
        it.authority.seen_at(Place::Authority, "/register").len(),
        1,
        "we are known there already"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn more_rights_are_asked_for_together_with_those_before_and_only_when_a_person_says_so() {
    let it = SigningIn::new(|script| script.challenge_scope = Some("read".into())).await;
    it.sign_in().await;
    it.authority
        .script(|script| script.needed_scope = Some("write".into()));
    let _person = it.test.person([Decision::always()]);
    assert_eq!(
        code(it.test.call(SERVER, "whoami", json!({})).await),
        ErrorCode::NeedsMoreRights
    );
    assert_eq!(
        it.state().await,
        SignInStatus::Wanted {
            scopes: vec!["write".into()]
        }
    );
    assert_eq!(it.browser.opened().len(), 1);
    it.sign_in().await;
    assert_eq!(asked(&it.browser.opened()[1], "scope"), "read write");
    it.test.call(SERVER, "whoami", json!({})).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_again_and_again_for_what_it_was_given_is_not_served_a_third_time() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    // The service gives out fewer rights than it is asked for, so the server is never content.
    it.authority.script(|script| {
        script.needed_scope = Some("write".into());
        script.token = Token::Raw(json!({"access_token": "access-without-rights", "token_type": "Bearer", "scope": "read"}).to_string());
    });
    it.ask("restart_server", json!({})).await;
    it.ask("list_tools", json!({})).await;
    for _ in 0..2 {
        it.authority.grant("access-without-rights", &["read"]);
        assert_eq!(
            it.sign_in().await,
            SignInStatus::Wanted {
                scopes: vec!["write".into()]
            }
        );
    }
    let (error, _) = failed(it.sign_in().await);
    assert!(error.message.contains("keeps asking"), "{error:?}");
    assert_eq!(it.browser.opened().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keyring_that_does_not_answer_is_not_taken_for_a_missing_sign_in() {
    let it = SigningIn::new(|_| {}).await;
    it.sign_in().await;
    let test = it
        .test
        .again_with(Choices {
            keyring: KeyringChoice::Absent("it is locked".into()),
            ..Choices::default()
        })
        .await;
    test.ask("review_offers", json!({"server": SERVER}))
        .await
        .unwrap();
    assert_eq!(test.failure(SERVER).await.code, ErrorCode::NeedsSignIn);
    let (error, _) = failed(view(&test).await.sign_in.unwrap().state);
    assert_eq!(error.code, ErrorCode::KeyringMissing);
    // It is still there when the keyring is.
    let test = test.again().await;
    assert!(is_signed_in(&view(&test).await.sign_in.unwrap().state));
}
