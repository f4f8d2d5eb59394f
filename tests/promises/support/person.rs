//! A person who answers as a test says.

use super::TERMINAL;
use host::Host;
use host::api::HostEvent;
use policy::{Decision, Question};
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;

/// Answers questions as they come, and remembers what was asked.
pub struct Person {
    asked: Arc<Mutex<Vec<Question>>>,
    task: JoinHandle<()>,
}

impl Person {
    /// Gives these answers, one to each question, and then falls silent.
    pub fn new(host: Host, answers: impl IntoIterator<Item = Decision>) -> Self {
        let mut answers = answers.into_iter().collect::<Vec<_>>().into_iter();
        Self::who(host, move |_| answers.next())
    }

    /// Answers each question by what it is about, or leaves it open.
    pub fn who(
        host: Host,
        mut answer: impl FnMut(&Question) -> Option<Decision> + Send + 'static,
    ) -> Self {
        let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
        let heard = asked.clone();
        let mut events = host.follow();
        let task = tokio::spawn(async move {
            while let Ok(event) = events.next().await {
                let HostEvent::QuestionAsked { question } = &event.event else {
                    continue;
                };
                heard.lock().unwrap().push((**question).clone());
                if let Some(answer) = answer(question) {
                    host.answer(&question.id, answer, TERMINAL).await.unwrap();
                }
            }
        });
        Self { asked, task }
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<Question> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.task.abort();
    }
}
