//! Assistants that a person makes.

use crate::commands::assistants;
use api::{
    AssistantExport, AssistantView, ExportAssistant, HostError, ListAssistants, ReadAssistant,
    RemoveAssistant, SaveAssistant,
};
use calls::Calls;
use protocol::AssistantSettings;
use servers::Surface;

pub(crate) async fn list_assistants(
    calls: &Calls,
    _: ListAssistants,
    _: &Surface,
) -> Result<Vec<AssistantView>, HostError> {
    assistants::list(calls).await
}

pub(crate) async fn save_assistant(
    calls: &Calls,
    SaveAssistant {
        assistant,
        settings,
    }: SaveAssistant,
    surface: &Surface,
) -> Result<AssistantView, HostError> {
    assistants::save(calls, assistant, settings, surface).await
}

pub(crate) async fn remove_assistant(
    calls: &Calls,
    RemoveAssistant { assistant }: RemoveAssistant,
    surface: &Surface,
) -> Result<(), HostError> {
    assistants::remove(calls, &assistant, surface).await
}

pub(crate) async fn export_assistant(
    calls: &Calls,
    ExportAssistant { assistant }: ExportAssistant,
    _: &Surface,
) -> Result<AssistantExport, HostError> {
    assistants::export(calls, &assistant).await
}

pub(crate) async fn read_assistant(
    calls: &Calls,
    ReadAssistant { file }: ReadAssistant,
    _: &Surface,
) -> Result<AssistantSettings, HostError> {
    assistants::read(calls, &file.text)
}
