//! Orders of containers, of which large ones need a person's yes.

use super::{tells, texts};
use serde_json::{Value, json};
use test_servers::model::Step;

/// The tool, as a model is shown it.
pub const TOOL: &str = "harbour__place_shipping_order";
/// What the model says of an order of which nobody knows.
pub const LOOK_FIRST: &str = "Nobody knows whether it was ordered.";

fn order(containers: u64, destination: &str) -> Step {
    let arguments = json!({"num_containers": containers, "destination": destination});
    Step::wants([(TOOL, arguments)])
}

/// A model that orders, and says what came of it.
pub fn agent(
    containers: u64,
    destination: &'static str,
) -> impl FnMut(&Value) -> Step + Send + 'static {
    move |request| {
        let result = texts(request).into_iter().find_map(|text| {
            let (_, said) = text.split_once("\"message\":\"")?;
            Some(said.split_once('"')?.0.to_owned())
        });
        match result {
            Some(message) => Step::says(&message),
            None if tells(request, "Nobody knows whether this was carried out") => {
                Step::says(LOOK_FIRST)
            }
            None if tells(request, "It was not carried out.") => Step::says("It was not ordered."),
            None => order(containers, destination),
        }
    }
}

/// What the model says of an order that was placed.
pub fn placed(containers: u64, destination: &str) -> String {
    let (said, by) = match containers > 5 {
        true => ("订单已批准", "HUMAN"),
        false => ("订单自动批准", "AUTO"),
    };
    format!("✅ {said}: {containers} 个集装箱发往 {destination},订单号: ORD-{containers}-{by}")
}
