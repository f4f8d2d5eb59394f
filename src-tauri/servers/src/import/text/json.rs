//! JSON, with comments and trailing commas as editors write it. Entries of one name are all kept,
//! in their order.

use super::{
    CONTAINERS, Configuration, Entry, Inputs, MAX_DEPTH, Notation, SERVER_KEYS, no_servers,
    notation, unreadable,
};
use api::HostError;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast, parse_to_serde_value};

pub(super) fn read(text: &str) -> Result<Configuration, HostError> {
    // Instructions show the part between the braces as often as with them.
    let wrapped =
        (text.trim_start().starts_with('"') && parse(text).is_err()).then(|| format!("{{{text}}}"));
    let text = wrapped.as_deref().unwrap_or(text);
    let Some(Value::Object(root)) = parse(text)? else {
        return Err(no_servers(
            "the configuration is not an object with servers in it",
        ));
    };
    let root = &root;
    let inputs = inputs(text, root);
    if SERVER_KEYS.iter().any(|key| {
        root.get(key)
            .is_some_and(|property| is_one_servers(&property.value))
    }) {
        let name = root
            .get_string("name")
            .map_or("server", |name| name.value.as_ref());
        let entry = entry(text, Notation::Common, name, root.range(), &inputs);
        return Ok(Configuration {
            format: "server".into(),
            entries: vec![entry],
        });
    }
    let top = locate(root);
    let mut entries: Vec<Entry> = Vec::new();
    for property in top.iter().flat_map(|(_, _, servers)| &servers.properties) {
        let notation = top.map_or(Notation::Common, |(_, notation, _)| notation);
        entries.push(entry(
            text,
            notation,
            property.name.as_str(),
            property.value.range(),
            &inputs,
        ));
    }
    let mut format = top.map(|(format, ..)| format);
    for (project, servers) in by_project(root) {
        format = format.or(Some("mcpServers"));
        for property in &servers.properties {
            let entry = entry(
                text,
                Notation::Common,
                property.name.as_str(),
                property.value.range(),
                &inputs,
            );
            entries.push(Entry {
                project: Some(project.name.as_str().to_owned()),
                ..entry
            });
        }
    }
    match format {
        Some(format) => Ok(Configuration {
            format: format.to_owned(),
            entries,
        }),
        None => Err(no_servers("the configuration has no servers in it")),
    }
}

/// The projects that Claude Code knows, by their folders.
pub(in crate::import) fn projects(text: &str) -> Vec<String> {
    let Ok(Some(Value::Object(root))) = parse(text) else {
        return Vec::new();
    };
    let projects = root
        .get_object("projects")
        .map(|projects| &projects.properties);
    projects
        .into_iter()
        .flatten()
        .map(|project| project.name.as_str().to_owned())
        .collect()
}

/// What a text means, all of it; null where there is nothing but comments.
pub(crate) fn value(text: &str) -> Result<serde_json::Value, HostError> {
    check_depth(text)?;
    parse_to_serde_value::<Option<serde_json::Value>>(text, &options())
        .map(Option::unwrap_or_default)
        .map_err(|problem| unreadable(format!("the configuration is not JSON: {problem}")))
}

/// Refuses what a recursive parser should not begin to read.
pub(crate) fn check_depth(text: &str) -> Result<(), HostError> {
    if depth(text) > MAX_DEPTH {
        return Err(unreadable(format!(
            "the configuration is nested deeper than {MAX_DEPTH} levels"
        )));
    }
    Ok(())
}

fn parse(text: &str) -> Result<Option<Value<'_>>, HostError> {
    check_depth(text)?;
    parse_to_ast(text, &CollectOptions::default(), &options())
        .map(|parsed| parsed.value)
        .map_err(|problem| unreadable(format!("the configuration is not JSON: {problem}")))
}

/// What editors write: comments and trailing commas.
pub(crate) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        ..ParseOptions::default()
    }
}

type Located<'a, 'b> = (&'static str, Notation, &'b Object<'a>);

fn locate<'a, 'b>(root: &'b Object<'a>) -> Option<Located<'a, 'b>> {
    let at = |path: &[&str]| {
        path.iter()
            .try_fold(root, |object, key| object.get_object(key))
    };
    CONTAINERS
        .into_iter()
        .filter_map(|(path, format, notation)| at(path).map(|servers| (format, notation, servers)))
        // `mcp` and `extensions` are settings of other kinds elsewhere.
        .find(|(format, _, servers)| {
            !matches!(*format, "mcp" | "extensions")
                || servers.properties.iter().any(looks_like_server)
        })
        // Only the inner part was pasted: a map of things that have a command or an address.
        .or_else(|| {
            root.properties.iter().any(looks_like_server).then_some((
                "mcpServers",
                Notation::Common,
                root,
            ))
        })
}

fn looks_like_server(property: &ObjectProp<'_>) -> bool {
    property
        .value
        .as_object()
        .is_some_and(|object| SERVER_KEYS.iter().any(|key| object.get(key).is_some()))
}

/// Whether this is the command or address of one server, as opposed to a server of that name.
fn is_one_servers(value: &Value<'_>) -> bool {
    matches!(value, Value::StringLit(_) | Value::Array(_))
}

/// Servers that were kept for one project only, as Claude Code does.
fn by_project<'a, 'b>(
    root: &'b Object<'a>,
) -> impl Iterator<Item = (&'b ObjectProp<'a>, &'b Object<'a>)> {
    let projects = root
        .get_object("projects")
        .map(|projects| &projects.properties);
    let with_servers = |project: &'b ObjectProp<'a>| {
        project
            .value
            .as_object()?
            .get_object("mcpServers")
            .map(|servers| (project, servers))
    };
    projects.into_iter().flatten().filter_map(with_servers)
}

/// The inputs of VS Code that are hidden while they are typed.
fn inputs(text: &str, root: &Object<'_>) -> Inputs {
    let inputs = root.get_array("inputs").or_else(|| {
        root.get_object("mcp")
            .and_then(|mcp| mcp.get_array("inputs"))
    });
    let values = inputs
        .into_iter()
        .flat_map(|inputs| &inputs.elements)
        .filter_map(|input| {
            let range = input.range();
            let value: serde_json::Value =
                parse_to_serde_value(&text[range.start..range.end], &options()).ok()?;
            (value["password"] == true)
                .then(|| value["id"].as_str().map(str::to_owned))
                .flatten()
        });
    Inputs(values.collect())
}

fn entry(
    text: &str,
    notation: Notation,
    name: &str,
    range: jsonc_parser::common::Range,
    inputs: &Inputs,
) -> Entry {
    let value: Result<serde_json::Value, _> =
        parse_to_serde_value(&text[range.start..range.end], &options());
    match value {
        Ok(value) => notation::entry(notation, name.to_owned(), &value, inputs),
        Err(problem) => Entry::broken(name.to_owned(), problem.to_string()),
    }
}

/// How deep brackets are nested, strings and comments left out. The parser is recursive, so this is
/// known before it starts.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut bytes) = (0_usize, 0, text.bytes().peekable());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'\\' => _ = bytes.next(),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'/' if bytes.peek() == Some(&b'/') => {
                while bytes.next().is_some_and(|byte| byte != b'\n') {}
            }
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
