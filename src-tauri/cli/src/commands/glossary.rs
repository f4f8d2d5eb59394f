//! `majordomoctl glossary`: the words of the product, as the window explains them.

use crate::exit::Exit;
use crate::messages::{Term, glossary};
use crate::print;

/// Shows the terms that hold all these words. Fails where none does.
pub(super) fn run(words: &[String], json: bool) -> Exit {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let holds = |term: &Term| {
        let text = format!("{} {}", term.term, term.means).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let found: Vec<Term> = glossary().into_iter().filter(holds).collect();
    if json {
        print::json(&found);
    } else {
        for Term { term, means } in &found {
            print::result(format_args!("{term}\n    {means}"));
        }
    }
    if !found.is_empty() {
        return Exit::Done;
    }
    print::note("majordomoctl: no term holds these words; `majordomoctl glossary` shows them all");
    Exit::Other
}
