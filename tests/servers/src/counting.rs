//! `counts FILE`: a server that writes a line into a file for each call that reaches it, so that a
//! test can count them.

use crate::rpc::{Call, Outcome, Server, text, tool};
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

pub(crate) struct Counts {
    pub(crate) file: PathBuf,
}

impl Server for Counts {
    fn tools(&mut self, _cursor: Option<&str>) -> Value {
        let order = json!({ "order": { "type": "string" } });
        json!({ "tools": [tool("place", "Places an order", &order), tool("hang", "Places an order and never says so", &order), tool("draw", "Places an order and draws it", &order)] })
    }

    fn call(&mut self, call: Call) -> Outcome {
        let Ok(mut file) = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.file)
        else {
            return Outcome::Error("the file cannot be written");
        };
        if writeln!(file, "{} {}", call.tool, call.text("order")).is_err() {
            return Outcome::Error("the file cannot be written");
        }
        if call.tool == "hang" {
            loop {
                thread::sleep(Duration::from_secs(3600));
            }
        }
        let mut placed = text(format!("placed {}", call.text("order")));
        if call.tool == "draw"
            && let Some(content) = placed["content"].as_array_mut()
        {
            content.push(json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}));
            placed["structuredContent"] = json!({"order": call.text("order")});
        }
        Outcome::Result(placed)
    }
}
