//! What a request is, and the macro that makes the contract's table into types.
//!
//! Always true here:
//! - a request has exactly one reply type and one power, and neither has a default;
//! - a request says of each field how much that may hold;
//! - a request that is not understood is refused as a whole; nothing of it is quoted, because it
//!   may hold a secret.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use ts_rs::TS;

/// What a request can change about what may happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    /// Nothing: it only looks, or it asks for something that has a gate of its own (a call, a
    /// resource, a prompt).
    Look,
    /// Something, and nothing more can happen afterwards than before.
    Less,
    /// More can happen afterwards, or something is shown that is for the person only. It needs a
    /// person's word; where one request of this kind can do both, the host looks at what it says.
    More,
}

/// One request of the contract.
pub trait Request: Serialize + DeserializeOwned + Into<AnyRequest> + Send + Sync + 'static {
    /// What comes back.
    type Reply: Serialize + DeserializeOwned + Send + 'static;

    /// Its name on the wire.
    const METHOD: &'static str;

    /// What it can change.
    const POWER: Power;
}

/// Visits each request of the contract with its types.
pub trait Visitor {
    /// One request.
    fn visit<R: Request<Reply: TS> + TS>(&mut self);
}

/// `{"method": …, "params": {…}}`; `params` may be left out where there are none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    method: String,
    #[serde(default)]
    params: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct Written<'a, P> {
    method: &'static str,
    params: &'a P,
}

/// Writes a request as it travels.
pub(crate) fn write<R: Request, S: Serializer>(
    request: &R,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Written {
        method: R::METHOD,
        params: request,
    }
    .serialize(serializer)
}

/// Reads a request by its method.
pub(crate) fn read<'de, D: Deserializer<'de>>(
    deserializer: D,
    by_method: impl Fn(&str, &str) -> Option<serde_json::Result<AnyRequest>>,
) -> Result<AnyRequest, D::Error> {
    let Read { method, params } = Read::deserialize(deserializer)?;
    let params = params.as_deref().map_or("{}", RawValue::get);
    match by_method(&method, params) {
        Some(Ok(request)) => Ok(request),
        Some(Err(_)) => Err(D::Error::custom(
            "what goes with the request does not fit it",
        )),
        None => Err(D::Error::custom("there is no such request")),
    }
}

pub use crate::contract::AnyRequest;

/// Makes the table of the contract into a type for each request, [`AnyRequest`] for the wire, and
/// the `route!` of the host.
macro_rules! contract {
    ($(
        $(#[doc = $doc:literal])*
        $power:ident $method:ident($name:ident {
            $( $(#[$attribute:meta])* $field:ident: $type:ty, )*
        }) -> $reply:ty;
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, ts_rs::TS)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                $( $(#[$attribute])* pub $field: $type, )*
            }

            impl crate::request::Request for $name {
                type Reply = $reply;
                const METHOD: &'static str = stringify!($method);
                const POWER: crate::request::Power = crate::request::Power::$power;
            }

            impl From<$name> for AnyRequest {
                fn from(request: $name) -> Self {
                    Self::$name(request)
                }
            }
        )*

        /// Any request of the contract, as it travels: `{"method": …, "params": {…}}`.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "each is documented as a type of its own")]
        pub enum AnyRequest {
            $( $name($name), )*
        }

        impl AnyRequest {
            /// Its name on the wire.
            pub fn method(&self) -> &'static str {
                match self {
                    $( Self::$name(_) => <$name as crate::request::Request>::METHOD, )*
                }
            }

            /// Checks that it holds no more than can be kept.
            ///
            /// # Errors
            /// `too_large`, which names the field.
            pub fn check(&self) -> Result<(), crate::HostError> {
                match self {
                    $( Self::$name($name { $( $field, )* }) => {
                        $( crate::bounds::Bounded::bound($field, stringify!($field))?; )*
                        Ok(())
                    } )*
                }
            }

            /// What it can change.
            pub fn power(&self) -> crate::request::Power {
                match self {
                    $( Self::$name(_) => <$name as crate::request::Request>::POWER, )*
                }
            }
        }

        impl serde::Serialize for AnyRequest {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $( Self::$name(request) => crate::request::write(request, serializer), )*
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for AnyRequest {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::request::read(deserializer, |method, params| {
                    $( if method == stringify!($method) {
                        return Some(serde_json::from_str::<$name>(params).map(Self::$name));
                    } )*
                    None
                })
            }
        }

        /// Shows each request with its types to a visitor, in the order of the table.
        pub fn visit_all(visitor: &mut impl crate::request::Visitor) {
            $( visitor.visit::<$name>(); )*
        }

        crate::request::router! { ($) $( $method $name )* }
    };
}

/// Makes `route!`: a request is handed to the function of its method's name in a module, and what
/// that answers with is its [`AnyReply`](crate::AnyReply).
macro_rules! router {
    (($d:tt) $( $method:ident $name:ident )*) => {
        /// Hands a request to the function of its name: `route!(module, host, request, surface)`.
        /// Every request needs such a function, and that function must answer with its reply.
        #[macro_export]
        macro_rules! route {
            ($d module:ident, $d host:expr, $d request:expr, $d surface:expr) => {
                match $d request {
                    $( $crate::AnyRequest::$name(request) => {
                        let reply: Result<<$crate::$name as $crate::Request>::Reply, $crate::HostError> =
                            $d module::$method($d host, request, $d surface).await;
                        Ok(Box::new(reply?) as Box<dyn $crate::AnyReply>)
                    } )*
                }
            };
        }
    };
}

pub(crate) use {contract, router};
