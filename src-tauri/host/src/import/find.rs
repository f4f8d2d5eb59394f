//! Finds the servers in a configuration: JSON, with comments and trailing commas as editors write it.

use super::{Parsed, entry};
use crate::api::{ErrorCode, HostError};
use crate::error;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast, parse_to_serde_value};

/// The largest configuration that is read, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// How deep it may be nested.
const MAX_DEPTH: usize = 64;

/// The key under which servers stood, and each entry in the order of the text, entries of the same name included.
pub(super) fn servers(text: &str) -> Result<(String, Vec<Parsed>), HostError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES {
        return Err(error::host(ErrorCode::ImportNotJson, "the configuration is longer than 4 MiB"));
    }
    if depth(text) > MAX_DEPTH {
        return Err(error::host(ErrorCode::ImportNotJson, format!("the configuration is nested deeper than {MAX_DEPTH} levels")));
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options())
        .map_err(|problem| error::host(ErrorCode::ImportNotJson, format!("the configuration is not JSON: {problem}")))?;
    let Some(Value::Object(root)) = parsed.value else {
        return Err(error::host(ErrorCode::ImportNoServers, "the configuration is not an object with servers in it"));
    };
    let (format, servers) =
        locate(&root).ok_or_else(|| error::host(ErrorCode::ImportNoServers, "the configuration has neither mcpServers nor servers"))?;
    Ok((format.to_owned(), servers.properties.iter().map(|property| parse(text, property)).collect()))
}

fn options() -> ParseOptions {
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

fn locate<'a, 'b>(root: &'b Object<'a>) -> Option<(&'static str, &'b Object<'a>)> {
    ["mcpServers", "servers"]
        .into_iter()
        .find_map(|key| root.get_object(key).map(|servers| (key, servers)))
        .or_else(|| root.get_object("mcp").and_then(locate))
        // Only the inner part was pasted: a map of things that have a command or an address.
        .or_else(|| root.properties.iter().any(|property| looks_like_server(&property.value)).then_some(("mcpServers", root)))
}

fn looks_like_server(value: &Value<'_>) -> bool {
    value.as_object().is_some_and(|object| object.get("command").is_some() || object.get("url").is_some())
}

fn parse(text: &str, property: &ObjectProp<'_>) -> Parsed {
    let range = property.value.range();
    let source_name = property.name.as_str().to_owned();
    let value: Result<serde_json::Value, _> = parse_to_serde_value(&text[range.start..range.end], &options());
    match value {
        Ok(value) => entry::parse(source_name, &value),
        Err(problem) => Parsed { source_name, target: Err(problem.to_string()), ignored: Vec::new() },
    }
}

/// How deep brackets are nested, strings and comments left out. The parser is recursive, so this is known before it starts.
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
            b'/' if bytes.peek() == Some(&b'/') => while bytes.next().is_some_and(|byte| byte != b'\n') {},
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
