//! The thread that starts processes.
//!
//! A process that is bound to the host is bound to the thread that started it: the kernel tells it
//! of the end of that one. Threads of a runtime come and go, so one that lasts as long as the host
//! starts them all.

use std::io;
use std::process::Command;
use std::sync::{OnceLock, mpsc};
use std::thread;
use tokio::process::Child;
use tokio::runtime::Handle;

/// A command to be started for a runtime, and where the process goes.
type Order = (Command, Handle, mpsc::Sender<io::Result<Child>>);

/// Starts a process, and hands it to the runtime that this is called in. It takes as long as the
/// system takes to start one.
pub(super) fn start(command: Command) -> io::Result<Child> {
    static ORDERS: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    let orders = match ORDERS.get() {
        Some(orders) => orders,
        None => {
            let (send, orders) = mpsc::channel();
            thread::Builder::new()
                .name("process starter".to_owned())
                .spawn(move || serve(&orders))?;
            // Another one may have come first; this thread then ends, having started nothing.
            ORDERS.get_or_init(|| send)
        }
    };
    let (send, started) = mpsc::channel();
    let gone = || io::Error::other("the thread that starts processes has ended");
    orders
        .send((command, Handle::current(), send))
        .map_err(|_| gone())?;
    started.recv().unwrap_or_else(|_| Err(gone()))
}

fn serve(orders: &mpsc::Receiver<Order>) {
    for (command, runtime, reply) in orders {
        let _inside = runtime.enter();
        // Whoever ordered it waits for it.
        let _ = reply.send(tokio::process::Command::from(command).spawn());
    }
}
