//! What a person switches, gives or allows in one workspace says nothing about another, and
//! changing over costs one click.

use crate::support::terminal::Terminal;
use crate::support::{TestHost, WAIT_TIMEOUT, code, misbehave, text};
use host::api::{ErrorCode, HostEvent, ServerState, WorkspaceView};
use policy::{ArgumentScope, Decision, Lasting, Refusal};
use protocol::Timestamp;
use serde_json::{Value, json};
use store::{OpenOptions, Store};

/// Makes a workspace, as a copy of the first one if it is to be `like` it.
async fn made(test: &TestHost, name: &str, like: bool) -> WorkspaceView {
    let like = like.then_some("workspace-first");
    test.get("add_workspace", json!({"name": name, "like": like}))
        .await
}

async fn take_up(test: &TestHost, workspace: &str) -> WorkspaceView {
    let taken: WorkspaceView = test
        .get("switch_workspace", json!({"workspace": workspace}))
        .await;
    assert!(taken.active);
    taken
}

/// Waits until a server runs or has failed, and says which it is.
async fn settled(test: &TestHost, server: &str) -> ServerState {
    test.ask("review_offers", json!({"server": server}))
        .await
        .unwrap();
    test.state(server).await
}

async fn whoami(test: &TestHost, server: &str) -> String {
    text(&test.call(server, "whoami", json!({})).await.unwrap())
}

fn once_for_ever() -> impl IntoIterator<Item = Decision> {
    std::iter::repeat_n(Decision::once(), 100)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_in_one_workspace_is_asked_again_in_another() {
    let soon = Timestamp(i64::MAX / 2);
    for lasting in [
        Lasting::Workspace,
        Lasting::Conversation,
        Lasting::Times { times: 50 },
        Lasting::Until { at: soon },
    ] {
        let test = TestHost::new().await;
        test.add("echo", &[&misbehave(), "ok"]).await;
        let work = made(&test, "Work", true).await;
        assert_eq!(
            work.grants, 0,
            "a copy of a workspace has none of its grants"
        );
        let call = || test.call("echo", "echo", json!({"text": "a"}));
        let person = test.person([
            Decision::remembered(lasting.clone(), ArgumentScope::Any),
            Decision::no(None),
            Decision::no(None),
        ]);
        call().await.unwrap();
        call().await.unwrap();
        for times in 1..=2 {
            let taken = take_up(&test, work.id.as_str()).await;
            assert_eq!(taken.grants, 0, "{lasting:?}");
            let refused = call().await.unwrap_err();
            assert!(
                matches!(refused.refusal, Some(Refusal::DeniedByPerson { .. })),
                "{lasting:?}: {refused:?}"
            );
            assert_eq!(
                take_up(&test, "workspace-first").await.grants,
                1,
                "{lasting:?}"
            );
            call().await.unwrap();
            assert_eq!(person.asked().len(), 1 + times, "{lasting:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_was_allowed_for_all_workspaces_holds_in_all() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let work = made(&test, "Work", true).await;
    let person = test.person([Decision::remembered(Lasting::Always, ArgumentScope::Any)]);
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    assert_eq!(take_up(&test, work.id.as_str()).await.grants, 1);
    test.call("echo", "echo", json!({"text": "b"}))
        .await
        .unwrap();
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_over_starts_and_stops_the_right_servers_and_leaves_the_common_ones_running() {
    let test = TestHost::new().await;
    for name in ["common", "here", "there"] {
        test.add(name, &[&misbehave(), "ok"]).await;
    }
    let _person = test.person(once_for_ever());
    let work = made(&test, "Work", true).await;
    test.ask("disable_server", json!({"server": "there"}))
        .await
        .unwrap();
    let (common, here) = (whoami(&test, "common").await, whoami(&test, "here").await);

    take_up(&test, work.id.as_str()).await;
    test.ask("disable_server", json!({"server": "here"}))
        .await
        .unwrap();
    assert_eq!(settled(&test, "there").await, ServerState::Ready);
    assert_eq!(whoami(&test, "common").await, common);

    take_up(&test, "workspace-first").await;
    assert_eq!(test.state("there").await, ServerState::Off);
    assert_eq!(settled(&test, "here").await, ServerState::Ready);
    assert_ne!(
        whoami(&test, "here").await,
        here,
        "it was stopped, and started again"
    );
    assert_eq!(whoami(&test, "common").await, common);
    // A second time changes nothing.
    let here = whoami(&test, "here").await;
    take_up(&test, "workspace-first").await;
    assert_eq!(
        (whoami(&test, "here").await, whoami(&test, "common").await),
        (here, common)
    );
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_server_is_left_when_another_workspace_is_in_use() {
    use crate::support::processes::{assert_none, mark, marked};
    let test = TestHost::new().await;
    let mark = mark();
    test.add("echo", &[&misbehave(), "ok", &mark]).await;
    assert!(!marked(&mark).is_empty());
    let empty = made(&test, "Empty", false).await;
    take_up(&test, empty.id.as_str()).await;
    assert_none(&mark);
    let refused = test.call("echo", "echo", json!({"text": "a"})).await;
    assert_eq!(code(refused), ErrorCode::ServerOff);
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_and_tool_switches_belong_to_a_workspace() {
    let folders = tempfile::tempdir().unwrap();
    let [home, away] = ["at-home", "away"].map(|name| {
        let folder = folders.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    });
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), "asks-roots"]).await;
    let _person = test.person(once_for_ever());
    let work = made(&test, "Work", true).await;
    let set = |on: bool| {
        test.ask(
            "set_tool",
            json!({"server": "asks", "tool": "changes", "on": on}),
        )
    };
    let given = async || text(&test.call("asks", "roots", json!({})).await.unwrap());
    test.ask("add_root", json!({"server": "asks", "path": home}))
        .await
        .unwrap();
    set(false).await.unwrap();

    let mut recorder = test.listen();
    let taken = take_up(&test, work.id.as_str()).await;
    let place = taken
        .servers
        .iter()
        .find(|place| place.server.as_str() == "asks")
        .unwrap();
    assert!(
        place.on && place.roots.is_empty() && place.tools_off.is_empty(),
        "{place:?}"
    );
    let tools_changed = |event: &HostEvent| matches!(event, HostEvent::ToolsChanged { server } if server.as_str() == "asks");
    assert!(
        recorder
            .heard()
            .iter()
            .any(|event| tools_changed(&event.event))
    );
    assert!(!given().await.contains("at-home"));
    test.ask("add_root", json!({"server": "asks", "path": away}))
        .await
        .unwrap();
    assert!(given().await.contains("away"));
    test.call("asks", "changes", json!({})).await.unwrap();

    take_up(&test, "workspace-first").await;
    let now = given().await;
    assert!(now.contains("at-home") && !now.contains("away"), "{now}");
    let refused = test.call("asks", "changes", json!({})).await.unwrap_err();
    assert_eq!(refused.refusal, Some(Refusal::SwitchedOff));

    // The same after a restart.
    let test = test.again().await;
    assert_eq!(test.server("asks").await.roots.len(), 1);
    assert!(test.server("asks").await.roots[0].path.ends_with("at-home"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_on_running_hears_that_its_folders_are_others() {
    // In a folder of its own: whatever else happens beside a root makes the host look again, and
    // tell again.
    let beside = tempfile::tempdir().unwrap();
    let folder = beside.path().join("work");
    std::fs::create_dir(&folder).unwrap();
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), "asks-roots"]).await;
    let _person = test.person(once_for_ever());
    let changes = async || {
        text(&test.call("asks", "changes", json!({})).await.unwrap())
            .parse::<u32>()
            .unwrap()
    };
    let (same, work) = (
        made(&test, "Same", true).await,
        made(&test, "Work", true).await,
    );
    test.ask("add_root", json!({"server": "asks", "path": folder}))
        .await
        .unwrap();
    let before = changes().await;
    take_up(&test, work.id.as_str()).await;
    let told = async { while changes().await == before {} };
    tokio::time::timeout(WAIT_TIMEOUT, told)
        .await
        .expect("the server was not told");
    assert_eq!(changes().await, before + 1);
    take_up(&test, same.id.as_str()).await;
    // Both have no folder. A call that comes after would come after the news, too.
    assert_eq!(changes().await, before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_workspace_that_is_in_use() {
    let test = TestHost::new().await;
    for name in ["here", "there"] {
        test.add(name, &[&misbehave(), "ok"]).await;
    }
    let work = made(&test, "Work", true).await;
    take_up(&test, work.id.as_str()).await;
    test.ask("disable_server", json!({"server": "here"}))
        .await
        .unwrap();
    let test = test.again().await;
    let workspaces = test.host.snapshot().await.workspaces;
    let shown: Vec<_> = workspaces
        .iter()
        .map(|workspace| (workspace.name.as_str(), workspace.active))
        .collect();
    assert_eq!(shown, [("", false), ("Work", true)]);
    assert_eq!(
        (settled(&test, "there").await, test.state("here").await),
        (ServerState::Ready, ServerState::Off)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_in_a_workspace_keeps_nobody_out_of_it() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let work = made(&test, "Work", false).await;
    take_up(&test, work.id.as_str()).await;
    test.add_with(
        "exits",
        json!({"kind": "stdio", "command": misbehave(), "args": ["exits"]}),
    )
    .await;
    test.ask("enable_server", json!({"server": "echo", "reviewed": null}))
        .await
        .unwrap();
    take_up(&test, "workspace-first").await;
    take_up(&test, work.id.as_str()).await;
    assert_eq!(settled(&test, "echo").await, ServerState::Ready);
    assert!(matches!(
        settled(&test, "exits").await,
        ServerState::Failed { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_runs_while_another_workspace_comes_into_use_ends_cleanly() {
    let test = TestHost::new().await;
    test.add("common", &[&misbehave(), "ok"]).await;
    test.add("here", &[&misbehave(), "hangs-in-call"]).await;
    let _person = test.person(once_for_ever());
    let work = made(&test, "Work", true).await;
    take_up(&test, work.id.as_str()).await;
    test.ask("disable_server", json!({"server": "here"}))
        .await
        .unwrap();
    take_up(&test, "workspace-first").await;
    settled(&test, "here").await;

    let runs = |server: &'static str| move |event: &HostEvent| matches!(event, HostEvent::CallChanged { call } if call.server.as_str() == server && !call.waiting);
    let hangs = test
        .ask("list_tools", json!({"server": "here"}))
        .await
        .unwrap();
    let hangs = hangs
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["spec"]["name"].as_str().unwrap())
        .find(|name| name.starts_with("hang"));
    let mut recorder = test.listen();
    let (_, ends) = test.call_later("here", hangs.unwrap(), json!({}));
    recorder.until(runs("here")).await;
    let answered = |event: &HostEvent| matches!(event, HostEvent::QuestionClosed { .. });
    recorder.until(answered).await;
    let (_, goes_on) = test.call_later("common", "slow", json!({"ms": 300}));
    recorder
        .until(|event| matches!(event, HostEvent::CallProgress { .. }))
        .await;

    take_up(&test, work.id.as_str()).await;
    ends.await.unwrap().unwrap_err();
    goes_on.await.unwrap().unwrap();
    assert!(test.host.running().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_call_ends_with_the_workspace_in_which_it_was_asked() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let work = made(&test, "Work", true).await;
    let mut recorder = test.listen();
    let (_, call) = test.call_later("echo", "echo", json!({"text": "a"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    let question = test.host.waiting().remove(0);
    take_up(&test, work.id.as_str()).await;
    assert_eq!(
        call.await.unwrap().unwrap_err().refusal,
        Some(Refusal::OtherWorkspace)
    );
    let late = test
        .host
        .answer(&question.id, Decision::always(), crate::support::TERMINAL)
        .await;
    assert_eq!(code(late), ErrorCode::UnknownQuestion);
    assert!(test.host.waiting().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_workspace_takes_its_grants_along_and_the_one_in_use_stays() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let work = made(&test, "Work", true).await;
    let _person = test.person([Decision::always(), Decision::always()]);
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    take_up(&test, work.id.as_str()).await;
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    let remove = |id: &str| test.ask("remove_workspace", json!({"workspace": id}));
    assert_eq!(
        code(remove(work.id.as_str()).await),
        ErrorCode::WorkspaceInUse
    );
    take_up(&test, "workspace-first").await;
    remove(work.id.as_str()).await.unwrap();
    assert_eq!(
        code(remove(work.id.as_str()).await),
        ErrorCode::UnknownWorkspace
    );

    let test = test.again().await;
    let grants = test.ask("list_grants", Value::Null).await.unwrap();
    let places: Vec<_> = grants
        .as_array()
        .unwrap()
        .iter()
        .map(|grant| grant["workspace"].as_str().unwrap())
        .collect();
    assert_eq!(places, ["workspace-first"]);
    let rows = test
        .ask(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 100}),
        )
        .await
        .unwrap();
    let what: Vec<_> = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["what"].as_str().unwrap())
        .collect();
    for written in [
        "workspace_added",
        "workspace_switched",
        "workspace_removed",
        "grant_revoked",
    ] {
        assert!(
            what.contains(&written),
            "{written} is not in the log: {what:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_server_is_off_in_every_workspace_and_a_changed_one_too() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let work = made(&test, "Work", true).await;
    test.add("new", &[&misbehave(), "ok"]).await;
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok", "changed"]});
    test.ask(
        "edit_server",
        json!({"server": "echo", "draft": {"name": "echo", "target": target}}),
    )
    .await
    .unwrap();
    let taken = take_up(&test, work.id.as_str()).await;
    assert!(taken.servers.iter().all(|place| !place.on), "{taken:?}");
    assert_eq!(
        (test.state("echo").await, test.state("new").await),
        (ServerState::Off, ServerState::Off)
    );
    test.ask("remove_server", json!({"server": "new"}))
        .await
        .unwrap();
    let all: Vec<WorkspaceView> = test.get("list_workspaces", Value::Null).await;
    assert!(
        all.iter()
            .flat_map(|workspace| &workspace.servers)
            .all(|place| place.server.as_str() != "new"),
        "{all:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_has_a_name_that_people_can_read_and_no_other_has() {
    let test = TestHost::new().await;
    made(&test, "Work", false).await;
    let add = |name: &'static str| test.ask("add_workspace", json!({"name": name, "like": null}));
    assert_eq!(code(add("wORK").await), ErrorCode::NameTaken);
    for bad in ["", " ", "a\u{200B}", "a\nb"] {
        assert_eq!(code(add(bad).await), ErrorCode::BadName, "{bad:?}");
    }
    let unknown = test
        .ask("add_workspace", json!({"name": "x", "like": "workspace-0"}))
        .await;
    assert_eq!(code(unknown), ErrorCode::UnknownWorkspace);
    let named: WorkspaceView = test
        .get(
            "rename_workspace",
            json!({"workspace": "workspace-first", "name": "家"}),
        )
        .await;
    assert_eq!((named.name.as_str(), named.active), ("家", true));
}

#[test]
fn workspaces_are_kept_in_the_terminal() {
    let terminal = Terminal::new();
    let added = terminal.json(&["workspaces", "add", "Work", "--like", "home"]);
    assert_eq!(
        (&added["name"], &added["active"]),
        (&json!("Work"), &json!(false))
    );
    assert_eq!(
        terminal.json(&["workspaces", "use", "work", "--yes"])["active"],
        json!(true)
    );
    assert_eq!(terminal.run(&["workspaces", "remove", "Work"]).code, 2);
    assert_eq!(
        terminal.json(&["workspaces", "rename", "Work", "At work"])["name"],
        json!("At work")
    );
    let list = terminal.run(&["workspaces", "list"]);
    assert!(
        list.out.contains("home") && list.out.contains("At work") && list.out.contains("in use"),
        "{list:?}"
    );
    terminal.json(&["workspaces", "remove", "home"]);
    assert_eq!(
        terminal
            .json(&["workspaces", "list"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        terminal.run(&["workspaces", "use", "home", "--yes"]).code,
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_one_workspace_is_not_settled_by_what_is_allowed_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    let test = TestHost::new().await;
    test.add("orders", &[&misbehave(), "counts", file.to_str().unwrap()])
        .await;
    let work = made(&test, "Work", true).await;
    take_up(&test, work.id.as_str()).await;
    let person = test.person([Decision::always()]);
    test.call("orders", "place", json!({"order": "paper"}))
        .await
        .unwrap();
    drop(person);
    take_up(&test, "workspace-first").await;
    let mut recorder = test.listen();
    let _ = test.call_later("orders", "place", json!({"order": "tea"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    let dir = test.end().await;
    // As if it had been killed when the other workspace was taken into use, and before the question
    // was refused.
    let (keyring, version) = (host::KeyringChoice::System, "test".to_owned());
    let options = OpenOptions {
        dir: dir.path().to_owned(),
        keyring,
        run: protocol::RunId::random(),
        version,
        now: Timestamp(1_795_000_000_000),
    };
    let between = Store::open(options).await.unwrap();
    between.workspaces().take_up(work.id).await.unwrap();
    between.close().await;
    drop(between);
    let test = TestHost::on(dir).await;
    while !test.host.running().is_empty() {
        tokio::task::yield_now().await;
    }
    let page = test
        .ask(
            "list_activity",
            json!({"filter": {"outcome": "refused"}, "before": null, "limit": 9}),
        )
        .await
        .unwrap();
    let detail = test
        .ask("show_activity", json!({"seq": page["rows"][0]["seq"]}))
        .await
        .unwrap();
    assert_eq!(
        detail["refusal"],
        json!(Refusal::OtherWorkspace),
        "{detail}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "place paper\n");
}
