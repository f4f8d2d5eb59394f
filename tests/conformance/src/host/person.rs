//! Somebody at the terminal: allows what the application wants to send and the rule that says so,
//! and lets its model be used. Whatever else a server asks back is the application's to answer, and
//! left to it.

use host::api::HostEvent;
use host::{Approver, Host};
use policy::{Decision, Subject};

/// Sits down, and stays as long as the program runs.
pub fn sits_down(host: &Host) {
    let (host, mut events) = (host.clone(), host.follow_without_rows());
    tokio::spawn(async move {
        while let Ok(event) = events.next().await {
            let HostEvent::QuestionAsked { question } = &event.event else {
                continue;
            };
            let answer = match &question.subject {
                Subject::Rule { .. } => Decision::ChangeRule,
                Subject::Request { .. } => Decision::once(),
                Subject::Sample { .. } => Decision::UseModel { params: None },
                Subject::SampleReply { .. } => Decision::SendReply { reply: None },
                _ => continue,
            };
            // It may be over by now.
            let _ = host.answer(&question.id, answer, Approver::Terminal).await;
        }
    });
}
