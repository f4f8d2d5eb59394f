//! `majordomoctl roots …`

use super::absolute;
use crate::args::Roots;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{AddRoot, HostError, RemoveRoot, RootView};

/// Changes or lists the folders of a server.
pub(crate) async fn run(
    link: &Link,
    command: Roots,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let view = match command {
        Roots::Add {
            server,
            path,
            protected,
        } => {
            let request = AddRoot {
                server,
                path: absolute(&path)?,
                accept_protected: protected,
            };
            word.ask(link, request).await?
        }
        Roots::Remove { server, path } => {
            let path = absolute(&path)?;
            link.ask(RemoveRoot { server, path }).await?
        }
        Roots::List { server } => super::servers::view(link, &server).await?,
    };
    if json {
        print::json(&view.roots)
    } else {
        list(&view.roots)
    }
    Ok(Exit::Done)
}

fn list(roots: &[RootView]) {
    let row = |root: &RootView| {
        let state = if root.present { "there" } else { "vanished" };
        vec![root.path.clone(), state.to_owned()]
    };
    print::table(
        &["FOLDER", "STATE"],
        &roots.iter().map(row).collect::<Vec<_>>(),
    );
}
