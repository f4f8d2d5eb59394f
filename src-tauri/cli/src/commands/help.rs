//! What can be written on the command line, made from the definitions that read it.

use crate::args::{self, Help};
use crate::exit::Exit;
use crate::print;
use clap_markdown::MarkdownOptions;

/// Shows the help of a command. Fails with `2` where there is none of this name.
pub(crate) fn run(wanted: &Help) -> Exit {
    let mut root = args::command();
    // The reference gives each command its whole name by itself.
    if !wanted.markdown {
        root.build();
    }
    let mut found = &mut root;
    for word in &wanted.command {
        let Some(below) = found.find_subcommand_mut(word) else {
            print::note(format_args!(
                "majordomoctl: there is no command {:?}; `majordomoctl help` lists them",
                wanted.command.join(" ")
            ));
            return Exit::Usage;
        };
        found = below;
    }
    if wanted.markdown {
        let options = MarkdownOptions::new().show_footer(false);
        print::file(&clap_markdown::help_markdown_command_custom(
            found, &options,
        ));
    } else if wanted.man {
        let mut page = Vec::new();
        if let Err(problem) = clap_mangen::Man::new(found.clone()).render(&mut page) {
            print::note(format_args!(
                "majordomoctl: the page could not be made: {problem}"
            ));
            return Exit::Other;
        }
        print::file(&String::from_utf8_lossy(&page));
    } else {
        print::result(found.render_long_help());
    }
    Exit::Done
}
