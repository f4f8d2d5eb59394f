//! Somebody who answers every question: yes for ever to the honest servers, to the hostile ones yes
//! and no in turns.

use crate::program::{Program, ask};
use api::{AnswerQuestion, ListQuestions};
use policy::{Decision, Question};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often they look.
const LOOK: Duration = Duration::from_millis(200);

/// Somebody at work. They leave when this is dropped.
pub struct Person(JoinHandle<()>);

impl Drop for Person {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Somebody sits down to answer.
pub fn sits_down(program: &Program) -> Person {
    let (client, token) = (program.client(), program.approver_token().to_owned());
    Person(tokio::spawn(async move {
        let mut answered = 0;
        loop {
            // A question may be over before its answer, and a host that cannot be reached has
            // nothing to ask: both are found by others.
            for question in ask(&client, &token, ListQuestions {})
                .await
                .unwrap_or_default()
            {
                answered += 1;
                let answer = decide(&question, answered);
                let question = question.id;
                let _ = ask(&client, &token, AnswerQuestion { question, answer }).await;
            }
            tokio::time::sleep(LOOK).await;
        }
    }))
}

fn decide(question: &Question, answered: u32) -> Decision {
    let honest = question
        .server
        .as_ref()
        .is_some_and(|server| server.as_str().starts_with("honest"));
    match (honest, answered % 2) {
        (true, _) => Decision::always(),
        (false, 0) => Decision::once(),
        (false, _) => Decision::no(None),
    }
}
