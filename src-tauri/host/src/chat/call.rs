//! A call that a model wants, made as everybody's are.

use super::{caller, outcome};
use agent::{CallOrder, NotRun, Outcome, Unknown};
use calls::Calls;
use calls::call_tool::call_tool;
use protocol::{ConversationId, ToolCall, WorkspaceId};
use tokio_util::sync::CancellationToken;

/// Makes a call in a conversation, in the name of the chat or of an assistant, and waits for its end.
/// `None` if the application ends before: the next run finds
/// out what became of it.
pub(super) async fn make(
    calls: &Calls,
    (conversation, name): (ConversationId, Option<String>),
    workspace: WorkspaceId,
    order: CallOrder,
    stop: CancellationToken,
) -> Option<Outcome> {
    if calls.workspace() != workspace {
        return Some(Outcome::Refused {
            why: "this conversation works in another workspace than the one in use".to_owned(),
        });
    }
    let caller = match caller(name.as_deref()) {
        Ok(caller) => caller,
        Err(problem) => return Some(unavailable(problem.to_string())),
    };
    match calls.store().audit().is_taken(&order.id).await {
        Ok(false) => {}
        // Its number is that of its place in the conversation: it was made before.
        Ok(true) => return Some(unknown()),
        Err(problem) => return Some(unavailable(problem.to_string())),
    }
    let call = ToolCall {
        id: order.id,
        caller,
        conversation,
        by_hand: false,
        server: order.tool.server,
        tool: order.tool.tool,
        arguments: order.arguments,
    };
    let (id, arguments) = (call.id.clone(), call.arguments.clone());
    let made = {
        let calls = calls.clone();
        tokio::spawn(async move { call_tool(&calls, call, stop).await })
    };
    match made.await {
        Ok(result) => outcome::of(calls, &id, &arguments, result).await,
        // What it did until then is not known.
        Err(_) => Some(unknown()),
    }
}

fn unavailable(problem: String) -> Outcome {
    Outcome::NotRun {
        why: NotRun::Unavailable { problem },
    }
}

fn unknown() -> Outcome {
    Outcome::Unknown {
        why: Unknown::ApplicationEnded,
    }
}
