//! Speaks MCP on standard input and output until the input ends.

use crate::currency::Currency;
use crate::shipping::Shipping;
use rmcp::transport::stdio_pipes;
use rmcp::{ServerHandler, ServiceExt};

/// Why a built-in server could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinError {
    /// There is no server of this name.
    #[error("there is no built-in server called {name}; there are {}", crate::NAMES.join(" and "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// Whoever started it did not speak MCP with it.
    #[error("the handshake failed: {problem}")]
    NoHandshake {
        /// What was wrong.
        problem: String,
    },
}

/// Runs the built-in server `name` on this process's standard input and output. Returns when the
/// input ends.
pub async fn serve(name: &str) -> Result<(), BuiltinError> {
    match name {
        "currency" => speak(Currency).await,
        "shipping" => speak(Shipping::default()).await,
        _ => Err(BuiltinError::Unknown {
            name: name.to_owned(),
        }),
    }
}

async fn speak(server: impl ServerHandler) -> Result<(), BuiltinError> {
    let failed = |error: &dyn std::error::Error| BuiltinError::NoHandshake {
        problem: error.to_string(),
    };
    let running = server
        .serve(stdio_pipes())
        .await
        .map_err(|error| failed(&error))?;
    running.waiting().await.map_err(|error| failed(&error))?;
    Ok(())
}
