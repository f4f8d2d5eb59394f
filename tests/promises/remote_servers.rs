//! Remote servers are reached over secure connections only, with the certificates that a person
//! gave for that server.

use crate::support::sign_in::{SERVER, SigningIn};
use crate::support::terminal::Terminal;
use crate::support::{TestHost, code, text};
use host::api::{DoctorProblem, DoctorReport, DoctorWhat, ErrorCode, ServerState};
use policy::Decision;
use serde_json::{Value, json};
use test_servers::authority::{Challenge, MetadataAt, ResourceAt, Script};
use test_servers::secure::{Clients, Secure};

fn target(secure: &Secure, more: Value) -> Value {
    let mut target = json!({"kind": "http", "url": secure.url()});
    for (name, value) in more.as_object().into_iter().flatten() {
        target[name] = value.clone();
    }
    target
}

fn pasted(text: &str) -> Value {
    json!({"kind": "pasted", "text": text})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_nobody_vouches_for_is_refused() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::All).await.unwrap(),
    );
    test.add_with("secure", target(&secure, json!({}))).await;
    assert_eq!(test.failure("secure").await.code, ErrorCode::BadCertificate);
    assert_eq!(secure.heard(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_a_person_gives_is_trusted_for_that_server_only() {
    let (test, secure, other) = (
        TestHost::new().await,
        Secure::start(Clients::All).await.unwrap(),
        Secure::start(Clients::All).await.unwrap(),
    );
    test.add_with(
        "secure",
        target(&secure, json!({"authority": pasted(&secure.authority())})),
    )
    .await;
    assert_eq!(test.state("secure").await, ServerState::Ready);
    test.add_with(
        "other",
        target(&other, json!({"authority": pasted(&secure.authority())})),
    )
    .await;
    test.add_with("none", target(&secure, json!({}))).await;
    for name in ["other", "none"] {
        assert_eq!(
            test.failure(name).await.code,
            ErrorCode::BadCertificate,
            "{name}"
        );
    }
    // It is kept.
    let test = test.again().await;
    test.ask("review_offers", json!({"server": "secure"}))
        .await
        .unwrap();
    assert_eq!(test.state("secure").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_certificate_is_shown_to_a_server_that_asks_for_one() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::WithCertificate).await.unwrap(),
    );
    let (client, authority) = (secure.client().unwrap(), pasted(&secure.authority()));
    test.add_with("without", target(&secure, json!({"authority": authority})))
        .await;
    assert!(matches!(
        test.failure("without").await.code,
        ErrorCode::BadCertificate | ErrorCode::Unreachable
    ));
    let own = json!({"authority": authority, "certificate": pasted(&client.certificate), "key": pasted(&client.key)});
    test.add_with("with", target(&secure, own)).await;
    let _person = test.person([Decision::always()]);
    assert!(text(&test.call("with", "whoami", json!({})).await.unwrap()).contains("hello"));
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_may_lie_in_files_that_are_read_with_each_start() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::WithCertificate).await.unwrap(),
    );
    let (folder, client) = (tempfile::tempdir().unwrap(), secure.client().unwrap());
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        json!({"kind": "file", "path": path})
    };
    let own = json!({
        "authority": file("authority.pem", &secure.authority()),
        "certificate": file("certificate.pem", &client.certificate),
        "key": file("key.pem", &client.key),
    });
    test.add_with("secure", target(&secure, own)).await;
    assert_eq!(test.state("secure").await, ServerState::Ready);
    let path = folder.path().join("key.pem");
    std::fs::remove_file(&path).unwrap();
    test.ask("restart_server", json!({"server": "secure"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "secure"}))
        .await
        .unwrap();
    let error = test.failure("secure").await;
    assert!(
        error.code == ErrorCode::BadCertificate && error.message.contains(path.to_str().unwrap()),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_stay_when_a_server_is_edited_and_go_when_a_person_says_so() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::All).await.unwrap(),
    );
    test.add_with(
        "secure",
        target(&secure, json!({"authority": pasted(&secure.authority())})),
    )
    .await;
    let edit = |more: Value| json!({"server": "secure", "draft": {"name": "secure", "target": target(&secure, more)}});
    let before = test
        .ask("review_server", json!({"server": "secure"}))
        .await
        .unwrap();
    let view = test.ask("edit_server", edit(json!({}))).await.unwrap();
    assert_eq!(
        (&view["fingerprint"], &view["launch"]),
        (&before["fingerprint"], &before["launch"])
    );
    test.ask("list_tools", json!({"server": "secure"}))
        .await
        .unwrap();
    assert_eq!(test.state("secure").await, ServerState::Ready);
    // Whom we trust is part of what was looked at.
    let view = test
        .ask("edit_server", edit(json!({"authority": {"kind": "none"}})))
        .await
        .unwrap();
    assert_eq!(
        (
            &view["reviewed"],
            &view["on"],
            view["launch"].get("authority")
        ),
        (&json!(false), &json!(false), None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_certificate_is_not_kept() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::All).await.unwrap(),
    );
    let client = secure.client().unwrap();
    let add = |more: Value| json!({"draft": {"name": "secure", "target": target(&secure, more)}});
    for (more, expected) in [
        (json!({"authority": pasted("hello")}), ErrorCode::BadSetting),
        (
            json!({"authority": pasted("-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----")}),
            ErrorCode::BadCertificate,
        ),
        (
            json!({"authority": pasted(&client.key)}),
            ErrorCode::BadCertificate,
        ),
        (
            json!({"certificate": pasted(&client.certificate)}),
            ErrorCode::BadSetting,
        ),
        (json!({"key": pasted(&client.key)}), ErrorCode::BadSetting),
        (
            json!({"authority": {"kind": "file", "path": "here.pem"}}),
            ErrorCode::BadSetting,
        ),
    ] {
        let error = test.ask("add_server", add(more)).await.unwrap_err();
        assert!(!error.message.contains("hello"), "{error:?}");
        assert_eq!(error.code, expected, "{error:?}");
    }
    let other = secure.client().unwrap();
    let wrong = add(json!({"certificate": pasted(&client.certificate), "key": pasted(&other.key)}));
    assert_eq!(
        code(test.ask("add_server", wrong).await),
        ErrorCode::BadCertificate
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_found_nowhere() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::WithCertificate).await.unwrap(),
    );
    let mut evidence = crate::support::evidence::Evidence::gather(&test).await;
    let client = secure.client().unwrap();
    let own = json!({"authority": pasted(&secure.authority()), "certificate": pasted(&client.certificate), "key": pasted(&client.key)});
    evidence
        .rpc(
            "add_server",
            json!({"draft": {"name": "secure", "target": target(&secure, own)}}),
        )
        .await;
    test.switch_on("secure").await;
    assert_eq!(test.state("secure").await, ServerState::Ready);
    evidence.ask_everything(&["secure"]).await;
    test.host.close().await;
    evidence.collect(&test);
    for line in client
        .key
        .lines()
        .filter(|line| line.len() > 30 && !line.starts_with("-----"))
    {
        evidence.must_not_hold(line);
    }
}

#[test]
fn the_terminal_adds_a_server_with_its_certificates_and_shows_them() {
    let terminal = Terminal::new();
    let path = terminal.beside("authority.pem");
    let authority = path.to_str().unwrap();
    let words = [
        "servers",
        "add",
        "secure",
        "--url",
        "https://localhost:1/mcp",
        "--authority",
        authority,
    ];
    let view = terminal.json(&words);
    assert_eq!(
        view.pointer("/launch/authority"),
        Some(&json!({"kind": "file", "path": authority}))
    );
    let review = terminal.run(&["servers", "review", "secure", "--accept", "--yes"]);
    assert!(
        review.out.contains("trusts") && review.out.contains(authority),
        "{review:?}"
    );
}

/// The steps of a report: what, whether it went well, and what was wrong.
async fn steps(
    script: impl FnOnce(&mut Script),
) -> Vec<(DoctorWhat, Option<bool>, Option<DoctorProblem>)> {
    let it = SigningIn::new(script).await;
    let report: DoctorReport = it.test.get("diagnose", json!({"server": SERVER})).await;
    assert!(
        it.browser.opened().is_empty() && it.grants("authorization_code") == 0,
        "nobody wanted to sign in"
    );
    assert!(
        it.authority
            .seen()
            .iter()
            .all(|seen| !seen.path.ends_with("/register")),
        "nobody wanted to register"
    );
    report
        .steps
        .into_iter()
        .map(|step| (step.what, step.ok, step.problem))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_diagnosis_shows_every_step_of_finding_out_how_to_sign_in() {
    use DoctorWhat as W;
    let found = steps(|script| script.challenge = Challenge::Bare).await;
    let what: Vec<_> = found.iter().map(|(what, ..)| *what).collect();
    assert_eq!(
        what,
        [
            W::Challenge,
            W::ResourceMetadataPath,
            W::ResourceMatches,
            W::AuthorizationServer,
            W::MetadataOauthPath,
            W::IssuerMatches,
            W::EndpointsSameOrigin,
            W::PkceAdvertised,
            W::Registration,
            W::Scopes
        ]
    );
    assert!(
        found
            .iter()
            .all(|(_, ok, problem)| *ok == Some(true) && problem.is_none()),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_diagnosis_names_the_step_that_does_not_work_and_why() {
    use DoctorProblem as P;
    use DoctorWhat as W;
    let nowhere = |script: &mut Script| {
        script.challenge = Challenge::Bare;
        script.resource_at = ResourceAt::Nowhere;
    };
    let found = steps(nowhere).await;
    assert!(
        found.contains(&(W::ResourceMetadataPath, None, None)),
        "{found:?}"
    );
    assert!(
        found.contains(&(W::ResourceMetadataRoot, Some(false), Some(P::NotFound))),
        "{found:?}"
    );
    assert!(
        found.iter().any(|(what, ..)| *what == W::LegacyFallback),
        "{found:?}"
    );

    type Change = fn(&mut Script);
    let table: [(Change, (W, P)); 8] = [
        (
            |script| script.resource = Some("https://another.example/mcp".into()),
            (W::ResourceMatches, P::WrongResource),
        ),
        (
            |script| script.resource_raw = Some("<html>".into()),
            (W::ResourceMetadataNamed, P::NotJson),
        ),
        (
            |script| script.authorization_servers = Some(Vec::new()),
            (W::AuthorizationServer, P::NoneNamed),
        ),
        (
            |script| script.authorization_servers = Some(vec!["javascript:alert(1)".into()]),
            (W::AuthorizationServer, P::UnsafeAddress),
        ),
        (
            |script| script.metadata_at = MetadataAt::Nowhere,
            (W::MetadataOidcPath, P::NotFound),
        ),
        (
            |script| {
                _ = script
                    .metadata
                    .insert("issuer".into(), json!("https://another.example"))
            },
            (W::IssuerMatches, P::WrongIssuer),
        ),
        (
            |script| {
                _ = script
                    .metadata
                    .insert("token_endpoint".into(), json!("http://127.0.0.1:9/token"))
            },
            (W::EndpointsSameOrigin, P::ForeignEndpoint),
        ),
        (
            |script| {
                _ = script
                    .metadata
                    .insert("code_challenge_methods_supported".into(), Value::Null)
            },
            (W::PkceAdvertised, P::NoPkce),
        ),
    ];
    for (change, (what, problem)) in table {
        let found = steps(change).await;
        assert_eq!(
            found.last(),
            Some(&(what, Some(false), Some(problem))),
            "{found:?}"
        );
    }
    let found = steps(|script| {
        _ = script
            .metadata
            .insert("registration_endpoint".into(), Value::Null)
    })
    .await;
    assert!(
        found.contains(&(W::Registration, Some(false), Some(P::NoRegistration))),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_diagnosis_of_a_server_that_nobody_vouches_for_says_so() {
    let (test, secure) = (
        TestHost::new().await,
        Secure::start(Clients::All).await.unwrap(),
    );
    test.add_with("secure", target(&secure, json!({}))).await;
    let report: DoctorReport = test.get("diagnose", json!({"server": "secure"})).await;
    let last = report.steps.last().unwrap();
    assert_eq!(
        (last.what, last.problem),
        (
            DoctorWhat::ResourceMetadataPath,
            Some(DoctorProblem::Certificate)
        ),
        "{report:?}"
    );
}
