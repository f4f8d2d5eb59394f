//! What workspaces promise.

use crate::testing::{Home, NOW, server, tool};
use crate::{Place, ServerRow, Store, StoreError, WorkspaceRow, db};
use proptest::prelude::*;
use protocol::{ConfinementSettings, Launch, Runs, ServerId, Timestamp, ToolName, WorkspaceId};
use std::collections::BTreeMap;

const SERVERS: [&str; 2] = ["Files", "mail"];
const TOOLS: [&str; 2] = ["read", "write"];
const FOLDERS: [&str; 3] = ["/a", "/b", "/c"];

/// A store with the first workspace and two servers.
async fn store(home: &Home) -> Store {
    let store = home.open().await;
    store.workspaces().ensure(NOW).await.unwrap();
    for name in SERVERS {
        let launch = Launch::Builtin { name: name.into() };
        store
            .servers()
            .insert(ServerRow {
                id: server(name),
                launch,
                reviewed: None,
                identity: None,
                runs: Runs::WhenUsed,
                confinement: ConfinementSettings::default(),
                added_at: NOW,
            })
            .await
            .unwrap();
    }
    store
}

async fn named(store: &Store, name: &str) -> WorkspaceRow {
    store
        .workspaces()
        .all()
        .await
        .unwrap()
        .into_iter()
        .find(|row| row.name == name)
        .unwrap()
}

#[tokio::test]
async fn the_first_workspace_is_there_once_has_no_name_and_is_in_use() {
    let home = Home::new();
    let store = store(&home).await;
    store.workspaces().ensure(Timestamp(1)).await.unwrap();
    let first = WorkspaceRow {
        id: WorkspaceId::first(),
        name: String::new(),
        made_at: NOW,
        in_use: true,
        places: BTreeMap::new(),
    };
    assert_eq!(store.workspaces().all().await.unwrap(), [first]);
}

#[tokio::test]
async fn what_was_on_given_and_switched_off_before_there_were_workspaces_is_in_the_first() {
    let home = Home::new();
    let old = rusqlite::Connection::open(home.dir().join(db::FILE)).unwrap();
    for step in [
        include_str!("db/0001_first.sql"),
        include_str!("db/0002_speaking.sql"),
        include_str!("db/0003_signing_in.sql"),
        include_str!("db/0004_trusting.sql"),
    ] {
        old.execute_batch(step).unwrap();
    }
    old.execute_batch(
        r#"INSERT INTO servers (key, name, launch, is_on, added_at) VALUES
             ('files', 'Files', '{"kind":"builtin","name":"files"}', 1, 5), ('mail', 'mail', '{"kind":"builtin","name":"mail"}', 0, 6);
           INSERT INTO roots (server, position, path) VALUES ('files', 1, '/a'), ('files', 0, '/z'), ('mail', 0, '/m');
           INSERT INTO switched_off (server, tool) VALUES ('files', 'write');
           PRAGMA user_version = 4;"#,
    )
    .unwrap();
    drop(old);
    let store = home.open().await;
    store.workspaces().ensure(NOW).await.unwrap();
    let [first] = store.workspaces().all().await.unwrap().try_into().unwrap();
    let files = Place {
        on: true,
        roots: vec!["/z".into(), "/a".into()],
        off: [ToolName::from("write")].into(),
        ..Place::default()
    };
    let mail = Place {
        roots: vec!["/m".into()],
        ..Place::default()
    };
    assert_eq!(
        first.places,
        BTreeMap::from([(server("Files"), files), (server("mail"), mail)])
    );
    assert_eq!(store.servers().all().await.unwrap().len(), 2);
}

#[tokio::test]
async fn names_differ_in_more_than_case_in_every_script() {
    let home = Home::new();
    let workspaces = store(&home).await.workspaces();
    let (work, other) = (WorkspaceId::random(), WorkspaceId::random());
    workspaces
        .add(work.clone(), "ÄRGER".into(), None, NOW)
        .await
        .unwrap();
    let taken = workspaces
        .add(other.clone(), "ärger".into(), None, NOW)
        .await;
    assert!(matches!(taken, Err(StoreError::WorkspaceNameTaken { name }) if name == "ärger"));
    assert!(matches!(
        workspaces
            .rename(WorkspaceId::first(), "Ärger".into())
            .await,
        Err(StoreError::WorkspaceNameTaken { .. })
    ));
    workspaces.rename(work, "Ärger".into()).await.unwrap();
    assert!(matches!(
        workspaces.rename(other, "x".into()).await,
        Err(StoreError::UnknownWorkspace { .. })
    ));
    assert_eq!(
        workspaces
            .all()
            .await
            .unwrap()
            .iter()
            .map(|row| row.name.clone())
            .collect::<Vec<_>>(),
        ["", "Ärger"]
    );
}

#[tokio::test]
async fn the_one_in_use_cannot_be_removed_and_one_that_is_not_there_cannot_be_used() {
    let home = Home::new();
    let workspaces = store(&home).await.workspaces();
    let work = WorkspaceId::random();
    assert!(matches!(
        workspaces.take_up(work.clone()).await,
        Err(StoreError::UnknownWorkspace { .. })
    ));
    assert!(matches!(
        workspaces.remove(WorkspaceId::first()).await,
        Err(StoreError::WorkspaceInUse { .. })
    ));
    workspaces
        .add(work.clone(), "Work".into(), None, NOW)
        .await
        .unwrap();
    workspaces.take_up(work.clone()).await.unwrap();
    assert!(matches!(
        workspaces.remove(work).await,
        Err(StoreError::WorkspaceInUse { .. })
    ));
    workspaces.remove(WorkspaceId::first()).await.unwrap();
    assert_eq!(workspaces.all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_tool_that_goes_by_another_name_stays_off_wherever_it_was() {
    let home = Home::new();
    let store = store(&home).await;
    let (workspaces, work, files) = (store.workspaces(), WorkspaceId::random(), server("files"));
    workspaces
        .add(work.clone(), "Work".into(), None, NOW)
        .await
        .unwrap();
    workspaces
        .switch_tool(work.clone(), &files, &"write".into(), false)
        .await
        .unwrap();
    workspaces
        .show_tool_always(work.clone(), &files, &"write".into(), true)
        .await
        .unwrap();
    store
        .tools()
        .save(&files, vec![tool("save")])
        .await
        .unwrap();
    workspaces
        .follow_tool(&files, &"write".into(), &"save".into())
        .await
        .unwrap();
    let kept = named(&store, "Work").await.places[&server("Files")].clone();
    for tools in [kept.off, kept.always_shown] {
        assert_eq!(tools, ["save".into(), "write".into()].into());
    }
    assert!(named(&store, "").await.places.is_empty());
}

/// One change, to the workspace and server with these numbers.
#[derive(Debug, Clone)]
enum Change {
    Add { like: Option<usize> },
    Remove(usize),
    TakeUp(usize),
    Switch(usize, usize, bool),
    OffEverywhere(usize),
    Roots(usize, usize, Vec<usize>),
    Tool(usize, usize, usize, bool),
    AlwaysShown(usize, usize, usize, bool),
    RemoveServer(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let (space, server) = (0..4_usize, 0..SERVERS.len());
    prop_oneof![
        proptest::option::of(space.clone()).prop_map(|like| Change::Add { like }),
        space.clone().prop_map(Change::Remove),
        space.clone().prop_map(Change::TakeUp),
        (space.clone(), server.clone(), any::<bool>())
            .prop_map(|(space, server, on)| Change::Switch(space, server, on)),
        server.clone().prop_map(Change::OffEverywhere),
        (
            space.clone(),
            server.clone(),
            proptest::collection::vec(0..FOLDERS.len(), 0..3)
        )
            .prop_map(|(space, server, roots)| Change::Roots(space, server, roots)),
        (space.clone(), server.clone(), 0..TOOLS.len(), any::<bool>())
            .prop_map(|(space, server, tool, on)| Change::Tool(space, server, tool, on)),
        (space, server.clone(), 0..TOOLS.len(), any::<bool>())
            .prop_map(|(space, server, tool, on)| Change::AlwaysShown(space, server, tool, on)),
        server.prop_map(Change::RemoveServer),
    ]
}

/// What should be kept: each workspace in the order they were made, with its places.
#[derive(Default)]
struct Expected {
    spaces: Vec<(WorkspaceId, BTreeMap<ServerId, Place>)>,
    in_use: usize,
    made: usize,
}

impl Expected {
    /// Makes a change here and in the store.
    async fn change(&mut self, store: &Store, change: Change) {
        let (workspaces, count) = (store.workspaces(), self.spaces.len());
        let (space, id) = match &change {
            Change::Remove(space)
            | Change::TakeUp(space)
            | Change::Switch(space, ..)
            | Change::Roots(space, ..)
            | Change::Tool(space, ..)
            | Change::AlwaysShown(space, ..) => {
                (space % count, self.spaces[space % count].0.clone())
            }
            _ => (0, self.spaces[0].0.clone()),
        };
        match change {
            Change::Add { like } => {
                let (new, like) = (
                    WorkspaceId::random(),
                    like.map(|like| self.spaces[like % count].clone()),
                );
                self.made += 1;
                workspaces
                    .add(
                        new.clone(),
                        format!("{}", self.made),
                        like.as_ref().map(|like| like.0.clone()),
                        NOW,
                    )
                    .await
                    .unwrap();
                self.spaces
                    .push((new, like.map(|like| like.1).unwrap_or_default()));
            }
            Change::Remove(_) => {
                let removed = workspaces.remove(id).await;
                assert_eq!(removed.is_err(), space == self.in_use);
                if removed.is_ok() {
                    self.spaces.remove(space);
                    self.in_use -= usize::from(space < self.in_use);
                }
            }
            Change::TakeUp(_) => {
                workspaces.take_up(id).await.unwrap();
                self.in_use = space;
            }
            Change::Switch(_, on, switched) => {
                workspaces
                    .switch(id, &server(SERVERS[on]), switched)
                    .await
                    .unwrap();
                self.place(space, on).on = switched;
            }
            Change::OffEverywhere(of) => {
                workspaces
                    .switch_off_everywhere(&server(SERVERS[of]))
                    .await
                    .unwrap();
                for space in 0..count {
                    self.place(space, of).on = false;
                }
            }
            Change::Roots(_, of, roots) => {
                let roots: Vec<String> = roots
                    .into_iter()
                    .map(|root| FOLDERS[root].to_owned())
                    .collect();
                workspaces
                    .set_roots(id, &server(SERVERS[of]), roots.clone())
                    .await
                    .unwrap();
                self.place(space, of).roots = roots;
            }
            Change::Tool(_, of, tool, on) => {
                let tool = ToolName::from(TOOLS[tool]);
                workspaces
                    .switch_tool(id, &server(SERVERS[of]), &tool, on)
                    .await
                    .unwrap();
                let off = &mut self.place(space, of).off;
                _ = if on {
                    off.remove(&tool)
                } else {
                    off.insert(tool)
                };
            }
            Change::AlwaysShown(_, of, tool, on) => {
                let tool = ToolName::from(TOOLS[tool]);
                workspaces
                    .show_tool_always(id, &server(SERVERS[of]), &tool, on)
                    .await
                    .unwrap();
                let shown = &mut self.place(space, of).always_shown;
                _ = if on {
                    shown.insert(tool)
                } else {
                    shown.remove(&tool)
                };
            }
            Change::RemoveServer(of) => {
                let row = store
                    .servers()
                    .all()
                    .await
                    .unwrap()
                    .into_iter()
                    .find(|row| row.id == server(SERVERS[of]))
                    .unwrap();
                store.servers().remove(&row.id).await.unwrap();
                store.servers().insert(row).await.unwrap();
                for (_, places) in &mut self.spaces {
                    places.remove(&server(SERVERS[of]));
                }
            }
        }
    }

    fn place(&mut self, space: usize, of: usize) -> &mut Place {
        self.spaces[space].1.entry(server(SERVERS[of])).or_default()
    }

    async fn check(&self, store: &Store) {
        let found = store.workspaces().all().await.unwrap();
        assert_eq!(found.len(), self.spaces.len());
        for (number, (id, places)) in self.spaces.iter().enumerate() {
            let row = found.iter().find(|row| row.id == *id).unwrap();
            assert_eq!(row.in_use, number == self.in_use);
            let said = places
                .iter()
                .filter(|(_, place)| **place != Place::default());
            assert_eq!(
                row.places,
                said.map(|(server, place)| (server.clone(), place.clone()))
                    .collect()
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_change_in_one_workspace_is_seen_in_another(changes in proptest::collection::vec(change(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let home = Home::new();
            let store = store(&home).await;
            let mut expected = Expected { spaces: vec![(WorkspaceId::first(), BTreeMap::new())], ..Expected::default() };
            for change in changes {
                expected.change(&store, change).await;
                expected.check(&store).await;
            }
        });
    }
}
