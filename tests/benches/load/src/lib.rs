//! What a load is made of, for the programs of this package: phases and their calls, the closed
//! loop that makes them, and what is measured meanwhile.
//!
//! Always true here:
//! - no two calls of one run have the same arguments, and each answer is checked against its own;
//! - the clock begins when a request is written and ends when the last byte of its answer is there:
//!   making the one, and reading and checking the other, are not in it, whoever is measured.

pub mod call;
pub mod cores;
pub mod figures;
pub mod line;
pub mod phase;
pub mod process;
pub mod programs;
pub mod prose;
pub mod setup;
pub mod way;

/// What went wrong where nothing could be measured, in words for whoever started this.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
