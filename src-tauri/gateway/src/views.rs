//! Addresses of views (`ui://`), which servers choose without knowing of each other: at the joint
//! endpoint each says of which server it is, `ui://SERVER/…`.
//!
//! Always true here:
//! - an address means what it was made of, whatever a server has put into its own;
//! - nothing but addresses of views is changed, and none inside a server's own data.

use crate::endpoint::Endpoint;
use protocol::ServerId;
use serde_json::Value;

/// How an address of a view begins.
const SCHEME: &str = "ui://";
/// The fields of what is written for a client that hold an address.
const ADDRESSES: [&str; 4] = ["uri", "uriTemplate", "resourceUri", "ui/resourceUri"];
/// The fields in which such fields lie.
const HOLDERS: [&str; 6] = ["_meta", "ui", "content", "contents", "messages", "resource"];

/// Whether an address is that of a view.
pub(crate) fn is_view(uri: &str) -> bool {
    uri.starts_with(SCHEME)
}

/// By which address a client knows one of a server; nothing where it is the server's own.
pub(crate) fn shown(endpoint: &Endpoint, server: &ServerId, uri: &str) -> Option<String> {
    match endpoint {
        Endpoint::Of(_) => None,
        Endpoint::All => Some(format!("{SCHEME}{server}/{}", uri.strip_prefix(SCHEME)?)),
    }
}

/// Of which server an address is, and the server's own; nothing where it does not say so.
pub(crate) fn meant(endpoint: &Endpoint, uri: &str) -> Option<(ServerId, String)> {
    if endpoint.only().is_some() {
        return None;
    }
    let (server, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let server = ServerId::parse(server).ok()?;
    Some((server, format!("{SCHEME}{rest}")))
}

/// Writes the addresses of a server in something for a client as the client knows them.
pub(crate) fn show(endpoint: &Endpoint, server: &ServerId, written: &mut Value) {
    match written {
        Value::Array(parts) => {
            for part in parts {
                show(endpoint, server, part);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(uri) if ADDRESSES.contains(&name.as_str()) => {
                        if let Some(shown) = shown(endpoint, server, uri) {
                            *uri = shown;
                        }
                    }
                    value if HOLDERS.contains(&name.as_str()) => show(endpoint, server, value),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn server(name: &str) -> ServerId {
        ServerId::parse(name).unwrap()
    }

    #[test]
    fn every_address_of_a_view_says_its_server_and_nothing_else_is_changed() {
        let mut written = json!({
            "_meta": {"ui": {"resourceUri": "ui://app/main"}, "ui/resourceUri": "ui://app/main"},
            "content": [
                {"type": "resource_link", "uri": "ui://app/main", "name": "ui://app/main"},
                {"type": "resource", "resource": {"uri": "ui://app/main", "text": "ui://app/main"}},
                {"type": "resource_link", "uri": "file:///a"},
            ],
            "structuredContent": {"uri": "ui://app/main"},
        });
        let own = written.clone();
        let files = server("files");
        show(&Endpoint::Of(files.clone()), &files, &mut written);
        assert_eq!(written, own);
        show(&Endpoint::All, &files, &mut written);
        assert_eq!(
            written,
            json!({
                "_meta": {"ui": {"resourceUri": "ui://files/app/main"}, "ui/resourceUri": "ui://files/app/main"},
                "content": [
                    {"type": "resource_link", "uri": "ui://files/app/main", "name": "ui://app/main"},
                    {"type": "resource", "resource": {"uri": "ui://files/app/main", "text": "ui://app/main"}},
                    {"type": "resource_link", "uri": "file:///a"},
                ],
                "structuredContent": {"uri": "ui://app/main"},
            })
        );
    }

    #[test]
    fn an_address_that_says_no_server_means_none() {
        for uri in [
            "ui://",
            "ui://files",
            "ui:///a",
            "ui://a b/c",
            "file://files/a",
        ] {
            assert_eq!(meant(&Endpoint::All, uri), None, "{uri}");
        }
        assert_eq!(meant(&Endpoint::Of(server("files")), "ui://files/a"), None);
    }

    proptest! {
        #[test]
        fn an_address_means_what_it_was_made_of(
            one in "[A-Za-z0-9][A-Za-z0-9._-]{0,20}", rest in "([A-Za-z0-9._-]{0,8}/)?[ -~é]{0,40}",
        ) {
            let (server, uri) = (server(&one), format!("ui://{rest}"));
            let shown = shown(&Endpoint::All, &server, &uri).unwrap();
            prop_assert_eq!(meant(&Endpoint::All, &shown), Some((server, uri)));
        }
    }
}
