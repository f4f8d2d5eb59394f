//! The authorization server, and under `/idp` an enterprise's identity provider.

use super::{
    Back, Inside, MetadataAt, Registration, Seen, Shared, Token,
    grants::{Pending, random, scopes},
    script::{json, text, with},
};
use axum::{http::header::LOCATION, response::Response};
use serde_json::{Value, json};
use url::Url;

pub(super) fn answer(shared: &Shared, inside: &mut Inside, seen: &Seen) -> Response {
    let path = inside.script.issuer_path.clone();
    if seen.path.contains("/.well-known/") {
        return metadata(shared, inside, seen);
    }
    match seen.path.strip_prefix(&path) {
        Some("/authorize") => authorize(shared, inside, seen),
        Some("/register") => register(inside, seen),
        Some("/token") => token(inside, seen),
        Some("/revoke") => json(200, &json!({})),
        Some("/idp/token") => exchange(inside, seen),
        _ => json(404, &json!({})),
    }
}

fn metadata(shared: &Shared, inside: &Inside, seen: &Seen) -> Response {
    let script = &inside.script;
    let path = &script.issuer_path;
    let place = match script.metadata_at {
        MetadataAt::OAuth => format!("/.well-known/oauth-authorization-server{path}"),
        MetadataAt::OpenIdInserted => format!("/.well-known/openid-configuration{path}"),
        MetadataAt::OpenIdAppended => format!("{path}/.well-known/openid-configuration"),
        MetadataAt::Nowhere => return json(404, &json!({})),
    };
    if let Some(status) = script.metadata_status {
        return json(status, &json!({}));
    }
    if seen.path != place {
        return json(404, &json!({}));
    }
    let issuer = shared.issuer(script);
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "revocation_endpoint": format!("{issuer}/revoke"),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
        "authorization_response_iss_parameter_supported": true,
    });
    for (field, value) in &script.metadata {
        document[field] = value.clone();
    }
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    json(200, &document)
}

fn authorize(shared: &Shared, inside: &mut Inside, seen: &Seen) -> Response {
    let asked = |name: &str| seen.query.get(name).cloned().unwrap_or_default();
    let Ok(mut back) = Url::parse(&asked("redirect_uri")) else {
        return json(400, &json!({}));
    };
    let issuer = shared.issuer(&inside.script);
    let code = random("code");
    {
        let mut query = back.query_pairs_mut();
        query.append_pair("state", &asked("state"));
        match &inside.script.back {
            Back::Right => query.append_pair("code", &code).append_pair("iss", &issuer),
            Back::NoIssuer => query.append_pair("code", &code),
            Back::Issuer(other) => query.append_pair("code", &code).append_pair("iss", other),
            Back::Error(error, words) => query
                .append_pair("error", error)
                .append_pair("error_description", words)
                .append_pair("iss", &issuer),
            Back::ErrorOf(error, words, other) => query
                .append_pair("error", error)
                .append_pair("error_description", words)
                .append_pair("iss", other),
        };
    }
    let pending = Pending {
        challenge: asked("code_challenge"),
        redirect: asked("redirect_uri"),
        resource: asked("resource"),
        scopes: scopes(seen.query.get("scope")),
    };
    inside.grants.codes.insert(code, pending);
    with(
        text(302, "text/plain", String::new()),
        LOCATION,
        back.as_str(),
    )
}

fn register(inside: &mut Inside, seen: &Seen) -> Response {
    let asked: Value = serde_json::from_str(&seen.body).unwrap_or_default();
    match &inside.script.registration {
        Registration::Refused(error, words) => {
            json(400, &json!({ "error": error, "error_description": words }))
        }
        Registration::Answer(answer) => json(201, answer),
        Registration::Redirect(to) => with(json(307, &json!({})), LOCATION, to),
        Registration::Granted => {
            let id = random("client");
            let mut answer = asked.clone();
            answer["client_id"] = json!(id);
            if asked["token_endpoint_auth_method"] != "none" {
                let secret = random("secret");
                answer["client_secret"] = json!(secret);
                inside.grants.secrets.insert(id, secret);
            }
            json(201, &answer)
        }
    }
}

fn token(inside: &mut Inside, seen: &Seen) -> Response {
    let refuse = |error: &str| {
        json(
            400,
            &json!({ "error": error, "error_description": "as the script says" }),
        )
    };
    match &inside.script.token {
        Token::Granted => {}
        Token::Refused(status, error, words) => {
            return json(
                *status,
                &json!({ "error": error, "error_description": words }),
            );
        }
        Token::Redirect(to) => return with(json(307, &json!({})), LOCATION, to),
        Token::Raw(raw) => return text(200, "application/json", raw.clone()),
    }
    if !proven(inside, seen) {
        return json(401, &json!({ "error": "invalid_client" }));
    }
    let form = &seen.form;
    let given = |name: &str| form.get(name).cloned().unwrap_or_default();
    let granted = match given("grant_type").as_str() {
        "authorization_code" => inside
            .grants
            .codes
            .remove(&given("code"))
            .filter(|pending| pending.fits(form))
            .map(|pending| pending.scopes),
        "refresh_token" if inside.script.rotates => {
            inside.grants.refresh.remove(&given("refresh_token"))
        }
        "refresh_token" => inside.grants.refresh.get(&given("refresh_token")).cloned(),
        "client_credentials" => Some(scopes(form.get("scope"))),
        "urn:ietf:params:oauth:grant-type:jwt-bearer"
            if given("assertion").starts_with("grant") =>
        {
            Some(scopes(form.get("scope")))
        }
        _ => None,
    };
    match granted {
        Some(granted) => give(inside, granted, given("grant_type") == "refresh_token"),
        None => refuse("invalid_grant"),
    }
}

/// Whether a client that has a secret showed it.
fn proven(inside: &Inside, seen: &Seen) -> bool {
    let basic = seen.basic();
    let id = basic
        .as_ref()
        .map(|(id, _)| id)
        .or(seen.form.get("client_id"));
    let shown = basic
        .as_ref()
        .map(|(_, secret)| secret)
        .or(seen.form.get("client_secret"));
    match id.and_then(|id| inside.grants.secrets.get(id)) {
        Some(secret) => shown == Some(secret),
        None => true,
    }
}

fn give(inside: &mut Inside, granted: Vec<String>, again: bool) -> Response {
    let access = random("access");
    let mut answer = json!({ "access_token": access, "token_type": inside.script.token_type, "expires_in": inside.script.expires_in });
    if !granted.is_empty() {
        answer["scope"] = json!(granted.join(" "));
    }
    if inside.script.refresh && (inside.script.rotates || !again) {
        let refresh = random("refresh");
        answer["refresh_token"] = json!(refresh);
        inside.grants.refresh.insert(refresh, granted.clone());
    }
    inside.grants.access.insert(access, granted);
    json(200, &answer)
}

fn exchange(inside: &Inside, seen: &Seen) -> Response {
    let has = |name: &str| seen.form.contains_key(name);
    let right = seen
        .form
        .get("grant_type")
        .is_some_and(|kind| kind == "urn:ietf:params:oauth:grant-type:token-exchange")
        && [
            "subject_token",
            "subject_token_type",
            "requested_token_type",
            "audience",
            "resource",
        ]
        .into_iter()
        .all(has);
    if !right {
        return json(400, &json!({ "error": "invalid_request" }));
    }
    let kind = &inside.script.issued_token_type;
    json(
        200,
        &json!({ "access_token": random("grant"), "issued_token_type": kind, "token_type": "N_A", "expires_in": 300 }),
    )
}
