//! The first page of the activity list, right after a burst of records.

use super::millis_since;
use crate::host_program::{Folder, HostProgram, Stream};
use load::Failure;
use load::call::{ECHO, SERVER};
use load::line::Http;
use load::programs::beside;
use load::setup::ready;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::task::JoinSet;

/// Until the first page was there.
pub const FIRST_PAGE: &str = "first activity page after a burst";

/// Rows of a page.
const ROWS: usize = 50;
/// So many make records at a time.
const AT_A_TIME: usize = 64;

/// Makes so many records, and asks for the page at once.
pub async fn measure(records: u64) -> Result<BTreeMap<&'static str, f64>, Failure> {
    let folder = Folder::fresh()?;
    let host = HostProgram::start(&folder).await?;
    ready(&host, &beside("load-server")?).await?;
    let made = Arc::new(AtomicU64::new(0));
    let mut makers = JoinSet::new();
    for _ in 0..AT_A_TIME {
        makers.spawn(refused(host.line().await?, made.clone(), records));
    }
    while let Some(ended) = makers.join_next().await {
        ended??;
    }
    let mut line = host.line().await?;
    let request =
        json!({"method": "list_activity", "params": {"filter": {}, "before": null, "limit": ROWS}});
    let request = request.to_string();
    let begun = Instant::now();
    let page = line.ask(request.as_bytes()).await?;
    let took = millis_since(begun);
    let page: Value = serde_json::from_slice(page)?;
    let rows = page["rows"].as_array().map_or(0, Vec::len);
    if rows != ROWS || page["rows"][0]["outcome"] != "refused" {
        return Err(format!("the page has {rows} rows, and not the newest").into());
    }
    host.end().await?;
    Ok(BTreeMap::from([(FIRST_PAGE, took)]))
}

/// Makes calls that are refused, for their arguments: each is a record, and no server is waited for.
async fn refused(
    mut line: Http<Stream>,
    made: Arc<AtomicU64>,
    records: u64,
) -> Result<(), Failure> {
    loop {
        let number = made.fetch_add(1, Ordering::Relaxed);
        if number >= records {
            return Ok(());
        }
        let request = json!({"method": "call_tool", "params": {
            "call": null,
            "server": SERVER,
            "tool": ECHO,
            "arguments": {"text": number},
        }});
        match line.ask(request.to_string().as_bytes()).await {
            Err(problem) if problem.to_string().contains("arguments_invalid") => {}
            Err(problem) => return Err(problem),
            Ok(_) => return Err("a call was not refused".into()),
        }
    }
}
