//! Signing in to remote servers: who we are there, the way through the browser, and the tokens that
//! come of it.
//!
//! Always true here:
//! - a browser is opened because a person pressed "Sign in", never because a server asked for it;
//! - what an account holds is changed under its lock, which holds for every process on the data
//!   folder;
//! - a token goes to the server that it was made for and to no other, also after the server's
//!   address was edited;
//! - tokens and secrets lie in the vault and in memory, and from their first moment on they are
//!   covered in every text.

mod accounts;
mod begin;
mod client;
mod diagnose;
mod flow;
mod forget;
mod keep;
mod lock;
mod note;
mod probe;
mod problem;
mod record;
mod renew;
mod steps;
mod tokens;

pub use accounts::{sign_out, use_account};
pub use begin::{cancel, finish, sign_in};
pub use client::set_oauth_client;
pub use diagnose::diagnose;
pub use forget::{end_all, forget, moved};
pub use note::{note_refusal, note_welcome};
pub use record::read_all;
pub(crate) use tokens::authorization;
