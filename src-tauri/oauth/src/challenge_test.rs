//! What is read from `WWW-Authenticate`, and that nothing written there does harm.

use super::*;
use proptest::prelude::*;

fn parse(values: &[&str]) -> Challenge {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(WWW_AUTHENTICATE, value.parse().unwrap());
    }
    Challenge::parse(StatusCode::UNAUTHORIZED, &headers).unwrap()
}

#[test]
fn a_challenge_is_read_with_its_quotes_and_escapes() {
    let challenge = parse(&[
        r#"Bearer realm="a, \"b\"", scope = "files:read files:write" ,resource_metadata=https, error=invalid_token,error_description="old \\ one""#,
    ]);
    assert_eq!(challenge.scopes, ["files:read", "files:write"]);
    assert_eq!(challenge.resource_metadata.as_deref(), Some("https"));
    assert_eq!(challenge.error.unwrap().as_str(), "invalid_token");
    assert_eq!(challenge.error_description.unwrap().as_str(), "old \\ one");
    assert!(!challenge.malformed);
}

#[test]
fn the_bearer_challenge_is_found_among_others() {
    for values in [
        &[r#"Basic realm="x", Bearer resource_metadata="https://a.example/m""#][..],
        &[r#"Negotiate a1B2==, Bearer resource_metadata="https://a.example/m", Digest realm="y""#],
        &[
            "Negotiate",
            r#"bearer RESOURCE_METADATA="https://a.example/m""#,
        ],
        &[
            r#"Bearer, Bearer error="invalid_token", Bearer resource_metadata="https://a.example/m""#,
        ],
        &[r#",, Bearer   resource_metadata="https://a.example/m",,"#],
    ] {
        let challenge = parse(values);
        assert_eq!(
            challenge.resource_metadata.as_deref(),
            Some("https://a.example/m"),
            "{values:?}"
        );
        assert!(!challenge.malformed, "{values:?}");
    }
}

#[test]
fn a_challenge_inside_a_quoted_string_is_no_challenge() {
    let challenge = parse(&[r#"Basic realm="Bearer resource_metadata=\"https://evil.example\"""#]);
    assert_eq!(challenge, Challenge::default());
}

#[test]
fn what_cannot_be_read_is_left_out_and_noted() {
    for (value, metadata) in [
        (
            r#"Bearer scope="a", resource_metadata="https://a.example"#,
            None,
        ),
        (
            r#"Bearer resource_metadata="https://a.example" scope="b""#,
            Some("https://a.example"),
        ),
        (
            r#"Bearer resource_metadata="https://a.example", resource_metadata="https://b.example""#,
            Some("https://a.example"),
        ),
        ("scope=a", None),
        ("@", None),
    ] {
        let challenge = parse(&[value]);
        assert!(challenge.malformed, "{value}");
        assert_eq!(challenge.resource_metadata.as_deref(), metadata, "{value}");
    }
    assert!(parse(&[&format!("Bearer scope=\"{}\"", "x".repeat(LONGEST))]).malformed);
}

#[test]
fn only_a_refusal_is_a_challenge() {
    let mut headers = HeaderMap::new();
    assert!(Challenge::parse(StatusCode::UNAUTHORIZED, &headers).is_some());
    assert!(Challenge::parse(StatusCode::FORBIDDEN, &headers).is_none());
    headers.append(
        WWW_AUTHENTICATE,
        r#"Bearer error="insufficient_scope", scope="b""#.parse().unwrap(),
    );
    assert!(Challenge::parse(StatusCode::OK, &headers).is_none());
    assert!(
        Challenge::parse(StatusCode::FORBIDDEN, &headers)
            .unwrap()
            .wants_more_scope()
    );
}

proptest! {
    #[test]
    fn no_header_breaks_the_reader_and_what_it_yields_is_bounded(text in r#"(Bearer|basic|[a-z=", \\]{0,6}|resource_metadata=|scope="|\PC){0,40}"#) {
        let (challenges, _) = read(&text);
        prop_assert!(challenges.len() <= MOST);
        let read: usize = challenges.iter().flat_map(|raw| &raw.parameters).map(|(name, value)| name.len() + value.len()).sum();
        prop_assert!(read <= text.len());
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let mut headers = HeaderMap::new();
        if let Ok(value) = egress::HeaderValue::from_bytes(&bytes) {
            headers.append(WWW_AUTHENTICATE, value);
        }
        let challenge = Challenge::parse(StatusCode::UNAUTHORIZED, &headers).unwrap();
        prop_assert!(challenge.error.is_none_or(|text| text.as_str().chars().count() <= ServerText::MAX));
    }

    #[test]
    fn every_value_survives_being_quoted(value in "[ -~]{0,80}") {
        let quoted = value.replace('\\', r"\\").replace('"', "\\\"");
        let (challenges, whole) = read(&format!("Basic a, Bearer x=y, resource_metadata=\"{quoted}\", z=1"));
        prop_assert!(whole);
        prop_assert_eq!(challenges[1].get("resource_metadata"), Some(value.as_str()));
        prop_assert_eq!(challenges[1].get("z"), Some("1"));
    }
}
