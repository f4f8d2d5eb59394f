//! TOML, as Codex writes it: comments and the order of tables stay.

use super::{Change, Place, not_servers};
use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

pub(super) fn edit(text: &str, place: Place, changes: &[Change<'_>]) -> Result<String, String> {
    // The editor writes one kind of line ends.
    let (all, windows) = (text.matches('\n').count(), text.matches("\r\n").count());
    if windows != 0 && windows != all {
        return Err("it mixes the line ends of two systems".into());
    }
    let edited = edit_lines(&text.replace("\r\n", "\n"), place, changes)?;
    Ok(if windows == 0 {
        edited
    } else {
        edited.replace('\n', "\r\n")
    })
}

fn edit_lines(text: &str, place: Place, changes: &[Change<'_>]) -> Result<String, String> {
    // Its account of a problem quotes the text, which may hold a secret.
    let mut document: DocumentMut = text.parse().map_err(|_| "it is not TOML")?;
    let mut servers: &mut dyn TableLike = document.as_table_mut();
    for key in place.keys {
        servers = servers
            .entry(key)
            .or_insert_with(implicit)
            .as_table_like_mut()
            .ok_or_else(|| not_servers(key))?;
    }
    for change in changes {
        match *change {
            Change::Put(name, entry) => {
                servers.insert(name, item(entry)?);
            }
            Change::Take(name) => {
                servers.remove(name);
            }
        }
    }
    Ok(document.to_string())
}

/// A table that is there because another stands in it.
fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn item(entry: &Value) -> Result<Item, String> {
    Ok(match entry {
        Value::String(text) => value(text),
        Value::Bool(truth) => value(*truth),
        Value::Array(items) => {
            let texts: Option<Array> = items.iter().map(Value::as_str).collect();
            value(texts.ok_or("only lists of texts are written to TOML")?)
        }
        Value::Object(map) => {
            let mut table = Table::new();
            for (key, value) in map {
                table.insert(key, item(value)?);
            }
            Item::Table(table)
        }
        Value::Null | Value::Number(_) => return Err("only texts are written to TOML".into()),
    })
}
