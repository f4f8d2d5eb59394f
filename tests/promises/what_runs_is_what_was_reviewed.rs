//! A server that was reviewed is started again only as long as what runs is what was reviewed.
#![cfg(unix)]

use crate::support::{TestHost, misbehave};
use host::api::{ErrorCode, Review, ServerState};
use protocol::IdentityPiece;
use serde_json::json;
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
    test.ask("list_tools", json!({"server": "mine"}))
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
