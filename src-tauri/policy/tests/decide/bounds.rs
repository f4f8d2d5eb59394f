//! However a grant is made, it lets through what it says and nothing beside.

use crate::scene::{map, scene};
use policy::{Allowed, Covered, Limit, Scope, Verdict};
use proptest::prelude::*;
use protocol::{Caller, ConversationId, Fingerprint, Timestamp, WorkspaceId};
use serde_json::{Value, json};
proptest! {
    /// Whatever was granted for something else, nothing is allowed by it.
    #[test]
    fn no_grant_reaches_beyond_its_bounds(
        caller in any::<bool>(), launch in 0..3_u8, tool in 0..3_u8, conversation in any::<bool>(), workspace in any::<bool>(),
        revoked in any::<bool>(), arguments in 0..3_u8, kind in 0..3_u8,
    ) {
        let base = scene();
        let scope = if kind == 1 {
            Scope::Conversation { conversation: if conversation { base.conversation.clone() } else { ConversationId::random() } }
        } else {
            Scope::Workspace
        };
        let covered = if kind == 2 {
            let shown = map(json!({"path": format!("{arguments}")}));
            Covered::Exactly { fingerprint: Fingerprint::of(&Value::Object(shown.clone())), shown }
        } else {
            Covered::Any
        };
        let mut granted = base.tool.clone();
        granted.description = (tool != 0).then(|| format!("other {tool}")).or(granted.description);
        let scene = base.allowed(|_| (scope.clone(), covered.clone())).with(|scene| {
            scene.call.arguments = map(json!({"path": "0"}));
            let grant = &mut scene.grants[0];
            grant.caller = if caller { Caller::window() } else { Caller::terminal() };
            grant.launch_fingerprint = if launch == 0 { scene.launch.clone() } else { Fingerprint::of(&json!(launch)) };
            grant.tool_fingerprint = granted.fingerprint();
            grant.tool = granted;
            grant.workspace = Some(if workspace { scene.workspace.clone() } else { WorkspaceId::random() });
            grant.revoked_at = revoked.then_some(Timestamp(1));
        });
        let in_scope = match kind { 0 => true, 1 => conversation, _ => arguments == 0 };
        let covered = caller && launch == 0 && tool == 0 && workspace && !revoked && in_scope;
        prop_assert_eq!(matches!(scene.decide(), Verdict::Allow(_)), covered);
    }

    /// A number of calls, a time and a month without use each end it, and nothing else does.
    #[test]
    fn a_grant_ends_when_it_says(
        times in proptest::option::of(1..5_u32), until in proptest::option::of(0..15_i64), used in 0..6_u32,
        made in 0..8_i64, last_used in proptest::option::of(0..8_i64), now in 0..20_i64, months in 0..2_i64,
    ) {
        let month = i64::try_from(policy::UNUSED.as_millis()).unwrap();
        let now = now + months * month;
        let scope = match (times, until) {
            (Some(times), _) => Scope::Times { times },
            (None, Some(at)) => Scope::Until { at: Timestamp(at) },
            (None, None) => Scope::Always,
        };
        let scene = scene().allowed(|_| (scope.clone(), Covered::Any)).with(|scene| {
            let grant = &mut scene.grants[0];
            (grant.used, grant.made_at, grant.last_used_at) = (used, Timestamp(made), last_used.map(Timestamp));
            scene.now = Timestamp(now);
        });
        let within = match scope {
            Scope::Times { times } => used < times,
            Scope::Until { at } => now < at.0,
            _ => true,
        };
        let fresh = now < last_used.unwrap_or(made) + month;
        prop_assert_eq!(matches!(scene.decide(), Verdict::Allow(_)), within && fresh);
    }

    /// However a path is written, a yes to a folder lets through what really lies there, and
    /// nothing else.
    #[cfg(unix)]
    #[test]
    fn a_folder_covers_what_lies_in_it_and_nothing_beside(
        parts in proptest::collection::vec(proptest::sample::select(vec!["a", "ab", "b", "..", ".", "", "a ", "A"]), 0..6),
        known in any::<bool>(), absolute in any::<bool>(),
    ) {
        let text = format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"));
        // Where it leads on a disk without links, by another way than the product's.
        let mut place: Vec<&str> = Vec::new();
        for part in &parts {
            match *part {
                ".." => _ = place.pop(),
                "." | "" => {}
                part => place.push(part),
            }
        }
        let lies_in_folder = place.first() == Some(&"a") && known && absolute;
        let limits = vec![Limit { argument: "path".into(), allowed: Allowed::Under { folder: "/a".into() } }];
        let scene = scene().allowed(|_| (Scope::Always, Covered::Within { limits: limits.clone() })).with(|scene| {
            scene.call.arguments = map(json!({"path": text}));
            if known && absolute {
                scene.places.0.insert(text.clone(), format!("/{}", place.join("/")));
            }
        });
        prop_assert_eq!(matches!(scene.decide(), Verdict::Allow(_)), lies_in_folder, "{}", text);
    }

    /// A yes that is for some hosts lets no address through that any program reads as another
    /// host's.
    #[test]
    fn hosts_cover_no_address_that_can_be_read_otherwise(
        scheme in proptest::sample::select(vec!["https://", "http://", "https:/", "https:\\", "HTTPS://", "ftp://", "//", "", " https://"]),
        user in proptest::sample::select(vec!["", "u@", "good.example@", "u:p@", "good.example\\@"]),
        host in proptest::sample::select(vec!["good.example", "GOOD.example", "evil.example", "good.example.evil.example", "good.example."]),
        end in proptest::sample::select(vec!["", "/", "/x", ":443/", "/@evil.example", "\\@evil.example/", "?https://evil.example/", "#"]),
    ) {
        let text = format!("{scheme}{user}{host}{end}");
        let limits = vec![Limit { argument: "path".into(), allowed: Allowed::Hosts { hosts: vec!["good.example".into()] } }];
        let scene = scene().allowed(|_| (Scope::Always, Covered::Within { limits: limits.clone() })).with(|scene| {
            scene.call.arguments = map(json!({"path": text}));
        });
        let plain = ["https://", "http://", "HTTPS://"].contains(&scheme) && user.is_empty() && !end.contains('\\');
        let good = host.eq_ignore_ascii_case("good.example") && !end.contains("https:");
        prop_assert_eq!(matches!(scene.decide(), Verdict::Allow(_)), plain && good, "{}", text);
    }
}
