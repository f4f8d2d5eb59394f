//! A server gets an answer of a model only where the person has switched that on, for each request
//! anew, and within its budget.

use crate::support::talk::set_up;
use crate::support::{TestHost, misbehave, text};
use host::api::{AskRefusal, HostEvent, WireLog};
use policy::{Decision, Subject};
use serde_json::{Map, Value, json};
use test_servers::model::{Answer, Model, Part, Step};

/// A model that says the same each time.
struct Scripted(Model);

/// What it says, in its words for everything.
fn forty_two() -> Step {
    Step::Answer(Answer {
        usage: Some((100, 40)),
        ..Answer::of([Part::Text("forty-two".to_owned())])
    })
}

impl Scripted {
    /// The bodies of what it was asked.
    fn asked(&self) -> Vec<Value> {
        let seen = self.0.seen().into_iter();
        let seen = seen.inspect(|one| assert_eq!(one.refused, None, "{}", one.body));
        seen.map(|one| one.body).collect()
    }

    fn name(&self) -> String {
        self.0.address()
    }
}

/// A host with a model, and two servers that ask for one. Their tools are allowed already.
async fn with_model() -> (TestHost, Scripted) {
    let test = TestHost::new().await;
    let steps = (0..4).map(|_| forty_two());
    let model = Model::start(steps).await.unwrap();
    set_up(&test, &model, "anthropic", json!({"kind": "none"})).await;
    for name in ["asks", "other"] {
        test.add(name, &[&misbehave(), "elicits"]).await;
        let _person = test.person([Decision::always(), Decision::Decline]);
        test.call(name, "model", json!({"params": params(1)}))
            .await
            .unwrap();
    }
    (test, Scripted(model))
}

/// Everything that the server of this name was told.
async fn told(test: &TestHost, server: &str) -> String {
    let exchange: WireLog = test.get("list_exchange", json!({"server": server})).await;
    let told = exchange.frames.into_iter().filter(|frame| frame.sent);
    told.map(|frame| frame.text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_told_of_a_model_only_where_there_is_one() {
    let (test, _) = with_model().await;
    assert!(told(&test, "asks").await.contains("sampling"));
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), "elicits"]).await;
    let told = told(&test, "asks").await;
    assert!(
        told.contains("elicitation") && !told.contains("sampling"),
        "{told}"
    );
}

fn params(tokens: u32) -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "What is six times seven?"}}], "maxTokens": tokens})
}

async fn switch_on(test: &TestHost, server: &str, review: bool, limit: [u32; 3]) {
    let limit = json!({"requests": limit[0], "tokens": limit[1], "per_reply": limit[2]});
    let settings = json!({"on": true, "review_replies": review, "limit": limit});
    test.ask(
        "set_sampling",
        json!({"server": server, "settings": settings}),
    )
    .await
    .unwrap();
}

async fn asks(test: &TestHost, server: &str, params: Value) -> String {
    text(
        &test
            .call(server, "model", json!({"params": params}))
            .await
            .unwrap(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_that_was_set_up_last_answers_whoever_starts_afterwards_and_none_once_it_is_gone()
{
    let test = TestHost::new().await;
    let none = || json!({"kind": "none"});
    let older = Model::start([]).await.unwrap();
    set_up(&test, &older, "anthropic", none()).await;
    for (service, temperature) in [
        ("anthropic", Some(1.0)),
        ("chat", Some(1.5)),
        ("gemini", Some(1.5)),
        ("ollama", Some(1.5)),
        // Most of its models think first, and take none.
        ("responses", None),
    ] {
        let model = Model::start([forty_two()]).await.unwrap();
        let id = set_up(&test, &model, service, none()).await;
        test.add(service, &[&misbehave(), "elicits"]).await;
        switch_on(&test, service, false, [10, 1_000, 100]).await;
        let yes = Decision::UseModel { params: None };
        let _person = test.person([Decision::always(), yes]);
        let mut params = params(50);
        params["systemPrompt"] = json!("Answer in one word.");
        params["stopSequences"] = json!(["-two"]);
        params["temperature"] = json!(1.5);
        let answer = asks(&test, service, params).await;
        assert!(
            answer.contains("forty") && !answer.contains("-two"),
            "{answer}"
        );
        assert!(answer.contains("stopSequence"), "{answer}");
        let asked = Scripted(model).asked().remove(0).to_string();
        for words in ["What is six times seven?", "Answer in one word."] {
            assert!(asked.contains(words), "{asked}");
        }
        let told = temperature.map_or("temperature".to_owned(), |temperature| {
            format!("\"temperature\":{temperature:?}")
        });
        assert_eq!(asked.contains(&told), temperature.is_some(), "{asked}");
        test.ask("remove_model", json!({"model": id}))
            .await
            .unwrap();
    }
    let models = test.ask("list_models", json!({})).await.unwrap();
    let last = json!({"model": models[0]["id"]});
    test.ask("remove_model", last).await.unwrap();
    let view = json!({"server": "chat"});
    let view = test.ask("show_sampling", view).await.unwrap();
    assert_eq!(view["model"], json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_45_by_default_no_server_gets_a_model_and_the_person_learns_of_it() {
    let (test, model) = with_model().await;
    let person = test.person([]);
    let mut recorder = test.listen();
    assert!(asks(&test, "asks", params(10)).await.contains("declined"));
    recorder.until(|event| matches!(event, HostEvent::AskRefused { server, why: AskRefusal::ModelOff, .. } if server.as_str() == "asks")).await;
    assert_eq!(
        (person.asked().len(), model.asked().len()),
        (0, 0),
        "nobody is asked"
    );
    let view = test
        .ask("show_sampling", json!({"server": "asks"}))
        .await
        .unwrap();
    assert_eq!(
        (&view["settings"]["on"], &view["model"]),
        (&json!(false), &json!(model.name()))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_45_each_request_is_a_question_and_only_a_yes_reaches_the_model() {
    let (test, model) = with_model().await;
    switch_on(&test, "asks", false, [10, 1_000, 100]).await;
    let person = test.person([
        Decision::UseModel { params: None },
        Decision::Decline,
        Decision::always(),
    ]);
    let answer = asks(&test, "asks", params(500)).await;
    assert!(
        answer.contains("forty-two") && answer.contains("wise-1") && answer.contains("endTurn"),
        "{answer}"
    );
    for _ in 0..2 {
        assert!(
            asks(&test, "asks", params(500)).await.contains("declined"),
            "a no, or an answer that fits another question"
        );
    }
    let Subject::Sample {
        model: name,
        budget,
        sample,
        during,
    } = person.asked()[0].subject.clone()
    else {
        panic!("it is not asked")
    };
    assert_eq!(
        (name.as_deref(), budget.requests, during.len()),
        (Some(model.name().as_str()), 9, 1)
    );
    assert_eq!(
        sample.params["maxTokens"], 100,
        "what is shown is what would be asked"
    );
    assert_eq!(
        (
            person.asked().len(),
            model.asked().len(),
            &model.asked()[0]["max_tokens"]
        ),
        (3, 1, &json!(100))
    );
    let export = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    let log = export["text"].as_str().unwrap();
    assert!(log.contains("sample_answered") && log.contains("use_model") && log.contains("wise-1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_makes_of_the_prompt_is_what_the_model_gets() {
    let (test, model) = with_model().await;
    switch_on(&test, "asks", false, [10, 1_000, 100]).await;
    let edited: Map<String, Value> = json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello"}}], "maxTokens": 5_000,
        "tools": [{"name": "x"}], "includeContext": "allServers",
    })
    .as_object()
    .unwrap()
    .clone();
    let _person = test.person([Decision::UseModel {
        params: Some(edited),
    }]);
    asks(&test, "asks", params(50)).await;
    let asked = model.asked().remove(0);
    assert_eq!(asked["messages"][0]["content"][0]["text"], "Say hello");
    assert_eq!(
        asked["max_tokens"], 50,
        "not even the person goes beyond what was taken from the budget"
    );
    let sent = asked.to_string();
    assert!(
        !sent.contains("tools") && !sent.contains("allServers"),
        "{sent}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_45_tools_and_what_others_said_are_never_part_of_it() {
    let (test, model) = with_model().await;
    switch_on(&test, "asks", false, [10, 1_000, 100]).await;
    let person = test.person([]);
    for more in [
        json!({"tools": [{"name": "x", "inputSchema": {}}]}),
        json!({"toolChoice": {"mode": "auto"}}),
        json!({"includeContext": "allServers"}),
    ] {
        let mut params = params(10);
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let mut recorder = test.listen();
        assert!(asks(&test, "asks", params).await.contains("declined"));
        recorder
            .until(|event| {
                matches!(
                    event,
                    HostEvent::AskRefused {
                        why: AskRefusal::ModelTools,
                        ..
                    }
                )
            })
            .await;
    }
    assert_eq!((person.asked().len(), model.asked().len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_45_a_budget_that_is_used_up_is_a_no_for_this_server_only_and_outlives_a_restart() {
    let (test, model) = with_model().await;
    for server in ["asks", "other"] {
        switch_on(&test, server, false, [10, 60, 50]).await;
    }
    let yes = || Decision::UseModel { params: None };
    let person = test.person([yes(), yes(), yes()]);
    assert!(asks(&test, "asks", params(500)).await.contains("forty-two"));
    assert!(asks(&test, "asks", params(500)).await.contains("forty-two"));
    assert_eq!(
        model
            .asked()
            .iter()
            .map(|asked| asked["max_tokens"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [50, 20],
        "what is left of the day"
    );
    assert!(asks(&test, "asks", params(500)).await.contains("declined"));
    assert!(
        asks(&test, "other", params(500))
            .await
            .contains("forty-two"),
        "another server has its own"
    );
    assert_eq!(
        person.asked().len(),
        3,
        "nobody is asked for what there is none of"
    );
    drop(person);
    let test = test.again().await;
    let left = |view: Value| view["left"]["tokens"].as_u64().unwrap();
    assert_eq!(
        left(
            test.ask("show_sampling", json!({"server": "asks"}))
                .await
                .unwrap()
        ),
        0
    );
    assert_eq!(
        left(
            test.ask("show_sampling", json!({"server": "other"}))
                .await
                .unwrap()
        ),
        20
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_within_an_hour_are_refused_without_a_question() {
    let (test, model) = with_model().await;
    switch_on(&test, "asks", false, [2, 1_000, 50]).await;
    let person = test.person([Decision::Decline, Decision::Decline]);
    for _ in 0..5 {
        assert!(asks(&test, "asks", params(5)).await.contains("declined"));
    }
    assert_eq!((person.asked().len(), model.asked().len()), (2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_can_be_read_and_changed_before_the_server_gets_it() {
    let (test, _model) = with_model().await;
    switch_on(&test, "asks", true, [10, 1_000, 50]).await;
    let yes = || Decision::UseModel { params: None };
    let person = test.person([
        yes(),
        Decision::SendReply {
            reply: Some("forty-three".into()),
        },
        yes(),
        Decision::Decline,
        yes(),
        Decision::SendReply { reply: None },
    ]);
    assert!(
        asks(&test, "asks", params(50))
            .await
            .contains("forty-three")
    );
    let kept_back = asks(&test, "asks", params(50)).await;
    assert!(
        kept_back.contains("declined") && !kept_back.contains("forty-two"),
        "{kept_back}"
    );
    assert!(asks(&test, "asks", params(50)).await.contains("forty-two"));
    assert!(
        matches!(&person.asked()[1].subject, Subject::SampleReply { reply, .. } if reply == "forty-two")
    );
}
