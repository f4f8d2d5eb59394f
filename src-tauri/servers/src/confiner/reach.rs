//! Which files and folders a server may touch: what comes with its command, its folders, and what
//! the person added.
//!
//! Always true here:
//! - what a person gave is given only while it lies where they gave it: no link leads elsewhere;
//! - no link counts that lies where the server itself may put one;
//! - a program and its code are given to be read. A folder that the person gave may be changed, even
//!   if code lies in it;
//! - what was not named in full is never a folder that holds other things of the person;
//! - nothing protected is given because it happens to stand in a command.

use super::links::links_of;
use super::protected::Protected;
use api::{PathReason, ReachablePath};
use protocol::{ConfinementSettings, Identity, SettingValue, StdioLaunch};
use std::fs;
use std::path::{Path, PathBuf};

/// What is there for every server anyway.
pub(crate) const OF_THE_SYSTEM: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/dev",
];
/// Folders that hold programs of a runtime, beside what those need.
const PROGRAMS: [&str; 3] = ["bin", "shims", "Scripts"];
/// What lies beside them in the folder of a runtime.
const OF_A_RUNTIME: [&str; 5] = ["lib", "lib64", "libexec", "Lib", "pyvenv.cfg"];
/// Folders below a home that hold what a person has of a kind.
const COLLECTIONS: [&str; 8] = [
    "Desktop",
    "Documents",
    "Downloads",
    "Music",
    "Pictures",
    "Public",
    "Templates",
    "Videos",
];
/// What lies at the root of a package or project.
const ROOTS_OF_CODE: [&str; 9] = [
    "package.json",
    "pyproject.toml",
    "pyvenv.cfg",
    "setup.py",
    "requirements.txt",
    "deno.json",
    "Gemfile",
    "composer.json",
    ".git",
];
/// Endings of files of code, which a server has no reason to change.
const CODE: [&str; 12] = [
    "js", "mjs", "cjs", "ts", "mts", "py", "rb", "php", "sh", "jar", "dll", "so",
];
/// Endings of files that are changed together with others beside them.
const DATABASES: [&str; 4] = ["db", "sqlite", "sqlite3", "duckdb"];
/// How far up the root of a package is looked for.
const DEEPEST: usize = 8;

/// What a server could touch, if it were started now.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// What it is given, each once, where it really lies.
    pub paths: Vec<ReachablePath>,
    /// Other ways to what it is given, which lead through links.
    pub ways: Vec<PathBuf>,
    /// The program's file, with what it needs in order to run.
    pub program: Vec<PathBuf>,
    /// What its command or the person names, and what it is not given.
    pub withheld: Vec<String>,
}

/// What is known of a server when its reach is found out.
pub(crate) struct Known<'a> {
    pub command: &'a Path,
    pub args: &'a [String],
    pub run: &'a StdioLaunch,
    pub identity: &'a Identity,
    pub roots: &'a [String],
    pub settings: &'a ConfinementSettings,
    pub protected: &'a Protected,
    /// The person's own home.
    pub home: &'a Path,
    /// The server's own home.
    pub own_home: Option<&'a Path>,
}

/// Something that is to be given.
struct Given {
    /// The path by which it was found.
    way: PathBuf,
    /// Where it really lies.
    real: PathBuf,
    change: bool,
    because: PathReason,
}

impl Reach {
    /// Looks at the disk, and is not for a thread that others wait for.
    pub(crate) fn of(known: &Known<'_>) -> Self {
        let mut all = Gathered::default();
        for root in known.roots {
            all.chosen(Path::new(root), true, PathReason::Root);
        }
        for given in &known.settings.paths {
            all.chosen(Path::new(&given.path), given.change, PathReason::Chosen);
        }
        if let Some(folder) = &known.run.cwd {
            all.implied(known, Path::new(folder), true, PathReason::WorkingFolder);
        }
        for named in known.named() {
            match named {
                Named::Code(file) => all.code(known, &file),
                Named::Data(path) => all.implied(known, &path, true, PathReason::Argument),
                Named::Other(path) => all.withhold(&path),
            }
        }
        if let Some(script) = &known.identity.script {
            all.code(known, Path::new(&script.path));
        }
        all.program(known);
        all.done(known)
    }
}

/// What is to be given so far, and what is not.
#[derive(Default)]
struct Gathered {
    given: Vec<Given>,
    withheld: Vec<String>,
}

impl Gathered {
    fn withhold(&mut self, path: &Path) {
        let path = path.to_string_lossy().into_owned();
        if !self.withheld.contains(&path) {
            self.withheld.push(path);
        }
    }

    fn give(&mut self, way: &Path, real: PathBuf, change: bool, because: PathReason) {
        self.given.push(Given {
            way: way.to_owned(),
            real,
            change,
            because,
        });
    }

    /// What a person gave was noted as it really lies.
    fn chosen(&mut self, path: &Path, change: bool, because: PathReason) {
        match path.canonicalize() {
            Ok(real) if real == path => self.give(path, real, change, because),
            Ok(_) => self.withhold(path),
            // What is not there cannot be given.
            Err(_) => {}
        }
    }

    /// What stands in the command.
    fn implied(&mut self, known: &Known<'_>, path: &Path, change: bool, because: PathReason) {
        let Ok(real) = path.canonicalize() else {
            return;
        };
        if is_of_the_system(&real) {
            return;
        }
        if known.is_wide(&real) || known.protected.at(&real).is_some() {
            self.withhold(path);
        } else {
            self.give(path, real, change, because);
        }
    }

    /// A file that is run, with the folder around it where that holds nothing else.
    fn file_and_folder(
        &mut self,
        known: &Known<'_>,
        file: &Path,
        folder: Option<PathBuf>,
        because: PathReason,
    ) {
        let real = real(file);
        if known.protected.is_own(&real) {
            self.withhold(file);
            return;
        }
        if !is_of_the_system(&real) || real != file {
            self.give(file, real, false, because);
        }
        let free = |folder: &PathBuf| {
            !is_of_the_system(folder)
                && !known.is_wide(folder)
                && known.protected.at(folder).is_none()
        };
        if let Some(folder) = folder.map(|folder| self::real(&folder)).filter(free) {
            self.give(file, folder, false, because);
        }
    }

    fn code(&mut self, known: &Known<'_>, file: &Path) {
        let around = known.around_code(file);
        self.file_and_folder(known, file, around, PathReason::Code);
        // Packages that it loads may lie further up.
        for folder in known.folders_up(file) {
            let modules = folder.join("node_modules");
            if modules.is_dir() {
                self.implied(known, &modules, false, PathReason::Code);
            }
        }
    }

    /// The program, with what it needs in order to run.
    fn program(&mut self, known: &Known<'_>) {
        let program = known.command;
        let behind = real(program);
        let runtime = known.around_program(&behind);
        self.file_and_folder(known, program, runtime, PathReason::Program);
        // An environment has links to an interpreter that lies elsewhere.
        let mut folders = [program, &behind]
            .into_iter()
            .flat_map(|file| file.ancestors().skip(1).take(3));
        let environment =
            folders.find(|folder| folder.join("pyvenv.cfg").is_file() && !known.is_wide(folder));
        if let Some(environment) = environment {
            self.implied(known, environment, false, PathReason::Program);
            // The interpreter of an environment lies elsewhere.
            let interpreter = environment.join("bin").join("python");
            let runtime = known.around_program(&real(&interpreter));
            self.file_and_folder(known, &interpreter, runtime, PathReason::Program);
        }
        if behind
            .file_name()
            .is_some_and(|name| name == "uv" || name == "uvx")
        {
            // Where uv keeps the interpreters that it has downloaded.
            let interpreters = known.home.join(".local/share/uv/python");
            self.implied(known, &interpreters, false, PathReason::Program);
        }
        if let Some(interpreter) = interpreter_of(&behind) {
            let runtime = known.around_program(&real(&interpreter));
            self.file_and_folder(known, &interpreter, runtime, PathReason::Program);
        }
    }

    /// Leaves out what a link leads to that the server itself could have put there, at an earlier
    /// start.
    fn done(mut self, known: &Known<'_>) -> Reach {
        let own_home = known.own_home.map(real);
        let changed: Vec<PathBuf> = self
            .given
            .iter()
            .filter(|given| given.change)
            .map(|given| given.real.clone())
            .chain(own_home)
            .collect();
        let mut reach = Reach::default();
        for given in std::mem::take(&mut self.given) {
            let is_led = links_of(&given.way)
                .iter()
                .any(|link| changed.iter().any(|folder| link.starts_with(folder)));
            if is_led {
                self.withhold(&given.way);
                continue;
            }
            if given.because == PathReason::Program {
                reach
                    .program
                    .extend([given.way.clone(), given.real.clone()]);
            }
            if given.way != given.real && !reach.ways.contains(&given.way) {
                reach.ways.push(given.way);
            }
            reach.put(&given.real, given.change, given.because);
        }
        // What a person has given by itself is not withheld because the command names it, too.
        let is_given = |path: &String| {
            let path = real(Path::new(path));
            reach
                .paths
                .iter()
                .any(|given| Path::new(&given.path) == path)
        };
        self.withheld.retain(|path| !is_given(path));
        reach.withheld = self.withheld;
        reach
    }
}

impl Reach {
    fn put(&mut self, real: &Path, change: bool, because: PathReason) {
        let path = real.to_string_lossy().into_owned();
        let one = ReachablePath {
            path,
            change,
            because,
        };
        match self.paths.iter_mut().find(|given| given.path == one.path) {
            Some(given) if given.change || !change => {}
            Some(given) => *given = one,
            None => self.paths.push(one),
        }
    }
}

/// What a command line or a variable names.
enum Named {
    Code(PathBuf),
    Data(PathBuf),
    /// Neither a file nor a folder, such as the socket of another program.
    Other(PathBuf),
}

impl Known<'_> {
    /// Whether a folder, as it really lies, holds other things of the person, or of everybody.
    fn is_wide(&self, path: &Path) -> bool {
        let below_home = [
            ".local",
            ".local/share",
            ".local/bin",
            ".config",
            ".cache",
            "Library",
        ];
        let for_everybody = [
            "/tmp", "/var", "/var/tmp", "/opt", "/etc", "/run", "/mnt", "/media", "/data", "/srv",
        ];
        let home = real(self.home);
        home.starts_with(path)
            || below_home
                .iter()
                .chain(&COLLECTIONS)
                .any(|name| real(&home.join(name)) == path)
            || for_everybody.iter().any(|place| Path::new(place) == path)
            || path.parent().is_none()
    }

    /// The folder of a program's runtime, or the one in which the program lies.
    fn around_program(&self, program: &Path) -> Option<PathBuf> {
        let folder = program.parent()?;
        let runtime = folder
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| PROGRAMS.contains(name))
            .and_then(|_| folder.parent())
            .filter(|runtime| {
                folder.ends_with("shims")
                    || OF_A_RUNTIME.iter().any(|name| runtime.join(name).exists())
            });
        Some(runtime.unwrap_or(folder).to_owned())
    }

    /// The folders around a file, up to those that hold other things.
    fn folders_up<'a>(&'a self, file: &'a Path) -> impl Iterator<Item = &'a Path> {
        file.ancestors()
            .skip(1)
            .take(DEEPEST)
            .take_while(|folder| !self.is_wide(&real(folder)))
    }

    /// The package or project around a file of code.
    fn around_code(&self, file: &Path) -> Option<PathBuf> {
        let is_modules = |folder: &&Path| {
            folder
                .file_name()
                .is_some_and(|name| name == "node_modules")
        };
        if let Some(modules) = file.ancestors().filter(is_modules).last() {
            return Some(modules.to_owned());
        }
        let is_root = |folder: &&Path| ROOTS_OF_CODE.iter().any(|name| folder.join(name).exists());
        let mut folders = self.folders_up(file);
        let nearest = folders.next()?;
        let root = is_root(&nearest)
            .then_some(nearest)
            .or_else(|| folders.find(is_root));
        Some(root.unwrap_or(nearest).to_owned())
    }

    /// What stands in the command and in plain variables as an absolute path, and is there.
    fn named(&self) -> Vec<Named> {
        let values = self
            .run
            .env
            .iter()
            .filter_map(|setting| match &setting.value {
                SettingValue::Plain { text } => Some(text.as_str()),
                SettingValue::Secret { .. } => None,
            });
        let words = self.args.iter().map(String::as_str);
        words
            .map(|word| match word.split_once('=') {
                Some((option, value)) if option.starts_with('-') => value,
                _ => word,
            })
            .chain(values)
            .map(Path::new)
            .filter(|path| path.is_absolute() && path.parent().is_some())
            .filter_map(|path| self.named_path(path))
            .collect()
    }

    fn named_path(&self, path: &Path) -> Option<Named> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default();
        let Ok(found) = fs::metadata(path) else {
            // It will be made there.
            let folder = path.parent().filter(|folder| folder.is_dir())?;
            return Some(Named::Data(folder.to_owned()));
        };
        if found.is_dir() {
            return Some(Named::Data(path.to_owned()));
        }
        if !found.is_file() {
            return Some(Named::Other(path.to_owned()));
        }
        if CODE.contains(&ending) || is_program(&found) {
            return Some(Named::Code(path.to_owned()));
        }
        if DATABASES.contains(&ending) {
            // Others are made beside it.
            return path.parent().map(|folder| Named::Data(folder.to_owned()));
        }
        Some(Named::Data(path.to_owned()))
    }
}

fn is_of_the_system(path: &Path) -> bool {
    OF_THE_SYSTEM.iter().any(|place| path.starts_with(place))
}

#[cfg(unix)]
fn is_program(file: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_program(_file: &fs::Metadata) -> bool {
    false
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The interpreter that the first line of a script names.
fn interpreter_of(script: &Path) -> Option<PathBuf> {
    use std::io::{BufRead, BufReader, Read};
    let file = std::fs::File::open(script)
        .ok()
        .filter(|_| script.is_file())?;
    let mut line = Vec::new();
    BufReader::new(file.take(256))
        .read_until(b'\n', &mut line)
        .ok()?;
    let line = String::from_utf8(line).ok()?;
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let first = words.next()?;
    if Path::new(first)
        .file_name()
        .is_some_and(|name| name == "env")
    {
        let name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        return connections::resolve(name, connections::login_path().as_deref()).ok();
    }
    Some(PathBuf::from(first))
}
