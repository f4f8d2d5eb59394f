//! The real program is ended after any of its writes, in the middle of a workflow: what was said and
//! acknowledged is there in the next run, no reply that was seen is lost, nor what came of a call,
//! nothing is done twice, and the conversation goes on to its end.
//!
//! Usually a few writes of each workflow are tried, always the same; `MAJORDOMO_SWEEP=all` tries every
//! one, and says on standard error what came of it. That takes longer than nextest lets a test take:
//! `MAJORDOMO_SWEEP=all cargo test --workspace --test promises a_sudden_end -- --nocapture`.

use crate::support::labs::{self, Reached, confirmed, tells};
use crate::support::talk::{Talk, words};
use crate::support::terminal::Terminal;
use crate::support::{TERMINAL, TestHost, WAIT_TIMEOUT, programs};
use api::{
    AnswerQuestion, ConversationPage, ConversationState, ErrorCode, ListQuestions,
    ReadConversation, SayInConversation,
};
use loopback::Client;
use policy::{Decision, Question, Subject};
use protocol::{ConversationId, QuestionId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use test_servers::model::Step;

/// So many writes of each workflow are tried usually.
const SAMPLE: u64 = 6;
/// How often is looked what has become of something.
const LOOK: Duration = Duration::from_millis(10);
/// So often a person lets a turn go on that was cut; one end of the program cuts it once.
const MOST_GO_ON: usize = 2;

/// What a model is told of a call of which nobody knows.
const UNKNOWN: &str = "Nobody knows whether this was carried out";
const LOOK_FIRST: &str = "Nobody knows; shall I look?";
/// What it is told of a task that was cut after its helper had ordered something.
const CUT_LATE: &str = "It had called 1 tool.";
/// What it would be told if what came of a call were lost.
const NOT_KEPT: &str = "What came back was not kept";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Workflow {
    Currency,
    Picture,
    /// An order that its server holds up until a form is filled in.
    PausedOrder,
    /// An order that we ask about.
    AskedOrder,
    /// The same as a task of a helper.
    GivenOrder,
}

impl Workflow {
    fn server(self) -> (&'static str, &'static str) {
        match self {
            Self::Currency => ("exchange", "lab-currency"),
            Self::Picture => ("everything", "lab-images"),
            Self::PausedOrder => ("harbour", "lab-shipping-pauses"),
            Self::AskedOrder | Self::GivenOrder => ("harbour", "lab-shipping"),
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::Currency => "Change 500 USD into INR, paid by platinum credit card.",
            Self::Picture => "Show me the tiny picture.",
            Self::PausedOrder | Self::AskedOrder | Self::GivenOrder => {
                "Ship 10 containers to Rotterdam."
            }
        }
    }

    /// What the model does. It repeats nothing of which it is told that it was carried out, or that
    /// nobody knows, unless it only reads.
    fn model(self, request: &Value) -> Step {
        if [UNKNOWN, LOOK_FIRST, CUT_LATE]
            .iter()
            .any(|what| tells(request, what))
        {
            return Step::says(LOOK_FIRST);
        }
        let (server, _) = self.server();
        let call = |tool: &str, arguments: Value| (format!("{server}__{tool}"), arguments);
        let order = json!({"num_containers": 10, "destination": "Rotterdam"});
        let rupees = json!({"base_currency": "USD", "target_currency": "INR"});
        let calls = match self {
            Self::Currency => vec![
                (
                    "fee_percentage\":0.02",
                    call(
                        "get_fee_for_payment_method",
                        json!({"method": "platinum credit card"}),
                    ),
                ),
                ("rate\":83.58", call("get_exchange_rate", rupees)),
            ],
            Self::Picture => vec![("This is the picture:", call("get-tiny-image", json!({})))],
            Self::GivenOrder if !is_clerks(request) => {
                let task = json!({"task": self.says()});
                vec![("ORD-10-HUMAN", ("ask_clerk".to_owned(), task))]
            }
            Self::PausedOrder | Self::AskedOrder | Self::GivenOrder => {
                vec![("ORD-10-HUMAN", call("place_shipping_order", order))]
            }
        };
        let missing: Vec<_> = calls
            .into_iter()
            .filter(|(result, _)| !tells(request, result))
            .map(|(_, call)| call)
            .collect();
        match missing.is_empty() {
            true => Step::says(self.end()),
            false => Step::wants(missing),
        }
    }

    /// The last words of the model where nothing was lost on the way.
    fn end(self) -> &'static str {
        match self {
            Self::Currency => "40,954.20 INR.",
            Self::Picture => "One point.",
            Self::PausedOrder | Self::AskedOrder | Self::GivenOrder => "It is ORD-10-HUMAN.",
        }
    }

    /// What the person says to a question.
    fn answer(question: &Question) -> Decision {
        match question.subject {
            Subject::Form { .. } => confirmed(true),
            _ => Decision::once(),
        }
    }

    /// How often each tool did what it is for.
    fn done(self, reached: &Reached) -> BTreeMap<String, usize> {
        let mut done = BTreeMap::new();
        for line in reached.lines() {
            let tool = match self {
                Self::Currency | Self::Picture => line,
                _ if line.starts_with("ORD-") => "place_shipping_order".to_owned(),
                _ => continue,
            };
            *done.entry(tool).or_default() += 1;
        }
        done
    }
}

/// Whether this is a request of the helper.
fn is_clerks(request: &Value) -> bool {
    request["system"].to_string().contains("You are the clerk.")
}

/// The conversations in which the tasks are done that were given in one of these items, each with
/// what came of it.
fn tasks(items: &[Value]) -> impl Iterator<Item = (ConversationId, &Value)> {
    let calls = items.iter().filter_map(|item| item["parts"].as_array());
    calls.flatten().filter_map(|part| {
        let id = part["task"]["conversation"].as_str()?;
        Some((ConversationId::from(id), &part["outcome"]))
    })
}

/// A folder on which a workflow is about to begin.
struct Prepared {
    workflow: Workflow,
    dir: Arc<TempDir>,
    talk: Talk,
    reached: Reached,
}

impl Prepared {
    async fn new(workflow: Workflow) -> Self {
        let test = TestHost::new().await;
        let (server, lab) = workflow.server();
        let reached = labs::add(&test, server, lab).await;
        if !matches!(workflow, Workflow::AskedOrder | Workflow::GivenOrder) {
            labs::allow(&test, server).await;
        }
        if workflow == Workflow::GivenOrder {
            let clerk = json!({"name": "Clerk", "description": "Ships things.",
                "instructions": "You are the clerk.", "is_helper": true});
            let saved = test.ask("save_assistant", json!({"settings": clerk}));
            saved.await.unwrap();
        }
        let talk = Talk::answering(&test, move |request| workflow.model(request)).await;
        Self {
            workflow,
            dir: test.end().await,
            talk,
            reached,
        }
    }
}

/// What was seen of a workflow before the program ended.
#[derive(Debug, Default)]
struct Seen {
    /// Whether it was acknowledged that the person has said it.
    was_said: bool,
    /// What was said, as it was shown last.
    items: Vec<Value>,
    /// The same of each task, by the conversation in which it is done.
    tasks: BTreeMap<ConversationId, Vec<Value>>,
    /// The questions of which it was acknowledged that the person has answered them.
    answered: Vec<QuestionId>,
}

/// A host in a process of its own that ends by itself after one of its writes.
struct Doomed {
    child: Child,
    notes: PathBuf,
    folder: TempDir,
}

impl Doomed {
    /// Starts it. Whether it comes to serve, its first line tells.
    fn start(dir: &Path, after: u64) -> (Self, bool) {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes");
        let program = programs().own.canonicalize().unwrap();
        let mut command = Terminal::on(dir).command(&["--json", "serve"]);
        let mut child = command
            .env("LD_PRELOAD", library())
            .env("SUDDEN_END_PROGRAM", program)
            .env("SUDDEN_END_FOLDER", dir.canonicalize().unwrap())
            .env("SUDDEN_END_AFTER", after.to_string())
            .env("SUDDEN_END_NOTES", &notes)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let serves = out.read_line(&mut line).unwrap() > 0;
        let doomed = Self {
            child,
            notes,
            folder,
        };
        (doomed, serves)
    }

    /// Has it end in order, unless it has ended, and waits for that. Says after which of its writes it
    /// has ended, and where that was; nothing if it was not ended by one.
    fn ended(mut self) -> Ended {
        use std::os::unix::process::ExitStatusExt as _;
        let pid = rustix::process::Pid::from_child(&self.child);
        // It may have ended by itself.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let status = self.child.wait().unwrap();
        let notes = std::fs::read_to_string(&self.notes).unwrap_or_default();
        drop(self.folder);
        Ended {
            was_killed: status.signal() == Some(9),
            writes: notes.lines().map(str::to_owned).collect(),
        }
    }
}

#[derive(Debug)]
struct Ended {
    was_killed: bool,
    writes: Vec<String>,
}

/// The library that ends a program, as it was built for this test.
fn library() -> PathBuf {
    let beside = programs().own.with_file_name("deps");
    let library = beside.join("libsudden_end.so");
    assert!(library.is_file(), "{} is missing", library.display());
    library
}

/// Has the workflow done on a host that may end at any moment, as far as it comes.
async fn live(prepared: &Prepared, seen: &mut Seen) -> Option<()> {
    let client = Client::find(prepared.dir.path()).await.ok()??;
    let token = client.terminal_token()?.to_owned();
    let conversation: ConversationId =
        serde_json::from_value(prepared.talk.conversation.clone()).unwrap();
    let say = SayInConversation {
        conversation: conversation.clone(),
        text: prepared.workflow.says().to_owned(),
        attachments: Vec::new(),
        model: None,
    };
    client.ask(say, Some(&token)).await.ok()?;
    seen.was_said = true;
    loop {
        let page = client.ask(whole(&conversation), None).await.ok()?;
        seen.items = values(&page);
        for (task, _) in tasks(&seen.items) {
            // It may not have begun.
            if let Ok(page) = client.ask(whole(&task), None).await {
                seen.tasks.insert(task, values(&page));
            }
        }
        if matches!(page.conversation.state, ConversationState::Idle) {
            return Some(());
        }
        for question in client.ask(ListQuestions {}, None).await.ok()? {
            let answer = AnswerQuestion {
                answer: Workflow::answer(&question),
                question: question.id,
            };
            let id = answer.question.clone();
            // It may be answered already, and is still listed.
            if client.ask(answer, Some(&token)).await.is_ok() {
                seen.answered.push(id);
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Reads all of a conversation.
fn whole(conversation: &ConversationId) -> ReadConversation {
    ReadConversation {
        conversation: conversation.clone(),
        before: None,
        limit: 200,
    }
}

fn values(page: &ConversationPage) -> Vec<Value> {
    let items = page.items.iter();
    items
        .map(|item| serde_json::to_value(item).unwrap())
        .collect()
}

/// Goes on in the next run as a person does, until the workflow is at its end.
async fn finish(prepared: &Prepared, test: &TestHost, seen: &Seen) -> Value {
    let talk = &prepared.talk;
    let mut gone_on = 0;
    loop {
        let page = talk.read(test).await;
        let is_idle = page["conversation"]["state"]["kind"] == "idle";
        match page["ended"].as_str() {
            Some("done") if is_idle => return page,
            Some(_) if is_idle => {
                gone_on += 1;
                assert!(gone_on <= MOST_GO_ON, "it is cut again and again: {page}");
                talk.with(test, "go_on").await;
            }
            None if is_idle && page["items"] == json!([]) => {
                assert!(!seen.was_said, "what was said is lost");
                talk.say(test, prepared.workflow.says()).await;
            }
            _ => {}
        }
        for question in test.host.waiting() {
            let is_anew = !seen.answered.contains(&question.id);
            assert!(is_anew, "what was answered is asked again: {question:?}");
            let decision = Workflow::answer(&question);
            // It may have been answered in this moment.
            let _ = test.host.answer(&question.id, decision, TERMINAL).await;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Runs a workflow on a host that ends after so many writes, goes on in the next run, and checks what
/// has become of it.
async fn end_after(workflow: Workflow, after: u64) -> (Ended, &'static str) {
    let prepared = Prepared::new(workflow).await;
    let (doomed, serves) = Doomed::start(prepared.dir.path(), after);
    let mut seen = Seen::default();
    if serves {
        let lives = tokio::time::timeout(WAIT_TIMEOUT, live(&prepared, &mut seen));
        lives.await.expect("it neither goes on nor ends");
    }
    let ended = doomed.ended();
    let place = format!("{workflow:?} after {:?}", ended.writes.last());
    let test = TestHost::on(prepared.dir.clone()).await;
    let finished = tokio::time::timeout(WAIT_TIMEOUT, finish(&prepared, &test, &seen)).await;
    let page = match finished {
        Ok(page) => page,
        Err(_) => panic!(
            "{place}: it does not come to its end: {}",
            prepared.talk.read(&test).await
        ),
    };
    let items = page["items"].as_array().unwrap();
    let mut done = BTreeMap::new();
    for (task, outcome) in tasks(items) {
        let read = serde_json::to_value(whole(&task)).unwrap();
        let items = match test.ask("read_conversation", read).await {
            Ok(page) => page["items"].as_array().unwrap().clone(),
            Err(error) if error.code == ErrorCode::UnknownConversation => Vec::new(),
            Err(error) => panic!("{place}: {error:?}"),
        };
        // What has begun is found again, whatever came of it.
        let is_found = items.is_empty() || outcome["kind"] == "helped";
        assert!(is_found, "{place}: a task was left: {page}");
        done.insert(task, items);
    }
    let end = check(&prepared, &seen, &page, &done, &place);
    let waiting = test.host.waiting();
    assert!(waiting.is_empty(), "{place}: {waiting:?}");
    // And again: nothing is left that could be done.
    let before = prepared.reached.lines();
    let test = test.again().await;
    let again = prepared.talk.read(&test).await;
    assert_eq!(words(&again), words(&page), "{place}");
    test.end().await;
    assert_eq!(prepared.reached.lines(), before, "{place}");
    (ended, end)
}

/// Checks what has become of a workflow, and returns the last words of the model.
fn check(
    prepared: &Prepared,
    seen: &Seen,
    page: &Value,
    tasks: &BTreeMap<ConversationId, Vec<Value>>,
    place: &str,
) -> &'static str {
    let workflow = prepared.workflow;
    let items = page["items"].as_array().unwrap();
    let said = items
        .iter()
        .filter(|item| item["text"] == workflow.says())
        .count();
    assert_eq!(said, 1, "{place}: {seen:?} {page}");
    assert_eq!(items[0]["text"], workflow.says(), "{place}: {page}");
    are_kept(&seen.items, items, place);
    for (task, before) in &seen.tasks {
        let now = tasks.get(task);
        let now = now.unwrap_or_else(|| panic!("{place}: {task} is lost: {page}"));
        are_kept(before, now, place);
    }
    let mut outcomes: BTreeMap<(String, String), usize> = BTreeMap::new();
    let all = items.iter().chain(tasks.values().flatten());
    let parts = all.filter_map(|item| item["parts"].as_array());
    for part in parts.flatten().filter(|part| part["kind"] == "call") {
        let words = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        let outcome = (words(&part["tool"]), words(&part["outcome"]["kind"]));
        *outcomes.entry(outcome).or_default() += 1;
    }
    let count = |tool: &str, outcome: &str| {
        let key = (tool.to_owned(), outcome.to_owned());
        outcomes.get(&key).copied().unwrap_or_default()
    };
    let done = workflow.done(&prepared.reached);
    let tools = outcomes.keys().map(|(tool, _)| tool);
    for tool in tools.chain(done.keys()) {
        let done = done.get(tool).copied().unwrap_or_default();
        let (answered, unknown) = (count(tool, "answered"), count(tool, "unknown"));
        // What the model was told not to have been carried out was not.
        let can_be = answered..=answered + unknown;
        assert!(
            can_be.contains(&done),
            "{place}: {tool} {done} times: {page}"
        );
        if tool == "place_shipping_order" {
            assert!(done <= 1, "{place}: ordered {done} times: {page}");
        }
    }
    let last = words(page).pop().unwrap();
    let is_unknown = outcomes.keys().any(|(_, outcome)| outcome == "unknown")
        || page.to_string().contains(CUT_LATE);
    let is_lost = format!("{page} {tasks:?}").contains(NOT_KEPT);
    assert!(!is_lost, "{place}: what came of a call is lost: {page}");
    let end = match is_unknown {
        true => LOOK_FIRST,
        false => workflow.end(),
    };
    assert_eq!(last, format!("model: {end}"), "{place}: {page}");
    end
}

fn are_kept(before: &[Value], now: &[Value], place: &str) {
    for (at, before) in before.iter().enumerate() {
        let now = now.get(at).unwrap_or(&Value::Null);
        assert!(is_kept(before, now), "{place}: {before} became {now}");
    }
}

/// Whether something that was shown is still there, and a call that had ended has ended like that.
fn is_kept(before: &Value, now: &Value) -> bool {
    let parts = |item: &Value| item["parts"].as_array().cloned().unwrap_or_default();
    let (old, new) = (parts(before), parts(now));
    let same =
        |(old, new): (&Value, &Value)| match old["kind"] == "call" && old["outcome"].is_null() {
            true => ["name", "arguments", "call"]
                .iter()
                .all(|key| old[*key] == new[*key]),
            false => old == new,
        };
    before["kind"] == now["kind"]
        && before["text"] == now["text"]
        && old.len() == new.len()
        && old.iter().zip(&new).all(same)
}

/// Ends the program after some of the writes of a workflow, or after each.
async fn sweep(workflow: Workflow) {
    let (whole, _) = end_after(workflow, 0).await;
    assert!(!whole.was_killed);
    let count = u64::try_from(whole.writes.len()).unwrap();
    assert!(count > SAMPLE, "nothing was counted: {whole:?}");
    let all = std::env::var("MAJORDOMO_SWEEP").is_ok_and(|which| which == "all");
    let step = if all { 1 } else { count / SAMPLE };
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    // In another run there may be some writes more or less than were counted.
    for after in (1..).map(|number| number * step) {
        let (ended, end) = end_after(workflow, after).await;
        if ended.was_killed {
            *ends.entry(end).or_default() += 1;
        }
        if after >= count && !(all && ended.was_killed) {
            break;
        }
    }
    let kills: u64 = ends.values().sum();
    assert!(kills >= SAMPLE / 2, "{kills} sudden ends of {count} writes");
    if all {
        let line = format!("{workflow:?}: {count} writes, {kills} sudden ends: {ends:?}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_is_changed_whenever_the_program_ends() {
    sweep(Workflow::Currency).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_shown_whenever_the_program_ends() {
    sweep(Workflow::Picture).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_its_server_holds_up_is_made_once_at_most_whenever_the_program_ends() {
    sweep(Workflow::PausedOrder).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_asked_about_is_made_once_at_most_whenever_the_program_ends() {
    sweep(Workflow::AskedOrder).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_a_helper_makes_is_made_once_at_most_whenever_the_program_ends() {
    sweep(Workflow::GivenOrder).await;
}
