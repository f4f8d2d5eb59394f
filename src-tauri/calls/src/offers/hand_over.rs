//! What was read from a server, before whoever wanted it gets it: looked through like a result, and
//! the rules asked.

use crate::rules;
use api::{ErrorCode, HostError};
use inspect::{Finding, Masker, StreamMask};
use policy::ServerRequest;
use protocol::{Caller, Content, ServerId, ToolResult};
use servers::{Servers, error};

/// A text that is shorter than this, in bytes, is looked through at once; going to another thread
/// would take longer.
const SHORT: usize = 16 * 1024;
/// How much is looked through at a time, in bytes: of more, not all that is found is told.
const PIECE: usize = 512 * 1024;
/// How much of a piece is looked at again with the next one, so that nothing hides where they meet.
const OVERLAP: usize = 1024;

/// The answer to a request, if the rules let it be handed over.
pub(super) async fn hand_over<R: ServerRequest>(
    servers: &Servers,
    caller: &Caller,
    server: &ServerId,
    request: &R,
    answer: ToolResult,
) -> Result<ToolResult, HostError> {
    let (text, masker) = (
        answer.as_whole_text().into_owned(),
        servers.secrets().masker(),
    );
    let findings = if text.len() < SHORT {
        look(&text, &masker)
    } else {
        let looking = tokio::task::spawn_blocking(move || look(&text, &masker));
        looking.await.map_err(|problem| {
            error::host(
                ErrorCode::Internal,
                format!("what was read could not be looked through: {problem}"),
            )
        })?
    };
    let ruling = rules::on_reply(servers, caller, server, request, &findings).await;
    match ruling.refusal() {
        Some(refusal) => Err(error::withheld(refusal)),
        None => Ok(answer),
    }
}

fn look(text: &str, masker: &Masker) -> Vec<Finding> {
    let (mut findings, mut at) = (Vec::new(), 0);
    loop {
        let end = text.floor_char_boundary(at + PIECE);
        let piece = ToolResult {
            content: vec![Content::text(&text[at..end])],
            ..ToolResult::default()
        };
        findings.extend(inspect::sanitize(piece, masker, &mut StreamMask::default()).findings);
        if end == text.len() {
            return findings;
        }
        at = text.floor_char_boundary(end - OVERLAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_found_wherever_it_stands() {
        let token = ["AK", "IA", "ZQ3DRSTUVWXY2345"].concat();
        let masker = Masker::new([]);
        assert!(look("", &masker).is_empty());
        for before in [0, PIECE - 10, 3 * PIECE] {
            let text = format!(
                "{} {token} {}",
                "é".repeat(before / 2),
                "x ".repeat(OVERLAP)
            );
            assert!(!look(&text, &masker).is_empty(), "after {before}");
        }
    }
}
