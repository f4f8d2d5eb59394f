//! Hears what the jail says of a start, and takes the sockets over that come with it.

use sandbox::lifeline::{Report, SOCKETS, receive};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use tokio::io::Interest;
use tokio::net::UnixStream;

/// All that the jail says before it listens.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What became of the start; none if it says nothing that can be read, or has ended.
    pub(super) report: Option<Report>,
    /// Those on which the host answers the server, as [`SOCKETS`] says.
    pub(super) sockets: Vec<OwnedFd>,
}

/// Waits until the jail has said what became of the start, or has ended. As many sockets must come
/// with a start as are `expected`.
///
/// # Errors
/// `InvalidData` if other sockets came, or not all arrived: those that did are closed then. Others
/// if the lifeline cannot be read.
pub(super) async fn listen(lifeline: &UnixStream, expected: usize) -> io::Result<Told> {
    let (mut text, mut sockets) = (Vec::new(), Vec::new());
    let report = loop {
        let receive = || receive(lifeline, &mut text, &mut sockets);
        let read = lifeline.async_io(Interest::READABLE, receive).await?;
        if sockets.len() > expected {
            return Err(other_sockets(sockets.len(), expected));
        }
        let said = text.strip_prefix(SOCKETS.as_bytes()).unwrap_or(&text);
        if read == 0 || said.ends_with(b"\n") {
            break Report::from_line(&String::from_utf8_lossy(said));
        }
    };
    if matches!(report, Some(Report::Started(_))) && sockets.len() != expected {
        return Err(other_sockets(sockets.len(), expected));
    }
    Ok(Told { report, sockets })
}

fn other_sockets(came: usize, expected: usize) -> io::Error {
    let problem = format!("its launcher handed over {came} sockets instead of {expected}");
    io::Error::new(ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    use sandbox::lifeline::{Hold, MOST_SOCKETS};
    use std::io::{IoSlice, Read as _, Write as _};
    use std::mem::MaybeUninit;
    use std::os::fd::AsFd as _;
    use std::os::unix::net::UnixStream as Pair;
    use std::time::Duration;

    /// A jail that hands over that many sockets, and says that the server runs. What is heard of it,
    /// and whether all sockets are closed once that is dropped.
    async fn heard(handed_over: usize, expected: usize) -> (Result<usize, ErrorKind>, bool) {
        let (ours, theirs) = Pair::pair().unwrap();
        let (kept, given): (Vec<Pair>, Vec<Pair>) =
            (0..handed_over).map(|_| Pair::pair().unwrap()).unzip();
        if handed_over > 0 {
            let sockets: Vec<_> = given.iter().map(|socket| socket.as_fd()).collect();
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(250))];
            let mut attached = SendAncillaryBuffer::new(&mut space);
            assert!(attached.push(SendAncillaryMessage::ScmRights(&sockets)));
            let line = [IoSlice::new(SOCKETS.as_bytes())];
            sendmsg(&theirs, &line, &mut attached, SendFlags::empty()).unwrap();
        }
        drop(given);
        let report = Report::Started(Hold::Namespace).to_line();
        (&theirs).write_all(report.as_bytes()).unwrap();
        ours.set_nonblocking(true).unwrap();
        let ours = UnixStream::from_std(ours).unwrap();
        let told = listen(&ours, expected).await;
        let heard = told
            .as_ref()
            .map(|told| told.sockets.len())
            .map_err(io::Error::kind);
        drop(told);
        let is_closed = |mut socket: Pair| {
            socket
                .set_read_timeout(Some(Duration::from_secs(5)))
                .unwrap();
            socket.read(&mut [0]).is_ok_and(|read| read == 0)
        };
        (heard, kept.into_iter().all(is_closed))
    }

    #[tokio::test]
    async fn the_sockets_of_a_start_are_as_many_as_were_expected() {
        for number in [0, 1, 3, MOST_SOCKETS] {
            assert_eq!(heard(number, number).await, (Ok(number), true));
        }
    }

    #[tokio::test]
    async fn other_sockets_are_closed_and_the_start_is_refused() {
        let refused = (Err(ErrorKind::InvalidData), true);
        for (handed_over, expected) in [(1, 0), (0, 1), (2, 3), (3, 2)] {
            let heard = heard(handed_over, expected).await;
            assert_eq!(heard, refused, "{handed_over} instead of {expected}");
        }
        // There is no room for so many.
        assert_eq!(heard(250, MOST_SOCKETS).await, refused);
    }
}
