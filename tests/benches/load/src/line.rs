//! The ways on which calls travel: a child's standard input and output, and HTTP on a connection
//! that stays open.
//!
//! Always true here: nothing is done between the bytes and the clock that one of them needs and
//! another does not. All HTTP doors are spoken to by the same code, and so are all programs.

mod http;
mod stdio;

pub use http::{Http, OfClient, Speech};
pub use stdio::Stdio;

use crate::Failure;
use crate::call::{Call, Reply};
use std::future::Future;

/// How much is read at once.
const READ: usize = 64 * 1024;

/// Where calls are sent and answers come back.
pub trait Line: Send + Sized + 'static {
    /// Writes the request that is sent next; nobody has begun to wait yet.
    fn prepare(&mut self, call: Call) -> Result<(), Failure>;

    /// Sends it. Where several may be under way, their answers come in any order.
    fn send(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Waits until all of the next answer is here.
    fn receive(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Reads the answer that came last. Fails where it is none.
    fn reply(&self) -> Result<Reply<'_>, Failure>;
}

/// Makes one call, and waits for its answer.
pub async fn call(line: &mut impl Line, call: Call) -> Result<(), Failure> {
    line.prepare(call)?;
    line.send().await?;
    line.receive().await?;
    call.check(&line.reply()?)
}
