//! A model that somebody has is tried with the workflows of courses on agents, through the real host:
//! what it does not manage is told, and only what the host does wrong is a failure.
//!
//! With `MAJORDOMO_TRY_MODEL`, the address of a service, its model is tried as well, three times with
//! each workflow, and the report is printed; `cargo xtask try-model` does so.

use crate::support::labs::currency::{EXCHANGES, IMPOSSIBLE, calculator, is_calculators};
use crate::support::labs::{images, shipping, tells};
use crate::support::trial::{Candidate, Report, try_with_all};
use serde_json::Value;
use test_servers::model::{Model, Step};

type Agent = Box<dyn FnMut(&Value) -> Step + Send>;

/// A model that does all of it right.
fn able() -> impl FnMut(&Value) -> Step + Send + 'static {
    let mut agents: Vec<(&str, Agent)> = Vec::new();
    let exchanges = EXCHANGES
        .iter()
        .chain(IMPOSSIBLE.iter().map(|(one, _)| one));
    for exchange in exchanges {
        agents.push((exchange.says, Box::new(exchange.agent_with_calculator())));
    }
    for (containers, destination) in [(3, "Singapore"), (10, "Rotterdam"), (8, "Los Angeles")] {
        let agent = shipping::agent(containers, destination);
        agents.push((destination, Box::new(agent)));
    }
    agents.push((
        "tiny picture",
        Box::new(|request| match tells(request, "This is the picture:") {
            true => Step::says("Here it is."),
            false => images::wants_picture(),
        }),
    ));
    move |request| {
        if is_calculators(request) {
            return calculator(request);
        }
        let agent = agents.iter_mut().find(|(says, _)| tells(request, says));
        agent.map_or_else(|| Step::says("What?"), |(_, agent)| agent(request))
    }
}

async fn tried(answers: impl FnMut(&Value) -> Step + Send + 'static) -> Report {
    let model = Model::start_answering(answers).await.unwrap();
    let candidate = Candidate {
        name: Some("wise-1".to_owned()),
        ..Candidate::at(&model.address(), "anthropic")
    };
    try_with_all(&candidate).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_does_every_workflow_right_is_told_to_do_so() {
    let report = tried(able()).await;
    assert_eq!(report.met(), (10, 10), "{report}");
    assert_eq!(report.faults(), [""; 0], "{report}");
    assert!(
        report
            .rows
            .iter()
            .all(|row| row.read > 0 && row.written > 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn that_a_model_calls_nothing_is_told_in_its_words_and_is_no_fault_of_the_host() {
    let report = tried(|_| Step::says("As a model of language I cannot.")).await;
    assert_eq!(report.met(), (0, 10), "{report}");
    assert_eq!(report.faults(), [""; 0], "{report}");
    let text = report.to_string();
    for part in [
        "0 of 10 tasks came out as expected.",
        "missing: exchange__get_fee_for_payment_method; exchange__get_exchange_rate; ask_calculationagent; 40954.2",
        "it said: As a model of language I cannot.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn that_a_service_refuses_is_told_in_its_words_and_is_no_fault_of_the_host() {
    let refuses = Step::Status {
        status: 400,
        retry_after: None,
        message: "tools are not supported".to_owned(),
    };
    let report = tried(move |_| refuses.clone()).await;
    assert_eq!((report.met(), report.faults().len()), ((0, 10), 0));
    assert!(report.to_string().contains("tools are not supported"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_that_somebody_names_is_tried_and_only_what_the_host_does_wrong_fails() {
    let stub = Model::start_answering(able()).await.unwrap();
    // Where nobody names one it is the stub, by the words that most speak.
    let candidate = Candidate::of_environment().unwrap_or_else(|| Candidate {
        name: Some("wise-1".to_owned()),
        ..Candidate::at(&stub.address(), "chat")
    });
    let report = try_with_all(&candidate).await;
    println!("\n{}\n{report}", candidate.url);
    let faults = report.faults();
    assert!(faults.is_empty(), "the host did wrong: {faults:#?}");
}
