//! Node.js: packages from a lock file, and the pages of the window.

use crate::program::{must, npm, other, output};
use crate::stop::Stop;
use crate::{place, say};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The oldest Node.js that builds the pages.
const OLDEST: (u32, u32) = (20, 19);

/// Ends with a clear message where Node.js is missing or too old.
pub fn check_version() -> Result<(), Stop> {
    const GET_IT: &str = "Majordomo's window is built with Node.js 20.19 or newer (https://nodejs.org, or your package manager).";
    let Some(printed) = output(other("node", ["--version"])) else {
        return Err(Stop::Missing(format!("Node.js was not found. {GET_IT}")));
    };
    match version(&printed) {
        Some(found) if found >= OLDEST => {}
        _ => {
            return Err(Stop::Missing(format!(
                "Node.js {printed} is too old. {GET_IT}"
            )));
        }
    }
    match output(npm(&place::root(), ["--version"])) {
        Some(_) => Ok(()),
        None => Err(Stop::Missing(format!(
            "Node.js is here, but npm is not. {GET_IT}"
        ))),
    }
}

/// Major and minor of `v20.20.2`.
fn version(printed: &str) -> Option<(u32, u32)> {
    let mut parts = printed.trim().trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs the packages of the window's pages exactly as their lock file says, unless that was
/// done before.
pub fn provide_packages() -> Result<(), Stop> {
    install_locked(
        &place::ui(),
        &place::ui(),
        "Installing the packages of the pages (npm ci in ui)",
    )
}

/// Installs the npm servers that the tests talk to, unless that was done before.
pub fn provide_servers() -> Result<(), Stop> {
    let folder = place::test_servers().join("npm");
    let heading = format!("Installing the npm test servers into {}", folder.display());
    install_locked(&place::root().join("tests/servers/npm"), &folder, &heading)
}

/// Installs the official conformance suite, with the Node.js that it needs, unless that was done
/// before.
pub fn provide_conformance() -> Result<(), Stop> {
    let folder = place::test_servers().join("conformance");
    let heading = format!("Installing the conformance suite into {}", folder.display());
    install_locked(&place::conformance(), &folder, &heading)
}

/// `npm ci` of the package in `from`, in the folder `to`.
fn install_locked(from: &Path, to: &Path, heading: &str) -> Result<(), Stop> {
    let stamp = to.join("node_modules/.installed-package-lock.json");
    if same_text(&from.join("package-lock.json"), &stamp) {
        return Ok(());
    }
    say::heading(heading);
    if from != to {
        fs::create_dir_all(to)
            .map_err(|error| Stop::Failed(format!("{} cannot be made: {error}.", to.display())))?;
        for name in ["package.json", "package-lock.json"] {
            keep_stamp(&from.join(name), &to.join(name))?;
        }
    }
    must(npm(to, ["ci", "--no-audit", "--no-fund"]))?;
    keep_stamp(&from.join("package-lock.json"), &stamp)
}

/// Builds the pages, unless nothing has changed since they were built.
pub fn provide_pages() -> Result<(), Stop> {
    let (ui, stamp) = (place::ui(), place::ui().join("node_modules/.pages-built"));
    if pages_are_fresh(&ui, &stamp) {
        return Ok(());
    }
    say::heading("Building the pages (npm run build in ui)");
    must(npm(&ui, ["run", "build"]))?;
    note_pages_built()
}

/// Notes that the pages are as new as their sources.
pub fn note_pages_built() -> Result<(), Stop> {
    let stamp = place::ui().join("node_modules/.pages-built");
    fs::write(&stamp, "")
        .map_err(|error| Stop::Failed(format!("{} cannot be written: {error}.", stamp.display())))
}

/// Whether all pages are there, none is the placeholder of `src-tauri/desktop/build.rs`, and no
/// source is newer.
fn pages_are_fresh(ui: &Path, stamp: &Path) -> bool {
    let Ok(built) = fs::metadata(stamp).and_then(|about| about.modified()) else {
        return false;
    };
    let real = |page: &str| {
        fs::read_to_string(ui.join("dist").join(page))
            .is_ok_and(|text| !text.contains("content=\"placeholder\""))
    };
    real("index.html")
        && real("question.html")
        && newest_source(ui).is_some_and(|newest| newest <= built)
}

/// When the youngest source of the pages was written. Folders count, so that a removed file is
/// noticed.
fn newest_source(ui: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(ui).ok()?.flatten();
    entries
        .filter(|entry| !matches!(entry.file_name().to_str(), Some("dist" | "node_modules")))
        .map(|entry| newest(&entry.path()))
        .max()?
}

fn newest(path: &Path) -> Option<SystemTime> {
    let own = fs::metadata(path).and_then(|about| about.modified()).ok();
    let inside = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| newest(&entry.path()))
        .max()
        .flatten();
    own.max(inside)
}

/// Whether both files are there and hold the same text.
pub fn same_text(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Keeps a copy of what was installed from, to compare with next time.
pub fn keep_stamp(from: &Path, to: &Path) -> Result<(), Stop> {
    match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) => Err(Stop::Failed(format!(
            "{} cannot be copied to {}: {error}.",
            from.display(),
            to.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_node_prints_it() {
        assert_eq!(version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version("v18.4.0"), Some((18, 4)));
        assert_eq!(version("unknown"), None);
        assert!(version("v20.18.3") < Some(OLDEST) && version("v22.0.0") > Some(OLDEST));
    }

    #[test]
    fn pages_are_built_again_when_a_source_is_newer_or_only_the_placeholder_is_there() {
        let ui = std::env::temp_dir().join(format!("majordomo-xtask-pages-{}", std::process::id()));
        let stamp = ui.join("node_modules/.pages-built");
        for folder in ["src/parts", "dist", "node_modules"] {
            fs::create_dir_all(ui.join(folder)).unwrap();
        }
        let write = |name: &str, text: &str| fs::write(ui.join(name), text).unwrap();
        write("src/parts/a.ts", "1");
        write("dist/index.html", "<p>");
        write("dist/question.html", "<p>");
        assert!(!pages_are_fresh(&ui, &stamp), "never built");
        let soon = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000);
        fs::File::create(&stamp)
            .unwrap()
            .set_modified(soon)
            .unwrap();
        assert!(pages_are_fresh(&ui, &stamp), "built after every source");
        fs::File::create(ui.join("src/parts/a.ts"))
            .unwrap()
            .set_modified(soon + std::time::Duration::from_secs(1))
            .unwrap();
        assert!(!pages_are_fresh(&ui, &stamp), "a source is newer");
        fs::remove_file(ui.join("src/parts/a.ts")).unwrap();
        assert!(pages_are_fresh(&ui, &stamp), "nothing is newer");
        write(
            "dist/question.html",
            "<meta name=\"majordomo\" content=\"placeholder\">",
        );
        assert!(!pages_are_fresh(&ui, &stamp), "a placeholder");
        fs::remove_dir_all(&ui).unwrap();
    }
}
