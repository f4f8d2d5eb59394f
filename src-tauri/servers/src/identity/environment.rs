//! A package with all it depends on, as a Python installer wrote it down in a virtual environment.

use super::digest;
use super::installed::Installed;
use protocol::{PackageIdentity, UnreadReason, canonical_json};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest description or list of files of one package, in bytes.
const LARGEST: u64 = 32 << 20;
/// The most packages that are looked at.
const MOST: usize = 4096;
/// What the installer writes about itself; the same package has another one from another installer.
const OF_INSTALLER: [&str; 5] = [
    "INSTALLER",
    "REQUESTED",
    "RECORD",
    "direct_url.json",
    "uv_cache.json",
];

/// What is installed, by its plain name.
struct Package {
    name: String,
    version: String,
    record: Vec<String>,
    /// What it brings to run.
    programs: Vec<String>,
}

/// The environment in which a file lies, if it lies in one.
pub(super) fn around(file: &Path) -> Option<PathBuf> {
    file.ancestors()
        .skip(1)
        .take(8)
        .find(|folder| folder.join("pyvenv.cfg").is_file())
        .map(Path::to_owned)
}

/// The package `asked` in an environment, or the one that brought the program called `script` with
/// it.
pub(super) fn of(root: &Path, asked: Option<&str>, script: Option<&str>) -> Option<Installed> {
    let packages = match packages(root) {
        Ok(packages) => packages,
        Err(reason) => {
            let name = asked.or(script)?.to_owned();
            return Some(Installed {
                package: PackageIdentity {
                    name,
                    version: None,
                    lock_sha256: None,
                    parts: 0,
                },
                unread: Some(reason),
            });
        }
    };
    let brought = || {
        packages
            .values()
            .find(|package| script.is_some_and(|script| package.brings(script)))
    };
    let package = asked
        .and_then(|name| packages.get(&plain(name)))
        .or_else(brought)?;
    let lock_sha256 = Some(digest_of(&packages));
    let parts = u32::try_from(packages.len()).unwrap_or(u32::MAX);
    let package = PackageIdentity {
        name: package.name.clone(),
        version: Some(package.version.clone()),
        lock_sha256,
        parts,
    };
    Some(Installed {
        package,
        unread: None,
    })
}

/// The digest of everything that is installed in an environment, as the installer wrote it down.
pub(super) fn list(root: &Path) -> Result<String, UnreadReason> {
    packages(root).map(|packages| digest_of(&packages))
}

fn digest_of(packages: &BTreeMap<String, Package>) -> String {
    let all = packages
        .iter()
        .map(|(name, package)| (name.clone(), json!([package.version, package.record])));
    digest::of_text(&canonical_json(&Value::Object(all.collect())))
}

/// Whether what is installed for everyone can be loaded in an environment, too.
pub(super) fn lets_in_others(root: &Path) -> bool {
    let settings = digest::text(&root.join("pyvenv.cfg"), LARGEST).unwrap_or_default();
    settings.lines().any(|line| {
        line.split_once('=').is_some_and(|(name, value)| {
            name.trim() == "include-system-site-packages"
                && value.trim().eq_ignore_ascii_case("true")
        })
    })
}

/// The files beside installed packages that name folders elsewhere, in which code is looked for,
/// too.
pub(super) fn leading_elsewhere(folder: &Path) -> Vec<PathBuf> {
    let leads = |file: &PathBuf| {
        let Ok(text) = digest::text(file, LARGEST) else {
            return true;
        };
        text.contains("__editable__")
            || text.lines().map(str::trim).any(|line| {
                let place = folder.join(line);
                !line.is_empty()
                    && !line.starts_with('#')
                    && !line.starts_with("import")
                    && (place.is_dir() && !place.starts_with(folder))
            })
    };
    let files = folder.read_dir().into_iter().flatten().flatten();
    files
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "pth"))
        .filter(leads)
        .collect()
}

/// The name by which two spellings are the same package (PEP 503).
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for part in name.split(['-', '_', '.']).filter(|part| !part.is_empty()) {
        if !plain.is_empty() {
            plain.push('-');
        }
        plain.push_str(&part.to_lowercase());
    }
    plain
}

fn packages(root: &Path) -> Result<BTreeMap<String, Package>, UnreadReason> {
    let mut found = BTreeMap::new();
    for folder in site_packages(root) {
        for entry in folder.read_dir().map_err(|_| UnreadReason::Unreadable)? {
            let path = entry.map_err(|_| UnreadReason::Unreadable)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "dist-info")
            {
                let package = package(&path)?;
                found.insert(plain(&package.name), package);
            }
            if found.len() > MOST {
                return Err(UnreadReason::TooLarge);
            }
        }
    }
    Ok(found)
}

/// `lib/python3.12/site-packages`, or on Windows `Lib/site-packages`.
pub(super) fn site_packages(root: &Path) -> Vec<PathBuf> {
    let versions = root
        .join("lib")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("site-packages"));
    let mut folders: Vec<PathBuf> = versions
        .chain([root.join("Lib").join("site-packages")])
        .filter(|folder| folder.is_dir())
        .collect();
    folders.sort();
    folders
}

fn package(folder: &Path) -> Result<Package, UnreadReason> {
    let description = digest::text(&folder.join("METADATA"), LARGEST)?;
    let field = |name: &str| {
        let head = description
            .lines()
            .take_while(|line| !line.trim().is_empty());
        let mut values = head
            .filter_map(|line| line.split_once(':'))
            .filter(|(key, _)| key.eq_ignore_ascii_case(name));
        values
            .next()
            .map(|(_, value)| value.trim().to_owned())
            .ok_or(UnreadReason::Malformed)
    };
    // Files without a digest are those that Python writes itself.
    let record = digest::text(&folder.join("RECORD"), LARGEST)?;
    // The programs that the installer makes hold its own version and the path of the environment;
    // what they call is listed.
    let programs = programs(folder);
    let made =
        |line: &str| line.starts_with("..") && programs.iter().any(|program| stem(line) == program);
    let counts = |line: &&str| {
        line.contains(",sha256=")
            && !made(line)
            && !OF_INSTALLER
                .iter()
                .any(|file| line.contains(&format!(".dist-info/{file},")))
    };
    let brought = record
        .lines()
        .filter(|line| line.starts_with(".."))
        .map(|line| stem(line).to_owned())
        .collect();
    let mut record: Vec<String> = record
        .lines()
        .map(str::trim)
        .filter(counts)
        .map(str::to_owned)
        .collect();
    record.sort();
    Ok(Package {
        name: field("Name")?,
        version: field("Version")?,
        record,
        programs: brought,
    })
}

/// The names of the programs that the installer makes for a package.
fn programs(folder: &Path) -> Vec<String> {
    let points = digest::text(&folder.join("entry_points.txt"), LARGEST).unwrap_or_default();
    points
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().to_owned())
        .collect()
}

/// The name of the file in a line of the list, without the ending of a program.
fn stem(line: &str) -> &str {
    let file = line.split(',').next().unwrap_or_default();
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}

impl Package {
    fn brings(&self, script: &str) -> bool {
        self.programs.iter().any(|program| program == script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, remove_file, write};

    const RECORD: &str = "../../../bin/tool,sha256=S,1\na/x.py,sha256=X,2\na/y.py,sha256=Y,2\na-1.dist-info/INSTALLER,sha256=I,2\na/__pycache__/x.pyc,,\n";

    fn environment(record: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let packages = folder.path().join("lib/python3.12/site-packages");
        for (name, version, record) in [("my.A", "1", record), ("b", "2", "b.py,sha256=B,1\n")] {
            let info = packages.join(format!("{name}-{version}.dist-info"));
            create_dir_all(&info).unwrap();
            write(
                info.join("METADATA"),
                format!(
                    "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not this\n"
                ),
            )
            .unwrap();
            write(info.join("RECORD"), record).unwrap();
            write(
                info.join("entry_points.txt"),
                "[console_scripts]\ntool = a:main\n",
            )
            .unwrap();
        }
        write(folder.path().join("pyvenv.cfg"), "").unwrap();
        folder
    }

    fn digest_of(record: &str) -> String {
        of(environment(record).path(), Some("my_a"), None)
            .unwrap()
            .package
            .lock_sha256
            .unwrap()
    }

    #[test]
    fn a_package_is_found_by_any_spelling_and_by_the_program_it_brings() {
        let folder = environment(RECORD);
        for (asked, script) in [
            (Some("My-a"), None),
            (None, Some("tool")),
            (Some("other"), Some("tool")),
        ] {
            let package = of(folder.path(), asked, script).unwrap().package;
            assert_eq!(
                (
                    package.name.as_str(),
                    package.version.as_deref(),
                    package.parts
                ),
                ("my.A", Some("1"), 2)
            );
        }
        assert!(of(folder.path(), None, Some("x")).is_none());
        assert_eq!(
            around(&folder.path().join("bin/tool")),
            Some(folder.path().to_owned())
        );
        assert_eq!(
            around(&folder.path().join("pyvenv.cfg")),
            Some(folder.path().to_owned())
        );
    }

    #[test]
    fn the_same_files_in_another_order_are_the_same_and_what_the_installer_says_does_not_count() {
        let other = "a/y.py,sha256=Y,2\r\na/x.py,sha256=X,2\r\n../../Scripts/tool.exe,sha256=T,9\r\na-1.dist-info/REQUESTED,sha256=R,0\r\n";
        assert_eq!(digest_of(RECORD), digest_of(other));
        assert_ne!(
            digest_of(RECORD),
            digest_of(&RECORD.replace("sha256=Y", "sha256=Z"))
        );
        assert_ne!(
            digest_of(RECORD),
            digest_of(&RECORD.replace("a/y.py", "a/z.py"))
        );
        // One that the package itself brings counts.
        assert_ne!(
            digest_of(&format!("{RECORD}../../../bin/more,sha256=M,1\n")),
            digest_of(RECORD)
        );
    }

    #[test]
    fn a_list_of_files_that_is_gone_is_told_as_such() {
        let folder = environment(RECORD);
        remove_file(
            folder
                .path()
                .join("lib/python3.12/site-packages/b-2.dist-info/RECORD"),
        )
        .unwrap();
        let found = of(folder.path(), Some("my-a"), None).unwrap();
        assert_eq!(
            (found.unread, found.package.lock_sha256),
            (Some(UnreadReason::Unreadable), None)
        );
    }
}
