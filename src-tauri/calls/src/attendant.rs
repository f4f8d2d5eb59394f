//! Attends to servers: answers what they ask, and once they run waits again for their tasks and goes
//! on with what was paused.

use crate::ask_back::AskBack;
use crate::{Calls, WeakCalls, resumed_rounds, resumed_tasks};
use connections::{Connection, ServerAsks};
use protocol::{Fingerprint, ServerId};
use servers::Attendant;
use std::sync::Arc;

/// From now on servers are attended to. Before, none can be started.
pub fn attend(calls: &Calls) {
    calls.attend(Box::new(Attending(calls.weak())));
}

/// It does not keep the calls alive: the servers keep it.
struct Attending(WeakCalls);

impl Attendant for Attending {
    fn asks(&self, server: &ServerId, generation: u64) -> Arc<dyn ServerAsks> {
        Arc::new(AskBack::new(self.0.clone(), server.clone(), generation))
    }

    fn ready(&self, server: &ServerId, launch: Fingerprint, connection: &Connection) {
        let Some(calls) = self.0.upgrade() else {
            return;
        };
        let (server, connection) = (server.clone(), connection.clone());
        tokio::spawn(async move {
            resumed_tasks::resume_all(&calls, &server, &launch, &connection).await;
            resumed_rounds::resume_all(&calls, &server).await;
        });
    }
}
