//! `majordomoctl servers diagnose NAME`

use crate::exit::Exit;
use crate::link::Link;
use crate::messages::name as key;
use crate::print;
use api::{Diagnose, DoctorStep, HostError};
use protocol::ServerId;

/// Shows every step of finding out how to sign in. It ends as a failure of the server if one of
/// them did not work.
pub(crate) async fn run(link: &Link, server: ServerId, json: bool) -> Result<Exit, HostError> {
    let report = link.ask(Diagnose { server }).await?;
    if json {
        print::json(&report);
    } else {
        print::table(
            &["STEP", "OUTCOME", "DETAILS"],
            &report.steps.iter().map(row).collect::<Vec<_>>(),
        );
    }
    let Some(failed) = report.steps.iter().find(|step| step.ok == Some(false)) else {
        return Ok(Exit::Done);
    };
    if !json {
        print::note(format_args!(
            "The first step that did not work: {}.",
            key(&failed.what).replace('_', " ")
        ));
    }
    Ok(Exit::Server)
}

fn row(step: &DoctorStep) -> Vec<String> {
    let DoctorStep {
        what,
        url,
        ok,
        problem,
        detail,
    } = step;
    let outcome = match (ok, problem) {
        (Some(true), _) => "ok".to_owned(),
        (Some(false), Some(problem)) => key(problem).replace('_', " "),
        (Some(false), None) => "-".to_owned(),
        (None, _) => "not needed".to_owned(),
    };
    let about: Vec<&str> = [url, detail]
        .into_iter()
        .filter_map(Option::as_deref)
        .collect();
    vec![key(what).replace('_', " "), outcome, about.join("  ")]
}
