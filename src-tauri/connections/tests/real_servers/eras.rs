//! Finding out the era of a server: slow ones, deaf ones, and ones that die of a wrong first word.
//! No process ever hears the first words of both eras, and of a process that was only tried nothing
//! is left.

use crate::heard::Heard;
#[cfg(target_os = "linux")]
use crate::support::not_started_with;
use crate::support::{LIMITS, call, misbehave, not_started, started, started_with, text};
use connections::{ConnectionError, Limits, StdioStart};
use protocol::Era;
use serde_json::json;
use std::time::Duration;

/// The older era is tried beside the newer one after a quarter of this.
const SHORT: Limits = Limits {
    start: Duration::from_secs(6),
    ..LIMITS
};
/// Longer than the newer era is tried alone.
const SLOW: &str = "2";

/// Starts a server, has it work, and says in which era, in which revision, and with which first
/// words to its processes.
async fn found(mut start: StdioStart, limits: Limits) -> (Era, String, Vec<String>) {
    let heard = Heard::by(&mut start);
    let (connection, _handler) = started_with(start, limits).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    #[cfg(target_os = "linux")]
    {
        let own = text(call(&connection, "whoami", json!({})).await.unwrap());
        let others: Vec<_> = heard
            .processes()
            .into_keys()
            .filter(|process| *process != own)
            .collect();
        crate::support::gone(&others).await;
        assert!(
            crate::support::lives(&own),
            "the one that was taken lives on"
        );
    }
    let found = (connection.era(), connection.server_info().protocol);
    connection.stop().await;
    (found.0, found.1, heard.openers())
}

fn legacy(openers: &[&str]) -> (Era, String, Vec<String>) {
    (
        Era::Legacy,
        "2025-11-25".to_owned(),
        openers.iter().map(|opener| (*opener).to_owned()).collect(),
    )
}

fn modern(openers: &[&str]) -> (Era, String, Vec<String>) {
    (
        Era::Modern,
        "2026-07-28".to_owned(),
        openers.iter().map(|opener| (*opener).to_owned()).collect(),
    )
}

#[tokio::test]
async fn a_server_without_a_handshake_is_found_with_one_process() {
    assert_eq!(
        found(misbehave(&["modern"]), LIMITS).await,
        modern(&["server/discover"])
    );
}

#[tokio::test]
async fn a_server_that_refuses_the_newer_era_is_started_anew_in_the_older() {
    assert_eq!(
        found(misbehave(&["ok"]), LIMITS).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn a_server_that_says_yes_to_what_it_does_not_know_is_not_taken_for_a_newer_one() {
    assert_eq!(
        found(misbehave(&["agrees"]), LIMITS).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn a_server_with_a_handshake_that_starts_slowly_is_not_lost() {
    assert_eq!(
        found(misbehave(&["slow-legacy", SLOW]), SHORT).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn a_server_without_a_handshake_that_starts_slowly_is_not_lost() {
    let (era, revision, openers) = found(misbehave(&["slow-modern", SLOW]), SHORT).await;
    assert_eq!((era, revision.as_str()), (Era::Modern, "2026-07-28"));
    // The process of the other try may have been ended before it read anything.
    assert!(
        openers.contains(&"server/discover".to_owned()),
        "{openers:?}"
    );
}

#[tokio::test]
async fn a_server_that_exits_on_an_unexpected_first_message_is_started_anew() {
    assert_eq!(
        found(misbehave(&["exits-on-probe"]), LIMITS).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn what_a_tried_process_complained_about_is_no_word_of_the_server() {
    let (connection, handler) = started(misbehave(&["exits-on-probe"])).await;
    connection.stop().await;
    assert_eq!(connection.stderr().lines, Vec::<String>::new());
    assert_eq!(*handler.lines.borrow(), Vec::<String>::new());
    assert_eq!(
        *handler.ended.borrow(),
        None,
        "the end of the tried process is not the end of the server"
    );
}

#[tokio::test]
async fn a_server_that_does_not_answer_the_newer_era_is_found_beside_it() {
    assert_eq!(
        found(misbehave(&["silent-on-probe"]), SHORT).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn a_server_that_would_die_after_a_probe_is_never_told_more() {
    assert_eq!(
        found(misbehave(&["dies-after-probe"]), SHORT).await,
        legacy(&["initialize", "server/discover"])
    );
}

#[tokio::test]
async fn a_server_of_both_eras_is_spoken_to_in_the_newer_and_only_in_that() {
    assert_eq!(
        found(misbehave(&["pins-era"]), LIMITS).await,
        modern(&["server/discover"])
    );
}

#[tokio::test]
async fn a_known_era_is_used_without_a_probe() {
    let of = |mode, era| StdioStart {
        era: Some(era),
        ..misbehave(&[mode])
    };
    assert_eq!(
        found(of("ok", Era::Legacy), LIMITS).await,
        legacy(&["initialize"])
    );
    assert_eq!(
        found(of("exits-on-probe", Era::Legacy), LIMITS).await,
        legacy(&["initialize"])
    );
    assert_eq!(
        found(of("modern", Era::Modern), LIMITS).await,
        modern(&["server/discover"])
    );
    assert_eq!(
        found(of("pins-era", Era::Legacy), LIMITS).await,
        legacy(&["initialize"])
    );
    assert_eq!(
        found(of("pins-era", Era::Modern), LIMITS).await,
        modern(&["server/discover"])
    );
}

#[tokio::test]
async fn a_known_era_that_is_the_wrong_one_is_an_error_and_no_guess() {
    let mut wrong = StdioStart {
        era: Some(Era::Legacy),
        ..misbehave(&["modern"])
    };
    let heard = Heard::by(&mut wrong);
    let failure = not_started(wrong).await;
    assert!(
        matches!(failure.error, ConnectionError::Server { code: -32_022, .. }),
        "{failure}"
    );
    assert_eq!(heard.openers(), ["initialize"]);

    let mut wrong = StdioStart {
        era: Some(Era::Modern),
        ..misbehave(&["ok"])
    };
    let heard = Heard::by(&mut wrong);
    let failure = not_started(wrong).await;
    assert!(
        matches!(failure.error, ConnectionError::Server { code: -32_602, .. }),
        "{failure}"
    );
    assert_eq!(heard.openers(), ["server/discover"]);
}

#[tokio::test]
async fn the_oldest_revision_is_spoken_too() {
    let (era, revision, _) = found(misbehave(&["only-2024"]), LIMITS).await;
    assert_eq!((era, revision.as_str()), (Era::Legacy, "2024-11-05"));
}

#[tokio::test]
async fn a_revision_that_nobody_here_speaks_is_named() {
    let failure = not_started(misbehave(&["odd-revision"])).await;
    assert!(
        matches!(&failure.error, ConnectionError::RevisionUnknown { offered } if offered == &["1999-12-31"]),
        "{failure}"
    );
}

#[tokio::test]
async fn a_server_that_is_too_new_is_named_as_such_and_never_tried_in_the_older_era() {
    let mut start = misbehave(&["future"]);
    let heard = Heard::by(&mut start);
    let failure = not_started(start).await;
    assert!(
        matches!(&failure.error, ConnectionError::RevisionUnknown { offered } if offered == &["2999-01-01"]),
        "{failure}"
    );
    assert_eq!(heard.openers(), ["server/discover"]);
}

#[tokio::test]
async fn a_server_that_knows_the_newer_words_and_names_older_revisions_is_spoken_to_in_those() {
    let (era, _, openers) = found(misbehave(&["names-older"]), LIMITS).await;
    assert_eq!(
        (era, openers),
        (
            Era::Legacy,
            vec!["initialize".to_owned(), "server/discover".to_owned()]
        )
    );
}

#[tokio::test]
async fn junk_on_standard_output_hides_no_era() {
    let (era, _, openers) = found(misbehave(&["junk"]), LIMITS).await;
    assert_eq!((era, openers.len()), (Era::Legacy, 2));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_that_a_tried_process_started_is_left() {
    let mut start = misbehave(&["orphan"]);
    let heard = Heard::by(&mut start);
    let (connection, _handler) = started(start).await;
    let own = crate::support::words(&text(call(&connection, "pids", json!({})).await.unwrap()));
    let others: Vec<_> = heard
        .processes()
        .into_keys()
        .filter(|process| !own.contains(process))
        .collect();
    assert_eq!(
        others.len(),
        3,
        "the tried process, its child, and one with a session of its own"
    );
    // The newer era was answered, so its process is gone before the older one begins.
    assert!(
        !others.iter().any(|process| crate::support::lives(process)),
        "{others:?}"
    );
    assert!(
        own.iter().all(|process| crate::support::lives(process)),
        "{own:?}"
    );
    connection.stop().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_is_left_of_either_try_when_both_fail_or_nobody_waits_any_more() {
    let mut start = misbehave(&["silent"]);
    let heard = Heard::by(&mut start);
    let failure = not_started_with(
        start,
        Limits {
            start: Duration::from_secs(3),
            ..LIMITS
        },
    )
    .await;
    assert!(
        matches!(failure.error, ConnectionError::StartTimedOut { .. }),
        "{failure}"
    );
    let tried: Vec<_> = heard.processes().into_keys().collect();
    assert_eq!(tried.len(), 2);
    crate::support::gone(&tried).await;

    let mut start = misbehave(&["slow-legacy", "1000"]);
    let heard = Heard::by(&mut start);
    let starting = tokio::spawn(async move { not_started_with(start, SHORT).await });
    while heard.processes().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    starting.abort();
    crate::support::gone(&heard.processes().into_keys().collect::<Vec<_>>()).await;
}
