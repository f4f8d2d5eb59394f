//! What is remembered: tables, the audit log, and where secrets lie; and how to reach the host that
//! has it open.
//!
//! Always true here:
//! - one host at a time has a data folder open, and what a dead one left for others to find it by
//!   goes first;
//! - no value of a secret is written to a file in the clear;
//! - no clock: `now` is an argument;
//! - a file that is locked, damaged, read-only or from a newer version is an error that says so,
//!   and stays as it is.

mod accounts;
mod assistants;
mod audit;
mod backups;
mod catalogues;
mod conversations;
mod db;
mod eras;
mod error;
pub mod folder;
mod full_results;
mod gateway_clients;
mod grants;
mod models;
mod note;
mod pins;
mod rules;
mod sampling;
mod servers;
mod settings;
mod store;
mod tasks;
mod tokenizer;
mod tool_flags;
mod tools;
mod vault;
mod waiting;
mod workspaces;

#[cfg(test)]
mod callers_test;
#[cfg(test)]
mod conversations_test;
#[cfg(test)]
mod open_test;
#[cfg(test)]
mod tables_test;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod waiting_test;
#[cfg(test)]
mod workspaces_test;

pub use accounts::{AccountRow, Accounts, OauthClientRow};
pub use assistants::{AssistantRow, Assistants};
pub use audit::{
    Audit, CallClosed, CallOpened, Chain, DecidedOffer, Durability, Entry, Event, Exported, Flaw,
    Keyed, Noun, PublicKey, Recorded, Recurring, Times, UnknownOutcomes, Void, Vouched,
    check_anchor_dir, export_anchor_dir, log_dir, verify_dir,
};
pub use backups::Backups;
pub use catalogues::{CataloguePart, Catalogues};
pub use conversations::{
    ConversationRow, Conversations, FoundConversation, GivenTask, JournalEntry, JournalRow,
    NewConversation,
};
pub use eras::{EraRow, Eras};
pub use error::{StoreError, is_full};
pub use full_results::FullResults;
pub use gateway_clients::{GatewayClientRow, GatewayClients};
pub use grants::{Grants, Use};
pub use models::{ModelRow, Models};
pub use note::{Door, Note, write_private};
pub use pins::Pins;
pub use rules::Rules;
pub use sampling::{Sampling, SamplingLeft, SamplingRow, Taken};
pub use servers::{ServerRow, Servers};
pub use settings::Settings;
pub use store::{OpenOptions, Store};
pub use tasks::{TaskRow, Tasks};
pub use tool_flags::FlaggedTools;
pub use tools::Tools;
pub use vault::{Keep, KeyringChoice, Vault, VaultStatus};
pub use waiting::{LeftCall, LeftPaused, Needed, PausedRound, Waiting, WaitingCall};
pub use workspaces::{Place, WorkspaceRow, Workspaces};
