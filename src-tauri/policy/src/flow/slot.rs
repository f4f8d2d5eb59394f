//! What an argument addresses: a person, a place, a way in, a content. Told by its name, its schema
//! and its value.

use super::argument::Leaf;
use super::text::{each_name_word, head, plain, words};
use super::value::{Part, parts};
use serde_json::{Map, Value};
use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What an argument is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Who gets something: an address, an account, a channel, a member.
    Recipient,
    /// An address in the web.
    Site,
    /// A shared place: repository, branch, project, bucket.
    Place,
    /// A file or folder.
    Path,
    /// A way in: password, key, token.
    Credential,
    /// What is written, posted, filled in; or what nothing else fits.
    Content,
    /// A number, a date, a switch: it addresses nobody.
    Quantity,
}

const RECIPIENT: u16 = 1 << 0;
const SITE: u16 = 1 << 1;
const PLACE: u16 = 1 << 2;
const PATH: u16 = 1 << 3;
const CREDENTIAL: u16 = 1 << 4;
const QUANTITY: u16 = 1 << 5;
/// What says only which one, and to nobody.
const NUMBERED: u16 = 1 << 6;
const DESCRIBED: u16 = 1 << 7;
/// In the description of an argument.
const ADDRESSEE: u16 = 1 << 8;
const ADDRESS: u16 = 1 << 9;

/// Sets of words, each a bit, with its words.
const SETS: [(u16, &str); 10] = [
    (
        RECIPIENT,
        "to recipient recipients cc bcc email emails mail address addresses participant \
        participants attendee attendees invitee invitees guest guests member members user users \
        username usernames collaborator collaborators owner assignee assignees contact phone payee \
        beneficiary receiver receivers channel channels group room account iban bic wallet handle \
        target reviewer reviewers follower friend customer mailbox subscriber seller vendor \
        merchant buyer client supplier colleague employee person people",
    ),
    (
        SITE,
        "url urls uri link links href endpoint webhook host hostname domain site website callback \
        proxy feed",
    ),
    (
        PLACE,
        "repo repos repository branch project org organization organisation bucket remote workspace \
        board registry namespace dataset gist fork base head forum subreddit page topic stream \
        queue",
    ),
    (
        PATH,
        "path paths file files filename dir directory folder cwd root",
    ),
    (
        CREDENTIAL,
        "password passwd passphrase secret credential credentials key keys token apikey pubkey \
        fingerprint certificate",
    ),
    (
        QUANTITY,
        "amount price count limit number num quantity size width height date time day start end \
        month year duration offset page otp code force recurring priority rating status state type \
        kind format mode currency language sort order id ids index version method timezone",
    ),
    (NUMBERED, "id ids type status"),
    (DESCRIBED, "id ids type status number title description"),
    (
        ADDRESSEE,
        "recipient recipients receiver addressee iban payee beneficiary invitee attendee",
    ),
    (ADDRESS, "url uri webhook endpoint"),
];

/// In which of the sets a word is.
fn sets_of(word: &str) -> u16 {
    static ALL: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
        let mut all = HashMap::new();
        for (set, words) in SETS {
            for word in words.split_ascii_whitespace() {
                *all.entry(word).or_default() |= set;
            }
        }
        all
    });
    ALL.get(word).copied().unwrap_or_default()
}

/// What the input schema of a tool says about its arguments, by their names.
#[derive(Debug, Default)]
pub(crate) struct Described(HashMap<Box<str>, Argument>);

#[derive(Debug, Clone, Copy, Default)]
struct Argument {
    format: Option<Format>,
    /// The sets of words in which the first ones of its description are.
    said: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Uri,
    Email,
}

impl Described {
    /// Reads a schema.
    pub fn of(schema: &Map<String, Value>) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let described = |(name, property): (&String, &Value)| {
            let argument = Argument {
                format: Format::of(property),
                said: said_of(property),
            };
            (name.as_str().into(), argument)
        };
        Self(properties.into_iter().flatten().map(described).collect())
    }

    fn argument(&self, leaf: &Leaf<'_>) -> Argument {
        let first = leaf.path.split('.').next();
        first
            .and_then(|first| self.0.get(first))
            .copied()
            .unwrap_or_default()
    }
}

impl Format {
    fn of(property: &Value) -> Option<Self> {
        let format = property
            .get("format")
            .or_else(|| property.get("items")?.get("format"))?;
        match format.as_str()? {
            "uri" | "url" | "uri-reference" | "iri" | "hostname" => Some(Self::Uri),
            "email" | "idn-email" => Some(Self::Email),
            _ => None,
        }
    }
}

fn said_of(property: &Value) -> u16 {
    let Some(description) = property.get("description").and_then(Value::as_str) else {
        return 0;
    };
    words(&plain(head(description, 400)))
        .take(12)
        .fold(0, |said, word| said | sets_of(word))
}

/// What `leaf` is for. `described`: what the schema of the tool says, if it is known.
pub(crate) fn slot(leaf: &Leaf<'_>, described: Option<&Described>) -> Slot {
    let (mut all, mut head) = (0, 0);
    each_name_word(&leaf.name, |word| {
        head = sets_of(word);
        all |= head;
    });
    let spoken = |set: u16| all & set != 0;
    let last = |set: u16| head & set != 0;
    let whole = leaf.text.trim();
    let is_word = || whole.split_whitespace().nth(1).is_none();
    let addresses = LazyCell::new(|| {
        if whole.len() <= 2048 && whole.split_whitespace().nth(12).is_none() {
            parts(whole)
        } else {
            Vec::new()
        }
    });
    let mail = || addresses.iter().any(|part| matches!(part, Part::Mail(_)));
    let site = || matches!(addresses.first(), Some(Part::Site { .. }));
    let short = whole.len() <= 256;

    // The nearest word decides, since it is the head of the name: `recipient_name`,
    // `new_owner_email`, `file_path`, `repo_url`.
    let Argument { format, said } =
        described.map_or_else(Argument::default, |described| described.argument(leaf));
    if matches!(whole, "true" | "false") {
        Slot::Quantity
    } else if spoken(CREDENTIAL) && !spoken(PATH) {
        Slot::Credential
    } else if last(PATH) || (spoken(PATH) && !spoken(SITE) && !spoken(RECIPIENT)) {
        Slot::Path
    } else if format == Some(Format::Uri) || last(SITE) || (spoken(SITE) && site()) {
        Slot::Site
    } else if format == Some(Format::Email) || (short && (last(RECIPIENT) || mail())) {
        Slot::Recipient
    } else if !spoken(RECIPIENT) && (!leaf.is_text || (last(QUANTITY) && !spoken(PLACE) && !site()))
    {
        Slot::Quantity
    } else if short && spoken(RECIPIENT) && !last(NUMBERED) {
        Slot::Recipient
    } else if short && spoken(PLACE) && !last(DESCRIBED) {
        Slot::Place
    } else if is_word() && site() {
        Slot::Site
    } else if short
        && (whole.starts_with('/') || whole.starts_with("~/") || whole.starts_with("C:\\"))
    {
        Slot::Path
    } else if leaf.text.len() > 256 {
        Slot::Content
    // What the schema says about an argument whose name says nothing. It can only make the argument
    // matter more.
    } else if said & ADDRESSEE != 0 {
        Slot::Recipient
    } else if said & ADDRESS != 0 {
        Slot::Site
    } else {
        Slot::Content
    }
}
