//! From starting the program to its first answer, with servers that are configured.

use super::millis_since;
use crate::host_program::{Folder, HostProgram, line, look_again, spawn};
use load::Failure;
use load::programs::beside;
use load::setup::add;
use std::collections::BTreeMap;
use std::time::Instant;

/// Until the first answer was there.
pub const FIRST_ANSWER: &str = "first answer with 20 servers";

/// So many are configured.
const SERVERS: usize = 20;

/// Prepares a folder, and starts a host on it.
pub async fn measure() -> Result<BTreeMap<&'static str, f64>, Failure> {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    let server = beside("load-server")?;
    for number in 1..=SERVERS {
        add(&host, &format!("server-{number}"), &server, &[]).await?;
    }
    host.end().await?;

    let begun = Instant::now();
    let mut child = spawn(&folder)?;
    loop {
        if let Some(mut line) = line(&folder.data()).await? {
            line.ask(br#"{"method":"snapshot"}"#).await?;
            break;
        }
        look_again(&mut child).await?;
    }
    let took = millis_since(begun);
    HostProgram::of(child, &folder).await?.end().await?;
    Ok(BTreeMap::from([(FIRST_ANSWER, took)]))
}
