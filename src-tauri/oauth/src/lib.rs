//! Signing in to a server: discovery, registration, the browser's way back, tokens. MCP
//! authorization of every revision.
//!
//! The order of a sign-in: [`Challenge::parse`] the refusal, [`discover`], open a [`Listener`],
//! [`register`], [`choose`] the scopes, [`Attempt::begin`], open its address in the browser,
//! [`Listener::wait`] or [`Attempt::pasted`], [`Attempt::redeem`]. What comes out are
//! [`Credentials`]; [`refresh`] keeps them fresh and [`sign_out`] gives them back.
//!
//! What only enterprises sign in with is compiled with the feature `enterprise`.
//!
//! Always true here:
//! - every request leaves through `egress`, and nothing that carries a credential follows a
//!   redirect;
//! - a code is redeemed only after its `state` and its issuer were compared with what was kept when
//!   the browser was sent off;
//! - what one authorization server gave out is never shown to another, and a token goes to the
//!   server it was made for only;
//! - no clock, disk, window or browser: `now` is an argument, and the caller opens addresses and
//!   keeps records.

mod address;
#[cfg(feature = "enterprise")]
mod assertion;
mod attempt;
mod authorization_response;
mod challenge;
mod client;
mod client_credentials;
mod credentials;
mod discover;
mod discovery;
mod doctor;
mod document;
#[cfg(feature = "enterprise")]
mod enterprise;
mod error;
mod fetch;
mod listener;
mod page;
mod record;
mod refresh;
mod register;
mod scopes;
mod sign_out;
mod text;
mod token;
mod well_known;

pub use address::BadAddress;
#[cfg(feature = "enterprise")]
pub use assertion::{Algorithm, SigningKey};
pub use attempt::Attempt;
pub use authorization_response::{Code, Reading};
pub use challenge::Challenge;
pub use client::{Client, ClientAuth, Method, Preregistered, RegistrationKind};
pub use client_credentials::client_credentials;
pub use credentials::{Credentials, GrantType, Tokens};
pub use discover::{Ask, Way, discover};
pub use discovery::{Discovery, Source};
pub use doctor::{Doctor, Outcome, Problem, Step, What};
#[cfg(feature = "enterprise")]
pub use enterprise::{IdentityProvider, Subject, enterprise};
pub use error::OAuthError;
pub use listener::{Listener, Port};
pub use page::Page;
pub use refresh::refresh;
pub use register::{Registration, register};
pub use scopes::{choose, union};
pub use sign_out::sign_out;
pub use text::ServerText;
