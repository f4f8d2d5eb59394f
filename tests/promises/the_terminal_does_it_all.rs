//! Everything can be done in a terminal and by scripts, on the same host, by the same rules.

use crate::support::terminal::{Ran, Terminal, eventually};
use crate::support::{misbehave, servers};
use serde_json::{Value, json};
use std::fs;

/// A running host whose questions a program may answer that holds the token.
struct Served {
    terminal: Terminal,
    token: String,
    _running: crate::support::terminal::Running,
}

impl Served {
    fn new() -> Self {
        let terminal = Terminal::new();
        let token = terminal.beside("token").to_str().unwrap().to_owned();
        let (running, _) = terminal.serve(&["--approver-token-file", &token]);
        Self {
            terminal,
            token,
            _running: running,
        }
    }

    fn enable(&self, server: &str) {
        let ran = self.terminal.run(&["servers", "enable", server, "--yes"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }

    /// Makes a call in the background and answers its questions, one after another.
    fn call(&self, words: &[&str], answers: &[&[&str]]) -> Ran {
        let call = self.terminal.start(&[&["--json", "call"], words].concat());
        for answer in answers {
            let question = self.terminal.question();
            let ran = self.answer(question["id"].as_str().unwrap(), answer);
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        call.ended()
    }

    fn answer(&self, question: &str, answer: &[&str]) -> Ran {
        self.terminal.run(
            &[
                &["questions", "answer", question],
                answer,
                &["--approver-token-file", &self.token],
            ]
            .concat(),
        )
    }
}

#[test]
fn the_whole_journey_of_a_server_without_a_host_running() {
    let terminal = Terminal::new();
    let folder = terminal.beside("notes");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.txt"), "a").unwrap();
    let words = servers::filesystem();
    let command: Vec<&str> = words.iter().map(String::as_str).collect();

    let added = terminal.json(
        &[
            &["servers", "add", "files", "--env", "LEVEL=debug", "--"],
            &command[..],
        ]
        .concat(),
    );
    assert_eq!(
        (&added["on"], &added["reviewed"]),
        (&json!(false), &json!(false))
    );
    let early = terminal.run(&["servers", "enable", "files", "--yes"]);
    assert!(
        early.code == 3 && early.out.is_empty() && early.err.contains("review"),
        "{early:?}"
    );
    assert_eq!(
        terminal.json(&["roots", "add", "files", folder.to_str().unwrap(), "--yes"])[0]["present"],
        json!(true)
    );
    assert_eq!(
        terminal
            .json(&["roots", "list", "files"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let review = terminal.run(&["servers", "review", "files", "--accept", "--yes"]);
    assert!(
        command.iter().all(|word| review.out.contains(word)) && review.out.contains("LEVEL=debug"),
        "{review:?}"
    );
    let on = terminal.json(&["servers", "enable", "files", "--yes"]);
    assert_eq!(on["state"]["kind"], "ready");
    let tools = terminal.json(&["tools", "list", "files"]);
    assert!(
        tools
            .as_array()
            .unwrap()
            .iter()
            .any(|tool| tool["spec"]["name"] == "list_directory")
    );
    assert_eq!(
        terminal.json(&["tools", "show", "files", "list_directory"])["spec"]["input_schema"]["type"],
        "object"
    );
    let servers = terminal.json(&["servers", "list"]);
    let names: Vec<_> = servers
        .as_array()
        .unwrap()
        .iter()
        .map(|server| server["id"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["currency", "files", "shipping"]);
    assert_eq!(terminal.run(&["servers", "logs", "files"]).code, 0);
    assert_eq!(
        terminal.json(&["roots", "remove", "files", folder.to_str().unwrap()]),
        json!([])
    );
    assert_eq!(
        terminal.json(&["servers", "disable", "files"])["state"]["kind"],
        "off"
    );
    terminal.json(&["servers", "remove", "files"]);
    assert_eq!(
        terminal
            .json(&["servers", "list"])
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(terminal.run(&["audit", "verify"]).code, 0);
}

#[test]
fn a_call_waits_for_the_answer_of_whoever_holds_the_token() {
    let served = Served::new();
    served.enable("currency");
    let words = [
        "currency",
        "get_exchange_rate",
        "--args",
        r#"{"base": "USD", "target": "EUR"}"#,
    ];
    let ran = served.call(&words, &[&["allow"]]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.json()["structured"]["rate"].is_number(), "{ran:?}");

    let denied = served.call(&words, &[&["deny", "--reason", "not today"]]);
    assert!(
        denied.code == 3 && denied.out.is_empty() && denied.err.contains("not today"),
        "{denied:?}"
    );

    assert_eq!(
        served
            .call(&words, &[&["allow", "--workspace", "--any"]])
            .code,
        0
    );
    assert_eq!(
        served.call(&words, &[]).code,
        0,
        "asked although it was allowed always"
    );
    let grants = served.terminal.json(&["grants", "list"]);
    let revoked = served
        .terminal
        .json(&["grants", "revoke", grants[0]["id"].as_str().unwrap()]);
    assert_eq!(revoked["id"], grants[0]["id"]);
    assert_eq!(served.terminal.json(&["grants", "list"]), json!([]));
    assert_eq!(
        served.call(&words, &[&["deny"]]).code,
        3,
        "not asked although it was taken back"
    );

    let page = served
        .terminal
        .json(&["audit", "list", "--server", "currency", "--text", "USD"]);
    let outcomes: Vec<_> = page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["refused", "done", "done", "refused", "done"]);
    let export = served
        .terminal
        .run(&["audit", "export", "--format", "jsonl"]);
    assert!(
        export
            .out
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
    assert!(
        served
            .terminal
            .run(&["audit", "export", "--format", "csv"])
            .out
            .lines()
            .count()
            > 10
    );
}

const EXCHANGE: [&str; 4] = ["currency", "get_exchange_rate", "base=USD", "target=EUR"];

#[test]
fn a_no_of_who_holds_the_token_is_said_to_be_that_of_a_program() {
    let served = Served::new();
    served.enable("currency");
    let denied = served.call(&EXCHANGE, &[&["deny", "--reason", "not today"]]);
    let said = "a program with the approver token said no: not today";
    assert!(denied.code == 3 && denied.err.contains(said), "{denied:?}");
    let rule = ["policy", "add", "allow", "--server", "currency"];
    let adding = served.terminal.start(&rule);
    let question = served.terminal.question();
    let id = question["id"].as_str().unwrap();
    assert_eq!(served.answer(id, &["deny"]).code, 0);
    let denied = adding.ended();
    let said = "a program with the approver token said no; nothing was changed";
    assert!(denied.code == 3 && denied.err.contains(said), "{denied:?}");
    assert!(!denied.err.contains("sent to the server"), "{denied:?}");
}

#[test]
fn a_question_is_no_hang_of_a_command_that_says_yes_by_itself() {
    let terminal = Terminal::new();
    let rule = ["policy", "add", "allow", "--server", "currency"];
    let with_yes = terminal.run(&[&["--yes"], &rule[..]].concat());
    assert!(
        with_yes.code == 3 && with_yes.err.contains("--yes answers none"),
        "{with_yes:?}"
    );
    let forbids = ["--yes", "policy", "add", "forbid", "--server", "currency"];
    assert_eq!(terminal.run(&forbids).code, 0, "it lets less happen");
    let shown = terminal.json(&["policy", "show"]);
    let layers = shown["layers"].as_array().unwrap();
    let mine = layers.iter().find(|layer| layer["layer"] == "person");
    let id = mine.unwrap()["rules"][0]["id"].as_str().unwrap();
    let removed = terminal.run(&["--yes", "policy", "remove", id]);
    assert!(
        removed.code == 3 && removed.err.contains("--yes"),
        "{removed:?}"
    );

    let mut waits = terminal.start(&rule);
    let said = waits.until_it_says("Waiting for an answer");
    assert!(said.contains("This rule is to be made"), "{said}");
}

#[test]
fn what_is_asked_for_is_a_result_and_only_hints_stand_beside_it() {
    let served = Served::new();
    let none = served.terminal.run(&["questions", "list"]);
    assert_eq!((&*none.out, &*none.err), ("No question is waiting.\n", ""));
    served.enable("currency");
    let call = served.terminal.start(&[&["call"], &EXCHANGE[..]].concat());
    let question = served.terminal.question();
    let listed = served.terminal.run(&["questions", "list"]);
    assert!(
        listed.err.is_empty()
            && listed.out.starts_with(question["id"].as_str().unwrap())
            && listed
                .out
                .contains("wants to run get_exchange_rate on currency")
            && listed.out.contains("base | \"USD\""),
        "{listed:?}"
    );
    let denied = served.answer(question["id"].as_str().unwrap(), &["deny"]);
    assert_eq!(denied.code, 0);
    call.ended();

    served.terminal.json(&["--yes", "clients", "add", "Editor"]);
    served
        .terminal
        .json(&["--yes", "clients", "token", "editor"]);
    let address = eventually("nobody may come in", || {
        let view = served.terminal.json(&["clients", "list"]);
        view["address"].as_str().map(str::to_owned)
    });
    let listed = served.terminal.run(&["clients", "list"]);
    assert!(
        listed.err.is_empty() && listed.out.contains(&address),
        "{listed:?}"
    );
}

#[test]
fn a_rule_is_tried_for_who_is_known_and_what_comes_again_is_said_to_be_asked_about() {
    let served = Served::new();
    let terminal = &served.terminal;
    served.enable("currency");
    let dry_run = [&["policy", "test"], &EXCHANGE[..]].concat();
    let unknown = terminal.run(&[&dry_run[..], &["--caller", "client:editor"]].concat());
    assert!(
        unknown.code == 2
            && unknown.out.is_empty()
            && unknown.err.contains("no application editor"),
        "{unknown:?}"
    );
    terminal.json(&["--yes", "clients", "add", "Editor"]);
    let known = terminal.run(&[&dry_run[..], &["--caller", "client:editor"]].concat());
    assert!(
        known.code == 0 && known.out.contains("would be asked"),
        "{known:?}"
    );
    let adding = terminal.start(&["policy", "add", "allow", "--server", "currency"]);
    let question = terminal.question();
    served.answer(question["id"].as_str().unwrap(), &["allow"]);
    assert_eq!(adding.ended().code, 0);
    let allowed = terminal.run(&dry_run);
    let again = "a person is asked all the same: after 20 times within 60 seconds";
    assert!(
        allowed.code == 0 && allowed.out.contains("would run") && allowed.out.contains(again),
        "{allowed:?}"
    );
}

#[test]
fn a_call_that_waits_says_what_it_wants_and_how_it_is_answered() {
    let served = Served::new();
    served.enable("currency");
    let mut call = served.terminal.start(&[
        "call",
        "currency",
        "get_exchange_rate",
        "--args",
        r#"{"base": "USD", "target": "EUR"}"#,
    ]);
    let said = call.until_it_says("questions answer");
    assert!(
        said.contains("wants to run get_exchange_rate on currency")
            && said.contains("base | \"USD\""),
        "{said}"
    );
    let id = said
        .split("questions answer ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    assert_eq!(served.answer(id, &["deny"]).code, 0);
    assert_eq!(call.ended().code, 3);
}

#[test]
fn the_log_is_read_page_by_page_and_it_is_said_when_there_is_more() {
    let served = Served::new();
    for word in ["enable", "disable", "enable", "disable"] {
        let ran = served.terminal.run(&["servers", word, "currency", "--yes"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    let whole = served.terminal.json(&["audit", "list", "--limit", "500"])["rows"]
        .as_array()
        .unwrap()
        .clone();
    let (mut seen, mut before) = (Vec::new(), None::<String>);
    loop {
        let more = before
            .as_deref()
            .map(|record| vec!["--before", record])
            .unwrap_or_default();
        let ran = served
            .terminal
            .run(&[&["--json", "audit", "list", "--limit", "2"], &more[..]].concat());
        seen.extend(ran.json()["rows"].as_array().unwrap().iter().cloned());
        before = ran
            .err
            .split("--before ")
            .nth(1)
            .map(|rest| rest.trim().to_owned());
        if before.is_none() {
            break;
        }
        assert!(seen.len() < whole.len() + 2, "it does not end: {ran:?}");
    }
    assert!(whole.len() >= 5, "{whole:?}");
    assert_eq!(seen, whole);
}

#[test]
fn an_answer_needs_the_token_or_a_person_at_a_terminal() {
    let served = Served::new();
    served.enable("currency");
    let call = served.terminal.start(&[
        "call",
        "currency",
        "get_exchange_rate",
        "--args",
        r#"{"base": "USD", "target": "EUR"}"#,
    ]);
    let question = served.terminal.question();
    let id = question["id"].as_str().unwrap();
    let words = ["questions", "answer", id, "allow"];

    let nobody = served.terminal.run(&words);
    assert!(nobody.code == 3 && nobody.out.is_empty(), "{nobody:?}");
    let piped = Ran::with_input(&mut served.terminal.command(&words), "y\no\nallow\n");
    assert_eq!(piped.code, 3, "{piped:?}");
    let wrong = served.terminal.beside("wrong");
    for text in [
        "",
        "wrong",
        &"0".repeat(64),
        &fs::read_to_string(&served.token).unwrap()[1..],
    ] {
        fs::write(&wrong, text).unwrap();
        let ran = served.terminal.run(
            &[
                &words[..],
                &["--approver-token-file", wrong.to_str().unwrap()],
            ]
            .concat(),
        );
        assert_eq!(ran.code, 3, "{text:?}: {ran:?}");
    }
    assert_eq!(
        served.terminal.question()["id"],
        question["id"],
        "it was answered by nobody"
    );
    assert_eq!(served.answer(id, &["deny"]).code, 0);
    assert_eq!(served.answer(id, &["allow"]).code, 2, "a second answer");
    assert_eq!(call.ended().code, 3);
}

#[cfg(unix)]
#[test]
fn the_token_the_note_and_the_socket_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let served = Served::new();
    for file in [
        served.token.as_ref(),
        served.terminal.dir().join("host.json").as_path(),
        served.terminal.dir().join("host.socket").as_path(),
    ] as [&std::path::Path; 3]
    {
        assert_eq!(
            fs::metadata(file).unwrap().permissions().mode() & 0o777,
            0o600,
            "{}",
            file.display()
        );
    }
}

#[test]
fn a_call_without_a_running_host_opens_it_and_is_answered_by_nobody_who_pipes() {
    let terminal = Terminal::new();
    assert_eq!(
        terminal
            .run(&["servers", "enable", "currency", "--yes"])
            .code,
        0
    );
    let words = ["call", "currency", "get_exchange_rate", "--args", "-"];
    let mut call = terminal.command(&words);
    let bad = Ran::with_input(&mut call, "{\"base\": 7}");
    assert!(bad.code == 3 && bad.err.contains("/base"), "{bad:?}");

    let call = terminal.start(&[
        "call",
        "currency",
        "get_exchange_rate",
        "--args",
        r#"{"base": "USD", "target": "EUR"}"#,
    ]);
    let question = terminal.question();
    let piped = terminal.run(&[
        "questions",
        "answer",
        question["id"].as_str().unwrap(),
        "allow",
    ]);
    assert_eq!(piped.code, 3, "{piped:?}");
    call.kill();
    assert_eq!(terminal.run(&["audit", "verify"]).code, 0);
}

#[test]
fn what_is_piped_in_neither_reviews_nor_enables_nor_approves() {
    let terminal = Terminal::new();
    let server = misbehave();
    terminal.json(&["servers", "add", "says", "--", &server, "says"]);
    let piped = |words: &[&str]| {
        let ran = Ran::with_input(&mut terminal.command(words), "y\ny\n");
        assert!(ran.code == 3 && ran.err.contains("--yes"), "{ran:?}");
        ran
    };
    let says = || {
        let servers = terminal.json(&["servers", "list"]);
        let mut servers = servers.as_array().unwrap().iter();
        servers
            .find(|server| server["id"] == "says")
            .unwrap()
            .clone()
    };
    let looked_at = terminal.run(&["servers", "review", "says"]);
    assert!(
        looked_at.code == 0 && looked_at.out.contains(&server),
        "{looked_at:?}"
    );
    let looked_at = piped(&["servers", "review", "says", "--accept"]);
    assert!(looked_at.out.contains(&server), "{looked_at:?}");
    assert_eq!(says()["reviewed"], json!(false));
    terminal.json(&["servers", "review", "says", "--accept", "--yes"]);
    assert_eq!(says()["reviewed"], json!(true));

    piped(&["servers", "enable", "says"]);
    assert_eq!(says()["on"], json!(false));
    terminal.json(&["servers", "enable", "says", "--yes"]);
    let waiting = says()["waiting"].clone();
    assert_ne!(waiting, json!(0));

    piped(&["offers", "approve", "says", "--all"]);
    piped(&["offers", "approve", "says", "repeat"]);
    assert_eq!(says()["waiting"], waiting);
    terminal.json(&["offers", "approve", "says", "--all", "--yes"]);
    assert_eq!(says()["waiting"], json!(0));
}

#[test]
fn results_go_to_standard_output_and_words_to_standard_error() {
    let terminal = Terminal::new();
    for (words, code) in [
        (&["servers", "list"][..], 0),
        (&["questions", "list"], 0),
        (&["grants", "list"], 0),
        (&["audit", "list"], 0),
        (&["audit", "path"], 0),
        (&["audit", "verify"], 0),
        (&["servers", "review", "currency", "--accept", "--yes"], 0),
        (&["servers", "enable", "currency", "--yes"], 0),
        (&["tools", "list"], 0),
        (&["tools", "disable", "currency", "get_exchange_rate"], 0),
        (
            &["tools", "enable", "currency", "get_exchange_rate", "--yes"],
            0,
        ),
        (
            &["tools", "pin", "currency", "get_exchange_rate", "--yes"],
            0,
        ),
        (&["tools", "unpin", "currency", "get_exchange_rate"], 0),
        (&["servers", "logs", "currency"], 0),
        (&["servers", "review", "nobody", "--accept", "--yes"], 2),
        (&["servers", "remove", "currency"], 2),
        (&["tools", "show", "currency", "nothing"], 2),
        (&["grants", "revoke", "grant-0", "--yes"], 2),
        (
            &["call", "currency", "get_exchange_rate", "--args", "[]"],
            2,
        ),
        (&["call", "currency", "get_exchange_rate", "--args", "{"], 2),
        (&["call", "shipping", "place_shipping_order"], 4),
        (&["roots", "add", "currency", "/no/such/folder", "--yes"], 2),
        (&["servers", "add", "not a name", "--", "x"], 2),
        (&["servers", "add", "x"], 2),
        (&["no-such-command"], 2),
    ] {
        let ran = terminal.run(&[&["--json"], words].concat());
        assert_eq!(ran.code, code, "{words:?}: {ran:?}");
        if code == 0 {
            ran.json();
        } else {
            assert!(
                ran.out.is_empty() && !ran.err.is_empty(),
                "{words:?}: {ran:?}"
            );
        }
    }
    assert_eq!(terminal.run(&["--help"]).code, 0);
    assert!(
        terminal
            .run(&["--version"])
            .out
            .contains(env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_server_that_fails_ends_with_4_and_shows_what_it_wrote() {
    let terminal = Terminal::new();
    for words in [
        &["servers", "add", "exits", "--", &misbehave(), "exits"][..],
        &["servers", "review", "exits", "--accept", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0);
    }
    let enabled = terminal.run(&["servers", "enable", "exits", "--yes"]);
    assert!(
        enabled.code == 4 && enabled.err.contains("fatal: the configuration is missing"),
        "{enabled:?}"
    );
    assert_eq!(terminal.run(&["call", "exits", "any"]).code, 4);

    let served = Served::new();
    served.enable("currency");
    let failed = served.call(
        &[
            "currency",
            "get_exchange_rate",
            "--args",
            r#"{"base": "USD", "target": "???"}"#,
        ],
        &[&["allow"]],
    );
    assert!(
        failed.code == 4 && failed.json()["is_error"] == true,
        "{failed:?}"
    );
}

#[test]
fn arguments_are_typed_one_by_one_and_read_as_the_tool_says() {
    let served = Served::new();
    served.enable("shipping");
    let order = ["containers=6", "destination=Oslo"];
    let words = [&["place_shipping_order"][..], &order].concat();
    let call = served
        .terminal
        .start(&[&["--json", "call", "shipping"], &words[..]].concat());
    let question = served.terminal.question();
    assert_eq!(
        question["subject"]["arguments"],
        json!({"containers": 6, "destination": "Oslo"})
    );
    let denied = served.answer(question["id"].as_str().unwrap(), &["deny"]);
    assert_eq!(denied.code, 0, "{denied:?}");
    assert_eq!(call.ended().code, 3);

    let unfit = ["call", "shipping", "place_shipping_order", "containers=six"];
    let unfit = served.terminal.run(&unfit);
    assert!(
        unfit.code == 2 && unfit.err.contains("containers") && unfit.err.contains("integer"),
        "{unfit:?}"
    );
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let served = Served::new();
    served.enable("currency");
    for (words, meant) in [
        (
            &["call", "curency", "convert"][..],
            "did you mean currency?",
        ),
        (&["servers", "review", "curency"], "did you mean currency?"),
        (
            &["tools", "show", "currency", "get_exchange_rat"],
            "did you mean get_exchange_rate?",
        ),
        (
            &["call", "currency", "get_exchange_rat"],
            "did you mean get_exchange_rate?",
        ),
    ] {
        let ran = served.terminal.run(words);
        assert!(
            ran.code != 0 && ran.err.contains(meant),
            "{words:?}: {ran:?}"
        );
    }
    let other = served
        .terminal
        .run(&["servers", "review", "entirely-other"]);
    assert!(!other.err.contains("did you mean"), "{other:?}");
}

#[test]
fn a_server_that_cannot_be_reached_is_not_said_to_run() {
    let terminal = Terminal::new();
    for words in [
        &["servers", "add", "far", "--url", "http://127.0.0.1:9/mcp"][..],
        &["servers", "review", "far", "--accept", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0);
    }
    let enabled = terminal.run(&["servers", "enable", "far", "--yes"]);
    assert!(
        enabled.code == 4 && enabled.err.contains("does not run"),
        "{enabled:?}"
    );
    let listed = terminal.run(&["servers", "list"]);
    assert!(!listed.out.contains("Running"), "{listed:?}");
}

#[test]
fn shells_complete_its_commands() {
    let terminal = Terminal::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let ran = terminal.run(&["completions", shell]);
        assert!(
            ran.code == 0 && ran.out.contains("check-anchor"),
            "{shell}: {ran:?}"
        );
    }
    assert!(!terminal.dir().exists(), "looking made something");
}

#[test]
fn it_explains_the_words_of_the_window() {
    let terminal = Terminal::new();
    let all = terminal.run(&["glossary", "--json"]);
    let all: Vec<Value> = serde_json::from_str(&all.out).unwrap();
    assert!(all.len() >= 20, "{all:?}");
    let found = terminal.run(&["glossary", "keyring"]);
    assert!(
        found.code == 0 && found.out.starts_with("Secret\n    "),
        "{found:?}"
    );
    let none = terminal.run(&["glossary", "teapot"]);
    assert!(
        none.code == 1 && none.err.contains("majordomoctl glossary"),
        "{none:?}"
    );
    assert!(!terminal.dir().exists(), "looking made something");
}

#[test]
fn its_reference_is_made_from_its_own_help() {
    let terminal = Terminal::new();
    let reference = terminal.run(&["help", "--markdown"]);
    assert!(
        reference.code == 0 && reference.out.contains("## `majordomoctl servers add`"),
        "{reference:?}"
    );
    let page = terminal.run(&["help", "servers", "add", "--man"]);
    assert!(page.code == 0 && page.out.contains(".TH"), "{page:?}");
    let unknown = terminal.run(&["help", "servers", "paint"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("servers paint"),
        "{unknown:?}"
    );
    assert!(!terminal.dir().exists(), "looking made something");
}

#[test]
fn a_form_is_shown_field_by_field_and_a_yes_sends_no_default_that_was_not() {
    let served = Served::new();
    served.enable("shipping");
    let arguments = json!({"containers": 6, "destination": "Oslo"}).to_string();
    let words = ["place_shipping_order", "--args", &arguments];
    let call = served
        .terminal
        .start(&[&["--json", "call", "shipping"], &words[..]].concat());
    let question = served.terminal.question();
    let allowed = served.answer(question["id"].as_str().unwrap(), &["allow"]);
    assert_eq!(allowed.code, 0, "{allowed:?}");
    let form = served.terminal.question();
    let fields = [
        "Place this order",
        "default | true",
        "Note for the order",
        "It has no default",
    ];
    let listed = served.terminal.run(&["questions", "list"]);
    assert!(
        fields.iter().all(|field| listed.out.contains(field)),
        "{listed:?}"
    );
    let allowed = served.answer(form["id"].as_str().unwrap(), &["allow"]);
    assert_eq!(allowed.code, 0, "{allowed:?}");
    assert!(
        fields.iter().all(|field| allowed.err.contains(field))
            && allowed.err.contains(r#"{"approve":true}"#),
        "{allowed:?}"
    );
    assert_eq!(call.ended().json()["structured"]["status"], "placed");
}

#[test]
fn six_containers_need_a_yes_and_five_do_not() {
    let served = Served::new();
    served.enable("shipping");
    let order = |containers: u32, answers: &[&[&str]]| {
        let arguments = json!({"containers": containers, "destination": "Oslo"}).to_string();
        let ran = served.call(
            &["shipping", "place_shipping_order", "--args", &arguments],
            answers,
        );
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()["structured"].clone()
    };
    assert_eq!(
        order(5, &[&["allow", "--workspace", "--any"]])["status"],
        "placed"
    );
    assert_eq!(order(6, &[&["allow"]])["status"], "placed");
    assert_eq!(order(6, &[&["deny"]])["status"], "not_placed");
    let noted = order(
        7,
        &[&[
            "allow",
            "--content",
            r#"{"approve": true, "note": "with care"}"#,
        ]],
    );
    assert_eq!(
        (&noted["status"], &noted["note"]),
        (&json!("placed"), &json!("with care"))
    );
    assert_eq!(
        order(8, &[&["allow", "--content", r#"{"approve": false}"#]])["status"],
        "not_placed"
    );
}

#[test]
fn commands_at_the_same_time_do_not_get_into_each_others_way() {
    let terminal = Terminal::new();
    terminal.json(&["servers", "list"]);
    let running: Vec<_> = (0..6)
        .map(|_| terminal.start(&["--json", "servers", "list"]))
        .collect();
    for ran in running.into_iter().map(|running| running.ended()) {
        assert_eq!(ran.code, 0, "{ran:?}");
    }
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use super::*;

    /// The last words of the question about a call, and about a form.
    const CALL: &str = "Your answer [n]";
    const FORM: &str = "c to say nothing [n]";

    #[test]
    fn the_question_is_asked_and_answered_there() {
        let terminal = Terminal::new();
        assert_eq!(
            terminal
                .run(&["servers", "enable", "shipping", "--yes"])
                .code,
            0
        );
        let arguments = r#"{"containers": 6, "destination": "Oslo"}"#;
        let order = |typed: &[(&str, &str)]| {
            terminal.typed(
                &[
                    "call",
                    "shipping",
                    "place_shipping_order",
                    "--args",
                    arguments,
                ],
                typed,
            )
        };
        let placed = order(&[
            (CALL, "o"),
            (FORM, "y"),
            ("Place this order [true]", ""),
            ("Note for the order", "with care"),
        ]);
        assert!(
            placed.code == 0
                && placed.out.contains("is placed")
                && placed
                    .out
                    .contains("wants to run place_shipping_order on shipping"),
            "{placed:?}"
        );
        let declined = order(&[(CALL, "o"), (FORM, "n")]);
        assert!(
            declined.code == 0 && declined.out.contains("not placed"),
            "{declined:?}"
        );
        let denied = order(&[(CALL, "")]);
        assert!(
            denied.code == 3 && denied.out.contains("a person said no"),
            "{denied:?}"
        );
    }

    #[test]
    fn a_server_is_reviewed_enabled_and_approved_by_a_yes_that_is_typed() {
        let terminal = Terminal::new();
        let server = misbehave();
        terminal.json(&["servers", "add", "says", "--", &server, "says"]);
        for words in [
            &["servers", "review", "says", "--accept"][..],
            &["servers", "enable", "says"],
            &["offers", "approve", "says", "--all"],
        ] {
            for nothing in ["", "n"] {
                let ran = terminal.typed(words, &[("y/N", nothing)]);
                assert_eq!(ran.code, 3, "{words:?}");
            }
            let ran = terminal.typed(words, &[("y/N", "y")]);
            assert!(ran.code == 0 && ran.out.contains("y/N"), "{ran:?}");
        }
        let servers = terminal.json(&["servers", "list"]);
        assert_eq!(
            servers
                .as_array()
                .unwrap()
                .iter()
                .find(|server| server["id"] == "says")
                .map(|server| (&server["on"], &server["waiting"])),
            Some((&json!(true), &json!(0)))
        );
    }

    #[test]
    fn what_was_typed_before_a_question_stood_there_does_not_answer_it() {
        let terminal = Terminal::new();
        terminal.json(&["servers", "add", "says", "--", &misbehave(), "says"]);
        let review = &["servers", "review", "says", "--accept"];
        let ran = terminal.typed_ahead("y\ny\ny\n", review, &[("y/N", "n")]);
        assert_eq!(ran.code, 3, "{ran:?}");
        // Nor does half a line.
        let ran = terminal.typed_ahead("y", review, &[("y/N", "")]);
        assert_eq!(ran.code, 3, "{ran:?}");
        let ran = terminal.typed_ahead("n\n", review, &[("y/N", "y")]);
        assert_eq!(ran.code, 0, "{ran:?}");

        terminal.json(&["servers", "enable", "shipping", "--yes"]);
        let call = &[
            "call",
            "shipping",
            "place_shipping_order",
            "--args",
            r#"{"containers": 6, "destination": "Oslo"}"#,
        ];
        let ran = terminal.typed_ahead("o\ny\n\n\n", call, &[(CALL, "")]);
        assert_eq!(ran.code, 3, "{ran:?}");
    }

    #[test]
    fn what_is_typed_behind_an_answer_does_not_answer_the_next_question() {
        let terminal = Terminal::new();
        terminal.json(&["servers", "enable", "shipping", "--yes"]);
        let arguments = r#"{"containers": 6, "destination": "Oslo"}"#;
        let words = &[
            "call",
            "shipping",
            "place_shipping_order",
            "--args",
            arguments,
        ];
        let ran = terminal.typed(words, &[(CALL, "o\ny\ny\n"), (FORM, "n")]);
        assert!(ran.code == 0 && ran.out.contains("not placed"), "{ran:?}");
    }

    #[test]
    fn a_call_that_ends_does_not_take_the_host_away_from_another_one() {
        let terminal = Terminal::new();
        assert_eq!(
            terminal
                .run(&["servers", "enable", "currency", "--yes"])
                .code,
            0
        );
        let call = |base: &str| {
            let arguments = json!({"base": base, "target": "EUR"}).to_string();
            let mut call = terminal.start(&[
                "call",
                "currency",
                "get_exchange_rate",
                "--args",
                &arguments,
            ]);
            let said = call.until_it_says("questions answer");
            (
                call,
                said.split("questions answer ")
                    .nth(1)
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap()
                    .to_owned(),
            )
        };
        let (first, question_of_first) = call("USD");
        let (second, question_of_second) = call("GBP");
        let answer =
            |question: &str, word| terminal.typed(&["questions", "answer", question, word], &[]);
        assert_eq!(answer(&question_of_first, "deny").code, 0);
        let answered = answer(&question_of_second, "allow");
        assert_eq!(answered.code, 0, "{answered:?}");
        let second = second.ended();
        assert!(
            second.code == 0 && second.out.contains("1 GBP is"),
            "{second:?}"
        );
        assert_eq!(first.ended().code, 3);
    }
}

#[test]
fn an_import_is_shown_first_and_kept_by_name() {
    let terminal = Terminal::new();
    let text = r#"{"mcpServers": {"one": {"command": "x", "env": {"API_TOKEN": "planted-0123456789"}}, "two": {"command": "y"}}}"#;
    let file = terminal.beside("config.json");
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let shown = terminal.run(&["servers", "import", file]);
    assert!(
        shown.code == 0 && shown.out.contains("one") && !shown.out.contains("planted"),
        "{shown:?}"
    );
    assert_eq!(
        terminal
            .json(&["servers", "list"])
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let kept = terminal.json(&["servers", "import", file, "two"]);
    assert_eq!(
        (&kept["added"][0]["id"], &kept["added"][0]["on"]),
        (&json!("two"), &json!(false))
    );
    let piped = Ran::with_input(
        &mut terminal.command(&["servers", "import", "-", "one"]),
        text,
    );
    assert_eq!(piped.code, 0, "{piped:?}");
    assert_eq!(
        terminal
            .json(&["servers", "list"])
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[cfg(unix)]
#[test]
fn configurations_that_were_found_are_listed_shown_and_kept_from() {
    let terminal = Terminal::new();
    let home = terminal.beside("home");
    fs::create_dir_all(home.join(".cursor")).unwrap();
    let text = r#"{"mcpServers": {"one": {"command": "bash", "args": ["-c", "true"], "env": {"LD_PRELOAD": "x"}}, "two": {"command": "y"}}}"#;
    fs::write(home.join(".cursor/mcp.json"), text).unwrap();
    let run = |words: &[&str]| {
        let mut command = terminal.command(words);
        // Where those who run the test keep their own configurations is not looked at.
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "COPILOT_HOME"] {
            command.env_remove(name);
        }
        Ran::of(command.env("HOME", &home))
    };
    let listed = run(&["--json", "servers", "import"]).json();
    assert_eq!(
        (&listed[0]["application"], &listed[0]["servers"]),
        (&json!("cursor"), &json!(2))
    );
    let shown = run(&["servers", "import", "--from", "cursor"]);
    for part in [
        "bash -c true",
        "DANGER: It starts a shell",
        "removed: LD_PRELOAD",
    ] {
        assert!(shown.out.contains(part), "{part}: {shown:?}");
    }
    let kept = run(&["--json", "servers", "import", "--from", "cursor", "two"]).json();
    assert_eq!(
        (&kept["added"][0]["id"], &kept["added"][0]["on"]),
        (&json!("two"), &json!(false))
    );
    let none = run(&["servers", "import", "--from", "claude-desktop"]);
    assert!(
        none.code == 2 && none.err.contains("no configuration of claude"),
        "{none:?}"
    );
}

#[test]
fn a_running_host_takes_its_note_away_when_it_ends() {
    let terminal = Terminal::new();
    let (running, said) = terminal.serve(&[]);
    assert_eq!(said["pid"].as_u64(), Some(u64::from(running.pid())));
    assert!(terminal.dir().join("host.json").exists());
    drop(running);
    eventually("a killed host kept the folder", || {
        (terminal.run(&["servers", "list"]).code == 0).then_some(())
    });
}
