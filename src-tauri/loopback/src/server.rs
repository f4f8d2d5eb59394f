//! The serving side: a door for programs and, where there is a user interface for one, a door for a
//! browser.

use crate::accept::accept;
use crate::door::Door;
use crate::guard::Guard;
use crate::make_way::MakeWay;
use crate::strangers::Strangers;
use crate::{carrier, clients_door, random_token};
use api::{ApproverKind, ErrorCode, HostError};
use host::{Approver, Host, Note};
use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// A host that is being served. Dropping it ends the serving and takes the note away.
pub struct Serving {
    host: Host,
    page: Option<String>,
    ending: watch::Sender<bool>,
    doors: JoinSet<()>,
    make_way: Arc<MakeWay>,
}

/// How long requests that are being answered may go on when the serving ends.
const FAREWELL: Duration = Duration::from_secs(10);

impl Serving {
    /// Where a browser opens the user interface, with the page's token behind `#`, which speaks for
    /// the person; `None` where no user interface is served.
    ///
    /// A browser keeps what stands behind `#` to itself when it fetches the page; the page sends
    /// the token with its requests, to this serving only.
    pub fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }

    /// Makes way for a window from now on: waits until one asks for it. Who serves ends then.
    pub async fn asked_to_make_way(&self) {
        self.make_way.asked().await;
    }

    /// Ends the serving in order: nobody new gets in, and requests that are being answered are
    /// answered.
    pub async fn end(mut self) {
        self.host.take_note_away();
        self.ending.send_replace(true);
        let Self { doors, ending, .. } = &mut self;
        // What takes longer is cut off when this is dropped.
        let _ = timeout(FAREWELL, async {
            while doors.join_next().await.is_some() {}
            // Clients on lines of their own have this as long as they are answered.
            ending.closed().await;
        })
        .await;
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !*self.ending.borrow() {
            self.host.take_note_away();
        }
    }
}

/// Serves a host to programs of this user, and notes in its data directory how they reach it.
///
/// `ui` is the folder of the built user interface, for a browser on this computer;
/// `approver_token_file` is written with the one token that lets programs answer.
///
/// Fails with `disk_full`, or with `internal` where a file or a socket cannot be made.
pub async fn serve(
    host: Host,
    ui: Option<&Path>,
    approver_token_file: Option<&Path>,
) -> Result<Serving, HostError> {
    begin(host, ui, approver_token_file)
        .await
        .map_err(|problem| {
            let (code, why) = if host::is_full(&problem) {
                (ErrorCode::DiskFull, "the disk is full")
            } else {
                (
                    ErrorCode::Internal,
                    "check that files can be made in the data folder, and the token file where you want it",
                )
            };
            HostError::of(
                code,
                format!("other programs cannot reach this host; {why}: {problem}"),
            )
        })
}

async fn begin(
    host: Host,
    ui: Option<&Path>,
    approver_token_file: Option<&Path>,
) -> io::Result<Serving> {
    let by_terminal = host.approver() == ApproverKind::Terminal;
    let unattended_token = by_terminal.then(random_token);
    // One token only tells who may answer, wherever it lies.
    let answering = match approver_token_file {
        _ if !by_terminal => None,
        Some(file) => {
            let token = random_token();
            host::write_private(file, &token)?;
            Some((token, Approver::Token))
        }
        None => Some((random_token(), Approver::Terminal)),
    };
    let browser = match ui {
        Some(folder) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            Some((listener.local_addr()?.port(), listener, folder))
        }
        None => None,
    };
    let (programs, door) = carrier::listen(host.data_dir())?;
    let note = Note {
        door,
        token: random_token(),
        terminal_token: answering
            .clone()
            .and_then(|(token, approver)| (approver == Approver::Terminal).then_some(token)),
        unattended_token: unattended_token.clone(),
    };
    host.leave_note(&note)
        .inspect_err(|_| host.take_note_away())?;

    let (ending, ended) = watch::channel(false);
    let mut doors = JoinSet::new();
    let unattended = unattended_token.map(|token| (token, Approver::Unattended));
    let words = answering.into_iter().chain(unattended).collect();
    let at_programs = Guard::of_programs(note.token, words);
    let make_way = Arc::<MakeWay>::default();
    let door = Door::of_programs(host.clone(), at_programs, ended.clone(), make_way.clone());
    // A crowd at one door is no concern of the other.
    let (door, strangers) = (Arc::new(door), Strangers::default());
    doors.spawn(accept(programs, door.answers(), strangers, ended.clone()));
    doors.spawn(clients_door::open_when_needed(host.clone(), ended.clone()));
    let mut page = None;
    if let Some((port, listener, folder)) = browser {
        let token = random_token();
        page = Some(format!("http://127.0.0.1:{port}/#token={token}"));
        let at_page = Guard::of_page(port, token);
        let door = Door::of_page(host.clone(), at_page, ended.clone(), folder);
        let (door, strangers) = (Arc::new(door), Strangers::default());
        doors.spawn(accept(listener, door.answers(), strangers, ended));
    }
    Ok(Serving {
        host,
        page,
        ending,
        doors,
        make_way,
    })
}
