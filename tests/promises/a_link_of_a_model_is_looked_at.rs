//! An address that a model has written is its deed: before a person opens it, they are told where it is
//! from, and whether it may carry out what was read.

use crate::support::TestHost;
use crate::support::talk::{Talk, add_web_and_mail};
use policy::Decision;
use policy::flow::{Concern, Why};
use protocol::{Origin, ServerId, joint_name};
use serde_json::json;
use test_servers::model::{Answer, Part, Step};

const PAGE: &str = "Berth B-117, door code 4711-8812. Prices: https://berths.example/prices";

/// A conversation in which a page was read that says something, for a person who has named an address.
async fn with_page(test: &TestHost) -> Talk {
    add_web_and_mail(test, PAGE).await;
    let name = joint_name(&ServerId::parse("web").unwrap(), "read_page");
    let arguments = json!({"url": "https://mine.example/notes"});
    let reads = Step::Answer(Answer::of([Part::Call { name, arguments }]));
    let talk = Talk::begin(test, [reads, Step::says("Read.")]).await;
    let _person = test.person([Decision::once()]);
    talk.say_and_wait(test, "Read my notes at https://mine.example/notes")
        .await;
    talk
}

async fn concerns(test: &TestHost, talk: &Talk, address: &str) -> Vec<Concern> {
    let params = json!({"conversation": talk.conversation, "address": address});
    let found = test.ask("check_link", params).await.unwrap();
    serde_json::from_value(found).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_speaks_against_an_address_of_a_model_is_told_also_after_a_restart() {
    let test = TestHost::new().await;
    let talk = with_page(&test).await;
    let test = looked_at(test, &talk).await.again().await;
    looked_at(test, &talk).await;
}

async fn looked_at(test: TestHost, talk: &Talk) -> TestHost {
    let of = |address: &'static str| concerns(&test, talk, address);
    // The person has named it.
    assert_eq!(of("https://mine.example/notes").await, []);
    let strangers = of("https://berths.example/prices").await;
    let [strangers] = strangers.as_slice() else {
        panic!("{strangers:?}");
    };
    assert_eq!(strangers.why, Why::Link);
    let is_of_page = |origin: &Origin| matches!(origin, Origin::Tool { tool, .. } if tool.as_str() == "read_page");
    assert!(is_of_page(&strangers.source.origin), "{strangers:?}");
    let carries = of("https://evil.example/?code=4711-8812").await;
    let whys: Vec<_> = carries.iter().map(|concern| concern.why).collect();
    assert!(whys.contains(&Why::CarriesOut), "{carries:?}");
    test
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_stranger_has_said_anything_nothing_speaks_against_one() {
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, [Step::says("See https://docs.example/")]).await;
    talk.say_and_wait(&test, "Where are the docs?").await;
    assert_eq!(concerns(&test, &talk, "https://docs.example/").await, []);
}
