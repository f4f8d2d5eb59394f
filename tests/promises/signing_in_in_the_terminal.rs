//! Everything about signing in can be done in the terminal.

use crate::support::evidence::secret;
use crate::support::sign_in::{visit, way_back};
use crate::support::terminal::{Ran, Running, Terminal};
use serde_json::{Value, json};
use std::process::Stdio;
use test_servers::authority::{Authority, Place, Script};
use url::Url;

const SERVER: &str = "remote";

/// A protected server that was added and looked at; it is off.
async fn world(script: impl FnOnce(&mut Script)) -> (Terminal, Authority) {
    let authority = Authority::start().await.unwrap();
    authority.script(script);
    let terminal = Terminal::new();
    terminal.json(&["servers", "add", SERVER, "--url", &authority.server()]);
    assert_eq!(
        terminal
            .run(&["servers", "review", SERVER, "--accept", "--yes"])
            .code,
        0
    );
    (terminal, authority)
}

/// Begins to sign in, with no browser that opens, and waits for the address that is to be opened.
fn begin(terminal: &Terminal) -> (Running, Url) {
    let mut running = terminal.start_typing(&["--json", "servers", "sign-in", SERVER, "--yes"]);
    let said = running.until_it_says("state=");
    (
        running,
        said.lines()
            .find(|line| line.contains("state="))
            .unwrap()
            .trim()
            .parse()
            .unwrap(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_in_the_terminal_shows_the_address_and_waits_for_the_browser() {
    let (terminal, authority) = world(|_| {}).await;
    let (running, url) = begin(&terminal);
    visit(&url);
    let ran = running.ended();
    assert!(
        ran.code == 0 && ran.err.contains("Signed in to remote as default"),
        "{ran:?}"
    );
    assert_eq!(
        ran.json().pointer("/state/issuer"),
        Some(&json!(authority.issuer()))
    );
    let accounts = terminal.run(&["servers", "accounts", SERVER]);
    assert!(
        accounts.out.contains("default") && accounts.out.contains("in use, signed in"),
        "{accounts:?}"
    );
    assert_eq!(
        terminal.run(&["servers", "enable", SERVER, "--yes"]).code,
        0
    );
    let exchange = terminal.run(&["exchange", SERVER]);
    assert_eq!(exchange.code, 0, "{exchange:?}");
    assert_eq!(terminal.run(&["servers", "sign-out", SERVER]).code, 0);
    assert_eq!(authority.seen_at(Place::Authority, "/revoke").len(), 2);
    assert_eq!(
        terminal.json(&["servers", "accounts", SERVER])["accounts"],
        json!([])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_pasted_into_the_terminal_ends_the_wait() {
    let (terminal, _authority) = world(|_| {}).await;
    let (mut running, url) = begin(&terminal);
    let back = way_back(&url);
    running.type_in("https://somewhere.example/?code=1&state=2\n");
    running.until_it_says("does not belong");
    running.type_in(&format!("{back}\n"));
    let ran = running.ended();
    assert!(ran.code == 0, "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_to_be_approved_is_approved_by_name_and_never_by_a_pipe() {
    let (terminal, _authority) = world(|script| {
        _ = script
            .metadata
            .insert("code_challenge_methods_supported".into(), Value::Null)
    })
    .await;
    let mut piped = terminal.command(&["servers", "sign-in", SERVER, "--yes"]);
    let ran = Ran::with_input(piped.stdin(Stdio::piped()), "y\ny\n");
    assert!(ran.code == 4 && ran.err.contains("proof keys"), "{ran:?}");
    let ran = terminal.run(&["servers", "sign-in", SERVER, "--allow", "older", "--yes"]);
    assert!(ran.code == 4, "{ran:?}");
    let mut running = terminal.start_typing(&[
        "servers",
        "sign-in",
        SERVER,
        "--allow",
        "unprotected",
        "--yes",
    ]);
    let said = running.until_it_says("state=");
    visit(
        &said
            .lines()
            .find(|line| line.contains("state="))
            .unwrap()
            .trim()
            .parse()
            .unwrap(),
    );
    assert_eq!(running.ended().code, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_entered_shown_and_forgotten_and_signs_in_without_a_person() {
    let (terminal, authority) = world(|_| {}).await;
    let planted = secret(40);
    let mut command = terminal.command(&[
        "--json",
        "servers",
        "client",
        SERVER,
        "--id",
        "ours",
        "--secret",
        "--without-person",
        "--yes",
    ]);
    let ran = Ran::with_input(command.stdin(Stdio::piped()), &format!("{planted}\n"));
    assert_eq!(
        ran.json(),
        json!({"client_id": "ours", "has_secret": true, "without_person": true})
    );
    assert_eq!(
        terminal.run(&["servers", "sign-in", SERVER, "--yes"]).code,
        0
    );
    assert_eq!(
        authority.seen_at(Place::Authority, "/token")[0].basic(),
        Some(("ours".to_owned(), planted.clone()))
    );
    let shown = terminal.run(&["servers", "client", SERVER]);
    assert!(
        shown.out.contains("ours") && !shown.out.contains(&planted[..12]),
        "{shown:?}"
    );
    assert_eq!(
        terminal.json(&["servers", "client", SERVER, "--forget", "--yes"]),
        Value::Null
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_diagnosis_in_the_terminal_names_each_step() {
    let (terminal, _authority) = world(|_| {}).await;
    let ran = terminal.run(&["servers", "diagnose", SERVER]);
    assert!(
        ran.code == 0
            && ran.out.contains("resource metadata named")
            && ran.out.contains("pkce advertised"),
        "{ran:?}"
    );
    let (terminal, _authority) =
        world(|script| script.resource = Some("https://another.example".into())).await;
    let ran = terminal.run(&["servers", "diagnose", SERVER]);
    assert!(
        ran.code == 4 && ran.out.contains("wrong resource"),
        "{ran:?}"
    );
}

#[test]
fn eras_logs_resources_prompts_and_proposals_can_be_asked_for() {
    let terminal = Terminal::new();
    assert_eq!(
        terminal.json(&["servers", "era", "currency"])["choice"],
        "auto"
    );
    assert_eq!(
        terminal.json(&["servers", "era", "currency", "legacy"])["choice"],
        "legacy"
    );
    assert_eq!(
        terminal
            .run(&["servers", "enable", "currency", "--yes"])
            .code,
        0
    );
    assert_eq!(terminal.json(&["logs", "currency"])["lines"], json!([]));
    assert_eq!(
        terminal.json(&["exchange", "currency"])["server"],
        "currency"
    );
    for words in [
        &["resources", "list", "currency"][..],
        &["resources", "read", "currency", "file:///x"],
        &["prompts", "list", "currency"],
        &["prompts", "get", "currency", "x", "--arg", "a=b"],
        &["complete", "currency", "--prompt", "x", "a", "b"],
    ] {
        // The built-in server offers none of it, and says so.
        let ran = terminal.run(words);
        assert!(
            ran.code == 4 && ran.err.contains("does not offer"),
            "{words:?}: {ran:?}"
        );
    }
}
