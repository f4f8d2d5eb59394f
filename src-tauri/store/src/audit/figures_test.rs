//! The activity in figures, in sentences, and in parts.

use super::call_events::CallClosed;
use crate::testing::{Home, NOW, about, called, closed, noted, opened, row_of, server};
use crate::{Audit, DecidedOffer, Durability, Entry, Event};
use api::{
    ActivityFilter, ActivitySegment, ExportFormat, Outcome, ServerFigures, SpanUnit, TimeFigures,
};
use policy::pin::PinDecision;
use policy::{Layer, Refusal};
use protocol::{CallId, FeatureKind, GrantId, RuleId, Timestamp};
use serde_json::{Map, json};

const DAY: i64 = 86_400_000;

fn append(audit: &Audit, entry: Entry) -> u64 {
    audit.append(entry, Durability::Grouped).unwrap().seq
}

/// A call of a server that ran so long, and ended in this way at a time.
fn call(audit: &Audit, of: &str, at: i64, outcome: Outcome, ran: u64) {
    let id = CallId::random();
    let ended = Event::CallClosed(CallClosed {
        outcome,
        duration_ms: ran + 1_000,
        waited_ms: Some(if outcome == Outcome::Done { 0 } else { 1_000 }),
        ran_ms: Some(ran),
        error: None,
    });
    for entry in [opened(&id, json!({"path": "/srv/tea"})), about(&id, ended)] {
        let (at, server) = (Timestamp(NOW.0 + at), Some(server(of)));
        append(
            audit,
            Entry {
                at,
                server,
                ..entry
            },
        );
    }
}

fn refused(refusal: Refusal) -> Entry {
    let event = Event::CallRefused {
        arguments: Map::new(),
        refusal,
        duration_ms: 3,
        waited_ms: Some(0),
    };
    about(&CallId::random(), event)
}

#[tokio::test]
async fn calls_are_counted_by_span_server_and_end_with_the_times_that_half_and_nearly_all_took() {
    let home = Home::new();
    let audit = home.open().await.audit();
    for nth in 0..18 {
        call(&audit, "files", nth * DAY / 2, Outcome::Done, 10);
    }
    call(&audit, "files", 9 * DAY, Outcome::Done, 500);
    call(&audit, "mail", 9 * DAY, Outcome::Failed, 900);
    let denied = refused(Refusal::NobodyThere);
    let at = Timestamp(NOW.0 + 9 * DAY);
    append(&audit, Entry { at, ..denied });
    append(&audit, noted(Event::HostStopped));
    // Nor is this a call of a tool.
    let read = Event::ResourceRead {
        uri: "file:///srv/tea".into(),
    };
    append(&audit, about(&CallId::random(), read));

    let figures = audit.figures(ActivityFilter::default()).await.unwrap();
    assert_eq!((figures.calls, figures.unit), (21, SpanUnit::Day));
    let sum = |part: fn(&api::SpanFigures) -> u64| figures.spans.iter().map(part).sum::<u64>();
    assert_eq!(
        (sum(|s| s.done), sum(|s| s.failed), sum(|s| s.refused)),
        (19, 1, 1)
    );
    let outcomes: Vec<_> = figures
        .outcomes
        .iter()
        .map(|o| (o.outcome, o.calls))
        .collect();
    assert_eq!(outcomes[0], (Outcome::Done, 19));
    assert_eq!(outcomes.len(), 3);
    let files = ServerFigures {
        server: server("files"),
        calls: 20,
        failed: 0,
        refused: 1,
        ran: Some(TimeFigures {
            p50: 10,
            p95: 500,
            of: 19,
        }),
    };
    assert_eq!(figures.servers[0], files);
    assert_eq!(figures.servers.len(), 2);
    assert_eq!(
        figures.ran,
        Some(TimeFigures {
            p50: 10,
            p95: 500,
            of: 20
        })
    );
    // Only those of which somebody was asked something.
    assert_eq!(
        figures.waited,
        Some(TimeFigures {
            p50: 1_000,
            p95: 1_000,
            of: 1
        })
    );
    assert_eq!((figures.callers.len(), figures.callers[0].calls), (1, 21));

    let mail = ActivityFilter {
        server: Some(server("mail")),
        from: Some(at),
        text: Some("tea".into()),
        ..Default::default()
    };
    let figures = audit.figures(mail).await.unwrap();
    assert_eq!((figures.calls, figures.unit), (1, SpanUnit::Hour));
    let nobody = ActivityFilter {
        text: Some("coffee".into()),
        ..Default::default()
    };
    let figures = audit.figures(nobody).await.unwrap();
    assert_eq!(
        (figures.calls, figures.ran, figures.outcomes),
        (0, None, vec![])
    );
}

#[tokio::test]
async fn figures_of_an_empty_log_are_none() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let far = ActivityFilter {
        from: Some(Timestamp(i64::MIN)),
        to: Some(Timestamp(i64::MAX)),
        ..Default::default()
    };
    for filter in [ActivityFilter::default(), far] {
        let figures = audit.figures(filter).await.unwrap();
        assert_eq!((figures.calls, figures.servers.len()), (0, 0));
        assert!(figures.spans.len() <= 92);
    }
}

#[tokio::test]
async fn a_hundred_callers_are_shown_as_the_twenty_that_asked_most() {
    let home = Home::new();
    let audit = home.open().await.audit();
    for nth in 0..100 {
        let id = format!("editor-{nth}");
        for _ in 0..=nth / 10 {
            called(&audit, (&id, "Editor"), NOW);
        }
    }
    let figures = audit.figures(ActivityFilter::default()).await.unwrap();
    assert_eq!(figures.callers.len(), 20);
    assert_eq!(
        (figures.callers[0].calls, figures.callers[19].calls),
        (10, 9)
    );
}

#[tokio::test]
async fn a_row_says_in_which_part_it_stands_what_it_is_about_and_what_was_chosen() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let root = Event::RootAdded {
        path: "/srv/".to_owned() + &"tea".repeat(100),
    };
    let root = append(&audit, noted(root));
    let on = append(&audit, noted(Event::ServerSwitched { on: true }));
    let decided = |name: &str, decision| DecidedOffer {
        kind: FeatureKind::Tool,
        name: name.into(),
        decision,
        fingerprint: None,
    };
    let same = ["a", "b", "c"].map(|name| decided(name, PinDecision::Approve));
    let same = Event::OffersDecided {
        decided: same.into(),
    };
    let same = append(&audit, noted(same));
    let several = Event::OffersDecided {
        decided: vec![
            decided("a", PinDecision::Approve),
            decided("b", PinDecision::Block),
        ],
    };
    let several = append(&audit, noted(several));
    let forbidden = Refusal::Forbidden {
        rules: vec![RuleId::from("rule-1")],
        by: Layer::Person,
        reason: None,
    };
    let forbidden = append(&audit, refused(forbidden));
    let call = CallId::random();
    let granted = append(&audit, opened(&call, json!({})));
    append(&audit, closed(&call, Outcome::Done, None));
    let stopped = append(&audit, noted(Event::HostStopped));

    let row = row_of(&audit, root).await;
    assert_eq!(row.segment, ActivitySegment::Decisions);
    assert_eq!(row.subject.unwrap().chars().count(), 201);
    assert_eq!(row_of(&audit, on).await.choice.as_deref(), Some("on"));
    let row = row_of(&audit, same).await;
    assert_eq!(
        (row.subject.as_deref(), row.choice.as_deref(), row.count),
        (Some("a"), Some("approve"), Some(3))
    );
    let row = row_of(&audit, several).await;
    assert_eq!((row.choice, row.count), (None, Some(2)));
    let row = row_of(&audit, forbidden).await;
    assert_eq!(
        (row.segment, row.rule),
        (ActivitySegment::Calls, Some(RuleId::from("rule-1")))
    );
    assert_eq!(
        row_of(&audit, granted).await.grant,
        Some(GrantId::from("grant-1"))
    );

    let of = async |segment, text: Option<&str>| {
        let filter = ActivityFilter {
            segment: Some(segment),
            text: text.map(str::to_owned),
            ..Default::default()
        };
        let page = audit.activity(filter, None, 100).await.unwrap();
        page.rows.iter().map(|row| row.seq).collect::<Vec<_>>()
    };
    assert_eq!(of(ActivitySegment::Calls, None).await, [granted, forbidden]);
    assert_eq!(
        of(ActivitySegment::Decisions, None).await,
        [several, same, on, root]
    );
    assert_eq!(of(ActivitySegment::System, None).await[0], stopped);
    let switched = Some("server_switched");
    assert!(of(ActivitySegment::System, switched).await.is_empty());
    assert_eq!(of(ActivitySegment::Decisions, switched).await, [on]);
}

#[tokio::test]
async fn what_is_exported_under_a_filter_is_all_that_belongs_to_its_rows() {
    let home = Home::new();
    let audit = home.open().await.audit();
    call(&audit, "files", 0, Outcome::Done, 10);
    call(&audit, "mail", 0, Outcome::Done, 10);
    let of = |server: &str| ActivityFilter {
        server: Some(crate::testing::server(server)),
        ..Default::default()
    };
    let all = audit.export(ExportFormat::Jsonl, None).await.unwrap();
    let mail = audit
        .export(ExportFormat::Jsonl, Some(of("mail")))
        .await
        .unwrap();
    assert_eq!((mail.records, mail.missing), (2, 0));
    assert!(all.text.ends_with(&mail.text) && !mail.text.contains("files"));
    let none = audit
        .export(ExportFormat::Csv, Some(of("nobody")))
        .await
        .unwrap();
    assert_eq!((none.records, none.text.lines().count()), (0, 1));
}
