//! Conversations and their journals, kept and found.

use crate::testing::{Home, NOW};
use crate::{Conversations, GivenTask, JournalEntry, NewConversation, Store, StoreError};
use protocol::{CallId, ConversationId, Timestamp, WorkspaceId};
use rusqlite::Connection;

fn entry(text: &str) -> JournalEntry {
    JournalEntry {
        kind: "said".into(),
        body: format!("{{\"text\":\"{text}\"}}"),
        text: text.into(),
        is_synced: true,
        ends_draft: false,
        settles: None,
    }
}

async fn begun(store: &Store, title: &str, at: i64) -> ConversationId {
    let id = ConversationId::random();
    let all = store.conversations();
    all.begin(new(&id, title), Timestamp(at)).await.unwrap();
    id
}

fn new(id: &ConversationId, title: &str) -> NewConversation {
    NewConversation {
        id: id.clone(),
        title: title.into(),
        model: Some("model-1".into()),
        workspace: WorkspaceId::first(),
        assistant: None,
        task: None,
    }
}

/// Adds entries of these texts behind those that are there.
async fn add(all: &Conversations, id: &ConversationId, texts: &[&str], at: i64) {
    let length = all.of(id).await.unwrap().entries;
    let entries = texts.iter().map(|text| entry(text)).collect();
    all.append(id, length, entries, Timestamp(at))
        .await
        .unwrap();
}

/// The titles of conversations that hold these words, with the entry.
async fn found(all: &Conversations, text: &str) -> Vec<(String, Option<u64>)> {
    let found = all.search(text, 10).await.unwrap();
    found
        .into_iter()
        .map(|found| (found.conversation.title, found.entry))
        .collect()
}

fn database(home: &Home) -> Connection {
    Connection::open(home.dir().join(crate::db::FILE)).unwrap()
}

#[tokio::test]
async fn a_journal_is_read_as_it_was_written_also_after_the_application_ended() {
    let home = Home::new();
    let store = home.open().await;
    let id = begun(&store, "Taxes", 1).await;
    let all = store.conversations();
    add(&all, &id, &["one", "two"], 2).await;
    add(&all, &id, &["three"], 3).await;
    all.keep_draft(&id, "thr".into()).await.unwrap();
    drop((all, store));
    let all = home.open().await.conversations();
    let rows = all.journal(&id, 0, usize::MAX).await.unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.position, row.at.0, row.body.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (0, 2, "{\"text\":\"one\"}"),
            (1, 2, "{\"text\":\"two\"}"),
            (2, 3, "{\"text\":\"three\"}")
        ]
    );
    let row = all.of(&id).await.unwrap();
    assert_eq!((row.entries, row.changed_at), (3, Timestamp(3)));
    assert_eq!(
        row.bytes,
        rows.iter().map(|row| row.body.len() as u64).sum::<u64>()
    );
    assert_eq!(all.draft(&id).await.unwrap().as_deref(), Some("thr"));
}

#[tokio::test]
async fn a_journal_is_read_in_pages_of_so_many_bytes() {
    let home = Home::new();
    let store = home.open().await;
    let id = begun(&store, "Taxes", 1).await;
    let all = store.conversations();
    add(&all, &id, &["one", "two", "six"], 2).await;
    let positions = async |from, bytes| -> Vec<u64> {
        let rows = all.journal(&id, from, bytes).await.unwrap();
        rows.into_iter().map(|row| row.position).collect()
    };
    let length = "{\"text\":\"one\"}".len();
    assert_eq!(positions(0, 2 * length).await, [0, 1]);
    assert_eq!(positions(2, 2 * length).await, [2]);
    assert_eq!(positions(0, 1).await, [0], "one is larger than the page");
    assert_eq!(positions(3, length).await, [0; 0]);
}

#[tokio::test]
async fn of_two_who_add_behind_the_same_entry_only_one_does() {
    let home = Home::new();
    let store = home.open().await;
    let id = begun(&store, "Taxes", 1).await;
    let all = store.conversations();
    all.append(&id, 0, vec![entry("one")], NOW).await.unwrap();
    let late = all.append(&id, 0, vec![entry("other"), entry("more")], NOW);
    assert!(matches!(
        late.await,
        Err(StoreError::ConversationMoved { .. })
    ));
    assert_eq!(all.of(&id).await.unwrap().entries, 1);
    let unknown = ConversationId::random();
    let nowhere = all.append(&unknown, 0, vec![entry("one")], NOW);
    assert!(matches!(
        nowhere.await,
        Err(StoreError::UnknownConversation { .. })
    ));
}

#[tokio::test]
async fn an_entry_or_a_journal_that_holds_too_much_is_refused_whole() {
    let home = Home::new();
    let store = home.open().await;
    let id = begun(&store, "Taxes", 1).await;
    let all = store.conversations();
    let large = JournalEntry {
        body: "x".repeat(16 * 1024 * 1024 + 1),
        ..entry("")
    };
    let refused = async |entries| {
        let added = all.append(&id, 0, entries, NOW).await;
        matches!(added, Err(StoreError::ConversationFull { .. }))
    };
    assert!(refused(vec![entry("one"), large]).await);
    let draft = all.keep_draft(&id, "x".repeat(16 * 1024 * 1024 + 1)).await;
    assert!(matches!(draft, Err(StoreError::ConversationFull { .. })));
    // As if a quarter of a GiB stood there already.
    let sql = "UPDATE conversations SET bytes = 256 * 1024 * 1024 - 3";
    database(&home).execute(sql, []).unwrap();
    assert!(refused(vec![entry("one")]).await);
    assert_eq!(all.journal(&id, 0, usize::MAX).await.unwrap(), []);
}

#[tokio::test]
async fn a_draft_lasts_until_its_reply_is_over() {
    let home = Home::new();
    let store = home.open().await;
    let id = begun(&store, "Taxes", 1).await;
    let all = store.conversations();
    assert_eq!(all.draft(&id).await.unwrap(), None);
    for draft in ["The", "The answer"] {
        all.keep_draft(&id, draft.into()).await.unwrap();
    }
    add(&all, &id, &["and shortly, please"], 2).await;
    let draft = all.draft(&id).await.unwrap();
    assert_eq!(draft.as_deref(), Some("The answer"));
    let reply = JournalEntry {
        ends_draft: true,
        ..entry("The answer is no")
    };
    all.append(&id, 1, vec![reply], NOW).await.unwrap();
    assert_eq!(all.draft(&id).await.unwrap(), None);
}

#[tokio::test]
async fn conversations_are_listed_renamed_kept_at_the_top_and_deleted() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let (old, new) = (begun(&store, "old", 1).await, begun(&store, "new", 2).await);
    let titles = async || -> Vec<String> {
        let rows = all.all().await.unwrap();
        rows.into_iter().map(|row| row.title).collect()
    };
    assert_eq!(titles().await, ["new", "old"]);
    add(&all, &old, &["hello"], 3).await;
    assert_eq!(titles().await, ["old", "new"], "the last changed first");
    all.pin(&new, true).await.unwrap();
    all.rename(&new, "Taxes".into()).await.unwrap();
    all.set_model(&new, "model-2".into()).await.unwrap();
    assert_eq!(titles().await, ["Taxes", "old"]);
    let row = all.of(&new).await.unwrap();
    assert_eq!(
        (row.is_pinned, row.model.as_deref()),
        (true, Some("model-2"))
    );
    all.delete(&old).await.unwrap();
    assert_eq!(titles().await, ["Taxes"]);
    assert_eq!(all.journal(&old, 0, usize::MAX).await.unwrap(), []);
    for gone in [
        all.delete(&old).await,
        all.pin(&old, true).await,
        all.keep_draft(&old, "x".into()).await,
        all.of(&old).await.map(|_| ()),
        all.draft(&old).await.map(|_| ()),
    ] {
        assert!(matches!(gone, Err(StoreError::UnknownConversation { .. })));
    }
}

#[tokio::test]
async fn words_are_found_in_all_conversations_and_in_titles_and_not_when_they_are_gone() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let taxes = begun(&store, "Taxes in Zürich", 1).await;
    let trip = begun(&store, "A trip", 2).await;
    add(&all, &taxes, &["what do I owe", "读取文件内容"], 3).await;
    add(
        &all,
        &trip,
        &["a hotel in Zürich", "and in Zürich again"],
        4,
    )
    .await;
    let (title, other) = ("Taxes in Zürich".to_owned(), "A trip".to_owned());
    assert_eq!(
        found(&all, "ZÜR").await,
        [(title.clone(), None), (other.clone(), Some(1))],
        "titles first, and of a conversation its newest entry"
    );
    assert_eq!(found(&all, "文件内").await, [(title.clone(), Some(1))]);
    assert_eq!(found(&all, "hotel zurich").await, [(other, Some(0))]);
    assert_eq!(
        found(&all, "hotel owe").await,
        [],
        "in one entry, not in two"
    );
    assert_eq!(found(&all, "\" ( *").await, []);
    all.delete(&trip).await.unwrap();
    assert_eq!(found(&all, "hotel").await, []);
    assert_eq!(found(&all, "zürich").await, [(title, None)]);
    assert_eq!(all.search("owe", 0).await.unwrap(), []);
}

#[tokio::test]
async fn many_entries_of_one_conversation_hide_no_other() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let (quiet, loud) = (
        begun(&store, "quiet", 1).await,
        begun(&store, "loud", 2).await,
    );
    add(&all, &quiet, &["budget"], 3).await;
    add(&all, &loud, &["budget"; 600], 4).await;
    assert_eq!(
        found(&all, "budget").await,
        [
            ("loud".to_owned(), Some(599)),
            ("quiet".to_owned(), Some(0))
        ]
    );
}

#[tokio::test]
async fn the_index_of_words_is_that_of_what_is_there_however_far_behind_it_is() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let (one, other) = (
        begun(&store, "one", 1).await,
        begun(&store, "other", 2).await,
    );
    add(&all, &one, &["red apples", "green apples"], 3).await;
    add(&all, &other, &["red pears"], 4).await;
    assert_eq!(found(&all, "red").await.len(), 2);
    // As if the application had ended before the words of what was added last got there.
    let database = database(&home);
    let behind = "INSERT INTO conversation_entries (conversation, position, at, kind, body, words)
                  SELECT conversation, 7, at, kind, body, 'yellow ' FROM conversation_entries WHERE position = 0";
    assert_eq!(database.execute(behind, []).unwrap(), 2);
    all.delete(&one).await.unwrap();
    assert_eq!(found(&all, "yellow").await, [("other".to_owned(), Some(7))]);
    assert_eq!(found(&all, "apples").await, []);
    add(&all, &other, &["blue plums"], 5).await;
    assert_eq!(found(&all, "plums").await, [("other".to_owned(), Some(1))]);
    let check =
        "INSERT INTO conversation_words (conversation_words, rank) VALUES ('integrity-check', 1)";
    database.execute(check, []).unwrap();
}

#[tokio::test]
async fn those_that_were_left_in_the_middle_are_found_by_their_last_entry() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let (left, ended) = (
        begun(&store, "Left", 1).await,
        begun(&store, "Ended", 1).await,
    );
    begun(&store, "Empty", 1).await;
    let end = JournalEntry {
        kind: "end".into(),
        ..entry("")
    };
    add(&all, &left, &["one"], 2).await;
    add(&all, &ended, &["one"], 2).await;
    all.append(&ended, 1, vec![end.clone()], Timestamp(3))
        .await
        .unwrap();
    assert_eq!(
        all.not_ended(["end", "read"]).await.unwrap(),
        std::slice::from_ref(&left)
    );
    all.append(&left, 1, vec![end], Timestamp(3)).await.unwrap();
    assert!(all.not_ended(["end", "read"]).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_came_of_a_call_is_kept_until_an_entry_holds_it_and_goes_with_its_conversation() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let id = begun(&store, "Berths", 0).await;
    let calls = ["call-1", "call-2"].map(CallId::from);
    for call in &calls {
        all.save_result(&id, call, "first".into()).await.unwrap();
        all.save_result(&id, call, "tea".into()).await.unwrap();
    }
    let kept = async |call: &CallId| all.result(call).await.unwrap();
    assert_eq!(kept(&calls[0]).await.as_deref(), Some("tea"));
    let settles = JournalEntry {
        settles: Some(calls[0].clone()),
        ..entry("settled")
    };
    all.append(&id, 0, vec![settles], NOW).await.unwrap();
    assert_eq!(kept(&calls[0]).await, None);
    assert_eq!(kept(&calls[1]).await.as_deref(), Some("tea"));
    all.delete(&id).await.unwrap();
    assert_eq!(kept(&calls[1]).await, None);
    all.save_result(&id, &calls[1], "late".into())
        .await
        .unwrap();
    assert_eq!(kept(&calls[1]).await, None, "it is deleted");
    let large = "x".repeat(64 * 1024 * 1024);
    assert!(all.save_result(&id, &calls[1], large).await.is_err());
}

#[tokio::test]
async fn what_is_done_for_a_conversation_goes_with_it_and_stands_in_no_list() {
    let home = Home::new();
    let store = home.open().await;
    let all = store.conversations();
    let parent = begun(&store, "Taxes", 1).await;
    let other = begun(&store, "Trip", 2).await;
    let task = ConversationId::random();
    let given = GivenTask {
        parent: parent.clone(),
        body: "{}".into(),
    };
    let done = NewConversation {
        task: Some(given.clone()),
        ..new(&task, "Sum")
    };
    all.begin(done.clone(), Timestamp(3)).await.unwrap();
    add(&all, &task, &["pelican"], 4).await;
    assert_eq!(all.of(&task).await.unwrap().task, Some(given));
    assert_eq!(
        all.tasks_of(&parent).await.unwrap(),
        std::slice::from_ref(&task)
    );
    let listed = all.all().await.unwrap();
    let titles: Vec<_> = listed.iter().map(|row| row.title.as_str()).collect();
    assert_eq!(titles, ["Trip", "Taxes"]);
    assert!(found(&all, "pelican").await.is_empty());
    assert_eq!(
        all.not_ended(["ended", "read"]).await.unwrap(),
        std::slice::from_ref(&task)
    );

    all.delete(&parent).await.unwrap();
    let gone = all.of(&task).await;
    assert!(matches!(gone, Err(StoreError::UnknownConversation { .. })));
    assert!(all.journal(&task, 0, usize::MAX).await.unwrap().is_empty());
    all.of(&other).await.unwrap();
    // Nothing is done for what is gone.
    let late = all.begin(done, Timestamp(5)).await;
    assert!(matches!(late, Err(StoreError::UnknownConversation { .. })));
}
