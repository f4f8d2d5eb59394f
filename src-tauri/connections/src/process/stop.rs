//! A running child process, and the steps by which it is ended: its input is closed, it is asked,
//! it is killed.

use super::held::Held;
use protocol::Containment;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// How long each step may take.
const STEP: Duration = Duration::from_secs(2);

/// How soon a jail is told once more to kill: what the server has started may stop it meanwhile.
const AGAIN: Duration = Duration::from_millis(100);

/// What the keeper of a process is told to do next. Each step includes those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Keep,
    Terminate,
    Kill,
}

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exit {
    /// Its exit code, if it has one.
    pub(crate) status: Option<i32>,
}

/// A running child process. Dropping it kills the process and everything it started.
#[derive(Debug)]
pub(crate) struct Process {
    orders: watch::Sender<Order>,
    exit: watch::Receiver<Option<Exit>>,
    pid: Option<u32>,
    containment: Containment,
}

impl Process {
    /// Keeps a process from now on, in a task of its own.
    pub(super) fn keep(held: Held) -> Self {
        let (orders, read_orders) = watch::channel(Order::Keep);
        let (write_exit, exit) = watch::channel(None);
        let (pid, containment) = (held.pid(), held.containment());
        tokio::spawn(keep(held, read_orders, write_exit));
        Self {
            orders,
            exit,
            pid,
            containment,
        }
    }

    /// The number of the process at the top; everything of the server is it or below it. None if it
    /// had ended at once.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// What ends it, and everything it started, when the host cannot any more.
    pub(crate) fn containment(&self) -> Containment {
        self.containment
    }

    /// Waits for its end, and that of everything it started.
    pub(crate) async fn ended(&self) -> Exit {
        let mut exit = self.exit.clone();
        // Without its keeper a process does not live either.
        exit.wait_for(Option::is_some)
            .await
            .ok()
            .and_then(|exit| *exit)
            .unwrap_or(Exit { status: None })
    }

    /// Ends it in order; its input must be closed already. Takes at most three steps of two
    /// seconds.
    pub(crate) async fn stop(&self) {
        for next in [Order::Terminate, Order::Kill] {
            if timeout(STEP, self.ended()).await.is_ok() {
                return;
            }
            self.orders.send_replace(next);
        }
        self.kill().await;
    }

    /// Kills it and everything it started, and waits a moment for the end.
    pub(crate) async fn kill(&self) -> Option<i32> {
        self.orders.send_replace(Order::Kill);
        timeout(STEP, self.ended())
            .await
            .ok()
            .and_then(|exit| exit.status)
    }
}

async fn keep(
    mut held: Held,
    mut orders: watch::Receiver<Order>,
    exit: watch::Sender<Option<Exit>>,
) {
    let mut killed_at: Option<Instant> = None;
    let status = loop {
        let order = tokio::select! {
            status = held.ended() => break status,
            changed = orders.changed(), if killed_at.is_none() => match changed {
                Ok(()) => *orders.borrow_and_update(),
                // Whoever had the process has dropped it.
                Err(_) => Order::Kill,
            },
            () = sleep(AGAIN), if killed_at.is_some() => {
                // A jail that is stuck in its work.
                if killed_at.is_some_and(|at| at.elapsed() >= STEP) {
                    held.kill_hard();
                    break held.ended().await;
                }
                Order::Kill
            }
        };
        match order {
            Order::Keep => {}
            Order::Terminate => held.terminate().await,
            Order::Kill => {
                held.kill();
                killed_at.get_or_insert_with(Instant::now);
            }
        }
    };
    exit.send_replace(Some(Exit { status }));
}
