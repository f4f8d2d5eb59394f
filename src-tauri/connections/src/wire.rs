//! What servers say ⇄ the words everyone shares. Nothing is lost on the way: what has no word of its own is kept as it came.

mod answer;
mod line;
mod tools;

pub(crate) use answer::answer;
pub(crate) use line::{Line, read_line};
pub(crate) use tools::{Page, page};
