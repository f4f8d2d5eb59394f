//! `majordomoctl resources …`

use super::call;
use crate::args::Resources;
use crate::exit::Exit;
use crate::link::{Heard, Link};
use crate::print;
use host::HostError;
use serde_json::{Value, json};

/// Lists, reads and watches resources.
pub(crate) async fn run(link: &Link, command: Resources, json: bool) -> Result<Exit, HostError> {
    match command {
        Resources::List { server } => {
            let list = link.ask(&json!({"method": "list_resources", "params": {"server": server}})).await?;
            if json { print::json(&list) } else { show(&list) }
        }
        Resources::Read { server, uri } => {
            let answer = read(link, &server, &uri).await?;
            if json { print::json(&answer) } else { call::show_parts(&answer["contents"]) }
        }
        Resources::Watch { server, uri } => {
            watch(link, &server, &uri, json).await?;
        }
    }
    Ok(Exit::Done)
}

async fn read(link: &Link, server: &str, uri: &str) -> Result<Value, HostError> {
    link.ask(&json!({"method": "read_resource", "params": {"server": server, "uri": uri}})).await
}

/// Shows a resource, and again whenever the server says that it is another one.
async fn watch(link: &Link, server: &str, uri: &str, json: bool) -> Result<(), HostError> {
    let mut events = link.events().await?;
    let wish = |on: bool| json!({"method": "watch_resource", "params": {"server": server, "uri": uri, "on": on}});
    link.ask(&wish(true)).await?;
    print::note("Watching until you press Ctrl-C.");
    loop {
        let answer = read(link, server, uri).await?;
        if json {
            print::json(&answer)
        } else {
            call::show_parts(&answer["contents"])
        }
        tokio::select! {
            changed = changed(&mut events, server, uri) => if !changed { break },
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    link.ask(&wish(false)).await.map(drop)
}

/// Waits until a resource has changed. False if that will not be heard any more.
async fn changed(events: &mut Heard, server: &str, uri: &str) -> bool {
    while let Some(event) = events.next().await {
        let is_it = event["server"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(server)) && event["uri"] == uri;
        if event["kind"] == "resource_updated" && is_it {
            return true;
        }
    }
    false
}

fn show(list: &Value) {
    let rows = |key: &str, address: &'static str| {
        let list: Vec<Value> = list[key].as_array().cloned().unwrap_or_default();
        list.into_iter().map(move |item| vec![print::text(&item, address), print::text(&item, "/name"), print::text(&item, "/mime_type")])
    };
    let cells: Vec<_> = rows("resources", "/uri").chain(rows("templates", "/uri_template")).collect();
    print::table(&["ADDRESS", "NAME (THE SERVER'S WORDS)", "KIND"], &cells);
}
