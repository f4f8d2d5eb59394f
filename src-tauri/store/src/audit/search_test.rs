//! Rows, their details, and finding them again.

use super::Exported;
use super::call_events::CallClosed;
use crate::db;
use crate::testing::{
    Home, NOW, about, called, callers, closed, fill, noted, opened, row_of, server,
};
use crate::{Audit, DecidedOffer, Durability, Entry, Event, StoreError};
use api::{ActivityFilter, ExportFormat, Outcome};
use policy::pin::PinDecision;
use policy::{Refusal, RuleProblem};
use protocol::{
    CallId, Caller, CallerFilter, FeatureKind, GrantId, Launch, QuestionId, RuleId, Timestamp,
};
use serde_json::{Map, json};

fn append(audit: &Audit, entry: Entry) -> u64 {
    audit.append(entry, Durability::Grouped).unwrap().seq
}

async fn found(audit: &Audit, filter: ActivityFilter) -> Vec<u64> {
    audit
        .activity(filter, None, 500)
        .await
        .unwrap()
        .rows
        .iter()
        .map(|row| row.seq)
        .collect()
}

fn text(words: &str) -> ActivityFilter {
    ActivityFilter {
        text: Some(words.into()),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_call_is_one_row_from_its_opening_to_its_end() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let call = CallId::random();
    let question = QuestionId::random();
    append(
        &audit,
        about(
            &call,
            Event::QuestionAsked {
                question: question.clone(),
            },
        ),
    );
    let answer = Event::QuestionAnswered {
        question,
        answer: "allow_once".into(),
        reason: None,
    };
    append(
        &audit,
        Entry {
            approver: Some("window".into()),
            ..about(&call, answer)
        },
    );
    let seq = append(&audit, opened(&call, json!({"path": "/tmp/a"})));
    assert_eq!(row_of(&audit, seq).await.outcome, Outcome::Running);
    let end = append(
        &audit,
        closed(&call, Outcome::Failed, Some("the pipe broke")),
    );

    let row = row_of(&audit, end).await;
    assert_eq!(
        (row.seq, row.what.as_str(), row.outcome),
        (seq, "call", Outcome::Failed)
    );
    assert_eq!(
        (row.duration_ms, row.waited_ms, row.ran_ms),
        (Some(12), Some(7), Some(5))
    );
    assert_eq!(
        (row.at, row.caller.as_ref(), row.server.as_ref()),
        (NOW, Some(&Caller::window()), Some(&server("files")))
    );
    let detail = audit.detail(seq).await.unwrap();
    assert_eq!(
        detail.arguments,
        json!({"path": "/tmp/a"}).as_object().cloned()
    );
    assert_eq!(detail.error.as_deref(), Some("the pipe broke"));
    assert!(detail.permission.is_some() && detail.refusal.is_none());
    let numbers: Vec<_> = detail
        .records
        .iter()
        .map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap()["seq"].clone())
        .collect();
    assert_eq!(numbers, [2, 3, 4, 5]);

    assert_eq!(found(&audit, ActivityFilter::default()).await, [4, 3]);
    assert!(audit.rows_of(vec![2]).await.unwrap().is_empty());
    let rows = audit.rows_of(vec![2, 4, 3, 4]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [4, 3]);
    assert!(matches!(
        audit.detail(99).await,
        Err(StoreError::UnknownRecord { seq: 99 })
    ));
}

#[tokio::test]
async fn a_refused_call_says_why() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let refused = |refusal| {
        about(
            &CallId::random(),
            Event::CallRefused {
                arguments: Map::new(),
                refusal,
                duration_ms: 3,
                waited_ms: Some(2),
            },
        )
    };
    let said = Refusal::DeniedByPerson {
        reason: Some("not on a Sunday".into()),
    };
    let seq = append(&audit, refused(said.clone()));
    append(&audit, refused(Refusal::Cancelled));
    assert_eq!(audit.detail(seq).await.unwrap().refusal, Some(said));
    assert_eq!(row_of(&audit, 2).await.outcome, Outcome::Refused);
    assert_eq!(row_of(&audit, 3).await.outcome, Outcome::Cancelled);
    assert_eq!(found(&audit, text("sunday")).await, [2]);
}

#[tokio::test]
async fn of_a_call_that_ended_before_its_parts_were_kept_they_are_unknown_and_not_zero() {
    let home = Home::new();
    let store = home.open().await;
    let call = CallId::random();
    let seq = append(&store.audit(), opened(&call, json!({})));
    let earlier = Event::CallClosed(CallClosed {
        outcome: Outcome::Done,
        duration_ms: 46_300,
        waited_ms: None,
        ran_ms: None,
        error: None,
    });
    append(&store.audit(), about(&call, earlier));
    row_of(&store.audit(), seq).await;
    store.close().await;
    drop(store);
    // As it was before there were parts.
    std::fs::remove_file(home.dir().join(db::FILE)).unwrap();
    let database = rusqlite::Connection::open(home.dir().join(db::FILE)).unwrap();
    db::take_steps(&database, 6);
    drop(database);

    let row = row_of(&home.open().await.audit(), seq).await;
    assert_eq!(
        (row.duration_ms, row.waited_ms, row.ran_ms),
        (Some(46_300), None, None)
    );
}

#[tokio::test]
async fn whoever_asked_last_is_listed_first_by_the_name_it_had_last() {
    let home = Home::new();
    let audit = home.open().await.audit();
    for caller in [
        ("a", "Editor"),
        ("b", "Notes"),
        ("a", "Editor"),
        ("a", "Editor 2"),
        ("b", "Notes"),
    ] {
        called(&audit, caller, NOW);
    }
    let listed = [("b", "Notes"), ("a", "Editor 2")];
    let listed = listed.map(|(id, name)| (id.to_owned(), name.to_owned()));
    assert_eq!(callers(&audit).await, listed);
}

#[tokio::test]
async fn rows_are_found_by_server_tool_outcome_and_words_together() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let (one, two) = (CallId::random(), CallId::random());
    append(
        &audit,
        opened(
            &one,
            json!({"query": "weather in Zürich", "deep": {"list": ["umbrella", 42]}}),
        ),
    );
    append(
        &audit,
        Entry {
            server: Some(server("mail")),
            tool: Some("send".into()),
            ..opened(&two, json!({"to": "zoe", "text": "读取文件内容"}))
        },
    );
    append(
        &audit,
        closed(&one, Outcome::Failed, Some("connection reset by peer")),
    );
    append(
        &audit,
        Entry {
            server: Some(server("mail")),
            ..noted(Event::ServerAdded {
                launch: Launch::Builtin {
                    name: "currency".into(),
                },
            })
        },
    );

    let by = |filter: ActivityFilter| found(&audit, filter);
    assert_eq!(
        by(ActivityFilter {
            server: Some(server("MAIL")),
            ..Default::default()
        })
        .await,
        [5, 3]
    );
    assert_eq!(
        by(ActivityFilter {
            tool: Some("send".into()),
            ..Default::default()
        })
        .await,
        [3]
    );
    assert_eq!(
        by(ActivityFilter {
            outcome: Some(Outcome::Failed),
            ..Default::default()
        })
        .await,
        [2]
    );
    assert!(
        by(ActivityFilter {
            outcome: Some(Outcome::Done),
            ..text("weather")
        })
        .await
        .is_empty()
    );
    for (words, expected) in [
        ("zurich", vec![2]),
        ("umbrella 42 query", vec![2]),
        ("weather reset", vec![2]),
        ("weather zoe", vec![]),
        ("umbr", vec![2]),
        ("read_text", vec![2]),
        ("文件", vec![3]),
        ("取文件内", vec![3]),
        ("容", vec![3]),
        ("件文", vec![]),
        ("currency", vec![5]),
        ("server_added", vec![5]),
        ("mail", vec![5, 3]),
    ] {
        assert_eq!(by(text(words)).await, expected, "{words}");
    }
}

#[tokio::test]
async fn what_a_row_shows_is_what_it_is_found_by() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let (rule, lapsed) = (RuleId::random(), GrantId::random());
    let long = format!("{} harvest", "leaf ".repeat(100));
    let file = "/etc/majordomo/policy.json";
    let decided = DecidedOffer {
        kind: FeatureKind::Tool,
        name: "steep".into(),
        decision: PinDecision::Approve,
        fingerprint: None,
    };
    let problem = RuleProblem {
        place: "rules.policy".into(),
        line: Some(3),
        column: None,
        problem: "unexpected kettle".into(),
    };
    let events = [
        (
            Event::RuleMade {
                rule: rule.clone(),
                text: "forbid pouring".into(),
            },
            vec!["pouring", rule.as_str()],
        ),
        (
            Event::RuleRemoved {
                rule: rule.clone(),
                text: "forbid spilling".into(),
            },
            vec!["spilling"],
        ),
        (Event::PolicyGone { file: file.into() }, vec!["policy.json"]),
        (
            Event::PolicyBroken { problem },
            vec!["rules.policy", "kettle"],
        ),
        (Event::OfferDecided { decided }, vec!["steep"]),
        (
            Event::GrantLapsed {
                grant: lapsed.clone(),
            },
            vec![lapsed.as_str()],
        ),
        (Event::ResourceRead { uri: long }, vec!["harvest"]),
    ];
    for (event, words) in events {
        let shown = format!("{event:?}");
        let seq = append(&audit, noted(event));
        for word in words {
            let found = found(&audit, text(word)).await;
            assert_eq!(found.first(), Some(&seq), "{word}: {shown}");
        }
    }
}

#[tokio::test]
async fn what_is_deep_in_the_log_is_found_as_exactly_as_what_is_new() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let (one, two) = (CallId::random(), CallId::random());
    let terminal = |entry| Entry {
        caller: Some(Caller::terminal()),
        ..entry
    };
    append(
        &audit,
        terminal(opened(&one, json!({"text": "conversation 读取文件"}))),
    );
    append(
        &audit,
        terminal(closed(&one, Outcome::Failed, Some("the pipe broke"))),
    );
    append(
        &audit,
        opened(&two, json!({"text": "conversations 件读取文"})),
    );
    append(&audit, closed(&two, Outcome::ToolError, None));
    for number in 0..2_100 {
        let outcome = if number % 2 == 0 {
            Outcome::Failed
        } else {
            Outcome::ToolError
        };
        append(&audit, terminal(closed(&CallId::random(), outcome, None)));
    }

    let by = |filter: ActivityFilter| found(&audit, filter);
    for (words, expected) in [
        ("conversation", vec![4, 2]),
        ("conversations", vec![4]),
        ("conversationalist", vec![]),
        ("取文件", vec![2]),
        ("pipe", vec![2]),
    ] {
        assert_eq!(by(text(words)).await, expected, "{words}");
    }
    for (outcome, expected) in [(Outcome::Failed, vec![2]), (Outcome::ToolError, vec![4])] {
        assert_eq!(
            by(ActivityFilter {
                outcome: Some(outcome),
                ..text("conversation")
            })
            .await,
            expected,
            "{outcome:?}"
        );
    }
    assert_eq!(
        by(ActivityFilter {
            caller: Some(CallerFilter::from(&Caller::terminal())),
            ..text("conversation")
        })
        .await,
        [2]
    );
    assert_eq!(
        by(ActivityFilter {
            server: Some(server("files")),
            ..text("conversation")
        })
        .await,
        [4, 2]
    );
}

#[tokio::test]
async fn rows_of_a_time_are_found_although_the_clock_went_back() {
    let home = Home::new();
    let audit = home.open().await.audit();
    let at = |number: i64| Timestamp(NOW.0 + number);
    for number in (10..2_100).chain([20]) {
        append(
            &audit,
            Entry {
                at: at(number),
                ..noted(Event::ServerRemoved)
            },
        );
    }
    let last = append(
        &audit,
        Entry {
            at: at(9_000),
            ..noted(Event::ServerRemoved)
        },
    );
    let between = |from: i64, to: i64| {
        found(
            &audit,
            ActivityFilter {
                from: Some(at(from)),
                to: Some(at(to)),
                ..Default::default()
            },
        )
    };
    assert_eq!(between(20, 21).await, [last - 1, 12]);
    assert_eq!(between(2_099, 9_001).await, [last, last - 2]);
    assert!(between(3_000, 9_000).await.is_empty());
}

#[tokio::test]
async fn no_text_makes_a_search_fail() {
    let home = Home::new();
    let audit = home.open().await.audit();
    fill(&audit, 4);
    for odd in [
        "\"", "'", "a\"b", "NEAR(", "words:x", "^a", "a AND", "OR", "-", "*", "(", "{x}", "\0",
        "%", "🦀", "a*b", "ＡＢ", "e\u{301}", "a🅐b", " ",
    ] {
        audit
            .activity(text(odd), None, 10)
            .await
            .unwrap_or_else(|error| panic!("{odd:?}: {error}"));
    }
    audit
        .activity(text(&"long 文字 ".repeat(3_000)), None, 10)
        .await
        .unwrap();
}

#[tokio::test]
async fn signs_without_a_letter_find_nothing() {
    let home = Home::new();
    let audit = home.open().await.audit();
    fill(&audit, 4);
    for (odd, rows) in [("***", 0), ("🦀", 0), ("\"", 0), ("  ", 2), ("", 2)] {
        assert_eq!(found(&audit, text(odd)).await.len(), rows, "{odd:?}");
    }
}

#[tokio::test]
async fn pages_join_without_gap_or_overlap() {
    let home = Home::new();
    let audit = home.open().await.audit();
    for _ in 0..25 {
        append(&audit, noted(Event::HostStopped));
    }
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = audit
            .activity(ActivityFilter::default(), before, 10)
            .await
            .unwrap();
        seen.extend(page.rows.iter().map(|row| row.seq));
        match page.next {
            Some(next) => before = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, (2..=26).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn an_index_that_is_lost_or_of_another_log_is_made_again() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 40);
    let rows = store
        .audit()
        .activity(ActivityFilter::default(), None, 100)
        .await
        .unwrap()
        .rows;
    store.close().await;
    drop(store);
    for damage in [
        "DELETE FROM activity_state; DELETE FROM activity; DELETE FROM activity_records; DELETE FROM activity_times; INSERT INTO activity_words (activity_words) VALUES ('delete-all');",
        "UPDATE activity_state SET seq = 999",
        "UPDATE activity_state SET hash = 'another'; UPDATE activity SET outcome = 'running', server = 'forged'",
    ] {
        let database = rusqlite::Connection::open(home.dir().join(crate::db::FILE)).unwrap();
        database.execute_batch(damage).unwrap();
        drop(database);
        let store = home.open().await;
        assert_eq!(
            store
                .audit()
                .activity(ActivityFilter::default(), None, 100)
                .await
                .unwrap()
                .rows,
            rows,
            "{damage}"
        );
        assert_eq!(found(&store.audit(), text("38 txt")).await, [40]);
        store.close().await;
    }
}

#[tokio::test]
async fn the_whole_log_leaves_as_json_lines_and_as_a_table() {
    let home = Home::new();
    let store = home.open().await;
    let audit = store.audit();
    let call = CallId::random();
    append(
        &audit,
        opened(&call, json!({"formula": "=1+1", "quote": "a \"b\""})),
    );
    append(
        &audit,
        closed(&call, Outcome::Failed, Some("=cmd|' /C calc'!A0")),
    );
    append(
        &audit,
        Entry {
            at: Timestamp(0),
            ..noted(Event::ServerRemoved)
        },
    );
    let answered = Event::QuestionAnswered {
        question: QuestionId::from("question-1"),
        answer: "deny".into(),
        reason: Some("=not, this \"one\"".into()),
    };
    append(
        &audit,
        Entry {
            approver: Some("terminal".into()),
            ..noted(answered)
        },
    );
    append(
        &audit,
        noted(Event::RuleMade {
            rule: RuleId::from("rule-1"),
            text: "forbid (principal, action, resource);".into(),
        }),
    );
    append(
        &audit,
        noted(Event::RootAdded {
            path: "/home/notes".into(),
        }),
    );

    let Exported {
        text: json,
        records: 7,
        missing: 0,
    } = audit.export(ExportFormat::Jsonl, None).await.unwrap()
    else {
        panic!("how many?")
    };
    let log = std::fs::read_to_string(home.segment(1)).unwrap();
    assert_eq!(
        json,
        log.lines()
            .map(|line| format!("{}\n", &line[18..]))
            .collect::<String>()
    );

    let Exported {
        text: table,
        records: 7,
        missing: 0,
    } = audit.export(ExportFormat::Csv, None).await.unwrap()
    else {
        panic!("how many?")
    };
    let lines: Vec<_> = table.split("\r\n").collect();
    assert_eq!(
        lines[0],
        "seq,at,what,caller,server,tool,outcome,duration_ms,waited_ms,ran_ms,arguments,error,permission,approver,detail,hash"
    );
    assert!(
        lines[2].contains(r#",call_opened,window,files,read_text,running,,,,"{""formula"":""=1+1"",""quote"":""a \""b\""""}",,"#),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].contains(",failed,12,7,5,,\"'=cmd|' /C calc'!A0\","),
        "{}",
        lines[3]
    );
    assert!(
        lines[4].starts_with("4,1970-01-01T00:00:00.000Z,server_removed,,,,noted,,,,,,,,"),
        "{}",
        lines[4]
    );
    assert!(
        lines[5].contains(r#",terminal,"{""question"":""question-1"",""answer"":""deny"",""reason"":""=not, this \""one\""""}","#),
        "{}",
        lines[5]
    );
    assert!(
        lines[6].contains(
            r#""{""rule"":""rule-1"",""text"":""forbid (principal, action, resource);""}""#
        ),
        "{}",
        lines[6]
    );
    assert!(
        lines[7].contains(r#""{""path"":""/home/notes""}""#),
        "{}",
        lines[7]
    );
    // The hash of a line is what the next one continues.
    let second: serde_json::Value = serde_json::from_str(json.lines().nth(2).unwrap()).unwrap();
    assert!(lines[2].ends_with(second["prev"].as_str().unwrap()));
}
