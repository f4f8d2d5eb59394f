//! Answers what a server asks, in rmcp's words on one side and the host's on the other.
//!
//! Only folders, forms and pings are answered. Sampling is not declared and therefore refused.

#![expect(deprecated, reason = "roots left the newest revision; servers of every handshake revision ask for them")]

use crate::{Root, ServerAsks};
use protocol::{Form, FormAnswer};
use rmcp::model::{
    ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorCode, ErrorData, Implementation, ListRootsResult, ProtocolVersion, RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::watch;

/// The revision that is offered in the handshake.
const OFFERED: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// The method of a question for a person.
pub(crate) const ELICIT: &str = "elicitation/create";

/// The ear of one connection.
pub(crate) struct Handler {
    asks: Arc<dyn ServerAsks>,
    /// How many questions to a person are open; the clocks of calls stand still meanwhile.
    open: watch::Sender<usize>,
}

impl Handler {
    pub(crate) fn new(asks: Arc<dyn ServerAsks>, open: watch::Sender<usize>) -> Self {
        Self { asks, open }
    }

    /// Asks a person, until there is an answer or the server takes its question back.
    async fn form(&self, form: Form, context: &RequestContext<RoleClient>) -> FormAnswer {
        let _open = Open::new(&self.open);
        tokio::select! {
            answer = self.asks.form(form) => answer,
            () = context.ct.cancelled() => FormAnswer::Cancel,
        }
    }
}

impl ClientHandler for Handler {
    async fn list_roots(&self, context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        tokio::select! {
            roots = self.asks.roots() => Ok(ListRootsResult::new(roots.into_iter().map(root).collect())),
            () = context.ct.cancelled() => Ok(ListRootsResult::new(Vec::new())),
        }
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let schema = match serde_json::to_value(requested_schema) {
            Ok(Value::Object(schema)) => schema,
            _ => Map::new(),
        };
        Ok(match self.form(Form { message, schema }, &context).await {
            FormAnswer::Accept { content } => ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content)),
            FormAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
            FormAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    /// Over stdio a form comes as it was written, so that the order of its fields and words we do not know are kept.
    async fn on_custom_request(&self, request: CustomRequest, context: RequestContext<RoleClient>) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if method != ELICIT {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None));
        }
        let Some(form) = params.and_then(form_of) else {
            return Ok(CustomResult(serde_json::json!({ "action": "decline" })));
        };
        Ok(CustomResult(match self.form(form, &context).await {
            FormAnswer::Accept { content } => serde_json::json!({ "action": "accept", "content": content }),
            FormAnswer::Decline => serde_json::json!({ "action": "decline" }),
            FormAnswer::Cancel => serde_json::json!({ "action": "cancel" }),
        }))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.asks.tools_changed();
    }

    fn get_info(&self) -> ClientConfig {
        let mut roots = RootsCapabilities::default();
        roots.list_changed = Some(true);
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(roots);
        // Empty means: forms, and nothing else.
        capabilities.elicitation = Some(ElicitationCapability::default());
        let mut info = ClientConfig::new(capabilities, Implementation::new("majordomo", env!("CARGO_PKG_VERSION")).with_title("Majordomo"));
        info.protocol_version = OFFERED;
        info
    }
}

fn root(root: Root) -> rmcp::model::Root {
    let told = rmcp::model::Root::new(root.uri);
    match root.name {
        Some(name) => told.with_name(name),
        None => told,
    }
}

/// The form of an elicitation; none if it is of another mode, such as an address to open.
fn form_of(params: Value) -> Option<Form> {
    let Value::Object(mut params) = params else { return None };
    if params.get("mode").is_some_and(|mode| mode != "form") {
        return None;
    }
    let Some(Value::String(message)) = params.remove("message") else { return None };
    let Some(Value::Object(schema)) = params.remove("requestedSchema") else { return None };
    Some(Form { message, schema })
}

/// One open question. It is closed however it ends.
struct Open<'a>(&'a watch::Sender<usize>);

impl<'a> Open<'a> {
    fn new(open: &'a watch::Sender<usize>) -> Self {
        open.send_modify(|count| *count += 1);
        Self(open)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}
