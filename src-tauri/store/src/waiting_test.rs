//! What waits for a person: it goes forward only, is sealed, and outlives a change of format.

use crate::db::{self, Commit};
use crate::testing::{
    Drawer, Home, NOW, closed, map, opened, options, question, row_of, server, tool,
};
use crate::vault::{Keyring, Ring, RingError};
use crate::waiting::{Needed, PausedRound, WaitingCall};
use crate::{Durability, KeyringChoice, Store, StoreError};
use api::{LogReport, Outcome};
use policy::waiting::{Awaited, Durable, End, Left};
use policy::{Decision, Pending, Question, Reason, Subject};
use protocol::{CallId, Caller, Fingerprint, QuestionId, Secret, Timestamp, ToolCall};
use rusqlite::{Connection, params};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn about() -> WaitingCall {
    WaitingCall {
        call: CallId::random(),
        caller: Caller::terminal(),
        server: server("files"),
        tool: "read".into(),
        since: NOW,
    }
}

/// What is needed to go on with a call whose argument is secret.
fn needed(about: &WaitingCall) -> Needed {
    let arguments = map(json!({"key": "a very secret argument"}));
    let call = ToolCall {
        id: about.call.clone(),
        caller: about.caller.clone(),
        conversation: about.caller.conversation(),
        by_hand: false,
        server: about.server.clone(),
        tool: about.tool.clone(),
        arguments: arguments.clone(),
    };
    let pending: Pending = serde_json::from_value(json!({
        "call": call, "tool": tool("read"), "fingerprint": tool("read").fingerprint(),
        "launch": Fingerprint::of(&json!("launch")), "reason": Reason::NotAllowedYet, "concerns": [],
        "mark": policy::ToolFlags::default(), "workspace": "home",
    }))
    .unwrap();
    let question = Question {
        subject: Subject::Call {
            call: about.call.clone(),
            caller: about.caller.clone(),
            conversation: Some(about.caller.conversation()),
            tool: tool("read"),
            arguments,
            reason: Reason::NotAllowedYet,
            findings: vec![],
            concerns: vec![],
            sources: vec![],
            touches: Default::default(),
            last_time: None,
            options: vec![],
            consequential: false,
            left_over: false,
        },
        ..question(NOW.0)
    };
    Needed { pending, question }
}

async fn waits(store: &Store) -> (WaitingCall, QuestionId) {
    let about = about();
    let needed = needed(&about);
    let durable = store.waiting().call_waits(&about, &needed).await.unwrap();
    assert_eq!(durable, Awaited::Call(Durable::Yes));
    (about, needed.question.id)
}

async fn only_left(store: &Store) -> Left {
    let mut left = store.waiting().left().await.unwrap();
    assert_eq!(left.len(), 1);
    left.remove(0).left
}

#[tokio::test]
async fn steps_go_forward_only_and_one_answer_is_one_sending() {
    let home = Home::new();
    let store = home.open().await;
    let waiting = store.waiting();
    let (_, id) = waits(&store).await;
    assert!(
        !waiting.sends(&id, End::Answered).await.unwrap(),
        "nobody has answered"
    );
    assert_eq!(only_left(&store).await, Left::Waiting);
    let (yes, no) = (Decision::once(), Decision::no(None));
    assert!(
        !waiting
            .answered(&QuestionId::random(), &yes, NOW)
            .await
            .unwrap(),
        "another question"
    );
    assert!(waiting.answered(&id, &yes, NOW).await.unwrap());
    assert!(!waiting.answered(&id, &no, NOW).await.unwrap());
    assert!(
        !waiting.sends(&id, End::SettledByPermission).await.unwrap(),
        "it was answered"
    );
    let first = Left::Answered {
        answer: Box::new(yes.clone()),
        at: NOW,
    };
    assert_eq!(only_left(&store).await, first, "the first answer stays");
    assert!(waiting.sends(&id, End::Answered).await.unwrap());
    assert!(!waiting.sends(&id, End::Answered).await.unwrap());
    waiting.waits_again(&id).await.unwrap();
    assert!(!waiting.answered(&id, &yes, NOW).await.unwrap());
    assert_eq!(
        only_left(&store).await,
        Left::Sent(End::Answered),
        "nothing leads back from there"
    );
    waiting.ended(&id, End::Answered, NOW).await.unwrap();
    assert!(waiting.left().await.unwrap().is_empty());
    assert_eq!(waiting.end_of(&id).await.unwrap(), Some(End::Answered));
}

#[tokio::test]
async fn what_something_else_has_settled_is_sent_once() {
    let home = Home::new();
    let store = home.open().await;
    let (_, id) = waits(&store).await;
    let settled = End::SettledByPermission;
    assert!(store.waiting().sends(&id, settled).await.unwrap());
    assert!(!store.waiting().sends(&id, settled).await.unwrap());
    assert_eq!(only_left(&store).await, Left::Sent(settled));
}

#[tokio::test]
async fn a_question_ends_once() {
    let home = Home::new();
    let store = home.open().await;
    let waiting = store.waiting();
    let asked = question(1);
    waiting.question_waits(&asked).await.unwrap();
    let (_, call) = waits(&store).await;
    for id in [asked.id, call] {
        waiting.ended(&id, End::Lapsed, NOW).await.unwrap();
        let again = waiting.ended(&id, End::Answered, NOW).await;
        assert!(matches!(again, Err(StoreError::UnknownQuestion { .. })));
        assert_eq!(waiting.end_of(&id).await.unwrap(), Some(End::Lapsed));
    }
    assert!(matches!(
        waiting.ended(&QuestionId::random(), End::Lapsed, NOW).await,
        Err(StoreError::UnknownQuestion { .. })
    ));
    assert!(waiting.left().await.unwrap().is_empty());
}

#[tokio::test]
async fn after_a_crash_a_call_still_waits_and_a_question_about_none_lapses() {
    let home = Home::new();
    let store = home.open().await;
    let asked = question(10);
    store.waiting().question_waits(&asked).await.unwrap();
    waits(&store).await;
    assert_eq!(
        store.waiting().lapse(NOW).await.unwrap(),
        0,
        "those of this run are still being waited for"
    );
    drop(store);
    let store = home.open().await;
    let new = question(30);
    store.waiting().question_waits(&new).await.unwrap();
    assert_eq!(store.waiting().lapse(NOW).await.unwrap(), 1);
    let end = |id: QuestionId| {
        let waiting = store.waiting();
        async move { waiting.end_of(&id).await.unwrap() }
    };
    assert_eq!(
        (end(asked.id).await, end(new.id).await),
        (Some(End::Lapsed), None)
    );
    assert_eq!(only_left(&store).await, Left::Waiting);
}

#[tokio::test]
async fn what_waits_is_replaced_by_no_other_call_of_the_same_number() {
    let home = Home::new();
    let store = home.open().await;
    let audit = store.audit();
    while audit.is_taken(&CallId::random()).await.unwrap() || !audit.knows_all_numbers().unwrap() {
        tokio::task::yield_now().await;
    }
    let (about, first) = waits(&store).await;
    assert!(audit.is_taken(&about.call).await.unwrap());
    let again = store.waiting().call_waits(&about, &needed(&about)).await;
    assert!(matches!(again, Err(StoreError::CallKnown { id }) if id == about.call));
    store.waiting().noted(&about.call, NOW).await.unwrap();
    let left = store.waiting().left().await.unwrap().remove(0);
    assert_eq!((left.question, left.left), (first, Left::Waiting));
    assert!(audit.is_taken(&about.call).await.unwrap());
    assert!(!audit.is_taken(&CallId::random()).await.unwrap());
}

#[tokio::test]
async fn without_a_keyring_nothing_of_a_call_is_written_that_could_be_read() {
    let home = Home::new();
    let store = home.open_without_keyring().await.unwrap();
    let about = about();
    let needed = needed(&about);
    let durable = store.waiting().call_waits(&about, &needed).await.unwrap();
    assert_eq!(durable, Awaited::Call(Durable::No));
    let id = needed.question.id;
    assert!(
        store
            .waiting()
            .answered(&id, &Decision::once(), NOW)
            .await
            .unwrap(),
        "in this run it goes on"
    );
    assert_eq!(only_left(&store).await, Left::Unreadable);
    assert!(store.waiting().sends(&id, End::Answered).await.unwrap());
    store.close().await;
    check_unreadable(&home);
}

#[tokio::test]
async fn what_is_needed_is_not_readable_in_the_file_and_is_of_no_use_for_another_call() {
    let home = Home::new();
    let store = home.open().await;
    let (one, _) = waits(&store).await;
    let (other, _) = waits(&store).await;
    let (one_call, other_call) = (one.call.clone(), other.call.clone());
    let sql = "UPDATE waiting SET (nonce, sealed) = (SELECT nonce, sealed FROM waiting WHERE call = ?2) WHERE call = ?1";
    store
        .waiting()
        .db
        .write(Commit::Durable, move |tx| {
            Ok(tx.execute(sql, [one_call.as_str(), other_call.as_str()])?)
        })
        .await
        .unwrap();
    for left in store.waiting().left().await.unwrap() {
        let readable = left.left == Left::Waiting;
        assert_eq!(readable, left.about.call == other.call);
    }
    store.close().await;
    check_unreadable(&home);
}

fn check_unreadable(home: &Home) {
    let bytes = std::fs::read(home.dir().join(db::FILE)).unwrap();
    assert!(
        !bytes
            .windows(22)
            .any(|window| window == b"a very secret argument")
    );
}

/// As the version before this table wrote it.
struct Old {
    database: Connection,
}

impl Old {
    fn journal(&self, about: &WaitingCall, question: &QuestionId, stage: &str) {
        let sql =
            "INSERT INTO journal (call, question, step, since, about) VALUES (?1, ?2, ?3, ?4, ?5)";
        let body = serde_json::to_string(about).unwrap();
        let row = params![about.call.as_str(), question.as_str(), stage, NOW.0, body];
        self.database.execute(sql, row).unwrap();
    }

    fn sealed(&self, call: &CallId, columns: &str, locked: crate::vault::LockedUp) {
        let sql = format!("UPDATE journal SET {columns} = (?2, ?3) WHERE call = ?1");
        let row = params![call.as_str(), locked.nonce, locked.sealed];
        self.database.execute(&sql, row).unwrap();
    }

    fn question(&self, id: &QuestionId, ended: Option<&str>) {
        let sql = "INSERT INTO questions (id, run, asked_at, body, ended, ended_at) VALUES (?1, 'run-old', ?2, '{}', ?3, ?4)";
        let row = params![id.as_str(), NOW.0, ended, ended.map(|_| NOW.0)];
        self.database.execute(sql, row).unwrap();
    }
}

#[tokio::test]
async fn what_waited_in_the_tables_of_before_goes_on_waiting() {
    let home = Home::new();
    let calls: Vec<_> = ["waiting", "answered", "sent"]
        .into_iter()
        .map(|stage| {
            let about = about();
            let needed = needed(&about);
            (stage, about, needed)
        })
        .collect();
    let noted = CallId::random();
    let (form, over) = (QuestionId::random(), QuestionId::random());

    // Sealed as it was then, with the key of this folder.
    let store = home.open().await;
    let mut sealed = Vec::new();
    for (stage, about, needed) in &calls[..2] {
        let id = &needed.question.id;
        let mut lock_up = async |columns: &'static str, what: &str, text: String| {
            let purpose = format!("journal {what} {} {id}", about.call);
            let locked = store.vault().lock_up(&purpose, &Secret::new(text)).await;
            sealed.push((&about.call, columns, locked.unwrap()));
        };
        let text = serde_json::to_string(needed).unwrap();
        lock_up("(nonce, sealed)", "needed", text).await;
        if *stage == "answered" {
            let text = serde_json::to_string(&Decision::once()).unwrap();
            lock_up("(answer_nonce, answer)", "answer", text).await;
        }
    }
    store.close().await;
    drop(store);
    std::fs::remove_file(home.dir().join(db::FILE)).unwrap();

    let database = Connection::open(home.dir().join(db::FILE)).unwrap();
    db::take_steps(&database, 5);
    let old = Old { database };
    for (stage, about, needed) in &calls {
        let id = &needed.question.id;
        old.journal(about, id, stage);
        old.question(id, (*stage != "waiting").then_some("answered"));
    }
    for (call, columns, locked) in sealed {
        old.sealed(call, columns, locked);
    }
    old.database
        .execute("UPDATE journal SET answered_at = 7", [])
        .unwrap();
    let sql = "INSERT INTO journal (call, step, since) VALUES (?1, 'noted', 0)";
    old.database.execute(sql, [noted.as_str()]).unwrap();
    old.question(&form, None);
    old.question(&over, Some("settled_by_permission"));
    drop(old);

    let store = home.open().await;
    let waiting = store.waiting();
    let found: Vec<_> = waiting.left().await.unwrap();
    let expected = [
        Left::Waiting,
        Left::Answered {
            answer: Box::new(Decision::once()),
            at: Timestamp(7),
        },
        Left::Sent(End::Answered),
    ];
    assert_eq!(found.len(), expected.len());
    for ((found, expected), (stage, about, needed)) in found.iter().zip(expected).zip(&calls) {
        assert_eq!(found.left, expected);
        assert_eq!(
            (&found.about, &found.question),
            (about, &needed.question.id)
        );
        let readable = found.needed.as_deref();
        assert_eq!(readable, (*stage != "sent").then_some(needed));
    }
    let audit = store.audit();
    assert!(audit.is_taken(&noted).await.unwrap());
    assert_eq!(waiting.lapse(NOW).await.unwrap(), 1, "as it always did");
    assert_eq!(waiting.end_of(&form).await.unwrap(), Some(End::Lapsed));
    let settled = Some(End::SettledByPermission);
    assert_eq!(waiting.end_of(&over).await.unwrap(), settled);
}

/// A call that is paused, at a round in which its server wants to know something.
fn round(about: &WaitingCall) -> PausedRound {
    let call = json!({
        "call": needed(about).pending.call(), "permission": {"kind": "rules", "rules": []},
        "tool": tool("read").fingerprint(), "launch": Fingerprint::of(&json!("launch")), "workspace": "home",
    });
    PausedRound {
        call: serde_json::from_value(call).unwrap(),
        round: json!({"state": "a very secret state"}),
    }
}

#[tokio::test]
async fn a_paused_call_is_left_with_what_it_goes_on_with_and_goes_on_once() {
    let home = Home::new();
    let store = home.open().await;
    let (waiting, about) = (store.waiting(), about());
    let (round, end) = (round(&about), End::SettledByPermission);
    assert!(waiting.pauses(&about, end, &round).await.unwrap());
    waiting.noted(&about.call, NOW).await.unwrap();
    store.close().await;
    let store = home.open().await;
    let waiting = store.waiting();
    let left = waiting.left_paused(Some(&about.server)).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].round.as_deref(), Some(&round));
    assert_eq!((&left[0].about, left[0].end), (&about, end));
    let other = waiting.left_paused(Some(&server("mail"))).await.unwrap();
    assert!(other.is_empty(), "it is another server's");
    assert!(waiting.goes_on(&about.call).await.unwrap());
    assert!(!waiting.goes_on(&about.call).await.unwrap());
    let left = waiting.left_paused(None).await.unwrap();
    assert!(left.len() == 1 && left[0].round.is_none(), "{left:?}");
    assert!(
        waiting.left().await.unwrap().is_empty(),
        "nobody was asked about it"
    );
    waiting.paused_ended(&about.call, end, NOW).await.unwrap();
    assert!(waiting.left_paused(None).await.unwrap().is_empty());
    assert!(!waiting.pauses(&about, end, &round).await.unwrap());
}

#[tokio::test]
async fn a_call_that_somebody_was_asked_about_is_paused_in_its_row() {
    let home = Home::new();
    let store = home.open().await;
    let waiting = store.waiting();
    let (about, id) = waits(&store).await;
    let round = round(&about);
    assert!(
        !waiting.pauses(&about, End::Answered, &round).await.unwrap(),
        "it was not sent"
    );
    assert!(waiting.answered(&id, &Decision::once(), NOW).await.unwrap());
    assert!(waiting.sends(&id, End::Answered).await.unwrap());
    assert!(waiting.pauses(&about, End::Answered, &round).await.unwrap());
    assert!(waiting.left().await.unwrap().is_empty());
    assert_eq!(waiting.left_paused(None).await.unwrap().len(), 1);
    waiting.ended(&id, End::Answered, NOW).await.unwrap();
    assert!(waiting.left_paused(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_over_leaves_after_thirty_days_and_what_is_open_stays() {
    let home = Home::new();
    let store = home.open().await;
    let waiting = store.waiting();
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    let form = question(NOW.0);
    waiting.question_waits(&form).await.unwrap();
    waiting.ended(&form.id, End::Answered, NOW).await.unwrap();
    let (_, open) = waits(&store).await;
    let (_, answered) = waits(&store).await;
    assert!(
        waiting
            .answered(&answered, &Decision::once(), NOW)
            .await
            .unwrap()
    );
    // Seen by a person; the log still has one of the two, and would bring it up again.
    let (gone, interrupted) = (CallId::random(), CallId::random());
    let audit = store.audit();
    let left = [
        opened(&interrupted, json!({})),
        closed(&interrupted, Outcome::Interrupted, None),
    ];
    for entry in left {
        audit.append(entry, Durability::Grouped).unwrap();
    }
    for call in [&gone, &interrupted] {
        waiting.noted(call, NOW).await.unwrap();
    }
    assert_eq!(audit.unknown().await.unwrap().first.len(), 0);

    assert_eq!(waiting.tidy(NOW.plus(30 * day)).await.unwrap(), 0);
    // A clock that was set back removes nothing.
    assert_eq!(waiting.tidy(Timestamp(0)).await.unwrap(), 0);
    let later = NOW.plus(31 * day);
    assert_eq!(waiting.tidy(later).await.unwrap(), 2);
    assert_eq!(waiting.tidy(later).await.unwrap(), 0);
    assert_eq!(waiting.end_of(&form.id).await.unwrap(), None);
    assert!(!audit.is_taken(&gone).await.unwrap());
    assert_eq!(audit.unknown().await.unwrap().first.len(), 0);
    let left = waiting.left().await.unwrap();
    let left: Vec<_> = left.iter().map(|left| &left.question).collect();
    assert_eq!(left, [&open, &answered]);
}

/// A keyring that is locked, or gone, when a test says so.
struct Fickle(Drawer, Arc<Mutex<Option<RingError>>>);

impl Fickle {
    fn works(&self) -> Result<(), RingError> {
        self.1.lock().unwrap().clone().map_or(Ok(()), Err)
    }
}

impl Ring for Fickle {
    fn get(&mut self, account: &str) -> Result<Option<Secret>, RingError> {
        self.works().and_then(|()| self.0.get(account))
    }
    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError> {
        self.works().and_then(|()| self.0.set(account, value))
    }
    fn remove(&mut self, account: &str) -> Result<(), RingError> {
        self.works().and_then(|()| self.0.remove(account))
    }
}

#[tokio::test]
async fn a_keyring_that_locks_itself_or_goes_away_holds_nothing_up_and_loses_no_answer() {
    let home = Home::new();
    let fails: Arc<Mutex<Option<RingError>>> = Arc::default();
    let ring = Fickle(home.drawer.clone(), fails.clone());
    let options = options(home.dir(), KeyringChoice::System);
    let open = || Store::open_blocking(options, |_, dir| Keyring::over(ring, dir));
    let store = tokio::task::spawn_blocking(open).await.unwrap().unwrap();
    let (waiting, audit) = (store.waiting(), store.audit());
    let (before, question) = waits(&store).await;
    let mut told = Vec::new();
    for why in [
        RingError::Failed("it is locked".into()),
        RingError::Missing("it is gone".into()),
    ] {
        *fails.lock().unwrap() = Some(why);
        // The question is shown all the same; it ends with this run.
        let about = about();
        let asked = waiting.call_waits(&about, &needed(&about)).await.unwrap();
        assert_eq!(asked, Awaited::Call(Durable::No));
        let said = opened(&about.call, json!({}));
        told.push(audit.append_synced(said).await.unwrap().seq);
    }
    let yes = Decision::once();
    assert!(waiting.answered(&question, &yes, NOW).await.unwrap());
    assert!(waiting.sends(&question, End::Answered).await.unwrap());
    waiting.ended(&question, End::Answered, NOW).await.unwrap();
    *fails.lock().unwrap() = None;
    waits(&store).await;
    store.close().await;
    let store = home.open().await;
    for seq in told {
        assert_eq!(row_of(&store.audit(), seq).await.seq, seq);
    }
    assert!(store.audit().is_taken(&before.call).await.unwrap());
    store.close().await;
    assert!(matches!(home.verify(), LogReport::Intact { .. }));
}
