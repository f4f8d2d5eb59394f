//! `majordomoctl complete …`

use super::prompts;
use crate::args::Complete as Wanted;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use api::{Complete, HostError};
use protocol::CompletionOf;

/// Shows what a server proposes for a value, one line each.
pub(crate) async fn run(link: &Link, wanted: Wanted, json: bool) -> Result<Exit, HostError> {
    let of = match (wanted.prompt, wanted.template) {
        (Some(name), _) => CompletionOf::Prompt { name },
        (None, template) => CompletionOf::Template {
            // The command line demands one of the two.
            uri_template: template.unwrap_or_default(),
        },
    };
    let request = Complete {
        server: wanted.server,
        of,
        argument: wanted.argument,
        value: wanted.value,
        context: prompts::pairs(&wanted.context)?,
    };
    let proposals = link.ask(request).await?;
    if json {
        print::json(&proposals);
    } else {
        for value in &proposals.values {
            print::result(print::visible(value));
        }
        if proposals.has_more {
            print::note("There are more.");
        }
    }
    Ok(Exit::Done)
}
