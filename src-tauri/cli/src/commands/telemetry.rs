//! `majordomoctl telemetry …`

use super::questions;
use crate::args::Telemetry;
use crate::date;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{HostError, SetTelemetry, ShowTelemetry, TelemetrySettings, TelemetryView};

/// Shows or chooses where traces and metrics are sent.
pub(crate) async fn run(
    link: &Link,
    command: Telemetry,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let view = match command {
        Telemetry::Show => link.ask(ShowTelemetry {}).await?,
        Telemetry::Off => {
            let settings = TelemetrySettings::default();
            link.ask(SetTelemetry { settings }).await?
        }
        Telemetry::Set {
            url,
            contents,
            propagate,
            approver_token_file,
        } => {
            let settings = TelemetrySettings {
                endpoint: Some(url),
                contents,
                propagate,
            };
            let request = SetTelemetry { settings };
            match approver_token_file {
                None => word.ask(link, request).await?,
                Some(file) => questions::ask_as_person(link, request, Some(&file)).await?,
            }
        }
    };
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(Exit::Done)
}

fn show(view: &TelemetryView) {
    let TelemetryView {
        settings:
            TelemetrySettings {
                endpoint,
                contents,
                propagate,
            },
        sent_at,
        problem,
        dropped,
    } = view;
    let Some(endpoint) = endpoint else {
        return print::result("Traces and metrics are not sent.");
    };
    let is = |is: &bool| if *is { "yes" } else { "no" };
    let sent = sent_at.map_or_else(|| "not yet".to_owned(), date::shown);
    print::result(format_args!(
        "Traces and metrics are sent to {}",
        print::visible(endpoint)
    ));
    print::result(format_args!("with arguments and results: {}", is(contents)));
    print::result(format_args!(
        "servers are told the trace: {}",
        is(propagate)
    ));
    print::result(format_args!("last arrived:               {sent}"));
    if let Some(problem) = problem {
        print::result(format_args!(
            "last problem:               {}",
            print::visible(problem)
        ));
    }
    if *dropped > 0 {
        print::result(format_args!("dropped:                    {dropped}"));
    }
}
