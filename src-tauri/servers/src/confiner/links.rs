//! The links through which a path leads.

use std::collections::VecDeque;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where the links lie through which a path leads.
pub(super) fn links_of(path: &Path) -> Vec<PathBuf> {
    /// More than any system follows.
    const MOST: usize = 64;
    let parts = |path: &Path| -> Vec<PathBuf> {
        path.components()
            .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
            .map(|part| PathBuf::from(part.as_os_str()))
            .collect()
    };
    let root: PathBuf = path
        .components()
        .take_while(|part| !matches!(part, Component::Normal(_) | Component::ParentDir))
        .collect();
    let mut rest = VecDeque::from(parts(path));
    let (mut real, mut links) = (root.clone(), Vec::new());
    while let Some(part) = rest.pop_front() {
        if part == Path::new("..") {
            real.pop();
            continue;
        }
        let next = real.join(&part);
        let Ok(target) = fs::read_link(&next) else {
            real = next;
            continue;
        };
        links.push(next);
        if links.len() > MOST {
            break;
        }
        if target.is_absolute() {
            real.clone_from(&root);
        }
        for part in parts(&target).into_iter().rev() {
            rest.push_front(part);
        }
    }
    links
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn every_link_on_the_way_is_said_and_a_circle_ends() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        fs::create_dir_all(dir.join("real/in")).unwrap();
        symlink("real", dir.join("first")).unwrap();
        symlink(dir.join("first/in"), dir.join("second")).unwrap();
        assert_eq!(links_of(&dir.join("real/in")), Vec::<PathBuf>::new());
        assert_eq!(
            links_of(&dir.join("real/../second/x")),
            [dir.join("second"), dir.join("first")]
        );
        symlink("circle", dir.join("circle")).unwrap();
        assert!(links_of(&dir.join("circle")).len() > 1);
    }
}
