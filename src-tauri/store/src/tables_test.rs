//! What each table promises.

use crate::testing::{Home, NOW, grant, make_grant, noted, server, tool};
use crate::{
    AccountRow, CataloguePart, DecidedOffer, Entry, Event, OauthClientRow, Place, ServerRow,
    StoreError, Use,
};
use policy::Scope;
use policy::pin::{Pin, PinDecision};
use protocol::{
    ConfinementSettings, ConversationId, Feature, Fingerprint, GrantId, HttpLaunch, Identity,
    Launch, Runs, SecretId, Setting, SettingValue, Timestamp, WorkspaceId,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn row(name: &str) -> ServerRow {
    let token = Setting {
        name: "Authorization".into(),
        value: SettingValue::Secret {
            secret: SecretId::random(),
        },
    };
    ServerRow {
        id: server(name),
        launch: Launch::Http(HttpLaunch {
            url: "https://example.com/mcp".into(),
            headers: vec![token],
            authority: None,
            identity: None,
        }),
        reviewed: Some(Fingerprint::of(&json!(name))),
        identity: Some(Identity {
            image: None,
            ..Identity::default()
        }),
        runs: Runs::Always,
        confinement: ConfinementSettings::default(),
        added_at: NOW,
    }
}

#[tokio::test]
async fn a_server_comes_back_as_it_was_kept_after_a_restart() {
    let home = Home::new();
    let store = home.open().await;
    let (files, mail) = (
        row("files"),
        ServerRow {
            reviewed: None,
            ..row("Mail")
        },
    );
    store.servers().insert(mail.clone()).await.unwrap();
    store.servers().insert(files.clone()).await.unwrap();
    let changed = ServerRow {
        launch: Launch::Builtin {
            name: "currency".into(),
        },
        runs: Runs::WhenUsed,
        confinement: ConfinementSettings {
            confined: false,
            ..ConfinementSettings::default()
        },
        ..files
    };
    store.servers().update(changed.clone()).await.unwrap();
    store.close().await;
    drop(store);
    assert_eq!(
        home.open().await.servers().all().await.unwrap(),
        [changed, mail]
    );
}

#[tokio::test]
async fn two_servers_cannot_differ_in_case_only() {
    let home = Home::new();
    let servers = home.open().await.servers();
    servers.insert(row("Files")).await.unwrap();
    assert!(
        matches!(servers.insert(row("fILES")).await, Err(StoreError::NameTaken { name }) if name == server("fILES"))
    );
    assert_eq!(servers.all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_cannot_be_changed_or_removed() {
    let home = Home::new();
    let servers = home.open().await.servers();
    assert!(matches!(
        servers.update(row("files")).await,
        Err(StoreError::UnknownServer { .. })
    ));
    assert!(matches!(
        servers.remove(&server("files")).await,
        Err(StoreError::UnknownServer { .. })
    ));
    assert!(servers.all().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_removed_server_takes_everything_of_it_along_and_leaves_the_others() {
    let home = Home::new();
    let store = home.open().await;
    for name in ["files", "mail"] {
        store.servers().insert(row(name)).await.unwrap();
        store
            .tools()
            .save(&server(name), vec![tool("read")])
            .await
            .unwrap();
        let (workspaces, first) = (store.workspaces(), WorkspaceId::first());
        workspaces
            .switch(first.clone(), &server(name), true)
            .await
            .unwrap();
        workspaces
            .set_roots(first.clone(), &server(name), vec!["/z".into(), "/a".into()])
            .await
            .unwrap();
        workspaces
            .switch_tool(first, &server(name), &"read".into(), false)
            .await
            .unwrap();
        store
            .grants()
            .insert(grant(name, Scope::Workspace, 1))
            .await
            .unwrap();
    }
    store.servers().remove(&server("FILES")).await.unwrap();
    store.servers().insert(row("files")).await.unwrap();

    store.workspaces().ensure(NOW).await.unwrap();
    let first = store.workspaces().all().await.unwrap().remove(0);
    let place = Place {
        on: true,
        roots: vec!["/z".into(), "/a".into()],
        off: BTreeSet::from(["read".into()]),
        always_shown: Default::default(),
    };
    assert_eq!(first.places, BTreeMap::from([(server("mail"), place)]));
    assert!(
        store
            .tools()
            .load(&server("files"))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(store.tools().load(&server("mail")).await.unwrap().len(), 1);
    assert_eq!(
        store
            .grants()
            .live()
            .await
            .unwrap()
            .iter()
            .map(|grant| grant.server.as_str())
            .collect::<Vec<_>>(),
        ["mail"]
    );
}

#[tokio::test]
async fn the_last_list_of_tools_is_kept_whole_and_in_order() {
    let home = Home::new();
    let tools = home.open().await.tools();
    tools
        .save(&server("files"), vec![tool("old")])
        .await
        .unwrap();
    let list = vec![tool("write"), tool("read"), tool("read")];
    tools.save(&server("files"), list.clone()).await.unwrap();
    let kept = tools.load(&server("files")).await.unwrap();
    assert_eq!(kept, list);
    assert_eq!(kept[0].fingerprint(), list[0].fingerprint());
    assert!(tools.load(&server("mail")).await.unwrap().is_empty());
}

#[tokio::test]
async fn grants_are_listed_oldest_first_and_those_for_a_conversation_end_with_the_run() {
    let home = Home::new();
    let store = home.open().await;
    let always = grant("files", Scope::Workspace, 30);
    let exact = grant("files", Scope::Times { times: 3 }, 10);
    let ours = grant(
        "files",
        Scope::Conversation {
            conversation: ConversationId::from("conversation-1"),
        },
        20,
    );
    for grant in [&always, &exact, &ours] {
        make_grant(&store, grant).await;
    }
    assert_eq!(
        store.grants().live().await.unwrap(),
        [exact.clone(), ours, always.clone()]
    );
    drop(store);
    assert_eq!(
        home.open().await.grants().live().await.unwrap(),
        [exact, always]
    );
}

#[tokio::test]
async fn a_grant_that_was_taken_back_stays_so() {
    let home = Home::new();
    let grants = home.open().await.grants();
    let given = grant("files", Scope::Workspace, 1);
    grants.insert(given.clone()).await.unwrap();
    let note = |grant: &GrantId, used| Use {
        grant: grant.clone(),
        used,
        last_at: Timestamp(7),
    };
    // One that is not there any more is passed over, and what is known does not become less.
    for used in [3, 2] {
        let uses = vec![note(&GrantId::random(), 1), note(&given.id, used)];
        grants.note_uses(uses).await.unwrap();
    }
    let live = grants.live().await.unwrap();
    assert_eq!(
        (live[0].used, live[0].last_used_at),
        (3, Some(Timestamp(7)))
    );

    let revoked = grants.revoke(&given.id, Timestamp(9)).await.unwrap();
    assert_eq!(
        (revoked.revoked_at, revoked.last_used_at),
        (Some(Timestamp(9)), Some(Timestamp(7)))
    );
    assert!(grants.live().await.unwrap().is_empty());
    for id in [given.id, GrantId::random()] {
        assert!(matches!(
            grants.revoke(&id, NOW).await,
            Err(StoreError::UnknownGrant { .. })
        ));
    }
}

#[tokio::test]
async fn new_tokens_leave_an_account_as_it_is_and_bring_none_back() {
    let home = Home::new();
    let accounts = home.open().await.accounts();
    let files = server("files");
    let row = |name: &str, in_use| AccountRow {
        name: name.into(),
        in_use,
        secret: Some(SecretId::from("secret-old")),
    };
    for row in [row("home", true), row("work", true)] {
        accounts.save(&files, row).await.unwrap();
    }
    let new = SecretId::from("secret-new");
    assert!(accounts.renew(&files, "home", new.clone()).await.unwrap());
    assert!(!accounts.renew(&files, "gone", new.clone()).await.unwrap());
    let renewed = AccountRow {
        secret: Some(new),
        ..row("home", false)
    };
    assert_eq!(
        accounts.of(&files).await.unwrap(),
        [renewed, row("work", true)]
    );
}

#[tokio::test]
async fn a_client_is_kept_with_who_gave_it_out() {
    let home = Home::new();
    let accounts = home.open().await.accounts();
    let client = OauthClientRow {
        client_id: "ours".into(),
        secret: None,
        without_person: true,
        issuer: Some("https://a.example".into()),
    };
    accounts
        .set_oauth_client(&server("files"), Some(client.clone()))
        .await
        .unwrap();
    assert_eq!(
        accounts.client(&server("FILES")).await.unwrap(),
        Some(client)
    );
    accounts
        .set_oauth_client(&server("files"), None)
        .await
        .unwrap();
    assert_eq!(accounts.client(&server("files")).await.unwrap(), None);
}

#[tokio::test]
async fn decisions_come_back_as_they_were_and_damaged_ones_do_not() {
    let home = Home::new();
    let (store, files) = (home.open().await, server("files"));
    let pin = |name: &str| Pin::new(&Feature::tool(&tool(name)), PinDecision::Approve, NOW);
    let kept: Vec<Pin> = ["a", "b", "c", "d", "e", "f"].map(pin).to_vec();
    store
        .pins()
        .save(&files, kept.clone(), vec![])
        .await
        .unwrap();
    store
        .pins()
        .save(&server("mail"), vec![pin("a")], vec![])
        .await
        .unwrap();
    let blocked = Pin {
        decision: PinDecision::Block,
        ..pin("a")
    };
    store
        .pins()
        .save(&files, vec![blocked.clone()], vec![kept[5].key.clone()])
        .await
        .unwrap();
    assert_eq!(
        store.pins().of(&files).await.unwrap(),
        [std::slice::from_ref(&blocked), &kept[1..5]].concat()
    );
    let of_mail = (server("mail"), pin("a"));
    let mut decided: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let of_files = std::iter::once(&blocked).chain(&kept[1..5]);
    let of_files = of_files.map(|pin| (files.clone(), pin.clone()));
    for (server, pin) in of_files.chain([of_mail]) {
        decided.entry(server).or_default().push(DecidedOffer {
            kind: pin.key.kind,
            name: pin.key.name.clone(),
            decision: pin.decision,
            fingerprint: Some(pin.fingerprint.clone()),
        });
    }
    for (server, mut decided) in decided {
        let event = match decided.len() {
            1 => Event::OfferDecided {
                decided: decided.remove(0),
            },
            _ => Event::OffersDecided { decided },
        };
        let entry = Entry {
            server: Some(server),
            ..noted(event)
        };
        store.audit().append_synced(entry).await.unwrap();
    }
    drop(store);

    let db = rusqlite::Connection::open(home.dir().join(crate::db::FILE)).unwrap();
    for damage in [
        "definition = 'no JSON'",
        "fingerprint = '\"sha256:00\"'",
        "decision = '\"anything\"'",
        "kind = '1'",
    ] {
        let name = db.query_row(
            "SELECT max(name) FROM pins WHERE server = 'files' AND kind = '\"tool\"'",
            [],
            |row| row.get::<_, String>(0),
        );
        let name = name.unwrap();
        db.execute(
            &format!("UPDATE pins SET {damage} WHERE server = 'files' AND name = ?1"),
            [&name],
        )
        .unwrap();
        let left = home.open().await.pins().of(&files).await.unwrap();
        assert!(
            left.iter().all(|pin| pin.key.name != name) && left.contains(&blocked),
            "{damage}"
        );
        db.execute(
            "DELETE FROM pins WHERE server = 'files' AND name = ?1",
            [&name],
        )
        .unwrap();
    }
    assert_eq!(
        home.open().await.pins().of(&server("mail")).await.unwrap(),
        [pin("a")]
    );
}

#[tokio::test]
async fn a_decision_about_a_definition_with_odd_numbers_comes_back_whole() {
    let home = Home::new();
    let (store, files) = (home.open().await, server("files"));
    let schema: serde_json::Value = serde_json::from_str(
        r#"{"maximum": 2.431311113656339e+38, "minimum": 5e-324, "default": 0.1}"#,
    )
    .unwrap();
    let odd = protocol::ToolSpec {
        input_schema: schema.as_object().cloned().unwrap(),
        ..tool("odd")
    };
    let pin = Pin::new(&Feature::tool(&odd), PinDecision::Approve, NOW);
    store
        .pins()
        .save(&files, vec![pin.clone()], vec![])
        .await
        .unwrap();
    assert_eq!(store.pins().of(&files).await.unwrap(), [pin]);
}

#[tokio::test]
async fn a_server_of_before_runs_always_as_it_did_and_what_one_offers_is_not_known() {
    let home = Home::new();
    let database = rusqlite::Connection::open(home.dir().join(crate::db::FILE)).unwrap();
    crate::db::take_steps(&database, 12);
    let launch = json!({"kind": "builtin", "name": "currency"}).to_string();
    let sql =
        "INSERT INTO servers (key, name, launch, added_at) VALUES ('currency', 'currency', ?1, 1)";
    database.execute(sql, [launch]).unwrap();
    drop(database);
    let store = home.open().await;
    assert_eq!(store.servers().all().await.unwrap()[0].runs, Runs::Always);
    let (catalogues, id) = (store.catalogues(), server("currency"));
    let about = catalogues.load::<Value>(&id, CataloguePart::About).await;
    assert_eq!(about.unwrap(), None);
}

#[tokio::test]
async fn what_a_server_offers_is_kept_until_it_offers_something_else_or_too_much_or_is_removed() {
    let home = Home::new();
    let store = home.open().await;
    store.servers().insert(row("files")).await.unwrap();
    let (kept, files) = (store.catalogues(), server("files"));
    let prompts = CataloguePart::Prompts;
    for offers in [json!(["one"]), json!(["one", "two"])] {
        kept.save(&files, prompts, &offers).await.unwrap();
        assert_eq!(kept.load(&files, prompts).await.unwrap(), Some(offers));
    }
    let other = kept.load::<Value>(&files, CataloguePart::Resources);
    assert_eq!(other.await.unwrap(), None);
    let much = "x".repeat(1024 * 1024);
    kept.save(&files, prompts, &much).await.unwrap();
    assert_eq!(kept.load::<Value>(&files, prompts).await.unwrap(), None);
    kept.save(&files, prompts, &json!(["one"])).await.unwrap();
    store.servers().remove(&files).await.unwrap();
    assert_eq!(kept.load::<Value>(&files, prompts).await.unwrap(), None);
}
