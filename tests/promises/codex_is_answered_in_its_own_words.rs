//! Codex, added as a server (`codex mcp-server`), asks before it runs a command or changes a file: the
//! person is shown what that is, and their answer comes in the form that it reads.

use crate::support::{TestHost, misbehave, text};
use policy::{Decision, Subject};
use protocol::{CodexApproval, FormResult, ToolResult};
use serde_json::json;
use std::path::PathBuf;

/// A host with Codex, and the file with what that has done.
async fn with_codex() -> (TestHost, PathBuf) {
    let test = TestHost::new().await;
    let done = test.dir().join("done");
    let file = done.to_str().unwrap();
    test.add("codex", &[&misbehave(), "codex", file]).await;
    (test, done)
}

fn form(answer: FormResult) -> Decision {
    Decision::Form { answer }
}

fn yes() -> Decision {
    let content = serde_json::Map::new();
    form(FormResult::Accept { content })
}

/// Has Codex do this, with this answer to what it asks; what it asked, and what it said in the end.
async fn work(
    test: &TestHost,
    prompt: &str,
    answer: Decision,
) -> (Option<CodexApproval>, ToolResult) {
    let person = test.person([Decision::once(), answer]);
    let result = test.call("codex", "codex", json!({"prompt": prompt}));
    let result = result.await.unwrap();
    let asked = person.asked();
    let [_, question] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    let Subject::Form { form, .. } = &question.subject else {
        panic!("{question:?}");
    };
    (form.codex.clone(), result)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_shown_with_its_folder_and_run_after_a_yes() {
    let (test, done) = with_codex().await;
    let (asked, result) = work(&test, "push", yes()).await;
    let wanted = CodexApproval {
        command: ["git", "push", "--force"].map(str::to_owned).to_vec(),
        folder: Some("/home/me/project".to_owned()),
        ..CodexApproval::default()
    };
    assert_eq!(asked, Some(wanted));
    assert!(text(&result).starts_with("Done: "), "{result:?}");
    let structured = result.structured.as_ref().unwrap();
    assert_eq!(structured["content"], text(&result));
    let done = std::fs::read_to_string(done).unwrap();
    assert_eq!(done.lines().count(), 1, "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_files_are_shown_whole_with_what_a_yes_allows_beyond_them() {
    let (test, done) = with_codex().await;
    let (asked, _) = work(&test, "change", yes()).await;
    let asked = asked.unwrap();
    let change = json!({"type": "add", "content": "hello\n"});
    assert_eq!(asked.changes["/home/me/project/notes.txt"], change);
    assert_eq!(asked.writes_in.as_deref(), Some("/home/me/project"));
    assert!(done.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_and_a_question_without_an_answer_are_a_no_for_codex_too() {
    let (test, done) = with_codex().await;
    for answer in [FormResult::Decline, FormResult::Cancel] {
        let (_, result) = work(&test, "push", form(answer)).await;
        assert!(
            text(&result).contains(r#""decision":"denied""#),
            "{result:?}"
        );
    }
    assert!(!done.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_with_fields_is_shown_as_a_form_whoever_sends_it() {
    let (test, _) = with_codex().await;
    let (asked, result) = work(&test, "fields", yes()).await;
    assert_eq!(asked, None);
    assert!(!text(&result).contains("decision"), "{result:?}");
}
