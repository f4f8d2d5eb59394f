//! What can go wrong with a reply, and whether the same request is sent again.
//!
//! Always true here: nothing is sent again once anything of a reply has come, nor more than twice;
//! what is shown of a service's words is short.

use super::LONGEST_PROBLEM;
use serde::{Deserialize, Serialize};
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

/// Why there is no reply. It is kept in the journal, and read by every later version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Failure {
    /// The request cannot be written in the words of its service.
    #[error("this cannot be sent to the model: {problem}")]
    Request {
        /// Why.
        problem: String,
    },
    /// There is no connection to the service, or nothing that could be sent by it.
    #[error("the model's service cannot be reached: {problem}")]
    Connection {
        /// Why.
        problem: String,
        /// The kind of the problem, by the word that surfaces know it by; journals of earlier
        /// versions have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// The service answered with a status that says no.
    #[error("the model's service answered with {status}{}", after_colon(message))]
    Status {
        /// HTTP status.
        status: u16,
        /// The service's words, short; none are empty.
        message: String,
        /// When it wants to be asked again.
        #[serde(default, skip_serializing_if = "RetryAfter::is_unsaid")]
        retry_after: RetryAfter,
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
    UnknownStopReason {
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
    /// The answer, or one event of it, holds more parts than it may.
    #[error("the answer has more than {limit} parts")]
    TooManyParts {
        /// How many it may hold.
        limit: usize,
    },
    /// To read the answer would take more memory or time than any good one does.
    #[error("the answer takes too much to read")]
    TooCostly,
    /// What came is not what the service is known to send.
    #[error("the answer cannot be read: {problem}")]
    Unreadable {
        /// What is wrong with it.
        problem: String,
    },
}

/// When a service wants to be asked again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryAfter {
    /// It does not say.
    #[default]
    Unsaid,
    /// After so many seconds.
    Seconds(u64),
    /// It says so in a way that is not read here, such as a date.
    Unreadable,
    /// Not before the person has done something: what they may use is used up.
    Spent,
}

impl RetryAfter {
    fn is_unsaid(&self) -> bool {
        *self == Self::Unsaid
    }

    fn parse(seconds: &str) -> Self {
        match seconds.trim().parse::<f64>() {
            // What is no whole second is waited for as one.
            Ok(seconds) if seconds >= 0.0 => Self::Seconds(seconds.ceil() as u64),
            _ => Self::Unreadable,
        }
    }
}

impl Failure {
    /// Of an answer whose status is not 2xx. `retry_after` is the header of this name; of the body
    /// is read what [`LONGEST_PROBLEM`] allows.
    pub fn of_status(status: u16, retry_after: Option<&str>, body: &[u8]) -> Self {
        let body = body.get(..LONGEST_PROBLEM).unwrap_or(body);
        let spent = is_spent(body).then_some(RetryAfter::Spent);
        let retry_after = spent
            .or_else(|| retry_after.map(RetryAfter::parse))
            .or_else(|| retry_info(body));
        Self::Status {
            status,
            message: message_of(body).unwrap_or_default(),
            retry_after: retry_after.unwrap_or_default(),
        }
    }

    /// How long to wait before the same bytes are sent once more, of which nothing has come back
    /// yet. They were sent `again` times more than once already. `None` is a no, also where the
    /// service wants longer than a person waits, or cannot be understood.
    pub fn retry(&self, again: u32) -> Option<Duration> {
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
        let wait = match retry_after {
            RetryAfter::Unsaid => FIRST_WAIT * 2_u32.pow(again),
            RetryAfter::Seconds(seconds) => Duration::from_secs(*seconds),
            RetryAfter::Unreadable | RetryAfter::Spent => return None,
        };
        (wait <= LONGEST_WAIT).then_some(wait)
    }
}

/// A service's words, where there are any.
fn after_colon(message: &str) -> String {
    if message.is_empty() {
        return String::new();
    }
    format!(": {message}")
}

/// What a service says that went wrong, out of the forms in which services say it.
pub(super) fn message_of(body: &[u8]) -> Option<String> {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    let body: Value = serde_json::from_slice(body).ok()?;
    // Gemini sends what it has to say as a list.
    let body = body.get(0).unwrap_or(&body);
    // Many services say `null` where all is well.
    let said = |value: &&Value| !value.is_null();
    let error = body
        .get("error")
        .filter(said)
        .or_else(|| body.pointer("/response/error").filter(said));
    let error = error.or_else(|| (body.get("type")? == "error").then_some(body))?;
    let message = error.get("message").filter(said).unwrap_or(error);
    let text = message
        .as_str()
        .map_or_else(|| message.to_string(), str::to_owned);
    Some(short(&text))
}

/// The beginning of a text.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST_MESSAGE).collect()
}

/// Whether an account has nothing left, which services of OpenAI's words say with the status of too
/// many requests.
fn is_spent(body: &[u8]) -> bool {
    const SPENT: [&str; 2] = ["insufficient_quota", "billing_hard_limit_reached"];
    let body: Option<Value> = serde_json::from_slice(body).ok();
    let error = body.as_ref().and_then(|body| body.get("error"));
    let says = |key: &str| error.and_then(|error| error.get(key)?.as_str());
    [says("code"), says("type")]
        .iter()
        .flatten()
        .any(|word| SPENT.contains(word))
}

/// Gemini's `RetryInfo`.
fn retry_info(body: &[u8]) -> Option<RetryAfter> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let details = body.pointer("/error/details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay"))?;
    let seconds = delay.as_str().and_then(|delay| delay.strip_suffix('s'));
    Some(seconds.map_or(RetryAfter::Unreadable, RetryAfter::parse))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn waits(status: u16, header: Option<&str>, again: u32) -> Option<u64> {
        let failure = Failure::of_status(status, header, b"");
        failure.retry(again).map(|wait| wait.as_secs())
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
        let date = "Fri, 31 Dec 2027 23:59:59 GMT";
        for unreadable in ["-1", "NaN", "soon", "1e300", "", date] {
            assert_eq!(waits(429, Some(unreadable), 0), None, "{unreadable}");
        }
        let body = json!([{"error": {"message": "quota", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "11.5s"}]}}]);
        let failure = Failure::of_status(429, None, body.to_string().as_bytes());
        assert_eq!(failure.retry(0), Some(Duration::from_secs(12)));
        assert!(failure.to_string().ends_with("429: quota"), "{failure}");
    }

    #[test]
    fn an_account_that_has_nothing_left_is_not_asked_again() {
        for word in ["code", "type"] {
            let body = json!({"error": {"message": "no credit", word: "insufficient_quota"}});
            let failure = Failure::of_status(429, Some("1"), body.to_string().as_bytes());
            assert_eq!(failure.retry(0), None, "{word}");
        }
        let body = json!({"error": {"message": "slow down", "code": "rate_limit_exceeded"}});
        let failure = Failure::of_status(429, Some("1"), body.to_string().as_bytes());
        assert!(failure.retry(0).is_some());
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
        let silent = Failure::of_status(500, None, b"").to_string();
        assert!(silent.ends_with("500"), "{silent}");
    }

    #[test]
    fn no_error_is_none() {
        for body in [
            r#"{"error":null,"choices":[]}"#,
            r#"{"response":{"error":null}}"#,
        ] {
            assert_eq!(message_of(body.as_bytes()), None, "{body}");
        }
        let nested = br#"{"error":null,"response":{"error":{"message":null,"code":"x"}}}"#;
        assert!(message_of(nested).unwrap().contains("\"x\""));
    }

    #[test]
    fn a_failure_is_read_as_it_was_first_written() {
        let written = [
            json!({"kind": "request", "problem": "p"}),
            json!({"kind": "connection", "problem": "p"}),
            json!({"kind": "status", "status": 500, "message": ""}),
            json!({"kind": "status", "status": 429, "message": "m", "retry_after": {"seconds": 7}}),
            json!({"kind": "status", "status": 429, "message": "m", "retry_after": "unreadable"}),
            json!({"kind": "status", "status": 429, "message": "m", "retry_after": "spent"}),
            json!({"kind": "service", "message": "m"}),
            json!({"kind": "cut_off"}),
            json!({"kind": "unknown_stop_reason", "reason": "r"}),
            json!({"kind": "too_long", "limit": 1}),
            json!({"kind": "too_many_calls", "limit": 1}),
            json!({"kind": "too_many_parts", "limit": 1}),
            json!({"kind": "too_costly"}),
            json!({"kind": "unreadable", "problem": "p"}),
        ];
        for failure in written {
            let read: Failure = serde_json::from_value(failure.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), failure);
        }
    }
}
