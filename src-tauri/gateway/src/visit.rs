//! A client that has come in at an endpoint, and what it has said of itself.

use crate::endpoint::Endpoint;
use crate::message::Implementation;
use crate::parked::Parked;
use api::UsableTool;
use host::{Admitted, Host, HostError, Surface};
use policy::{ClientSettings, ToolMode};
use protocol::{Fingerprint, ServerId, ToolName};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A client that has come in at an endpoint. Cloning gives another handle.
#[derive(Clone)]
pub(crate) struct Visit(Arc<Inner>);

struct Inner {
    host: Host,
    client: Admitted,
    surface: Surface,
    endpoint: Endpoint,
    /// None of these holds the visit: they end with it.
    parked: Arc<Parked>,
    /// The servers of which it has read views.
    rendered: Mutex<BTreeSet<ServerId>>,
}

/// A request that is carried out, or a stream that is open. It has ended when this is dropped.
pub(crate) struct Busy(Visit);

impl Drop for Busy {
    fn drop(&mut self) {
        let now = self.0.host().now();
        self.0.client().ends(now);
    }
}

impl Visit {
    /// Takes note that its client is here.
    pub(crate) fn busy(&self) -> Busy {
        self.host().begins(self.client());
        Busy(self.clone())
    }

    pub(crate) fn new(host: Host, client: Admitted, endpoint: Endpoint) -> Self {
        // No person's word stands behind what it wants.
        let surface = Surface::of(client.caller().clone(), None);
        Self(Arc::new(Inner {
            host,
            client,
            surface,
            endpoint,
            parked: Arc::default(),
            rendered: Mutex::default(),
        }))
    }

    pub(crate) fn host(&self) -> &Host {
        &self.0.host
    }

    pub(crate) fn client(&self) -> &Admitted {
        &self.0.client
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.0.endpoint
    }

    /// Its calls that go on while no request waits for them.
    pub(crate) fn parked(&self) -> &Arc<Parked> {
        &self.0.parked
    }

    /// In whose name everything is asked.
    pub(crate) fn surface(&self) -> &Surface {
        &self.0.surface
    }

    /// Takes what the client says that it is.
    pub(crate) fn says(&self, client: &Implementation) {
        self.client().says(&client.text());
    }

    /// Asks the host for something.
    pub(crate) async fn ask<R: api::Request>(&self, request: R) -> Result<R::Reply, HostError> {
        self.host().ask(request, self.surface()).await
    }

    /// The tools that it may use here now.
    pub(crate) fn tools(&self) -> Vec<UsableTool> {
        self.host()
            .usable_tools(&self.surface().caller, self.endpoint().only())
    }

    /// Those of them that are of one server.
    pub(crate) fn tools_of(&self, server: &ServerId) -> Vec<UsableTool> {
        self.host()
            .usable_tools(&self.surface().caller, Some(server))
    }

    /// Another one once the tools that it is shown here have changed.
    pub(crate) fn tools_fingerprint(&self) -> Fingerprint {
        let only = self.endpoint().only();
        let of_servers = match self.looks_for_tools() {
            true => None,
            false => Some(self.host().usable_fingerprint(&self.surface().caller, only)),
        };
        Fingerprint::of(&json!([of_servers, self.has_own_tools()]))
    }

    /// What it is given, and how it is shown it; nothing once it may not come in any more.
    pub(crate) fn settings(&self) -> Option<ClientSettings> {
        self.host().clients().settings(self.client().caller().id())
    }

    /// Whether it is shown tools that find others here, in their place.
    pub(crate) fn looks_for_tools(&self) -> bool {
        let settings = || self.settings();
        self.endpoint().only().is_none()
            && settings().is_some_and(|settings| settings.mode == ToolMode::Search)
    }

    /// Whether it is offered Majordomo's own tools here.
    pub(crate) fn has_own_tools(&self) -> bool {
        let settings = || self.settings();
        self.endpoint().only().is_none() && settings().is_some_and(|settings| settings.own_tools)
    }

    /// Why it is given nothing now, if another workspace than its own is in use.
    pub(crate) fn elsewhere(&self) -> Option<HostError> {
        self.host().elsewhere(&self.surface().caller)
    }

    /// Whether it may use this tool here now.
    pub(crate) fn has_tool(&self, server: &ServerId, tool: &ToolName) -> bool {
        let caller = &self.surface().caller;
        self.endpoint().has(server) && self.host().is_usable(server, tool, caller)
    }

    fn rendered(&self) -> MutexGuard<'_, BTreeSet<ServerId>> {
        let rendered = self.0.rendered.lock();
        rendered.unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that it has read a view of this server, and so may show it.
    pub(crate) fn renders(&self, server: &ServerId) {
        self.rendered().insert(server.clone());
    }

    /// The tool that a view means by its server's own name for it. A call does not say from which view
    /// it comes, so one alone of the servers whose views were read here must have such a tool.
    pub(crate) fn tool_of_views(&self, name: &ToolName) -> Option<(ServerId, ToolName)> {
        let rendered = self.rendered().clone();
        let mut having = rendered.into_iter().filter(|one| self.has_tool(one, name));
        match (having.next(), having.next()) {
            (Some(server), None) => Some((server, name.clone())),
            _ => None,
        }
    }

    /// The servers that it can reach here: those that are on, and of which it was given anything.
    pub(crate) fn servers(&self) -> Vec<ServerId> {
        let mut servers = self.host().reachable_servers(&self.surface().caller);
        servers.retain(|server| self.endpoint().has(server));
        servers
    }

    /// Whether it can reach a server here, as far as it was given anything of it.
    pub(crate) fn can_reach(&self, server: &ServerId) -> bool {
        let caller = &self.surface().caller;
        self.endpoint().has(server) && self.host().is_reachable(server, caller)
    }
}
