//! Fetches a metadata document. At most 256 KiB, at most 20 seconds, redirects within the same
//! origin only.

use crate::{Problem, ServerText};
use egress::{Egress, HeaderMap, HeaderValue, Method, Reach, Redirects, Request, header};
use serde::de::DeserializeOwned;
use std::time::Duration;
use url::Url;

/// Longest document, in bytes.
pub(crate) const LONGEST: usize = 256 * 1024;
/// Longest wait for all of an answer.
pub(crate) const WAIT: Duration = Duration::from_secs(20);

/// What was at a place where a document may lie.
pub(crate) enum Found<T> {
    /// The document.
    Document(T),
    /// Nothing: the next place may have it.
    Nothing,
    /// Something that is not the document: the next place may have it, and if not, this is why.
    Other(Problem),
}

/// Looks at one place. An error ends the search: the place could not be reached, or may not be.
pub(crate) async fn fetch<T: DeserializeOwned>(
    egress: &Egress,
    url: &Url,
    reach: Reach,
) -> Result<Found<T>, Problem> {
    let request = Request {
        method: Method::GET,
        url: url.clone(),
        headers: HeaderMap::from_iter([(
            header::ACCEPT,
            HeaderValue::from_static("application/json"),
        )]),
        body: None,
        reach,
        redirects: Redirects::SameOrigin { hops: 3 },
        wait: WAIT,
    };
    let answer = egress.send(request).await?;
    let status = answer.status;
    if status.is_client_error() {
        return Ok(Found::Nothing);
    }
    if !status.is_success() {
        return Ok(Found::Other(Problem::Status {
            status: status.as_u16(),
        }));
    }
    let body = tokio::time::timeout(WAIT, answer.bytes(LONGEST))
        .await
        .map_err(|_| Problem::TimedOut)??;
    Ok(match serde_json::from_slice(&body) {
        Ok(document) => Found::Document(document),
        Err(error) => Found::Other(Problem::Unreadable {
            why: ServerText::new(&error.to_string()),
        }),
    })
}
