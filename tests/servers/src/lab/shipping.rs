//! Orders of containers, of which large ones need a person's yes. How it is asked for, or that it is
//! not, is what sets these servers apart.
//!
//! In the file stand: `place_shipping_order N DESTINATION` each time the code of the tool begins, what
//! it says when it pauses, and the number of each order that is placed.

use super::{NOT_NOTED, Notes, tool_with};
use crate::modern::{Requests, fresh};
use crate::rpc::{Call, Outcome, Server, ask, text};
use serde_json::{Value, json};
use std::io;
use std::thread;
use std::time::Duration;

/// Up to so many containers are no large order.
const LARGE: u64 = 5;

/// What is to go where.
struct Order {
    containers: u64,
    destination: String,
}

impl Order {
    fn of(arguments: &Value) -> Self {
        Self {
            containers: arguments["num_containers"].as_u64().unwrap_or_default(),
            destination: arguments["destination"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        }
    }

    fn is_large(&self) -> bool {
        self.containers > LARGE
    }

    fn words(&self) -> String {
        let Self {
            containers,
            destination,
        } = self;
        format!("{containers} 个集装箱发往 {destination}")
    }

    /// The code before the pause.
    fn begin(&self, notes: &Notes) -> io::Result<()> {
        let Self {
            containers,
            destination,
        } = self;
        notes.add(&format!("place_shipping_order {containers} {destination}"))
    }

    fn pause(&self, notes: &Notes) -> io::Result<()> {
        notes.add(&format!("⚠️ 大订单检测: {},需要人工审批", self.words()))
    }

    fn form(&self) -> Value {
        let confirmed = json!({ "type": "boolean", "title": "Confirmed" });
        json!({
            "message": format!("⚠️ 大订单: {}。是否批准?", self.words()),
            "requestedSchema": { "type": "object", "properties": { "confirmed": confirmed }, "required": ["confirmed"] },
        })
    }

    fn place(&self, notes: &Notes) -> io::Result<Value> {
        let (by, status, said) = match self.is_large() {
            true => ("HUMAN", "approved", "订单已批准"),
            false => ("AUTO", "auto_approved", "订单自动批准"),
        };
        let number = format!("ORD-{}-{by}", self.containers);
        notes.add(&number)?;
        let message = format!("✅ {said}: {},订单号: {number}", self.words());
        Ok(result(status, &message))
    }

    /// What comes of an answer to the form.
    fn answered(&self, answer: &Value, notes: &Notes) -> io::Result<Value> {
        match answer["action"] == "accept" && answer["content"]["confirmed"] == true {
            true => self.place(notes),
            false => Ok(result(
                "rejected",
                &format!("❌ 订单已拒绝: {}", self.words()),
            )),
        }
    }
}

fn result(status: &str, message: &str) -> Value {
    text(json!({ "status": status, "message": message }).to_string())
}

fn tools() -> Value {
    let properties =
        json!({ "num_containers": { "type": "integer" }, "destination": { "type": "string" } });
    json!({ "tools": [tool_with("place_shipping_order", "Orders that containers are shipped", &properties)] })
}

/// How a server of the handshake goes about a large order.
enum Manner {
    /// It leaves it to its host whether somebody is asked.
    Places,
    /// It places every order and never says so.
    Silent,
    /// It asks in the middle of the call.
    Asks,
}

pub(crate) struct Shipping {
    notes: Notes,
    manner: Manner,
}

impl Shipping {
    pub(crate) fn of(file: Option<String>) -> Self {
        Self {
            notes: Notes::of(file),
            manner: Manner::Places,
        }
    }

    pub(crate) fn silent(file: Option<String>) -> Self {
        Self {
            manner: Manner::Silent,
            ..Self::of(file)
        }
    }

    pub(crate) fn asking(file: Option<String>) -> Self {
        Self {
            manner: Manner::Asks,
            ..Self::of(file)
        }
    }

    fn order(&self, order: &Order) -> io::Result<Value> {
        order.begin(&self.notes)?;
        if matches!(self.manner, Manner::Asks) && order.is_large() {
            order.pause(&self.notes)?;
            let answer = ask("elicitation/create", &order.form());
            return order.answered(&answer, &self.notes);
        }
        let placed = order.place(&self.notes)?;
        if matches!(self.manner, Manner::Silent) {
            loop {
                thread::sleep(Duration::from_secs(3600));
            }
        }
        Ok(placed)
    }
}

impl Server for Shipping {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        tools()
    }

    fn call(&mut self, call: Call) -> Outcome {
        if call.tool != "place_shipping_order" {
            return Outcome::Error("no such tool");
        }
        let placed = self.order(&Order::of(&Value::Object(call.arguments)));
        placed.map_or(Outcome::Error(NOT_NOTED), Outcome::Result)
    }
}

/// A server of 2026-07-28: it wants a form filled in before it goes on, and remembers nothing
/// meanwhile.
pub(crate) struct PausingShipping(Notes);

impl PausingShipping {
    pub(crate) fn of(file: Option<String>) -> Self {
        Self(Notes::of(file))
    }

    fn call(&self, params: &Value) -> io::Result<Outcome> {
        let order = Order::of(&params["arguments"]);
        order.begin(&self.0)?;
        if !order.is_large() {
            return order.place(&self.0).map(Outcome::Result);
        }
        let state = format!("approval of {}", order.words());
        match params.get("inputResponses") {
            Some(given) if params["requestState"] == state => {
                let result = order.answered(&given["approval"], &self.0);
                result.map(Outcome::Result)
            }
            Some(_) => Ok(Outcome::Error("this is no state of mine")),
            None => {
                order.pause(&self.0)?;
                let mut form = order.form();
                form["mode"] = json!("form");
                let wanted = json!({ "method": "elicitation/create", "params": form });
                Ok(Outcome::Result(
                    json!({ "resultType": "input_required", "inputRequests": { "approval": wanted }, "requestState": state }),
                ))
            }
        }
    }
}

impl Requests for PausingShipping {
    fn request(&mut self, _id: &Value, method: &str, params: &Value) -> Outcome {
        match method {
            "server/discover" => Outcome::Result(json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
                "ttlMs": 60_000,
                "cacheScope": "public",
                "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "shipping", "version": "1.0.0" } },
            })),
            "tools/list" => Outcome::Result(fresh(tools())),
            "tools/call" => self.call(params).unwrap_or(Outcome::Error(NOT_NOTED)),
            _ => Outcome::Refusal(-32_601, "no such method", Value::Null),
        }
    }

    fn cancelled(&mut self, _id: &Value) {}
}
