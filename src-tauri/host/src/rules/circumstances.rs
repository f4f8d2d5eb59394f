//! What is known when the rules are asked: about the tool, its server, and what the arguments name.
//!
//! Always true here: a path that is not sure to lie where it says is never counted among those of which it is sure.

use crate::{Host, places};
use policy::Circumstances;
use policy::flow::Concern;
use protocol::{Launch, ServerId, ToolName};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use url::Url;

/// What is known about a server as such.
pub(super) fn of_server(host: &Host, server: &ServerId) -> Circumstances {
    let launch = host.kept().with(server, |kept| kept.row.launch.clone());
    Circumstances {
        remote: matches!(launch, Ok(Launch::Http(_))),
        unconfined: !matches!(launch, Ok(Launch::Http(_) | Launch::Builtin { .. })),
        ..Circumstances::default()
    }
}

/// What is known about a call of a tool.
pub(super) fn of_call(
    host: &Host,
    server: &ServerId,
    tool: &ToolName,
    arguments: &Map<String, Value>,
    concerns: &[Concern],
) -> Circumstances {
    let (mark, roots) = host.kept().with(server, |kept| (kept.mark(tool), kept.place.roots.clone())).unwrap_or_default();
    let mut known = Circumstances {
        consequential: mark.consequential,
        secret: mark.secret,
        from_strangers: !concerns.is_empty(),
        ..of_server(host, server)
    };
    let with_places = host.rules().now().looks_at_folders();
    for text in arguments.values().flat_map(texts) {
        known.hosts.extend(hosts(text));
        if with_places {
            place(text, &roots, &mut known);
        }
    }
    known
}

/// The host of a server that is reached over the network.
pub(super) fn destination(host: &Host, server: &ServerId) -> Option<String> {
    let launch = host.kept().with(server, |kept| kept.row.launch.clone()).ok()?;
    match launch {
        Launch::Http(call) => Some(Url::parse(&call.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or(call.url)),
        Launch::Stdio(_) | Launch::Builtin { .. } => None,
    }
}

/// All texts in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The hosts of all addresses in a text, wherever in it they stand.
fn hosts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let scheme = text[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        let end = text[at..].find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>')).map_or(text.len(), |end| at + end);
        if let Some(host) = Url::parse(&text[scheme..end]).ok().and_then(|url| url.host_str().map(str::to_owned)) {
            found.push(host);
        }
    }
    found
}

/// Notes where a text leads, if it names a file or folder.
fn place(text: &str, roots: &[String], known: &mut Circumstances) {
    let by_address = Url::parse(text).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
    let path = by_address.unwrap_or_else(|| PathBuf::from(text));
    if path.is_absolute() {
        note(&path, known, true);
        return;
    }
    let like_a_path = text.contains(['/', '\\']) || text.starts_with(['.', '~']);
    if !like_a_path || text.contains("://") || text.contains(char::is_whitespace) {
        return;
    }
    // Where a server begins to count is its own business; most begin at a folder that they were given.
    known.other_paths = true;
    for root in roots {
        note(&Path::new(root).join(&path), known, false);
    }
}

fn note(path: &Path, known: &mut Circumstances, sure: bool) {
    match (places::straight(path).to_str(), places::real(path).as_deref().and_then(Path::to_str)) {
        (Some(named), Some(real)) => {
            known.named.push(named.to_owned());
            known.paths.push(real.to_owned());
        }
        _ => known.other_paths = true,
    }
    known.other_paths |= !sure;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_wherever_they_stand() {
        assert_eq!(hosts("https://a.example/x?y=https://b.example/"), ["a.example", "b.example"]);
        assert_eq!(hosts("see (HTTP://C.Example:8080/), <ftp://d.example>"), ["c.example", "d.example"]);
        assert_eq!(hosts("文https://e.example"), ["e.example"]);
        assert!(hosts("a/b c:d 1://").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_path_lies_where_its_links_lead() {
        let dir = tempfile::tempdir().unwrap();
        let dir = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir(dir.join("data")).unwrap();
        std::os::unix::fs::symlink(dir.join("data"), dir.join("link")).unwrap();
        let mut known = Circumstances::default();
        place(dir.join("link/new/../file").to_str().unwrap(), &[], &mut known);
        assert_eq!(known.paths, [dir.join("data/file").to_str().unwrap()]);
        assert_eq!(known.named, [dir.join("link/file").to_str().unwrap()]);
        assert!(!known.other_paths);

        place("../elsewhere", &[dir.join("data").to_str().unwrap().to_owned()], &mut known);
        assert_eq!(known.paths[1], dir.join("elsewhere").to_str().unwrap());
        assert!(known.other_paths);
    }
}
