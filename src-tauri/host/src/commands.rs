//! What requests have in common with each other, one file for each noun.

pub(crate) mod activity;
pub(crate) mod anchors;
pub(crate) mod answers;
pub(crate) mod applications;
pub(crate) mod assistants;
pub(crate) mod calls;
pub(crate) mod clients;
pub(crate) mod confinement;
pub(crate) mod grants;
pub(crate) mod models;
pub(crate) mod policy;
pub(crate) mod preview;
pub(crate) mod question_time;
pub(crate) mod questions;
pub(crate) mod roots;
pub(crate) mod servers;
pub(crate) mod tighten;
pub(crate) mod tools;
