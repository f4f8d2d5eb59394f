//! Where an interpreter looks for what a script loads.

use super::interpreter::{Loads, Told};
use super::modules::{Kind, Modules};
use super::{digest, environment, imports, node_modules};
use protocol::UnreadReason;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The largest description of a package, in bytes.
const LARGEST: u64 = 1 << 20;

const PYTHON: Kind = Kind {
    endings: &["py", "pyw", "pyc", "so", "pyd"],
    // A module is named by a word of the language; what has another name is installed there.
    enters: |name| {
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_word && name != "__pycache__" && name != "node_modules"
    },
};

/// What lies beside installed packages, and is in no list of theirs.
const LOOSE: Kind = Kind {
    endings: &["py", "pyc", "so", "pyd", "pth"],
    enters: |_| false,
};

const NODE: Kind = Kind {
    endings: &[
        "js",
        "mjs",
        "cjs",
        "jsx",
        "ts",
        "mts",
        "cts",
        "tsx",
        "node",
        "wasm",
        // What these say decides which file is loaded.
        "package.json",
        "tsconfig.json",
        "deno.json",
        "deno.jsonc",
        "bunfig.toml",
    ],
    enters: |name| name != "node_modules" && name != ".git",
};

const LIBRARIES: Kind = Kind {
    endings: &["dll", "so", "dylib", "deps.json", "runtimeconfig.json"],
    enters: |_| true,
};

/// A script, and what is known of how it is run.
pub(super) struct Script<'a> {
    /// What its interpreter was told.
    pub told: &'a Told,
    /// The script itself, links followed.
    pub file: &'a Path,
    /// The interpreter, as it is called.
    pub word: &'a str,
    /// The interpreter's file, links not followed, if it is known.
    pub interpreter: Option<&'a Path>,
    /// The working directory.
    pub cwd: &'a Path,
    /// Folders that the environment names (`PYTHONPATH`).
    pub folders: &'a [PathBuf],
    /// Whether what is installed with the script is known otherwise.
    pub installed: bool,
}

/// Adds everything that the script can load, and names what of it is not known.
pub(super) fn gather(script: &Script<'_>, modules: &mut Modules) {
    let beside = script.file.parent().unwrap_or(script.cwd);
    modules.leave_out(script.file);
    match script.told.loads {
        Loads::Python => python(script, beside, modules),
        Loads::Node | Loads::Fetches => node(script, beside, modules),
        Loads::Beside => {
            modules.folder(beside, &LIBRARIES);
        }
        Loads::Anywhere => modules.unknown(script.word, UnreadReason::NotFollowed),
    }
    for word in &script.told.preloads {
        let file = script.cwd.join(word);
        if file.is_file() {
            modules.file(&file);
        } else if !is_installed(word, script) {
            modules.unknown(word, UnreadReason::NotFollowed);
        }
    }
}

/// Whether what is loaded before the script is a package that is installed with it.
fn is_installed(word: &str, script: &Script<'_>) -> bool {
    let parts = if word.starts_with('@') { 2 } else { 1 };
    let name: PathBuf = word.split('/').take(parts).collect();
    let holds = |folder: &Path| folder.join("node_modules").join(&name).is_dir();
    script.told.loads == Loads::Node
        && word.starts_with(|c: char| c.is_alphanumeric() || c == '@')
        && script.file.ancestors().skip(1).any(holds)
}

/// The file of a module that is installed for an interpreter.
pub(super) fn installed_module(interpreter: &Path, name: &str) -> Option<PathBuf> {
    let root = environment::around(interpreter).or_else(|| prefix(interpreter))?;
    environment::site_packages(&root)
        .iter()
        .find_map(|folder| super::interpreter::python_module(folder, name))
}

/// The folder that an interpreter was installed to.
fn prefix(interpreter: &Path) -> Option<PathBuf> {
    let file = interpreter.canonicalize().ok()?;
    Some(file.parent()?.parent()?.to_owned())
}

fn python(script: &Script<'_>, beside: &Path, modules: &mut Modules) {
    modules.folder(script.told.first.as_deref().unwrap_or(beside), &PYTHON);
    for folder in script.folders {
        modules.folder(folder, &PYTHON);
    }
    let is_root = |folder: &&Path| {
        folder
            .file_name()
            .is_some_and(|name| name == "site-packages")
    };
    // An installed module is loaded with all of its package.
    if let Some(root) = beside.ancestors().find(is_root)
        && beside != root
        && let Some(package) = beside
            .ancestors()
            .find(|folder| folder.parent() == Some(root))
    {
        modules.folder(package, &PYTHON);
    }
    if !script.installed {
        python_environment(script, modules);
    }
}

fn python_environment(script: &Script<'_>, modules: &mut Modules) {
    let root = script.interpreter.and_then(environment::around);
    let Some(root) = root.filter(|_| !script.told.by_uv) else {
        return modules.unknown(script.word, UnreadReason::NotFollowed);
    };
    modules.list(&root, environment::list(&root));
    if environment::lets_in_others(&root) {
        modules.unknown(script.word, UnreadReason::NotFollowed);
    }
    for folder in environment::site_packages(&root) {
        modules.folder(&folder, &LOOSE);
        for file in environment::leading_elsewhere(&folder) {
            modules.unknown(&file.to_string_lossy(), UnreadReason::NotFollowed);
        }
    }
}

fn node(script: &Script<'_>, beside: &Path, modules: &mut Modules) {
    let package = package(script.file, beside);
    let mut root = package.as_path();
    if !modules.folder(root, &NODE) && package != beside {
        root = beside;
        modules.folder(root, &NODE);
    }
    let outside = imports::outside(root, modules.files_below(root));
    for file in &outside.files {
        modules.file(file);
    }
    if outside.incomplete {
        modules.unknown("../", UnreadReason::TooMany);
    }
    let mut installed = false;
    for folder in package.ancestors() {
        if let Some(list) = node_modules::list_digest(folder) {
            installed |= list.is_ok();
            if !script.installed {
                modules.list(&folder.join("node_modules"), list);
            }
        }
    }
    if script.told.loads == Loads::Fetches && !installed {
        modules.unknown(script.word, UnreadReason::NotFollowed);
    }
}

/// The folder of the package to which a file belongs: the nearest that describes itself, by its name
/// first, or else the file's own.
fn package(file: &Path, beside: &Path) -> PathBuf {
    if let Some((root, name)) = node_modules::around(file) {
        return root.join("node_modules").join(name);
    }
    let named = |folder: &&Path| {
        let text = digest::text(&folder.join("package.json"), LARGEST).unwrap_or_default();
        serde_json::from_str::<Value>(&text).is_ok_and(|manifest| manifest["name"].is_string())
    };
    let described = |folder: &&Path| {
        let mut files = ["package.json", "deno.json", "deno.jsonc"].iter();
        files.any(|file| folder.join(file).is_file())
    };
    let mut folders = beside.ancestors();
    folders
        .find(named)
        .or_else(|| beside.ancestors().find(described))
        .unwrap_or(beside)
        .to_owned()
}
