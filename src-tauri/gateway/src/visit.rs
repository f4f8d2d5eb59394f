//! A client that has come in at an endpoint, and what it has said of itself.

use crate::endpoint::Endpoint;
use crate::message::Implementation;
use api::UsableTool;
use host::{Admitted, Host, HostError, Surface};
use protocol::{Fingerprint, ServerId, ToolName};
use std::sync::Arc;

/// A client that has come in at an endpoint. Cloning gives another handle.
#[derive(Clone)]
pub(crate) struct Visit(Arc<Inner>);

struct Inner {
    host: Host,
    client: Admitted,
    surface: Surface,
    endpoint: Endpoint,
}

impl Visit {
    pub(crate) fn new(host: Host, client: Admitted, endpoint: Endpoint) -> Self {
        // No person's word stands behind what it wants.
        let surface = Surface::of(client.caller().clone(), None);
        Self(Arc::new(Inner {
            host,
            client,
            surface,
            endpoint,
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

    /// Another one once the tools that it may use here have changed.
    pub(crate) fn tools_fingerprint(&self) -> Fingerprint {
        let only = self.endpoint().only();
        self.host().usable_fingerprint(&self.surface().caller, only)
    }

    /// Whether it may use this tool here now.
    pub(crate) fn has_tool(&self, server: &ServerId, tool: &ToolName) -> bool {
        let caller = &self.surface().caller;
        self.endpoint().has(server) && self.host().is_usable(server, tool, caller)
    }

    /// The servers that it can reach here: those that are on.
    pub(crate) fn servers(&self) -> Vec<ServerId> {
        let mut servers = self.host().servers_on();
        servers.retain(|server| self.endpoint().has(server));
        servers
    }
}
