//! The application ends at any write between a question and the end of its call. What a person has
//! said counts, a call is made once at most, and nobody is told that something did not happen when it
//! may have.

use crate::support::{TERMINAL, TestHost, WAIT_TIMEOUT, misbehave};
use host::KeyringChoice;
use host::api::{HostEvent, Outcome};
use policy::waiting::End;
use policy::{Decision, Permission, Question, Refusal};
use protocol::{CallId, Caller, Fingerprint, RunId, ServerId, Timestamp};
use serde_json::{Map, json};
use std::path::Path;
use std::time::Duration;
use store::{CallClosed, CallOpened, Entry, Event, OpenOptions, Store};

/// Something that is written, or sent, between the question and the end of the call.
#[derive(Debug, Clone)]
enum Write {
    /// To the log: what was answered.
    PinDecision(&'static str),
    /// To the row: the answer.
    Decision(Decision),
    /// To the row: that it is sent.
    Sent(End),
    /// To the log: that it begins.
    Opened,
    /// To the log: that it has ended.
    Closed,
    /// To the log: that it was refused.
    Refused,
    /// To the row: that it is over.
    Ended(End),
}

/// What is found in the next run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    /// The question waits again.
    Waits,
    /// It has ended like this, without anybody being asked.
    Over(&'static str),
}

struct Asked {
    call: CallId,
    question: Question,
}

impl Asked {
    fn entry(&self, now: Timestamp, event: Event) -> Entry {
        Entry {
            at: now,
            call: Some(self.call.clone()),
            caller: Some(Caller::terminal()),
            conversation: None,
            approver: None,
            server: Some(ServerId::parse("orders").unwrap()),
            tool: Some("place".into()),
            event,
        }
    }

    async fn write(&self, store: &Store, write: &Write, now: Timestamp) {
        let (rows, id) = (store.waiting(), &self.question.id);
        let event = match write {
            Write::Decision(answer) => {
                assert!(rows.answered(id, answer, now).await.unwrap());
                return;
            }
            Write::Sent(end) => {
                assert!(rows.sends(id, *end).await.unwrap());
                return;
            }
            Write::Ended(end) => return rows.ended(id, *end, now).await.unwrap(),
            Write::PinDecision(word) => Event::QuestionAnswered {
                question: id.clone(),
                answer: (*word).to_owned(),
                reason: None,
            },
            Write::Opened => Event::CallOpened(CallOpened {
                arguments: Map::new(),
                arguments_fingerprint: Fingerprint::of(&json!({})),
                tool_fingerprint: Fingerprint::of(&json!({})),
                launch_fingerprint: Fingerprint::of(&json!({})),
                permission: Permission::Answer {
                    question: id.clone(),
                    grant: None,
                    changed: false,
                },
            }),
            Write::Closed => Event::CallClosed(CallClosed {
                outcome: Outcome::Done,
                duration_ms: 1,
                waited_ms: Some(0),
                ran_ms: Some(1),
                error: None,
            }),
            Write::Refused => Event::CallRefused {
                arguments: Map::new(),
                refusal: Refusal::DeniedByPerson { reason: None },
                duration_ms: 1,
                waited_ms: Some(1),
            },
        };
        let entry = self.entry(now, event);
        store.audit().append_synced(entry).await.unwrap();
    }
}

fn placed(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().count()
}

async fn until_over(test: &TestHost, wanted: &str, told: &str) {
    let look = async {
        while test.outcomes().await != [wanted] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(WAIT_TIMEOUT, look).await.is_err() {
        panic!("{told}: {:?} instead of {wanted}", test.outcomes().await);
    }
}

/// Ends the application after each of these writes, and looks at what the next run finds. `then` is
/// what a person says if the question waits again, and what comes of that.
async fn check(writes: &[(Write, Found)], then: (Decision, &str)) {
    for count in 0..=writes.len() {
        let (done, found) = (&writes[..count], writes[..count].last());
        let found = found.map_or(Found::Waits, |(_, found)| *found);
        let told = format!("after {:?}", done.last());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls");
        let test = TestHost::new().await;
        let counts = [&misbehave(), "counts", file.to_str().unwrap()];
        test.add("orders", &counts).await;
        let mut recorder = test.listen();
        let (call, _) = test.call_later("orders", "place", json!({"order": "tea"}));
        recorder
            .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
            .await;
        let question = test.host.waiting().remove(0);
        let now = question.asked_at;
        let asked = Asked { call, question };
        let dir = test.end().await;
        let options = OpenOptions {
            dir: dir.path().to_owned(),
            keyring: KeyringChoice::System,
            run: RunId::random(),
            version: "test".into(),
            now,
        };
        let store = Store::open(options).await.unwrap();
        for (write, _) in done {
            asked.write(&store, write, now).await;
        }
        store.close().await;
        drop(store);

        let test = TestHost::on(dir).await;
        let over = match found {
            Found::Over(over) => over,
            Found::Waits => {
                let waiting = test.host.waiting();
                assert_eq!(waiting.len(), 1, "{told}");
                let id = &asked.question.id;
                let answered = test.host.answer(id, then.0.clone(), TERMINAL).await;
                answered.unwrap();
                then.1
            }
        };
        until_over(&test, over, &told).await;
        // What was written and not done by this test was done by nobody.
        let sent = done
            .iter()
            .any(|(write, _)| matches!(write, Write::Sent(_)));
        let made = usize::from(over == "done" && !sent);
        let unknown = usize::from(over == "interrupted");
        assert_eq!(test.host.snapshot().await.unknown.len(), unknown, "{told}");
        // And again: nothing is left to be carried out.
        let test = test.again().await;
        assert_eq!(test.host.waiting(), [], "{told}");
        assert_eq!(test.outcomes().await, [over], "{told}");
        assert_eq!(placed(&file), made, "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_carried_out_once_whenever_the_application_ends() {
    let yes = Decision::once();
    check(
        &[
            (Write::PinDecision("allow_once"), Found::Waits),
            (Write::Decision(yes.clone()), Found::Over("done")),
            (Write::Sent(End::Answered), Found::Over("interrupted")),
            (Write::Opened, Found::Over("interrupted")),
            (Write::Closed, Found::Over("done")),
            (Write::Ended(End::Answered), Found::Over("done")),
        ],
        (yes, "done"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_stays_a_no_whenever_the_application_ends() {
    let no = Decision::no(None);
    check(
        &[
            (Write::PinDecision("deny"), Found::Waits),
            (Write::Decision(no.clone()), Found::Over("refused")),
            (Write::Refused, Found::Over("refused")),
            (Write::Ended(End::Answered), Found::Over("refused")),
        ],
        (no, "refused"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_something_else_allowed_is_made_once_whenever_the_application_ends() {
    let settled = End::SettledByPermission;
    check(
        &[
            (Write::PinDecision(settled.word()), Found::Waits),
            (Write::Sent(settled), Found::Over("interrupted")),
            (Write::Opened, Found::Over("interrupted")),
            (Write::Closed, Found::Over("done")),
            (Write::Ended(settled), Found::Over("done")),
        ],
        (Decision::once(), "done"),
    )
    .await;
}
