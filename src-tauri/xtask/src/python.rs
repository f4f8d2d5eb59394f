//! Python, for two of the servers that the tests talk to, and for official clients of services for
//! models. Majordomo itself does not need it.

use crate::program::{must, other, output};
use crate::stop::Stop;
use crate::{node, place, say};
use std::fs;
use std::path::{Path, PathBuf};

/// A Python of at least 3.10 that can make virtual environments, by the name of its program.
pub fn with_venv() -> Option<&'static str> {
    const PROBE: &str = "import ensurepip, sys, venv; print(sys.version_info >= (3, 10))";
    let names: &[&str] = if cfg!(windows) {
        &["python", "py"]
    } else {
        &["python3", "/usr/bin/python3", "python"]
    };
    names
        .iter()
        .copied()
        .find(|name| output(other(name, ["-c", PROBE])).as_deref() == Some("True"))
}

/// Installs the Python servers that the tests talk to, unless that was done before.
pub fn provide_servers() -> Result<(), Stop> {
    let requirements = place::root().join("tests/servers/python/requirements.txt");
    let folder = place::test_servers().join("python");
    provide(
        &requirements,
        &folder,
        "the Python test servers",
        "The tests talk to two servers that need",
    )?;
    Ok(())
}

/// Installs the official clients of services for models, unless that was done before. Returns the
/// Python that has them.
pub fn provide_judges() -> Result<PathBuf, Stop> {
    let requirements = place::judges().join("requirements.txt");
    let folder = place::target().join("judges");
    provide(
        &requirements,
        &folder,
        "the official clients of services for models",
        "The official clients of services for models need",
    )
}

/// Installs the packages of a requirements file, at its versions, unless that was done before.
/// Returns the Python that has them.
fn provide(requirements: &Path, folder: &Path, what: &str, need: &str) -> Result<PathBuf, Stop> {
    let stamp = folder.join("installed-requirements.txt");
    let inside = folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    if node::same_text(requirements, &stamp) {
        return Ok(inside);
    }
    let python = with_venv().ok_or_else(|| {
        Stop::Missing(format!(
            "{need} Python 3.10 or newer with venv, and there is none here."
        ))
    })?;
    say::heading(&format!("Installing {what} into {}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| {
            Stop::Failed(format!("{} cannot be emptied: {error}.", folder.display()))
        })?;
    }
    must(other(python, [Path::new("-m"), Path::new("venv"), folder]))?;
    let mut install = other(
        &inside,
        [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
        ],
    );
    install.arg(requirements);
    must(install)?;
    node::keep_stamp(requirements, &stamp)?;
    Ok(inside)
}
