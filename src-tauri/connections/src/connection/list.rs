//! The whole list of a server's tools, page by page. A list that does not end is not waited for.

use super::Inner;
use super::call::{send, unreadable};
use crate::{ConnectionError, wire};
use protocol::ToolSpec;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use std::collections::HashSet;
use tokio::time::timeout;

/// Pages and tools that are read at most.
const PAGES: usize = 100;
const TOOLS: usize = 10_000;

pub(super) async fn tools(inner: &Inner) -> Result<Vec<ToolSpec>, ConnectionError> {
    tokio::select! {
        biased;
        read = timeout(inner.limits.list, read(inner)) => read.unwrap_or(Err(ConnectionError::TimedOut { after: inner.limits.list })),
        () = inner.ending.over() => Err(inner.ending.error()),
    }
}

async fn read(inner: &Inner) -> Result<Vec<ToolSpec>, ConnectionError> {
    let mut all = Vec::new();
    let (mut cursor, mut seen) = (None::<String>, HashSet::new());
    for pages in 1..=PAGES {
        let (tools, next) = page(inner, cursor.take()).await?.into_parts();
        all.extend(tools);
        match next {
            None => return Ok(all),
            // The same place twice, or more than anyone can look through.
            Some(next) if all.len() > TOOLS || !seen.insert(next.clone()) => {
                return Err(ConnectionError::TooMany { pages, tools: all.len() });
            }
            Some(next) => cursor = Some(next),
        }
    }
    Err(ConnectionError::TooMany { pages: PAGES, tools: all.len() })
}

async fn page(inner: &Inner, cursor: Option<String>) -> Result<wire::Page, ConnectionError> {
    let params = PaginatedRequestParams::default().with_cursor(cursor);
    let request = ListToolsRequest::with_param(params);
    let answer = send(inner, ClientRequest::ListToolsRequest(request)).await?.answer(inner).await?;
    wire::page(answer).map_err(|problem| unreadable(&problem))
}
