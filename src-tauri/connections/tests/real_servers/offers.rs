//! What servers of either era offer beside tools: resources, prompts, proposals, a log.

use crate::permitted;
use crate::support::{call, misbehave, started, text};
use connections::{Capabilities, Connection, ConnectionError};
use protocol::{CompletionOf, Content, LogLevel};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const ALL: Capabilities = Capabilities {
    tools: true,
    resources: true,
    watch: true,
    prompts: true,
    completions: true,
    logs: true,
    tasks: true,
    tells_tools: true,
    tells_resources: true,
    tells_prompts: true,
};

fn who(name: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("who".to_owned(), name.to_owned())])
}

#[tokio::test]
async fn what_a_server_can_do_is_what_it_says() {
    let (modern, _handler) = started(misbehave(&["modern"])).await;
    assert_eq!(modern.capabilities(), ALL);
    assert_eq!(
        modern.server_info().instructions.as_deref(),
        Some("Be modern.")
    );
    assert_eq!(
        (
            modern.server_info().name.as_str(),
            modern.server_info().title.as_deref()
        ),
        ("modern", Some("Modern"))
    );
    modern.stop().await;
    let (legacy, _handler) = started(misbehave(&["resources-and-prompts"])).await;
    assert_eq!(
        legacy.capabilities(),
        Capabilities {
            tasks: false,
            tells_tools: false,
            ..ALL
        }
    );
    legacy.stop().await;
}

#[tokio::test]
async fn what_is_not_offered_is_not_asked_for() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let before = connection.exchange().len();
    let of = CompletionOf::Prompt {
        name: "greet".to_owned(),
    };
    let failures = [
        connection.resources().await.unwrap_err(),
        connection.templates().await.unwrap_err(),
        connection.prompts().await.unwrap_err(),
        connection
            .read(permitted::read("note://a"), None)
            .await
            .unwrap_err(),
        connection
            .prompt(permitted::prompt("greet", BTreeMap::new()), None)
            .await
            .unwrap_err(),
        connection
            .watch(permitted::watch("note://a"))
            .await
            .unwrap_err(),
        connection
            .complete(permitted::complete(of, "who", "A", BTreeMap::new()))
            .await
            .unwrap_err(),
        connection
            .set_log_level(permitted::level(Some(LogLevel::Debug)))
            .await
            .unwrap_err(),
    ];
    assert!(
        failures
            .iter()
            .all(|failure| matches!(failure, ConnectionError::NotOffered { .. })),
        "{failures:?}"
    );
    assert_eq!(connection.exchange().len(), before, "nothing was said");
    assert!(connection.watched().is_empty());
    connection.stop().await;
}

#[tokio::test]
async fn an_empty_place_is_one_in_the_newer_era_and_the_end_in_the_older() {
    let (connection, _handler) = started(misbehave(&["modern"])).await;
    let uris: Vec<_> = connection
        .resources()
        .await
        .unwrap()
        .into_iter()
        .map(|resource| resource.uri)
        .collect();
    assert_eq!(uris, ["note://a", "note://b", "note://asks"]);
    connection.stop().await;
    let (connection, _handler) = started(misbehave(&["resources-and-prompts"])).await;
    let uris: Vec<_> = connection
        .resources()
        .await
        .unwrap()
        .into_iter()
        .map(|resource| resource.uri)
        .collect();
    assert_eq!(uris, ["note://a", "note://b"]);
    connection.stop().await;
}

#[tokio::test]
async fn tools_whose_arguments_want_to_be_headers_are_all_there_where_there_are_no_headers() {
    let (connection, _handler) = started(misbehave(&["modern"])).await;
    let names: Vec<_> = connection
        .tools()
        .await
        .unwrap()
        .into_iter()
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(names, ["echo", "work", "region", "twice", "bad-header"]);
    connection.stop().await;
}

#[tokio::test]
async fn templates_are_listed_and_a_server_that_knows_none_has_none() {
    let (connection, _handler) = started(misbehave(&["modern"])).await;
    assert_eq!(
        connection.templates().await.unwrap()[0].uri_template,
        "note://{name}"
    );
    connection.stop().await;
    let (connection, _handler) = started(misbehave(&["resources-and-prompts"])).await;
    assert_eq!(connection.templates().await.unwrap(), []);
    connection.stop().await;
}

#[tokio::test]
async fn a_resource_is_read_part_by_part_and_one_that_is_not_there_is_an_error() {
    let (modern, _handler) = started(misbehave(&["modern"])).await;
    let parts = modern
        .read(permitted::read("note://a"), None)
        .await
        .unwrap()
        .contents;
    assert!(matches!(&parts[0], Content::Resource { text: Some(text), .. } if text == "abc"));
    assert!(matches!(&parts[1], Content::Resource { blob: Some(_), .. }));
    let (legacy, _handler) = started(misbehave(&["resources-and-prompts"])).await;
    assert!(
        matches!(&legacy.read(permitted::read("note://a"), None).await.unwrap().contents[0], Content::Resource { text: Some(text), .. } if text == "abc")
    );
    // Each revision has its own number for it.
    assert!(matches!(
        modern.read(permitted::read("note://none"), None).await,
        Err(ConnectionError::Server { code: -32_602, .. })
    ));
    assert!(matches!(
        legacy.read(permitted::read("note://none"), None).await,
        Err(ConnectionError::Server { code: -32_002, .. })
    ));
    modern.stop().await;
    legacy.stop().await;
}

#[tokio::test]
async fn a_prompt_is_listed_with_its_gaps_and_filled_in() {
    for mode in ["modern", "resources-and-prompts"] {
        let (connection, _handler) = started(misbehave(&[mode])).await;
        let prompt = connection.prompts().await.unwrap().remove(0);
        assert_eq!(
            (
                prompt.name.as_str(),
                prompt.arguments[0].name.as_str(),
                prompt.arguments[0].required
            ),
            ("greet", "who", true)
        );
        let filled = connection
            .prompt(permitted::prompt("greet", who("Ada")), None)
            .await
            .unwrap();
        assert!(
            matches!(&filled.messages[0].content, Content::Text { text, .. } if text == "Ada"),
            "{filled:?}"
        );
        assert!(
            matches!(
                connection
                    .prompt(permitted::prompt("none", BTreeMap::new()), None)
                    .await,
                Err(ConnectionError::Server { code: -32_602, .. })
            ),
            "{mode}"
        );
        connection.stop().await;
    }
}

/// What a server was asked when it was asked for proposals.
async fn proposals(
    connection: &Connection,
    of: CompletionOf,
    context: BTreeMap<String, String>,
) -> Value {
    let completion = connection
        .complete(permitted::complete(of, "who", "A", context))
        .await
        .unwrap();
    let mut asked: Value = serde_json::from_str(&completion.values[0]).unwrap();
    asked.as_object_mut().unwrap().remove("_meta");
    asked
}

#[tokio::test]
async fn proposals_know_the_other_values_where_the_revision_has_a_word_for_that() {
    let prompt = || CompletionOf::Prompt {
        name: "greet".to_owned(),
    };
    let plain = json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": { "name": "who", "value": "A" } });
    let mut whole = plain.clone();
    whole["context"] = json!({ "arguments": { "who": "Ada" } });
    for (words, expected) in [
        (&["modern"][..], &whole),
        (&["resources-and-prompts"], &whole),
        (&["resources-and-prompts", "2025-06-18"], &whole),
        (&["resources-and-prompts", "2025-03-26"], &plain),
        (&["resources-and-prompts", "2024-11-05"], &plain),
    ] {
        let (connection, _handler) = started(misbehave(words)).await;
        assert_eq!(
            &proposals(&connection, prompt(), who("Ada")).await,
            expected,
            "{words:?}"
        );
        assert_eq!(
            proposals(&connection, prompt(), BTreeMap::new()).await,
            plain,
            "{words:?}"
        );
        connection.stop().await;
    }
    let (connection, _handler) = started(misbehave(&["modern"])).await;
    let template = CompletionOf::Template {
        uri_template: "note://{name}".to_owned(),
    };
    assert_eq!(
        proposals(&connection, template.clone(), BTreeMap::new()).await["ref"],
        json!({ "type": "ref/resource", "uri": "note://{name}" })
    );
    let completion = connection
        .complete(permitted::complete(template, "name", "", BTreeMap::new()))
        .await
        .unwrap();
    assert_eq!((completion.total, completion.has_more), (Some(7), true));
    connection.stop().await;
}

/// The gravities of the lines that a server writes when it is asked to write one of each.
async fn logged(mode: &str, level: Option<LogLevel>) -> Vec<(LogLevel, Value)> {
    let (connection, handler) = started(misbehave(&[mode])).await;
    if let Some(level) = level {
        connection
            .set_log_level(permitted::level(Some(level)))
            .await
            .unwrap();
    }
    assert_eq!(
        text(call(&connection, "log", json!({})).await.unwrap()),
        "logged"
    );
    connection.stop().await;
    handler
        .logged
        .borrow()
        .iter()
        .map(|line| (line.level, line.data.clone()))
        .collect()
}

#[tokio::test]
async fn a_log_begins_at_the_gravity_that_was_chosen_in_either_era() {
    use LogLevel::{Debug, Error, Info, Warning};
    let lines = |levels: &[(LogLevel, &str)]| {
        levels
            .iter()
            .map(|(level, name)| (*level, json!(format!("a line of {name}"))))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        logged("modern", None).await,
        [],
        "a modern server logs when it is asked to"
    );
    assert_eq!(
        logged("modern", Some(Warning)).await,
        lines(&[(Warning, "warning"), (Error, "error")])
    );
    // Its last line is of no known gravity, and is heard all the same.
    let (loud, line) = ((Info, json!("loud")), |name: &str| json!({ "line": name }));
    assert_eq!(
        logged("resources-and-prompts", Some(Error)).await,
        [(Error, line("error")), loud.clone()]
    );
    let all = [
        (Debug, line("debug")),
        (Info, line("info")),
        (Warning, line("warning")),
        (Error, line("error")),
        loud,
    ];
    assert_eq!(logged("resources-and-prompts", None).await, all);
}

#[tokio::test]
async fn a_gravity_that_is_not_wanted_any_more_is_not_said_any_more() {
    let (connection, handler) = started(misbehave(&["modern"])).await;
    connection
        .set_log_level(permitted::level(Some(LogLevel::Error)))
        .await
        .unwrap();
    call(&connection, "log", json!({})).await.unwrap();
    connection
        .set_log_level(permitted::level(None))
        .await
        .unwrap();
    call(&connection, "log", json!({})).await.unwrap();
    assert_eq!(handler.logged.borrow().len(), 1);
    connection.stop().await;
}
