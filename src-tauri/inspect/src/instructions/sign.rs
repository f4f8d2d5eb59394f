//! Which words together, in one sentence, are evidence of an instruction to the model, and of how
//! much weight.
//!
//! Always true here: no single word weighs enough to be reported, and nothing here knows a tool, a
//! server or an attack by name.

use super::cue::{Cue, Cue::*, CueMatch};
use crate::FindingKind::{self, *};

/// Cues that stand together in a sentence, and what that is evidence of.
pub(super) struct Sign {
    pub kind: FindingKind,
    /// How much it weighs; see [`super::MEDIUM`] and [`super::HIGH`].
    pub points: u8,
    /// The bits of all its cues.
    mask: u64,
    /// One after the other, each at most so many bytes behind the one before.
    chain: Option<(&'static [Cue], usize)>,
}

/// All of them somewhere in the sentence.
const fn all(kind: FindingKind, points: u8, cues: &'static [Cue]) -> Sign {
    Sign {
        kind,
        points,
        mask: mask(cues),
        chain: None,
    }
}

const fn chain(kind: FindingKind, points: u8, cues: &'static [Cue], gap: usize) -> Sign {
    Sign {
        kind,
        points,
        mask: mask(cues),
        chain: Some((cues, gap)),
    }
}

const fn mask(cues: &[Cue]) -> u64 {
    let (mut mask, mut index) = (0, 0);
    while index < cues.len() {
        mask |= bit(cues[index]);
        index += 1;
    }
    mask
}

/// Every sign. Of one kind only the strongest that a sentence shows counts.
pub(super) static SIGNS: &[Sign] = &[
    // Keep it from the person.
    chain(Secrecy, 6, &[Not, Tell, Person], 18),
    chain(Secrecy, 5, &[Person, Not, Tell], 18),
    chain(Secrecy, 4, &[Not, Person, Tell], 18),
    all(Secrecy, 3, &[Secretly]),
    all(Secrecy, 5, &[Secretly, Tell]),
    all(Secrecy, 5, &[Secretly, Send]),
    all(Secrecy, 4, &[Secretly, Person]),
    all(Secrecy, 5, &[Secretly, Must]),
    all(Secrecy, 5, &[Secretly, Not]),
    chain(Secrecy, 4, &[Not, Tell, Call, Person], 30),
    chain(Secrecy, 4, &[Not, Mention], 14),
    chain(Secrecy, 5, &[Not, Mention, Person], 14),
    all(Secrecy, 3, &[Hushed]),
    all(Secrecy, 4, &[Hushed, Send]),
    all(Secrecy, 4, &[Hushed, Person]),
    all(Secrecy, 4, &[Hushed, Must]),
    all(Secrecy, 4, &[Hushed, Danger]),
    // Forget what you were told.
    all(Override, 2, &[Outrank]),
    all(Override, 4, &[Outrank, Rules]),
    all(Override, 4, &[Outrank, Model]),
    all(Override, 4, &[Outrank, Person]),
    all(Override, 2, &[Obey]),
    all(Override, 4, &[Obey, Rules]),
    all(Override, 4, &[Obey, Thing]),
    all(Override, 4, &[Obey, Person]),
    all(Override, 4, &[Obey, Model]),
    chain(Override, 6, &[Ignore, Prior, Rules], 16),
    all(Override, 3, &[Ignore, Rules]),
    chain(Override, 4, &[Ignore, Rules], 24),
    chain(Override, 4, &[Rules, Ignore], 12),
    all(Override, 2, &[Priority]),
    all(Override, 4, &[Priority, Must]),
    all(Override, 5, &[Priority, Rules]),
    // Call me first, call me always.
    all(ToolOrder, 3, &[Before, Must]),
    all(ToolOrder, 3, &[Before, Excuse]),
    all(ToolOrder, 3, &[Before, NamedTool, Call]),
    all(ToolOrder, 4, &[Before, ThisTool]),
    all(ToolOrder, 4, &[Before, Prerequisite]),
    all(ToolOrder, 5, &[Before, Must, Call]),
    all(ToolOrder, 5, &[Before, ThisTool, Call]),
    all(ToolOrder, 5, &[Before, Literal]),
    all(ToolOrder, 5, &[Prerequisite, Literal]),
    all(ToolOrder, 3, &[Prerequisite, Excuse]),
    all(ToolOrder, 4, &[Prerequisite, OtherTool]),
    all(ToolOrder, 4, &[Prerequisite, Threat]),
    all(ToolOrder, 4, &[Prerequisite, Send]),
    all(ToolOrder, 2, &[Prerequisite, PrivateThing]),
    all(ToolOrder, 3, &[Whenever, ThisTool, Must, Call]),
    all(ToolOrder, 3, &[ThisTool, Must, Call, Excuse]),
    // Change what the others are given.
    all(Tampering, 4, &[Before, Tamper]),
    all(Tampering, 5, &[Before, Tamper, Value, Must]),
    all(Tampering, 3, &[Whenever, Tamper]),
    all(Tampering, 4, &[Whenever, Tamper, NamedTool]),
    all(Tampering, 4, &[Whenever, Tamper, Value]),
    all(Tampering, 5, &[Whenever, Tamper, Must]),
    all(Tampering, 3, &[OtherTool, Tamper]),
    all(Tampering, 3, &[NamedTool, Tamper, Must]),
    all(Tampering, 3, &[Value, Tamper, Must]),
    all(Tampering, 4, &[Value, Tamper, Must, Excuse]),
    all(Tampering, 3, &[Tamper, Instead]),
    all(Tampering, 3, &[NamedTool, Instead, Value]),
    all(Tampering, 5, &[Tamper, Instead, Must]),
    all(Tampering, 5, &[Tamper, Literal]),
    all(Tampering, 4, &[Instead, Literal]),
    all(Tampering, 3, &[Heedless]),
    all(Tampering, 4, &[Heedless, Must]),
    all(Tampering, 4, &[Heedless, Value]),
    all(Tampering, 4, &[Heedless, Tamper]),
    all(Tampering, 4, &[Heedless, Call]),
    all(Tampering, 4, &[Colleague, Tamper]),
    all(Tampering, 3, &[Colleague, Must]),
    all(Tampering, 4, &[Colleague, Whenever]),
    all(Tampering, 4, &[OtherTool, Value, Tamper]),
    all(Tampering, 4, &[OtherTool, Literal]),
    all(Tampering, 4, &[OtherTool, Url]),
    chain(Tampering, 3, &[Every, Event, Duty], 30),
    chain(Tampering, 4, &[Every, Event, Duty, Send], 30),
    chain(Tampering, 4, &[Every, Event, Duty, Tamper], 30),
    chain(Tampering, 4, &[Every, Event, Duty, Call], 30),
    chain(Tampering, 4, &[Every, Event, Duty, Literal], 40),
    all(Tampering, 3, &[Deceive]),
    all(Tampering, 4, &[Deceive, Must]),
    all(Tampering, 4, &[Deceive, Duty]),
    all(Tampering, 4, &[Deceive, Person]),
    all(Tampering, 4, &[Deceive, Whenever]),
    all(Tampering, 4, &[Deceive, NamedTool]),
    all(Tampering, 3, &[NamedTool, Duty, Value]),
    all(Tampering, 4, &[NamedTool, Duty, Literal]),
    all(Tampering, 4, &[NamedTool, Duty, Tamper]),
    all(Tampering, 3, &[NamedTool, Tamper, Value]),
    all(Tampering, 2, &[Hook]),
    all(Tampering, 4, &[Hook, Must]),
    all(Tampering, 4, &[Hook, Duty]),
    all(Tampering, 4, &[Hook, Tamper]),
    all(Tampering, 4, &[Hook, Send]),
    all(Tampering, 4, &[Hook, Literal]),
    all(Tampering, 4, &[Hook, Url]),
    all(Tampering, 4, &[Hook, Excuse]),
    all(Tampering, 4, &[Hook, Value]),
    all(Tampering, 4, &[Hook, Instead]),
    all(Tampering, 4, &[Hook, Whole]),
    all(Tampering, 4, &[Hook, Thing]),
    all(Tampering, 4, &[Hook, Person]),
    all(Tampering, 4, &[Hook, Event]),
    all(DangerousAction, 4, &[Hook, Danger]),
    all(DangerousAction, 4, &[Hook, Exploit]),
    all(AddressesModel, 4, &[Hook, Unasked]),
    all(AddressesModel, 4, &[Hook, Model]),
    // Read it and hand it over.
    all(Exfiltration, 4, &[PrivateThing, Duty, Send]),
    all(Exfiltration, 4, &[Identity, Duty]),
    all(Exfiltration, 4, &[Intimate, Duty]),
    all(Exfiltration, 4, &[SecretPlace, Duty]),
    all(Exfiltration, 4, &[Literal, Duty]),
    chain(Exfiltration, 2, &[Whole, Personal], 16),
    all(Exfiltration, 4, &[Whole, Personal, Send]),
    all(Exfiltration, 4, &[Whole, Personal, Must]),
    all(Exfiltration, 4, &[Whole, Personal, Send, Must]),
    all(Exfiltration, 4, &[Whole, Personal, ThisTool]),
    all(Exfiltration, 2, &[Identity]),
    all(Exfiltration, 4, &[Identity, Send]),
    all(Exfiltration, 4, &[Identity, Must]),
    all(Exfiltration, 4, &[Identity, Read]),
    all(Exfiltration, 4, &[Identity, Value]),
    all(Exfiltration, 4, &[Identity, Excuse]),
    all(Exfiltration, 4, &[Identity, Before]),
    all(Exfiltration, 4, &[Identity, Whenever]),
    all(Exfiltration, 4, &[Identity, Person]),
    all(Exfiltration, 4, &[Identity, NamedTool]),
    all(Exfiltration, 3, &[SecretPlace]),
    all(Exfiltration, 5, &[SecretPlace, Read]),
    all(Exfiltration, 5, &[SecretPlace, Send]),
    all(Exfiltration, 5, &[SecretPlace, Must]),
    all(Exfiltration, 5, &[SecretPlace, Before]),
    all(Exfiltration, 4, &[SecretPlace, Excuse]),
    all(Exfiltration, 3, &[Literal]),
    all(Exfiltration, 5, &[Literal, Send]),
    all(Exfiltration, 3, &[Literal, Read]),
    all(Exfiltration, 4, &[Literal, Must]),
    all(Exfiltration, 4, &[Literal, Excuse]),
    all(Exfiltration, 4, &[Literal, Whenever]),
    all(Exfiltration, 4, &[Literal, Call]),
    all(Exfiltration, 1, &[Url, Send]),
    all(Exfiltration, 2, &[Url, Excuse]),
    all(Exfiltration, 3, &[Url, Whenever]),
    all(Exfiltration, 5, &[Url, PrivateThing]),
    all(Exfiltration, 4, &[PrivateThing, Before]),
    all(Exfiltration, 4, &[PrivateThing, Whenever]),
    all(Exfiltration, 2, &[PrivateThing, Send]),
    all(Exfiltration, 5, &[PrivateThing, Send, Literal]),
    all(Exfiltration, 5, &[PrivateThing, Send, Person]),
    all(Exfiltration, 4, &[PrivateThing, Send, Must]),
    all(Exfiltration, 5, &[PrivateThing, Send, Excuse]),
    all(Exfiltration, 4, &[PrivateThing, Read, Send]),
    all(Exfiltration, 3, &[PrivateThing, Must]),
    all(Exfiltration, 2, &[PrivateThing, Excuse]),
    all(Exfiltration, 3, &[PrivateThing, Tamper]),
    all(Exfiltration, 4, &[PrivateThing, Tamper, Value]),
    all(Exfiltration, 4, &[PrivateThing, Instead]),
    all(Exfiltration, 3, &[PrivateThing, Send, NamedTool]),
    all(Exfiltration, 2, &[Intimate]),
    all(Exfiltration, 4, &[Intimate, Excuse]),
    all(Exfiltration, 4, &[Intimate, ThisTool]),
    all(Exfiltration, 3, &[Intimate, Must]),
    all(Exfiltration, 4, &[Intimate, Send]),
    all(Exfiltration, 3, &[Intimate, Value]),
    all(Exfiltration, 4, &[Intimate, Tamper]),
    all(Exfiltration, 3, &[Intimate, Read]),
    all(Exfiltration, 5, &[Intimate, Send, Value]),
    all(Exfiltration, 5, &[Intimate, Must, Value]),
    all(Exfiltration, 4, &[Into, Identity]),
    all(Exfiltration, 4, &[Into, Intimate]),
    all(Exfiltration, 4, &[Into, SecretPlace]),
    all(Exfiltration, 4, &[Into, PrivateThing, Read]),
    chain(Exfiltration, 4, &[Whole, Personal, Into], 40),
    all(Exfiltration, 4, &[Url, Send, Every]),
    all(Exfiltration, 4, &[Url, Send, Thing]),
    // Break something.
    all(DangerousAction, 1, &[Danger]),
    all(DangerousAction, 4, &[Danger, Before]),
    all(DangerousAction, 4, &[Danger, Excuse]),
    all(DangerousAction, 4, &[Danger, Whenever]),
    all(DangerousAction, 4, &[Danger, Model]),
    all(DangerousAction, 4, &[Danger, Unasked]),
    all(DangerousAction, 4, &[Danger, Prerequisite]),
    all(DangerousAction, 4, &[Danger, Literal]),
    all(DangerousAction, 3, &[Danger, Must]),
    all(DangerousAction, 3, &[Danger, Tamper]),
    chain(DangerousAction, 4, &[Danger, Danger], 60),
    all(DangerousAction, 2, &[Exploit]),
    all(DangerousAction, 4, &[Exploit, NamedTool]),
    all(DangerousAction, 4, &[Exploit, Must]),
    all(DangerousAction, 4, &[Exploit, Duty]),
    all(DangerousAction, 4, &[Exploit, Excuse]),
    all(DangerousAction, 4, &[Exploit, Url]),
    all(DangerousAction, 4, &[Exploit, Literal]),
    all(DangerousAction, 4, &[Exploit, Before]),
    all(DangerousAction, 4, &[Exploit, Whenever]),
    all(DangerousAction, 4, &[Exploit, Prerequisite]),
    all(DangerousAction, 4, &[Exploit, Every]),
    all(DangerousAction, 4, &[Exploit, Person]),
    all(DangerousAction, 2, &[Loop]),
    all(DangerousAction, 4, &[Loop, Call]),
    all(DangerousAction, 4, &[Loop, Must]),
    // It speaks to the model.
    chain(AddressesModel, 4, &[Model, Must], 24),
    all(AddressesModel, 3, &[Model, Unasked]),
    all(AddressesModel, 4, &[Model, Before]),
    all(AddressesModel, 2, &[Unasked, Must]),
    all(AddressesModel, 3, &[Unasked, Call]),
    all(AddressesModel, 4, &[Unasked, Call, Must]),
    all(AddressesModel, 2, &[Must, Threat]),
    all(AddressesModel, 1, &[Excuse, Must]),
    all(AddressesModel, 3, &[Consented]),
    all(AddressesModel, 4, &[Consented, Person]),
    all(AddressesModel, 4, &[Consented, Danger]),
    all(AddressesModel, 4, &[Consented, Must]),
    all(AddressesModel, 4, &[Consented, Send]),
    all(AddressesModel, 4, &[Consented, Call]),
    all(AddressesModel, 4, &[Please, Mine]),
    // It claims to be somebody.
    all(RoleImitation, 3, &[Role]),
    all(RoleImitation, 5, &[Role, Not]),
    all(RoleImitation, 5, &[Role, Rules]),
    all(RoleImitation, 5, &[Role, Model]),
    all(HiddenMarkup, 4, &[Comment, Model]),
    all(HiddenMarkup, 4, &[Comment, Send, Person]),
    all(HiddenMarkup, 4, &[Comment, Identity]),
    all(HiddenMarkup, 4, &[Comment, Intimate]),
    all(HiddenMarkup, 4, &[Comment, SecretPlace]),
    all(HiddenMarkup, 4, &[Comment, Ignore]),
    all(HiddenMarkup, 3, &[Authority]),
    all(HiddenMarkup, 7, &[Authority, Must]),
    all(HiddenMarkup, 7, &[Authority, Ignore]),
    all(HiddenMarkup, 7, &[Authority, Danger]),
    // Take me, not them.
    chain(Preference, 4, &[Rival, Bad], 60),
    chain(Preference, 4, &[Bad, Rival], 60),
    all(Preference, 4, &[Bad, ThisTool, Must]),
    all(Preference, 4, &[Bad, ThisTool, Duty]),
    chain(Preference, 2, &[Better, Better], 60),
    all(Preference, 4, &[Better, OtherTool]),
    all(Preference, 3, &[Better, ThisTool]),
    all(Preference, 4, &[Better, ThisTool, Must]),
    all(Preference, 3, &[OtherTool, Must]),
    all(Preference, 2, &[OtherTool, Not, Call]),
    all(Preference, 4, &[Instead, OtherTool, ThisTool]),
];

impl Sign {
    /// The bits of all its cues.
    pub fn cues(&self) -> u64 {
        self.mask
    }

    /// Whether a sentence with these cues, in their order, shows this sign; `set` has a bit for
    /// each of them.
    pub fn shows(&self, marks: &[CueMatch], set: u64) -> bool {
        self.mask & set == self.mask
            && self
                .chain
                .is_none_or(|(cues, gap)| follows(cues, marks, None, gap))
    }
}

/// The bit of a cue in a set.
pub(super) const fn bit(cue: Cue) -> u64 {
    1 << cue as u32
}

/// Whether the cues occur one after the other among the marks.
fn follows(cues: &[Cue], marks: &[CueMatch], behind: Option<usize>, gap: usize) -> bool {
    let Some((first, rest)) = cues.split_first() else {
        return true;
    };
    marks.iter().enumerate().any(|(index, mark)| {
        mark.cue == *first
            && behind.is_none_or(|end| mark.span.start >= end && mark.span.start - end <= gap)
            && follows(rest, &marks[index + 1..], Some(mark.span.end), gap)
    })
}
