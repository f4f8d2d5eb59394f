//! Messages of JSON-RPC 2.0, as they come and go.
//!
//! Always true here: the id of a request is given back as it came, and of the rest nothing is
//! decoded that is not needed.

use crate::rpc_error::RpcError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A message of a client.
#[derive(Debug)]
pub(crate) enum Message {
    /// It wants an answer.
    Request(Request),
    /// It wants none.
    Notification { method: String, params: Params },
    /// It answers something that it was asked; without a result that failed there.
    Reply {
        id: Option<Id>,
        result: Option<Box<RawValue>>,
    },
}

/// A request of a client.
#[derive(Debug)]
pub(crate) struct Request {
    pub id: Id,
    pub method: String,
    pub params: Params,
}

/// The id of a request: a text or a number. It is given back as it was written, and is the same as
/// another one however that was written.
#[derive(Debug, Clone)]
pub(crate) struct Id(Box<str>);

/// What goes with a message, as it was written; an object, or nothing.
#[derive(Debug, Default)]
pub(crate) struct Params(Option<Box<RawValue>>);

/// What goes beside the parameters of a request.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta {
    #[serde(default, rename = "progressToken")]
    pub progress_token: Option<Value>,
    #[serde(default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub revision: Option<String>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub capabilities: Option<Value>,
    #[serde(default, rename = "io.modelcontextprotocol/clientInfo")]
    pub client: Option<Implementation>,
}

/// What a program says that it is.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Implementation {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub version: String,
}

/// A message that cannot be read, with the answer to it.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub id: Option<Id>,
    pub error: RpcError,
}

#[derive(Deserialize)]
struct Read<'a> {
    #[serde(default, borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    id: Option<&'a RawValue>,
    #[serde(default, borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(default)]
    params: Option<Box<RawValue>>,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
}

impl Message {
    /// Reads a message.
    pub(crate) fn read(text: &str) -> Result<Self, Unreadable> {
        let unreadable = |id, code, message: &str| Unreadable {
            id,
            error: RpcError::new(code, message),
        };
        let invalid = |id, message| unreadable(id, RpcError::INVALID_REQUEST, message);
        let read: Read<'_> = match serde_json::from_str(text) {
            Ok(read) => read,
            Err(problem) if problem.is_data() => {
                return Err(invalid(None, "This is no message of JSON-RPC 2.0"));
            }
            Err(_) => return Err(unreadable(None, RpcError::NOT_JSON, "This is no JSON")),
        };
        let id = read.id.map(|id| id.get()).filter(|id| *id != "null");
        let id = match id {
            Some(id)
                if id.starts_with(['"', '-']) || id.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                Some(Id(id.into()))
            }
            Some(_) => return Err(invalid(None, "An id is a text or a number")),
            None => None,
        };
        if read.jsonrpc.as_deref() != Some("2.0") {
            return Err(invalid(id, "\"jsonrpc\" must be \"2.0\""));
        }
        let params = Params(read.params);
        if !params.is_object() {
            return Err(invalid(id, "\"params\" must be an object"));
        }
        match (read.method, id) {
            (Some(method), Some(id)) => Ok(Self::Request(Request {
                id,
                method: method.into_owned(),
                params,
            })),
            (Some(method), None) => Ok(Self::Notification {
                method: method.into_owned(),
                params,
            }),
            (None, id) if read.result.is_some() || read.error.is_some() => Ok(Self::Reply {
                id,
                result: read.result.map(RawValue::to_owned),
            }),
            (None, id) => Err(invalid(id, "A message has a method or a result")),
        }
    }
}

impl Id {
    /// The id as a value.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// What is the same for all ways to write it.
    fn key(&self) -> Cow<'_, str> {
        let is_plain_text = self.0.starts_with('"') && !self.0.contains('\\');
        let is_plain = is_plain_text || self.0.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain {
            return Cow::Borrowed(&self.0);
        }
        let value = serde_json::from_str::<Value>(&self.0);
        value.map_or(Cow::Borrowed(&self.0), |value| value.to_string().into())
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = Box::<RawValue>::deserialize(from)?;
        Ok(Self(written.get().into()))
    }
}

impl Params {
    fn is_object(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|params| params.get().starts_with('{'))
    }

    /// Reads them. Fails with "invalid params", which says why.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        let text = self.0.as_ref().map_or("{}", |params| params.get());
        serde_json::from_str(text).map_err(RpcError::invalid_params)
    }

    /// What goes beside them; nothing where it is left out.
    pub(crate) fn meta(&self) -> Result<Meta, RpcError> {
        #[derive(Deserialize)]
        struct Beside {
            #[serde(default, rename = "_meta")]
            meta: Meta,
        }
        Ok(self.read::<Beside>()?.meta)
    }
}

impl Implementation {
    /// What it says that it is, in one text.
    pub(crate) fn text(&self) -> String {
        format!(
            "{} {}",
            self.title.as_ref().unwrap_or(&self.name),
            self.version
        )
    }
}

/// The answer to a request, as it travels.
pub(crate) fn reply(id: &Id, outcome: Result<Box<RawValue>, RpcError>) -> String {
    match outcome {
        Ok(result) => format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{}}}"#,
            id.0,
            result.get()
        ),
        Err(error) => failure(Some(id), &error),
    }
}

/// The answer to what failed, as it travels.
pub(crate) fn failure(id: Option<&Id>, error: &RpcError) -> String {
    let id = id.map_or("null", |id| &id.0);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#,
        written(error)
    )
}

/// A message that wants no answer, as it travels.
pub(crate) fn notification(method: &str, params: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
}

/// A request to a client, as it travels.
pub(crate) fn request(id: &str, method: &str, params: &Value) -> String {
    let id = written(&id);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// A result as it travels.
pub(crate) fn result(value: &impl Serialize) -> Result<Box<RawValue>, RpcError> {
    let written = serde_json::value::to_raw_value(value);
    written.map_err(|problem| RpcError::new(RpcError::INTERNAL, problem.to_string()))
}

fn written(value: &impl Serialize) -> String {
    // What is written here has keys that are texts, and numbers that JSON knows.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn the_id_of_a_request_comes_back_as_it_was_written() {
        for id in ["1", "-7", "\"a b\"", "12345678901234567890", "1.5"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            let Ok(Message::Request(request)) = Message::read(&text) else {
                panic!("{text}");
            };
            let reply = reply(&request.id, result(&json!({})));
            assert_eq!(
                reply,
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
            );
        }
    }

    #[test]
    fn an_id_is_the_same_however_it_is_written() {
        let id = |written: &str| Id(written.into());
        for (one, other) in [
            (r#""é/\"""#, r#""\u00e9\/\u0022""#),
            (r#""a""#, r#""\u0061""#),
            ("-7", "-7"),
            ("1e2", "100.0"),
        ] {
            assert_eq!(id(one), id(other), "{one} {other}");
        }
        assert_ne!(id("1"), id("\"1\""));
        assert_ne!(id("1"), id("2"));
    }

    #[test]
    fn what_is_no_message_is_told_so_with_its_id_where_it_has_one() {
        for (text, code, has_id) in [
            ("", RpcError::NOT_JSON, false),
            ("{", RpcError::NOT_JSON, false),
            ("[]", RpcError::INVALID_REQUEST, false),
            ("7", RpcError::INVALID_REQUEST, false),
            (
                r#"{"jsonrpc":"2.0","id":true,"method":"a"}"#,
                RpcError::INVALID_REQUEST,
                false,
            ),
            (
                r#"{"jsonrpc":"1.0","id":1,"method":"a"}"#,
                RpcError::INVALID_REQUEST,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#,
                RpcError::INVALID_REQUEST,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1}"#,
                RpcError::INVALID_REQUEST,
                true,
            ),
        ] {
            let unreadable = Message::read(text).unwrap_err();
            assert_eq!(unreadable.error.code, code, "{text}");
            assert_eq!(unreadable.id.is_some(), has_id, "{text}");
        }
        let reply = Message::read(r#"{"jsonrpc":"2.0","id":1,"result":null}"#);
        assert!(reply.is_err(), "a result that is nothing is none");
        let told = Message::read(r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#).unwrap();
        assert!(matches!(told, Message::Notification { .. }));
    }

    proptest! {
        #[test]
        fn no_text_brings_it_down(text in ".{0,200}") {
            let _ = Message::read(&text);
            let _ = Message::read(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"a","params":{text}}}"#));
        }
    }
}
