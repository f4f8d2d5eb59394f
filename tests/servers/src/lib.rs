//! Servers for tests that are started inside the test itself. Those that are started as a process
//! are in `main.rs`.

pub mod authority;
pub mod model;
pub mod process_name;
pub mod secure;
