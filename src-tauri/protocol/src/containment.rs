//! What keeps the processes of a server from outliving the host.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What ends a server and all that it started, when the host itself has ended or was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Containment {
    /// A PID namespace of its own, on Linux: the kernel does, whatever the server does.
    Namespace,
    /// A Job Object, on Windows: the system does, whatever the server does.
    JobObject,
    /// Only the process that started it, which the server can kill or stop: what it starts may
    /// outlive the host.
    Launcher,
}
