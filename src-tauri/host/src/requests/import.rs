//! Configurations of other applications.

use crate::commands;
use api::{
    FindConfigurations, FoundConfiguration, HostError, ImportFailure, ImportOutcome, ImportPreview,
    ImportServers, PreviewImport,
};
use calls::Calls;
use servers::Surface;
use servers::import::{self, Chosen};

pub(crate) async fn find_configurations(
    calls: &Calls,
    _: FindConfigurations,
    _: &Surface,
) -> Result<Vec<FoundConfiguration>, HostError> {
    import::find(calls).await
}

pub(crate) async fn preview_import(
    calls: &Calls,
    PreviewImport { from }: PreviewImport,
    _: &Surface,
) -> Result<ImportPreview, HostError> {
    let here = commands::clients::own_address(calls).await;
    import::preview(calls, from, here.as_deref()).await
}

pub(crate) async fn import_servers(
    calls: &Calls,
    ImportServers {
        from,
        choices,
        keep,
    }: ImportServers,
    surface: &Surface,
) -> Result<ImportOutcome, HostError> {
    let (mut added, mut failed) = (Vec::new(), Vec::new());
    for Chosen { source_name, draft } in import::choose(calls, from, choices, keep).await? {
        let kept = match draft {
            Ok(draft) => commands::servers::add(calls, draft, surface).await,
            Err(problem) => Err(problem),
        };
        match kept {
            Ok(view) => added.push(view),
            Err(error) => failed.push(ImportFailure { source_name, error }),
        }
    }
    Ok(ImportOutcome { added, failed })
}
