//! What a running host tells, heard from another program of the same user.

use crate::line::Line;
use api::EventEnvelope;
use hyper::body::{Body as _, Bytes, Incoming};
use std::pin::Pin;

/// Longest event, in bytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// What a running host tells, one event after the other, until it ends or this is dropped.
#[derive(Debug)]
pub struct Events {
    body: Incoming,
    heard: Vec<u8>,
    /// Ends with this.
    _line: Line,
}

impl Events {
    pub(crate) fn new(body: Incoming, line: Line) -> Self {
        Self {
            body,
            heard: Vec::new(),
            _line: line,
        }
    }

    /// The next event; `None` if the host has ended, or told something of another version.
    pub async fn next(&mut self) -> Option<EventEnvelope> {
        loop {
            while let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.heard.drain(..=end).collect();
                // Each event is one line; others keep the connection alive.
                if let Some(data) = line.strip_prefix(b"data:") {
                    return serde_json::from_slice(data.trim_ascii()).ok();
                }
            }
            if self.heard.len() > LONGEST {
                return None;
            }
            let piece = self.piece().await?;
            self.heard.extend(piece);
        }
    }

    async fn piece(&mut self) -> Option<Bytes> {
        loop {
            let frame =
                std::future::poll_fn(|context| Pin::new(&mut self.body).poll_frame(context))
                    .await?
                    .ok()?;
            if let Ok(data) = frame.into_data() {
                return Some(data);
            }
        }
    }
}
