//! Every text of an answer, with the place it stands at: parts, what describes them, and structured
//! content, names of fields included. Data of pictures, sounds and blobs are no texts.

use protocol::{Content, ToolResult};
use serde_json::{Map, Value};

/// Goes through every text of an answer with its JSON pointer; the name of a field comes with that
/// of what holds the field. A number comes as its digits, and becomes a text if it is changed.
pub(crate) fn each_text(answer: &mut ToolResult, visit: &mut impl FnMut(&str, &mut String)) {
    for (index, part) in answer.content.iter_mut().enumerate() {
        for (name, text) in texts(part) {
            visit(&format!("/content/{index}/{name}"), text);
        }
        if let Content::Unknown { value } = part {
            each_in_value(&format!("/content/{index}/value"), value, visit);
        }
    }
    if let Some(value) = &mut answer.structured {
        each_in_value("/structured", value, visit);
    }
}

fn texts(part: &mut Content) -> Vec<(&'static str, &mut String)> {
    match part {
        Content::Text { text } => vec![("text", text)],
        Content::Image { mime_type, .. } | Content::Audio { mime_type, .. } => {
            vec![("mime_type", mime_type)]
        }
        Content::ResourceLink {
            uri,
            name,
            title,
            description,
            mime_type,
        } => {
            let optional = [
                ("title", title.as_mut()),
                ("description", description.as_mut()),
                ("mime_type", mime_type.as_mut()),
            ];
            let optional = optional
                .into_iter()
                .filter_map(|(name, text)| Some((name, text?)));
            [("uri", uri), ("name", name)]
                .into_iter()
                .chain(optional)
                .collect()
        }
        Content::Resource {
            uri,
            mime_type,
            text,
            ..
        } => {
            let optional = [("mime_type", mime_type.as_mut()), ("text", text.as_mut())];
            [("uri", uri)]
                .into_iter()
                .chain(
                    optional
                        .into_iter()
                        .filter_map(|(name, text)| Some((name, text?))),
                )
                .collect()
        }
        Content::Unknown { .. } => Vec::new(),
    }
}

fn each_in_value(at: &str, value: &mut Value, visit: &mut impl FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => visit(at, text),
        Value::Number(number) => {
            let digits = number.to_string();
            let mut text = digits.clone();
            visit(at, &mut text);
            if text != digits {
                *value = Value::String(text);
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .enumerate()
            .for_each(|(index, item)| each_in_value(&format!("{at}/{index}"), item, visit)),
        Value::Object(map) => each_in_map(at, map, visit),
        Value::Null | Value::Bool(_) => {}
    }
}

fn each_in_map(at: &str, map: &mut Map<String, Value>, visit: &mut impl FnMut(&str, &mut String)) {
    let fields = std::mem::take(map);
    for (key, mut item) in fields {
        let mut name = key.clone();
        // The place of a name is what holds the field: a pointer with the name in it would repeat
        // what is covered.
        visit(at, &mut name);
        // Two names that came out the same would lose a field.
        while name != key && map.contains_key(&name) {
            name.push('′');
        }
        each_in_value(&pointer(at, &name), &mut item, visit);
        map.insert(name, item);
    }
}

fn pointer(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}
