//! Words that a sentence to a model is made of, in several languages.
//!
//! One word proves nothing: only what stands together in a sentence does, which `sign.rs` decides.

use aho_corasick::{AhoCorasick, Input, MatchKind};
use std::ops::Range;
use std::sync::LazyLock;

/// What a word or phrase does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// An obligation.
    Must,
    /// A negation.
    Not,
    /// Telling or showing somebody something.
    Tell,
    /// The person in front of the program.
    Person,
    /// In secret.
    Secretly,
    /// Disregarding.
    Ignore,
    /// What came before, or everything else.
    Prior,
    /// Instructions and rules.
    Rules,
    /// First of all.
    Priority,
    /// Before, after or at each of all actions of some kind.
    Before,
    /// At some occasion.
    Whenever,
    /// The tool that is described.
    ThisTool,
    /// Calling something.
    Call,
    /// Tools in general.
    OtherTool,
    /// Another tool by its name.
    NamedTool,
    /// Changing a value.
    Tamper,
    /// A value that a call is given or answers.
    Value,
    /// Instead of what was meant.
    Instead,
    /// An address of mail or of a machine, a number to call, an absolute path.
    Literal,
    /// An address of the web.
    Url,
    /// Reading something.
    Read,
    /// A place where credentials lie.
    SecretPlace,
    /// Private things in words.
    PrivateThing,
    /// Things of this person, this conversation or this model: private, and no matter of a tool.
    Intimate,
    /// Sending something.
    Send,
    /// A reason that is none.
    Excuse,
    /// What happens otherwise.
    Threat,
    /// The model.
    Model,
    /// A role to take.
    Role,
    /// A heading that claims authority.
    Authority,
    /// A heading that only asks for attention.
    Heading,
    /// Without asking.
    Unasked,
    /// Destruction, and commands that open a machine.
    Danger,
    /// Better than others.
    Better,
    /// A first step, a prerequisite.
    Prerequisite,
    /// A file or other thing that can be read.
    Thing,
    /// Speaking of something to somebody.
    Mention,
    /// Out of sight.
    Hushed,
    /// Whatever the person wanted.
    Heedless,
    /// A consent that somebody is said to have given.
    Consented,
    /// Doing what a text says.
    Obey,
    /// Being above, or free of, earlier rules.
    Outrank,
    /// All of something, or the newest of it.
    Whole,
    /// What people write, see and do.
    Personal,
    /// What proves who somebody is, or what a model was told.
    Identity,
    /// Each one of many.
    Every,
    /// Something that tools and people do over and over.
    Event,
    /// An obligation of things.
    Duty,
    /// Saying what is not so.
    Deceive,
    /// What does the same elsewhere.
    Rival,
    /// A fault that is found with it.
    Bad,
    /// Commands and settings that open or break a machine.
    Exploit,
    /// Doing it again without an end, or as dearly as possible.
    Loop,
    /// Asking for something as people ask.
    Please,
    /// The one who asks.
    Mine,
    /// The beginning of what no viewer shows.
    Comment,
    /// Into an argument.
    Into,
    /// A tool of another purpose: "the mail tool".
    Colleague,
    /// The use of a tool by its name, as the occasion for something else.
    Hook,
}

/// One cue where it stands in a plain text.
#[derive(Debug, Clone)]
pub(super) struct CueMatch {
    pub cue: Cue,
    pub span: Range<usize>,
}

/// All cues of a part of a plain text, in their order.
pub(super) fn marks(plain: &str, part: Range<usize>) -> Vec<CueMatch> {
    let Some(finder) = &*FINDER else {
        return Vec::new();
    };
    let bytes = plain.as_bytes();
    let mut marks: Vec<CueMatch> = Vec::new();
    for found in finder.find_overlapping_iter(Input::new(plain).span(part)) {
        let (cue, prefix) = CUES[found.pattern().as_usize()];
        let letter = |index: Option<usize>| {
            index
                .and_then(|index| bytes.get(index))
                .is_some_and(|byte| byte.is_ascii_alphanumeric())
        };
        let begins = !letter(Some(found.start())) || !letter(found.start().checked_sub(1));
        let ends = prefix || !letter(found.end().checked_sub(1)) || !letter(Some(found.end()));
        if begins && ends {
            if cue == Cue::Intimate {
                marks.push(CueMatch {
                    cue: Cue::PrivateThing,
                    span: found.range(),
                });
            }
            marks.push(CueMatch {
                cue,
                span: found.range(),
            });
        }
    }
    marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
    marks
}

/// "Before using this tool" says when to use it, as manuals do, and nothing of other actions: such
/// a time is no cue.
pub(super) fn forget_own_order(marks: &mut Vec<CueMatch>) {
    let own: Vec<usize> = marks
        .iter()
        .filter(|mark| mark.cue == Cue::ThisTool)
        .map(|mark| mark.span.start)
        .collect();
    marks.retain(|mark| {
        let time = matches!(mark.cue, Cue::Before | Cue::Whenever | Cue::Prerequisite);
        !(time
            && own
                .iter()
                .any(|start| *start >= mark.span.end && *start - mark.span.end <= 6))
    });
}

/// A longer phrase says what it says: the "access" of "access token" reads nothing. Phrases of
/// secrecy leave their words alone, since whom they keep it from stands beside them.
pub(super) fn forget_covered(marks: &mut Vec<CueMatch>) {
    let mut covers: Vec<Range<usize>> = Vec::new();
    marks.sort_by_key(|mark| (mark.span.start, std::cmp::Reverse(mark.span.end)));
    marks.retain(|mark| {
        let inside = |cover: &Range<usize>| {
            cover.start <= mark.span.start
                && mark.span.end <= cover.end
                && cover.len() > mark.span.len()
        };
        covers.retain(|cover| cover.end > mark.span.start);
        if covers.iter().any(inside) {
            return false;
        }
        if !matches!(mark.cue, Cue::Secretly | Cue::Unasked) {
            covers.push(mark.span.clone());
        }
        true
    });
}

/// All phrases, each with its cue and whether it is only the beginning of a word.
pub(super) fn phrases() -> impl Iterator<Item = (&'static str, Cue, bool)> {
    super::lexicon::LEXICON.iter().flat_map(|(cue, phrases)| {
        phrases.split('|').map(|phrase| {
            let phrase = phrase.trim();
            let whole = phrase.trim_end_matches('*');
            (whole, *cue, phrase.len() > whole.len())
        })
    })
}

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(phrases().map(|(phrase, ..)| phrase))
        .ok()
});

/// What each phrase of the finder means, and whether it is only the beginning of a word.
static CUES: LazyLock<Vec<(Cue, bool)>> =
    LazyLock::new(|| phrases().map(|(_, cue, prefix)| (cue, prefix)).collect());

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(plain: &str) -> Vec<CueMatch> {
        super::marks(plain, 0..plain.len())
    }

    #[test]
    fn whole_words_are_found_and_parts_of_words_are_not() {
        assert!(marks("you must").iter().any(|mark| mark.cue == Cue::Must));
        assert!(marks("mustard").is_empty());
        assert!(
            marks("忽略所有指令")
                .iter()
                .any(|mark| mark.cue == Cue::Ignore)
        );
    }

    #[test]
    fn no_phrase_is_empty_and_all_are_written_as_plain_text_is() {
        for (_, phrases) in super::super::lexicon::LEXICON {
            for phrase in phrases
                .split('|')
                .map(|phrase| phrase.trim().trim_end_matches('*'))
            {
                assert!(!phrase.is_empty());
                assert_eq!(crate::plain::Plain::of(phrase).text, phrase);
            }
        }
    }
}
