//! Makes a host ready: a server that is reviewed, switched on and approved, and tools that may be
//! called with any arguments.

use crate::Failure;
use crate::call::{Call, SERVER};
use api::{
    AddClient, AddServer, AnswerQuestion, CallTool, DecideOffers, EnableServer, FeatureDecision,
    FeaturesReview, HostError, ListQuestions, ListTools, ReviewOffers, ReviewServer,
};
use policy::Decision;
use protocol::{CallerId, ServerId};
use serde_json::{Value, json};
use std::future::Future;
use std::path::Path;
use std::time::Duration;

/// How often is looked for a question.
const LOOK: Duration = Duration::from_millis(5);

/// A host that does what a person asks for.
pub trait Asks {
    /// Asks it.
    fn ask<R: api::Request>(
        &self,
        request: R,
    ) -> impl Future<Output = Result<R::Reply, HostError>> + Send;
}

/// Adds the server of the load, and allows its tools always.
pub async fn ready(host: &impl Asks, program: &Path) -> Result<(), Failure> {
    let server = add(host, SERVER, program, &[]).await?;
    approve(host, &server).await?;
    for bytes in [None, Some(64)] {
        let call = Call { number: 0, bytes };
        allow(host, &server, call).await?;
    }
    Ok(())
}

/// Adds a server, as somebody who has read its review.
pub async fn add(
    host: &impl Asks,
    name: &str,
    program: &Path,
    args: &[&str],
) -> Result<ServerId, Failure> {
    let target = json!({"kind": "stdio", "command": program, "args": args});
    let draft = serde_json::from_value(json!({"name": name, "target": target}))?;
    let server = host.ask(AddServer { draft }).await?.id;
    let review = ReviewServer {
        server: server.clone(),
    };
    let reviewed = Some(host.ask(review).await?.fingerprint);
    host.ask(EnableServer {
        server: server.clone(),
        reviewed,
    })
    .await?;
    Ok(server)
}

/// Waits until a server has said what it offers, and approves all of it.
pub async fn approve(host: &impl Asks, server: &ServerId) -> Result<(), Failure> {
    let listed = ListTools {
        server: server.clone(),
    };
    host.ask(listed).await?;
    let review = host
        .ask(ReviewOffers {
            server: server.clone(),
        })
        .await?;
    let decisions = DecideOffers {
        server: server.clone(),
        decisions: yes_to_all(&review)?,
    };
    host.ask(decisions).await?;
    Ok(())
}

/// Approves all that is offered, as it is.
pub fn yes_to_all(review: &FeaturesReview) -> Result<Vec<FeatureDecision>, Failure> {
    let yes = review.offers.iter().map(
        |offer| json!({"key": offer.key, "fingerprint": offer.fingerprint, "decision": "approve"}),
    );
    Ok(serde_json::from_value(Value::Array(yes.collect()))?)
}

/// Makes a call, and answers the question about it with "always".
pub async fn allow(host: &impl Asks, server: &ServerId, call: Call) -> Result<(), Failure> {
    let first = host.ask(CallTool {
        call: None,
        server: server.clone(),
        tool: call.tool().into(),
        arguments: call.arguments(),
    });
    tokio::try_join!(first, say_always(host))?;
    Ok(())
}

/// Waits for a question, and answers it with "always".
pub async fn say_always(host: &impl Asks) -> Result<(), HostError> {
    loop {
        if let Some(question) = host.ask(ListQuestions {}).await?.first() {
            let answer = AnswerQuestion {
                question: question.id.clone(),
                answer: Decision::always(),
            };
            return host.ask(answer).await;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Lets another application come in; its id.
pub async fn let_in(host: &impl Asks) -> Result<CallerId, Failure> {
    let name = "Load".to_owned();
    Ok(host.ask(AddClient { name }).await?.id)
}
