//! A server on this computer touches what it was given, and nothing else. Nothing here needs the
//! server's good will: it tries.

#![cfg(target_os = "linux")]

use crate::support::{Choices, TestHost, code, misbehave, text};
use host::api::{ConfinementView, ErrorCode, HostEvent, PathReason, ServerState};
use host::{Folders, Os};
use policy::{Confinement, Decision, Subject};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A computer with a person's home, in which there are keys and some work.
struct Computer {
    test: TestHost,
    home: TempDir,
}

impl Computer {
    async fn new() -> Self {
        // Not below `/tmp`, of which each server has one of its own.
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let write = |path: &str, text: &str| {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".ssh/id_ed25519", "a key");
        write("work/notes.txt", "some notes");
        write("letters/letter.txt", "a letter");
        std::os::unix::fs::symlink(
            home.path().join("letters/letter.txt"),
            home.path().join("work/way-out"),
        )
        .unwrap();
        let folders = Some(Folders::below(
            Os::here(),
            home.path().canonicalize().unwrap(),
        ));
        let test = TestHost::with(Choices {
            folders,
            ..Choices::default()
        })
        .await;
        Self { test, home }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().canonicalize().unwrap().join(path)
    }

    /// A server that tries whatever it is told to, with these words behind it.
    async fn add(&self, words: &[&str], confinement: Value) {
        let args: Vec<&str> = [&["reaches"], words].concat();
        let target = json!({"kind": "stdio", "command": misbehave(), "args": args});
        self.test.add_confined("tries", target, confinement).await;
        assert_eq!(self.test.state("tries").await, ServerState::Ready);
    }

    /// What it says that it met.
    async fn tries(&self, tool: &str, arguments: Value) -> String {
        let person = self.test.person([Decision::once()]);
        let result = self.test.call("tries", tool, arguments).await.unwrap();
        drop(person);
        text(&result)
    }

    async fn reads(&self, path: &str) -> String {
        self.tries("read", steps(self.at(path))).await
    }

    async fn view(&self) -> ConfinementView {
        let view = self
            .test
            .ask("review_confinement", json!({"server": "tries"}));
        serde_json::from_value(view.await.unwrap()).unwrap()
    }

    async fn set(&self, settings: Value, accepts: bool) -> Result<Value, host::HostError> {
        let wanted = json!({"server": "tries", "settings": settings, "accept_protected": accepts});
        let set = self.test.ask("set_confinement", wanted).await;
        // It is started again.
        if set.is_ok() {
            self.test
                .ask("list_tools", json!({"server": "tries"}))
                .await?;
        }
        set
    }
}

/// A file as nobody but the server takes it for one: what is outside is to be its own try.
fn steps(path: impl AsRef<Path>) -> Value {
    json!({"steps": path.as_ref().to_str().unwrap().replace('/', "|")})
}

fn is_refused(met: &str) -> bool {
    ["No such file", "Permission denied", "Read-only"]
        .iter()
        .any(|words| met.contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_reads_and_writes_what_it_was_given_and_nothing_else() {
    let computer = Computer::new().await;
    computer
        .add(&[computer.at("work").to_str().unwrap()], Value::Null)
        .await;

    assert_eq!(computer.reads("work/notes.txt").await, "some notes");
    let new = steps(computer.at("work/new.txt"));
    assert_eq!(computer.tries("write", new).await, "written");
    assert_eq!(
        std::fs::read_to_string(computer.at("work/new.txt")).unwrap(),
        "word"
    );

    for path in [
        "letters/letter.txt",
        ".ssh/id_ed25519",
        "work/way-out",
        "work/../letters/letter.txt",
    ] {
        let met = computer.reads(path).await;
        assert!(is_refused(&met), "{path}: {met}");
    }
    for path in ["letters/new.txt", ".bashrc"] {
        let met = computer.tries("write", steps(computer.at(path))).await;
        assert!(
            is_refused(&met) && !computer.at(path).exists(),
            "{path}: {met}"
        );
    }
    for path in ["/etc/shadow", "/proc/1/environ", "/root/.profile"] {
        let met = computer.tries("read", steps(path)).await;
        assert!(is_refused(&met), "{path}: {met}");
    }
    // What Majordomo keeps is nobody's.
    let kept = std::fs::read_dir(computer.test.dir()).unwrap();
    let kept: Vec<PathBuf> = kept.map(|entry| entry.unwrap().path()).collect();
    assert!(kept.len() > 2, "{kept:?}");
    // Its own home is among the homes.
    for path in kept.into_iter().filter(|path| !path.ends_with("homes")) {
        let met = computer.tries("read", steps(&path)).await;
        assert!(is_refused(&met), "{}: {met}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_home_is_its_own_and_stays_until_it_is_removed() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    let home = computer.tries("env", json!({"name": "HOME"})).await;
    assert!(Path::new(&home).starts_with(computer.test.dir()), "{home}");
    let file = Path::new(&home).join("kept");
    computer.tries("write", steps(&file)).await;
    computer
        .test
        .ask("restart_server", json!({"server": "tries"}))
        .await
        .unwrap();
    computer
        .test
        .ask("list_tools", json!({"server": "tries"}))
        .await
        .unwrap();
    assert_eq!(computer.tries("read", steps(&file)).await, "word");
    computer
        .test
        .ask("remove_server", json!({"server": "tries"}))
        .await
        .unwrap();
    assert!(!file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_reaches_it_when_it_is_given_and_not_after_it_was_taken_back() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    assert!(is_refused(&computer.reads("letters/letter.txt").await));
    let root = json!({"server": "tries", "path": computer.at("letters")});
    computer.test.ask("add_root", root.clone()).await.unwrap();
    computer
        .test
        .ask("list_tools", json!({"server": "tries"}))
        .await
        .unwrap();
    assert_eq!(computer.reads("letters/letter.txt").await, "a letter");
    computer.test.ask("remove_root", root).await.unwrap();
    computer
        .test
        .ask("list_tools", json!({"server": "tries"}))
        .await
        .unwrap();
    assert!(is_refused(&computer.reads("letters/letter.txt").await));

    let paths = json!([{"path": computer.at("letters"), "change": false}]);
    computer
        .set(json!({"confined": true, "paths": paths}), false)
        .await
        .unwrap();
    assert_eq!(computer.reads("letters/letter.txt").await, "a letter");
    let met = computer
        .tries("write", steps(computer.at("letters/letter.txt")))
        .await;
    assert!(is_refused(&met), "{met}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_protected_is_given_without_a_second_yes() {
    let computer = Computer::new().await;
    // It stands in the command, and is not given for that.
    let (home, keys) = (computer.at(""), computer.at(".ssh"));
    computer
        .add(
            &[home.to_str().unwrap(), keys.to_str().unwrap()],
            Value::Null,
        )
        .await;
    let view = computer.view().await;
    let withheld = [home.display().to_string(), keys.display().to_string()];
    assert_eq!(
        view.withheld
            .iter()
            .map(|path| path.trim_end_matches('/'))
            .collect::<Vec<_>>(),
        withheld
            .iter()
            .map(|path| path.trim_end_matches('/'))
            .collect::<Vec<_>>()
    );
    assert!(is_refused(&computer.reads("work/notes.txt").await));

    let whole = json!({"confined": true, "paths": [{"path": home, "change": true}]});
    assert_eq!(
        code(computer.set(whole.clone(), false).await),
        ErrorCode::ProtectedPath
    );
    let root = json!({"server": "tries", "path": home});
    assert_eq!(
        code(computer.test.ask("add_root", root).await),
        ErrorCode::ProtectedPath
    );

    // With it, what is protected is hidden all the same.
    computer.set(whole, true).await.unwrap();
    assert_eq!(computer.reads("work/notes.txt").await, "some notes");
    let met = computer.reads(".ssh/id_ed25519").await;
    assert!(is_refused(&met), "{met}");
    assert_eq!(computer.view().await.hidden, [keys.display().to_string()]);

    // Unless just that was given.
    let keys = json!({"confined": true, "paths": [{"path": keys, "change": false}]});
    assert_eq!(
        code(computer.set(keys.clone(), false).await),
        ErrorCode::ProtectedPath
    );
    computer.set(keys, true).await.unwrap();
    assert_eq!(computer.reads(".ssh/id_ed25519").await, "a key");

    // What was accepted is not asked again when something else changes.
    let mut same = serde_json::to_value(computer.view().await.settings).unwrap();
    same["network"] = json!({"kind": "open"});
    computer.set(same, false).await.unwrap();
    assert_eq!(computer.reads(".ssh/id_ed25519").await, "a key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_a_server_has_put_leads_nowhere_when_it_starts_again() {
    let computer = Computer::new().await;
    // Its folder, a file in that which is to be made, and a folder in it that the person gave.
    let log = computer.at("work/log.txt");
    std::fs::create_dir(computer.at("work/data")).unwrap();
    let roots = json!([{"path": computer.at("work"), "change": true}, {"path": computer.at("work/data"), "change": true}]);
    computer
        .add(
            &[log.to_str().unwrap()],
            json!({"confined": true, "paths": roots}),
        )
        .await;
    for (place, leads_to) in [("work/log.txt", "letters"), ("work/data", ".ssh")] {
        let place = computer.at(place);
        let _ = std::fs::remove_dir(&place);
        std::os::unix::fs::symlink(computer.at(leads_to), place).unwrap();
    }
    for word in ["restart_server", "list_tools"] {
        computer
            .test
            .ask(word, json!({"server": "tries"}))
            .await
            .unwrap();
    }
    assert_eq!(computer.reads("work/notes.txt").await, "some notes");
    for path in [
        "letters/letter.txt",
        "work/log.txt/letter.txt",
        ".ssh/id_ed25519",
        "work/data/id_ed25519",
    ] {
        let met = computer.reads(path).await;
        assert!(is_refused(&met), "{path}: {met}");
    }
    let withheld = computer.view().await.withheld;
    for path in ["work/log.txt", "work/data"] {
        assert!(
            withheld.contains(&computer.at(path).display().to_string()),
            "{withheld:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_named_in_full_holds_nothing_else_of_the_person() {
    let computer = Computer::new().await;
    let script = "import sys";
    for folder in ["Downloads", ".aws"] {
        std::fs::create_dir_all(computer.at(folder)).unwrap();
        std::fs::write(computer.at(folder).join("server.py"), script).unwrap();
        std::fs::write(computer.at(folder).join("other.txt"), "something else").unwrap();
    }
    let words = [
        computer.at("Downloads/server.py"),
        computer.at(".aws/server.py"),
        computer.at("Documents/new.db"),
        "/run/user/0/bus".into(),
        "/proc/self".into(),
    ];
    std::fs::create_dir_all(computer.at("Documents")).unwrap();
    let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap()).collect();
    computer.add(&words, Value::Null).await;
    for path in ["Downloads/other.txt", ".aws/other.txt", "Documents/x"] {
        let met = computer.reads(path).await;
        assert!(is_refused(&met), "{path}: {met}");
    }
    assert_eq!(computer.reads("Downloads/server.py").await, script);
    let withheld = computer.view().await.withheld;
    assert!(
        withheld.contains(&computer.at("Documents").display().to_string()),
        "{withheld:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_environment_comes_with_the_interpreter_that_is_linked_in_it() {
    let computer = Computer::new().await;
    for folder in ["env/bin", "env/lib"] {
        std::fs::create_dir_all(computer.at(folder)).unwrap();
    }
    std::fs::write(computer.at("env/pyvenv.cfg"), "home = /usr/bin").unwrap();
    std::fs::write(computer.at("env/lib/module.py"), "a module").unwrap();
    std::os::unix::fs::symlink(misbehave(), computer.at("env/bin/python")).unwrap();
    let command = computer.at("env/bin/python");
    let target = json!({"kind": "stdio", "command": command, "args": ["reaches"]});
    computer
        .test
        .add_confined("tries", target, Value::Null)
        .await;
    assert_eq!(computer.reads("env/lib/module.py").await, "a module");
}

#[tokio::test(flavor = "multi_thread")]
async fn in_another_workspace_it_has_the_folders_of_that_one() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    let ask = |method: &'static str, params: Value| async {
        computer.test.ask(method, params).await.unwrap()
    };
    let letters = json!({"server": "tries", "path": computer.at("letters")});
    ask("add_root", letters).await;
    ask("list_tools", json!({"server": "tries"})).await;
    assert_eq!(computer.reads("letters/letter.txt").await, "a letter");
    let other = ask("add_workspace", json!({"name": "Other"})).await["id"].clone();
    ask("switch_workspace", json!({"workspace": other})).await;
    computer.test.switch_on("tries").await;
    let met = computer.reads("letters/letter.txt").await;
    assert!(is_refused(&met), "{met}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_can_access_is_shown_with_why() {
    let computer = Computer::new().await;
    computer
        .add(&[computer.at("work").to_str().unwrap()], Value::Null)
        .await;
    let view = computer.view().await;
    let because = |path: PathBuf| {
        let path = path.display().to_string();
        let given = view.paths.iter().find(|given| given.path == path);
        given.map(|given| (given.because, given.change))
    };
    assert_eq!(
        because(computer.at("work")),
        Some((PathReason::Argument, true))
    );
    assert_eq!(
        because(misbehave().into()),
        Some((PathReason::Program, false))
    );
    let review = computer
        .test
        .ask("review_server", json!({"server": "tries"}))
        .await
        .unwrap();
    assert_eq!(review["confinement"]["paths"], json!(view.paths));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_not_listed_is_refused_and_named() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    let met = computer
        .tries(
            "say",
            json!({"host": "api.example.com", "port": 443, "text": "x"}),
        )
        .await;
    assert!(!met.is_empty() && met != "x", "{met}");
    let refused = computer.view().await.refused;
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].name, "api.example.com");
    // Nobody listens to what is said to the computer's own address either.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let met = computer
        .tries(
            "say",
            json!({"host": "127.0.0.1", "port": port, "text": "x"}),
        )
        .await;
    assert!(met.contains("refused"), "{met}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_host_of_this_computer_is_reached() {
    let computer = Computer::new().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let echo = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut read, mut write) = stream.split();
        tokio::io::copy(&mut read, &mut write).await.unwrap();
    });
    let hosts = json!([format!("127.0.0.1:{port}")]);
    computer
        .add(
            &[],
            json!({"confined": true, "network": {"kind": "hosts", "hosts": hosts}}),
        )
        .await;
    let met = computer
        .tries(
            "say",
            json!({"host": "127.0.0.1", "port": port, "text": "hello"}),
        )
        .await;
    assert_eq!(met, "hello");
    echo.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_question_says_how_the_server_is_confined() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    let person = computer
        .test
        .person([Decision::no(None), Decision::no(None)]);
    let _ = computer
        .test
        .call("tries", "read", json!({"path": "/x"}))
        .await;
    computer
        .set(json!({"confined": false}), false)
        .await
        .unwrap();
    let _ = computer
        .test
        .call("tries", "read", json!({"path": "/x"}))
        .await;
    let confinements: Vec<Confinement> = person
        .asked()
        .into_iter()
        .map(|question| match question.subject {
            Subject::Call { touches, .. } => touches.confinement,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(confinements, [Confinement::Namespaces, Confinement::None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_confined_can_do_what_the_person_can_and_says_so() {
    let computer = Computer::new().await;
    computer.add(&[], json!({"confined": false})).await;
    assert_eq!(computer.reads(".ssh/id_ed25519").await, "a key");
    assert_eq!(computer.test.server("tries").await.confined, Some(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_the_sandbox_makes_another_review() {
    let computer = Computer::new().await;
    computer.add(&[], Value::Null).await;
    let fingerprint = || async {
        let review = computer
            .test
            .ask("review_server", json!({"server": "tries"}));
        review.await.unwrap()["fingerprint"].clone()
    };
    let before = fingerprint().await;
    computer
        .set(json!({"confined": false}), false)
        .await
        .unwrap();
    assert_ne!(before, fingerprint().await);
}

/// A package runner that writes down what it can reach: its variables, and a file.
fn runner(folder: &Path, file: &Path, other: &Path) -> PathBuf {
    let script = format!(
        "#!/bin/sh\n\
         mkdir -p \"$HOME/.cache\"\n\
         {{ env; cat {} {}; }} >> \"$HOME/.cache/seen\" 2>&1\n\
         case \" $* \" in *\" -e 0 \"*) exit 0 ;; esac\n\
         exec {} reaches\n",
        file.display(),
        other.display(),
        misbehave()
    );
    let path = folder.join("npx");
    std::fs::write(&path, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_downloaded_without_the_folders_and_secrets_of_its_server() {
    let computer = Computer::new().await;
    let programs = tempfile::tempdir().unwrap();
    let (letter, notes) = (
        computer.at("letters/letter.txt"),
        computer.at("work/notes.txt"),
    );
    let npx = runner(programs.path(), &letter, &notes);
    let target = json!({
        "kind": "stdio",
        "command": npx,
        "args": ["-y", "server", computer.at("letters")],
        "env": [{"name": "TOKEN", "value": {"kind": "new_secret", "value": "hunter2hunter2"}}],
    });
    // The server's own program would be a part of the package.
    let program = PathBuf::from(misbehave());
    let given = json!([
        {"path": program.parent().unwrap(), "change": false},
        {"path": computer.at("work"), "change": false},
    ]);
    let confinement = json!({"confined": true, "paths": given});
    computer
        .test
        .add_confined("tries", target, confinement)
        .await;
    assert_eq!(computer.test.state("tries").await, ServerState::Ready);

    let home = computer.view().await.home.unwrap();
    let runs = || {
        let seen = std::fs::read_to_string(Path::new(&home).join(".cache/seen")).unwrap();
        let runs = seen.split("HOME=").skip(1).map(str::to_owned);
        runs.collect::<Vec<_>>()
    };
    // When it was downloaded there was nothing but a home, and whoever runs it asks nobody.
    let has_all = |run: &&String| {
        [
            "a letter",
            "TOKEN=hunter2hunter2",
            "npm_config_offline=true",
        ]
        .iter()
        .all(|words| run.contains(words))
    };
    let has_nothing = |run: &&String| {
        let anything = ["a letter", "some notes", "hunter2", "offline"];
        !anything.iter().any(|words| run.contains(words))
    };
    let first = runs();
    assert!(has_nothing(&&first[0]), "{first:?}");
    assert!(
        first.len() > 1 && first[1..].iter().all(|run| has_all(&run)),
        "{first:?}"
    );
    // Once it is there, it is not downloaded again.
    for word in ["restart_server", "list_tools"] {
        let again = computer.test.ask(word, json!({"server": "tries"}));
        again.await.unwrap();
    }
    let then = runs();
    assert!(then.len() > first.len(), "{then:?}");
    assert_eq!(then.iter().filter(has_nothing).count(), 1, "{then:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_says_what_is_fetched_and_since_when_and_ends_when_the_server_is_switched_off() {
    let computer = Computer::new().await;
    let test = &computer.test;
    let programs = tempfile::tempdir().unwrap();
    let npx = programs.path().join("npx");
    let script = "#!/bin/sh\necho fetching tea >&2\nexec sleep 300\n";
    std::fs::write(&npx, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&npx, mode).unwrap();
    let target = json!({"kind": "stdio", "command": npx, "args": ["-y", "tea@1.2.3"]});
    let draft = json!({"draft": {"name": "tries", "target": target}});
    test.ask("add_server", draft).await.unwrap();
    let mut told = test.listen();
    let review = test.ask("review_server", json!({"server": "tries"}));
    let reviewed = review.await.unwrap()["fingerprint"].clone();
    let on = json!({"server": "tries", "reviewed": reviewed});
    test.ask("enable_server", on).await.unwrap();

    let downloads = |event: &HostEvent| match event {
        HostEvent::ServerChanged { server } => server.download.is_some(),
        _ => false,
    };
    told.until(downloads).await;
    let download = test.server("tries").await.download.unwrap();
    assert_eq!(download.package, "tea");
    let writes = |event: &HostEvent| matches!(event, HostEvent::ServerWrote { lines, .. } if lines == &["fetching tea"]);
    told.until(writes).await;

    let off = json!({"server": "tries"});
    test.ask("disable_server", off.clone()).await.unwrap();
    let server = test.server("tries").await;
    assert_eq!((server.state, server.download), (ServerState::Off, None));
    // The next start waits for its turn: whoever downloads was ended, and its home is put back.
    let runs_nothing = "#!/bin/sh\necho nothing to fetch >&2\nexit 3\n";
    std::fs::write(&npx, runs_nothing).unwrap();
    test.only_switch_on("tries").await;
    let failure = test.failure("tries").await;
    assert!(failure.message.contains("nothing to fetch"), "{failure:?}");
}
