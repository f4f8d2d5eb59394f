//! The README names every command, with every option.

use super::Arguments;
use clap::{Command, CommandFactory as _};

const README: &str = include_str!("../../../../README.md");

/// The words of one entry of the README's list, with those of the lines that go on with it.
fn entries() -> Vec<Vec<&'static str>> {
    let list = README.split("majordomoctl [--data-dir DIR]").nth(1).unwrap().split("```").next().unwrap();
    let mut entries: Vec<Vec<&str>> = Vec::new();
    for line in list.lines().skip(1).filter(|line| !line.is_empty()) {
        let words = line.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| !word.is_empty());
        match entries.last_mut() {
            Some(entry) if line.starts_with(' ') => entry.extend(words),
            _ => entries.push(words.collect()),
        }
    }
    entries
}

/// What is missing of a command and of those below it.
fn missing(command: &Command, noun: &str, entries: &[Vec<&str>], found: &mut Vec<String>) {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        missing(below, if noun.is_empty() { below.get_name() } else { noun }, entries, found);
    }
    if noun.is_empty() || command.has_subcommands() {
        return;
    }
    let name = command.get_name();
    let names_it = |entry: &&Vec<&str>| entry.contains(&name) && (name == noun || entry.first() == Some(&noun));
    let of_it: Vec<_> = entries.iter().filter(names_it).collect();
    if of_it.is_empty() {
        found.push(format!("{noun} {name}"));
    }
    for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
        let written = format!("--{option}");
        if !of_it.iter().any(|entry| entry.contains(&written.as_str())) {
            found.push(format!("{noun} {name} {written}"));
        }
    }
}

#[test]
fn the_readme_names_every_command_with_every_option() {
    let (entries, mut found) = (entries(), Vec::new());
    assert!(entries.len() > 30, "the list was not found");
    missing(&Arguments::command(), "", &entries, &mut found);
    assert!(found.is_empty(), "the README does not name: {found:#?}");
}
