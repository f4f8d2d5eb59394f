//! A server that was reviewed is started again only as long as what runs is what was reviewed.
#![cfg(unix)]

use crate::support::{TestHost, misbehave};
use host::api::{ErrorCode, HostEvent, Review, ServerState};
use protocol::IdentityPiece;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A server whose program lies in the test's own folder, so that it can be exchanged.
async fn world() -> (TestHost, PathBuf) {
    let test = TestHost::new().await;
    let program = test.dir().join("server");
    std::fs::copy(misbehave(), &program).unwrap();
    test.add("mine", &[program.to_str().unwrap(), "ok"]).await;
    (test, program)
}

/// Puts another content in the place of a program, as an update does.
fn exchange(program: &Path, content: &[u8]) {
    let beside = program.with_extension("new");
    std::fs::write(&beside, content).unwrap();
    std::fs::set_permissions(&beside, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::rename(beside, program).unwrap();
}

async fn restart(test: &TestHost) {
    test.ask("restart_server", json!({"server": "mine"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "mine"}))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn case_1_a_program_that_was_exchanged_does_not_start_until_a_person_has_seen_it() {
    let (test, program) = world().await;
    let mut content = std::fs::read(&program).unwrap();
    content.extend_from_slice(b"one more");
    exchange(&program, &content);
    restart(&test).await;
    assert_eq!(test.failure("mine").await.code, ErrorCode::ProgramChanged);
    assert!(!test.server("mine").await.reviewed);
    let again = test
        .ask("enable_server", json!({"server": "mine", "reviewed": null}))
        .await;
    assert_eq!(again.unwrap_err().code, ErrorCode::ReviewNeeded);

    let review: Review = test.get("review_server", json!({"server": "mine"})).await;
    assert_eq!(
        review
            .changes
            .iter()
            .map(|change| change.piece)
            .collect::<Vec<_>>(),
        [IdentityPiece::Program]
    );
    test.only_switch_on("mine").await;
    assert_eq!(test.state("mine").await, ServerState::Ready);
    assert_eq!(
        test.server("mine").await.waiting,
        0,
        "what it offers is what was approved"
    );
    let review: Review = test.get("review_server", json!({"server": "mine"})).await;
    assert!(review.changes.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_between_the_look_and_the_start_is_found_after_the_start() {
    let test = TestHost::new().await;
    let program = test.dir().join("server");
    // It is another one by the time it answers, as soon as it is told to.
    let script = format!(
        "#!/bin/sh\nif [ -e \"$0.now\" ]; then\n  cp -p \"$0\" \"$0.new\"\n  echo >>\"$0.new\"\n  mv -f \"$0.new\" \"$0\"\nfi\nexec '{}' ok\n",
        misbehave()
    );
    exchange(&program, script.as_bytes());
    test.add("mine", &[program.to_str().unwrap()]).await;
    restart(&test).await;
    assert_eq!(test.state("mine").await, ServerState::Ready);
    std::fs::write(format!("{}.now", program.display()), "").unwrap();
    restart(&test).await;
    assert_eq!(test.failure("mine").await.code, ErrorCode::ProgramChanged);
    assert!(!test.server("mine").await.reviewed);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_while_nothing_ran_is_found_at_the_next_start_of_the_application() {
    let (test, program) = world().await;
    let dir = test.end().await;
    exchange(&program, b"#!/bin/sh\ntouch \"$0.ran\"\n");
    let test = TestHost::on(dir).await;
    test.ask("review_offers", json!({"server": "mine"}))
        .await
        .unwrap();
    assert_eq!(test.failure("mine").await.code, ErrorCode::ProgramChanged);
    assert!(
        !program.with_extension("ran").exists()
            && !Path::new(&format!("{}.ran", program.display())).exists(),
        "it has run"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_of_one_program_says_nothing_about_another_in_its_place() {
    let (test, program) = world().await;
    let review: Review = test.get("review_server", json!({"server": "mine"})).await;
    test.ask("disable_server", json!({"server": "mine"}))
        .await
        .unwrap();
    exchange(&program, b"#!/bin/sh\n");
    let enabled = test
        .ask(
            "enable_server",
            json!({"server": "mine", "reviewed": review.fingerprint}),
        )
        .await;
    assert_eq!(
        enabled.unwrap_err().code,
        ErrorCode::ReviewNeeded,
        "between the look and the yes it was exchanged"
    );
}

/// A package in npm's cache, and a server that is run from there.
struct Cached {
    test: TestHost,
    cache: PathBuf,
}

impl Cached {
    async fn new() -> Self {
        let test = TestHost::new().await;
        let it = Self {
            cache: test.dir().join("npm"),
            test,
        };
        it.fill("1.0.0");
        // What is called `npx` here runs what lies there: nothing is downloaded in a test.
        let npx = it.test.dir().join("npx");
        let server = it.folder().join("node_modules/files-server/server");
        exchange(
            &npx,
            format!("#!/bin/sh\nexec {} ok\n", server.display()).as_bytes(),
        );
        let env =
            json!([{"name": "npm_config_cache", "value": {"kind": "plain", "text": it.cache}}]);
        it.test.add_with("mine", json!({"kind": "stdio", "command": npx, "args": ["-y", "files-server"], "env": env})).await;
        it
    }

    /// npm keeps what `npx files-server` runs under a name that is made of what was asked for.
    fn folder(&self) -> PathBuf {
        self.cache.join("_npx").join(key("files-server"))
    }

    fn fill(&self, version: &str) {
        let installed = self.folder().join("node_modules/files-server");
        std::fs::create_dir_all(&installed).unwrap();
        let described = json!({"name": "files-server", "version": version, "bin": {"files-server": "index.js"}});
        std::fs::write(installed.join("package.json"), described.to_string()).unwrap();
        if !installed.join("server").exists() {
            std::fs::copy(misbehave(), installed.join("server")).unwrap();
        }
        std::fs::write(
            self.folder().join("package.json"),
            json!({"dependencies": {"files-server": "^1.0.0"}}).to_string(),
        )
        .unwrap();
        let entry = json!({"version": version, "integrity": format!("sha512-{version}")});
        let lock = json!({"lockfileVersion": 3, "packages": {"node_modules/files-server": entry}});
        std::fs::write(
            self.folder().join("node_modules/.package-lock.json"),
            lock.to_string(),
        )
        .unwrap();
        std::fs::write(self.folder().join("package-lock.json"), lock.to_string()).unwrap();
    }

    async fn review(&self) -> Review {
        self.test
            .get("review_server", json!({"server": "mine"}))
            .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_43_another_version_of_a_package_asks_although_it_says_the_same() {
    let it = Cached::new().await;
    let reviewed = it
        .review()
        .await
        .identity
        .package
        .expect("the package was found");
    assert_eq!(
        (reviewed.name.as_str(), reviewed.version.as_deref()),
        ("files-server", Some("1.0.0"))
    );

    it.fill("1.0.1");
    restart(&it.test).await;
    assert_eq!(
        it.test.failure("mine").await.code,
        ErrorCode::ProgramChanged
    );
    let review = it.review().await;
    let [change] = &review.changes[..] else {
        panic!("{:?}", review.changes)
    };
    assert_eq!(
        (change.piece, change.before.as_str(), change.now.as_str()),
        (IdentityPiece::PackageVersion, "1.0.0", "1.0.1")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_while_the_package_is_not_there_does_not_forget_it() {
    let it = Cached::new().await;
    it.test
        .ask("disable_server", json!({"server": "mine"}))
        .await
        .unwrap();
    std::fs::remove_dir_all(&it.cache).unwrap();
    let review = it.review().await;
    assert!(review.changes.is_empty());
    it.test
        .ask(
            "accept_review",
            json!({"server": "mine", "reviewed": review.fingerprint}),
        )
        .await
        .unwrap();
    it.fill("1.0.1");
    it.test
        .ask("enable_server", json!({"server": "mine", "reviewed": null}))
        .await
        .unwrap();
    it.test
        .ask("list_tools", json!({"server": "mine"}))
        .await
        .unwrap();
    assert_eq!(
        it.test.failure("mine").await.code,
        ErrorCode::ProgramChanged
    );
}

/// The name of npm's folder for one package: the beginning of a digest.
fn key(package: &str) -> String {
    use sha2::{Digest, Sha512};
    Sha512::digest(package.as_bytes())
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A folder with files of code, and a server that an interpreter runs there.
struct Beside {
    test: TestHost,
    folder: PathBuf,
}

impl Beside {
    /// The interpreter is called as it says, and really runs a server of ours whatever it is told.
    async fn new(interpreter: &str, words: &[&str], files: &[&str]) -> Self {
        Self::doing("", interpreter, words, files).await
    }

    /// The same with an interpreter that does something before it runs.
    async fn doing(first: &str, interpreter: &str, words: &[&str], files: &[&str]) -> Self {
        let test = TestHost::new().await;
        let it = Self {
            folder: test.dir().join("project"),
            test,
        };
        for file in files {
            it.write(file, "one");
        }
        let program = it.test.dir().join(interpreter);
        let run = format!("#!/bin/sh\n{first}\nexec '{}' ok\n", misbehave());
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        exchange(&program, run.as_bytes());
        let launch = json!({"kind": "stdio", "command": program, "args": words, "cwd": it.folder});
        it.test.add_with("mine", launch).await;
        assert_eq!(it.test.state("mine").await, ServerState::Ready);
        it
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// Whether the server starts again.
    async fn starts(&self) -> bool {
        restart(&self.test).await;
        match self.test.state("mine").await {
            ServerState::Ready => true,
            _ => {
                let code = self.test.failure("mine").await.code;
                assert_eq!(code, ErrorCode::ProgramChanged);
                false
            }
        }
    }

    /// The code that is named as not known: which piece, where, and why.
    async fn unread(&self) -> Vec<(String, String, String)> {
        unread(&self.test).await
    }
}

async fn unread(test: &TestHost) -> Vec<(String, String, String)> {
    let review = test
        .ask("review_server", json!({"server": "mine"}))
        .await
        .unwrap();
    unread_in(&review["identity"]["unread"])
}

fn unread_in(unread: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = unread.as_array().into_iter().flatten();
    all.map(|one| (text(&one["piece"]), text(&one["at"]), text(&one["reason"])))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_beside_the_script_that_was_exchanged_keeps_the_server_from_starting() {
    for (interpreter, script, module) in [
        ("python3", "server.py", "helper.py"),
        ("python3", "server.py", "tools/one.py"),
        ("node", "server.js", "lib/x.js"),
    ] {
        let it = Beside::new(interpreter, &[script], &[script, module]).await;
        assert!(it.starts().await, "{module} was not touched");
        it.write(module, "two");
        assert!(!it.starts().await, "{module} was exchanged");
        it.test.only_switch_on("mine").await;
        assert!(it.starts().await, "a person has seen it");
        it.write("json.py", "shadows what is installed");
        it.write("json.js", "shadows what is installed");
        assert!(!it.starts().await, "a module beside {script} is new");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_outside_of_the_scripts_folder_that_was_exchanged_keeps_the_server_from_starting()
{
    let it = Beside::new(
        "node",
        &["app/server.js"],
        &["app/server.js", "common/x.js"],
    )
    .await;
    it.write("common/x.js", "nobody loads it");
    assert!(it.starts().await);
    it.write("app/server.js", "require('../common/x')");
    it.test.only_switch_on("mine").await;
    it.write("common/x.js", "two");
    assert!(!it.starts().await, "it was exchanged");
    it.test.only_switch_on("mine").await;
    assert!(it.starts().await, "a person has seen it");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_writes_beside_its_script_is_no_change_of_its_code() {
    for (interpreter, script, written) in [
        (
            "python3",
            "server.py",
            [
                "notes.json",
                "server.log",
                "__pycache__/helper.cpython-312.pyc",
                ".cache/some.db",
            ],
        ),
        (
            "node",
            "server.js",
            ["memory.json", "server.log", "data/x.sqlite", ".git/index"],
        ),
    ] {
        let it = Beside::new(interpreter, &[script], &[script]).await;
        for file in written {
            it.write(file, "more");
            assert!(it.starts().await, "{file} is no code");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_code_beside_a_script_than_is_read_is_named_as_not_known() {
    let many: Vec<String> = (0..5_000).map(|n| format!("m{n}.py")).collect();
    let mut files: Vec<&str> = many.iter().map(String::as_str).collect();
    files.push("server.py");
    let it = Beside::new("python3", &["server.py"], &files).await;
    let folder = it.folder.canonicalize().unwrap().display().to_string();
    assert!(
        it.unread()
            .await
            .contains(&("modules".into(), folder, "too_many".into()))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_is_exchanged_between_the_look_and_the_start_is_found_after_the_start() {
    let first = "if [ -e now ]; then echo two >helper.py; fi";
    let it = Beside::doing(
        first,
        "python3",
        &["server.py"],
        &["server.py", "helper.py"],
    )
    .await;
    assert!(it.starts().await);
    it.write("now", "");
    assert!(!it.starts().await, "what runs is another module");
    assert!(!it.test.server("mine").await.reviewed);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installed_module_is_found_in_its_environment_and_one_that_is_not_is_named() {
    let module = "venv/lib/python3.12/site-packages/tool/__main__.py";
    let helper = "venv/lib/python3.12/site-packages/tool/helper.py";
    let files = ["venv/pyvenv.cfg", module, helper];
    let it = Beside::new("project/venv/bin/python3", &["-m", "tool"], &files).await;
    let review = it.test.ask("review_server", json!({"server": "mine"}));
    let script = &review.await.unwrap()["identity"]["script"];
    assert!(
        script["path"]
            .as_str()
            .unwrap_or_default()
            .ends_with(module),
        "{script}"
    );
    it.write(helper, "two");
    assert!(!it.starts().await);

    let it = Beside::new("python3", &["-m", "nowhere"], &["x.py"]).await;
    let named = ("script".into(), "-m nowhere".into(), "not_found".into());
    assert!(it.unread().await.contains(&named));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_shell_is_told_to_run_is_reviewed_where_it_is_plain_and_named_where_it_is_not() {
    let test = TestHost::new().await;
    let program = test.dir().join("server");
    let content = format!("#!/bin/sh\nexec '{}' ok\n", misbehave());
    for (shell, words) in [
        ("sh", vec!["-c", "exec SERVER ok"]),
        ("env", vec!["-S", "A=b SERVER ok"]),
        ("nice", vec!["SERVER", "ok"]),
    ] {
        exchange(&program, content.as_bytes());
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("SERVER", program.to_str().unwrap()))
            .collect();
        let _ = test.ask("remove_server", json!({"server": "mine"})).await;
        test.add_with(
            "mine",
            json!({"kind": "stdio", "command": shell, "args": words}),
        )
        .await;
        assert_eq!(test.state("mine").await, ServerState::Ready, "{words:?}");
        exchange(&program, format!("{content}#").as_bytes());
        restart(&test).await;
        assert_eq!(
            test.failure("mine").await.code,
            ErrorCode::ProgramChanged,
            "{shell} {words:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn code_that_could_not_be_read_is_named_in_the_review_in_the_log_and_in_the_question_before_a_call()
 {
    let test = TestHost::new().await;
    let line = format!("true && exec '{}' ok", misbehave());
    test.add("mine", &["sh", "-c", &line]).await;
    let expected = ("script".into(), "sh -c".into(), "not_followed".into());
    assert_eq!(unread(&test).await, [expected]);
    let log = test.ask("export_log", json!({"format": "jsonl"})).await;
    let log = log.unwrap()["text"].as_str().unwrap().to_owned();
    let records = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reviewed: Vec<_> = records
        .filter(|record| record["event"] == "server_reviewed")
        .map(|record| unread_in(&record["unread"]))
        .collect();
    assert_eq!(reviewed, [unread(&test).await]);

    let mut recorder = test.listen();
    let (_, call) = test.call_later("mine", "echo", json!({"text": "x"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    let question = serde_json::to_value(test.host.waiting().remove(0)).unwrap();
    assert_eq!(
        unread_in(&question["subject"]["touches"]["unread"]),
        unread(&test).await
    );
    call.abort();
}
