//! Fees and rates, for an agent that is to say what of an amount arrives.

use super::{NOT_NOTED, Notes, reads, tool_with};
use crate::rpc::{Call, Outcome, Server, answer, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(crate) struct Currency {
    notes: Notes,
    /// Whether nothing is answered before both tools were called.
    together: bool,
    called: BTreeSet<String>,
    /// Answers that are held back, with the calls that they are for.
    held: Vec<(Value, Value)>,
}

impl Currency {
    pub(crate) fn of(file: Option<String>) -> Self {
        Self {
            notes: Notes::of(file),
            together: false,
            called: BTreeSet::new(),
            held: Vec::new(),
        }
    }

    /// One that answers only once it has been asked for both.
    pub(crate) fn together(file: Option<String>) -> Self {
        Self {
            together: true,
            ..Self::of(file)
        }
    }
}

impl Server for Currency {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let word = json!({ "type": "string" });
        json!({ "tools": [
            reads(tool_with("get_fee_for_payment_method", "Says which part of an amount a way of paying costs", &json!({ "method": word }))),
            reads(tool_with("get_exchange_rate", "Says how much of one currency another one is worth", &json!({ "base_currency": word, "target_currency": word }))),
        ] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let result = match call.tool.as_str() {
            "get_fee_for_payment_method" => fee(call.text("method")),
            "get_exchange_rate" => rate(call.text("base_currency"), call.text("target_currency")),
            _ => return Outcome::Error("no such tool"),
        };
        if self.notes.add(&call.tool).is_err() {
            return Outcome::Error(NOT_NOTED);
        }
        let result = text(result.to_string());
        self.called.insert(call.tool);
        if self.together && self.called.len() < 2 {
            self.held.push((call.id, result));
            return Outcome::Later;
        }
        for (id, result) in self.held.drain(..) {
            answer(&id, &result);
        }
        Outcome::Result(result)
    }
}

fn fee(method: &str) -> Value {
    let fee = match method.to_lowercase().as_str() {
        "platinum credit card" => 0.02,
        "gold debit card" => 0.035,
        "bank transfer" => 0.01,
        _ => return error(format!("Payment method '{method}' not found")),
    };
    json!({ "status": "success", "fee_percentage": fee })
}

fn rate(base: &str, target: &str) -> Value {
    let rate = match (base.to_lowercase().as_str(), target.to_lowercase().as_str()) {
        ("usd", "eur") => 0.93,
        ("usd", "jpy") => 157.50,
        ("usd", "inr") => 83.58,
        _ => return error(format!("Unsupported currency pair: {base}/{target}")),
    };
    json!({ "status": "success", "rate": rate })
}

fn error(message: String) -> Value {
    json!({ "status": "error", "error_message": message })
}
