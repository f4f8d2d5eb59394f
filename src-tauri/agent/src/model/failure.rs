//! What can go wrong with a reply, and whether the same request is sent again.
//!
//! Always true here: nothing is sent again once anything of a reply has come, nor more than twice;
//! what is shown of a service's words is short.

use super::LONGEST_PROBLEM;
use serde_json::Value;
use std::time::Duration;

/// The most that is repeated of what a service says, in characters.
const LONGEST_MESSAGE: usize = 500;
/// How often a request is sent again.
const MOST_RETRIES: u32 = 2;
/// How long is waited where the service does not say; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The longest that is waited because a service says so.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The request cannot be written in the words of its service.
    #[error("this cannot be sent to the model: {problem}")]
    Request {
        /// Why.
        problem: String,
    },
    /// The service answered with a status that says no.
    #[error("the model's service answered with {status}: {message}")]
    Status {
        /// HTTP status.
        status: u16,
        /// The service's words, short.
        message: String,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The service began an answer, and says in it that it failed.
    #[error("the model's service says: {message}")]
    Service {
        /// Its words, short.
        message: String,
    },
    /// The connection ended before the answer did.
    #[error("the answer broke off")]
    CutOff,
    /// The service ended the answer for a reason that is no good end.
    #[error("the model's service ended the answer: {reason}")]
    OddEnd {
        /// Its word for it.
        reason: String,
    },
    /// The answer, or one event of it, is longer than it may be.
    #[error("the answer is larger than {limit} bytes allow")]
    TooLong {
        /// How much it may hold, in bytes.
        limit: usize,
    },
    /// The answer wants more calls than one may.
    #[error("the answer wants more than {limit} calls")]
    TooManyCalls {
        /// How many it may want.
        limit: usize,
    },
    /// What came is not what the service is known to send.
    #[error("the answer cannot be read: {problem}")]
    Unreadable {
        /// What is wrong with it.
        problem: String,
    },
}

/// How long to wait before the same request is sent once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits(pub Duration);

impl Failure {
    /// Of an answer whose status is not 2xx. `retry_after` is the header of this name; of the body
    /// is read what [`LONGEST_PROBLEM`] allows.
    pub fn of_status(status: u16, retry_after: Option<&str>, body: &[u8]) -> Self {
        let body = body.get(..LONGEST_PROBLEM).unwrap_or(body);
        let header = retry_after.and_then(|seconds| seconds.trim().parse::<f64>().ok());
        let seconds = header
            .or_else(|| retry_info(body))
            .filter(|seconds| *seconds >= 0.0);
        Self::Status {
            status,
            message: message_of(body).unwrap_or_default(),
            retry_after: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        }
    }

    /// Whether the same bytes are sent once more, of which nothing has come back yet, and when. They
    /// were sent `again` times more than once already. `None` is a no, also where the service wants
    /// longer than a person waits.
    pub fn retry(&self, again: u32) -> Option<Waits> {
        let Self::Status {
            status,
            retry_after,
            ..
        } = self
        else {
            return None;
        };
        let is_passing = matches!(*status, 408 | 429) || (500..600).contains(status);
        if !is_passing || again >= MOST_RETRIES {
            return None;
        }
        let wait = retry_after.unwrap_or(FIRST_WAIT * 2_u32.pow(again));
        (wait <= LONGEST_WAIT).then_some(Waits(wait))
    }
}

/// What a service says that went wrong, out of the forms in which services say it.
pub(super) fn message_of(body: &[u8]) -> Option<String> {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    let body: Value = serde_json::from_slice(body).ok()?;
    // Gemini sends what it has to say as a list.
    let body = body.get(0).unwrap_or(&body);
    let error = body
        .get("error")
        .or_else(|| body.pointer("/response/error"));
    let error = error.or_else(|| (body.get("type")? == "error").then_some(body))?;
    let message = error.get("message").unwrap_or(error);
    let text = message
        .as_str()
        .map_or_else(|| message.to_string(), str::to_owned);
    Some(short(&text))
}

/// The beginning of a text.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST_MESSAGE).collect()
}

/// Gemini's `RetryInfo`, in seconds.
fn retry_info(body: &[u8]) -> Option<f64> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let details = body.pointer("/error/details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay"))?;
    delay.as_str()?.strip_suffix('s')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn waits(status: u16, header: Option<&str>, again: u32) -> Option<u64> {
        let failure = Failure::of_status(status, header, b"");
        failure.retry(again).map(|Waits(wait)| wait.as_secs())
    }

    #[test]
    fn only_what_passes_by_itself_is_tried_again_and_at_most_twice() {
        for status in [408, 429, 500, 503, 529] {
            assert_eq!(waits(status, None, 0), Some(2));
            assert_eq!(waits(status, None, 1), Some(4));
            assert_eq!(waits(status, None, 2), None);
        }
        for status in [400, 401, 403, 404, 413] {
            assert_eq!(waits(status, None, 0), None);
        }
        assert_eq!(Failure::CutOff.retry(0), None);
    }

    #[test]
    fn a_service_says_how_long_it_wants_to_be_left_alone() {
        assert_eq!(waits(429, Some("7"), 0), Some(7));
        assert_eq!(waits(429, Some("3600"), 0), None);
        for nonsense in ["-1", "NaN", "soon", "1e300"] {
            assert_eq!(waits(429, Some(nonsense), 0), Some(2), "{nonsense}");
        }
        let body = json!([{"error": {"message": "quota", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12s"}]}}]);
        let failure = Failure::of_status(429, None, body.to_string().as_bytes());
        assert_eq!(failure.retry(0), Some(Waits(Duration::from_secs(12))));
        assert!(failure.to_string().ends_with("429: quota"), "{failure}");
    }

    #[test]
    fn what_a_service_says_is_repeated_shortly() {
        let long = json!({"error": {"message": "x".repeat(10_000)}}).to_string();
        assert_eq!(message_of(long.as_bytes()).unwrap().len(), LONGEST_MESSAGE);
        assert_eq!(
            message_of(br#"{"error":"model not found"}"#).unwrap(),
            "model not found"
        );
        assert_eq!(message_of(b"<html>"), None);
        let beyond = format!("{{\"error\":\"{}\"}}", "x".repeat(LONGEST_PROBLEM));
        let Failure::Status { message, .. } = Failure::of_status(500, None, beyond.as_bytes())
        else {
            panic!();
        };
        assert_eq!(message, "");
    }
}
