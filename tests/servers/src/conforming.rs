//! `conforming handshake|modern`: a server that does nothing wrong. It offers what the scenarios of
//! the official conformance suite ask for, by the names that they ask for, in one of the two eras.

mod handshake;
mod inputs;
mod offers;
mod stateless;
mod tools;

pub(crate) use handshake::Handshake;
pub(crate) use stateless::Stateless;

use crate::rpc::{Call, notify};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// How long a tool takes for one of its steps.
const STEP: Duration = Duration::from_millis(50);

/// A picture of one dot, and a sound without a sample. Base64.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// The address of its view, which another server may have, too.
const VIEW: &str = "ui://view/main";

/// A picture as a part of a result.
fn picture() -> Value {
    json!({ "type": "image", "data": PICTURE, "mimeType": "image/png" })
}

/// Tells three steps, if the request wants to hear of them.
fn progress(call: &Call) {
    for step in [0, 50, 100] {
        if let Some(token) = &call.progress {
            notify(
                "notifications/progress",
                &json!({ "progressToken": token, "progress": step, "total": 100 }),
            );
        }
        thread::sleep(STEP);
    }
}

/// Writes three lines.
fn log() {
    for line in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        notify(
            "notifications/message",
            &json!({ "level": "info", "logger": "conforming", "data": line }),
        );
        thread::sleep(STEP);
    }
}
