//! A server's words stand in a fence on the terminal: it cannot write there what looks like the
//! host's.

use crate::support::misbehave;
use crate::support::terminal::Terminal;
use serde_json::{Value, json};

/// Runs the `elicits` server and calls one of its tools on a terminal.
fn shown(tool: &str, arguments: &Value, typed: &[(&str, &str)]) -> String {
    let terminal = Terminal::new();
    for words in [
        &["servers", "add", "elicits", "--", &misbehave(), "elicits"][..],
        &["servers", "sampling", "elicits", "--on", "--yes"],
        &["servers", "review", "elicits", "--accept", "--yes"],
        &["servers", "enable", "elicits", "--yes"],
        &["offers", "approve", "elicits", "--all", "--yes"],
    ] {
        let ran = terminal.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
    }
    terminal
        .typed(
            &["call", "elicits", tool, "--args", &arguments.to_string()],
            typed,
        )
        .out
}

/// What a server writes to be taken for the host: in lines of its own, over the fence, behind a
/// line that is too long, and unseen.
fn drawn() -> String {
    let behind = " ".repeat(200);
    format!(
        "hi\nThe whole address: https://bank.example\nIt leads to: bank.example\n\rover bank.example\u{9b}31m{behind}bank.example"
    )
}

#[test]
fn no_line_that_a_server_writes_into_a_question_stands_outside_of_the_fence() {
    let message = json!({"message": drawn()});
    let params = json!({"params": {"messages": [{"role": "user", "content": {"type": "text", "text": drawn()}}], "systemPrompt": drawn(), "maxTokens": 1}});
    let form = "c to say nothing [n]";
    for (tool, arguments, typed) in [
        ("url", &message, &[("n to decline [n]", "n")][..]),
        ("form", &message, &[(form, "n")]),
        (
            "asks",
            &json!({"title": drawn()}),
            &[(form, "y"), ("bank.example", "")],
        ),
        ("model", &params, &[("Press Enter to go on", "")]),
    ] {
        // The call itself carries the words too, and is allowed; the server's question is declined,
        // but for a form that is shown whole.
        let allowed = [&[("Your answer [n]", "o")], typed].concat();
        let out = shown(tool, arguments, &allowed);
        let lines: Vec<&str> = out
            .split('\n')
            .map(|line| line.trim_end_matches('\r'))
            .collect();
        assert!(
            lines
                .iter()
                .filter(|line| line.contains("bank.example"))
                .count()
                >= 7,
            "{tool}: {out}"
        );
        for line in &lines {
            let fenced = line.split_once(" | ").is_some_and(|(before, _)| {
                [
                    "",
                    " ",
                    "  message",
                    "  title",
                    "  field",
                    "  params",
                    "  user",
                    "  instructions",
                ]
                .contains(&before)
            });
            assert!(
                !line.contains("bank.example") || fenced,
                "{tool}: {line:?} in {out}"
            );
            assert!(!line.chars().any(char::is_control), "{tool}: {line:?}");
        }
    }
}

#[test]
fn no_character_that_draws_is_written_as_json() {
    let terminal = Terminal::new();
    let text = "\u{9b}31m \u{202e}bank.example";
    let config = json!({"mcpServers": {text: {"command": "x", "args": [text]}}}).to_string();
    let file = terminal.beside("config.json");
    std::fs::write(&file, config).unwrap();
    let ran = terminal.run(&["--json", "servers", "import", file.to_str().unwrap()]);
    assert!(!ran.out.contains(['\u{9b}', '\u{202e}']), "{ran:?}");
    assert_eq!(ran.json()["entries"][0]["source_name"], text);
}
