//! `currency`: fees of payment methods and exchange rates, from fixed tables. It reads and changes
//! nothing.

mod tables;

use crate::tool;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;

/// The server.
pub(crate) struct Currency;

impl ServerHandler for Currency {
    fn get_info(&self) -> ServerConfig {
        tool::about(
            "currency",
            "Currency",
            "Sample fees and exchange rates from fixed tables, for trying things out. Not for real payments.",
        )
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![
            fee_tool(),
            rate_tool(),
        ]))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        match call.name.as_ref() {
            "get_fee_for_payment_method" => fee(&arguments),
            "get_exchange_rate" => rate(&arguments),
            name => Err(tool::unknown(name)),
        }
    }
}

fn fee(arguments: &JsonObject) -> Result<CallToolResponse, ErrorData> {
    let asked = tool::text(arguments, "method")?;
    Ok(match tables::fee(asked) {
        Some((method, percentage)) => tool::done(
            format!("The fee for {method} is {percentage} %."),
            json!({ "method": method, "fee_percentage": percentage }),
        ),
        None => tool::failed(format!(
            "There is no payment method called {asked:?}. Known methods: {}.",
            tables::methods().join(", ")
        )),
    })
}

fn rate(arguments: &JsonObject) -> Result<CallToolResponse, ErrorData> {
    let (base, target) = (
        tool::text(arguments, "base")?,
        tool::text(arguments, "target")?,
    );
    Ok(match (tables::currency(base), tables::currency(target)) {
        (Some(base), Some(target)) => {
            let rate = tables::rate(base, target);
            let sentence = format!(
                "1 {} is {rate} {} (sample rate of {}).",
                base.code,
                target.code,
                tables::DATE
            );
            tool::done(
                sentence,
                json!({ "base": base.code, "target": target.code, "rate": rate, "date": tables::DATE }),
            )
        }
        _ => tool::failed(format!(
            "There is no rate from {base:?} to {target:?}. Known currencies: {}.",
            tables::codes().join(", ")
        )),
    })
}

fn fee_tool() -> Tool {
    tool::tool(
        "get_fee_for_payment_method",
        "Fee of a payment method",
        "Looks up the transaction fee of a payment method, in percent of the amount.",
        json!({
            "type": "object",
            "properties": { "method": { "type": "string", "title": "Payment method", "description": format!("One of: {}.", tables::methods().join(", ")) } },
            "required": ["method"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": { "method": { "type": "string" }, "fee_percentage": { "type": "number", "minimum": 0 } },
            "required": ["method", "fee_percentage"],
        }),
        reads(),
    )
}

fn rate_tool() -> Tool {
    let code = |title: &str| json!({ "type": "string", "title": title, "description": "Three letters (ISO 4217), such as USD." });
    tool::tool(
        "get_exchange_rate",
        "Exchange rate",
        "Looks up how much one unit of a currency is in another one. Sample rates of a fixed day.",
        json!({
            "type": "object",
            "properties": { "base": code("From"), "target": code("To") },
            "required": ["base", "target"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {
                "base": { "type": "string" }, "target": { "type": "string" },
                "rate": { "type": "number", "exclusiveMinimum": 0 }, "date": { "type": "string", "format": "date" },
            },
            "required": ["base", "target", "rate", "date"],
        }),
        reads(),
    )
}

fn reads() -> ToolAnnotations {
    ToolAnnotations::from_raw(None, Some(true), Some(false), Some(true), Some(false))
}
