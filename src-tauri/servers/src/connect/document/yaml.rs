//! YAML, as Goose and Continue write it: servers in blocks of lines below one key. Lines are put in
//! and taken out whole, so everything else stays as it is. What is written on one line, or in
//! another way that lines cannot tell, is refused.

use super::{Change, Place};
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::Range;

pub(super) fn edit(text: &str, place: Place, changes: &[Change<'_>]) -> Result<String, String> {
    let [key] = place.keys else {
        return Err("its servers stand too deep in it".into());
    };
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for change in changes {
        let (Change::Put(name, _) | Change::Take(name)) = *change;
        let block = Block::find(&lines, key)?;
        if let Some(block) = &block
            && let Some(there) = block.entry(&lines, name, place.is_list)
        {
            block.take(&mut lines, there, key, place.is_list, newline);
        }
        if let Change::Put(name, entry) = *change {
            put(&mut lines, key, name, entry, place.is_list, newline)?;
        }
    }
    Ok(lines.concat())
}

/// A key at the margin, and the lines below it.
struct Block {
    /// The line of the key.
    head: usize,
    /// The lines below it up to the last that holds something.
    body: Range<usize>,
    /// How far its entries are indented.
    indent: usize,
}

impl Block {
    fn find(lines: &[String], key: &str) -> Result<Option<Self>, String> {
        let Some(head) = lines.iter().position(|line| after_key(line, key).is_some()) else {
            return Ok(None);
        };
        let value = after_key(&lines[head], key).unwrap_or_default();
        if !matches!(value, "" | "{}" | "[]" | "~" | "null") {
            return Err(format!("{key} is not written in lines of its own"));
        }
        let (mut end, mut indent) = (head + 1, None);
        for (at, line) in lines.iter().enumerate().skip(head + 1) {
            if is_empty(line) {
                continue;
            }
            let depth = depth(line);
            // Items of a list may stand at the margin, too.
            if depth == 0 && !line.starts_with("- ") {
                break;
            }
            indent.get_or_insert(depth);
            end = at + 1;
        }
        Ok(Some(Self {
            head,
            body: head + 1..end,
            indent: indent.unwrap_or(2),
        }))
    }

    /// The lines of an entry.
    fn entry(&self, lines: &[String], name: &str, is_list: bool) -> Option<Range<usize>> {
        let begins = |at: &usize| !is_empty(&lines[*at]) && depth(&lines[*at]) <= self.indent;
        let starts: Vec<usize> = self.body.clone().filter(begins).collect();
        let ends = starts.iter().skip(1).copied().chain([self.body.end]);
        let mut entries = starts.iter().zip(ends).map(|(start, end)| {
            // What is empty or a comment before the next entry belongs to that.
            let full = |at: &usize| !is_empty(&lines[*at]);
            let last = (*start..end).rev().find(full).unwrap_or(*start);
            *start..last + 1
        });
        entries.find(|entry| {
            let mut own = lines[entry.clone()].iter().map(|line| line.trim());
            if is_list {
                own.any(|line| {
                    let line = line.strip_prefix("- ").unwrap_or(line).trim_start();
                    after_key(line, "name").is_some_and(|value| unquoted(value) == name)
                })
            } else {
                own.next()
                    .is_some_and(|line| after_key(line, name).is_some())
            }
        })
    }

    /// Takes the lines of an entry out.
    fn take(
        &self,
        lines: &mut Vec<String>,
        entry: Range<usize>,
        key: &str,
        is_list: bool,
        newline: &str,
    ) {
        let is_only = !self
            .body
            .clone()
            .any(|at| !entry.contains(&at) && !is_empty(&lines[at]));
        lines.drain(entry);
        if is_only {
            let nothing = if is_list { "[]" } else { "{}" };
            lines[self.head] = format!("{key}: {nothing}{newline}");
        }
    }
}

fn put(
    lines: &mut Vec<String>,
    key: &str,
    name: &str,
    entry: &Value,
    is_list: bool,
    newline: &str,
) -> Result<(), String> {
    let (at, indent) = match Block::find(lines, key)? {
        Some(block) => {
            if after_key(&lines[block.head], key) != Some("") {
                lines[block.head] = format!("{key}:{newline}");
            }
            (block.body.end, block.indent)
        }
        None => {
            let end = lines.len();
            end_last(lines, end, newline);
            lines.push(format!("{key}:{newline}"));
            (lines.len(), 2)
        }
    };
    end_last(lines, at, newline);
    let fields = entry.as_object().ok_or("an entry is a map")?;
    let margin = " ".repeat(indent);
    let mut text = String::new();
    let inner = if is_list {
        // Writing to a String cannot fail.
        let _ = write!(text, "{margin}- name: {name}{newline}");
        format!("{margin}  ")
    } else {
        let _ = write!(text, "{margin}{name}:{newline}");
        margin.repeat(2)
    };
    for (field, value) in fields
        .iter()
        .filter(|(field, _)| !is_list || *field != "name")
    {
        // What JSON writes is YAML, too.
        let _ = write!(text, "{inner}{field}: {}{newline}", spaced(value));
    }
    lines.insert(at, text);
    Ok(())
}

/// Has the line before a place end.
fn end_last(lines: &mut [String], at: usize, newline: &str) {
    if let Some(last) = at.checked_sub(1).and_then(|last| lines.get_mut(last))
        && !last.ends_with('\n')
    {
        last.push_str(newline);
    }
}

/// A list with a space behind each comma, as people write it.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// What stands behind a key, without a comment.
fn after_key<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = [key.to_owned(), format!("\"{key}\""), format!("'{key}'")]
        .iter()
        .find_map(|key| {
            line.strip_prefix(key.as_str())?
                .trim_start()
                .strip_prefix(':')
        })?;
    let rest = rest.split_once(" #").map_or(rest, |(value, _)| value);
    Some(rest.trim())
}

fn unquoted(value: &str) -> &str {
    value.trim_matches(['"', '\''])
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Whether a line holds nothing but perhaps a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}
