//! One function for each request, one file for each noun. [`handle`] is the door that every surface uses.

mod activity;
mod anchors;
mod answers;
mod calls;
pub(crate) mod grants;
mod policy;
mod preview;
pub(crate) mod questions;
mod roots;
pub(crate) mod sampling;
pub(crate) mod servers;
mod tighten;
mod tools;

use crate::api::{HostError, Request};
use crate::{Approver, Host, era, exchange, import, offers, pins, sign_in, traced, unknown, workspaces};
use protocol::Caller;
use serde::Serialize;
use serde_json::Value;
use store::{Entry, Event};

/// Where a request comes from. Surfaces fill this in; a request cannot say it about itself.
#[derive(Debug, Clone)]
pub struct Surface {
    /// In whose name calls are made.
    pub caller: Caller,
    /// Whether answers to questions may come from here.
    pub approver: Option<Approver>,
}

impl Surface {
    /// Whether the person is here: in the window, or where answers may come from.
    pub(crate) fn is_person(&self, host: &Host) -> bool {
        self.caller == Caller::Window || self.approver.is_some_and(|approver| approver.may_answer(host.approver()))
    }

    /// Who decides here, for the log: the approver, or the caller where none is needed.
    pub(crate) fn decides(&self) -> &'static str {
        self.approver.map_or(self.caller.key(), Approver::key)
    }

    /// What the log says of something that is decided here: in whose name, and on whose word.
    pub(crate) fn decided(&self, host: &Host, event: Event) -> Entry {
        let (caller, approver) = (Some(self.caller.clone()), Some(self.decides().to_owned()));
        Entry { at: host.now(), call: None, caller, approver, server: None, tool: None, event }
    }
}

impl Host {
    /// Does what a surface asks for. The answer's type is written at each [`Request`].
    pub async fn handle(&self, request: Request, surface: &Surface) -> Result<Value, HostError> {
        self.still_open()?;
        match request {
            Request::Snapshot => answer(self.snapshot().await),
            Request::ReviewDraft { draft } => answer(servers::review_draft(self, draft).await?),
            Request::AddServer { draft } => answer(servers::add(self, draft, surface).await?),
            Request::EditServer { server, draft } => answer(servers::edit(self, &server, draft, surface).await?),
            Request::ReviewServer { server } => answer(servers::review(self, &server).await?),
            Request::AcceptReview { server, reviewed } => answer(servers::accept(self, &server, &reviewed, surface).await?),
            Request::EnableServer { server, reviewed } => answer(servers::enable(self, &server, reviewed, surface).await?),
            Request::DisableServer { server } => answer(servers::disable(self, &server, surface).await?),
            Request::RestartServer { server } => answer(servers::restart(self, &server).await?),
            Request::RemoveServer { server } => answer(servers::remove(self, &server, surface).await?),
            Request::ServerLog { server } => answer(self.kept().with(&server, |kept| kept.log())?),
            Request::FindConfigurations => answer(import::find(self).await?),
            Request::PreviewImport { from } => answer(import::preview(self, from).await?),
            Request::ImportServers { from, choices, keep } => answer(import::keep(self, from, choices, keep, surface).await?),
            Request::AddRoot { server, path } => answer(roots::add(self, &server, &path, surface).await?),
            Request::RemoveRoot { server, path } => answer(roots::remove(self, &server, &path, surface).await?),
            Request::ListTools { server } => answer(tools::list(self, &server, &surface.caller).await?),
            Request::SetTool { server, tool, on } => answer(tools::set(self, &server, &tool, on, surface).await?),
            Request::MarkTool { server, tool, mark } => answer(tools::mark(self, &server, &tool, mark, surface).await?),
            Request::ReviewOffers { server } => answer(pins::review(self, &server).await?),
            Request::DecideOffers { server, decisions } => answer(pins::decide(self, &server, decisions, surface).await?),
            Request::CallTool { call, server, tool, arguments } => {
                answer(calls::call(self, surface.caller.clone(), call, server, tool, arguments).await?)
            }
            Request::CancelCall { call } => answer(self.calls().cancel(&call)?),
            Request::ShowSampling { server } => answer(sampling::show(self, &server).await?),
            Request::SetSampling { server, settings } => answer(sampling::set(self, &server, settings, surface).await?),
            Request::NoteUnknown { call } => answer(unknown::note(self, &call, surface).await?),
            Request::RevealAnswer { call } => answer(answers::reveal(self, &call, surface).await?),
            Request::FullAnswer { call } => answer(answers::full(self, &call).await?),
            Request::ListResources { server } => answer(offers::resources(self, &server, &surface.caller).await?),
            Request::ReadResource { server, uri } => answer(offers::read(self, &server, &uri, surface.caller.clone()).await?),
            Request::WatchResource { server, uri, on } => answer(offers::watch(self, &server, &uri, on, &surface.caller).await?),
            Request::ListPrompts { server } => answer(offers::prompts(self, &server, &surface.caller).await?),
            Request::GetPrompt { server, prompt, arguments } => {
                answer(offers::prompt(self, &server, &prompt, arguments, surface.caller.clone()).await?)
            }
            Request::Complete { server, of, argument, value, context } => {
                answer(offers::complete(self, &server, of, &argument, &value, context, &surface.caller).await?)
            }
            Request::ListLogs { server } => answer(self.kept().with(&server, |kept| kept.protocol_log())?),
            Request::SetLogLevel { server, level } => answer(offers::set_log_level(self, &server, level, &surface.caller).await?),
            Request::ListExchange { server, call } => answer(exchange::list(self, &server, call.as_ref())?),
            Request::SetEra { server, era } => answer(era::choose(self, &server, era, surface).await?),
            Request::SignIn { server, approved } => answer(sign_in::sign_in(self, &server, approved, surface).await?),
            Request::FinishSignIn { server, url } => answer(sign_in::finish(self, &server, url).await?),
            Request::CancelSignIn { server } => answer(sign_in::cancel(self, &server)?),
            Request::SignOut { server, account } => answer(sign_in::sign_out(self, &server, account, surface).await?),
            Request::UseAccount { server, account } => answer(sign_in::use_account(self, &server, &account, surface).await?),
            Request::SetClient { server, client } => answer(sign_in::set_client(self, &server, client, surface).await?),
            Request::Diagnose { server } => answer(sign_in::diagnose(self, &server).await?),
            Request::ListQuestions => answer(self.consent().waiting()),
            Request::AnswerQuestion { question, answer: given } => answer(questions::answer(self, &question, given, surface).await?),
            Request::AnswerQuestions { answers } => answer(questions::answer_all(self, answers, surface).await?),
            Request::PreviewAnswer { question, answer: given } => answer(preview::preview(self, &question, given).await?),
            Request::ListGrants => answer(grants::list(self).await),
            Request::ListTightenings => answer(tighten::list(self).await?),
            Request::Tighten { grant } => answer(tighten::tighten(self, &grant, surface.decides()).await?),
            Request::RevokeGrant { grant } => answer(grants::revoke(self, &grant, surface.decides()).await?),
            Request::ShowPolicy => answer(self.rules().view()),
            Request::PreviewRule { draft } => answer(policy::preview(self, draft)?),
            Request::AddRule { draft } => answer(policy::add(self, draft, surface).await?),
            Request::RemoveRule { rule } => answer(policy::remove(self, &rule, surface).await?),
            Request::TestPolicy { call } => answer(policy::suppose(self, call).await?),
            Request::ListActivity { filter, before, limit } => answer(activity::list(self, filter, before, limit).await?),
            Request::ShowActivity { seq } => answer(activity::detail(self, seq).await?),
            Request::ExportAnchor => answer(anchors::export(self).await?),
            Request::CheckAnchor { text } => answer(anchors::check(self, text).await?),
            Request::CompactLog { before } => answer(anchors::compact(self, before, surface).await?),
            Request::VerifyLog => answer(self.store().audit().verify().await?),
            Request::ExportLog { format } => answer(activity::export(self, format).await?),
            Request::ListWorkspaces => answer(workspaces::views(self).await?),
            Request::AddWorkspace { name, like } => answer(workspaces::add(self, &name, like, surface).await?),
            Request::RenameWorkspace { workspace, name } => answer(workspaces::rename(self, &workspace, &name, surface).await?),
            Request::RemoveWorkspace { workspace } => answer(workspaces::remove(self, &workspace, surface).await?),
            Request::SwitchWorkspace { workspace } => answer(workspaces::switch(self, &workspace, surface).await?),
            Request::ShowTelemetry => answer(traced::show(self)),
            Request::SetTelemetry { settings } => answer(traced::set(self, settings, surface).await?),
        }
    }
}

fn answer(value: impl Serialize) -> Result<Value, HostError> {
    serde_json::to_value(value)
        .map_err(|problem| crate::error::host(crate::ErrorCode::Internal, format!("an answer could not be written: {problem}")))
}
