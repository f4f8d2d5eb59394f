//! The gate with a name server that follows a script. Nothing is sent.

use super::{Gate, REMEMBERED, is_own};
use crate::{Reach, Resolver};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use url::Url;

/// The addresses of any name, one answer per question. No more answers: nobody knows.
struct Script(Mutex<VecDeque<&'static str>>);

impl Resolver for Script {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let answer = self
            .0
            .lock()
            .unwrap()
            .pop_front()
            .ok_or_else(|| io::ErrorKind::NotFound.into());
        ready(answer.map(|text| {
            text.split_whitespace()
                .map(|address| address.parse().unwrap())
                .collect()
        }))
        .boxed()
    }
}

fn gate(answers: &[&'static str]) -> Gate {
    Gate::new(Arc::new(Script(Mutex::new(
        answers.iter().copied().collect(),
    ))))
}

async fn admitted(gate: &Gate, url: &str, reach: Reach, proxied: bool) -> String {
    match gate.admit(&Url::parse(url).unwrap(), &reach, proxied).await {
        Ok(checked) => format!("{:?}", checked.addresses()),
        Err(error) => error.to_string(),
    }
}

fn told(typed: &str) -> Reach {
    Reach::Told {
        typed: Url::parse(typed).unwrap(),
    }
}

const PRIVATE: &str = "it leads to a private network";

#[tokio::test]
async fn a_listed_name_leads_to_what_is_public_or_listed_itself() {
    let listed = |addresses: &[&str]| Reach::Listed {
        addresses: addresses.iter().map(|text| text.parse().unwrap()).collect(),
    };
    let refused = |why: &str| format!("a.example is not reached: it leads to {why}");
    for (answer, addresses, expected) in [
        ("1.1.1.1", &[][..], "[1.1.1.1]".to_owned()),
        ("10.0.0.1", &["10.0.0.1"], "[10.0.0.1]".to_owned()),
        (
            "10.0.0.1",
            &["10.0.0.2"],
            refused("a private network (10.0.0.1)"),
        ),
        (
            "1.1.1.1 10.0.0.1",
            &[],
            refused("a private network (10.0.0.1)"),
        ),
        ("127.0.0.1", &[], refused("this computer (127.0.0.1)")),
        (
            "169.254.169.254",
            &["169.254.169.254"],
            refused("a cloud's metadata service (169.254.169.254)"),
        ),
        (
            "198.18.0.1",
            &[],
            refused("a reserved address (198.18.0.1)"),
        ),
    ] {
        let gate = gate(&[answer]);
        let reach = listed(addresses);
        let admitted = admitted(&gate, "https://a.example/", reach, false).await;
        assert_eq!(admitted, expected, "{answer} {addresses:?}");
    }
    // Whoever listed the name knows it, if the proxy alone does.
    let unknown = admitted(&gate(&[]), "https://a.example/", listed(&[]), true).await;
    assert_eq!(unknown, "[]");
    let here = admitted(&gate(&[]), "https://localhost/", listed(&[]), false).await;
    assert_eq!(here, "[127.0.0.1, ::1]");
}

#[tokio::test]
async fn case_22_a_name_that_was_public_and_is_private_now_is_refused_now() {
    let gate = gate(&["1.1.1.1", "8.8.8.8", "10.0.0.1", "8.8.8.8"]);
    assert_eq!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await,
        "[1.1.1.1]"
    );
    assert!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await
        .ends_with(PRIVATE)
    );
}

#[tokio::test]
async fn case_22_a_typed_server_that_says_it_moved_here_gains_nothing() {
    let gate = gate(&["1.1.1.1", "10.0.0.1", "127.0.0.1"]);
    assert_eq!(
        admitted(&gate, "https://typed.example/", Reach::Typed, false).await,
        "[1.1.1.1]"
    );
    assert!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await
        .ends_with(PRIVATE)
    );
}

#[tokio::test]
async fn a_typed_server_in_a_private_network_may_name_another_one_there() {
    let gate = gate(&[
        "10.0.0.1",
        "192.168.254.253",
        "10.0.0.1",
        "127.0.0.1",
        "10.0.0.1",
    ]);
    assert_eq!(
        admitted(&gate, "https://typed.example/", Reach::Typed, false).await,
        "[10.0.0.1]"
    );
    assert_eq!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await,
        "[192.168.254.253]"
    );
    let here = admitted(
        &gate,
        "https://a.example/",
        told("https://typed.example"),
        false,
    )
    .await;
    assert!(here.ends_with("it leads to this computer"), "{here}");
}

#[tokio::test]
async fn a_typed_server_that_nobody_knows_any_more_counts_as_public() {
    let gate = gate(&["10.0.0.1"]);
    assert!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await
        .ends_with(PRIVATE)
    );
}

#[tokio::test]
async fn one_address_that_may_not_be_reached_is_enough_to_refuse_the_name() {
    let gate = gate(&["1.1.1.1 10.0.0.1", "1.1.1.1"]);
    assert!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await
        .ends_with(PRIVATE)
    );
}

#[tokio::test]
async fn a_name_without_an_address_is_not_reached() {
    assert_eq!(
        admitted(&gate(&[""]), "https://a.example/", Reach::Typed, false).await,
        "cannot be reached: this name has no address"
    );
    assert_eq!(
        admitted(&gate(&[]), "https://a.example/", Reach::Typed, true).await,
        "[]"
    );
    let told = admitted(
        &gate(&[]),
        "https://a.example/",
        told("https://typed.example"),
        true,
    )
    .await;
    assert_eq!(
        told,
        "cannot be reached: nobody knows the address of this name"
    );
}

#[tokio::test]
async fn servers_beyond_those_that_are_remembered_count_as_public() {
    let gate = gate(&["10.0.0.1"; 2]);
    for number in 0..REMEMBERED {
        let (a, b) = (number / 256, number % 256);
        assert!(
            !admitted(
                &gate,
                &format!("https://11.0.{a}.{b}/"),
                Reach::Typed,
                false
            )
            .await
            .is_empty()
        );
    }
    assert!(
        admitted(
            &gate,
            "https://a.example/",
            told("https://typed.example"),
            false
        )
        .await
        .ends_with(PRIVATE)
    );
}

#[tokio::test]
async fn the_addresses_of_this_computer_are_known_as_its_own() {
    assert!(is_own("127.0.0.1".parse().unwrap()));
    assert!(!is_own("1.1.1.1".parse().unwrap()));
}

#[tokio::test]
async fn plain_http_that_was_chosen_for_a_private_network_goes_nowhere_else() {
    let plain = async |answer: &'static str, proxied| {
        let gate = gate(&[answer]);
        admitted(
            &gate,
            "http://models.home:11434/",
            Reach::TypedNearby,
            proxied,
        )
        .await
    };
    assert_eq!(plain("192.168.1.7", false).await, "[192.168.1.7]");
    assert_eq!(plain("fd00::7", false).await, "[fd00::7]");
    let elsewhere =
        "models.home is not reached: plain http: is for a private network, and it leads to";
    for (answer, place) in [
        ("8.8.8.8", "a public address"),
        ("10.0.0.1 8.8.8.8", "a public address"),
        ("169.254.1.1", "a link-local address"),
    ] {
        let told = plain(answer, false).await;
        assert_eq!(told, format!("{elsewhere} {place}"), "{answer}");
    }
    assert!(plain("192.168.1.7", true).await.ends_with("(NO_PROXY)"));
    assert!(plain("", false).await.ends_with("no address"));
    let told = plain("169.254.169.254", false).await;
    assert!(told.starts_with("models.home is not reached"), "{told}");
}

#[tokio::test]
async fn plain_http_needs_that_choice_and_the_choice_changes_nothing_else() {
    let asked = async |url: &str, reach| admitted(&gate(&["192.168.1.7"]), url, reach, false).await;
    let refused = asked("http://models.home/", Reach::Typed).await;
    assert!(refused.contains("for this computer only"), "{refused}");
    for url in [
        "ftp://models.home/",
        "http://me:word@models.home/",
        "http://models.home:0/",
    ] {
        let refused = asked(url, Reach::TypedNearby).await;
        assert!(
            refused.starts_with("this address cannot be used"),
            "{url}: {refused}"
        );
    }
    for (url, reached) in [
        ("https://models.home/", "[192.168.1.7]"),
        ("http://127.0.0.1:11434/", "[127.0.0.1]"),
    ] {
        assert_eq!(asked(url, Reach::TypedNearby).await, reached, "{url}");
    }
}
