//! Asks a server, as nobody, how it turns strangers away. That is needed where it has not turned us
//! away yet.

use egress::{Egress, HeaderMap, HeaderValue, Method, Reach, Redirects, Request, header};
use oauth::Challenge;
use std::time::Duration;
use url::Url;

/// How long the answer may take.
const WAIT: Duration = Duration::from_secs(20);
/// A request that changes nothing, in every revision of the protocol.
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// How the server turns strangers away; none if it does not, or cannot be reached: then its
/// metadata say more.
pub(super) async fn probe(egress: &Egress, url: &Url) -> Option<Challenge> {
    let request = Request {
        method: Method::POST,
        url: url.clone(),
        headers: HeaderMap::from_iter([
            (
                header::ACCEPT,
                HeaderValue::from_static("application/json, text/event-stream"),
            ),
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            ),
        ]),
        body: Some(PING.into()),
        reach: Reach::Typed,
        redirects: Redirects::None,
        wait: WAIT,
    };
    let answer = egress.send(request).await.ok()?;
    Challenge::parse(answer.status, &answer.headers)
}
