//! The loop and the door together, with a service that follows a script and refuses what real ones
//! refuse, in the words of all five.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use agent::model::{Failure, Outgoing, ask};
use agent::{
    Conversation, Effect, Entry, Event, LabelledResult, ModelRef, OfferedTool, Outcome, Purse,
    Reply, Request, Said, Setting, ToolTable, Turn, TurnEnd,
};
use protocol::{
    Boundary, Content, Label, ModelId, ModelService, Origin, ServerId, Timestamp, ToolResult,
    ToolSpec, TurnId,
};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::time::Duration;
use test_servers::model::{Answer, Model, Part, Step, Stop};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

const ALL: [ModelService; 5] = [
    ModelService::Anthropic,
    ModelService::Chat,
    ModelService::Gemini,
    ModelService::Ollama,
    ModelService::Responses,
];
const KEY: &str = "sk-not-a-real-key";
const DEADLINE: Duration = Duration::from_secs(30);

fn tool(server: &str, name: &str) -> OfferedTool {
    OfferedTool {
        server: ServerId::parse(server).unwrap(),
        spec: ToolSpec {
            description: Some(format!("Does {name}.")),
            input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
            ..ToolSpec::named(name)
        },
        reads: true,
        always_shown: false,
    }
}

fn setting(wire: ModelService) -> Setting {
    Setting {
        model: ModelRef {
            id: ModelId::from("model-1"),
            wire,
            name: "stub".to_owned(),
        },
        instructions: "Never compute yourself.".to_owned(),
        tools: ToolTable::of([
            tool("bank", "fee"),
            tool("bank", "rate"),
            tool("own", "calculate"),
        ]),
        purse: Purse::default(),
        context: 32_000,
        max_output: 1_000,
        sees_images: true,
        helpers: Vec::new(),
        calculates: false,
        has_reader: false,
        does_task: false,
    }
}

/// Sends a request with the key that the service wants, and hands in what comes back as it comes.
async fn post(model: &Model, request: &Request, key: Option<&str>) -> Result<Reply, Failure> {
    let (outgoing, mut incoming) = ask(request)?;
    let mut stream = send(model, &outgoing, request.model.wire, key).await;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
    if status != 200 {
        let mut body = Vec::new();
        stream.read_to_end(&mut body).await.unwrap();
        let retry = head
            .lines()
            .find_map(|line| line.strip_prefix("retry-after:"));
        return Err(Failure::of_status(status, retry, &body));
    }
    let mut piece = [0; 61];
    while !incoming.is_whole() {
        let length = stream.read(&mut piece).await.unwrap();
        if length == 0 {
            break;
        }
        incoming.push(piece.get(..length).unwrap_or_default(), &mut Vec::new())?;
    }
    incoming.finish()
}

async fn send(
    model: &Model,
    outgoing: &Outgoing,
    wire: ModelService,
    key: Option<&str>,
) -> TcpStream {
    let address = model.address();
    let mut stream = TcpStream::connect(address.trim_start_matches("http://"))
        .await
        .unwrap();
    let mut head = format!(
        "POST {} HTTP/1.1\r\nhost: stub\r\ncontent-length: {}\r\n",
        outgoing.path,
        outgoing.body.len()
    );
    for (name, value) in &outgoing.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(key) = key {
        head.push_str(&match wire {
            ModelService::Anthropic => format!("x-api-key: {key}\r\n"),
            ModelService::Gemini => format!("x-goog-api-key: {key}\r\n"),
            _ => format!("authorization: Bearer {key}\r\n"),
        });
    }
    stream
        .write_all(format!("{head}\r\n").as_bytes())
        .await
        .unwrap();
    stream.write_all(&outgoing.body).await.unwrap();
    stream
}

fn answered(text: &str) -> Outcome {
    Outcome::Answered {
        answer: Box::new(LabelledResult {
            result: ToolResult {
                content: vec![Content::text(text)],
                ..ToolResult::default()
            },
            label: Label::of(Origin::Unknown),
            at: Timestamp(0),
            boundary: Boundary::of(7),
            changed: None,
        }),
    }
}

/// Says something, and does all that comes of it; calls are answered, but those of a tool with `no`.
async fn talk(turn: &mut Turn, model: &Model, number: u32, text: &str) -> Vec<Entry> {
    let said = vec![Said::text(text)];
    let event = Event::Said {
        turn: TurnId::from(format!("turn-{number}")),
        said,
    };
    let mut todo: VecDeque<Effect> = turn.handle(event).unwrap().into();
    let mut journal = Vec::new();
    while let Some(effect) = todo.pop_front() {
        let event = match effect {
            Effect::Write(entries) => {
                journal.extend(entries);
                continue;
            }
            Effect::AskModel { step, request } => match post(model, &request, Some(KEY)).await {
                Ok(reply) => Event::Replied { step, reply },
                Err(failure) => Event::Broke { step, failure },
            },
            Effect::Call(order) => Event::CallEnded {
                outcome: match order.tool.tool.as_str() {
                    "calculate" => Outcome::Denied {
                        reason: Some("later".to_owned()),
                    },
                    other => answered(&format!("{other} is 2")),
                },
                call: order.id,
            },
            other => panic!("{other:?}"),
        };
        todo.extend(turn.handle(event).unwrap());
    }
    journal
}

fn wants(calls: &[(&str, Value)]) -> Step {
    let thought = [Part::Thought("First the fee, then the rate.".to_owned())];
    let call = |(name, arguments): &(&str, Value)| Part::Call {
        name: (*name).to_owned(),
        arguments: arguments.clone(),
    };
    Step::Answer(Answer::of(
        thought.into_iter().chain(calls.iter().map(call)),
    ))
}

#[tokio::test]
async fn a_turn_with_calls_beside_each_other_is_what_every_service_takes() {
    for wire in ALL {
        let model = Model::start([
            wants(&[
                ("bank__fee", json!({"method": "card"})),
                ("bank__rate", json!({"to": "INR"})),
            ]),
            wants(&[
                ("own__calculate", json!({"expression": "490 * 83.58"})),
                ("nothing", json!({})),
            ]),
            Step::says("40,954.20 INR, 冷"),
            wants(&[("bank__fee", json!({}))]),
            Step::says("the same"),
        ])
        .await
        .unwrap();
        model.ask_for(KEY);
        let mut turn = Turn::new(setting(wire));
        let mut journal = talk(&mut turn, &model, 1, "500 USD to INR").await;
        assert_eq!(
            turn.conversation().last_end(),
            Some(TurnEnd::Done),
            "{wire:?}: {:#?}",
            model.seen()
        );
        journal.extend(talk(&mut turn, &model, 2, "And again?").await);
        assert_eq!(
            turn.conversation().last_end(),
            Some(TurnEnd::Done),
            "{wire:?}: {:#?}",
            model.seen()
        );
        let seen = model.seen();
        assert_eq!(seen.len(), 5);
        for (at, seen) in seen.iter().enumerate() {
            assert_eq!(seen.refused, None, "{wire:?} request {at}: {:#}", seen.body);
        }
        let last = seen[4].body.to_string();
        for word in [
            "fee is 2",
            "did not allow this call",
            "Reason: later",
            "no tool of this name",
            "40,954.20 INR, 冷",
        ] {
            assert!(last.contains(word), "{wire:?}: {word} in {last}");
        }
        assert_eq!(&Conversation::read(&journal).unwrap(), turn.conversation());
        let text = serde_json::to_string(&journal).unwrap();
        let again: Vec<Entry> = serde_json::from_str(&text).unwrap();
        assert_eq!(again, journal);
    }
}

fn hello(wire: ModelService) -> Request {
    let mut turn = Turn::new(setting(wire));
    let event = Event::Said {
        turn: TurnId::random(),
        said: vec![Said::text("hello")],
    };
    let effects = turn.handle(event).unwrap();
    let request = effects.into_iter().find_map(|effect| match effect {
        Effect::AskModel { request, .. } => Some(*request),
        _ => None,
    });
    request.unwrap()
}

#[tokio::test]
async fn a_service_that_is_busy_says_when_to_come_back_and_one_without_a_key_says_no() {
    for wire in ALL {
        let busy = |status, retry_after| Step::Status {
            status,
            retry_after,
            message: "busy".to_owned(),
        };
        let model = Model::start([busy(429, Some(7)), busy(529, None), busy(400, None)])
            .await
            .unwrap();
        model.ask_for(KEY);
        let refused = post(&model, &hello(wire), None).await.unwrap_err();
        assert!(
            matches!(refused, Failure::Status { status: 401, .. }) && refused.retry(0).is_none()
        );
        let mut waits = Vec::new();
        for again in 0..3 {
            let failure = post(&model, &hello(wire), Some(KEY)).await.unwrap_err();
            assert!(failure.to_string().ends_with("busy"), "{failure}");
            waits.push(failure.retry(again));
        }
        let expected = [
            Some(Duration::from_secs(7)),
            Some(Duration::from_secs(4)),
            None,
        ];
        assert_eq!(waits, expected);
    }
}

#[tokio::test]
async fn a_connection_that_ends_early_is_no_answer_and_one_that_is_let_go_is_noticed() {
    for wire in ALL {
        let cut = |cut_at| {
            Step::Answer(Answer {
                cut_at,
                ..Answer::of([Part::Text("Once upon a time".to_owned())])
            })
        };
        let long = Answer {
            pace: Duration::from_millis(1),
            ..Answer::of(vec![Part::Text("x".repeat(4_096)); 2_000])
        };
        let model = Model::start([cut(Some(0)), cut(Some(100)), Step::Answer(long), cut(None)])
            .await
            .unwrap();
        for _ in 0..2 {
            assert_eq!(
                post(&model, &hello(wire), None).await,
                Err(Failure::CutOff),
                "{wire:?}"
            );
        }
        let (outgoing, _) = ask(&hello(wire)).unwrap();
        let mut stream = send(&model, &outgoing, wire, None).await;
        stream.read_u8().await.unwrap();
        drop(stream);
        timeout(DEADLINE, model.left(2)).await.unwrap();
        assert!(post(&model, &hello(wire), None).await.is_ok());
    }
}

#[tokio::test]
async fn a_reply_that_is_cut_by_its_length_or_refused_ends_as_that() {
    for wire in ALL {
        let with = |stop| {
            Step::Answer(Answer {
                stop,
                ..Answer::of([Part::Text("Once".to_owned())])
            })
        };
        let model = Model::start([with(Stop::Length), with(Stop::Filtered)])
            .await
            .unwrap();
        let mut turn = Turn::new(setting(wire));
        talk(&mut turn, &model, 1, "hello").await;
        assert_eq!(
            turn.conversation().last_end(),
            Some(TurnEnd::Cut),
            "{wire:?}"
        );
        if wire != ModelService::Ollama {
            talk(&mut turn, &model, 2, "hello").await;
            assert_eq!(
                turn.conversation().last_end(),
                Some(TurnEnd::Refused),
                "{wire:?}"
            );
        }
    }
}

/// What a change makes of a request that is taken otherwise.
async fn refused(wire: ModelService, change: impl FnOnce(&mut Value)) -> Option<String> {
    let model = Model::start([
        wants(&[("bank__fee", json!({})), ("bank__rate", json!({}))]),
        Step::says("2"),
    ])
    .await
    .unwrap();
    let mut turn = Turn::new(setting(wire));
    talk(&mut turn, &model, 1, "hello").await;
    let seen = model.seen().pop().unwrap();
    assert_eq!(seen.refused, None);
    let mut body = seen.body;
    change(&mut body);
    let judge = Model::start([Step::says("taken")]).await.unwrap();
    let outgoing = Outgoing {
        path: seen.path,
        headers: seen.headers,
        body: body.to_string().into_bytes(),
    };
    let headers = outgoing
        .headers
        .iter()
        .filter(|(name, _)| name != "content-length")
        .cloned()
        .collect();
    let mut stream = send(
        &judge,
        &Outgoing {
            headers,
            ..outgoing
        },
        wire,
        None,
    )
    .await;
    stream.read_to_end(&mut Vec::new()).await.unwrap();
    judge.seen().pop().unwrap().refused
}

fn list(body: &mut Value, wire: ModelService) -> &mut Vec<Value> {
    let field = match wire {
        ModelService::Gemini => "contents",
        ModelService::Responses => "input",
        _ => "messages",
    };
    body[field].as_array_mut().unwrap()
}

fn is_result(message: &Value) -> bool {
    let text = message.to_string();
    [
        "tool_result",
        "\"role\":\"tool\"",
        "functionResponse",
        "function_call_output",
    ]
    .iter()
    .any(|word| text.contains(word))
}

#[tokio::test]
async fn the_service_of_these_tests_refuses_what_real_ones_refuse() {
    for wire in ALL {
        assert_eq!(refused(wire, |_| ()).await, None);
        let without_results = refused(wire, |body| {
            list(body, wire).retain(|message| !is_result(message))
        })
        .await;
        assert!(
            without_results.unwrap().contains("have no results"),
            "{wire:?}"
        );
        let without_calls = refused(wire, |body| {
            let of_the_model = |message: &Value| {
                let text = message.to_string();
                text.contains("\"assistant\"")
                    || text.contains("\"model\"")
                    || text.contains("\"function_call\"")
            };
            list(body, wire).retain(|message| is_result(message) || !of_the_model(message));
        });
        assert!(
            without_calls.await.unwrap().contains("results of"),
            "{wire:?}"
        );
        let first = refused(wire, |body| {
            list(body, wire).retain(|message| !message.to_string().contains("hello"))
        });
        assert!(first.await.unwrap().contains("first message"), "{wire:?}");
        let unbounded = refused(wire, |body| {
            for place in [
                "max_tokens",
                "max_output_tokens",
                "options",
                "generationConfig",
            ] {
                if let Some(map) = body.as_object_mut() {
                    map.remove(place);
                }
            }
        });
        assert!(
            unbounded.await.unwrap().contains("field required"),
            "{wire:?}"
        );
        let named = refused(wire, |body| {
            let text = body
                .to_string()
                .replace("\"name\":\"own__calculate\"", "\"name\":\"own calculate\"");
            *body = serde_json::from_str(&text).unwrap();
        });
        assert!(
            named.await.unwrap().contains("no name of a tool"),
            "{wire:?}"
        );
        let called = refused(wire, |body| {
            for message in list(body, wire) {
                let text = message.to_string().replace("bank__fee", "bank fee");
                *message = serde_json::from_str(&text).unwrap();
            }
        });
        assert!(
            called.await.unwrap().contains("no name of a tool"),
            "{wire:?}"
        );
    }
    let changed = refused(ModelService::Anthropic, |body| {
        let text = body.to_string().replace("First the fee", "First the rate");
        *body = serde_json::from_str(&text).unwrap();
    });
    assert!(changed.await.unwrap().contains("signature"));
}
