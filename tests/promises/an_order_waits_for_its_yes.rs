//! A large order waits for a person, beyond the end of the application: a yes is one order, a no is
//! none, and what nobody knows is not done again. Whether its server pauses or we ask makes no
//! difference.

use crate::support::killable::Killable;
use crate::support::labs::shipping::{LOOK_FIRST, TOOL, agent, placed};
use crate::support::labs::{self, Reached, confirmed, tells};
use crate::support::talk::{Talk, words};
use crate::support::terminal::eventually;
use crate::support::{Choices, TERMINAL, TestHost, code};
use host::api::ErrorCode;
use host::{Clock, KeyringChoice};
use policy::{Allowed, ArgumentScope, Decision, Lasting, LimitChoice, Question, Subject};
use protocol::RunId;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use store::{OpenOptions, Store};

/// What is said.
const ROTTERDAM: &str = "Ship 10 containers to Rotterdam.";

/// Who makes a large order wait.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pause {
    /// The server, which wants a form filled in before it goes on.
    Servers,
    /// We do: up to five containers are allowed, and no more.
    Ours,
}

const BOTH: [Pause; 2] = [Pause::Servers, Pause::Ours];

impl Pause {
    /// A host with the server of orders.
    async fn host(self, choices: Choices) -> (TestHost, Reached) {
        let test = TestHost::with(choices).await;
        let lab = match self {
            Self::Servers => "lab-shipping-pauses",
            Self::Ours => "lab-shipping",
        };
        let reached = labs::add(&test, "harbour", lab).await;
        match self {
            Self::Servers => labs::allow(&test, "harbour").await,
            Self::Ours => allow_up_to_five(&test).await,
        }
        reached.forget();
        (test, reached)
    }

    fn answer(self, yes: bool) -> Decision {
        match (self, yes) {
            (Self::Servers, yes) => confirmed(yes),
            (Self::Ours, true) => Decision::once(),
            (Self::Ours, false) => Decision::no(None),
        }
    }

    /// What the model is told of a no to the order to Los Angeles.
    fn told_of_no(self) -> &'static str {
        match self {
            Self::Servers => "❌ 订单已拒绝: 8 个集装箱发往 Los Angeles",
            Self::Ours => "The person did not allow this call. It was not carried out.",
        }
    }

    /// That this is the question about an order.
    fn is_about(self, question: &Value, containers: u64, destination: &str) {
        match self {
            Self::Servers => assert_eq!(
                question["subject"]["form"]["message"],
                format!("⚠️ 大订单: {containers} 个集装箱发往 {destination}。是否批准?")
            ),
            Self::Ours => assert_eq!(
                question["subject"]["arguments"],
                json!({"num_containers": containers, "destination": destination})
            ),
        }
    }
}

/// An answer to the question about a first order lets up to five containers go anywhere.
async fn allow_up_to_five(test: &TestHost) {
    let limit = |argument: &str, allowed| LimitChoice {
        argument: argument.to_owned(),
        allowed: Some(allowed),
    };
    let limits = vec![
        limit("num_containers", Allowed::AtMost { number: 5.0 }),
        limit("destination", Allowed::Anything),
    ];
    let cover = ArgumentScope::Within { limits };
    let talk = Talk::answering(test, agent(1, "Oslo")).await;
    let _person = test.person([Decision::remembered(Lasting::Workspace, cover)]);
    let page = talk.say_and_wait(test, "Ship 1 container to Oslo.").await;
    assert_eq!(words(&page)[1], format!("call: {TOOL} answered"));
}

fn value(question: &Question) -> Value {
    serde_json::to_value(question).unwrap()
}

/// A question as it is shown, but for whether the one who asked is still there.
fn shown(question: &Value) -> Value {
    let mut subject = question["subject"].clone();
    subject.as_object_mut().unwrap().remove("left_over");
    subject
}

/// What is shown of a call of which nobody knows, and what the model makes of that.
fn looked_for_first() -> [String; 2] {
    [
        format!("call: {TOOL} unknown"),
        format!("model: {LOOK_FIRST}"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn up_to_five_containers_are_ordered_at_once_and_more_wait_for_a_person() {
    for pause in BOTH {
        let (test, reached) = pause.host(Choices::default()).await;
        for (containers, destination) in [(3, "Singapore"), (5, "Hamburg")] {
            let talk = Talk::answering(&test, agent(containers, destination)).await;
            let says = format!("Ship {containers} containers to {destination}.");
            let page = talk.say_and_wait(&test, &says).await;
            let model = placed(containers, destination);
            assert_eq!(
                words(&page)[1..],
                [format!("call: {TOOL} answered"), format!("model: {model}")],
                "{pause:?}"
            );
            let request = &talk.requests()[1];
            let told = json!({"status": "auto_approved", "message": model}).to_string();
            assert!(tells(request, &told), "{pause:?}: {request}");
        }
        for (containers, destination, yes) in [
            (6, "Hamburg", true),
            (10, "Rotterdam", true),
            (8, "Los Angeles", false),
        ] {
            let talk = Talk::answering(&test, agent(containers, destination)).await;
            let before = reached.orders();
            let says = format!("Ship {containers} containers to {destination}.");
            let mut recorder = test.listen();
            talk.say(&test, &says).await;
            let question = labs::question(&test).await;
            pause.is_about(&value(&question), containers, destination);
            assert_eq!(reached.orders(), before, "nobody has said yes");
            labs::answer(&test, &question, pause.answer(yes)).await;
            talk.until(&mut recorder, &["idle"]).await;
            let said = words(&talk.read(&test).await);
            let request = &talk.requests()[1];
            if yes {
                let model = placed(containers, destination);
                assert_eq!(*said.last().unwrap(), format!("model: {model}"));
                let told = json!({"status": "approved", "message": model}).to_string();
                assert!(tells(request, &told), "{pause:?}: {request}");
            } else {
                assert!(tells(request, pause.told_of_no()), "{pause:?}: {request}");
                assert_eq!(reached.orders(), before, "a no is no order");
            }
        }
        let orders = ["ORD-3-AUTO", "ORD-5-AUTO", "ORD-6-HUMAN", "ORD-10-HUMAN"];
        assert_eq!(reached.orders(), orders, "{pause:?}");
    }
}

/// An order to Rotterdam that waits when the application is killed: the next run, in which the same
/// question waits.
async fn killed_while_it_waits(pause: Pause) -> (TestHost, Talk, Reached, Question) {
    let (test, reached) = pause.host(Choices::default()).await;
    let talk = Talk::answering(&test, agent(10, "Rotterdam")).await;
    let killable = Killable::say(test, talk, ROTTERDAM).await;
    let before = killable.terminal().question();
    pause.is_about(&before, 10, "Rotterdam");
    let (test, talk) = killable.killed().await;
    let question = labs::question(&test).await;
    assert_eq!(shown(&value(&question)), shown(&before), "{pause:?}");
    assert_eq!(reached.orders(), [""; 0]);
    (test, talk, reached, question)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_large_order_waits_its_yes_is_one_order_and_the_turn_goes_on() {
    for pause in BOTH {
        let (test, talk, reached, question) = killed_while_it_waits(pause).await;
        labs::answer(&test, &question, pause.answer(true)).await;
        let page = talk.read_once_it_is(&test, "idle").await;
        assert_eq!(
            words(&page),
            [
                format!("person: {ROTTERDAM}"),
                format!("call: {TOOL} answered"),
                format!("model: {}", placed(10, "Rotterdam")),
            ],
            "{pause:?}"
        );
        assert_eq!(reached.orders(), ["ORD-10-HUMAN"], "{pause:?}");
        // What a server does before it pauses it does again when it goes on.
        let begun = if pause == Pause::Servers { 2 } else { 1 };
        assert_eq!(reached.begun(), begun, "{pause:?}");
        let test = test.again().await;
        assert_eq!(test.host.waiting().len(), 0, "{pause:?}");
        assert_eq!(reached.orders(), ["ORD-10-HUMAN"], "{pause:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_large_order_waits_its_no_is_no_order() {
    for pause in BOTH {
        let (test, talk, reached, question) = killed_while_it_waits(pause).await;
        labs::answer(&test, &question, pause.answer(false)).await;
        let page = talk.read_once_it_is(&test, "idle").await;
        let last = match pause {
            Pause::Servers => "model: ❌ 订单已拒绝: 10 个集装箱发往 Rotterdam",
            Pause::Ours => "model: It was not ordered.",
        };
        assert_eq!(words(&page)[2], last, "{pause:?}");
        assert_eq!(reached.orders(), [""; 0], "{pause:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_yes_and_before_anything_was_sent_it_is_ordered_once() {
    let (test, reached) = Pause::Ours.host(Choices::default()).await;
    let talk = Talk::answering(&test, agent(10, "Rotterdam")).await;
    let killable = Killable::say(test, talk, ROTTERDAM).await;
    let question: Question = serde_json::from_value(killable.terminal().question()).unwrap();
    let (dir, talk) = killable.kill();
    let options = OpenOptions {
        dir: dir.path().to_owned(),
        keyring: KeyringChoice::System,
        run: RunId::random(),
        version: "test".into(),
        now: question.asked_at,
    };
    let store = Store::open(options).await.unwrap();
    let rows = store.waiting();
    let (yes, now) = (Decision::once(), question.asked_at);
    assert!(rows.answered(&question.id, &yes, now).await.unwrap());
    store.close().await;
    drop(store);
    let test = TestHost::on(dir).await;
    let page = talk.read_once_it_is(&test, "idle").await;
    let last = format!("model: {}", placed(10, "Rotterdam"));
    assert_eq!(*words(&page).last().unwrap(), last);
    assert_eq!(reached.orders(), ["ORD-10-HUMAN"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_sending_and_the_answer_nobody_knows_and_it_is_not_ordered_again() {
    let test = TestHost::new().await;
    let reached = labs::add(&test, "harbour", "lab-shipping-silent").await;
    labs::allow(&test, "harbour").await;
    let talk = Talk::answering(&test, agent(10, "Rotterdam")).await;
    let killable = Killable::say(test, talk, ROTTERDAM).await;
    eventually("it was not ordered", || {
        (!reached.orders().is_empty()).then_some(())
    });
    let (test, talk) = killable.killed().await;
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(words(&page)[1..], looked_for_first());
    let told = "Nobody knows whether this was carried out: the application ended while it ran. Do not repeat it without asking the person.";
    assert!(tells(&talk.requests()[1], told));
    assert_eq!(reached.orders(), ["ORD-10-HUMAN"]);
    assert_eq!(reached.begun(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_after_a_day_and_an_hour_is_none_and_nothing_is_ordered() {
    for pause in BOTH {
        let time = Arc::new(AtomicI64::new(1_795_000_000_000));
        let choices = || Choices {
            clock: Clock::Fixed(time.clone()),
            ..Choices::default()
        };
        let (test, reached) = pause.host(choices()).await;
        let talk = Talk::answering(&test, agent(10, "Rotterdam")).await;
        talk.say(&test, ROTTERDAM).await;
        let question = labs::question(&test).await;
        let dir = test.end().await;
        time.fetch_add(25 * 60 * 60 * 1_000, Ordering::Relaxed);
        let test = TestHost::on_with(dir, choices()).await;
        let page = talk.read_once_it_is(&test, "idle").await;
        let answered = test.host.answer(&question.id, pause.answer(true), TERMINAL);
        assert_eq!(
            code(answered.await),
            ErrorCode::UnknownQuestion,
            "{pause:?}"
        );
        assert_eq!(reached.orders(), [""; 0], "{pause:?}");
        let (outcome, said) = match pause {
            // It had been sent, and what its server did before it paused only the server knows.
            Pause::Servers => ("unknown", LOOK_FIRST),
            Pause::Ours => ("not_run", "It was not ordered."),
        };
        assert_eq!(
            words(&page)[1..],
            [format!("call: {TOOL} {outcome}"), format!("model: {said}")],
            "{pause:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_in_the_middle_of_a_call_cannot_go_on_after_a_restart_and_that_is_said()
{
    let test = TestHost::new().await;
    let reached = labs::add(&test, "harbour", "lab-shipping-asks").await;
    labs::allow(&test, "harbour").await;
    let talk = Talk::answering(&test, agent(10, "Rotterdam")).await;
    let killable = Killable::say(test, talk, ROTTERDAM).await;
    let before = killable.terminal().question();
    Pause::Servers.is_about(&before, 10, "Rotterdam");
    let (test, talk) = killable.killed().await;
    let page = talk.read_once_it_is(&test, "idle").await;
    assert_eq!(words(&page)[1..], looked_for_first());
    let told = "Nobody knows whether this was carried out: the application ended while it ran.";
    assert!(tells(&talk.requests()[1], told));
    assert_eq!(
        test.host.waiting(),
        [],
        "nobody is asked for what cannot go on"
    );
    assert_eq!(reached.orders(), [""; 0]);
    assert_eq!(reached.begun(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_server_that_asks_in_the_middle_of_a_call_runs_it_orders_after_a_yes_only() {
    for (containers, destination, yes) in [(10, "Rotterdam", true), (8, "Los Angeles", false)] {
        let test = TestHost::new().await;
        let reached = labs::add(&test, "harbour", "lab-shipping-asks").await;
        labs::allow(&test, "harbour").await;
        let talk = Talk::answering(&test, agent(containers, destination)).await;
        let mut recorder = test.listen();
        let says = format!("Ship {containers} containers to {destination}.");
        talk.say(&test, &says).await;
        let question = labs::question(&test).await;
        assert!(matches!(question.subject, Subject::Form { .. }));
        labs::answer(&test, &question, confirmed(yes)).await;
        talk.until(&mut recorder, &["idle"]).await;
        let said = words(&talk.read(&test).await);
        let expected = match yes {
            true => placed(containers, destination),
            false => Pause::Servers.told_of_no().to_owned(),
        };
        assert_eq!(*said.last().unwrap(), format!("model: {expected}"));
        assert_eq!(reached.orders().len(), usize::from(yes));
    }
}
