//! What runs is found with real files, and without a network.

use super::*;
use protocol::{IdentityChange, Looked, Setting, UnreadReason};
use std::fs::{Permissions, create_dir_all, remove_file, set_permissions, write};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A folder with a home, a working directory, and programs in PATH.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "work", "bin"] {
            create_dir_all(place.at(folder)).unwrap();
        }
        for runtime in ["node", "npx", "uv", "uvx", "docker", "env", "nice"] {
            place.program(&format!("bin/{runtime}"), runtime);
        }
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, text).unwrap();
        path
    }

    fn program(&self, path: &str, text: &str) -> PathBuf {
        let path = self.file(path, text);
        set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn launch(&self, line: &str) -> Launch {
        let mut words = line.split(' ').map(str::to_owned);
        let home = Setting {
            name: "HOME".into(),
            value: SettingValue::Plain {
                text: text(&self.at("home")),
            },
        };
        Launch::Stdio(StdioLaunch {
            command: words.next().unwrap(),
            args: words.collect(),
            env: vec![home],
            cwd: None,
        })
    }

    fn identity(&self, line: &str) -> Identity {
        let launch = self.launch(line);
        let Launch::Stdio(run) = &launch else {
            unreachable!()
        };
        let path = Some(self.at("bin").into_os_string());
        let command = connections::resolve(&run.command, path.as_deref()).unwrap();
        let found = Found {
            command,
            args: run.args.clone(),
            cwd: self.at("work"),
            home: None,
        };
        of_in(&launch, &found, path.as_deref())
    }

    /// What npx would have downloaded for `server`, with one dependency.
    fn npx_cache(&self, version: &str, integrity: &str) {
        // The first sixteen digits of the SHA-512 of the word.
        let folder = "home/.npm/_npx/fb7daafb37d21221";
        self.file(
            &format!("{folder}/node_modules/server/package.json"),
            &format!(r#"{{"version": "{version}"}}"#),
        );
        let lock = format!(
            r#"{{"packages": {{
                "node_modules/server": {{"version": "{version}", "integrity": "sha512-S{version}"}},
                "node_modules/below": {{"version": "1.0.0", "integrity": "{integrity}"}}}}}}"#
        );
        self.file(&format!("{folder}/node_modules/.package-lock.json"), &lock);
    }
}

fn pieces(before: &Identity, now: &Identity) -> Vec<IdentityPiece> {
    before
        .differences(now, Looked::BeforeStart)
        .into_iter()
        .map(|change| change.piece)
        .collect()
}

#[test]
fn a_program_in_which_one_byte_is_changed_is_another() {
    let place = Place::new();
    let server = place.program("server", "one");
    let before = place.identity(&text(&server));
    assert_eq!(
        before
            .program
            .as_ref()
            .unwrap()
            .sha256
            .as_deref()
            .map(str::len),
        Some(64)
    );
    assert_eq!(pieces(&before, &place.identity(&text(&server))), []);
    place.program("server", "two");
    assert_eq!(
        pieces(&before, &place.identity(&text(&server))),
        [IdentityPiece::Program]
    );
}

#[test]
fn a_link_that_is_pointed_elsewhere_is_another_program() {
    let place = Place::new();
    let (one, two) = (place.program("one", "same"), place.program("two", "same"));
    symlink(&one, place.at("link")).unwrap();
    let before = place.identity(&text(&place.at("link")));
    remove_file(place.at("link")).unwrap();
    symlink(&two, place.at("link")).unwrap();
    let changes = before.differences(
        &place.identity(&text(&place.at("link"))),
        Looked::BeforeStart,
    );
    assert_eq!(
        changes,
        [IdentityChange {
            piece: IdentityPiece::ProgramPath,
            before: text(&one),
            now: text(&two)
        }]
    );
}

#[test]
fn a_program_that_can_no_longer_be_read_is_a_change() {
    let place = Place::new();
    let server = place.program("server", "one");
    let before = place.identity(&text(&server));
    // A test may have the rights to read everything, so that it is said and not done.
    let now = Identity {
        unread: vec![Unread {
            piece: IdentityPiece::Program,
            at: text(&server),
            reason: UnreadReason::Unreadable,
        }],
        ..before.clone()
    };
    let program = before.program.clone().map(|program| ProgramIdentity {
        sha256: None,
        ..program
    });
    assert_eq!(
        pieces(&before, &Identity { program, ..now }),
        [IdentityPiece::Program]
    );
    assert_eq!(
        digest::of_file(&place.at("home")),
        Err(UnreadReason::Unreadable)
    );
    assert_eq!(
        digest::of_file(&place.at("missing")),
        Err(UnreadReason::Unreadable)
    );
}

#[test]
fn a_runtime_of_the_system_may_be_renewed_and_a_file_that_is_only_called_so_may_not() {
    let place = Place::new();
    let own = place.program("own/node", "one");
    let bare = place.identity("node");
    let by_path = place.identity(&text(&place.at("bin/node")));
    let named = place.identity(&text(&own));
    place.program("bin/node", "renewed");
    place.program("own/node", "two");
    assert_eq!(
        bare.program,
        Some(ProgramIdentity {
            path: text(&place.at("bin/node")),
            sha256: None
        })
    );
    assert_eq!(bare, by_path);
    assert_eq!(pieces(&bare, &place.identity("node")), []);
    assert_eq!(
        pieces(&named, &place.identity(&text(&own))),
        [IdentityPiece::Program]
    );
}

#[test]
fn a_script_that_is_changed_or_led_elsewhere_is_another() {
    let place = Place::new();
    let (one, two) = (
        place.file("work/one.js", "1"),
        place.file("work/two.js", "1"),
    );
    symlink(&one, place.at("work/server.js")).unwrap();
    let before = place.identity("node server.js");
    write(&one, "2").unwrap();
    assert_eq!(
        pieces(&before, &place.identity("node server.js")),
        [IdentityPiece::Script, IdentityPiece::Modules]
    );
    write(&one, "1").unwrap();
    assert_eq!(pieces(&before, &place.identity("node server.js")), []);
    remove_file(place.at("work/server.js")).unwrap();
    assert_eq!(
        pieces(&before, &place.identity("node server.js")),
        [IdentityPiece::Script, IdentityPiece::Modules]
    );
    symlink(&two, place.at("work/server.js")).unwrap();
    let changes = before.differences(&place.identity("node server.js"), Looked::BeforeStart);
    assert_eq!(
        changes[0],
        IdentityChange {
            piece: IdentityPiece::Script,
            before: text(&one),
            now: text(&two)
        }
    );
    assert_eq!(changes[1].piece, IdentityPiece::Modules);
    assert_eq!(changes.len(), 2);
}

#[test]
fn what_npx_holds_is_adopted_first_and_asked_about_when_anything_in_it_changes() {
    let place = Place::new();
    let line = "npx -y server --flag";
    let empty = place.identity(line);
    assert_eq!(empty.package, None);
    place.npx_cache("1.0.15", "sha512-A");
    let first = place.identity(line);
    assert_eq!(pieces(&empty, &first), []);
    let kept = empty.adopting(first, Looked::BeforeStart);
    let package = kept.package.clone().unwrap();
    assert_eq!(
        (
            package.name.as_str(),
            package.version.as_deref(),
            package.parts
        ),
        ("server", Some("1.0.15"), 2)
    );

    place.npx_cache("1.0.15", "sha512-B");
    assert_eq!(
        pieces(&kept, &place.identity(line)),
        [IdentityPiece::PackageContents]
    );
    place.npx_cache("1.0.16", "sha512-A");
    let changes = kept.differences(&place.identity(line), Looked::BeforeStart);
    assert_eq!(
        changes,
        [IdentityChange {
            piece: IdentityPiece::PackageVersion,
            before: "1.0.15".into(),
            now: "1.0.16".into()
        }]
    );
    std::fs::remove_dir_all(place.at("home/.npm")).unwrap();
    assert_eq!(pieces(&kept, &place.identity(line)), []);
}

#[test]
fn a_list_of_packages_that_cannot_be_read_is_told_and_counts_when_it_runs() {
    let place = Place::new();
    place.npx_cache("1.0.15", "sha512-A");
    let kept = place.identity("npx server");
    place.file(
        "home/.npm/_npx/fb7daafb37d21221/node_modules/.package-lock.json",
        "{",
    );
    let now = place.identity("npx server");
    assert_eq!(
        now.unread,
        [Unread {
            piece: IdentityPiece::PackageContents,
            at: "server".into(),
            reason: UnreadReason::Malformed
        }]
    );
    assert_eq!(pieces(&kept, &now), []);
    let running: Vec<_> = kept
        .differences(&now, Looked::Running)
        .into_iter()
        .map(|change| change.piece)
        .collect();
    assert_eq!(running, [IdentityPiece::PackageContents]);
}

#[test]
fn npx_is_followed_to_where_it_is_told_to_keep_things() {
    let place = Place::new();
    place.npx_cache("1.0.15", "sha512-A");
    std::fs::rename(place.at("home/.npm"), place.at("home/elsewhere")).unwrap();
    assert_eq!(place.identity("npx server").package, None);
    assert!(
        place
            .identity(&format!(
                "npx --cache {} server",
                text(&place.at("home/elsewhere"))
            ))
            .package
            .is_some()
    );
    place.file("home/.npmrc", "registry=http://r\ncache = ~/elsewhere\n");
    assert!(place.identity("npx server").package.is_some());
    place.file("home/.npmrc", "cache=${SOMEWHERE}/npm");
    assert_eq!(place.identity("npx server").package, None);
}

#[test]
fn a_package_of_the_project_comes_before_the_cache_and_one_that_is_for_everyone_is_not_guessed() {
    let place = Place::new();
    place.npx_cache("1.0.15", "sha512-A");
    place.file(
        "work/node_modules/server/package.json",
        r#"{"version": "9.0.0"}"#,
    );
    let version = |line: &str| {
        place
            .identity(line)
            .package
            .and_then(|package| package.version)
    };
    assert_eq!(version("npx server").as_deref(), Some("9.0.0"));
    assert_eq!(version("npx server@1"), None);
    std::fs::remove_dir_all(place.at("work/node_modules")).unwrap();
    assert_eq!(version("npx server").as_deref(), Some("1.0.15"));
    place.file("work/node_modules/.bin/server", "");
    assert_eq!(version("npx server"), None);
    std::fs::remove_dir_all(place.at("work/node_modules")).unwrap();
    place.file("lib/node_modules/server/package.json", "{}");
    assert_eq!(version("npx server"), None);
}

#[test]
fn the_image_and_the_tool_of_an_environment_are_told() {
    let place = Place::new();
    assert_eq!(
        place
            .identity("docker run -i --rm mcp/time")
            .image
            .unwrap()
            .reference,
        "mcp/time"
    );
    let info = "tools/server/lib/python3.12/site-packages/server-1.dist-info";
    place.file("tools/server/pyvenv.cfg", "");
    place.file(&format!("{info}/METADATA"), "Name: server\nVersion: 1\n");
    place.file(
        &format!("{info}/RECORD"),
        "../../../bin/server,sha256=S,1\nserver.py,sha256=A,1\n",
    );
    let tool = place.program("tools/server/bin/server", "#!/bin/sh");
    let before = place.identity(&text(&tool));
    place.file(
        &format!("{info}/RECORD"),
        "../../../bin/server,sha256=S,1\nserver.py,sha256=B,1\n",
    );
    assert_eq!(
        pieces(&before, &place.identity(&text(&tool))),
        [IdentityPiece::PackageContents]
    );
}

#[test]
fn built_in_servers_and_addresses_have_nothing_to_find_out() {
    let found = Found {
        command: "/own".into(),
        args: Vec::new(),
        cwd: "/".into(),
        home: None,
    };
    assert_eq!(
        of(
            &Launch::Builtin {
                name: "files".into()
            },
            &found
        ),
        Identity::default()
    );
}

#[test]
fn the_arguments_of_a_server_are_not_taken_for_what_runs() {
    let words = |line: &str| line.split(' ').map(PathBuf::from).collect::<Vec<_>>();
    for (line, files) in [
        (
            "node /c/node_modules/.bin/server /p/node_modules/other",
            &["/c/node_modules/.bin/server"][..],
        ),
        (
            "/e/bin/python -u /e/bin/server /p/x",
            &["/e/bin/server", "/e/bin/python"],
        ),
        ("/e/bin/server", &["/e/bin/server"]),
        ("/e/bin/uv tool uvx server /p/node_modules/other", &[]),
        ("node /usr/bin/npx -y server /p/node_modules/other", &[]),
        (
            "node /usr/lib/node_modules/npm/bin/npx-cli.js server /p/node_modules/other",
            &[],
        ),
        ("node server.js", &[]),
    ] {
        assert_eq!(
            started(&words(line)).collect::<Vec<_>>(),
            files.iter().map(Path::new).collect::<Vec<_>>(),
            "{line}"
        );
    }
    assert_eq!(started(&[]).count(), 0);
}

/// Ends when it is dropped: what it waits for is then closed.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Starts `sh FILE` below another shell, and waits until it says that it runs.
fn running(file: &Path) -> Running {
    let script = "sh \"$1\"; true";
    let mut child = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    assert_eq!(line, "runs\n");
    Running(child)
}

#[test]
fn the_running_process_tells_which_package_it_came_from() {
    let place = Place::new();
    place.npx_cache("1.0.15", "sha512-A");
    let source = "echo runs; read line";
    let script = place.program(
        "home/.npm/_npx/fb7daafb37d21221/node_modules/server/dist/index.js",
        source,
    );
    create_dir_all(place.at("home/.npm/_npx/fb7daafb37d21221/node_modules/.bin")).unwrap();
    let link = place.at("home/.npm/_npx/fb7daafb37d21221/node_modules/.bin/server");
    symlink(script, &link).unwrap();
    let child = running(&link);
    let package = |line: &str, pid: u32| {
        let running = of_running(&place.launch(line), Identity::default(), Some(pid));
        running.map(|running| {
            running
                .package
                .map(|package| (package.name, package.version, package.parts))
        })
    };
    let server_1 = Some(Some(("server".to_owned(), Some("1.0.15".to_owned()), 2)));
    let before = place.identity("npx -y server");
    assert_eq!(
        of_running(
            &place.launch("npx -y server"),
            before.clone(),
            Some(child.0.id())
        ),
        Some(before)
    );
    assert_eq!(
        package("npx --package user/repository cmd", child.0.id()),
        server_1
    );
    assert_eq!(package("npx -y server", std::process::id()), server_1);
    assert_eq!(package("node server.js", child.0.id()), None);
    drop(child);
    assert_eq!(package("npx -y server", std::process::id()), Some(None));

    let info = "cache/archive/lib/python3.12/site-packages/my_tool-2.dist-info";
    place.file("cache/archive/pyvenv.cfg", "");
    place.file(&format!("{info}/METADATA"), "Name: my-tool\nVersion: 2\n");
    place.file(
        &format!("{info}/RECORD"),
        "../../../bin/my-tool,sha256=S,1\n",
    );
    let tool = running(&place.program("cache/archive/bin/my-tool", source));
    assert_eq!(
        package("uvx my_tool==2", tool.0.id()),
        Some(Some(("my-tool".to_owned(), Some("2".to_owned()), 1)))
    );
}

#[test]
fn a_large_file_is_read_in_pieces_and_one_without_end_is_not_opened() {
    let place = Place::new();
    let large = std::fs::File::create(place.at("large")).unwrap();
    large.set_len(160 << 20).unwrap();
    assert_eq!(digest::of_file(&place.at("large")).unwrap().len(), 64);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 100 << 10, "{peak}");
    }
    large.set_len(3 << 30).unwrap();
    assert_eq!(
        digest::of_file(&place.at("large")),
        Err(UnreadReason::TooLarge)
    );
    assert_eq!(
        digest::of_file(Path::new("/dev/zero")),
        Err(UnreadReason::Unreadable)
    );
    let mut text = std::fs::File::create(place.at("text")).unwrap();
    text.write_all(&[b'x'; 100]).unwrap();
    assert_eq!(
        digest::text(&place.at("text"), 99),
        Err(UnreadReason::TooLarge)
    );
}

/// What is not known of a command line, in short.
fn unread(identity: &Identity) -> Vec<(IdentityPiece, &str, UnreadReason)> {
    let all = identity.unread.iter();
    all.map(|unread| (unread.piece, unread.at.as_str(), unread.reason))
        .collect()
}

/// Whether another content of a file is a change of the modules, and of nothing else.
fn is_module(place: &Place, line: &str, file: &str) -> bool {
    let before = place.identity(line);
    place.file(file, "two");
    let now = place.identity(line);
    place.file(file, "one");
    pieces(&before, &now) == [IdentityPiece::Modules]
}

#[test]
fn a_script_is_known_with_the_code_of_its_package_and_what_is_installed_for_it() {
    let place = Place::new();
    place.file("work/app/package.json", r#"{"name": "app"}"#);
    for file in [
        "src/server.js",
        "src/a.ts",
        "lib/b.mjs",
        "node_modules/c.js",
    ] {
        place.file(&format!("work/app/{file}"), "one");
    }
    let line = "node app/src/server.js";
    assert!(is_module(&place, line, "work/app/src/a.ts"));
    assert!(is_module(&place, line, "work/app/lib/b.mjs"));
    assert!(!is_module(&place, line, "work/app/node_modules/c.js"));
    assert!(!is_module(&place, line, "work/other.js"));
    let installed = text(&place.at("work/app/node_modules"));
    let not_listed = (
        IdentityPiece::Modules,
        installed.as_str(),
        UnreadReason::NotFollowed,
    );
    assert_eq!(unread(&place.identity(line)), [not_listed]);
    let list = "work/app/node_modules/.package-lock.json";
    place.file(list, r#"{"packages": {}}"#);
    let before = place.identity(line);
    assert_eq!(unread(&before), []);
    place.file(
        list,
        r#"{"packages": {"node_modules/c": {"version": "1"}}}"#,
    );
    assert_eq!(
        pieces(&before, &place.identity(line)),
        [IdentityPiece::Modules]
    );
}

#[test]
fn what_is_loaded_before_a_script_counts_as_well() {
    let place = Place::new();
    for file in ["work/app/server.js", "work/hook.mjs"] {
        place.file(file, "one");
    }
    let line = "node --import ./hook.mjs app/server.js";
    assert!(is_module(&place, line, "work/hook.mjs"));
    let elsewhere = place.identity("node --import=data:text/javascript,1 app/server.js");
    assert_eq!(
        unread(&elsewhere),
        [(
            IdentityPiece::Modules,
            "data:text/javascript,1",
            UnreadReason::NotFollowed
        )]
    );
}

#[test]
fn python_is_followed_to_the_folders_it_is_told_of_and_to_its_environment() {
    let place = Place::new();
    let site = "work/.venv/lib/python3.12/site-packages";
    place.file("work/.venv/pyvenv.cfg", "home = /usr/bin\n");
    place.program("work/.venv/bin/python", "python");
    for file in [
        "work/app/server.py",
        "more/x.py",
        &format!("{site}/loose.py"),
    ] {
        place.file(file, "one");
    }
    let more = text(&place.at("more"));
    let python = text(&place.at("work/.venv/bin/python"));
    let line = format!("env PYTHONPATH={more} {python} app/server.py");
    assert_eq!(unread(&place.identity(&line)), []);
    assert!(is_module(&place, &line, "more/x.py"));
    assert!(is_module(&place, &line, &format!("{site}/loose.py")));
    let info = format!("{site}/tool-1.dist-info");
    place.file(&format!("{info}/METADATA"), "Name: tool\nVersion: 1\n");
    place.file(&format!("{info}/RECORD"), "tool.py,sha256=A,1\n");
    let before = place.identity(&line);
    place.file(&format!("{info}/RECORD"), "tool.py,sha256=B,1\n");
    assert_eq!(
        pieces(&before, &place.identity(&line)),
        [IdentityPiece::Modules]
    );
    place.file(&format!("{site}/project.pth"), &more);
    let leads = text(&place.at(&format!("{site}/project.pth")));
    let not_followed = UnreadReason::NotFollowed;
    assert_eq!(
        unread(&place.identity(&line)),
        [(IdentityPiece::Modules, leads.as_str(), not_followed)]
    );
    let by_uv = place.identity("env uv run app/server.py");
    assert!(unread(&by_uv).contains(&(IdentityPiece::Modules, "uv", not_followed)));
}

#[test]
fn a_program_that_is_a_script_is_known_with_what_its_first_line_runs() {
    let place = Place::new();
    place.file("work/app/helper.py", "one");
    let program = place.program("work/app/server", "#!/usr/bin/env -S NAME=x python3 -u\n");
    let line = format!("nice {} --flag", text(&program));
    assert_eq!(
        place.identity(&line).script.map(|script| script.path),
        Some(text(&program))
    );
    assert!(is_module(&place, &line, "work/app/helper.py"));
    assert!(is_module(&place, &text(&program), "work/app/helper.py"));
    let shell = place.program("work/app/start", "#!/bin/sh\nexec something\n");
    let piece = (IdentityPiece::Modules, "sh", UnreadReason::NotFollowed);
    assert!(unread(&place.identity(&text(&shell))).contains(&piece));
}

#[test]
fn code_that_is_started_and_not_known_is_named() {
    let place = Place::new();
    place.file("work/server.js", "one");
    let server = text(&place.program("work/server", "one"));
    let tool = text(&place.program("tool", "one"));
    for (line, at, reason) in [
        ("node -e 1".to_owned(), "node -e", UnreadReason::NotFollowed),
        ("node gone.js".into(), "gone.js", UnreadReason::NotFound),
        ("npx -c id".into(), "npx -c", UnreadReason::NotFollowed),
        (
            format!("{server} npx -y x"),
            "npx",
            UnreadReason::NotFollowed,
        ),
        (
            format!("{server} --run {tool}"),
            &tool,
            UnreadReason::NotFollowed,
        ),
        (
            format!("node server.js {tool}"),
            &tool,
            UnreadReason::NotFollowed,
        ),
        (
            "docker compose up".into(),
            "docker compose",
            UnreadReason::NotFollowed,
        ),
    ] {
        let piece = (IdentityPiece::Script, at, reason);
        assert_eq!(unread(&place.identity(&line)), [piece], "{line}");
    }
    for line in [
        "node server.js --port 1",
        "npx -y server node",
        "docker run x node y",
    ] {
        assert_eq!(unread(&place.identity(line)), [], "{line}");
    }
    let Launch::Stdio(mut run) = place.launch("node server.js") else {
        unreachable!()
    };
    run.env.push(Setting {
        name: "NODE_OPTIONS".into(),
        value: SettingValue::Plain {
            text: "--import x".into(),
        },
    });
    let found = Found {
        command: place.at("bin/node"),
        args: run.args.clone(),
        cwd: place.at("work"),
        home: None,
    };
    let path = Some(place.at("bin").into_os_string());
    let identity = of_in(&Launch::Stdio(run), &found, path.as_deref());
    assert_eq!(
        unread(&identity),
        [(
            IdentityPiece::Modules,
            "NODE_OPTIONS",
            UnreadReason::NotFollowed
        )]
    );
}
