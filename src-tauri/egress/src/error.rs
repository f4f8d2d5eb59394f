//! What can go wrong on the way out.
//!
//! Always true here: the words name a host or an origin at most; never a path, a query, a header or
//! a secret.

use std::time::Duration;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EgressError {
    /// The address cannot be used at all.
    #[error("this address cannot be used: {problem}")]
    BadUrl {
        /// What is wrong with it.
        problem: String,
    },
    /// A header belongs to the connection, and is not the caller's to set.
    #[error("the header {name:?} belongs to the connection")]
    BadHeader {
        /// Its name.
        name: String,
    },
    /// The address is in a place that this request may not reach. Nothing was sent.
    #[error("{host} is not reached: {why}")]
    Forbidden {
        /// The host that was asked for.
        host: String,
        /// Why not.
        why: String,
    },
    /// There was no connection, or it broke.
    #[error("cannot be reached: {problem}")]
    Unreachable {
        /// What happened.
        problem: String,
    },
    /// The other side's certificate, or ours, was not accepted.
    #[error("no secure connection: {problem}")]
    Tls {
        /// What happened.
        problem: String,
    },
    /// The answer sends the request to another origin, or would change it. It was not sent again.
    #[error("it redirects to {to_origin}, and that is not followed")]
    Redirected {
        /// The origin it names.
        to_origin: String,
    },
    /// One redirect after the other.
    #[error("it redirects more than {hops} times")]
    TooManyRedirects {
        /// How many were allowed.
        hops: u8,
    },
    /// No answer, or no further piece of it, in time.
    #[error("no answer within {} s", after.as_secs_f32())]
    TimedOut {
        /// How long was waited.
        after: Duration,
    },
    /// The answer is longer than allowed.
    #[error("the answer is longer than {limit} bytes")]
    TooLong {
        /// The most that was allowed, in bytes.
        limit: usize,
    },
    /// The proxy cannot be used, or refused.
    #[error("the proxy cannot be used: {problem}")]
    ProxyFailed {
        /// What happened.
        problem: String,
    },
    /// The client certificate or its key cannot be used.
    #[error("the client certificate cannot be used: {problem}")]
    BadIdentity {
        /// What is wrong with it.
        problem: String,
    },
    /// An extra certificate authority cannot be used.
    #[error("the certificate authority cannot be used: {problem}")]
    BadAuthority {
        /// What is wrong with it.
        problem: String,
    },
}
