//! A host of which nobody wants anything.

use crate::host_program::{Folder, HostProgram};
use load::Failure;
use load::process::{pss_mib, switches};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The memory it has for itself, and its share of the rest.
pub const PSS: &str = "memory of an idle host (PSS)";
/// How often one of its threads wakes.
pub const WAKE_UPS: &str = "wake-ups of an idle host";

/// How long it is left alone after its start.
const SETTLES: Duration = Duration::from_secs(3);
/// How long is counted.
const COUNTED: Duration = Duration::from_secs(20);

/// Starts one and looks at it. There is nothing where the system does not tell.
pub async fn measure() -> Result<BTreeMap<&'static str, f64>, Failure> {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    let pid = host.pid().ok_or("the host has ended")?;
    let mut figures = BTreeMap::new();
    if let Some(before) = switches(pid) {
        tokio::time::sleep(SETTLES).await;
        figures.extend(pss_mib(pid).map(|pss| (PSS, pss)));
        let (before, begun) = (switches(pid).unwrap_or(before), Instant::now());
        tokio::time::sleep(COUNTED).await;
        let counted = switches(pid).unwrap_or(before).saturating_sub(before);
        let seconds = begun.elapsed().as_secs_f64();
        figures.insert(WAKE_UPS, counted as f64 / seconds);
    }
    host.end().await?;
    Ok(figures)
}
