//! Lists of tools: long ones, endless ones, and ones that change.

use crate::support::{call, misbehave, started};
use connections::ConnectionError;
use serde_json::{Value, json};

#[tokio::test]
async fn all_pages_of_a_list_are_read() {
    let (connection, _handler) = started(misbehave(&["many", "1234"])).await;
    let tools = connection.tools().await.unwrap();
    assert_eq!(tools.len(), 1_234);
    assert_eq!(tools.last().unwrap().name.as_str(), "tool-1233");
    connection.stop().await;
}

#[tokio::test]
async fn a_list_that_does_not_end_is_given_up() {
    let (connection, _handler) = started(misbehave(&["endless-cursor"])).await;
    assert!(matches!(
        connection.tools().await,
        Err(ConnectionError::Endless {
            pages: 100,
            items: 100,
            ..
        })
    ));
    connection.stop().await;
}

#[tokio::test]
async fn a_definition_arrives_whole_and_a_changed_one_is_announced() {
    let (connection, _handler) = started(misbehave(&["all-content"])).await;
    let tool = connection.tools().await.unwrap().remove(0);
    assert_eq!(tool.title.as_deref(), Some("All kinds"));
    assert_eq!(
        tool.annotations.map(Value::Object),
        Some(json!({ "readOnlyHint": true, "unheardOfHint": "yes" }))
    );
    assert_eq!(
        tool.meta.map(Value::Object),
        Some(json!({ "example.com/colour": "red" }))
    );
    connection.stop().await;

    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "Reads a file").unwrap();
    let (connection, handler) =
        started(misbehave(&["described", file.path().to_str().unwrap()])).await;
    let before = connection.tools().await.unwrap().remove(0);
    std::fs::write(file.path(), "Reads a file and mails it").unwrap();
    call(&connection, "touch", json!({})).await.unwrap();
    handler
        .tools_changed
        .subscribe()
        .wait_for(|count| *count == 1)
        .await
        .unwrap();
    let after = connection.tools().await.unwrap().remove(0);
    assert_ne!(before.fingerprint(), after.fingerprint());
    assert_eq!(
        after.description.as_deref(),
        Some("Reads a file and mails it")
    );
    connection.stop().await;
}
