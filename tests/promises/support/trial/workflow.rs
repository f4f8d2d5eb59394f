//! The workflows: what is said, and what is expected to come of it.

use super::expected::Expected;
use crate::support::TestHost;
use crate::support::labs::{self, Reached, currency, images};
use serde_json::Value;

/// A workflow.
#[derive(Debug, Clone, Copy)]
pub enum Workflow {
    Currency,
    Image,
    Shipping,
}

/// One thing that is to be done.
pub struct Task {
    /// What the person says.
    pub says: String,
    /// Whether they say yes where they are asked.
    pub yes: bool,
    /// What is to come of it.
    pub expected: Vec<Expected>,
}

impl Task {
    fn new(says: &str, expected: Vec<Expected>) -> Self {
        Self {
            says: says.to_owned(),
            yes: true,
            expected,
        }
    }
}

impl Workflow {
    pub const ALL: [Self; 3] = [Self::Currency, Self::Image, Self::Shipping];

    pub fn name(self) -> &'static str {
        match self {
            Self::Currency => "currency",
            Self::Image => "image",
            Self::Shipping => "shipping",
        }
    }

    /// A host with the server of the workflow, whose approved tools need no question.
    pub async fn host(self) -> (TestHost, Reached) {
        match self {
            Self::Currency => currency::host("lab-currency").await,
            Self::Image => images::host().await,
            Self::Shipping => {
                let test = TestHost::new().await;
                let reached = labs::add(&test, "harbour", "lab-shipping-pauses").await;
                labs::allow(&test, "harbour").await;
                (test, reached)
            }
        }
    }

    /// The assistant that is tried, if it is one.
    pub async fn assistant(self, test: &TestHost) -> Option<Value> {
        match self {
            Self::Currency => Some(currency::assistant(test).await),
            Self::Image | Self::Shipping => None,
        }
    }

    pub fn tasks(self) -> Vec<Task> {
        match self {
            Self::Currency => exchanges().chain(impossible()).collect(),
            Self::Image => vec![Task::new(
                "Show me the tiny picture.",
                vec![
                    Expected::Answered("everything__get-tiny-image"),
                    Expected::Picture,
                ],
            )],
            Self::Shipping => orders(),
        }
    }
}

fn exchanges() -> impl Iterator<Item = Task> {
    let all = currency::EXCHANGES.iter().zip(currency::ARRIVES);
    all.map(|(exchange, arrives)| {
        let expected = vec![
            Expected::Answered("exchange__get_fee_for_payment_method"),
            Expected::Answered("exchange__get_exchange_rate"),
            Expected::Helped("ask_calculationagent"),
            Expected::Number(arrives),
        ];
        Task::new(exchange.says, expected)
    })
}

fn impossible() -> impl Iterator<Item = Task> {
    currency::IMPOSSIBLE.iter().map(|(exchange, wrong)| {
        let (tool, word) = match wrong.starts_with("Payment method") {
            true => ("exchange__get_fee_for_payment_method", &["apple pay"]),
            false => ("exchange__get_exchange_rate", &["GBP"]),
        };
        let expected = vec![
            Expected::Answered(tool),
            Expected::Says(word),
            Expected::Says(&["not found", "not supported", "unsupported", "not available"]),
        ];
        Task::new(exchange.says, expected)
    })
}

fn orders() -> Vec<Task> {
    const TOOL: &str = labs::shipping::TOOL;
    let order = |says, number: &'static str| {
        Task::new(
            says,
            vec![Expected::Answered(TOOL), Expected::Ordered(number)],
        )
    };
    let mut refused = Task::new(
        "Ship 8 containers to Los Angeles.",
        vec![
            Expected::Answered(TOOL),
            Expected::Says(&["reject", "refus", "declin", "denied", "not ", "拒绝"]),
        ],
    );
    refused.yes = false;
    vec![
        order("Ship 3 containers to Singapore.", "ORD-3-AUTO"),
        order("Ship 10 containers to Rotterdam.", "ORD-10-HUMAN"),
        refused,
    ]
}
