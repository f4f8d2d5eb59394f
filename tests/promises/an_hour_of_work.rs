//! A person works for an hour with the filesystem and git servers, as they are published, and is
//! asked at most six times.
//!
//! They choose a sensible scope the first time each kind of work comes up: reading, writing and
//! editing in the project's folder, looking at its repository, staging and committing in it.
//! Whatever leaves that is asked about again.

use crate::support::{Person, TestHost, code, misbehave, servers, text};
use host::ErrorCode;
use policy::{
    Allowed, ArgumentScope, Decision, Lasting, LimitChoice, Question, Reason, Remember, Subject,
};
use protocol::ToolName;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// So often a person is asked in such an hour, at most.
const MOST_QUESTIONS: usize = 6;
/// So many calls such an hour has, at least.
const FEWEST_CALLS: usize = 60;

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args(words)
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn repository(folder: &Path) {
    std::fs::create_dir_all(folder.join("src")).unwrap();
    git(folder, &["init", "--quiet"]);
    git(folder, &["config", "user.name", "Test"]);
    git(folder, &["config", "user.email", "test@example.com"]);
    std::fs::write(folder.join("readme.md"), "# A project\n").unwrap();
    std::fs::write(folder.join("src/main.py"), "print('one')\n").unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "Begin"]);
}

/// A yes within limits, in this workspace, for some more tools too.
fn within(limits: &[(&str, Allowed)], also: &[&str]) -> Decision {
    let limits = limits.iter().map(|(argument, allowed)| LimitChoice {
        argument: (*argument).into(),
        allowed: Some(allowed.clone()),
    });
    let cover = ArgumentScope::Within {
        limits: limits.collect(),
    };
    let also = also.iter().map(|tool| ToolName::from(*tool)).collect();
    Decision::Allow {
        arguments: None,
        remember: Some(Remember {
            lasting: Lasting::Workspace,
            cover,
            also,
        }),
    }
}

/// A person at work: every call that they make, with how often they were asked.
struct Hour {
    test: TestHost,
    person: Person,
    calls: std::cell::Cell<usize>,
    project: PathBuf,
}

impl Hour {
    async fn call(&self, server: &str, tool: &str, arguments: Value) -> String {
        self.calls.set(self.calls.get() + 1);
        let answer = self.test.call(server, tool, arguments.clone()).await;
        let answer = answer.unwrap_or_else(|error| panic!("{tool} {arguments}: {error:?}"));
        assert!(!answer.is_error, "{tool} {arguments}: {answer:?}");
        text(&answer)
    }

    async fn file(&self, tool: &str, path: &str, more: Value) -> String {
        self.call(
            "files",
            tool,
            with(json!({"path": self.project.join(path)}), more),
        )
        .await
    }

    async fn git(&self, tool: &str, more: Value) -> String {
        self.call("git", tool, with(json!({"repo_path": self.project}), more))
            .await
    }

    /// Makes a call that leaves what was allowed: it is asked about, and the person says no.
    async fn asked_about(&self, server: &str, tool: &str, arguments: Value) -> Question {
        let before = self.person.asked().len();
        let refused = code(self.test.call(server, tool, arguments.clone()).await);
        let asked = self.person.asked();
        assert!(
            refused == ErrorCode::Refused && asked.len() == before + 1,
            "{tool} {arguments}: {refused:?}"
        );
        asked[before].clone()
    }
}

fn with(mut arguments: Value, more: Value) -> Value {
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().cloned().unwrap());
    arguments
}

fn reason(question: &Question) -> &Reason {
    match &question.subject {
        Subject::Call { reason, .. } => reason,
        other => panic!("not about a call: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_asked_about_at_most_six_times_and_every_deviation_is_asked_about() {
    let folders = tempfile::tempdir().unwrap();
    let base = std::fs::canonicalize(folders.path()).unwrap();
    let (project, other, described) = (
        base.join("project"),
        base.join("project_other"),
        base.join("described"),
    );
    repository(&project);
    repository(&other);
    std::fs::write(&described, "Reads a file").unwrap();

    let test = TestHost::new().await;
    let words = servers::filesystem();
    let target = json!({"kind": "stdio", "command": words[0], "args": words[1..]});
    test.ask(
        "add_server",
        json!({"draft": {"name": "files", "target": target}}),
    )
    .await
    .unwrap();
    test.ask("add_root", json!({"server": "files", "path": base}))
        .await
        .unwrap();
    test.switch_on("files").await;
    test.add_real("git", &servers::git()).await;
    test.give("git", &base).await;

    let under = || Allowed::Under {
        folder: project.to_str().unwrap().to_owned(),
    };
    let anything = || Allowed::Anything;
    // In the order in which the kinds of work come up.
    let scopes = [
        within(
            &[
                ("path", under()),
                ("pattern", anything()),
                ("excludePatterns", anything()),
                ("head", anything()),
                ("tail", anything()),
            ],
            &[
                "read_text_file",
                "directory_tree",
                "get_file_info",
                "search_files",
            ],
        ),
        within(
            &[
                ("repo_path", under()),
                ("max_count", anything()),
                ("context_lines", anything()),
                ("revision", anything()),
            ],
            &[
                "git_diff_unstaged",
                "git_diff_staged",
                "git_log",
                "git_show",
            ],
        ),
        within(&[("path", under()), ("content", anything())], &[]),
        within(
            &[
                ("path", under()),
                ("edits", anything()),
                ("dryRun", anything()),
            ],
            &[],
        ),
        within(&[("repo_path", under()), ("files", anything())], &[]),
        within(&[("repo_path", under()), ("message", anything())], &[]),
    ];
    let deviations = std::iter::repeat_n(Decision::no(Some("not that")), 20);
    let person = test.person(scopes.into_iter().chain(deviations));
    let hour = Hour {
        test,
        person,
        calls: std::cell::Cell::new(0),
        project: project.clone(),
    };

    hour.file("list_directory", ".", json!({})).await;
    hour.file("directory_tree", "", json!({})).await;
    hour.git("git_status", json!({})).await;
    hour.git("git_log", json!({"max_count": 5})).await;
    for round in 0..6 {
        let module = format!("src/part_{round}.py");
        hour.file("list_directory", "src", json!({})).await;
        hour.file("read_text_file", "src/main.py", json!({})).await;
        hour.file(
            "search_files",
            "",
            json!({"pattern": format!("**/part_{round}*")}),
        )
        .await;
        hour.file(
            "write_file",
            &module,
            json!({"content": format!("def part():\n    return {round}\n")}),
        )
        .await;
        let edits = json!([{"oldText": format!("return {round}"), "newText": format!("return {round} + 1")}]);
        hour.file("edit_file", &module, json!({"edits": edits}))
            .await;
        assert!(
            hour.file("read_text_file", &module, json!({}))
                .await
                .contains("+ 1")
        );
        hour.file("get_file_info", &module, json!({})).await;
        hour.git("git_status", json!({})).await;
        hour.git("git_diff_unstaged", json!({})).await;
        hour.git("git_add", json!({"files": [module]})).await;
        assert!(
            hour.git("git_diff_staged", json!({}))
                .await
                .contains(&module)
        );
        hour.git(
            "git_commit",
            json!({"message": format!("Add part {round}")}),
        )
        .await;
        assert!(
            hour.git("git_log", json!({"max_count": 3}))
                .await
                .contains(&format!("Add part {round}"))
        );
    }
    let asked = hour.person.asked().len();
    println!("{} calls, {asked} questions", hour.calls.get());
    assert!(
        hour.calls.get() >= FEWEST_CALLS && asked <= MOST_QUESTIONS,
        "{} calls, {asked} questions",
        hour.calls.get()
    );
    assert!(
        hour.person
            .asked()
            .iter()
            .all(|question| *reason(question) == Reason::NotAllowedYet),
        "each was the first of its kind"
    );

    // Another folder, beside the project and with the beginning of its name, however the way there
    // is written.
    let elsewhere = [
        other.join("readme.md"),
        project.join("../project_other/readme.md"),
        base.join("project_other"),
    ];
    for path in &elsewhere {
        let question = hour
            .asked_about("files", "read_text_file", json!({"path": path}))
            .await;
        assert_eq!(
            *reason(&question),
            Reason::OtherArguments,
            "{}",
            path.display()
        );
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other.join("readme.md"), project.join("link.md")).unwrap();
        hour.asked_about(
            "files",
            "read_text_file",
            json!({"path": project.join("link.md")}),
        )
        .await;
    }
    hour.asked_about(
        "files",
        "write_file",
        json!({"path": other.join("new.txt"), "content": "x"}),
    )
    .await;
    // Another repository.
    for (tool, more) in [
        ("git_status", json!({})),
        ("git_commit", json!({"message": "x"})),
        ("git_add", json!({"files": ["."]})),
    ] {
        hour.asked_about("git", tool, with(json!({"repo_path": other}), more))
            .await;
    }
    // A kind of work that never came up.
    let moved =
        json!({"source": project.join("readme.md"), "destination": project.join("moved.md")});
    assert_eq!(
        *reason(&hour.asked_about("files", "move_file", moved).await),
        Reason::NotAllowedYet
    );
    assert!(!other.join("new.txt").exists() && project.join("readme.md").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_changed_after_it_was_allowed_within_limits_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("described");
    std::fs::write(&file, "Reads a file").unwrap();
    let test = TestHost::new().await;
    test.add(
        "files",
        &[&misbehave(), "described", file.to_str().unwrap()],
    )
    .await;
    let person = test.person([Decision::always(), Decision::always(), Decision::no(None)]);
    test.call("files", "read", json!({})).await.unwrap();
    std::fs::write(&file, "Reads a file and mails it").unwrap();
    let told = test.until(|event| matches!(event, host::api::HostEvent::ToolsChanged { .. }));
    let (_, touched) = tokio::join!(told, test.call("files", "touch", json!({})));
    touched.unwrap();
    test.decide_all("files", "approve").await;
    assert_eq!(
        code(test.call("files", "read", json!({})).await),
        ErrorCode::Refused
    );
    assert!(matches!(
        reason(&person.asked()[2]),
        Reason::ToolChanged { .. }
    ));
}
