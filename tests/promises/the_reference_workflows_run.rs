//! The workflows that courses on agents teach run to their end: what comes back reaches the model as
//! it is, what is not there is said not to be, and nobody is asked about what may be done anyway.
//! Orders that wait for a person are in `an_order_waits_for_its_yes`.

use crate::support::labs::currency::{self, EXCHANGES, IMPOSSIBLE};
use crate::support::labs::images::{self, PICTURE};
use crate::support::labs::{tells, texts};
use crate::support::talk::{Talk, words};
use crate::support::{TestHost, code};
use host::api::ErrorCode;
use serde_json::{Value, json};
use test_servers::model::Step;

/// The texts of all results in the journal.
async fn results(test: &TestHost, talk: &Talk) -> String {
    let params = json!({"conversation": talk.conversation, "format": "json"});
    let export = test.ask("export_conversation", params).await.unwrap();
    let whole: Value = serde_json::from_str(export["text"].as_str().unwrap()).unwrap();
    let items = whole["items"].as_array().unwrap().iter();
    let parts = items.filter_map(|item| item["parts"].as_array()).flatten();
    let contents = parts.filter_map(|part| part["outcome"]["result"]["content"].as_array());
    let texts = contents.flatten().filter_map(|part| part["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fee_and_a_rate_are_looked_up_at_once_and_the_amount_is_made_of_them() {
    let (test, reached) = currency::host("lab-currency").await;
    let person = test.person([]);
    for (exchange, expected, numbers) in [
        (
            &EXCHANGES[0],
            "40,954.20 INR. Fee: 2 %, 10 USD; after it 490 USD; rate 83.58.",
            ["0.02", "83.58"],
        ),
        (
            &EXCHANGES[1],
            "103,430.25 INR. Fee: 1 %, 12.50 USD; after it 1,237.50 USD; rate 83.58.",
            ["0.01", "83.58"],
        ),
        (
            &EXCHANGES[2],
            "30,870 JPY. Fee: 2 %, 4 USD; after it 196 USD; rate 157.5.",
            ["0.02", "157.5"],
        ),
        (
            &EXCHANGES[3],
            "89.75 EUR. Fee: 3.5 %, 3.50 USD; after it 96.50 USD; rate 0.93.",
            ["0.035", "0.93"],
        ),
    ] {
        let says = exchange.says;
        let talk = Talk::answering(&test, exchange.agent()).await;
        let page = talk.say_and_wait(&test, says).await;
        assert_eq!(
            words(&page),
            [
                format!("person: {says}"),
                "call: exchange__get_fee_for_payment_method answered".to_owned(),
                "call: exchange__get_exchange_rate answered".to_owned(),
                format!("model: {expected}"),
            ]
        );
        assert_eq!(page["ended"], "done");
        assert_eq!(talk.requests().len(), 2, "both in one reply");
        let results = results(&test, &talk).await;
        for number in numbers {
            assert!(results.contains(number), "{number}: {results}");
        }
    }
    assert_eq!(reached.lines().len(), 8);
    assert_eq!(
        person.asked().len(),
        0,
        "what reads and is allowed asks nobody"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_never_calculates_itself_has_a_calculator_do_it() {
    let (test, _reached) = currency::host("lab-currency").await;
    let agent = currency::assistant(&test).await;
    let person = test.person([]);
    let arrive = [
        "40954.2 INR; fee 10 USD, after it 490 USD.",
        "103430.25 INR; fee 12.5 USD, after it 1237.5 USD.",
        "30870 JPY; fee 4 USD, after it 196 USD.",
        "89.75 EUR; fee 3.5 USD, after it 96.5 USD.",
    ];
    let arrive = EXCHANGES
        .iter()
        .zip(arrive)
        .map(|(one, says)| (one, says, 3));
    let stop = IMPOSSIBLE.iter().map(|(one, says)| (one, *says, 0));
    for (exchange, expected, calculations) in arrive.chain(stop) {
        let says = exchange.says;
        let talk = Talk::answering(&test, exchange.agent_with_calculator()).await;
        let begun = test
            .ask("start_conversation", json!({"assistant": agent}))
            .await;
        let talk = Talk {
            conversation: begun.unwrap()["id"].clone(),
            ..talk
        };
        let page = talk.say_and_wait(&test, says).await;
        let said = words(&page);
        assert_eq!(*said.last().unwrap(), format!("model: {expected}"));
        let helped = "call: ask_calculationagent helped".to_owned();
        assert_eq!(
            said.iter().filter(|line| **line == helped).count(),
            calculations
        );
        // What it was shown: the two tools of the server, and its helper.
        let ledger = json!({"conversation": talk.conversation, "reply": 1});
        let ledger = test.ask("read_ledger", ledger).await.unwrap();
        let parts = ledger["parts"].as_array().unwrap().iter();
        let shown = parts.filter(|part| {
            part["kind"]["kind"]
                .as_str()
                .unwrap()
                .ends_with("efinitions")
        });
        assert_eq!(
            shown
                .map(|part| part["count"].as_u64().unwrap())
                .sum::<u64>(),
            3,
            "{ledger}"
        );
        // Each number was worked out in a conversation of the calculator's own.
        let items = page["items"].as_array().unwrap().iter();
        let parts = items.filter_map(|item| item["parts"].as_array()).flatten();
        for task in parts.filter_map(|part| part["task"].as_object()) {
            let read = json!({"conversation": task["conversation"], "limit": 10});
            let done = test.ask("read_conversation", read).await.unwrap();
            assert_eq!(words(&done)[1], "call: calculate own");
        }
    }
    assert_eq!(person.asked().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_of_one_reply_that_only_read_are_made_beside_each_other() {
    // It answers neither before it has been asked for both.
    let (test, _reached) = currency::host("lab-currency-together").await;
    let talk = Talk::begin(&test, [EXCHANGES[0].calls(), Step::says("Here you are.")]).await;
    let page = talk
        .say_and_wait(
            &test,
            "What do 500 USD cost by platinum credit card, and what are they in INR?",
        )
        .await;
    assert_eq!(
        words(&page)[1..],
        [
            "call: exchange__get_fee_for_payment_method answered",
            "call: exchange__get_exchange_rate answered",
            "model: Here you are.",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_server_says_what_is_wrong_the_model_is_told_so_in_its_words_and_stops() {
    let (test, reached) = currency::host("lab-currency").await;
    let person = test.person([]);
    for (exchange, wrong) in &IMPOSSIBLE {
        let says = exchange.says;
        let talk = Talk::answering(&test, exchange.agent()).await;
        let page = talk.say_and_wait(&test, says).await;
        assert_eq!(*words(&page).last().unwrap(), format!("model: {wrong}"));
        let requests = talk.requests();
        assert_eq!(requests.len(), 2, "nothing is tried after that");
        assert!(tells(&requests[1], wrong));
    }
    assert_eq!(reached.lines().len(), 4);
    assert_eq!(person.asked().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_tools_of_which_one_is_approved_a_model_is_shown_one() {
    let (test, _reached) = images::host().await;
    let talk = Talk::begin(&test, [Step::says("A picture, then.")]).await;
    talk.say_and_wait(&test, "What can you do?").await;
    let tools = talk.requests()[0]["tools"].clone();
    let names = tools.as_array().unwrap().iter().map(|tool| &tool["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["everything__get-tiny-image"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_wants_what_it_was_not_shown_is_told_that_it_is_not_there_and_nothing_is_sent()
{
    let (test, reached) = images::host().await;
    let no_such_tool = "Not carried out: there is no tool of this name";
    for (name, told) in [
        ("get-sum", format!("{no_such_tool}.")),
        ("everything__get-sum", format!("{no_such_tool}.")),
        ("echo", format!("{no_such_tool}.")),
        (
            "getTinyImage",
            format!("{no_such_tool}; near: everything__get-tiny-image."),
        ),
    ] {
        let arguments = json!({"a": 1, "b": 2, "message": "hello"});
        let steps = [Step::wants([(name, arguments)]), Step::says("I cannot.")];
        let talk = Talk::begin(&test, steps).await;
        let page = talk.say_and_wait(&test, "Add 1 and 2.").await;
        assert_eq!(
            words(&page)[1..],
            [
                format!("call: {name} not_run"),
                "model: I cannot.".to_owned()
            ]
        );
        let request = &talk.requests()[1];
        assert!(texts(request).contains(&told), "{name}: {request}");
    }
    assert_eq!(reached.lines(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn to_switch_a_tool_that_is_not_there_is_an_error_that_says_so() {
    let (test, _reached) = images::host().await;
    let switch = json!({"server": "everything", "tool": "getTinyImage", "on": true});
    let refused = test.ask("set_tool", switch).await;
    assert_eq!(code(refused), ErrorCode::UnknownTool);
}

/// The picture as each service takes it, wherever in the request that is.
fn as_taken(service: &str) -> Value {
    let url = format!("data:image/png;base64,{PICTURE}");
    match service {
        "anthropic" => {
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}})
        }
        "responses" => json!({"type": "input_image", "image_url": url}),
        "chat" => json!({"type": "image_url", "image_url": {"url": url}}),
        "gemini" => json!({"inlineData": {"mimeType": "image/png", "data": PICTURE}}),
        "ollama" => json!([PICTURE]),
        other => panic!("{other}"),
    }
}

/// Whether a value holds this one, and perhaps more in its objects.
fn holds(value: &Value, wanted: &Value) -> bool {
    fn is_it(value: &Value, wanted: &Value) -> bool {
        match (value, wanted) {
            (Value::Object(value), Value::Object(wanted)) => wanted
                .iter()
                .all(|(key, wanted)| value.get(key).is_some_and(|value| is_it(value, wanted))),
            _ => value == wanted,
        }
    }
    is_it(value, wanted)
        || match value {
            Value::Object(map) => map.values().any(|value| holds(value, wanted)),
            Value::Array(list) => list.iter().any(|value| holds(value, wanted)),
            _ => false,
        }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_seen_by_the_person_and_by_the_model_whatever_its_service() {
    let (test, reached) = images::host().await;
    let services = ["anthropic", "responses", "chat", "gemini", "ollama"];
    for service in services {
        let steps = [images::wants_picture(), Step::says("One point.")];
        let none = json!({"kind": "none"});
        let talk = Talk::of_service(&test, service, steps, none).await;
        let page = talk.say_and_wait(&test, "Show me the tiny picture.").await;
        assert_eq!(
            words(&page)[1..],
            [
                "call: everything__get-tiny-image answered",
                "model: One point."
            ],
            "{service}"
        );
        let shown = &page["items"][1]["parts"][0]["outcome"]["result"]["content"];
        let picture = json!({"kind": "image", "data": PICTURE, "mime_type": "image/png"});
        assert!(holds(shown, &picture), "{service}: {shown}");
        let request = &talk.requests()[1];
        assert!(holds(request, &as_taken(service)), "{service}: {request}");
    }
    assert_eq!(reached.lines().len(), services.len());
    // And beyond the end of the application.
    let test = test.again().await;
    let listed = test.ask("list_conversations", json!({})).await.unwrap();
    for conversation in listed.as_array().unwrap() {
        let read = json!({"conversation": conversation["id"], "limit": 10});
        let page = test.ask("read_conversation", read).await.unwrap();
        assert!(page.to_string().contains(PICTURE), "{page}");
    }
}
