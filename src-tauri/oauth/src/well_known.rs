//! Where metadata may lie. RFC 9728 section 3, RFC 8414 section 3.1, OpenID Connect Discovery
//! section 4.

use url::Url;

/// Where a server's metadata is looked for: under its path, then at the root of its origin.
pub(crate) fn of_resource(server: &Url) -> Vec<Url> {
    let mut places = vec![inserted(server, "oauth-protected-resource")];
    let mut root = server.clone();
    root.set_query(None);
    root.set_path("/.well-known/oauth-protected-resource");
    if !places.contains(&root) {
        places.push(root);
    }
    places
}

/// Where an authorization server's metadata is looked for, in the order of the specification.
pub(crate) fn of_issuer(issuer: &Url) -> Vec<Url> {
    let mut places = vec![
        inserted(issuer, "oauth-authorization-server"),
        inserted(issuer, "openid-configuration"),
    ];
    if issuer.path() != "/" {
        let mut appended = issuer.clone();
        appended.set_path(&format!(
            "{}/.well-known/openid-configuration",
            issuer.path().trim_end_matches('/')
        ));
        places.push(appended);
    }
    places
}

/// The well-known address between the host and the path; a slash at the end of the path is left
/// out.
fn inserted(base: &Url, name: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!(
        "/.well-known/{name}{}",
        base.path().trim_end_matches('/')
    ));
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(urls: Vec<Url>) -> Vec<String> {
        urls.into_iter().map(String::from).collect()
    }

    #[test]
    fn metadata_is_looked_for_in_the_order_of_the_specification() {
        let url = |text: &str| Url::parse(text).unwrap();
        assert_eq!(
            texts(of_resource(&url("https://a.example/mcp/"))),
            [
                "https://a.example/.well-known/oauth-protected-resource/mcp",
                "https://a.example/.well-known/oauth-protected-resource"
            ]
        );
        assert_eq!(
            texts(of_resource(&url("https://a.example"))),
            ["https://a.example/.well-known/oauth-protected-resource"]
        );
        assert_eq!(
            texts(of_issuer(&url("https://a.example/tenant1"))),
            [
                "https://a.example/.well-known/oauth-authorization-server/tenant1",
                "https://a.example/.well-known/openid-configuration/tenant1",
                "https://a.example/tenant1/.well-known/openid-configuration"
            ]
        );
        assert_eq!(
            texts(of_issuer(&url("https://a.example/"))),
            [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration"
            ]
        );
    }
}
