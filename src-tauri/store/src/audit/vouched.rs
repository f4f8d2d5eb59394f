//! What the log says of each thing that lets more happen: approvals, reviews, rules. Derived from
//! the log, as the index is and together with it.
//!
//! Always true here:
//! - an approval that has ended never begins again;
//! - what began in a record that is moved out of the log is said once more in one that stays.

use super::call_events::CallOpened;
use super::decided_offer::DecidedOffer;
use super::index::number;
use super::record::{Entry, Event};
use crate::StoreError;
use policy::pin::PinDecision;
use policy::{Permission, Refusal};
use protocol::{FeatureKind, Fingerprint, GrantId, ServerId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// So many are said once more in one record.
const IN_ONE_RECORD: usize = 256;
/// In the place of a noun: a record says what stood when older ones were moved out.
const OF_ALL: &str = "all";

/// What kind of thing is vouched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noun {
    /// An answer for later calls, by its number.
    Grant,
    /// A decision about something that a server offers.
    Feature,
    /// How a server is reached, by the server's key.
    Launch,
    /// That a person accepted how a server is reached, by the server's key.
    Review,
    /// A rule that a person made, by its number.
    Rule,
}

impl Noun {
    const ALL: [Self; 5] = [
        Self::Grant,
        Self::Feature,
        Self::Launch,
        Self::Review,
        Self::Rule,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Feature => "feature",
            Self::Launch => "launch",
            Self::Review => "review",
            Self::Rule => "rule",
        }
    }

    fn parse(text: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|noun| noun.as_str() == text);
        found.ok_or_else(|| StoreError::Damaged {
            reason: format!("the log vouches for no {text:?}"),
        })
    }
}

/// Something that has begun and not ended, as the log knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vouched {
    /// What kind of thing it is.
    pub noun: Noun,
    /// Which one.
    pub subject: String,
    /// The key of the server it hangs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// What exactly was decided about; absent where a record of an earlier version does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<String>,
    /// Calls that it has let through.
    #[serde(default)]
    pub used: u32,
}

/// What the log says of one thing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub(super) terms: Option<String>,
    pub(super) used: u32,
    pub(super) ended_at: Option<Timestamp>,
}

/// How a decision about something that a server offers is named.
pub(super) fn feature(server: &str, kind: FeatureKind, name: &str) -> String {
    json!([server, kind, name]).to_string()
}

/// What exactly was decided about something that a server offers.
pub(super) fn feature_terms(decision: PinDecision, fingerprint: &Fingerprint) -> String {
    json!([decision, fingerprint]).to_string()
}

/// What exactly a rule is.
pub(super) fn rule_terms(text: &str) -> String {
    Fingerprint::of(&json!(text)).as_str().to_owned()
}

/// What the log says of one thing; nothing if it does not know it.
pub(super) fn said(db: &Connection, noun: Noun, subject: &str) -> Result<Option<Said>, StoreError> {
    let sql = "SELECT terms, used, ended_at FROM vouched WHERE noun = ?1 AND subject = ?2";
    let found = db
        .prepare_cached(sql)?
        .query_row(params![noun.as_str(), subject], |row| {
            Ok(Said {
                terms: row.get(0)?,
                used: row.get(1)?,
                ended_at: row.get::<_, Option<i64>>(2)?.map(Timestamp),
            })
        });
    Ok(found.optional()?)
}

/// Notes what record `seq` says.
pub(super) fn note(tx: &Transaction<'_>, seq: u64, entry: &Entry) -> Result<(), StoreError> {
    let server = entry.server.as_ref().map(ServerId::key);
    let begin = |noun, subject: &str, terms| {
        let server = server.clone();
        let subject = subject.to_owned();
        let begun = Vouched {
            noun,
            subject,
            server,
            terms,
            used: 0,
        };
        begin(tx, seq, &begun)
    };
    let end = |noun, subject: &str| end(tx, seq, noun, subject, entry.at);
    match &entry.event {
        Event::GrantMade { grant, terms, .. } => begin(
            Noun::Grant,
            grant.as_str(),
            terms.as_ref().map(|terms| terms.as_str().to_owned()),
        ),
        Event::GrantRevoked { grant } | Event::GrantLapsed { grant } => {
            end(Noun::Grant, grant.as_str())
        }
        Event::CallOpened(CallOpened { permission, .. }) => match permission {
            Permission::Grant { grant }
            | Permission::Answer {
                grant: Some(grant), ..
            } => count(tx, grant),
            Permission::Answer { grant: None, .. } | Permission::Rules { .. } => Ok(()),
        },
        Event::CallRefused {
            refusal: Refusal::DeniedEarlier { grant, .. },
            ..
        } => count(tx, grant),
        Event::RuleMade { rule, text } => begin(Noun::Rule, rule.as_str(), Some(rule_terms(text))),
        Event::RuleRemoved { rule, .. } => end(Noun::Rule, rule.as_str()),
        Event::Vouched { standing } => {
            tx.prepare_cached(
                "INSERT OR REPLACE INTO vouched (noun, subject, seq) VALUES (?1, '', ?2)",
            )?
            .execute(params![OF_ALL, number(seq)])?;
            standing
                .iter()
                .try_for_each(|one| say_once_more(tx, seq, one))
        }
        Event::ApprovalVoided { noun, subject, .. } => end(*noun, subject),
        about_server => {
            let Some(key) = &server else { return Ok(()) };
            let decide = |decided: &DecidedOffer| {
                let subject = feature(key, decided.kind, &decided.name);
                match &decided.fingerprint {
                    Some(fingerprint) => {
                        let terms = feature_terms(decided.decision, fingerprint);
                        begin(Noun::Feature, &subject, Some(terms))
                    }
                    None => end(Noun::Feature, &subject),
                }
            };
            match about_server {
                Event::OfferDecided { decided } => decide(decided),
                Event::OffersDecided { decided } => decided.iter().try_for_each(decide),
                Event::ServerAdded { launch } | Event::ServerEdited { launch } => {
                    let terms = launch.fingerprint().as_str().to_owned();
                    begin(Noun::Launch, key, Some(terms))
                }
                Event::ServerReviewed { .. } => match said(tx, Noun::Launch, key)? {
                    Some(launch) => begin(Noun::Review, key, launch.terms),
                    None => Ok(()),
                },
                Event::ServerRemoved => {
                    tx.prepare_cached(
                        "UPDATE vouched SET ended_at = ?2, seq = ?3 WHERE server = ?1 AND ended_at IS NULL",
                    )?
                    .execute(params![key, entry.at.0, number(seq)])?;
                    Ok(())
                }
                _ => Ok(()),
            }
        }
    }
}

/// Takes in that something begins. Numbers are given once, so what has ended under one stays so;
/// what goes by a name can be decided about again.
fn begin(tx: &Transaction<'_>, seq: u64, begun: &Vouched) -> Result<(), StoreError> {
    let only_once = matches!(begun.noun, Noun::Grant | Noun::Rule);
    tx.prepare_cached(
        "INSERT INTO vouched (noun, subject, server, terms, seq) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (noun, subject) DO UPDATE SET server = excluded.server, terms = excluded.terms, seq = excluded.seq, ended_at = NULL
         WHERE NOT ?6",
    )?
    .execute(params![
        begun.noun.as_str(),
        begun.subject,
        begun.server,
        begun.terms,
        number(seq),
        only_once
    ])?;
    Ok(())
}

/// Its beginning may have been moved out of the log; its end counts all the same.
fn end(
    tx: &Transaction<'_>,
    seq: u64,
    noun: Noun,
    subject: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO vouched (noun, subject, seq, ended_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (noun, subject) DO UPDATE SET seq = excluded.seq, ended_at = coalesce(ended_at, excluded.ended_at)",
    )?
    .execute(params![noun.as_str(), subject, number(seq), at.0])?;
    Ok(())
}

fn count(tx: &Transaction<'_>, grant: &GrantId) -> Result<(), StoreError> {
    tx.prepare_cached("UPDATE vouched SET used = used + 1 WHERE noun = 'grant' AND subject = ?1")?
        .execute([grant.as_str()])?;
    Ok(())
}

/// What a record has said since is newer than what is said once more.
fn say_once_more(tx: &Transaction<'_>, seq: u64, one: &Vouched) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO vouched (noun, subject, server, terms, used, seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (noun, subject) DO UPDATE SET seq = excluded.seq",
    )?
    .execute(params![
        one.noun.as_str(),
        one.subject,
        one.server,
        one.terms,
        one.used,
        number(seq)
    ])?;
    Ok(())
}

/// Whether a record says what stood when older ones were moved out.
pub(super) fn speaks_for_all(db: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM vouched WHERE noun = ?1)";
    Ok(db.query_row(sql, [OF_ALL], |row| row.get(0))?)
}

/// Records that say once more what stands, and began before record `first`; one at least.
pub(super) fn to_say_once_more(db: &Connection, first: u64) -> Result<Vec<Event>, StoreError> {
    let mut select = db.prepare(
        "SELECT noun, subject, server, terms, used FROM vouched WHERE ended_at IS NULL AND (seq < ?1 OR noun = 'review') AND noun <> ?2 ORDER BY seq",
    )?;
    let mut found = select.query(params![number(first), OF_ALL])?;
    let mut standing = Vec::new();
    while let Some(row) = found.next()? {
        standing.push(read(row)?);
    }
    let mut records: Vec<_> = standing
        .chunks(IN_ONE_RECORD)
        .map(|standing| Event::Vouched {
            standing: standing.to_vec(),
        })
        .collect();
    if records.is_empty() {
        records.push(Event::Vouched { standing });
    }
    Ok(records)
}

fn read(row: &Row<'_>) -> Result<Vouched, StoreError> {
    Ok(Vouched {
        noun: Noun::parse(&row.get::<_, String>(0)?)?,
        subject: row.get(1)?,
        server: row.get(2)?,
        terms: row.get(3)?,
        used: row.get(4)?,
    })
}

/// Forgets what ended before record `first`: what the log does not know does not hold either.
pub(super) fn forget(tx: &Transaction<'_>, first: u64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM vouched WHERE ended_at IS NOT NULL AND seq < ?1",
        [number(first)],
    )?;
    Ok(())
}
