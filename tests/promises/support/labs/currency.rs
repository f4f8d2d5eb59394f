//! Fees and rates, and what of an amount arrives.

use super::{Reached, texts};
use crate::support::TestHost;
use serde_json::{Value, json};
use test_servers::model::Step;

/// A host with the server of fees and rates, whose tools need no question.
pub async fn host(lab: &str) -> (TestHost, Reached) {
    let test = TestHost::new().await;
    let reached = super::add(&test, "exchange", lab).await;
    super::allow(&test, "exchange").await;
    (test, reached)
}

/// The agent of the course, whose helper calculates: it never does so itself. Its number.
pub async fn assistant(test: &TestHost) -> Value {
    let calculator = json!({"name": "CalculationAgent", "description": "Works out one expression.",
        "instructions": "You calculate. Work out the expression with your tool, and answer with the number alone.",
        "calculates": true, "tools": {"kind": "chosen", "tools": []}, "answer": {"kind": "number"}});
    let calculator = save(test, calculator).await;
    let instructions = "You help with payments in other currencies. First look up the fee of the way of \
        paying, and the exchange rate. After each call look at its status: on an error stop, and say what \
        is wrong. Never calculate yourself: have CalculationAgent work out each number. In your answer \
        give the amount that arrives first, then the fee in percent and in the first currency, the amount \
        after it, and the rate.";
    let agent = json!({"name": "enhanced_currency_agent", "instructions": instructions, "helpers": [calculator]});
    save(test, agent).await
}

async fn save(test: &TestHost, settings: Value) -> Value {
    let saved = test.ask("save_assistant", json!({"settings": settings}));
    saved.await.unwrap()["id"].clone()
}

/// Whether this is a request of the agent's helper.
pub fn is_calculators(request: &Value) -> bool {
    request["system"].to_string().contains("You calculate.")
}

/// What the helper says: it has its tool work out what it is given.
pub fn calculator(request: &Value) -> Step {
    let texts = texts(request);
    let is_number =
        |text: &&String| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if let Some(number) = texts.iter().rev().find(is_number) {
        return Step::says(number);
    }
    let task = texts
        .iter()
        .find_map(|text| text.strip_prefix("Work out: "));
    let expression = task.and_then(|task| task.lines().next());
    Step::wants([("calculate", json!({"expression": expression}))])
}

/// An amount to be changed.
pub struct Exchange {
    /// What the person says.
    pub says: &'static str,
    /// In hundredths.
    amount: i64,
    method: &'static str,
    target: &'static str,
}

impl Exchange {
    const fn usd(
        says: &'static str,
        amount: i64,
        method: &'static str,
        target: &'static str,
    ) -> Self {
        Self {
            says,
            amount: amount * 100,
            method,
            target,
        }
    }

    /// Wants the fee and the rate in one reply.
    pub fn calls(&self) -> Step {
        let pair = json!({"base_currency": "USD", "target_currency": self.target});
        Step::wants([
            (
                "exchange__get_fee_for_payment_method",
                json!({"method": self.method}),
            ),
            ("exchange__get_exchange_rate", pair),
        ])
    }

    /// A model that wants the fee and the rate, and says what comes of these, or what is wrong.
    pub fn agent(&'static self) -> impl FnMut(&Value) -> Step + Send + 'static {
        move |request| {
            let wrong = texts(request).into_iter().find_map(|text| {
                let (_, said) = text.split_once("\"error_message\":\"")?;
                Some(said.split_once('"')?.0.to_owned())
            });
            match (
                told(request, "fee_percentage"),
                told(request, "rate"),
                wrong,
            ) {
                (_, _, Some(wrong)) => Step::says(&wrong),
                (Some(fee), Some(rate), _) => Step::says(&self.answer(fee, rate)),
                _ => self.calls(),
            }
        }
    }

    /// A model that wants the fee and the rate, has its calculator work out each number, and says
    /// these, or what is wrong; and the calculator.
    pub fn agent_with_calculator(&'static self) -> impl FnMut(&Value) -> Step + Send + 'static {
        move |request| self.with_calculator(request)
    }

    fn with_calculator(&self, request: &Value) -> Step {
        let texts = texts(request);
        if is_calculators(request) {
            return calculator(request);
        }
        let wrong = texts.iter().find_map(|text| {
            let (_, said) = text.split_once("\"error_message\":\"")?;
            Some(said.split_once('"')?.0.to_owned())
        });
        if let Some(wrong) = wrong {
            return Step::says(&wrong);
        }
        let (Some(fee), Some(rate)) = (told(request, "fee_percentage"), told(request, "rate"))
        else {
            return self.calls();
        };
        let numbers: Vec<&str> = texts
            .iter()
            .filter_map(|text| text.strip_prefix("Answer: "))
            .collect();
        let (amount, fee, rate) = (self.amount / 100, trimmed(fee, 4), trimmed(rate, 4));
        let digits = if self.target == "JPY" { 0 } else { 2 };
        match numbers[..] {
            [cost, rest, result] => Step::says(&format!(
                "{result} {}; fee {cost} USD, after it {rest} USD.",
                self.target
            )),
            [] => work_out(&format!("{amount} * {fee}")),
            [_] => work_out(&format!("{amount} - {amount} * {fee}")),
            _ => work_out(&format!(
                "round(({amount} - {amount} * {fee}) * {rate}, {digits})"
            )),
        }
    }

    /// What the model makes of the fee and the rate that it was told, in parts of ten thousand.
    fn answer(&self, fee: i64, rate: i64) -> String {
        let cost = self.amount * fee / 10_000;
        let rest = self.amount - cost;
        // The smallest unit that is said of a currency, in hundredths of it.
        let unit = if self.target == "JPY" { 100 } else { 1 };
        let exact = rest * rate;
        let result = (exact + 5_000 * unit) / (10_000 * unit) * unit;
        let (shown, target) = (money(result, unit == 1), self.target);
        format!(
            "{shown} {target}. Fee: {} %, {} USD; after it {} USD; rate {}.",
            trimmed(fee, 2),
            money(cost, cost % 100 > 0),
            money(rest, rest % 100 > 0),
            trimmed(rate, 4),
        )
    }
}

/// Has the calculator work something out.
fn work_out(expression: &str) -> Step {
    let task = format!("Work out: {expression}");
    Step::wants([("ask_calculationagent", json!({"task": task}))])
}

/// Amounts of which something arrives.
pub const EXCHANGES: [Exchange; 4] = [
    Exchange::usd(
        "Change 500 USD into INR, paid by platinum credit card.",
        500,
        "platinum credit card",
        "INR",
    ),
    Exchange::usd(
        "Change 1,250 USD into INR, paid by bank transfer.",
        1_250,
        "bank transfer",
        "INR",
    ),
    Exchange::usd(
        "Change 200 USD into JPY, paid by Platinum Credit Card.",
        200,
        "Platinum Credit Card",
        "JPY",
    ),
    Exchange::usd(
        "Change 100 USD into EUR, paid by gold debit card.",
        100,
        "gold debit card",
        "EUR",
    ),
];

/// What arrives of each.
pub const ARRIVES: [f64; 4] = [40_954.20, 103_430.25, 30_870.0, 89.75];

/// What cannot be done, and what the server says of it.
pub const IMPOSSIBLE: [(Exchange, &str); 2] = [
    (
        Exchange::usd(
            "Change 100 USD into EUR with apple pay.",
            100,
            "apple pay",
            "EUR",
        ),
        "Payment method 'apple pay' not found",
    ),
    (
        Exchange::usd(
            "Change 100 USD into GBP by platinum credit card.",
            100,
            "platinum credit card",
            "GBP",
        ),
        "Unsupported currency pair: USD/GBP",
    ),
];

/// An amount in hundredths, with separators and with or without these.
fn money(hundredths: i64, has_hundredths: bool) -> String {
    let whole = (hundredths / 100).to_string();
    let mut shown = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    match has_hundredths {
        true => format!("{shown}.{:02}", hundredths % 100),
        false => shown,
    }
}

/// A number with so many decimals, without zeros at its end.
fn trimmed(number: i64, decimals: u32) -> String {
    let unit = 10_i64.pow(decimals);
    let (whole, rest) = (number / unit, number % unit);
    let text = format!("{whole}.{rest:0width$}", width = decimals as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of a result that the model was told, in parts of ten thousand.
fn told(request: &Value, field: &str) -> Option<i64> {
    let texts = texts(request);
    let name = format!("\"{field}\":");
    let number = texts.iter().find_map(|text| text.split_once(&name))?.1;
    let end = number.find(|c: char| !c.is_ascii_digit() && c != '.');
    let number: f64 = number[..end.unwrap_or(number.len())].parse().ok()?;
    // Four decimals are as many as there are.
    Some((number * 10_000.0).round() as i64)
}
