//! What is remembered: tables, the audit log, and where secrets lie.
//!
//! Always true here:
//! - one host at a time has a data folder open;
//! - no value of a secret is written to a file in the clear;
//! - no clock: `now` is an argument;
//! - a file that is locked, damaged, read-only or from a newer version is an error that says so, and stays as it is.

mod accounts;
mod answers;
mod audit;
mod db;
mod eras;
mod error;
mod folder;
mod grants;
mod marks;
mod pins;
mod questions;
mod servers;
mod store;
mod tasks;
mod tools;
mod vault;

#[cfg(test)]
mod open_test;
#[cfg(test)]
mod tables_test;
#[cfg(test)]
mod testing;

pub use accounts::{AccountRow, Accounts, ClientRow};
pub use answers::Answers;
pub use audit::{
    ActivityDetail, ActivityFilter, ActivityPage, ActivityRow, AnchorPlace, Audit, Chain, Durability, Entry, Event, ExportFormat, Flaw,
    LogReport, Outcome, Recorded, log_dir, verify_dir,
};
pub use eras::{EraRow, Eras};
pub use error::StoreError;
pub use grants::Grants;
pub use marks::Marks;
pub use pins::Pins;
pub use questions::Questions;
pub use servers::{ServerRow, Servers};
pub use store::{OpenOptions, Store};
pub use tasks::{TaskRow, Tasks};
pub use tools::Tools;
pub use vault::{Keep, KeyringChoice, Vault, VaultStatus};
