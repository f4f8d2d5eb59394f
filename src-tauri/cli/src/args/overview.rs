//! The commands in groups, each with an example: what `majordomoctl help` begins with.

use super::Arguments;
use clap::{Command, CommandFactory as _};

/// The groups, with their commands, each with an example.
const GROUPS: [(&str, &[(&str, &str)]); 6] = [
    (
        "Servers",
        &[
            (
                "servers",
                "servers add files -- npx -y @modelcontextprotocol/server-filesystem",
            ),
            ("roots", "roots add files ~/Documents"),
            ("workspaces", "workspaces list"),
            ("offers", "offers review files"),
        ],
    ),
    (
        "Use what they offer",
        &[
            (
                "call",
                "call currency get_exchange_rate base=EUR target=CHF",
            ),
            ("calls", "calls unknown"),
            ("tools", "tools list files"),
            ("resources", "resources list files"),
            ("prompts", "prompts list files"),
            ("complete", "complete files --prompt review path src"),
            ("answers", "answers full CALL"),
        ],
    ),
    (
        "Decide",
        &[
            ("questions", "questions list"),
            ("grants", "grants list"),
            ("policy", "policy test files write_file path=/etc/hosts"),
        ],
    ),
    (
        "Models",
        &[
            ("models", "models found"),
            ("chat", "chat"),
            ("agent", "agent run --task 'Sum up my notes'"),
            ("assistants", "assistants list"),
            ("conversations", "conversations list"),
        ],
    ),
    (
        "See what happened",
        &[
            ("audit", "audit verify"),
            ("logs", "logs files"),
            ("exchange", "exchange files"),
            ("jail", "jail test"),
            ("telemetry", "telemetry show"),
        ],
    ),
    (
        "Other applications, and this program",
        &[
            ("clients", "clients connect claude-desktop"),
            ("bridge", "bridge --client editor"),
            ("serve", "serve"),
            ("completions", "completions zsh"),
            ("glossary", "glossary sandbox"),
            ("help", "help servers add"),
        ],
    ),
];

/// All that can be written on the command line, with an overview in groups.
pub(crate) fn command() -> Command {
    let mut root = Arguments::command();
    let overview = overview(&root);
    for (name, example) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
        let example = format!("Example:\n  majordomoctl {example}");
        root = root.mut_subcommand(name, |below| below.after_help(example));
    }
    root.help_template(
        "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}",
    )
    .before_help(overview)
    .before_long_help(None::<&str>)
}

/// A line for each command, under the name of its group.
fn overview(root: &Command) -> String {
    let mut text = String::new();
    for (group, commands) in GROUPS {
        text.push_str(group);
        text.push_str(":\n");
        for (name, _) in commands {
            let about = root.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {name:<14} {about}\n"));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let root = Arguments::command();
        let mut there: Vec<&str> = root
            .get_subcommands()
            .filter(|below| !below.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, commands)| commands.iter().map(|(name, _)| *name))
            .collect();
        there.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(there, grouped);
    }

    #[test]
    fn every_example_can_be_typed() {
        for (name, example) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
            let words = example.replace('\'', "").replace("Sum up my notes", "Sum");
            let words = ["majordomoctl"].into_iter().chain(words.split(' '));
            let typed = command().try_get_matches_from(words);
            let typed = typed.unwrap_or_else(|problem| panic!("{example}: {problem}"));
            assert_eq!(typed.subcommand_name(), Some(*name), "{example}");
        }
    }
}
