//! What an argument addresses: a person, a place, a way in, a content. Told by its name, its schema
//! and its value.

use super::argument::Leaf;
use super::text::words;
use super::value::{Part, parts};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::OnceLock;

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

static RECIPIENT: Words = Words::of(
    "to recipient recipients cc bcc email emails mail address addresses participant participants attendee attendees invitee \
    invitees guest guests member members user users username usernames collaborator collaborators owner assignee assignees \
    contact phone payee beneficiary receiver receivers channel channels group room account iban bic wallet handle target \
    reviewer reviewers follower friend customer mailbox subscriber seller vendor merchant buyer client supplier colleague \
    employee person people",
);
static SITE: Words = Words::of(
    "url urls uri link links href endpoint webhook host hostname domain site website callback proxy feed",
);
static PLACE: Words = Words::of(
    "repo repos repository branch project org organization organisation bucket remote workspace board registry namespace \
    dataset gist fork base head forum subreddit page topic stream queue",
);
static PATH: Words = Words::of("path paths file files filename dir directory folder cwd root");
static CREDENTIAL: Words = Words::of(
    "password passwd passphrase secret credential credentials key keys token apikey pubkey fingerprint certificate",
);
static QUANTITY: Words = Words::of(
    "amount price count limit number num quantity size width height date time day start end month year duration offset page \
    otp code force recurring priority rating status state type kind format mode currency language sort order id ids index \
    version method timezone",
);

/// What says only which one, and to nobody.
static NUMBERED: Words = Words::of("id ids type status");
static DESCRIBED: Words = Words::of("id ids type status number title description");
/// In the description of an argument.
static ADDRESSEE: Words =
    Words::of("recipient recipients receiver addressee iban payee beneficiary invitee attendee");
static ADDRESS: Words = Words::of("url uri webhook endpoint");

/// Some words, which stand with spaces between.
struct Words {
    text: &'static str,
    all: OnceLock<HashSet<&'static str>>,
}

impl Words {
    const fn of(text: &'static str) -> Self {
        let all = OnceLock::new();
        Self { text, all }
    }

    fn holds(&self, word: &str) -> bool {
        let read = || self.text.split_ascii_whitespace().collect();
        self.all.get_or_init(read).contains(word)
    }
}

/// What `leaf` is for. `schema` is the input schema of the tool, if it is known.
pub(crate) fn slot(leaf: &Leaf, schema: Option<&Map<String, Value>>) -> Slot {
    let spoken = |set: &Words| leaf.name.iter().any(|word| set.holds(word));
    let last = |set: &Words| leaf.name.last().is_some_and(|word| set.holds(word));
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
    } else if spoken(&CREDENTIAL) && !spoken(&PATH) {
        Slot::Credential
    } else if last(&PATH) || (spoken(&PATH) && !spoken(&SITE) && !spoken(&RECIPIENT)) {
        Slot::Path
    } else if format == Some("uri") || last(&SITE) || (site && spoken(&SITE)) {
        Slot::Site
    } else if format == Some("email") || (short && mail) || (short && last(&RECIPIENT)) {
        Slot::Recipient
    } else if !spoken(&RECIPIENT)
        && (!leaf.is_text || (last(&QUANTITY) && !spoken(&PLACE) && !site))
    {
        Slot::Quantity
    } else if short && spoken(&RECIPIENT) && !last(&NUMBERED) {
        Slot::Recipient
    } else if short && spoken(&PLACE) && !last(&DESCRIBED) {
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

fn property<'a>(leaf: &Leaf, schema: Option<&'a Map<String, Value>>) -> Option<&'a Value> {
    let first = leaf.path.split('.').next()?;
    schema?.get("properties")?.get(first)
}

fn format_of<'a>(leaf: &Leaf, schema: Option<&'a Map<String, Value>>) -> Option<&'a str> {
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
fn described(leaf: &Leaf, schema: Option<&Map<String, Value>>) -> Slot {
    let Some(description) = property(leaf, schema)
        .and_then(|property| property.get("description"))
        .and_then(Value::as_str)
    else {
        return Slot::Content;
    };
    let plain = super::text::plain(super::text::head(description, 400));
    let says = |set: &Words| words(&plain).take(12).any(|word| set.holds(word));
    if leaf.text.len() > 256 {
        Slot::Content
    } else if says(&ADDRESSEE) {
        Slot::Recipient
    } else if says(&ADDRESS) {
        Slot::Site
    } else {
        Slot::Content
    }
}
