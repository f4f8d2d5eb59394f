//! One call of the load: what is sent, and what must come back.

use crate::Failure;
use crate::prose;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The name of the server, where it has one.
pub const SERVER: &str = "load";

/// Gives back the text that it gets.
pub const ECHO: &str = "echo";
/// Gives a long text.
pub const BIG: &str = "big";

/// How MCP is spoken at an endpoint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dialect {
    /// What stands before the name of each tool there.
    pub prefix: &'static str,
    /// Whether each request says its revision, as in the era of 2026.
    pub is_modern: bool,
}

/// The revision that is spoken after a handshake, and the one that each request says.
pub const WITH_HANDSHAKE: &str = "2025-06-18";
/// See [`WITH_HANDSHAKE`].
pub const MODERN: &str = "2026-07-28";

impl Dialect {
    /// What a server of Majordomo's speaks to applications.
    pub const fn of_gateway(is_modern: bool) -> Self {
        Self {
            prefix: "load__",
            is_modern,
        }
    }

    /// A request.
    pub fn request(self, id: u64, method: &str, mut params: Value) -> Value {
        if self.is_modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }
}

/// One call. Its number makes it unlike every other one of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// Which one of the run.
    pub number: u64,
    /// How long a text is wanted, in bytes; none wants its own one back.
    pub bytes: Option<usize>,
}

/// What came back for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<'a> {
    /// For which one, by the number that was sent along.
    pub number: u64,
    /// Its text.
    pub text: Cow<'a, str>,
    /// Only a part was passed on, and the rest is kept.
    pub is_part: bool,
}

impl Call {
    /// The tool that is called.
    pub fn tool(self) -> &'static str {
        if self.bytes.is_some() { BIG } else { ECHO }
    }

    /// What it is called with.
    pub fn arguments(self) -> Map<String, Value> {
        let field = |name: &str, value: Value| (name.to_owned(), value);
        match self.bytes {
            None => Map::from_iter([field("text", prose::sentence(self.number).into())]),
            Some(bytes) => {
                Map::from_iter([field("bytes", bytes.into()), field("n", self.number.into())])
            }
        }
    }

    /// The name of the tool at an endpoint.
    pub fn named(self, dialect: Dialect) -> String {
        format!("{}{}", dialect.prefix, self.tool())
    }

    /// The request of MCP, as one line.
    pub fn to_server(self, dialect: Dialect) -> Vec<u8> {
        let params = json!({"name": self.named(dialect), "arguments": self.arguments()});
        let request = dialect.request(self.number, "tools/call", params);
        request.to_string().into_bytes()
    }

    /// The request of the host's contract.
    pub fn to_host(self) -> Vec<u8> {
        let request = json!({
            "method": "call_tool",
            "params": {
                "call": format!("call-{:016x}", self.number),
                "server": SERVER,
                "tool": self.tool(),
                "arguments": self.arguments(),
            },
        });
        request.to_string().into_bytes()
    }

    /// Fails where this is no answer to it.
    pub fn check(self, reply: &Reply<'_>) -> Result<(), Failure> {
        let is_right = match self.bytes {
            None => reply.text == prose::sentence(self.number),
            Some(bytes) => {
                let length = reply.text.len();
                let begins = reply.text.starts_with(&format!("{}. ", self.number));
                begins && (length == bytes || reply.is_part && length < bytes)
            }
        };
        if is_right && reply.number == self.number {
            return Ok(());
        }
        let shown: String = reply.text.chars().take(80).collect();
        Err(format!(
            "{self:?} was answered with {} bytes for call {}: {shown:?}",
            reply.text.len(),
            reply.number
        )
        .into())
    }
}

/// What Majordomo says beside a result.
#[derive(Default, Deserialize)]
struct Beside {
    #[serde(default, rename = "majordomo/notes")]
    notes: Vec<Note>,
}

#[derive(Deserialize)]
struct Note {
    kind: String,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Cow<'a, str>,
}

impl<'a> Reply<'a> {
    /// Reads what a server of MCP has answered.
    pub fn of_server(message: &'a [u8]) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Message<'a> {
            id: u64,
            #[serde(borrow)]
            result: Option<Answer<'a>>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Answer<'a> {
            #[serde(borrow)]
            content: Vec<Part<'a>>,
            #[serde(default)]
            is_error: bool,
            #[serde(default, rename = "_meta")]
            beside: Beside,
        }
        match serde_json::from_slice(message)? {
            Message {
                id,
                result:
                    Some(Answer {
                        content,
                        is_error: false,
                        beside,
                    }),
            } => Ok(Self {
                number: id,
                text: only(content)?,
                is_part: beside.notes.iter().any(|note| note.kind == "cut"),
            }),
            _ => Err(refused(message)),
        }
    }

    /// Reads what a host has answered.
    pub fn of_host(message: &'a [u8]) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Answer<'a> {
            call: &'a str,
            #[serde(borrow)]
            content: Vec<Part<'a>>,
            is_error: bool,
            whole_kept: bool,
        }
        let answer: Answer<'_> = serde_json::from_slice(message)?;
        if answer.is_error {
            return Err(refused(message));
        }
        let number = answer.call.strip_prefix("call-").unwrap_or_default();
        Ok(Self {
            number: u64::from_str_radix(number, 16)?,
            text: only(answer.content)?,
            is_part: answer.whole_kept,
        })
    }
}

fn only(content: Vec<Part<'_>>) -> Result<Cow<'_, str>, Failure> {
    match <[Part<'_>; 1]>::try_from(content) {
        Ok([part]) => Ok(part.text),
        Err(parts) => Err(format!("{} parts came back instead of one", parts.len()).into()),
    }
}

fn refused(message: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(message);
    let shown: String = text.chars().take(300).collect();
    format!("a call was not answered: {shown}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u64, bytes: Option<usize>) -> Call {
        Call { number, bytes }
    }

    #[test]
    fn an_answer_is_right_for_its_own_call_only() {
        let text = prose::sentence(7);
        let message = json!({"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": text}]}});
        let message = message.to_string();
        let reply = Reply::of_server(message.as_bytes()).unwrap();
        assert!(call(7, None).check(&reply).is_ok());
        assert!(call(8, None).check(&reply).is_err());
        assert!(call(7, Some(text.len())).check(&reply).is_err());
    }

    #[test]
    fn a_request_says_what_its_endpoint_wants_to_hear() {
        let sent = |dialect| -> Value {
            serde_json::from_slice(&call(7, None).to_server(dialect)).unwrap()
        };
        let plain = sent(Dialect::default());
        assert_eq!(plain["params"]["name"], "echo");
        assert!(plain["params"].get("_meta").is_none());
        let modern = sent(Dialect::of_gateway(true));
        assert_eq!(modern["params"]["name"], "load__echo");
        assert_eq!(
            modern["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
            MODERN
        );
    }

    #[test]
    fn a_long_text_may_be_shorter_only_where_the_rest_is_kept() {
        let of = |whole_kept: bool, bytes| {
            let text = prose::text(bytes, 7);
            let message = json!({"call": "call-0000000000000007", "content": [{"type": "text", "text": text}], "is_error": false, "whole_kept": whole_kept});
            let message = message.to_string();
            let reply = Reply::of_host(message.as_bytes()).unwrap();
            call(7, Some(100)).check(&reply).is_ok()
        };
        let of_gateway = |kind: &str| {
            let result = json!({
                "content": [{"type": "text", "text": prose::text(50, 7)}],
                "_meta": {"majordomo/notes": [{"kind": kind}]},
            });
            let message = json!({"jsonrpc": "2.0", "id": 7, "result": result}).to_string();
            let reply = Reply::of_server(message.as_bytes()).unwrap();
            call(7, Some(100)).check(&reply).is_ok()
        };
        assert!(of_gateway("cut") && !of_gateway("secrets_masked"));
        assert!(of(false, 100) && of(true, 50));
        assert!(!of(false, 50) && !of(true, 101));
    }

    #[test]
    fn what_the_tool_or_the_protocol_refused_is_no_answer() {
        for message in [
            json!({"id": 1, "result": {"content": [{"text": ""}], "isError": true}}),
            json!({"id": 1, "error": {"code": 1, "message": "no"}}),
            json!({"id": 1, "result": {"content": []}}),
        ] {
            assert!(Reply::of_server(message.to_string().as_bytes()).is_err());
        }
    }
}
