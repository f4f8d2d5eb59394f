//! All of a conversation can be had in the terminal: what is said, what is asked, and what is kept.

use crate::support::TestHost;
use crate::support::talk::{Talk, add_orders};
use crate::support::terminal::Terminal;
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use test_servers::model::{Model, Step};

/// A folder with a server that counts and a model that follows a script, and no host on it.
struct Place {
    terminal: Terminal,
    model: Model,
    file: PathBuf,
    _folders: (std::sync::Arc<TempDir>, TempDir),
}

impl Place {
    async fn with(steps: impl IntoIterator<Item = Step>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls");
        let test = TestHost::new().await;
        add_orders(&test, &file).await;
        let talk = Talk::begin(&test, steps).await;
        talk.with(&test, "delete_conversation").await;
        let dir = test.end().await;
        Self {
            terminal: Terminal::on(dir.path()),
            model: talk.model,
            file,
            _folders: (dir, folder),
        }
    }
}

fn placed(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn order() -> Step {
    Step::wants([("orders__place", json!({"order": "tea"}))])
}

/// A text that would clear the screen.
const CLEARS: &str = "Good \u{1b}[2J day.";

#[tokio::test(flavor = "multi_thread")]
async fn in_a_script_one_thing_is_said_and_a_question_is_answered_with_no() {
    let place = Place::with([order(), Step::says(CLEARS)]).await;
    let terminal = &place.terminal;
    let refused = terminal.run(&["chat", "--say", "Order tea."]);
    assert_eq!(refused.code, 3, "{refused:?}");
    let ran = terminal.run(&["--yes", "chat", "--say", "Order tea."]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.contains("Good ") && !ran.out.contains('\u{1b}'),
        "{ran:?}"
    );
    assert!(ran.err.contains("calls orders__place"), "{ran:?}");
    assert_eq!(placed(&place.file), [""; 0]);
    let sent = place.model.seen()[1].body.to_string();
    assert!(
        sent.contains("Nobody was there who could be asked."),
        "{sent}"
    );
    let shown = terminal.run(&["conversations", "show", "order tea."]);
    assert!(shown.err.contains("you denied it"), "{shown:?}");
    let renamed = terminal.json(&["conversations", "rename", "Order tea.", "Tea"]);
    assert_eq!(renamed["title"], "Tea");
    let found = terminal.json(&["conversations", "list", "--text", "good"]);
    assert_eq!(found[0]["title"], "Tea");
    let export = terminal.run(&["conversations", "export", "Tea"]);
    assert!(export.out.starts_with("# Tea"), "{export:?}");
    let deleted = terminal.run(&["--yes", "conversations", "delete", "Tea"]);
    assert_eq!(deleted.code, 0, "{deleted:?}");
    assert_eq!(terminal.json(&["conversations", "list"]), json!([]));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_person_at_the_terminal_is_asked_there_and_the_answer_comes_as_it_is_written() {
    let place = Place::with([order(), Step::says("On its way.")]).await;
    const CALL: &str = "Your answer [n]";
    let ran = place.terminal.typed(
        &["chat"],
        &[("You", "Order tea."), (CALL, "o"), ("You", "")],
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("On its way."), "{ran:?}");
    assert_eq!(placed(&place.file), ["place tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_left_in_the_middle_is_so_under_another_title_too() {
    let many = (0..41).map(|number| ("orders__place", json!({"order": number.to_string()})));
    let place = Place::with([Step::wants(many), Step::says("One is left.")]).await;
    let terminal = &place.terminal;
    terminal.run(&["--yes", "chat", "--say", "Order them all."]);
    let listed = terminal.json(&["conversations", "list"]);
    assert_eq!(listed[0]["state"]["kind"], "left", "{listed}");
    let id = listed[0]["id"].as_str().unwrap();
    let renamed = terminal.json(&["conversations", "rename", id, "Orders"]);
    assert_eq!(
        (&renamed["title"], &renamed["state"]["kind"]),
        (&json!("Orders"), &json!("left"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_has_a_task_done_and_reads_its_answer_and_only_an_answer_of_its_kind() {
    let steps = [
        order(),
        Step::says("false"),
        Step::says("It is about 41,000."),
        Step::says("**40954.20**"),
        Step::says("I cannot say."),
        Step::says("Still not."),
    ];
    let place = Place::with(steps).await;
    let run = |kind: &str| {
        let words = [
            "--yes",
            "--json",
            "agent",
            "run",
            "--task",
            "Order tea.",
            "--answer-type",
            kind,
        ];
        place.terminal.run(&words)
    };
    let said = run("boolean");
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(said.json()["answer"], false);
    assert_eq!(
        placed(&place.file),
        [""; 0],
        "nobody was there who could be asked"
    );
    let asked = place.model.seen()[0].body.to_string();
    assert!(asked.contains("`true` or `false`"), "{asked}");
    let number = run("number");
    assert_eq!(number.code, 0, "{number:?}");
    assert_eq!(
        number.json()["answer"],
        40954.2,
        "it is asked for once more"
    );
    let none = run("one-of:low,high");
    assert_eq!(none.code, 1, "{none:?}");
    assert!(none.err.contains("low, high"), "{none:?}");
    assert_eq!(none.out, "");
    let unknown = run("colour");
    assert_eq!(unknown.code, 2, "{unknown:?}");
    let kept = place.terminal.json(&["conversations", "list"]);
    assert_eq!(kept.as_array().unwrap().len(), 3);
}
