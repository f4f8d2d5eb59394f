//! The tools that are listed: three that do something, and others that look as if they did.

use load::call::{BIG, ECHO};
use serde_json::{Map, Value, json};

/// So many stand on a page.
const PAGE: usize = 1000;

const VERBS: [(&str, &str); 10] = [
    ("list", "Lists"),
    ("get", "Gets"),
    ("create", "Creates"),
    ("update", "Updates"),
    ("archive", "Archives"),
    ("search", "Searches for"),
    ("export", "Exports"),
    ("count", "Counts"),
    ("compare", "Compares"),
    ("copy", "Copies"),
];
const NOUNS: [&str; 25] = [
    "invoice",
    "order",
    "customer",
    "product",
    "ticket",
    "message",
    "contact",
    "meeting",
    "file",
    "folder",
    "report",
    "branch",
    "release",
    "review",
    "pipeline",
    "device",
    "sensor",
    "shipment",
    "payment",
    "contract",
    "project",
    "comment",
    "page",
    "dashboard",
    "account",
];
const PLACES: [&str; 40] = [
    "archive",
    "warehouse",
    "office",
    "branch_office",
    "workshop",
    "library",
    "school",
    "clinic",
    "harbour",
    "station",
    "studio",
    "kitchen",
    "garden",
    "market",
    "museum",
    "theatre",
    "factory",
    "laboratory",
    "bakery",
    "bank",
    "hotel",
    "airport",
    "depot",
    "farm",
    "forest",
    "quarry",
    "brewery",
    "printer",
    "press",
    "foundry",
    "mill",
    "dock",
    "yard",
    "store",
    "shop",
    "gallery",
    "court",
    "council",
    "club",
    "team",
];

/// So many tools, the three that do something among them, however few are wanted.
pub fn of(many: usize) -> Vec<Value> {
    let real = [
        tool(
            ECHO,
            "Gives back the text that it gets",
            &json!({"text": {"type": "string"}}),
        ),
        tool(
            BIG,
            "Gives a text of so many bytes, another one for each number",
            &json!({"bytes": {"type": "integer"}, "n": {"type": "integer"}}),
        ),
        tool(
            "wait",
            "Answers after so many milliseconds",
            &json!({"ms": {"type": "integer"}}),
        ),
    ];
    let made_up = (0..many.saturating_sub(real.len())).map(made_up);
    real.into_iter().chain(made_up).collect()
}

/// A page of them, and where the next one begins.
pub fn page(tools: &[Value], cursor: &Value) -> Value {
    let from = cursor.as_str().and_then(|from| from.parse().ok());
    let rest = tools.get(from.unwrap_or(0)..).unwrap_or_default();
    let (shown, more) = rest.split_at(rest.len().min(PAGE));
    let mut page = Map::from_iter([("tools".to_owned(), json!(shown))]);
    if !more.is_empty() {
        let next = (tools.len() - more.len()).to_string();
        page.insert("nextCursor".to_owned(), next.into());
    }
    page.into()
}

fn made_up(number: usize) -> Value {
    let (verb, does) = VERBS[number % VERBS.len()];
    let noun = NOUNS[number / VERBS.len() % NOUNS.len()];
    let round = number / (VERBS.len() * NOUNS.len());
    let place = PLACES[round % PLACES.len()];
    let name = match round / PLACES.len() {
        0 => format!("{verb}_{noun}_{place}"),
        again => format!("{verb}_{noun}_{place}_{again}"),
    };
    let about = place.replace('_', " ");
    let description = format!(
        "{does} one {noun} or several of the {about}. Give its identifier, or a text that is looked for; results come in pages, the newest first."
    );
    let mut fields = json!({
        "identifier": {"type": "string", "description": format!("The {noun}'s identifier")},
        "query": {"type": "string", "description": "Words that must occur"},
        "limit": {"type": "integer"},
    });
    if number.is_multiple_of(2) {
        fields["status"] = json!({"type": "string", "enum": ["open", "closed", "waiting"]});
    }
    tool(&name, &description, &fields)
}

fn tool(name: &str, description: &str, fields: &Value) -> Value {
    let required = fields.as_object().and_then(|fields| fields.keys().next());
    json!({
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": fields, "required": [required]},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ten_thousand_tools_have_ten_thousand_names_and_are_listed_in_pages() {
        let tools = of(10_000);
        let (mut names, mut cursor, mut pages) = (BTreeSet::new(), Value::Null, 0);
        loop {
            let page = page(&tools, &cursor);
            pages += 1;
            for tool in page["tools"].as_array().unwrap() {
                names.insert(tool["name"].as_str().unwrap().to_owned());
            }
            match page.get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => break,
            }
        }
        assert_eq!((tools.len(), names.len(), pages), (10_000, 10_000, 10));
        assert_eq!(of(0).len(), 3);
    }
}
