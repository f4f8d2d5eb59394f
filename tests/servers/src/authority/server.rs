//! The protected server: a challenge without a token, 403 without a scope, and otherwise a small
//! MCP server.

use super::{
    Challenge, Inside, ResourceAt, Seen, Shared, issuer, mcp,
    script::{json, text, with},
};
use axum::{
    http::header::{LOCATION, WWW_AUTHENTICATE},
    response::Response,
};
use serde_json::json;

pub(super) fn answer(shared: &Shared, inside: &mut Inside, seen: &Seen) -> Response {
    let place = match &inside.script.resource_at {
        ResourceAt::Path => Some("/.well-known/oauth-protected-resource/mcp"),
        ResourceAt::Root => Some("/.well-known/oauth-protected-resource"),
        ResourceAt::Custom(path) => Some(path.as_str()),
        ResourceAt::Nowhere => None,
    };
    if place == Some(seen.path.as_str()) {
        return metadata(shared, inside);
    }
    match seen.path.as_str() {
        "/mcp" => protected(shared, inside, seen, place),
        _ if inside.script.at_home => issuer::answer(shared, inside, seen),
        _ => json(404, &json!({})),
    }
}

fn metadata(shared: &Shared, inside: &Inside) -> Response {
    let script = &inside.script;
    if let Some(raw) = &script.resource_raw {
        return text(200, "application/json", raw.clone());
    }
    let own = if script.resource_at == ResourceAt::Root {
        shared.server.clone()
    } else {
        format!("{}/mcp", shared.server)
    };
    let mut document = json!({
        "resource": script.resource.clone().unwrap_or(own),
        "authorization_servers": script.authorization_servers.clone().unwrap_or_else(|| vec![shared.issuer(script)]),
    });
    if let Some(scopes) = &script.resource_scopes {
        document["scopes_supported"] = json!(scopes);
    }
    json(200, &document)
}

fn protected(shared: &Shared, inside: &Inside, seen: &Seen, place: Option<&str>) -> Response {
    let script = &inside.script;
    if let Some(to) = &script.moved {
        return with(json(307, &json!({})), LOCATION, to);
    }
    let granted = seen
        .bearer()
        .and_then(|token| inside.grants.access.get(token));
    let named = place
        .map(|path| format!("resource_metadata=\"{}{path}\"", shared.server))
        .unwrap_or_default();
    match (granted, &script.needed_scope) {
        (None, _) => {
            let scope = script
                .challenge_scope
                .as_ref()
                .map(|scope| format!("scope=\"{scope}\""));
            let parts: Vec<String> = match &script.challenge {
                Challenge::Raw(raw) => return with(json(401, &json!({})), WWW_AUTHENTICATE, raw),
                Challenge::Named => [Some(named), scope]
                    .into_iter()
                    .flatten()
                    .filter(|part| !part.is_empty())
                    .collect(),
                Challenge::Bare => scope.into_iter().collect(),
            };
            with(
                json(401, &json!({})),
                WWW_AUTHENTICATE,
                format!("Bearer {}", parts.join(", ")).trim_end(),
            )
        }
        (Some(granted), Some(needed)) if !granted.contains(needed) => {
            let challenge =
                format!("Bearer error=\"insufficient_scope\", scope=\"{needed}\", {named}");
            with(
                json(403, &json!({})),
                WWW_AUTHENTICATE,
                challenge.trim_end_matches(", "),
            )
        }
        (Some(_), _) => mcp::answer(seen),
    }
}
