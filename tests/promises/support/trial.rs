//! A model that somebody has, tried with the workflows of courses on agents: what came of each, what
//! it took, and what the model said where it was not what is expected.
//!
//! Always true here: that a model is weak is no failure, and is told; what the host does wrong is one.

mod candidate;
mod expected;
mod report;
mod workflow;

pub use candidate::Candidate;
pub use report::{Missed, Report, Row};

use super::labs::{Reached, confirmed};
use super::{Person, TestHost, WAIT_TIMEOUT};
use expected::Outcome;
use policy::{Decision, Subject};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use workflow::{Task, Workflow};

/// How long a model may take for one task: small ones without a graphics card take minutes.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often is looked whether it is done.
const LOOK: Duration = Duration::from_millis(200);

/// Every workflow so many times, each time with a host of its own on an empty folder.
pub async fn try_with_all(candidate: &Candidate) -> Report {
    let mut report = Report::default();
    for workflow in Workflow::ALL {
        for run in 1..=candidate.runs {
            report.rows.push(try_once(candidate, workflow, run).await);
        }
    }
    report
}

async fn try_once(candidate: &Candidate, workflow: Workflow, run: usize) -> Row {
    let (test, reached) = workflow.host().await;
    let model = candidate.set_up(&test).await;
    let assistant = workflow.assistant(&test).await;
    let start = json!({"model": model, "assistant": assistant});
    let mut row = Row::of(workflow.name(), run);
    for task in workflow.tasks() {
        reached.forget();
        let begun = Instant::now();
        let (outcome, mut faults) = try_task(&test, &start, &task, &reached).await;
        row.took += begun.elapsed();
        row.read += outcome.tokens("read");
        row.written += outcome.tokens("written");
        row.tasks += 1;
        let missing = outcome.missing(&task.expected);
        if !missing.is_empty() {
            let said = outcome.in_words();
            row.missed.push(Missed {
                task: task.says,
                missing,
                said,
            });
        }
        row.faults.append(&mut faults);
    }
    test.host.close().await;
    row
}

/// Says what is to be done and waits until that has ended. What came of it, and what the host did
/// wrong.
async fn try_task(
    test: &TestHost,
    start: &Value,
    task: &Task,
    reached: &Reached,
) -> (Outcome, Vec<String>) {
    let yes = task.yes;
    let person = Person::who(test.host.clone(), move |question| {
        Some(match question.subject {
            Subject::Form { .. } => confirmed(yes),
            _ => Decision::once(),
        })
    });
    let begun = test.ask("start_conversation", start.clone());
    let conversation = begun.await.unwrap()["id"].clone();
    let say = json!({"conversation": conversation, "text": task.says});
    test.ask("say_in_conversation", say).await.unwrap();
    let mut faults = Vec::new();
    let mut page = ended(test, &conversation, PATIENCE).await;
    if page.is_none() {
        let stop = json!({"conversation": conversation});
        test.ask("stop_conversation", stop).await.unwrap();
        page = ended(test, &conversation, WAIT_TIMEOUT).await;
        if page.is_none() {
            faults.push("a turn that was stopped goes on".to_owned());
        }
    }
    let forms = |question: &policy::Question| matches!(question.subject, Subject::Form { .. });
    let outcome = Outcome {
        page: page.unwrap_or_default(),
        reached: reached.lines(),
        asked: person.asked().into_iter().filter(forms).count(),
    };
    faults.extend(outcome.faults(yes));
    (outcome, faults)
}

/// What was said, as soon as nothing goes on any more.
async fn ended(test: &TestHost, conversation: &Value, patience: Duration) -> Option<Value> {
    let look = async {
        loop {
            let read = json!({"conversation": conversation, "limit": 200});
            let page = test.ask("read_conversation", read).await.unwrap();
            let state = &page["conversation"]["state"]["kind"];
            if state == "idle" || state == "paused" {
                return page;
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(patience, look).await.ok()
}
