//! `majordomoctl servers diagnose NAME`

use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use host::HostError;
use serde_json::{Value, json};

/// Shows every step of finding out how to sign in. It ends as a failure of the server if one of them did not work.
pub(crate) async fn run(link: &Link, name: &str, json: bool) -> Result<Exit, HostError> {
    let report = link.ask(&json!({"method": "diagnose", "params": {"server": name}})).await?;
    let steps = || report["steps"].as_array().into_iter().flatten();
    let bad = steps().any(|step| step["ok"] == false);
    if json {
        print::json(&report);
    } else {
        let cells: Vec<Vec<String>> = steps()
            .map(|step| {
                let word = match step["ok"].as_bool() {
                    Some(true) => "ok".to_owned(),
                    Some(false) => print::text(step, "/problem").replace('_', " "),
                    None => "not needed".to_owned(),
                };
                let about = ["/url", "/detail"].map(|key| print::text(step, key)).into_iter().filter(|text| text != "-");
                vec![print::text(step, "/what").replace('_', " "), word, about.collect::<Vec<_>>().join("  ")]
            })
            .collect();
        print::table(&["STEP", "OUTCOME", "DETAILS"], &cells);
    }
    let failed: Option<&Value> = steps().find(|step| step["ok"] == false);
    if let Some(step) = failed.filter(|_| !json) {
        print::note(format_args!("The first step that did not work: {}.", print::text(step, "/what").replace('_', " ")));
    }
    Ok(if bad { Exit::Server } else { Exit::Done })
}
