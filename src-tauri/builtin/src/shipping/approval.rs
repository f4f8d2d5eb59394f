//! Asks a person, through whoever runs this server. Anything but a clear yes is a no.

use super::counted;
use rmcp::RoleServer;
use rmcp::model::{ElicitRequestParams, ElicitationAction, ElicitationSchema, JsonObject};
use rmcp::service::{ElicitationMode, Peer};
use serde_json::{Value, json};

/// What came of asking.
pub(super) enum Approval {
    /// Yes.
    Given {
        /// What the person added.
        note: Option<String>,
    },
    /// No.
    Refused {
        /// In which way.
        reason: &'static str,
    },
    /// Nobody could be asked.
    Impossible {
        /// Why.
        problem: String,
    },
}

pub(super) async fn ask(peer: &Peer<RoleServer>, containers: u64, destination: &str) -> Approval {
    let impossible = |problem: String| Approval::Impossible { problem };
    if !peer
        .supported_elicitation_modes()
        .contains(&ElicitationMode::Form)
    {
        return impossible(
            "this client cannot ask one (it does not support elicitation)".to_owned(),
        );
    }
    let schema = match ElicitationSchema::from_json_schema(form()) {
        Ok(schema) => schema,
        Err(error) => return impossible(format!("the form cannot be made: {error}")),
    };
    let message = format!(
        "Place an order for {} to {destination}?",
        counted(containers)
    );
    let question = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: schema,
    };
    match peer.create_elicitation(question).await {
        Ok(answer) => match answer.action {
            ElicitationAction::Accept => read(answer.content.as_ref()),
            ElicitationAction::Decline => Approval::Refused {
                reason: "it was declined",
            },
            _ => Approval::Refused {
                reason: "nobody answered",
            },
        },
        Err(error) => impossible(format!("asking one failed: {error}")),
    }
}

fn read(content: Option<&Value>) -> Approval {
    let field = |name: &str| content.and_then(|content| content.get(name));
    if field("approve").and_then(Value::as_bool) != Some(true) {
        return Approval::Refused {
            reason: "it was not approved",
        };
    }
    let note = field("note")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|note| !note.is_empty());
    Approval::Given {
        note: note.map(str::to_owned),
    }
}

fn form() -> JsonObject {
    let form = json!({
        "type": "object",
        "properties": {
            "approve": { "type": "boolean", "title": "Place this order", "default": true },
            "note": { "type": "string", "title": "Note for the order", "maxLength": 200 },
        },
        "required": ["approve"],
    });
    match form {
        Value::Object(form) => form,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_can_be_sent() {
        assert!(ElicitationSchema::from_json_schema(form()).is_ok());
    }

    #[test]
    fn anything_but_a_clear_yes_is_a_no() {
        for content in [
            None,
            Some(json!({})),
            Some(json!({"approve": "true"})),
            Some(json!({"approve": false})),
            Some(json!([])),
        ] {
            assert!(
                matches!(read(content.as_ref()), Approval::Refused { .. }),
                "{content:?}"
            );
        }
        assert!(matches!(
            read(Some(&json!({"approve": true, "note": " "}))),
            Approval::Given { note: None }
        ));
    }
}
