//! The process, loopback and the terminal are doors to one host: the same answer behind each, and
//! each as closed as it should be.

use crate::support::http::Address;
use crate::support::terminal::{Ran, Terminal};
use crate::support::{Choices, TestHost, misbehave};
use host::Note;
use host::api::ApproverKind;
use policy::Decision;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_door_lets_in_who_holds_its_token_under_this_computers_own_name() {
    let test = TestHost::new().await;
    let pages = tempfile::tempdir().unwrap();
    let serving = loopback::serve(test.host.clone(), Some(pages.path()), None)
        .await
        .unwrap();
    let programs = Address::of_programs(test.dir());
    let page = Address::of_page(serving.page().unwrap());
    let ask = json!({"method": "list_questions"});
    for (address, other) in [(&programs, &page), (&page, &programs)] {
        assert_eq!(address.rpc(&ask, &[]).await, (200, "[]".to_owned()));
        let of_the_other = format!("Bearer {}", other.token);
        for (headers, status) in [
            ([("Authorization", "")], 401),
            ([("Authorization", "Bearer 0000")], 401),
            ([("Authorization", &*of_the_other)], 401),
            ([("Host", "evil.example")], 403),
            ([("Host", &*other.place())], 403),
            ([("Host", "")], 400),
            ([("Origin", "https://evil.example")], 403),
            ([("Origin", "null")], 403),
        ] {
            let (got, body) = address.rpc(&ask, &headers).await;
            assert!(
                got == status || (status == 400 && got == 403),
                "{headers:?}: {got} {body}"
            );
            assert!(!body.contains('['), "{headers:?}: {body}");
        }
        let place = address.place();
        let events = address.send("GET /events", &[("Host", &place)], "").await;
        assert_eq!(events.0, 401);
        let secret = json!({"method": "add_server", "params": {"secret": "hunter22"}});
        let (status, body) = address.rpc(&secret, &[]).await;
        assert!(
            status == 400 && !body.contains("hunter22"),
            "{status} {body}"
        );
    }
    let own = |address: &Address| format!("http://{}", address.place());
    assert_eq!(page.rpc(&ask, &[("Origin", &own(&page))]).await.0, 200);
    let no_page = programs.rpc(&ask, &[("Origin", &own(&programs))]).await;
    assert_eq!(no_page.0, 403, "no page comes by the door of programs");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_another_origin_can_load_what_a_door_answers() {
    let test = TestHost::new().await;
    let pages = tempfile::tempdir().unwrap();
    std::fs::write(pages.path().join("index.html"), "<p>").unwrap();
    let serving = loopback::serve(test.host.clone(), Some(pages.path()), None)
        .await
        .unwrap();
    let page = Address::of_page(serving.page().unwrap());
    let place = page.place();
    for line in ["GET /", "GET /index.html", "GET /none.js"] {
        let head = page.head(line, &[("Host", &place)], "").await;
        let head = head.to_ascii_lowercase();
        let policy = "cross-origin-resource-policy: same-origin";
        assert!(head.contains(policy), "{line}: {head}");
        assert!(!head.contains("access-control-allow"), "{line}: {head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_question_window_runs_nothing_over_loopback_can_answer() {
    let test = TestHost::with(Choices {
        approver: ApproverKind::QuestionWindow,
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let file = test.dir().join("token");
    let _serving = loopback::serve(test.host.clone(), None, Some(&file))
        .await
        .unwrap();
    let address = Address::of_programs(test.dir());
    assert!(!file.exists(), "a token was written that nothing may use");
    let note = Note::read(test.dir()).unwrap();
    assert_eq!((note.terminal_token, note.unattended_token), (None, None));

    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = loop {
        if let Some(question) = test.host.waiting().into_iter().next() {
            break question;
        }
        tokio::task::yield_now().await;
    };
    let answer = json!({"method": "answer_question", "params": {"question": question.id, "answer": {"kind": "allow"}}});
    for token in ["", &address.token, "null", "0000"] {
        let (status, body) = address
            .rpc(&answer, &[("X-Majordomo-Approver", token)])
            .await;
        assert!(
            status == 400 && body.contains("not_an_approver"),
            "{token:?}: {status} {body}"
        );
    }
    test.host
        .answer(
            &question.id,
            Decision::no(None),
            host::Approver::QuestionWindow,
        )
        .await
        .unwrap();
    assert!(call.await.unwrap().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_later_sees_the_questions_that_wait() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    let question = loop {
        if let Some(question) = test.host.waiting().into_iter().next() {
            break question;
        }
        tokio::task::yield_now().await;
    };
    let serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let dir = test.dir().to_owned();
    let seen = tokio::task::spawn_blocking(move || Terminal::on(&dir).json(&["questions", "list"]))
        .await
        .unwrap();
    assert_eq!(seen[0]["id"], json!(question.id));
    assert_eq!(test.host.snapshot().await.questions[0].id, question.id);
    test.host
        .answer(&question.id, Decision::no(None), host::Approver::Terminal)
        .await
        .unwrap();
    assert!(call.await.unwrap().is_err());
    drop(serving);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_is_answered_alike_in_the_process_over_loopback_and_in_the_terminal() {
    let test = TestHost::new().await;
    test.ask(
        "enable_server",
        json!({"server": "currency", "reviewed": null}),
    )
    .await
    .unwrap();
    let _serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let address = Address::of_programs(test.dir());
    let person = test.person([Decision::always()]);
    let arguments = json!({"method": "card"});
    let params = json!({"call": null, "server": "currency", "tool": "get_fee_for_payment_method", "arguments": arguments});
    let here = test.ask("call_tool", params.clone()).await.unwrap();
    let (status, there) = address
        .rpc(&json!({"method": "call_tool", "params": params}), &[])
        .await;
    assert_eq!(status, 200);
    let mut command = std::process::Command::new(crate::support::programs().own);
    command.arg("--data-dir").arg(test.dir()).args([
        "--json",
        "call",
        "currency",
        "get_fee_for_payment_method",
        "--args",
        &arguments.to_string(),
    ]);
    let ran = tokio::task::spawn_blocking(move || Ran::of(&mut command))
        .await
        .unwrap();
    // Each is a call of its own, with a number and its times.
    let alike = |mut answered: Value| {
        let own = answered
            .as_object_mut()
            .map(|fields| ["call", "at", "ran_ms"].map(|name| fields.remove(name)));
        assert!(
            matches!(own, Some([Some(_), Some(_), Some(_)])),
            "{answered}"
        );
        answered
    };
    let here = alike(here);
    assert_eq!(alike(serde_json::from_str(&there).unwrap()), here);
    assert_eq!(alike(ran.json()), here);
    assert_eq!(
        person.asked().len(),
        1,
        "the terminal is one caller, whichever way it comes"
    );
}
