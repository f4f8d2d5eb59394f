//! What an argument addresses: a person, a place, a way in, a content. Told by its name, its schema
//! and its value.

use super::argument::Leaf;
use super::text::{each_name_word, words};
use super::value::{Part, parts};
use serde_json::{Map, Value};
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

/// What `leaf` is for. `schema` is the input schema of the tool, if it is known.
pub(crate) fn slot(leaf: &Leaf<'_>, schema: Option<&Map<String, Value>>) -> Slot {
    let (mut all, mut head) = (0, 0);
    each_name_word(&leaf.name, |word| {
        head = sets_of(word);
        all |= head;
    });
    let spoken = |set: u16| all & set != 0;
    let last = |set: u16| head & set != 0;
    let whole = leaf.text.trim();
    let addresses = if whole.len() <= 2048 && whole.split_whitespace().count() <= 12 {
        parts(whole)
    } else {
        Vec::new()
    };
    let mail = addresses.iter().any(|part| matches!(part, Part::Mail(_)));
    let site = addresses
        .first()
        .is_some_and(|part| matches!(part, Part::Site { .. }));
    let short = whole.len() <= 256;

    // The nearest word decides, since it is the head of the name: `recipient_name`,
    // `new_owner_email`, `file_path`, `repo_url`.
    let format = format_of(leaf, schema);
    if matches!(whole, "true" | "false") {
        Slot::Quantity
    } else if spoken(CREDENTIAL) && !spoken(PATH) {
        Slot::Credential
    } else if last(PATH) || (spoken(PATH) && !spoken(SITE) && !spoken(RECIPIENT)) {
        Slot::Path
    } else if format == Some("uri") || last(SITE) || (site && spoken(SITE)) {
        Slot::Site
    } else if format == Some("email") || (short && mail) || (short && last(RECIPIENT)) {
        Slot::Recipient
    } else if !spoken(RECIPIENT) && (!leaf.is_text || (last(QUANTITY) && !spoken(PLACE) && !site)) {
        Slot::Quantity
    } else if short && spoken(RECIPIENT) && !last(NUMBERED) {
        Slot::Recipient
    } else if short && spoken(PLACE) && !last(DESCRIBED) {
        Slot::Place
    } else if site && whole.split_whitespace().count() == 1 {
        Slot::Site
    } else if short
        && (whole.starts_with('/') || whole.starts_with("~/") || whole.starts_with("C:\\"))
    {
        Slot::Path
    } else {
        described(leaf, schema)
    }
}

fn property<'a>(leaf: &Leaf<'_>, schema: Option<&'a Map<String, Value>>) -> Option<&'a Value> {
    let first = leaf.path.split('.').next()?;
    schema?.get("properties")?.get(first)
}

fn format_of<'a>(leaf: &Leaf<'_>, schema: Option<&'a Map<String, Value>>) -> Option<&'a str> {
    let property = property(leaf, schema)?;
    let format = property
        .get("format")
        .or_else(|| property.pointer("/items/format"))?
        .as_str()?;
    Some(match format {
        "uri" | "url" | "uri-reference" | "iri" | "hostname" => "uri",
        "email" | "idn-email" => "email",
        other => other,
    })
}

/// What the schema says about an argument whose name says nothing. It can only make the argument
/// matter more.
fn described(leaf: &Leaf<'_>, schema: Option<&Map<String, Value>>) -> Slot {
    let Some(description) = property(leaf, schema)
        .and_then(|property| property.get("description"))
        .and_then(Value::as_str)
    else {
        return Slot::Content;
    };
    let plain = super::text::plain(super::text::head(description, 400));
    let said = words(&plain)
        .take(12)
        .fold(0, |said, word| said | sets_of(word));
    let says = |set: u16| said & set != 0;
    if leaf.text.len() > 256 {
        Slot::Content
    } else if says(ADDRESSEE) {
        Slot::Recipient
    } else if says(ADDRESS) {
        Slot::Site
    } else {
        Slot::Content
    }
}
