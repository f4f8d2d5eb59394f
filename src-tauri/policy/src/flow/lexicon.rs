//! What words mean for flow: which of them name the same act, and which say that something is only
//! looked at.
//!
//! Plain English of tool names and requests, not a list of tools.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Acts, each with the words by which tools and people name it. Stems: `delet` is `delete`,
/// `deleted`, `deleting`.
const ACTS: &[(Act, &str)] = &[
    (
        Act::Remove,
        "delet remov eras drop clear purg wip destroy cancel unsubscrib revok uninstall discard trash terminat truncat \
        kill clean",
    ),
    (
        Act::Give,
        "invit collaborat shar grant transfer owner ownership permission member admin authoriz delegat access",
    ),
    (
        Act::Secure,
        "password passwd passphras credential ssh token 2fa mfa secret apikey pin recovery secur key",
    ),
    (
        Act::Pay,
        "pay paid payment money transaction wir donat purchas buy bought order checkout refund bill invoic top transfer \
        withdraw deposit fund subscrib reimburs rent fee return",
    ),
    (
        Act::Send,
        "send sent mail email messag repl forward shar notif text dm tell inform contact greet writ respond answer fax \
        sms",
    ),
    (
        Act::Post,
        "post request comment publish tweet issu propos submit announc review broadcast upload input fill form reserv \
        register sign enter",
    ),
    (
        Act::Endorse,
        "star unstar lik follow unfollow vot upvot rat favourit favorit bookmark recommend endors",
    ),
    (
        Act::Schedule,
        "schedul reschedul calendar event meet appointment remind book reserv dinner lunch",
    ),
    (
        Act::Change,
        "updat chang modif edit set replac renam adjust fix correct reset reschedul adapt",
    ),
    (
        Act::Make,
        "creat mak new add generat insert build writ sav start put append",
    ),
    (Act::Bring, "download fetch sav get instal import"),
    (
        Act::Publish,
        "push upload sync commit deploy releas merg publish",
    ),
    (
        Act::Run,
        "run execut exec eval shell command script launch invok",
    ),
];

/// What a tool does to the world, or a person asks to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Something is gone afterwards.
    Remove,
    /// Somebody else may do more afterwards.
    Give,
    /// Who gets in is different afterwards.
    Secure,
    /// Money moves.
    Pay,
    /// Somebody is written to.
    Send,
    /// Something can be read by others afterwards.
    Post,
    /// Something is spoken well of.
    Endorse,
    /// Time is taken.
    Schedule,
    /// Something is different afterwards.
    Change,
    /// Something is there that was not.
    Make,
    /// Something is brought here.
    Bring,
    /// Something of here is there afterwards.
    Publish,
    /// A program runs.
    Run,
}

impl Act {
    /// Whether it cannot be taken back, so that it is asked about unless the person spoke of it.
    pub(crate) fn grave(self) -> bool {
        matches!(
            self,
            Self::Remove | Self::Give | Self::Secure | Self::Pay | Self::Run
        )
    }

    /// Whether somebody else or the person's time is touched: asked about where the person spoke of
    /// nothing that the call names.
    pub(crate) fn outward(self) -> bool {
        matches!(self, Self::Send | Self::Endorse | Self::Schedule)
    }

    /// Whether a request that names it says what kind of tool is meant: to make or change something
    /// may be anything.
    pub(crate) fn telling(self) -> bool {
        !matches!(self, Self::Make | Self::Change | Self::Bring)
    }

    /// For a sentence: "asked to …".
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::Remove => "delete or remove something",
            Self::Give => "give somebody rights or ownership",
            Self::Secure => "change a password, key or other way in",
            Self::Pay => "pay or order",
            Self::Send => "write to somebody",
            Self::Post => "post or submit something",
            Self::Endorse => "star, like or rate something",
            Self::Schedule => "plan an appointment",
            Self::Change => "change something",
            Self::Make => "create something",
            Self::Bring => "download something",
            Self::Publish => "upload something",
            Self::Run => "run a program",
        }
    }
}

/// Words with which the name of a tool begins that only looks at something.
pub(crate) const LOOKING: &str = "get list read search find fetch query show view check count describ lookup look brows visit summariz summaris retriev \
    inspect explor stats status diff head tail grep glob scan load calculat comput convert compar analyz analys validat \
    extract pars translat preview navigat crawl scrap display is has think wait ping info what who when history select \
    snapshot screenshot locat assess evaluat identif determin diagnos estimat detect monitor track audit enumerat classif";

/// What can be opened to read it.
pub(crate) const READABLE: &str = "web webpage page website site url link document doc file folder mail email message attachment article tab browser result";

/// Words for acts that are names of things as often: `calendar_get_events` gets, whatever a
/// calendar is.
pub(crate) const THINGS: &str = "calendar event appointment dinner lunch mail email messag issu comment post review form order bill invoic payment \
    money transaction fund top rent fee password passwd passphras credential ssh token 2fa mfa secret apikey pin recovery \
    secur key access owner member collaborat permission admin star rat bookmark text dm new command script shell contact \
    build releas commit meet request pull remind sms fax answer import deposit";

/// Words with which the name of a tool begins that only prepares: it stays on this computer, or
/// proves who somebody is.
pub(crate) const PREPARING: &str = "mkdir copy mov clon pull cd verif login logon signin authenticat scroll hover stag prepar assembl";

/// Words with which a person asks to do what somebody else wants.
pub(crate) const DELEGATING: &str = "instruct request task todo achiev homework chore assign";

/// Words with which a person speaks of pages in the web that others made or named, so that links to
/// them may be followed.
pub(crate) const PAGES: &str = "link url uri website site page webpage article blog document attachment thread forum web internet online \
    download homepage invitation source reference research";

/// Words of the name of a tool that finds pages: what it finds is there to be looked at.
pub(crate) const FINDING: &str =
    "search find lookup query news feed discover explor recommend browse result bookmark";

/// What says that a tool may reach the whole web, where its operators read what it is asked for.
pub(crate) const WEB: &str =
    "web webpage website internet online google bing url brows crawl scrap";

/// What says that a tool gives what anybody may read there.
pub(crate) const PUBLIC: &str = "web webpage website brows crawl scrap";

/// Words that stand at the beginning of an address for a role, not for a person.
pub(crate) const ROLES: &str = "security support admin info team office service services help contact mail email noreply reply billing sales account \
    accounts user hello the all company work my official please new";

/// Shortest stem by which two words are akin, in letters.
const SHORTEST_STEM: usize = 3;

/// What stands behind the stem in the usual forms of a word.
const ENDINGS: &str = "s e es ed d ing er ers or ors y ies ied ion ions ation ations al als ment ments able ication ications ship ure ity l ling led";

/// Whether two words are forms of the same stem: `sharing` and `shared`, `unlock` and `unlocks`.
pub(crate) fn are_akin(one: &str, other: &str) -> bool {
    let pairs = one.char_indices().zip(other.chars());
    let alike = pairs
        .take_while(|((_, one), other)| one == other)
        .map(|((at, one), _)| at + one.len_utf8());
    one == other
        || alike.enumerate().any(|(letters, end)| {
            letters + 1 >= SHORTEST_STEM && is_form(one, &one[..end]) && is_form(other, &one[..end])
        })
}

/// Whether `word` is a form of `stem`.
pub(crate) fn is_form(word: &str, stem: &str) -> bool {
    let Some(ending) = word.strip_prefix(stem) else {
        return false;
    };
    // A doubled consonant, then one of the usual endings: planned, putting.
    let ending = match (stem.chars().last(), ending.chars().next()) {
        (Some(last), Some(first)) if last == first => &ending[first.len_utf8()..],
        _ => ending,
    };
    ending.is_empty()
        || ENDINGS
            .split_ascii_whitespace()
            .any(|usual| usual == ending)
}

/// The acts that a word names.
pub(crate) fn acts_of(word: &str) -> impl Iterator<Item = Act> {
    ACTS.iter()
        .filter(move |(_, stems)| any_form(word, stems))
        .map(|(act, _)| *act)
}

/// The acts that any of some words names, each once.
pub(crate) fn acts_in<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<Act> {
    let mut acts = Vec::new();
    for act in words.into_iter().flat_map(acts_of) {
        if !acts.contains(&act) {
            acts.push(act);
        }
    }
    acts
}

/// Whether a word is a form of one of `stems`, which stand with spaces between.
pub(crate) fn any_form(word: &str, stems: &str) -> bool {
    stems
        .split_ascii_whitespace()
        .any(|stem| is_form(word, stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_akin_in_their_usual_forms_and_not_by_their_beginning_alone() {
        for (one, other) in [
            ("share", "sharing"),
            ("unlock", "unlocks"),
            ("allocate", "allocation"),
            ("plan", "planned"),
            ("门", "门"),
        ] {
            assert!(
                are_akin(one, other) && are_akin(other, one),
                "{one} {other}"
            );
        }
        for (one, other) in [
            ("door", "dormant"),
            ("lock", "unlock"),
            ("as", "ass"),
            ("été", "éternel"),
            ("", "s"),
        ] {
            assert!(
                !are_akin(one, other) && !are_akin(other, one),
                "{one} {other}"
            );
        }
    }
}
