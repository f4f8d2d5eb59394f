//! Every text of an answer, with the place it stands at: parts, what describes them, structured
//! content and all that is beside them, names of fields included. Data of pictures, sounds and blobs
//! are no texts.

use protocol::{Content, ToolResult};
use serde_json::{Map, Value};
use std::fmt;

/// Where a text stands in an answer. It is written as a JSON pointer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    within: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    const fn root(name: &'a str) -> Self {
        Self {
            within: None,
            step: Step::Name(name),
        }
    }

    const fn name(&'a self, name: &'a str) -> Self {
        Self {
            within: Some(self),
            step: Step::Name(name),
        }
    }

    const fn index(&'a self, index: usize) -> Self {
        Self {
            within: Some(self),
            step: Step::Index(index),
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(within) = self.within {
            within.fmt(f)?;
        }
        match self.step {
            Step::Name(name) => write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(f, "/{index}"),
        }
    }
}

/// Goes through every text of an answer with its place; the name of a field comes with that of what
/// holds the field. A number comes as its digits, and becomes a text if it is changed.
pub(crate) fn each_text(answer: &mut ToolResult, visit: &mut impl FnMut(&Place<'_>, &mut String)) {
    let content = Place::root("content");
    for (index, part) in answer.content.iter_mut().enumerate() {
        let place = content.index(index);
        for (name, text) in texts(part) {
            visit(&place.name(name), text);
        }
        if let Content::Unknown { value } = part {
            each_in_value(&place.name("value"), value, visit);
        }
        for (name, extra) in part.extras_mut() {
            each_in_map(&place.name(name), extra, visit);
        }
    }
    if let Some(value) = &mut answer.structured {
        each_in_value(&Place::root("structured"), value, visit);
    }
    each_in_map(&Place::root("extra"), &mut answer.extra, visit);
}

fn texts(part: &mut Content) -> Vec<(&'static str, &mut String)> {
    match part {
        Content::Text { text, .. } => vec![("text", text)],
        Content::Image { mime_type, .. } | Content::Audio { mime_type, .. } => {
            vec![("mime_type", mime_type)]
        }
        Content::ResourceLink {
            uri,
            name,
            title,
            description,
            mime_type,
            ..
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

fn each_in_value(
    at: &Place<'_>,
    value: &mut Value,
    visit: &mut impl FnMut(&Place<'_>, &mut String),
) {
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
            .for_each(|(index, item)| each_in_value(&at.index(index), item, visit)),
        Value::Object(map) => each_in_map(at, map, visit),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The fields of an object, each name before its value. The object is made anew only if a name is
/// changed.
fn each_in_map(
    at: &Place<'_>,
    map: &mut Map<String, Value>,
    visit: &mut impl FnMut(&Place<'_>, &mut String),
) {
    let mut name = String::new();
    let mut unchanged = 0;
    for (key, item) in map.iter_mut() {
        name.clone_from(key);
        // The place of a name is what holds the field: a pointer with the name in it would repeat
        // what is covered.
        visit(at, &mut name);
        if name != *key {
            break;
        }
        each_in_value(&at.name(key), item, visit);
        unchanged += 1;
    }
    if unchanged == map.len() {
        return;
    }
    let mut fields = std::mem::take(map).into_iter();
    map.extend(fields.by_ref().take(unchanged));
    let mut changed = Some(name);
    for (key, mut item) in fields {
        let mut name = changed.take().unwrap_or_else(|| {
            let mut name = key.clone();
            visit(at, &mut name);
            name
        });
        // Two names that came out the same would lose a field.
        while name != key && map.contains_key(&name) {
            name.push('′');
        }
        each_in_value(&at.name(&name), &mut item, visit);
        map.insert(name, item);
    }
}
