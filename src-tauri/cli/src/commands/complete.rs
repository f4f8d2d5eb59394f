//! `majordomoctl complete …`

use super::prompts;
use crate::args::Complete;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::{Value, json};

/// Shows what a server proposes for a value, one line each.
pub(crate) async fn run(link: &Link, wanted: Complete, json: bool) -> Result<Exit, HostError> {
    let of = match (&wanted.prompt, &wanted.template) {
        (Some(prompt), _) => json!({"kind": "prompt", "name": prompt}),
        (None, template) => json!({"kind": "template", "uri_template": template}),
    };
    let context = prompts::pairs(&wanted.context)?;
    let params = json!({"server": wanted.server, "of": of, "argument": wanted.argument, "value": wanted.value, "context": context});
    let proposals = link.ask(&json!({"method": "complete", "params": params})).await?;
    if json {
        print::json(&proposals);
    } else {
        for value in proposals["values"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            print::result(print::visible(value));
        }
        if proposals["has_more"] == true {
            print::note("There are more.");
        }
    }
    Ok(Exit::Done)
}
