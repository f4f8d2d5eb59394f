//! Programs on this computer that serve models, found when a person looks for them.

use super::{Line, offered};
use api::{LocalModels, LocalProgram};
use futures::future::join_all;
use protocol::{ModelService, ModelSettings};
use servers::Servers;
use std::time::Duration;

/// How long one is waited for.
const WAIT: Duration = Duration::from_secs(2);

/// Where each is unless somebody has put it elsewhere.
const PLACES: [(LocalProgram, ModelService, &str); 3] = [
    (
        LocalProgram::Ollama,
        ModelService::Ollama,
        "http://127.0.0.1:11434",
    ),
    (
        LocalProgram::LmStudio,
        ModelService::Chat,
        "http://127.0.0.1:1234/v1",
    ),
    (
        LocalProgram::LlamaServer,
        ModelService::Chat,
        "http://127.0.0.1:8080/v1",
    ),
];

/// Those that answer with a list of models. What is there instead, or nothing, is no error.
pub(crate) async fn find(servers: &Servers) -> Vec<LocalModels> {
    let looked = PLACES.map(|(program, service, url)| async move {
        let settings = ModelSettings {
            service,
            url: url.to_owned(),
            name: String::new(),
            context: 0,
            sees_images: false,
            plain_nearby: false,
        };
        // Nobody's key: what listens there is not known.
        let line = Line::to(servers, &settings, None).ok()?;
        let offered = offered(&line, service, WAIT).await.ok()??;
        Some(LocalModels {
            program,
            service,
            url: settings.url,
            offered,
        })
    });
    join_all(looked).await.into_iter().flatten().collect()
}
