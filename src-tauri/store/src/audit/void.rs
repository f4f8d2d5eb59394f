//! Takes back what the database allows and the log does not vouch for. A database can be set back;
//! the log cannot without being found out.
//!
//! Always true here:
//! - what has ended in the log, and what is not what it says, does not hold; nor does what it does
//!   not know, unless records were moved out of it without saying what stood then;
//! - only less is allowed afterwards than before;
//! - the cost grows with what the database holds, not with the length of the log.

use super::record::{Entry, Event};
use super::vouched::{self, Noun, Said};
use crate::StoreError;
use crate::db::from_json;
use crate::grants::terms_of;
use policy::pin::PinDecision;
use policy::{Grant, Rule, RuleEffect, Scope};
use protocol::{Caller, FeatureKind, Fingerprint, Launch, ServerId, Timestamp, ToolName};
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why something does not hold though the database says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Void {
    /// The log says that it ended.
    Ended {
        /// When.
        at: Timestamp,
    },
    /// The log does not know that it began.
    NotInLog,
    /// It is not what the log says it is.
    UnlikeLog,
}

/// What does not hold though the database says so.
pub(super) struct Voided {
    row: Row,
    noun: Noun,
    subject: String,
    why: Void,
    caller: Option<Caller>,
    server: Option<ServerId>,
    tool: Option<ToolName>,
}

/// Where the database says so.
enum Row {
    Grant {
        id: String,
    },
    Pin {
        server: String,
        kind: String,
        name: String,
    },
    Review {
        server: String,
    },
    Rule {
        id: String,
    },
}

/// Whether the log knows all that ever began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Its records reach back to the first one, or say what stood when older ones were moved out.
    Whole,
    /// Older records were moved out by a version that did not say so.
    Later,
}

/// All for which the log does not vouch. The log is followed to its end. Changes nothing but how
/// often a grant was used, where the log knows of more.
pub(super) fn find(tx: &Transaction<'_>, extent: Extent) -> Result<Vec<Voided>, StoreError> {
    let mut voided = grants(tx, extent)?;
    voided.extend(features(tx, extent)?);
    voided.extend(reviews(tx, extent)?);
    voided.extend(rules(tx, extent)?);
    Ok(voided)
}

impl Voided {
    /// The record that says so. It is written before the database is changed: what is found
    /// again after a crash is said twice rather than never.
    pub(super) fn entry(&self, now: Timestamp) -> Entry {
        Entry {
            caller: self.caller.clone(),
            server: self.server.clone(),
            tool: self.tool.clone(),
            ..Entry::of_host(
                now,
                Event::ApprovalVoided {
                    noun: self.noun,
                    subject: self.subject.clone(),
                    why: self.why,
                },
            )
        }
    }

    /// Takes it back.
    pub(super) fn take_back(&self, tx: &Transaction<'_>, now: Timestamp) -> Result<(), StoreError> {
        match &self.row {
            Row::Grant { id } => {
                let at = match self.why {
                    Void::Ended { at } => at,
                    Void::NotInLog | Void::UnlikeLog => now,
                };
                let revoke = "UPDATE grants SET revoked_at = ?2 WHERE id = ?1";
                tx.execute(revoke, params![id, at.0])
            }
            Row::Pin { server, kind, name } => tx.execute(
                "DELETE FROM pins WHERE server = ?1 AND kind = ?2 AND name = ?3",
                [server, kind, name],
            ),
            Row::Review { server } => {
                let forget = "UPDATE servers SET reviewed = NULL WHERE key = ?1";
                tx.execute(forget, [server])
            }
            Row::Rule { id } => tx.execute("DELETE FROM rules WHERE id = ?1", [id]),
        }?;
        Ok(())
    }
}

/// Why something of these terms does not hold.
fn why(said: Option<&Said>, terms: &str, extent: Extent) -> Option<Void> {
    let Some(said) = said else {
        return (extent == Extent::Whole).then_some(Void::NotInLog);
    };
    if let Some(at) = said.ended_at {
        return Some(Void::Ended { at });
    }
    // A record of an earlier version names no terms.
    let same = said.terms.as_deref().is_none_or(|said| said == terms);
    (!same).then_some(Void::UnlikeLog)
}

fn grants(tx: &Transaction<'_>, extent: Extent) -> Result<Vec<Voided>, StoreError> {
    // Those of a run have ended with it.
    let rows: Vec<(String, String, u32)> = tx
        .prepare("SELECT id, body, used FROM grants WHERE revoked_at IS NULL AND run IS NULL")?
        .query_map([], |row| row.try_into())?
        .collect::<Result<_, _>>()?;
    let mut voided = Vec::new();
    for (subject, body, counted) in rows {
        // One that cannot be read lets nothing through.
        let Ok(body) = from_json::<Value>(&body) else {
            continue;
        };
        let Ok(grant) = serde_json::from_value::<Grant>(body.clone()) else {
            continue;
        };
        let said = vouched::said(tx, Noun::Grant, &subject)?;
        let meddled =
            grant.id.as_str() != subject || matches!(grant.scope, Scope::Conversation { .. });
        let unlike = meddled.then_some(Void::UnlikeLog);
        let Some(why) = why(said.as_ref(), terms_of(body).as_str(), extent).or(unlike) else {
            let used = said.map_or(0, |said| said.used);
            if used > counted {
                tx.execute(
                    "UPDATE grants SET used = ?2 WHERE id = ?1",
                    params![subject, used],
                )?;
            }
            continue;
        };
        voided.push(Voided {
            row: Row::Grant {
                id: subject.clone(),
            },
            noun: Noun::Grant,
            subject,
            why,
            caller: Some(grant.caller),
            server: Some(grant.server),
            tool: Some(grant.tool.name),
        });
    }
    Ok(voided)
}

fn features(tx: &Transaction<'_>, extent: Extent) -> Result<Vec<Voided>, StoreError> {
    let rows: Vec<(String, String, String, String, String)> = tx
        .prepare("SELECT server, kind, name, decision, fingerprint FROM pins")?
        .query_map([], |row| row.try_into())?
        .collect::<Result<_, _>>()?;
    let mut voided = Vec::new();
    for (server, kind, name, decision, fingerprint) in rows {
        // One that cannot be read counts as none.
        let (Ok(of), Ok(decision), Ok(fingerprint)) = (
            from_json::<FeatureKind>(&kind),
            from_json::<PinDecision>(&decision),
            from_json::<Fingerprint>(&fingerprint),
        ) else {
            continue;
        };
        let subject = vouched::feature(&server, of, &name);
        let said = vouched::said(tx, Noun::Feature, &subject)?;
        let terms = vouched::feature_terms(decision, &fingerprint);
        let Some(why) = why(said.as_ref(), &terms, extent) else {
            continue;
        };
        voided.push(Voided {
            noun: Noun::Feature,
            subject,
            why,
            caller: None,
            server: ServerId::parse(&server).ok(),
            tool: (of == FeatureKind::Tool).then(|| ToolName::from(name.clone())),
            row: Row::Pin { server, kind, name },
        });
    }
    Ok(voided)
}

fn reviews(tx: &Transaction<'_>, extent: Extent) -> Result<Vec<Voided>, StoreError> {
    let rows: Vec<(String, String, String)> = tx
        .prepare("SELECT key, launch, reviewed FROM servers WHERE reviewed IS NOT NULL")?
        .query_map([], |row| row.try_into())?
        .collect::<Result<_, _>>()?;
    let mut voided = Vec::new();
    for (key, launch, reviewed) in rows {
        let Ok(launch) = from_json::<Launch>(&launch) else {
            continue;
        };
        // What is shipped is this program, and needs no review.
        if matches!(launch, Launch::Builtin { .. }) || launch.fingerprint().as_str() != reviewed {
            continue;
        }
        let by_launch = why(
            vouched::said(tx, Noun::Launch, &key)?.as_ref(),
            &reviewed,
            extent,
        );
        let by_review = why(
            vouched::said(tx, Noun::Review, &key)?.as_ref(),
            &reviewed,
            extent,
        );
        let Some(why) = by_review.or(by_launch) else {
            continue;
        };
        voided.push(Voided {
            row: Row::Review {
                server: key.clone(),
            },
            noun: Noun::Review,
            server: ServerId::parse(&key).ok(),
            subject: key,
            why,
            caller: None,
            tool: None,
        });
    }
    Ok(voided)
}

/// Rules that allow something. One that asks or forbids only takes away, whoever made it.
fn rules(tx: &Transaction<'_>, extent: Extent) -> Result<Vec<Voided>, StoreError> {
    let rows: Vec<(String, String)> = tx
        .prepare("SELECT id, body FROM rules")?
        .query_map([], |row| row.try_into())?
        .collect::<Result<_, _>>()?;
    let mut voided = Vec::new();
    for (subject, body) in rows {
        // One that cannot be read is an error for whoever reads the rules.
        let Ok(rule) = from_json::<Rule>(&body) else {
            continue;
        };
        if rule.effect != RuleEffect::Allow {
            continue;
        }
        let said = vouched::said(tx, Noun::Rule, &subject)?;
        let unlike = (rule.id.as_str() != subject).then_some(Void::UnlikeLog);
        let terms = vouched::rule_terms(&rule.text);
        let Some(why) = why(said.as_ref(), &terms, extent).or(unlike) else {
            continue;
        };
        voided.push(Voided {
            row: Row::Rule {
                id: subject.clone(),
            },
            noun: Noun::Rule,
            subject,
            why,
            caller: None,
            server: None,
            tool: None,
        });
    }
    Ok(voided)
}
