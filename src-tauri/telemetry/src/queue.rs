//! Where spans that have ended wait to be sent.
//!
//! Always true here: nobody waits at the entrance.

use crate::telemetry::Switch;
use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};
use std::sync::Arc;
use std::time::Duration;

/// Spans that may wait.
pub(crate) const LENGTH: usize = 2048;

/// Puts spans that have ended into the queue, while there is one.
#[derive(Debug)]
pub(crate) struct Entrance(pub(crate) Arc<Switch>);

impl SpanProcessor for Entrance {
    fn on_start(&self, _span: &mut Span, _context: &Context) {}

    fn on_end(&self, span: SpanData) {
        self.0.take(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _timeout: Duration) -> OTelSdkResult {
        Ok(())
    }
}
