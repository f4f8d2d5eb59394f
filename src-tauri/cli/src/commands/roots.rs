//! `majordomoctl roots …`

use crate::args::Roots;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Changes or lists the folders of a server.
pub(crate) async fn run(link: &Link, command: Roots, json: bool) -> Result<Exit, HostError> {
    let view = match command {
        Roots::Add { server, path } => {
            link.ask(&json!({"method": "add_root", "params": {"server": server, "path": absolute(&path)?}})).await?
        }
        Roots::Remove { server, path } => {
            link.ask(&json!({"method": "remove_root", "params": {"server": server, "path": absolute(&path)?}})).await?
        }
        Roots::List { server } => super::servers::view(link, &server).await?,
    };
    if json {
        print::json(&view["roots"])
    } else {
        list(&view)
    }
    Ok(Exit::Done)
}

/// The path from the root of the disk: the host has another working directory.
fn absolute(path: &Path) -> Result<PathBuf, HostError> {
    std::path::absolute(path)
        .map_err(|problem| link::error(ErrorCode::BadPath, format!("{}: {problem}", path.display()), "Give the path of a folder."))
}

fn list(view: &Value) {
    let cells: Vec<Vec<String>> = view["roots"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|root| vec![print::text(root, "/path"), if root["present"] == true { "there" } else { "vanished" }.to_owned()])
        .collect();
    print::table(&["FOLDER", "STATE"], &cells);
}
