//! `majordomoctl resources …`

use super::{call, or_dash};
use crate::args::Resources;
use crate::exit::Exit;
use crate::link::{Heard, Link};
use crate::print;
use api::{HostError, HostEvent, ListResources, ReadResource, ResourceList, WatchResource};
use protocol::ServerId;
use serde_json::json;

/// Lists, reads and watches resources.
pub(crate) async fn run(link: &Link, command: Resources, json: bool) -> Result<Exit, HostError> {
    match command {
        Resources::List { server } => {
            let list = link.ask(ListResources { server }).await?;
            if json {
                print::json(&list)
            } else {
                show(&list)
            }
        }
        Resources::Read { server, uri } => read(link, server, uri, json).await?,
        Resources::Watch { server, uri } => watch(link, server, uri, json).await?,
    }
    Ok(Exit::Done)
}

/// Reads a resource and shows it.
async fn read(link: &Link, server: ServerId, uri: String, json: bool) -> Result<(), HostError> {
    let chosen = json!({"uri": uri});
    let answer = call::request(link, ReadResource { server, uri }, &chosen).await?;
    if json {
        print::json(&answer)
    } else {
        call::show_parts(&answer.contents)
    }
    Ok(())
}

/// Shows a resource, and again whenever the server says that it is another one.
async fn watch(link: &Link, server: ServerId, uri: String, json: bool) -> Result<(), HostError> {
    let mut events = link.events().await?;
    let wish = |on: bool| WatchResource {
        server: server.clone(),
        uri: uri.clone(),
        on,
    };
    call::request(link, wish(true), &json!({"uri": uri})).await?;
    print::note("Watching until you press Ctrl-C.");
    loop {
        read(link, server.clone(), uri.clone(), json).await?;
        tokio::select! {
            changed = changed(&mut events, &server, &uri) => if !changed { break },
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    link.ask(wish(false)).await.map(drop)
}

/// Waits until a resource has changed. False if that will not be heard any more.
async fn changed(events: &mut Heard, server: &ServerId, uri: &str) -> bool {
    while let Some(event) = events.next().await {
        if let HostEvent::ResourceUpdated {
            server: of,
            uri: changed,
        } = event
            && of.key() == server.key()
            && changed == uri
        {
            return true;
        }
    }
    false
}

fn show(list: &ResourceList) {
    let resources = list
        .resources
        .iter()
        .map(|resource| (&resource.uri, &resource.name, &resource.mime_type));
    let templates = list
        .templates
        .iter()
        .map(|template| (&template.uri_template, &template.name, &template.mime_type));
    let cells: Vec<Vec<String>> = resources
        .chain(templates)
        .map(|(address, name, kind)| vec![address.clone(), name.clone(), or_dash(kind.as_deref())])
        .collect();
    print::table(&["ADDRESS", "NAME (THE SERVER'S WORDS)", "KIND"], &cells);
}
