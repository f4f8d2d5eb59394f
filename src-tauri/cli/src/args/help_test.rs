//! What is written in the help, from which the reference and the page for `man` are made.

use super::Arguments;
use clap::{Command, CommandFactory as _};

/// What has no words, of a command and of those below it.
fn silent(command: &Command, path: &str, found: &mut Vec<String>) {
    let path = format!("{path} {}", command.get_name());
    if command.get_about().is_none() {
        found.push(path.clone());
    }
    let silent_options = command
        .get_arguments()
        .filter(|argument| argument.get_help().is_none())
        .map(|argument| format!("{path} {}", argument.get_id()));
    found.extend(silent_options);
    let below = command.get_subcommands();
    below
        .filter(|below| !below.is_hide_set())
        .for_each(|below| silent(below, &path, found));
}

#[test]
fn every_command_and_option_says_what_it_is_for() {
    let mut found = Vec::new();
    silent(&Arguments::command(), "", &mut found);
    assert!(found.is_empty(), "without a word: {found:#?}");
}

#[test]
fn the_help_says_after_how_many_of_the_same_call_a_person_is_asked() {
    let (times, within) = (host::REPEATS, host::REPEATS_WITHIN.as_secs());
    let mut policy = Arguments::command()
        .find_subcommand("policy")
        .cloned()
        .unwrap();
    let mut test = policy.find_subcommand("test").cloned().unwrap();
    for help in [policy.render_long_help(), test.render_long_help()] {
        let words: Vec<String> = help
            .to_string()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let help = words.join(" ");
        let said = format!("come {times} times within {within} seconds");
        assert!(help.contains(&said), "{help}");
    }
}

#[test]
fn the_reference_names_every_command_and_none_that_only_measures() {
    let reference = clap_markdown::help_markdown::<Arguments>();
    for named in [
        "majordomoctl servers add",
        "majordomoctl audit check-anchor",
    ] {
        assert!(reference.contains(named), "{named}");
    }
    for hidden in ["majordomoctl inspect", "majordomoctl flow", "builtin"] {
        assert!(!reference.contains(hidden), "{hidden}");
    }
}
