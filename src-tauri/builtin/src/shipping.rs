//! `shipping`: places an order. Small ones at once, large ones only when a person says yes.

mod approval;

use crate::tool;
use approval::Approval;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

/// More containers than this need a person's yes.
const AT_ONCE: u64 = 5;

/// The server. Its orders are numbered from 1 in each run.
#[derive(Default)]
pub(crate) struct Shipping {
    orders: AtomicU32,
}

impl ServerHandler for Shipping {
    fn get_info(&self) -> ServerConfig {
        tool::about(
            "shipping",
            "Shipping",
            "Places pretend orders for containers, for trying things out. Nothing is shipped.",
        )
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![order_tool()]))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match call.name.as_ref() {
            "place_shipping_order" => {
                self.order(&call.arguments.unwrap_or_default(), &context)
                    .await
            }
            name => Err(tool::unknown(name)),
        }
    }
}

impl Shipping {
    async fn order(
        &self,
        arguments: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let containers = arguments
            .get("containers")
            .and_then(Value::as_u64)
            .filter(|containers| *containers > 0)
            .ok_or_else(|| {
                ErrorData::invalid_params("containers must be a whole number of at least 1", None)
            })?;
        let destination = tool::text(arguments, "destination")?.trim();
        if destination.is_empty() {
            return Err(ErrorData::invalid_params(
                "destination must not be empty",
                None,
            ));
        }
        if containers <= AT_ONCE {
            return Ok(self.place(containers, destination, None));
        }
        Ok(
            match approval::ask(&context.peer, containers, destination).await {
                Approval::Given { note } => self.place(containers, destination, note),
                Approval::Refused { reason } => not_placed(reason),
                Approval::Impossible { problem } => tool::failed(format!(
                    "An order of more than {AT_ONCE} containers needs a person's approval, and {problem}. Nothing was ordered."
                )),
            },
        )
    }

    fn place(&self, containers: u64, destination: &str, note: Option<String>) -> CallToolResponse {
        let number = self.orders.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("ORD-{number:04}");
        let mut order = json!({ "status": "placed", "order_id": id, "containers": containers, "destination": destination });
        if let Some(note) = note {
            order["note"] = note.into();
        }
        tool::done(
            format!(
                "Order {id} is placed: {} to {destination}.",
                counted(containers)
            ),
            order,
        )
    }
}

fn not_placed(reason: &str) -> CallToolResponse {
    tool::done(
        format!("The order is not placed: {reason}."),
        json!({ "status": "not_placed", "reason": reason }),
    )
}

fn counted(containers: u64) -> String {
    if containers == 1 {
        "1 container".to_owned()
    } else {
        format!("{containers} containers")
    }
}

fn order_tool() -> Tool {
    tool::tool(
        "place_shipping_order",
        "Place a shipping order",
        "Places an order for containers. Up to 5 containers are ordered at once; for more, a person is asked first.",
        json!({
            "type": "object",
            "properties": {
                "containers": { "type": "integer", "title": "Containers", "minimum": 1, "description": "How many." },
                "destination": { "type": "string", "title": "Destination", "minLength": 1, "description": "Where they go." },
            },
            "required": ["containers", "destination"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {
                "status": { "type": "string", "enum": ["placed", "not_placed"] },
                "order_id": { "type": "string" }, "containers": { "type": "integer" }, "destination": { "type": "string" },
                "note": { "type": "string" }, "reason": { "type": "string" },
            },
            "required": ["status"],
        }),
        ToolAnnotations::from_raw(None, Some(false), Some(false), Some(false), Some(false)),
    )
}
