//! A Unix socket: in the data folder or, where its path is too long for one or the file system has
//! none, in a folder of its own.
//!
//! Always true here: nobody can connect before the socket is for its owner only.

use host::Door;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use tokio::net::{UnixListener, UnixSocket, UnixStream};

/// How many may wait to be let in.
const BACKLOG: u32 = 1024;

/// Listens for programs; with how they find the way from the data folder.
pub(crate) fn listen(data_dir: &Path) -> io::Result<(UnixListener, Door)> {
    let near = Door::in_data_folder();
    if let Door::Socket(name) = &near
        && let Ok(listener) = bind(&data_dir.join(name))
    {
        return Ok((listener, near));
    }
    let path = own_folder()?.join("socket");
    let listener = bind(&path)?;
    Ok((listener, Door::Socket(path)))
}

/// Connects to a host that left this door in the note of a data folder.
pub(crate) async fn connect(data_dir: &Path, door: &Door) -> io::Result<UnixStream> {
    let Door::Socket(path) = door else {
        return Err(io::ErrorKind::Unsupported.into());
    };
    match UnixStream::connect(data_dir.join(path)).await {
        // The way to the folder that was given here is too long; its own may be shorter.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            UnixStream::connect(data_dir.canonicalize()?.join(path)).await
        }
        connected => connected,
    }
}

fn bind(path: &Path) -> io::Result<UnixListener> {
    let socket = UnixSocket::new_stream()?;
    socket.bind(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    socket.listen(BACKLOG)
}

/// A new folder that only this user can enter, under a name that nobody can guess.
fn own_folder() -> io::Result<PathBuf> {
    let name = format!("majordomo-{}", uuid::Uuid::new_v4().simple());
    let make = |within: PathBuf| {
        let folder = within.join(&name);
        DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .map(|()| folder)
    };
    std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .and_then(|folder| make(folder).ok())
        .map_or_else(|| make(std::env::temp_dir()), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[tokio::test]
    async fn the_socket_lies_in_the_data_folder_for_its_owner_only() {
        let dir = tempfile::tempdir().unwrap();
        let (_listener, door) = listen(dir.path()).unwrap();
        assert_eq!(door, Door::in_data_folder());
        assert_eq!(mode(&dir.path().join("host.socket")), 0o600);
        connect(dir.path(), &door).await.unwrap();
    }

    #[tokio::test]
    async fn where_the_path_is_too_long_the_socket_has_a_folder_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("d".repeat(120));
        fs::create_dir(&deep).unwrap();
        let (_listener, door) = listen(&deep).unwrap();
        let Door::Socket(path) = &door else {
            panic!("{door:?}")
        };
        let folder = path.parent().unwrap();
        assert!(path.is_absolute() && fs::read_dir(&deep).unwrap().next().is_none());
        assert_eq!((mode(folder), mode(path)), (0o700, 0o600));
        connect(&deep, &door).await.unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn a_long_way_to_a_folder_that_is_near_does_not_keep_a_program_out() {
        let dir = tempfile::tempdir().unwrap();
        let (_listener, door) = listen(dir.path()).unwrap();
        let detour = dir.path().join("./".repeat(120));
        connect(&detour, &door).await.unwrap();
    }
}
