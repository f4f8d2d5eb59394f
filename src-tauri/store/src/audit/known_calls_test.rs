//! Whether a call is known.

use crate::testing::{Home, about, opened};
use crate::{Audit, Durability, Entry, Event};
use policy::Refusal;
use protocol::{CallId, QuestionId};
use serde_json::{Map, json};

fn append(audit: &Audit, entry: Entry) {
    audit.append(entry, Durability::Grouped).unwrap();
}

#[tokio::test]
async fn a_call_is_known_from_its_first_record_on_and_after_a_restart() {
    let home = Home::new();
    let (begun, refused, unheard) = (CallId::random(), CallId::random(), CallId::random());
    {
        let store = home.open().await;
        let audit = store.audit();
        append(&audit, opened(&begun, json!({})));
        let cancelled = Event::CallRefused {
            refusal: Refusal::Cancelled,
            arguments: Map::new(),
            duration_ms: 1,
            waited_ms: None,
        };
        append(&audit, about(&refused, cancelled));
        let question = QuestionId::random();
        append(&audit, about(&unheard, Event::QuestionAsked { question }));
        for (call, is_known) in [(&begun, true), (&refused, true), (&unheard, false)] {
            assert_eq!(audit.knows_call(call).await.unwrap(), is_known);
        }
    }
    let audit = home.open().await.audit();
    for (call, is_known) in [(&begun, true), (&refused, true), (&unheard, false)] {
        assert_eq!(audit.knows_call(call).await.unwrap(), is_known);
    }
}

#[tokio::test]
async fn a_call_is_known_however_many_came_after_it() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let first = CallId::random();
    append(&audit, opened(&first, json!({})));
    for _ in 0..3_000 {
        append(&audit, opened(&CallId::random(), json!({})));
    }
    assert!(audit.knows_call(&first).await.unwrap());
    assert!(!audit.knows_call(&CallId::random()).await.unwrap());
}

#[tokio::test]
async fn a_number_is_free_until_somebody_has_it_also_once_they_have_been_learned() {
    let home = Home::new();
    let calls: Vec<CallId> = (0..3_000).map(|_| CallId::random()).collect();
    let free = CallId::random();
    {
        let audit = home.open().await.audit();
        for call in &calls[..2_990] {
            append(&audit, opened(call, json!({})));
        }
    }
    let audit = home.open().await.audit();
    assert!(audit.is_taken(&calls[0]).await.unwrap());
    for call in &calls[2_990..] {
        append(&audit, opened(call, json!({})));
    }
    while !audit.knows_all_numbers().unwrap() {
        tokio::task::yield_now().await;
    }
    for call in &calls {
        assert!(audit.is_taken(call).await.unwrap());
    }
    assert!(!audit.is_taken(&free).await.unwrap());
    append(&audit, opened(&free, json!({})));
    assert!(audit.is_taken(&free).await.unwrap());
}
