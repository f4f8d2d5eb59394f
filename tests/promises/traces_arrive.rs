//! Traces and metrics arrive at the collector that the person names, by the names that the
//! conventions of OpenTelemetry for MCP have; nobody else gets any, and nobody waits for them.

use crate::support::collector::{Collector, attributes, count, points};
use crate::support::misbehave;
use crate::support::remote::Remote;
use crate::support::terminal::{Ran, Running, Terminal, eventually};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde_json::{Value, json};
use std::net::TcpListener;

/// A host without a window, and somebody who may answer its questions.
struct Served {
    terminal: Terminal,
    token: String,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "it runs until it is dropped")
    )]
    running: Option<Running>,
}

impl Served {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(env: &[(&str, &str)]) -> Self {
        let terminal = Terminal::new();
        let token = terminal.beside("token").to_str().unwrap().to_owned();
        let (running, _) = terminal.serve_with(&["--approver-token-file", &token], env);
        Self {
            terminal,
            token,
            running: Some(running),
        }
    }

    /// Switches a server on, with everything that it offers.
    fn enable(&self, server: &str) {
        self.done(&["servers", "review", server, "--accept", "--yes"]);
        self.done(&["servers", "enable", server, "--yes"]);
        self.done(&["offers", "approve", server, "--all", "--yes"]);
    }

    fn done(&self, words: &[&str]) -> Ran {
        let ran = self.terminal.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        ran
    }

    /// Makes a call; the first one of a tool is asked about, and answered.
    fn call(&self, words: &[&str], answer: Option<&str>) -> Ran {
        let call = self.terminal.start(&[&["--json", "call"], words].concat());
        if let Some(answer) = answer {
            let question = self.terminal.question();
            let id = question["id"].as_str().unwrap();
            let words = [
                vec!["questions", "answer", id],
                answer.split(' ').collect(),
                vec!["--approver-token-file", &self.token],
            ];
            self.done(&words.concat());
        }
        call.ended()
    }

    fn rate(&self, base: &str, answer: Option<&str>) {
        let arguments = json!({"base": base, "target": "EUR"}).to_string();
        let ran = self.call(
            &["currency", "get_exchange_rate", "--args", &arguments],
            answer,
        );
        assert_eq!(ran.code, 0, "{ran:?}");
    }

    /// Has everything sent to a collector, on the word of whoever holds the token.
    fn send_to(&self, url: &str, more: &[&str]) {
        self.done(
            &[
                &[
                    "telemetry",
                    "set",
                    url,
                    "--approver-token-file",
                    &self.token,
                ],
                more,
            ]
            .concat(),
        );
    }

    fn shown(&self) -> Value {
        self.terminal.json(&["telemetry", "show"])
    }
}

fn has(span: &Span, wanted: &[(&str, &str)]) {
    let found = attributes(&span.attributes);
    for (name, value) in wanted {
        assert_eq!(
            found.get(*name).map(String::as_str),
            Some(*value),
            "{name} of {}: {found:?}",
            span.name
        );
    }
}

#[test]
fn a_call_arrives_with_everything_that_belongs_to_it_by_the_names_of_the_conventions() {
    let (served, collector) = (Served::new(), Collector::new());
    served.send_to(&collector.url, &[]);
    assert_eq!(served.shown()["settings"]["endpoint"], json!(collector.url));
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));

    let request = collector.span("tools/call get_exchange_rate");
    assert_eq!(request.kind, SpanKind::Client as i32);
    has(
        &request,
        &[
            ("mcp.method.name", "tools/call"),
            ("gen_ai.tool.name", "get_exchange_rate"),
            ("gen_ai.operation.name", "execute_tool"),
            ("network.transport", "pipe"),
            ("host.server", "currency"),
        ],
    );
    let found = attributes(&request.attributes);
    assert!(
        found["mcp.protocol.version"].starts_with("20")
            && found["jsonrpc.request.id"].parse::<u64>().is_ok(),
        "{found:?}"
    );
    for absent in [
        "error.type",
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "mcp.session.id",
        "server.address",
    ] {
        assert!(!found.contains_key(absent), "{absent}: {found:?}");
    }

    let call = collector.span("host.call");
    assert_eq!(
        (&request.parent_span_id, &request.trace_id),
        (&call.span_id, &call.trace_id)
    );
    has(
        &call,
        &[
            ("host.caller", "terminal"),
            ("host.policy.decision", "ask"),
            ("host.permission.kind", "answer"),
            ("host.consent.answer", "allow"),
        ],
    );
    assert!(
        attributes(&call.attributes)["host.consent.waited"]
            .parse::<f64>()
            .unwrap()
            > 0.0
    );
    let question = collector.span("host.consent");
    assert_eq!(question.parent_span_id, call.span_id);
    has(
        &question,
        &[
            ("host.question.kind", "call"),
            ("host.consent.answer", "allow"),
        ],
    );

    let begun = collector.span("initialize");
    assert_eq!(begun.kind, SpanKind::Client as i32);
    let listed = collector.span("tools/list");
    has(
        &listed,
        &[
            ("mcp.method.name", "tools/list"),
            ("host.server", "currency"),
        ],
    );
    assert!(
        !collector.knows("USD"),
        "arguments went along although nobody chose that"
    );
    let shown = served.shown();
    assert!(
        shown["sent_at"].is_number() && shown["problem"].is_null() && shown["dropped"] == 0,
        "{shown}"
    );

    let post = &collector.arrived()[0].head;
    assert!(
        post.contains(&"content-type: application/x-protobuf".to_owned()),
        "{post:?}"
    );
    assert!(collector.knows("service.name") && collector.knows("majordomo"));
}

#[test]
fn what_it_cost_arrives_as_metrics_with_the_same_names_and_no_identifiers() {
    let (served, collector) = (Served::new(), Collector::new());
    served.send_to(&collector.url, &[]);
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));
    served.rate("GBP", None);
    served.done(&["servers", "disable", "currency"]);
    collector.until_spans("tools/call get_exchange_rate", |calls| calls.len() == 2);
    // What was measured until another one is named goes to this one.
    served.send_to(&Collector::new().url, &[]);

    let operations = collector.metric("mcp.client.operation.duration");
    assert_eq!(operations.unit, "s");
    let points = points(&operations);
    let of = |tool: &str| {
        points.iter().find(|point| {
            attributes(&point.attributes)
                .get("gen_ai.tool.name")
                .is_some_and(|name| name == tool)
        })
    };
    let calls = of("get_exchange_rate").unwrap();
    assert_eq!(calls.count, 2);
    assert!(calls.sum.unwrap() > 0.0);
    assert_eq!(
        calls.explicit_bounds,
        [
            0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0
        ]
    );
    let about = attributes(&calls.attributes);
    assert_eq!(
        (
            about["mcp.method.name"].as_str(),
            about["network.transport"].as_str()
        ),
        ("tools/call", "pipe")
    );
    for point in &points {
        let about = attributes(&point.attributes);
        assert!(
            ["jsonrpc.request.id", "mcp.session.id", "host.call.id"]
                .iter()
                .all(|id| !about.contains_key(*id)),
            "{about:?}"
        );
    }
    assert_eq!(
        points_of(&collector, "mcp.client.session.duration")[0].count,
        1
    );
    assert_eq!(points_of(&collector, "host.consent.duration")[0].count, 1);
    assert_eq!(count(&collector.metric("host.questions")), 1);
}

fn points_of(
    collector: &Collector,
    name: &str,
) -> Vec<opentelemetry_proto::tonic::metrics::v1::HistogramDataPoint> {
    points(&collector.metric(name))
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_sent_unless_a_person_has_named_a_collector_and_nothing_after_they_took_it_away() {
    let (mut served, collector) = (Served::new(), Collector::new());
    let again = |served: &mut Served| {
        // What is still to be sent is sent before it ends.
        assert_eq!(served.running.take().unwrap().end(), 0);
        let before = collector.arrived().len();
        served.running = Some(
            served
                .terminal
                .serve(&["--approver-token-file", &served.token])
                .0,
        );
        before
    };
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));
    assert_eq!(served.shown()["settings"]["endpoint"], Value::Null);
    assert_eq!(
        again(&mut served),
        0,
        "something was sent, and nobody had named a collector"
    );

    // It is there, and would hear.
    served.send_to(&collector.url, &[]);
    served.rate("GBP", None);
    collector.span("tools/call get_exchange_rate");
    let before = again(&mut served);
    // A choice holds after a restart too.
    served.rate("CHF", None);
    collector.until_spans("tools/call get_exchange_rate", |calls| calls.len() == 2);
    assert!(collector.arrived().len() > before);

    served.done(&["telemetry", "off"]);
    let before = again(&mut served);
    served.rate("JPY", None);
    assert_eq!(
        (
            again(&mut served),
            collector.spans("tools/call get_exchange_rate").len()
        ),
        (before, 2),
        "something was sent after the end"
    );
}

#[test]
fn a_collector_that_is_not_there_or_never_answers_costs_a_call_nothing_and_is_seen() {
    let served = Served::new();
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = (format!("http://{}", silent.local_addr().unwrap()), silent);
    let gone = format!(
        "http://{}",
        TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
    );
    for (url, base) in [(&gone, "GBP"), (&silent.0, "CHF")] {
        served.send_to(url, &[]);
        served.rate(base, None);
        let problem = eventually("it was not seen", || {
            served.shown()["problem"].as_str().map(str::to_owned)
        });
        assert!(!problem.is_empty());
        eventually("what was lost was not counted", || {
            (served.shown()["dropped"].as_u64() > Some(0)).then_some(())
        });
    }
    // The next one that answers ends the problem.
    let collector = Collector::new();
    served.send_to(&collector.url, &[]);
    served.rate("JPY", None);
    collector.span("tools/call get_exchange_rate");
    eventually("the problem stayed", || {
        served.shown()["problem"].is_null().then_some(())
    });
}

#[test]
fn arguments_and_results_go_along_only_if_the_person_wants_it_and_held_secrets_never() {
    let (served, collector) = (
        Served::with(&[(
            "OTEL_EXPORTER_OTLP_HEADERS",
            "x-key=the-key-of-another-collector",
        )]),
        Collector::new(),
    );
    let secret = "correct-horse-\"battery\"-staple-7461";
    let (arrived, misbehave) = (served.terminal.beside("arrived"), misbehave());
    let words = [
        "servers",
        "add",
        "leaks",
        "--no-sandbox",
        "--secret-env",
        "SECRET",
        "--",
        &misbehave,
        "leaks",
        arrived.to_str().unwrap(),
    ];
    let ran = Ran::of(served.terminal.command(&words).env("SECRET", secret));
    assert_eq!(ran.code, 0, "{ran:?}");
    served.send_to(&collector.url, &["--contents"]);
    served.enable("leaks");
    assert_eq!(
        std::fs::read_to_string(&arrived).unwrap(),
        secret,
        "the server did not get what it would give away"
    );
    let arguments = json!({"note": secret, "plain": "an-open-word"}).to_string();
    let told = served.call(&["leaks", "tells", "--args", &arguments], Some("allow"));
    let failed = served.call(&["leaks", "fails", "--args", &arguments], Some("allow"));
    assert_eq!((told.code, failed.code), (0, 4), "{told:?} {failed:?}");

    let request = attributes(&collector.span("tools/call tells").attributes);
    assert!(
        request["gen_ai.tool.call.arguments"].contains("an-open-word"),
        "{request:?}"
    );
    assert!(
        request["gen_ai.tool.call.result"].contains("it is "),
        "{request:?}"
    );
    let failed = collector.span("tools/call fails");
    has(
        &failed,
        &[
            ("error.type", "-32000"),
            ("rpc.response.status_code", "-32000"),
        ],
    );
    let status = failed.status.unwrap();
    assert!(
        status.code == StatusCode::Error as i32 && status.message.contains("cannot sign in"),
        "{status:?}"
    );
    served.send_to(&Collector::new().url, &[]);
    collector.metric("mcp.client.operation.duration");
    for piece in [secret, "correct-horse", "staple-7461"] {
        assert!(!collector.knows(piece), "{piece}");
    }
    for request in collector.arrived() {
        assert!(
            !request
                .head
                .iter()
                .any(|line| line.contains("the-key-of-another")),
            "{:?}",
            request.head
        );
    }
    let env = json!({"name": "OTEL_EXPORTER_OTLP_HEADERS"}).to_string();
    served.done(&["servers", "add", "plain", "--", &misbehave, "ok"]);
    served.enable("plain");
    assert_eq!(
        served
            .call(&["plain", "env", "--args", &env], Some("allow"))
            .code,
        4,
        "a server was told where traces go"
    );
}

#[test]
fn without_contents_neither_a_servers_words_nor_the_address_of_a_resource_leaves() {
    let (served, collector) = (Served::new(), Collector::new());
    let (arrived, misbehave) = (served.terminal.beside("arrived"), misbehave());
    served.done(&[
        "servers",
        "add",
        "leaks",
        "--env",
        "SECRET=no-secret-at-all",
        "--",
        &misbehave,
        "leaks",
        arrived.to_str().unwrap(),
    ]);
    served.done(&[
        "servers",
        "add",
        "offers",
        "--",
        &misbehave,
        "resources-and-prompts",
    ]);
    served.send_to(&collector.url, &[]);
    served.enable("leaks");
    served.enable("offers");
    assert_eq!(
        served
            .call(&["leaks", "fails", "--args", "{}"], Some("allow"))
            .code,
        4
    );
    let failed = collector.span("tools/call fails");
    has(&failed, &[("error.type", "-32000")]);
    assert_eq!(
        failed
            .status
            .as_ref()
            .map(|status| (status.code, status.message.as_str())),
        Some((StatusCode::Error as i32, "-32000"))
    );
    served.done(&["resources", "read", "offers", "note://a"]);
    let read = collector.span("resources/read");
    assert!(
        !attributes(&read.attributes).contains_key("mcp.resource.uri"),
        "{read:?}"
    );
    assert!(!collector.knows("note://a") && !collector.knows("cannot sign in"));

    served.send_to(&collector.url, &["--contents"]);
    served.done(&["resources", "read", "offers", "note://a"]);
    collector.until_spans("resources/read", |spans| {
        spans
            .iter()
            .any(|span| attributes(&span.attributes).contains_key("mcp.resource.uri"))
    });
}

#[test]
fn that_more_leaves_needs_a_persons_word_and_stands_in_the_log() {
    let (served, collector, other) = (Served::new(), Collector::new(), Collector::new());
    let refused = |words: &[&str]| {
        let before = served.shown()["settings"].clone();
        let ran = served
            .terminal
            .run(&[&["telemetry", "set"], words].concat());
        assert!(ran.code != 0 && ran.out.is_empty(), "{words:?}: {ran:?}");
        assert_eq!(served.shown()["settings"], before, "{words:?}");
    };
    refused(&[&collector.url]);
    served.send_to(&collector.url, &["--contents"]);
    refused(&[&other.url]);
    refused(&[&collector.url, "--contents", "--propagate"]);
    // Less is free.
    served.done(&["telemetry", "set", &collector.url]);
    refused(&[&collector.url, "--contents"]);
    served.done(&["telemetry", "off"]);
    refused(&[&collector.url]);

    let log = served.done(&["audit", "export"]).out;
    let chosen: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |record: &Value| {
        [
            record["endpoint"].clone(),
            record["contents"].clone(),
            record["caller"]["kind"].clone(),
            record["approver"].clone(),
        ]
    };
    let chosen: Vec<_> = chosen
        .iter()
        .filter(|record| record["event"] == "telemetry_set")
        .map(of)
        .collect();
    let url = collector.url.as_str();
    assert_eq!(
        chosen,
        [
            [
                json!(url),
                json!(true),
                json!("terminal"),
                json!("approver_token")
            ],
            // Less is on nobody's word.
            [json!(url), json!(false), json!("terminal"), Value::Null],
            [Value::Null, json!(false), json!("terminal"), Value::Null],
        ]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_waits_when_the_person_takes_the_collector_away_is_not_sent() {
    let (mut served, collector) = (Served::new(), Collector::holding());
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));
    served.send_to(&collector.url, &[]);
    served.rate("GBP", None);
    collector.span("tools/call get_exchange_rate");
    // It waits until the collector has answered what it got before.
    served.rate("CHF", None);
    served.done(&["telemetry", "off"]);
    collector.answer();
    assert_eq!(served.running.take().unwrap().end(), 0);
    assert_eq!(collector.spans("tools/call get_exchange_rate").len(), 1);
    assert!(
        !collector.knows("mcp.client.operation.duration"),
        "what was measured was sent"
    );
}

#[test]
fn another_collector_is_used_from_the_next_call_on() {
    let (served, first, second) = (Served::new(), Collector::new(), Collector::new());
    served.send_to(&first.url, &[]);
    served.enable("currency");
    served.rate("USD", Some("allow --workspace --any"));
    first.span("tools/call get_exchange_rate");
    served.send_to(&second.url, &["--contents"]);
    served.rate("GBP", None);
    let request = second.span("tools/call get_exchange_rate");
    assert!(attributes(&request.attributes)["gen_ai.tool.call.arguments"].contains("GBP"));
    has(
        &second.span("host.call"),
        &[
            ("host.policy.decision", "allow"),
            ("host.permission.kind", "grant"),
        ],
    );
    assert_eq!(first.spans("tools/call get_exchange_rate").len(), 1);
}

#[test]
fn an_address_that_is_no_collectors_is_refused_and_changes_nothing() {
    let (served, collector) = (Served::new(), Collector::new());
    served.send_to(&collector.url, &[]);
    for bad in [
        "collector",
        "ftp://127.0.0.1",
        "http://192.0.2.1:4318",
        "https://me:hidden-word@127.0.0.1",
        "https://127.0.0.1/?key=hidden-word",
    ] {
        let ran = served.terminal.run(&[
            "telemetry",
            "set",
            bad,
            "--approver-token-file",
            &served.token,
        ]);
        assert!(
            ran.code != 0 && ran.out.is_empty() && ran.err.contains("collector's address"),
            "{bad}: {ran:?}"
        );
        assert!(!ran.err.contains("hidden-word"), "{ran:?}");
        assert_eq!(
            served.shown()["settings"]["endpoint"],
            json!(collector.url),
            "{bad}"
        );
    }
}

#[test]
fn a_server_learns_the_trace_of_a_call_only_if_the_person_wants_it() {
    let (served, collector) = (Served::new(), Collector::new());
    served.enable("currency");
    let told = || {
        let exchange = served.terminal.json(&["exchange", "currency"]);
        let frames = exchange["frames"].as_array().unwrap();
        let request = frames
            .iter()
            .rfind(|frame| frame["sent"] == true && frame["method"] == "tools/call")
            .unwrap();
        let message: Value = serde_json::from_str(request["text"].as_str().unwrap()).unwrap();
        message["params"]["_meta"]["traceparent"].clone()
    };
    served.rate("USD", Some("allow --workspace --any"));
    assert_eq!(told(), Value::Null);
    served.send_to(&collector.url, &[]);
    served.rate("GBP", None);
    collector.span("tools/call get_exchange_rate");
    assert_eq!(told(), Value::Null);
    served.send_to(&collector.url, &["--propagate"]);
    served.rate("CHF", None);
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let of = |span: &Span| {
        json!(format!(
            "00-{}-{}-01",
            hex(&span.trace_id),
            hex(&span.span_id)
        ))
    };
    let told = told();
    collector.until_spans("tools/call get_exchange_rate", |spans| {
        spans.iter().any(|span| of(span) == told)
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_over_http_says_where_and_that_a_tool_failed_is_told_apart() {
    let remote = Remote::new("x-nothing").await;
    tokio::task::spawn_blocking(move || {
        let (served, collector) = (Served::new(), Collector::new());
        served.send_to(&collector.url, &[]);
        served.done(&["servers", "add", "remote", "--url", &remote.url]);
        served.enable("remote");
        assert_eq!(
            served
                .call(&["remote", "tells", "--args", "{}"], Some("allow"))
                .code,
            0
        );
        let port = remote
            .url
            .rsplit_once(':')
            .unwrap()
            .1
            .trim_end_matches("/mcp");
        let wanted = [
            ("network.transport", "tcp"),
            ("network.protocol.name", "http"),
            ("server.address", "127.0.0.1"),
            ("server.port", port),
        ];
        has(&collector.span("tools/call tells"), &wanted);

        served.enable("currency");
        let ran = served.call(
            &[
                "currency",
                "get_exchange_rate",
                "--args",
                r#"{"base": "XXX", "target": "EUR"}"#,
            ],
            Some("allow"),
        );
        assert_eq!(ran.code, 4, "{ran:?}");
        let failed = collector.span("tools/call get_exchange_rate");
        has(&failed, &[("error.type", "tool_error")]);
        assert_eq!(failed.status.unwrap().code, StatusCode::Error as i32);

        let denied = served.call(
            &[
                "currency",
                "get_exchange_rate",
                "--args",
                r#"{"base": "USD", "target": "EUR"}"#,
            ],
            Some("deny"),
        );
        assert_eq!(denied.code, 3, "{denied:?}");
        let refused = |call: &Span| {
            attributes(&call.attributes)
                .get("error.type")
                .is_some_and(|kind| kind == "denied_by_token")
        };
        collector.until_spans("host.call", |calls| calls.iter().any(refused));
    })
    .await
    .unwrap();
}
