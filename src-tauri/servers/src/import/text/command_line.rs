//! One line as it is typed in a terminal: `npx -y server`, `claude mcp add name -- npx server`, or
//! an address. No shell ever sees it: words are taken apart here, and what a shell would put in
//! their place stays as it is.

use super::{Configuration, Entry, Inputs, Notation, no_servers, notation, unreadable};
use api::{HostError, Runtime};
use serde_json::{Map, Value, json};

/// Whether a text is one line that begins with the command of a known runtime, or is an address.
pub(super) fn is_one(text: &str) -> bool {
    let text = text.trim();
    let first = text
        .split_whitespace()
        .find(|word| assignment(word).is_none() && *word != "$")
        .unwrap_or_default();
    !text.replace("\\\n", " ").contains('\n')
        && (Runtime::of(first).is_some()
            || is_address(text)
            || (first == "claude" && text.contains(" mcp add ")))
}

pub(super) fn read(text: &str) -> Result<Configuration, HostError> {
    let words = shlex::split(text.trim())
        .ok_or_else(|| unreadable("the command has a quotation mark without its partner"))?;
    let words: Vec<String> = words.into_iter().skip_while(|word| word == "$").collect();
    let entry = match words
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [address] if is_address(address) => entry(host_of(address), json!({"url": address})),
        ["claude", "mcp", "add", options @ ..] => added(options)?,
        [first, ..] => {
            let count = words
                .iter()
                .take_while(|word| assignment(word).is_some())
                .count();
            let env: Map<String, Value> = words[..count]
                .iter()
                .filter_map(|word| assignment(word))
                .collect();
            let command = words
                .get(count)
                .ok_or_else(|| no_servers(format!("{first} sets a variable and runs nothing")))?;
            entry(
                name_of(&words[count..]),
                json!({"command": command, "args": words[count + 1..], "env": env}),
            )
        }
        [] => return Err(no_servers("the command is empty")),
    };
    Ok(Configuration {
        format: "command line".into(),
        entries: vec![entry],
    })
}

/// `claude mcp add [options] NAME [--] COMMAND …` or `… NAME ADDRESS`.
fn added(options: &[&str]) -> Result<Entry, HostError> {
    let (mut env, mut headers, mut plain, mut rest) =
        (Map::new(), Map::new(), Vec::new(), options.iter());
    while let Some(word) = rest.next() {
        match *word {
            // Behind the name and the command, every word is the command's own.
            _ if plain.len() >= 2 && !is_address(plain[1]) => plain.push(word),
            "--" => {
                plain.extend(rest.by_ref().copied());
            }
            "-e" | "--env" => env.extend(rest.next().and_then(|pair| assignment(pair))),
            "-H" | "--header" => {
                let pair = rest.next().and_then(|header| header.split_once(':'));
                headers.extend(
                    pair.map(|(name, value)| (name.trim().to_owned(), json!(value.trim()))),
                );
            }
            "-t" | "--transport" | "-s" | "--scope" => _ = rest.next(),
            option if option.starts_with('-') => {}
            _ => plain.push(word),
        }
    }
    match plain.as_slice() {
        [name, address] if is_address(address) => Ok(entry(
            (*name).to_owned(),
            json!({"url": address, "headers": headers}),
        )),
        [name, command, args @ ..] => Ok(entry(
            (*name).to_owned(),
            json!({"command": command, "args": args, "env": env}),
        )),
        _ => Err(no_servers("the command adds no server")),
    }
}

fn entry(name: String, value: Value) -> Entry {
    notation::entry(Notation::Common, name, &value, &Inputs::default())
}

fn assignment(word: &str) -> Option<(String, Value)> {
    let (name, value) = word.split_once('=')?;
    let fits = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    fits.then(|| (name.to_owned(), json!(value)))
}

fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && !text.contains(char::is_whitespace)
}

fn host_of(address: &str) -> String {
    url::Url::parse(address)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_else(|| "server".to_owned())
}

/// A name for a command: its first word that looks like a package, without scope and version.
fn name_of(words: &[String]) -> String {
    let package = words.iter().skip(1).find(|word| {
        !word.starts_with('-') && !matches!(word.as_str(), "run" | "exec" | "tool" | "x" | "dlx")
    });
    let word = package.or(words.first()).map_or("server", String::as_str);
    let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
    last.split(['@', ':'])
        .next()
        .filter(|name| !name.is_empty())
        .unwrap_or("server")
        .to_owned()
}
