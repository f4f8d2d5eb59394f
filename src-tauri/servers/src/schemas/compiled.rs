//! Compiled schemas, within bounds.
//!
//! Always true here: what was used last stays longest, and one server's schemas push out only each
//! other's once they take their share.

use policy::{KnownTool, Schema};
use protocol::Fingerprint;
use std::collections::HashMap;
use std::sync::Arc;

/// What all take together, in bytes, and those of one server.
const ALL: usize = 64 * 1024 * 1024;
const SHARE: usize = 16 * 1024 * 1024;
/// The same in number.
const MOST: usize = 4_096;
const MOST_OF_SHARE: usize = 1_024;

/// Which of its schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// That of its arguments.
    Input,
    /// That of its structured result.
    Output,
}

/// A schema by the definition that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    server: String,
    tool: Fingerprint,
    side: Side,
}

impl Key {
    pub(super) fn new(server: &str, tool: &KnownTool, side: Side) -> Self {
        Self {
            server: server.to_owned(),
            tool: tool.fingerprint().clone(),
            side,
        }
    }
}

struct Kept {
    schema: Arc<Schema>,
    used: u64,
}

/// What is kept.
#[derive(Default)]
pub(super) struct Compiled {
    kept: HashMap<Key, Kept>,
    uses: u64,
}

impl Compiled {
    pub(super) fn get(&mut self, key: &Key) -> Option<Arc<Schema>> {
        self.uses += 1;
        let kept = self.kept.get_mut(key)?;
        kept.used = self.uses;
        Some(kept.schema.clone())
    }

    pub(super) fn keep(&mut self, key: Key, schema: Arc<Schema>) {
        self.uses += 1;
        let (server, used) = (key.server.clone(), self.uses);
        self.kept.insert(key, Kept { schema, used });
        self.shrink(SHARE, MOST_OF_SHARE, |key| key.server == server);
        self.shrink(ALL, MOST, |_| true);
    }

    /// Lets go of what was not used for longest, until the rest is within the bounds.
    fn shrink(&mut self, bytes: usize, number: usize, of: impl Fn(&Key) -> bool) {
        loop {
            let those = || self.kept.iter().filter(|(key, _)| of(key));
            let size: usize = those().map(|(_, kept)| kept.schema.size()).sum();
            if size <= bytes && those().count() <= number {
                return;
            }
            let oldest = those().min_by_key(|(_, kept)| kept.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            self.kept.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(server: &str, number: usize) -> Key {
        Key {
            server: server.to_owned(),
            tool: Fingerprint::of(&json!(number)),
            side: Side::Input,
        }
    }

    fn schema() -> Arc<Schema> {
        let text = "x".repeat(900 * 1024);
        let schema = json!({ "description": text });
        Arc::new(Schema::compile(schema.as_object().unwrap()))
    }

    #[test]
    fn a_server_with_many_schemas_pushes_out_its_own_and_nobody_elses() {
        let (mut compiled, schema) = (Compiled::default(), schema());
        compiled.keep(key("calm", 0), schema.clone());
        for number in 0..100 {
            compiled.keep(key("greedy", number), schema.clone());
        }
        assert!(compiled.get(&key("calm", 0)).is_some());
        assert!(compiled.get(&key("greedy", 99)).is_some());
        assert!(compiled.get(&key("greedy", 0)).is_none());
        let size: usize = compiled.kept.values().map(|kept| kept.schema.size()).sum();
        assert!(size <= SHARE + schema.size(), "{size}");
    }

    #[test]
    fn all_together_stay_within_their_bound() {
        let (mut compiled, schema) = (Compiled::default(), schema());
        for server in 0..20 {
            for number in 0..10 {
                compiled.keep(key(&server.to_string(), number), schema.clone());
            }
        }
        let size: usize = compiled.kept.values().map(|kept| kept.schema.size()).sum();
        assert!(size <= ALL, "{size}");
        assert!(compiled.get(&key("19", 9)).is_some());
        assert!(compiled.get(&key("0", 0)).is_none());
    }
}
