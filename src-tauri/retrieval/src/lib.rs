//! Which tools do this? Words in, tools out, best first.
//!
//! Always true here:
//! - pure: no clock, disk, network or surface, and nothing is kept from one search to the next;
//! - only what is given is found: whoever hides a tool leaves it out before;
//! - a definition that says much of itself gains nothing by it: only its first 2 kB count, and one
//!   server fills no more than three of five places while others fit, too.

mod document;
mod lexicon;
mod line;
mod search;
mod words;

pub use line::one_line;
pub use search::{MOST_FOUND, MOST_OF_ONE_SERVER, Tools};
