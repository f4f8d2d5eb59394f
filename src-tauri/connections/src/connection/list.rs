//! Whole lists, page by page. A list that does not end is not waited for.
//!
//! Always true here: a list is handed over and changes nothing that is sent. Nobody has approved yet
//! what stands in it.

use super::Inner;
use super::request::{dressed, plain};
use crate::ConnectionError;
use crate::conversation::Ask;
use crate::wire::{self, Page};
use protocol::{
    Budget, Era, HeaderParameters, PromptSpec, Reserved, ResourceSpec, TemplateSpec, ToolSpec,
    weight_of,
};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// Pages and entries that are read at most, and about how many bytes of memory they take.
const PAGES: usize = 100;
const ITEMS: usize = 10_000;
const BYTES: usize = 24 * 1024 * 1024;
const METHOD_NOT_FOUND: i32 = -32_601;

/// How much memory the lists of one connection take where they are used, by the requests that they
/// were read with. It counts until the list is read anew, or the connection is over.
#[derive(Debug)]
pub(super) struct Kept {
    by_method: Mutex<HashMap<&'static str, Reserved>>,
    budget: Budget,
}

impl Kept {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            by_method: Mutex::default(),
            budget,
        }
    }

    /// Room for a list in the place of the one before it.
    fn hold(&self, method: &'static str, bytes: usize) -> Result<(), ConnectionError> {
        let mut by_method = self
            .by_method
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        by_method.remove(method);
        let too_large = || ConnectionError::ListTooLarge {
            method,
            limit: BYTES,
        };
        let held = self.budget.reserve(bytes).ok_or_else(too_large)?;
        by_method.insert(method, held);
        Ok(())
    }
}

/// All tools. Over HTTP those are left out whose arguments cannot be made headers as they demand.
pub(super) async fn tools(inner: &Inner) -> Result<Vec<ToolSpec>, ConnectionError> {
    if !inner.initialize_result.capabilities.tools {
        return Ok(Vec::new());
    }
    let mut tools = all(inner, "tools/list", "tools", wire::tool).await?;
    if inner.has_headers() {
        tools.retain(|tool| match HeaderParameters::read(&tool.input_schema) {
            Ok(_) => true,
            Err(problem) => {
                tracing::warn!(tool = %tool.name, problem, "a tool is left out because of its x-mcp-header");
                false
            }
        });
    }
    Ok(tools)
}

pub(super) async fn resources(inner: &Inner) -> Result<Vec<ResourceSpec>, ConnectionError> {
    offered(inner.initialize_result.capabilities.resources, "resources")?;
    all(inner, "resources/list", "resources", wire::resource).await
}

/// All templates. Servers that have resources and know no templates say so with an error.
pub(super) async fn templates(inner: &Inner) -> Result<Vec<TemplateSpec>, ConnectionError> {
    offered(inner.initialize_result.capabilities.resources, "resources")?;
    match all(
        inner,
        "resources/templates/list",
        "resourceTemplates",
        wire::template,
    )
    .await
    {
        Err(error) if error.rpc_code() == Some(METHOD_NOT_FOUND) => Ok(Vec::new()),
        read => read,
    }
}

pub(super) async fn prompts(inner: &Inner) -> Result<Vec<PromptSpec>, ConnectionError> {
    offered(inner.initialize_result.capabilities.prompts, "prompts")?;
    all(inner, "prompts/list", "prompts", wire::prompt).await
}

pub(super) fn offered(offered: bool, what: &'static str) -> Result<(), ConnectionError> {
    if offered {
        Ok(())
    } else {
        Err(ConnectionError::NotOffered { what })
    }
}

async fn all<T>(
    inner: &Inner,
    method: &'static str,
    key: &str,
    read: fn(Value) -> Result<T, serde_json::Error>,
) -> Result<Vec<T>, ConnectionError> {
    let after = inner.limits.list;
    let items = match inner.cache.fresh(method) {
        Some(items) => items,
        None => timeout(after, pages(inner, method, key))
            .await
            .unwrap_or(Err(ConnectionError::TimedOut { after }))?,
    };
    items
        .into_iter()
        .map(|item| read(item).map_err(ConnectionError::unreadable))
        .collect()
}

async fn pages(
    inner: &Inner,
    method: &'static str,
    key: &str,
) -> Result<Vec<Value>, ConnectionError> {
    let (mut all, mut bytes) = (Vec::new(), 0);
    let (mut cursor, mut seen) = (None::<String>, HashSet::new());
    let mut fresh_for = Some(Duration::MAX);
    for pages in 1..=PAGES {
        let page = page(inner, method, key, cursor.take()).await?;
        bytes += page.items.iter().map(weight_of).sum::<usize>();
        if bytes > BYTES {
            return Err(ConnectionError::ListTooLarge {
                method,
                limit: BYTES,
            });
        }
        all.extend(page.items);
        fresh_for = fresh_for
            .zip(page.fresh_for)
            .map(|(all, page)| all.min(page));
        match page.next {
            // In the older revisions some servers say the end like this; in the newest it is a
            // place like any other.
            Some(next) if next.is_empty() && inner.initialize_result.era == Era::Legacy => {
                inner.lists.hold(method, bytes)?;
                return Ok(all);
            }
            None => {
                inner.lists.hold(method, bytes)?;
                inner.cache.keep(
                    method,
                    &all,
                    fresh_for.filter(|_| inner.initialize_result.era == Era::Modern),
                );
                return Ok(all);
            }
            // The same place twice, or more than anyone can look through.
            Some(next) if all.len() > ITEMS || !seen.insert(next.clone()) => {
                return Err(ConnectionError::Endless {
                    method,
                    pages,
                    items: all.len(),
                });
            }
            Some(next) => cursor = Some(next),
        }
    }
    Err(ConnectionError::Endless {
        method,
        pages: PAGES,
        items: all.len(),
    })
}

async fn page(
    inner: &Inner,
    method: &'static str,
    key: &str,
    cursor: Option<String>,
) -> Result<Page, ConnectionError> {
    let params = Map::from_iter(cursor.map(|cursor| ("cursor".to_owned(), cursor.into())));
    let reply = plain(inner, Ask::new(method, dressed(inner, params, None))).await?;
    Page::read(reply, key).map_err(ConnectionError::unreadable)
}
