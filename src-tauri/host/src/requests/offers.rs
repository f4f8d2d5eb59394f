//! What servers offer, beside what they log and send.

use crate::commands::clients;
use api::{
    Complete, DecideOffers, FeaturesReview, GetPrompt, HostError, ListExchange, ListLogs,
    ListPrompts, ListResources, ProtocolLog, ReadResource, ResourceList, ReviewOffers, SetLogLevel,
    WatchResource, WireLog,
};
use calls::Calls;
use calls::offers;
use protocol::{Completion, PromptResult, PromptSpec, ResourceResult};
use servers::{Surface, pins, supervise, tool_lists, wire_log};

pub(crate) async fn review_offers(
    calls: &Calls,
    ReviewOffers { server }: ReviewOffers,
    _: &Surface,
) -> Result<FeaturesReview, HostError> {
    // One that should run and does not yet is waited for.
    let _in_use = supervise::started(calls, &server).await?;
    tool_lists::refresh(calls, &server).await;
    pins::review(calls, &server).await
}

pub(crate) async fn decide_offers(
    calls: &Calls,
    DecideOffers { server, decisions }: DecideOffers,
    surface: &Surface,
) -> Result<FeaturesReview, HostError> {
    // Before it is approved, so that who lacked a tool does not have it at any moment.
    let renamed = pins::renamed_tools(calls, &server, &decisions);
    clients::follow_tools(calls, &server, &renamed).await?;
    pins::decide(calls, &server, decisions, surface).await
}

pub(crate) async fn list_resources(
    calls: &Calls,
    ListResources { server }: ListResources,
    surface: &Surface,
) -> Result<ResourceList, HostError> {
    offers::resources(calls, &server, &surface.caller).await
}

pub(crate) async fn read_resource(
    calls: &Calls,
    ReadResource { server, uri }: ReadResource,
    surface: &Surface,
) -> Result<ResourceResult, HostError> {
    offers::read(calls, &server, uri, surface).await
}

pub(crate) async fn watch_resource(
    calls: &Calls,
    WatchResource { server, uri, on }: WatchResource,
    surface: &Surface,
) -> Result<ResourceList, HostError> {
    offers::watch(calls, &server, uri, on, surface).await
}

pub(crate) async fn list_prompts(
    calls: &Calls,
    ListPrompts { server }: ListPrompts,
    surface: &Surface,
) -> Result<Vec<PromptSpec>, HostError> {
    offers::prompts(calls, &server, &surface.caller).await
}

pub(crate) async fn get_prompt(
    calls: &Calls,
    GetPrompt {
        server,
        prompt,
        arguments,
    }: GetPrompt,
    surface: &Surface,
) -> Result<PromptResult, HostError> {
    offers::prompt(calls, &server, prompt, arguments, surface).await
}

pub(crate) async fn complete(
    calls: &Calls,
    Complete {
        server,
        of,
        argument,
        value,
        context,
    }: Complete,
    surface: &Surface,
) -> Result<Completion, HostError> {
    let request = ::policy::Complete {
        of,
        argument,
        value,
        context,
    };
    offers::complete(calls, &server, request, surface).await
}

pub(crate) async fn list_logs(
    calls: &Calls,
    ListLogs { server }: ListLogs,
    _: &Surface,
) -> Result<ProtocolLog, HostError> {
    calls.registry().protocol_log(&server)
}

pub(crate) async fn set_log_level(
    calls: &Calls,
    SetLogLevel { server, level }: SetLogLevel,
    surface: &Surface,
) -> Result<ProtocolLog, HostError> {
    offers::set_log_level(calls, &server, level, surface).await
}

pub(crate) async fn list_exchange(
    calls: &Calls,
    ListExchange { server, call }: ListExchange,
    _: &Surface,
) -> Result<WireLog, HostError> {
    wire_log::list(calls, &server, call.as_ref())
}
