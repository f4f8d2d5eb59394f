//! What the tests of this crate share: a folder of their own, a keyring in memory, and things to
//! remember.

use crate::vault::{Keyring, Ring, RingError};
use crate::{
    Audit, CallClosed, CallOpened, Entry, Event, KeyringChoice, OpenOptions, Store, StoreError,
};
use api::{ActivityRow, LogReport, Outcome};
use policy::{Covered, Effect, Grant, GrantOrigin, Permission, Question, Scope, Subject};
use protocol::{
    CallId, Caller, Fingerprint, Form, GrantId, QuestionId, RunId, Secret, ServerId, Timestamp,
    ToolSpec, WorkspaceId,
};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub(crate) const NOW: Timestamp = Timestamp(1_795_000_000_000);

/// A data folder that goes away, and a keyring in memory that lasts as long.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) drawer: Drawer,
}

/// A keyring in memory.
#[derive(Clone, Default)]
pub(crate) struct Drawer(pub(crate) Arc<Mutex<HashMap<String, String>>>);

impl Ring for Drawer {
    fn get(&mut self, account: &str) -> Result<Option<Secret>, RingError> {
        Ok(self
            .0
            .lock()
            .unwrap()
            .get(account)
            .cloned()
            .map(Secret::new))
    }
    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError> {
        self.0
            .lock()
            .unwrap()
            .insert(account.to_owned(), value.expose().to_owned());
        Ok(())
    }
    fn remove(&mut self, account: &str) -> Result<(), RingError> {
        self.0.lock().unwrap().remove(account);
        Ok(())
    }
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            drawer: Drawer::default(),
        }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn keyring(&self) -> Keyring {
        Keyring::over(self.drawer.clone(), self.dir()).unwrap()
    }

    /// Opens the store with the keyring in memory.
    pub(crate) async fn open(&self) -> Store {
        self.try_open(RunId::random()).await.unwrap()
    }

    pub(crate) async fn try_open(&self, run: RunId) -> Result<Store, StoreError> {
        let (options, drawer) = (
            OpenOptions {
                run,
                ..options(self.dir(), KeyringChoice::System)
            },
            self.drawer.clone(),
        );
        tokio::task::spawn_blocking(move || {
            Store::open_blocking(options, |_, dir| Keyring::over(drawer, dir))
        })
        .await
        .unwrap()
    }

    /// Opens the store with no keyring.
    pub(crate) async fn open_without_keyring(&self) -> Result<Store, StoreError> {
        Store::open(options(self.dir(), absent())).await
    }

    /// Checks the log without opening the store, with the keyring in memory.
    pub(crate) fn verify(&self) -> LogReport {
        crate::audit::verify_over(self.dir(), &self.keyring()).unwrap()
    }

    pub(crate) fn segment(&self, number: u32) -> PathBuf {
        self.dir().join(format!("audit/{number:06}.log"))
    }
}

pub(crate) fn options(dir: &Path, keyring: KeyringChoice) -> OpenOptions {
    OpenOptions {
        dir: dir.to_owned(),
        keyring,
        run: RunId::random(),
        version: "0.1.0".into(),
        now: NOW,
    }
}

pub(crate) fn absent() -> KeyringChoice {
    KeyringChoice::Absent("there is none in this test".into())
}

pub(crate) fn server(name: &str) -> ServerId {
    ServerId::parse(name).unwrap()
}

pub(crate) fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        description: Some(format!("Does {name}")),
        input_schema: map(json!({"type": "object", "properties": {"b": {}, "a": {}}})),
        ..ToolSpec::named(name)
    }
}

pub(crate) fn grant(on: &str, scope: Scope, made_at: i64) -> Grant {
    Grant {
        id: GrantId::random(),
        effect: Effect::Allow,
        caller: Caller::window(),
        server: server(on),
        launch_fingerprint: Fingerprint::of(&json!("launch")),
        tool: tool("read"),
        tool_fingerprint: tool("read").fingerprint(),
        arguments: Covered::Any,
        scope,
        workspace: Some(WorkspaceId::from("home")),
        origin: GrantOrigin::Question {
            question: QuestionId::from("question-1"),
        },
        made_at: Timestamp(made_at),
        used: 0,
        last_used_at: None,
        revoked_at: None,
    }
}

/// Makes a grant as the host does: in the log first.
pub(crate) async fn make_grant(store: &Store, grant: &Grant) {
    let entry = Entry {
        server: Some(grant.server.clone()),
        ..noted(Event::grant_made(grant).unwrap())
    };
    store.audit().append_synced(entry).await.unwrap();
    store.grants().insert(grant.clone()).await.unwrap();
}

pub(crate) fn question(asked_at: i64) -> Question {
    Question {
        id: QuestionId::random(),
        asked_at: Timestamp(asked_at),
        expires_at: Timestamp(asked_at + 600_000),
        server: Some(server("files")),
        subject: Subject::Form {
            during: vec![CallId::random()],
            form: form(),
        },
    }
}

fn form() -> Form {
    serde_json::from_value(json!({"message": "How many?", "schema": {"type": "object"}})).unwrap()
}

/// An entry that is about nothing but itself.
/// The row to which record `seq` belongs.
pub(crate) async fn row_of(audit: &Audit, seq: u64) -> ActivityRow {
    audit.rows_of(vec![seq]).await.unwrap().remove(0)
}

pub(crate) fn noted(event: Event) -> Entry {
    Entry::new(NOW, event)
}

pub(crate) fn about(call: &CallId, event: Event) -> Entry {
    let (caller, server, tool) = (
        Some(Caller::window()),
        Some(server("files")),
        Some("read_text".into()),
    );
    Entry {
        call: Some(call.clone()),
        caller,
        server,
        tool,
        ..Entry::new(NOW, event)
    }
}

pub(crate) fn opened(call: &CallId, arguments: Value) -> Entry {
    let arguments = map(arguments);
    about(
        call,
        Event::CallOpened(CallOpened {
            arguments_fingerprint: Fingerprint::of(&Value::Object(arguments.clone())),
            arguments,
            tool_fingerprint: Fingerprint::of(&json!("tool")),
            launch_fingerprint: Fingerprint::of(&json!("launch")),
            permission: Permission::Grant {
                grant: GrantId::from("grant-1"),
            },
        }),
    )
}

pub(crate) fn closed(call: &CallId, outcome: Outcome, error: Option<&str>) -> Entry {
    about(
        call,
        Event::CallClosed(CallClosed {
            outcome,
            duration_ms: 12,
            waited_ms: Some(7),
            ran_ms: Some(5),
            error: error.map(str::to_owned),
        }),
    )
}

/// Appends a call of this client and its end, both at this time.
pub(crate) fn called(audit: &Audit, (id, name): (&str, &str), at: Timestamp) {
    let kind = "client".parse().unwrap();
    let caller = Caller::new(kind, id.parse().unwrap(), name);
    let call = CallId::random();
    for entry in [opened(&call, json!({})), closed(&call, Outcome::Done, None)] {
        let caller = Some(caller.clone());
        let entry = Entry {
            at,
            caller,
            ..entry
        };
        audit.append(entry, crate::Durability::Grouped).unwrap();
    }
}

/// The ids and names of everyone who has asked for something, as they are listed.
pub(crate) async fn callers(audit: &Audit) -> Vec<(String, String)> {
    let callers = audit.callers().await.unwrap();
    let told = |caller: &Caller| (caller.id().to_string(), caller.name().to_owned());
    callers.iter().map(told).collect()
}

/// Appends `count` records of all sizes.
pub(crate) fn fill(audit: &Audit, count: u64) {
    for number in 0..count {
        let call = CallId::from(format!("call-{:016x}", number / 2));
        let entry = match number % 2 {
            0 => opened(
                &call,
                json!({"path": format!("/home/notes/{number}.txt"), "text": "ab ".repeat(number as usize % 17)}),
            ),
            _ => closed(&call, Outcome::Done, None),
        };
        audit.append(entry, crate::Durability::Grouped).unwrap();
    }
}
