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
