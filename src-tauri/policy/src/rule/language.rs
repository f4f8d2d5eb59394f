//! The words of the language of rules, read once.

use cedar_policy::{EntityId, EntityTypeName, EntityUid, Schema};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::LazyLock;

const SCHEMA: &str = include_str!("language.cedarschema");

struct Language {
    schema: Schema,
    kinds: BTreeMap<&'static str, EntityTypeName>,
}

static LANGUAGE: LazyLock<Result<Language, String>> = LazyLock::new(|| {
    let (schema, _) =
        Schema::from_cedarschema_str(SCHEMA).map_err(|problem| problem.to_string())?;
    let names = [
        "Person",
        "Terminal",
        "Browser",
        "Agent",
        "Client",
        "View",
        "Caller",
        "Kind",
        "Majordomo",
        "Server",
        "Tool",
        "Resource",
        "Prompt",
        "Action",
    ];
    let kinds = names.into_iter().map(|name| {
        EntityTypeName::from_str(name)
            .map(|kind| (name, kind))
            .map_err(|problem| problem.to_string())
    });
    Ok(Language {
        schema,
        kinds: kinds.collect::<Result<_, _>>()?,
    })
});

/// Every word that a rule may use, for whoever writes rules by hand.
pub fn language() -> &'static str {
    SCHEMA
}

fn words() -> Result<&'static Language, String> {
    LANGUAGE.as_ref().map_err(Clone::clone)
}

/// The schema against which rules are checked.
pub(super) fn schema() -> Result<Schema, String> {
    words().map(|language| language.schema.clone())
}

/// One thing of a kind.
pub(super) fn entity(kind: &str, id: &str) -> Result<EntityUid, String> {
    let kind = words()?
        .kinds
        .get(kind)
        .ok_or_else(|| format!("there is no kind {kind}"))?;
    Ok(EntityUid::from_type_name_and_id(
        kind.clone(),
        EntityId::new(id),
    ))
}
