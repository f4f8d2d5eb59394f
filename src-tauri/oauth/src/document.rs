//! The two metadata documents as they are written. Fields that are not used are not read, and so
//! cannot do anything.

use serde::Deserialize;

/// What a server says of itself (RFC 9728, section 2).
#[derive(Debug, Deserialize)]
pub(crate) struct ResourceDocument {
    pub(crate) resource: String,
    #[serde(default)]
    pub(crate) authorization_servers: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) scopes_supported: Option<Vec<String>>,
}

/// What an authorization server says of itself (RFC 8414, section 2; OpenID Connect Discovery,
/// section 3).
#[derive(Debug, Deserialize)]
pub(crate) struct ServerDocument {
    pub(crate) issuer: String,
    #[serde(default)]
    pub(crate) authorization_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) token_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) registration_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) revocation_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) scopes_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) client_id_metadata_document_supported: Option<bool>,
    #[serde(default)]
    pub(crate) authorization_response_iss_parameter_supported: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_break_the_reading_of_a_document(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = serde_json::from_slice::<ResourceDocument>(&bytes);
            let _ = serde_json::from_slice::<ServerDocument>(&bytes);
        }

        #[test]
        fn a_field_of_the_wrong_kind_makes_the_whole_document_unreadable(
            field in prop_oneof!["token_endpoint", "issuer", "scopes_supported", "client_id_metadata_document_supported"],
            value in prop_oneof![Just(serde_json::json!(7)), Just(serde_json::json!({"a": []})), Just(serde_json::json!([7]))],
        ) {
            let mut document = serde_json::json!({ "issuer": "https://a.example", "token_endpoint": "https://a.example/token" });
            document[field] = value;
            prop_assert!(serde_json::from_value::<ServerDocument>(document).is_err());
        }
    }
}
