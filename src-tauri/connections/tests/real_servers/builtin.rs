//! The built-in servers, as the real programs run them.

use crate::support::{call, program, run, started, text};
use connections::{ConnectionError, StdioStart};
use protocol::{Era, FormResult};
use serde_json::{Map, Value, json};

/// They answer to either era, but what they ask on the way they ask in the older one's way.
fn builtin(name: &str) -> StdioStart {
    StdioStart {
        era: Some(Era::Legacy),
        ..run(program("majordomoctl"), &["builtin", name])
    }
}

#[tokio::test]
async fn currency_knows_fees_and_rates_and_says_what_it_does_not_know() {
    let (connection, _handler) = started(builtin("currency")).await;
    let names: Vec<_> = connection
        .tools()
        .await
        .unwrap()
        .into_iter()
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(names, ["get_fee_for_payment_method", "get_exchange_rate"]);

    let fee = call(
        &connection,
        "get_fee_for_payment_method",
        json!({ "method": "Bank Transfer" }),
    )
    .await
    .unwrap();
    assert_eq!(
        fee.structured,
        Some(json!({ "method": "bank transfer", "fee_percentage": 1.0 }))
    );
    let rate = call(
        &connection,
        "get_exchange_rate",
        json!({ "base": "usd", "target": "EUR" }),
    )
    .await
    .unwrap();
    assert_eq!(rate.structured.unwrap()["rate"], json!(0.8489));

    let unknown = call(
        &connection,
        "get_fee_for_payment_method",
        json!({ "method": "shells" }),
    )
    .await
    .unwrap();
    assert!(unknown.is_error && text(unknown).contains("bank transfer"));
    let unknown = call(
        &connection,
        "get_exchange_rate",
        json!({ "base": "USD", "target": "shells" }),
    )
    .await
    .unwrap();
    assert!(unknown.is_error && text(unknown).contains("EUR"));
    connection.stop().await;
}

/// Orders more than five containers, and answers the form.
async fn large_order(answer: FormResult) -> Value {
    let (connection, handler) = started(builtin("shipping")).await;
    let mut forms = handler.asked.lock().unwrap().take().unwrap();
    let order = json!({ "containers": 9, "destination": "Rotterdam" });
    let (placed, ()) = tokio::join!(call(&connection, "place_shipping_order", order), async {
        let (form, reply) = forms.recv().await.unwrap();
        assert_eq!(
            form.message,
            "Place an order for 9 containers to Rotterdam?"
        );
        assert_eq!(form.schema["properties"]["approve"]["default"], json!(true));
        reply.send(answer).unwrap();
    });
    connection.stop().await;
    placed.unwrap().structured.unwrap()
}

fn accepted(content: Value) -> FormResult {
    let Value::Object(content) = content else {
        panic!("content is an object")
    };
    FormResult::Accept { content }
}

#[tokio::test]
async fn a_small_order_is_placed_at_once() {
    let (connection, _handler) = started(builtin("shipping")).await;
    let order = json!({ "containers": 5, "destination": "Oslo" });
    let placed = call(&connection, "place_shipping_order", order)
        .await
        .unwrap();
    assert_eq!(
        placed.structured,
        Some(
            json!({ "status": "placed", "order_id": "ORD-0001", "containers": 5, "destination": "Oslo" })
        )
    );
    let none = call(
        &connection,
        "place_shipping_order",
        json!({ "containers": 0, "destination": "Oslo" }),
    )
    .await;
    assert!(matches!(none, Err(ConnectionError::Server { .. })));
    connection.stop().await;
}

#[tokio::test]
async fn a_large_order_is_placed_only_when_a_person_says_yes() {
    let placed = large_order(accepted(json!({ "approve": true, "note": "fragile" }))).await;
    assert_eq!(
        (&placed["status"], &placed["note"]),
        (&json!("placed"), &json!("fragile"))
    );
    for no in [
        accepted(json!({ "approve": false })),
        FormResult::Accept {
            content: Map::new(),
        },
        FormResult::Decline,
        FormResult::Cancel,
    ] {
        assert_eq!(large_order(no).await["status"], json!("not_placed"));
    }
}
