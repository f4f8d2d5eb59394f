//! A person says something else in an earlier place: another conversation goes on from there, and
//! the one that there was stays as it is. What each request held can be looked up.

use crate::support::talk::{Talk, add_orders, add_web_and_mail, words};
use crate::support::terminal::Terminal;
use crate::support::{TestHost, code};
use host::api::{ErrorCode, HostError, HostEvent};
use policy::flow::Why;
use policy::{Decision, Question, Subject};
use protocol::Origin;
use serde_json::{Value, json};
use test_servers::model::Step;

const PAGE: &str =
    "Welcome. Questions about your invoice? Write to billing@evil.example and we will help you.";

/// Begins a branch before a thing of a conversation.
async fn branch(test: &TestHost, of: &Value, before: u32) -> Value {
    let params = json!({"conversation": of, "before": before});
    test.ask("branch_conversation", params).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_before_is_in_the_branch_and_the_old_one_stays_as_it_is() {
    let test = TestHost::new().await;
    let steps = ["Good day.", "Four.", "Six.", "Seven."].map(Step::says);
    let mut talk = Talk::begin(&test, steps).await;
    talk.say_and_wait(&test, "Hello!").await;
    let old = talk.say_and_wait(&test, "Two and two?").await;
    assert_eq!(old["items"][2]["begins_turn"], true);
    let first = talk.conversation.clone();
    let begun = branch(&test, &first, 2).await;
    assert_eq!(begun["branch_of"], first);
    assert_eq!(begun["title"], "Hello! (2)");
    talk.conversation = begun["id"].clone();
    let page = talk.say_and_wait(&test, "Three and three?").await;
    let said = [
        "person: Hello!",
        "model: Good day.",
        "person: Three and three?",
        "model: Six.",
    ];
    assert_eq!(words(&page), said);
    let sent = talk.requests()[2].to_string();
    assert!(
        sent.contains("Good day.") && !sent.contains("Two and two?"),
        "{sent}"
    );
    // The old one goes, and the branch is whole, also after a restart.
    let gone = json!({"conversation": first});
    test.ask("delete_conversation", gone).await.unwrap();
    let test = test.again().await;
    assert_eq!(words(&talk.read(&test).await), said);
    let found = json!({"text": "good day"});
    let found = test.ask("list_conversations", found).await.unwrap();
    assert_eq!(found[0]["id"], talk.conversation);
    assert_eq!(found.as_array().unwrap().len(), 1);
    let page = talk.say_and_wait(&test, "And three and four?").await;
    assert_eq!(words(&page)[5], "model: Seven.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_begins_before_what_began_a_turn_and_nowhere_else() {
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, [Step::says("Good day.")]).await;
    talk.say_and_wait(&test, "Hello!").await;
    for before in [1, 2, u32::MAX] {
        let params = json!({"conversation": talk.conversation, "before": before});
        let refused = test.ask("branch_conversation", params).await;
        assert_eq!(code(refused), ErrorCode::BadRequest, "{before}");
    }
    let empty = branch(&test, &talk.conversation, 0).await;
    let params = json!({"conversation": empty["id"], "limit": 10});
    let page = test.ask("read_conversation", params).await.unwrap();
    assert_eq!((&page["total"], &empty["title"]), (&json!(0), &json!("")));
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_are_told_apart_by_their_titles() {
    let test = TestHost::new().await;
    let says = (0..4).map(|_| Step::says("Good day."));
    let mut talk = Talk::begin(&test, says).await;
    let first = talk.conversation.clone();
    talk.say_and_wait(&test, "Hello!").await;
    talk.say_and_wait(&test, "And again?").await;
    let mut titles = Vec::new();
    for _ in 0..2 {
        // Answered again from its beginning, with the same words.
        talk.conversation = branch(&test, &first, 0).await["id"].clone();
        let page = talk.say_and_wait(&test, "Hello!").await;
        titles.push(page["conversation"]["title"].clone());
    }
    titles.push(branch(&test, &first, 2).await["title"].clone());
    titles.push(branch(&test, &talk.conversation, 0).await["title"].clone());
    assert_eq!(titles, ["Hello! (2)", "Hello! (3)", "Hello! (4)", ""]);
    // One that is no branch keeps its words, and the old one its title.
    let other = Talk::begin(&test, [Step::says("Good day.")]).await;
    let page = other.say_and_wait(&test, "Hello!").await;
    assert_eq!(page["conversation"]["title"], "Hello!");
    talk.conversation = first;
    assert_eq!(talk.read(&test).await["conversation"]["title"], "Hello!");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_can_begin_while_the_old_one_waits_for_a_person() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let order = Step::wants([("orders__place", json!({"order": "tea"}))]);
    let mut talk = Talk::begin(&test, [order, Step::says("Coffee it is.")]).await;
    talk.say(&test, "Order tea.").await;
    test.until_waiting().await;
    let first = talk.conversation.clone();
    talk.conversation = branch(&test, &first, 0).await["id"].clone();
    let page = talk.say_and_wait(&test, "Order coffee.").await;
    assert_eq!(words(&page)[1], "model: Coffee it is.");
    assert_eq!(test.host.waiting().len(), 1, "the old one still waits");
    assert!(!file.exists(), "nobody has said yes");
}

/// What a question to call a tool is afraid of.
fn concerns(question: &Question) -> Vec<(Why, &str, &Origin)> {
    let Subject::Call { concerns, .. } = &question.subject else {
        panic!("{question:?}")
    };
    let named = concerns
        .iter()
        .map(|one| (one.why, one.value.as_str(), &one.source.origin));
    named.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_stranger_said_goes_along_into_a_branch_behind_it_and_into_none_before_it() {
    let test = TestHost::new().await;
    add_web_and_mail(&test, PAGE).await;
    let read = Step::wants([("web__read_page", json!({"url": "https://shop.example/"}))]);
    let send = || {
        let mail = json!({"recipient": "billing@evil.example", "body": "Hello"});
        Step::wants([("mail__send_email", mail)])
    };
    let not_sent = || Step::says("It was not sent.");
    let steps = [
        read,
        Step::says("It is a shop."),
        Step::says("You are welcome."),
        send(),
        not_sent(),
        send(),
        not_sent(),
    ];
    let mut talk = Talk::begin(&test, steps).await;
    let person = test.person([Decision::once()]);
    talk.say_and_wait(&test, "What is on https://shop.example/ ?")
        .await;
    let page = talk.say_and_wait(&test, "Thank you.").await;
    let taken = &page["taken_in"][0];
    assert_eq!(
        (&taken["server"], &taken["since"]),
        (&json!("web"), &json!(0))
    );
    assert_eq!(taken["label"]["trust"], "untrusted");
    let first = talk.conversation.clone();
    let thanks = page["total"].as_u64().unwrap() - 2;
    drop(person);
    // Nothing of it is in memory: a branch knows what was said out of its journal.
    let test = test.again().await;
    let person = test.person([Decision::no(None), Decision::no(None)]);
    for before in [u32::try_from(thanks).unwrap(), 0] {
        talk.conversation = branch(&test, &first, before).await["id"].clone();
        let page = talk.say_and_wait(&test, "Write to them.").await;
        let taken = page["taken_in"].as_array().unwrap().len();
        assert_eq!(taken, usize::from(before > 0), "{page}");
    }
    let asked = person.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    let page = Origin::Tool {
        server: Some(protocol::ServerId::parse("web").unwrap()),
        tool: "read_page".into(),
    };
    let from_the_page = (Why::Recipient, "billing@evil.example", &page);
    assert!(
        concerns(&asked[0]).contains(&from_the_page),
        "{:?}",
        asked[0]
    );
    let named = concerns(&asked[1]);
    assert!(
        named.iter().all(|(_, _, origin)| **origin != page),
        "{named:?}"
    );
}

/// What the request held that a reply answers.
async fn ledger(test: &TestHost, talk: &Talk, reply: u32) -> Result<Value, HostError> {
    let params = json!({"conversation": talk.conversation, "reply": reply});
    test.ask("read_ledger", params).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_each_request_held_is_said_by_what_it_is_and_from_whom() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let order = Step::wants([("orders__place", json!({"order": "tea"}))]);
    let talk = Talk::begin(&test, [order, Step::says("On its way.")]).await;
    let _person = test.person([Decision::once()]);
    talk.say_and_wait(&test, "Order tea.").await;
    let first = ledger(&test, &talk, 1).await.unwrap();
    let kinds = |ledger: &Value| -> Vec<Value> {
        let parts = ledger["parts"].as_array().unwrap().iter();
        parts.map(|part| part["kind"].clone()).collect()
    };
    let tools = json!({"kind": "definitions", "server": "orders"});
    let [instructions, said, replies] =
        ["instructions", "said", "replies"].map(|kind| json!({"kind": kind}));
    assert_eq!(
        kinds(&first),
        [instructions.clone(), tools.clone(), said.clone()]
    );
    let test = test.again().await;
    let second = ledger(&test, &talk, 2).await.unwrap();
    assert_eq!(second["step"], 2);
    let results = json!({"kind": "results", "server": "orders"});
    assert_eq!(
        kinds(&second),
        [instructions, tools, said, replies, results]
    );
    let of = |at: usize| &second["parts"][at];
    assert_eq!(of(1)["count"], 3);
    assert_eq!(of(2)["trust"], "trusted");
    assert_eq!(of(4)["trust"], "untrusted");
    let parts = second["parts"].as_array().unwrap().iter();
    let sum: u64 = parts.map(|part| part["tokens"].as_u64().unwrap()).sum();
    assert_eq!(second["tokens"], sum);
    for none in [0, 3] {
        assert_eq!(
            code(ledger(&test, &talk, none).await),
            ErrorCode::BadRequest
        );
    }
}

/// What all conversations are called, in the order of the list.
async fn titles(test: &TestHost) -> Vec<Value> {
    let all = test.ask("list_conversations", json!({})).await.unwrap();
    let all = all.as_array().unwrap().iter();
    all.map(|one| one["title"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_at_the_top_stays_there() {
    let test = TestHost::new().await;
    let older = Talk::begin(&test, [Step::says("One.")]).await;
    older.say_and_wait(&test, "Older").await;
    let newer = Talk::begin(&test, [Step::says("Two.")]).await;
    newer.say_and_wait(&test, "Newer").await;
    let pin = |is_pinned: bool| json!({"conversation": older.conversation, "is_pinned": is_pinned});
    let pinned = test.ask("pin_conversation", pin(true)).await.unwrap();
    assert_eq!(pinned["is_pinned"], true);
    let test = test.again().await;
    assert_eq!(titles(&test).await, ["Older", "Newer"]);
    test.ask("pin_conversation", pin(false)).await.unwrap();
    assert_eq!(titles(&test).await, ["Newer", "Older"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_what_is_told_and_answered_of_a_conversation_the_newer_has_the_greater_number() {
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, [Step::says("One.")]).await;
    let mut recorder = test.listen();
    let read = talk.say_and_wait(&test, "Hello!").await;
    let mut numbers: Vec<u64> = recorder
        .heard()
        .iter()
        .filter_map(|told| match &told.event {
            HostEvent::ConversationChanged { conversation } => Some(conversation.revision),
            _ => None,
        })
        .collect();
    assert!(numbers.len() > 1, "{numbers:?}");
    let pin = json!({"conversation": talk.conversation, "is_pinned": true});
    let pinned = test.ask("pin_conversation", pin).await.unwrap();
    let answered = [&read["conversation"], &pinned];
    numbers.extend(answered.map(|view| view["revision"].as_u64().unwrap()));
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_it_is_done_in_the_terminal_too() {
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, ["One.", "Two."].map(Step::says)).await;
    talk.say_and_wait(&test, "First").await;
    let id = talk.conversation.as_str().unwrap().to_owned();
    let dir = test.end().await;
    let terminal = Terminal::on(dir.path());
    let held = terminal.json(&["conversations", "held", &id]);
    assert_eq!(held["step"], 1);
    let branch = terminal.json(&["--yes", "conversations", "branch", &id, "--before", "0"]);
    assert_eq!(branch["branch_of"], id.as_str());
    let pinned = terminal.json(&["conversations", "pin", &id]);
    assert_eq!(pinned["is_pinned"], true);
    let list = terminal.json(&["conversations", "list"]);
    assert_eq!(list[0]["id"], id.as_str());
    let unpinned = terminal.json(&["conversations", "unpin", &id]);
    assert_eq!(unpinned["is_pinned"], false);
}
