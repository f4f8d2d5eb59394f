//! A person talks to a model: its reply comes as it is written and is kept, its calls go the way of
//! every call, and it is told what became of them.

use crate::support::evidence::{Evidence, secret};
use crate::support::talk::{Talk, add_orders, words};
use crate::support::{Choices, TestHost, code};
use host::api::{ApproverKind, ErrorCode, HostEvent};
use policy::{Decision, Subject};
use protocol::{Caller, CallerKind, Origin};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use test_servers::model::{Answer, Part, Step};

/// The calls that have reached the server.
fn placed(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn order(what: &str) -> Step {
    Step::wants([("orders__place", json!({"order": what}))])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_is_told_as_it_comes_and_is_kept() {
    let test = TestHost::new().await;
    let talk = Talk::begin(
        &test,
        [Step::says("Good day to you."), Step::says("Again.")],
    )
    .await;
    let mut recorder = test.listen();
    let page = talk.say_and_wait(&test, "Hello!").await;
    let said = ["person: Hello!", "model: Good day to you."];
    assert_eq!(words(&page), said);
    assert_eq!(page["ended"], "done");
    assert_eq!(page["conversation"]["title"], "Hello!");
    let mut told = String::new();
    for event in recorder.heard() {
        if let HostEvent::ReplyGrew { piece, .. } = &event.event {
            told += &piece.text;
        }
    }
    assert_eq!(told, "Good day to you.");
    let test = test.again().await;
    assert_eq!(words(&talk.read(&test).await), said);
    let page = talk.say_and_wait(&test, "And?").await;
    assert_eq!(words(&page).len(), 4);
    let sent = talk.requests()[1].to_string();
    assert!(
        sent.contains("Hello!") && sent.contains("Good day to you."),
        "{sent}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_called_only_after_a_yes_and_its_result_reaches_the_model() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea"), Step::says("It is on its way.")]).await;
    talk.say(&test, "Order tea, please.").await;
    test.until_waiting().await;
    assert_eq!(placed(&file), [""; 0], "nobody has said yes");
    let question = test.host.waiting().remove(0);
    let policy::Subject::Call { caller, .. } = &question.subject else {
        panic!("{question:?}")
    };
    assert_eq!(*caller.kind(), CallerKind::Agent);
    let mut recorder = test.listen();
    test.host
        .answer(&question.id, Decision::once(), crate::support::TERMINAL)
        .await
        .unwrap();
    talk.until(&mut recorder, &["idle"]).await;
    assert_eq!(placed(&file), ["place tea"]);
    assert_eq!(
        words(&talk.read(&test).await),
        [
            "person: Order tea, please.",
            "call: orders__place answered",
            "model: It is on its way."
        ]
    );
    let sent = talk.requests()[1].to_string();
    assert!(sent.contains("placed tea"), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_a_model_leads_to_its_question_and_to_the_messages_of_its_server() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    add_orders(&test, &folder.path().join("calls")).await;
    let talk = Talk::begin(&test, [order("tea"), Step::says("It is on its way.")]).await;
    let person = test.person([Decision::once()]);
    let page = talk.say_and_wait(&test, "Order tea, please.").await;
    let call = &page["items"][1]["parts"][0]["call"];
    let shown = test.ask("show_call", json!({"call": call})).await.unwrap();
    let question = json!(person.asked()[0].id);
    assert_eq!(shown["permission"]["question"], question, "{shown}");
    assert_eq!(shown["approver"], "terminal");
    let exchanged = json!({"server": "orders", "call": call});
    let exchanged = test.ask("list_exchange", exchanged).await.unwrap();
    let frames = exchanged["frames"].as_array().unwrap();
    assert!(frames.len() >= 2, "{exchanged}");
    let other = json!({"call": "call-0000000000000000"});
    assert_eq!(
        code(test.ask("show_call", other).await),
        ErrorCode::UnknownRecord
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_told_to_the_model_with_its_reason() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea"), Step::says("Coffee, then?")]).await;
    let _person = test.person([Decision::no(Some("We drink coffee."))]);
    let page = talk.say_and_wait(&test, "Order something.").await;
    assert_eq!(words(&page)[1], "call: orders__place denied");
    assert_eq!(placed(&file), [""; 0]);
    let sent = talk.requests()[1].to_string();
    let told =
        "The person did not allow this call. It was not carried out. Reason: We drink coffee.";
    assert!(sent.contains(told), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_the_keyring_does_not_give_is_told_as_that() {
    let test = TestHost::new().await;
    let key = json!({"kind": "new_secret", "value": secret(20)});
    let talk = Talk::with_key(&test, [Step::says("Never.")], key).await;
    let absent = Choices {
        keyring: host::KeyringChoice::Absent("there is none here".into()),
        ..Choices::default()
    };
    let test = test.again_with(absent).await;
    let page = talk.say_and_wait(&test, "Hello!").await;
    let broke = &page["items"][1]["broke"];
    assert_eq!(broke["code"], "keyring_missing", "{page}");
    assert_eq!(talk.requests().len(), 0, "nothing is sent without its key");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lets_a_reply_go_on_says_so_in_their_own_words() {
    let test = TestHost::new().await;
    let cut = Step::Answer(Answer {
        cut_at: Some(400),
        ..Answer::of([Part::Text("从前有一位管家。".to_owned())])
    });
    let steps = [cut, Step::says("他有一串钥匙。")];
    let talk = Talk::begin(&test, steps).await;
    talk.say_and_wait(&test, "讲个故事。").await;
    let params = json!({"conversation": talk.conversation, "words": "请继续。"});
    let mut recorder = test.listen();
    test.ask("go_on", params).await.unwrap();
    talk.until(&mut recorder, &["idle"]).await;
    let said = words(&talk.read(&test).await);
    assert!(said.contains(&"person: 请继续。".to_owned()), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_conversations_go_on_at_once() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let waits = Talk::begin(&test, [order("tea"), Step::says("Done.")]).await;
    let other = Talk::begin(&test, [Step::says("Four.")]).await;
    waits.say(&test, "Order tea.").await;
    test.until_waiting().await;
    let page = other.say_and_wait(&test, "Two and two?").await;
    assert_eq!(words(&page)[1], "model: Four.");
    let state = &waits.read(&test).await["conversation"]["state"]["kind"];
    assert_eq!(*state, "calling");
    let listed = test.ask("list_conversations", Value::Null).await.unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_there_is_no_conversation_and_it_is_said_why() {
    let test = TestHost::new().await;
    let refused = test.ask("start_conversation", Value::Null).await;
    assert_eq!(code(refused), ErrorCode::NoModel);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_turn_stays_stopped_and_the_truth_about_its_call_is_told() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let hang = Step::wants([("orders__hang", json!({"order": "tea"}))]);
    let talk = Talk::begin(&test, [hang, Step::says("What now?")]).await;
    let _person = test.person([Decision::once()]);
    let mut recorder = test.listen();
    talk.say(&test, "Order tea.").await;
    while placed(&file).is_empty() {
        tokio::task::yield_now().await;
    }
    talk.with(&test, "stop_conversation").await;
    talk.until(&mut recorder, &["idle"]).await;
    let page = talk.read(&test).await;
    assert_eq!(words(&page)[1], "call: orders__hang unknown");
    assert_eq!(page["ended"], "stopped");
    let test = test.again().await;
    assert_eq!(talk.read(&test).await["ended"], "stopped");
    assert_eq!(talk.requests().len(), 1, "no model is asked any more");
    talk.say_and_wait(&test, "Well?").await;
    let sent = talk.requests()[1].to_string();
    let told = "Nobody knows whether this was carried out: it was stopped while it ran.";
    assert!(sent.contains(told), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_stopped_while_a_question_waits_takes_the_question_back() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea")]).await;
    let mut recorder = test.listen();
    talk.say(&test, "Order tea.").await;
    test.until_waiting().await;
    talk.with(&test, "stop_conversation").await;
    talk.until(&mut recorder, &["idle"]).await;
    assert!(test.host.waiting().is_empty());
    let page = talk.read(&test).await;
    assert_eq!(words(&page)[1], "call: orders__place not_run");
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_is_stopped_ends_at_once_and_what_has_come_is_kept() {
    let test = TestHost::new().await;
    let slow = Step::Answer(Answer {
        pace: Duration::from_millis(500),
        ..Answer::of([Part::Text("One two three four five six.".to_owned())])
    });
    let talk = Talk::begin(&test, [slow]).await;
    let mut recorder = test.listen();
    talk.say(&test, "Count.").await;
    recorder
        .until(|event| matches!(event, HostEvent::ReplyGrew { .. }))
        .await;
    talk.with(&test, "stop_conversation").await;
    talk.until(&mut recorder, &["idle"]).await;
    talk.model.left(0).await;
    let page = talk.read(&test).await;
    assert_eq!(page["items"][1]["broke"]["kind"], "stopped");
    assert!(words(&page)[1].starts_with("model: One"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_meanwhile_is_in_the_next_request() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea"), Step::says("With milk.")]).await;
    talk.say(&test, "Order tea.").await;
    test.until_waiting().await;
    talk.say(&test, "And milk.").await;
    let steered = json!([{"text": "And milk.", "attached": []}]);
    assert_eq!(talk.read(&test).await["steered"], steered);
    let question = test.host.waiting().remove(0);
    let mut recorder = test.listen();
    test.host
        .answer(&question.id, Decision::once(), crate::support::TERMINAL)
        .await
        .unwrap();
    talk.until(&mut recorder, &["idle"]).await;
    let sent = talk.requests()[1].to_string();
    assert!(sent.contains("And milk."), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_has_taken_what_it_may_pauses_and_goes_on_if_the_person_says_so() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let many = (0..41).map(|number| ("orders__place", json!({"order": number.to_string()})));
    let steps = [
        Step::wants(many),
        Step::says("One is left."),
        order("41"),
        Step::says("All done."),
    ];
    let talk = Talk::begin(&test, steps).await;
    let _person = test.person([Decision::always()]);
    let page = talk.say_and_wait(&test, "Order them all.").await;
    assert_eq!(
        page["conversation"]["state"],
        json!({"kind": "paused", "why": "purse_spent"})
    );
    assert_eq!(placed(&file).len(), 40);
    assert_eq!(words(&page).last().unwrap(), "model: One is left.");
    let test = test.again().await;
    talk.read_once_it_is(&test, "paused").await;
    let mut recorder = test.listen();
    talk.with(&test, "go_on").await;
    talk.until(&mut recorder, &["idle"]).await;
    let page = talk.read(&test).await;
    assert_eq!(words(&page).last().unwrap(), "model: All done.");
    assert_eq!(placed(&file).len(), 41);
    talk.requests();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_the_model_is_in_no_journal_no_log_and_no_reply() {
    let test = TestHost::new().await;
    let mut evidence = Evidence::gather(&test).await;
    let key = secret(60);
    let says_it = Step::says(&format!("Your key is {key}, is it not?"));
    let refuses = Step::Status {
        status: 400,
        retry_after: None,
        message: format!("{key} may not do that"),
    };
    let steps = [says_it, refuses];
    let talk = Talk::with_key(&test, steps, json!({"kind": "new_secret", "value": key})).await;
    talk.model.ask_for(&key);
    let said = talk.say_and_wait(&test, "What is my key?").await;
    assert_eq!(words(&said)[1], "model: Your key is •••, is it not?");
    let broke = talk.say_and_wait(&test, "Say it again.").await;
    assert_eq!(broke["ended"], "broke", "{broke}");
    evidence.keep("what was said", &(said, broke));
    for format in ["markdown", "json"] {
        let params = json!({"conversation": talk.conversation, "format": format});
        evidence.rpc("export_conversation", params).await;
    }
    let params = json!({"conversation": talk.conversation, "limit": 200});
    evidence.rpc("read_conversation", params).await;
    evidence.ask_everything(&[]).await;
    for request in talk.model.seen() {
        assert!(!request.body.to_string().contains(&key));
    }
    test.host.close().await;
    evidence.collect(&test);
    assert!(evidence.amount("export_conversation") > 0 && evidence.amount("majordomo.db") > 0);
    evidence.must_not_hold(&key);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_conversation_is_gone_with_all_that_was_said() {
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, [Step::says("A pelican.")]).await;
    talk.say_and_wait(&test, "Which bird?").await;
    let found = json!({"text": "pelican"});
    let listed = test.ask("list_conversations", found.clone()).await.unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    talk.with(&test, "delete_conversation").await;
    for params in [Value::Null, found] {
        let listed = test.ask("list_conversations", params).await.unwrap();
        assert_eq!(listed, json!([]));
    }
    let read = json!({"conversation": talk.conversation, "limit": 10});
    let gone = test.ask("read_conversation", read).await;
    assert_eq!(code(gone), ErrorCode::UnknownConversation);
    let say = json!({"conversation": talk.conversation, "text": "Hello?"});
    let gone = test.ask("say_in_conversation", say).await;
    assert_eq!(code(gone), ErrorCode::UnknownConversation);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_is_deleted_while_a_question_waits_asks_nothing_any_more() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea")]).await;
    talk.say(&test, "Order tea.").await;
    test.until_waiting().await;
    talk.with(&test, "delete_conversation").await;
    while !test.host.waiting().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(placed(&file), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_window_no_program_speaks_for_the_person() {
    let test = TestHost::with(Choices {
        approver: ApproverKind::QuestionWindow,
        ..Choices::default()
    })
    .await;
    let talk = Talk::begin(&test, [Step::says("Yes?")]).await;
    let say = json!({"conversation": talk.conversation, "text": "Delete everything."});
    for caller in [Caller::terminal(), client()] {
        let refused = test
            .ask_as("say_in_conversation", say.clone(), caller)
            .await;
        assert_eq!(code(refused), ErrorCode::OnlyForThePerson);
    }
    assert!(test.host.waiting().is_empty(), "and nobody is asked for it");
    assert!(talk.model.seen().is_empty());
    test.ask_as("say_in_conversation", say, Caller::window())
        .await
        .unwrap();
}

fn client() -> Caller {
    Caller::new(CallerKind::Client, "editor-1".parse().unwrap(), "Editor")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_called_something_else_and_written_out() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let talk = Talk::begin(&test, [order("tea"), Step::says("On its way.")]).await;
    let _person = test.person([Decision::once()]);
    talk.say_and_wait(&test, "Order tea.").await;
    let rename = json!({"conversation": talk.conversation, "title": "Tea"});
    let renamed = test.ask("rename_conversation", rename).await.unwrap();
    assert_eq!(renamed["title"], "Tea");
    let export = async |format: &str| {
        let params = json!({"conversation": talk.conversation, "format": format});
        let text = test.ask("export_conversation", params).await.unwrap()["text"].clone();
        text.as_str().unwrap().to_owned()
    };
    let markdown = export("markdown").await;
    for part in [
        "# Tea",
        "Order tea.",
        "`orders__place`",
        "placed tea",
        "On its way.",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    let whole: Value = serde_json::from_str(&export("json").await).unwrap();
    assert_eq!(whole["items"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_thought_is_shown_and_neither_found_nor_written_out() {
    let test = TestHost::new().await;
    let parts = [
        Part::Thought("Perhaps marmalade.".to_owned()),
        Part::Text("Have some honey.".to_owned()),
    ];
    let talk = Talk::begin(&test, [Step::Answer(Answer::of(parts))]).await;
    let page = talk.say_and_wait(&test, "What goes with tea?").await;
    assert!(page.to_string().contains("Perhaps marmalade."), "{page}");
    for (word, found) in [("honey", 1), ("marmalade", 0)] {
        let listed = test.ask("list_conversations", json!({"text": word})).await;
        assert_eq!(listed.unwrap().as_array().unwrap().len(), found, "{word}");
    }
    for format in ["markdown", "json"] {
        let params = json!({"conversation": talk.conversation, "format": format});
        let text = test.ask("export_conversation", params).await.unwrap()["text"].to_string();
        assert!(
            text.contains("honey") && !text.contains("marmalade"),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_call_is_stopped_and_the_turn_goes_on_without_it() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    add_orders(&test, &file).await;
    let hang = Step::wants([("orders__hang", json!({"order": "tea"}))]);
    let talk = Talk::begin(&test, [hang, Step::says("Then without tea.")]).await;
    let _person = test.person([Decision::once()]);
    let mut recorder = test.listen();
    talk.say(&test, "Order tea.").await;
    while placed(&file).is_empty() {
        tokio::task::yield_now().await;
    }
    let call = talk.read(&test).await["items"][1]["parts"][0]["call"].clone();
    let stop = json!({"conversation": talk.conversation, "call": call});
    test.ask("stop_conversation", stop).await.unwrap();
    talk.until(&mut recorder, &["idle"]).await;
    let page = talk.read(&test).await;
    assert_eq!(
        words(&page)[1..],
        ["call: orders__hang unknown", "model: Then without tea."]
    );
    assert_eq!(page["ended"], "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_took_in_less_than_it_was_sent_is_noticed() {
    let test = TestHost::new().await;
    let long = "The quick brown fox jumps over the lazy dog. ".repeat(200);
    let other = "Съешь же ещё этих мягких французских булок. ".repeat(200);
    let reads = |tokens| {
        Step::Answer(Answer {
            usage: Some((tokens, 10)),
            ..Answer::of([Part::Text("A fox.".to_owned())])
        })
    };
    for (service, text, read, is_told) in [
        ("ollama", &long, 512, true),
        ("ollama", &long, 2_100, false),
        // In other scripts a model reads more letters at once.
        ("ollama", &other, 512, true),
        ("ollama", &other, 2_800, false),
        // It may count only what it had not read before.
        ("anthropic", &long, 512, false),
    ] {
        let none = json!({"kind": "none"});
        let talk = Talk::of_service(&test, service, [reads(read)], none).await;
        let page = talk.say_and_wait(&test, text).await;
        let reply = &page["items"][1];
        assert_eq!(reply["read"], read, "{service}: {reply}");
        assert_eq!(reply["was_truncated"], is_told, "{service}: {reply}");
        assert!(reply["sent"].as_u64().unwrap() > 2_000, "{reply}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_says_whose_words_each_value_is() {
    let test = TestHost::new().await;
    let folder = tempfile::tempdir().unwrap();
    add_orders(&test, &folder.path().join("calls")).await;
    let steps = [order("tea"), order("a pot of jasmine"), Step::says("Done.")];
    let talk = Talk::begin(&test, steps).await;
    let person = test.person([Decision::once(), Decision::once()]);
    talk.say_and_wait(&test, "Order tea.").await;
    let whose: Vec<_> = person
        .asked()
        .into_iter()
        .flat_map(|question| match question.subject {
            Subject::Call { sources, .. } => sources,
            _ => Vec::new(),
        })
        .map(|one| (one.argument, one.value, one.source.origin))
        .collect();
    let order = |value: &str, origin| ("order".to_owned(), value.to_owned(), origin);
    assert_eq!(
        whose,
        [
            order("tea", Origin::Person),
            order("a pot of jasmine", Origin::Unknown)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_ends_while_somebody_looks_is_not_said_to_be_left_in_the_middle() {
    const TURNS: usize = 40;
    let test = TestHost::new().await;
    let talk = Talk::begin(&test, (0..TURNS).map(|_| Step::says("Yes."))).await;
    let is_over = std::cell::Cell::new(false);
    let says = async {
        for turn in 0..TURNS {
            talk.say_and_wait(&test, &format!("Are you there, {turn}?"))
                .await;
        }
        is_over.set(true);
    };
    let looks = async {
        while !is_over.get() {
            let page = talk.read(&test).await;
            let listed = test.ask("list_conversations", json!({})).await.unwrap();
            for state in [&page["conversation"]["state"], &listed[0]["state"]] {
                assert_ne!(state["kind"], "left", "{state}");
            }
            let is_idle = page["conversation"]["state"]["kind"] == "idle";
            assert!(
                !is_idle || page["total"] == 0 || page["ended"] == "done",
                "{page}"
            );
        }
    };
    tokio::join!(says, looks);
}
