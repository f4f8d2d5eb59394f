//! Files that a call or another request names outside the folders that its server was given. They
//! are refused before the server hears of them, whether it is confined or not.
//!
//! Always true here:
//! - only a text that may be a path as a whole counts; one that mentions a file does not;
//! - what can be nothing on this computer does not count;
//! - what cannot be found out counts as outside, and so does what is too much to be looked at;
//! - only disks of this computer are looked at.

mod gap;
mod readings;

use crate::places;
use policy::Refusal;
use protocol::Launch;
use readings::{Beginnings, Counts, Reading, readings};
use serde_json::{Map, Value};
use servers::Servers;
use servers::granted;
use servers::registry::{Granted, ServerNow};
use std::collections::BTreeSet;
use std::path::Path;

/// So many texts of one request that may be paths are looked at, and so many that may only be names
/// of links.
const MOST: (usize, usize) = (4096, 64 * 1024);
/// So many steps of paths of one request are looked at.
const MOST_STEPS: usize = 64 * 1024;
/// The longest name of a file that any system takes, in bytes.
const LONGEST_NAME: usize = 255;

/// Why something is not sent to a server, if what the caller chose in it names such a file. What is
/// being typed may be the beginning of a path.
pub(super) async fn outside(
    servers: &Servers,
    server: &ServerNow,
    chosen: &Map<String, Value>,
    is_typed: bool,
) -> Option<Refusal> {
    // It is its server's own business where a file of another computer lies.
    if !matches!(server.row.launch, Launch::Stdio(_)) {
        return None;
    }
    let mut texts = Texts::default();
    chosen.values().for_each(|value| texts.gather(value));
    if server.place.roots.is_empty() {
        // Where there is no folder there is no link in one.
        texts.names.clear();
    }
    if texts.paths.is_empty() && texts.names.is_empty() {
        return None;
    }
    let granted = granted::of(servers, server).await?;
    if is_typed {
        texts.paths.retain(|text| !granted.begins_with(text));
    }
    let first = texts.paths.iter().chain(&texts.names).next().cloned();
    // A disk that is slow holds up nobody else.
    let look = move || texts.outside(&granted);
    let path = tokio::task::spawn_blocking(look).await.unwrap_or(first)?;
    Some(Refusal::OutsideFolders { path })
}

/// Texts of a request, without the space and the quotes around them.
#[derive(Debug, Default)]
struct Texts {
    /// Those that may be paths.
    paths: BTreeSet<String>,
    /// Those that may be names: of them only links lead elsewhere.
    names: BTreeSet<String>,
}

impl Texts {
    fn gather(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.note(text),
            Value::Array(items) => items.iter().for_each(|item| self.gather(item)),
            Value::Object(fields) => {
                fields.keys().for_each(|name| self.note(name));
                fields.values().for_each(|field| self.gather(field));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn note(&mut self, text: &str) {
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        // One more than are looked at says that they are too many.
        if readings::may_be_path(text) {
            if self.paths.len() <= MOST.0 {
                self.paths.insert(text.to_owned());
            }
        } else if (1..=LONGEST_NAME).contains(&text.len())
            && self.names.len() <= MOST.1
            && !text.contains(char::is_control)
        {
            self.names.insert(text.to_owned());
        }
    }

    /// The first place outside to which one of them may lead.
    fn outside(&self, granted: &Granted) -> Option<String> {
        if self.paths.len() > MOST.0 || self.names.len() > MOST.1 {
            return self.paths.iter().chain(&self.names).next().cloned();
        }
        let begins = Beginnings {
            roots: granted.roots(),
            working_folder: granted.working_folder(),
        };
        let mut room = MOST_STEPS;
        let mut paths = self.paths.iter();
        let named = paths.find_map(|text| {
            let readings = readings(text, &begins);
            let steps = |one: &Reading| one.path.components().count();
            let Some(left) = room.checked_sub(readings.iter().map(steps).sum()) else {
                return Some(text.clone());
            };
            room = left;
            let is_in_root = readings
                .iter()
                .any(|one| one.is_in_root && is_there(&one.path));
            readings
                .iter()
                .find_map(|one| one.outside(granted, is_in_root))
        });
        named.or_else(|| {
            let links = self.names.iter().flat_map(|name| begins.in_roots(name));
            links
                .filter(|path| is_there(path))
                .find_map(|path| place_outside(&path, granted))
        })
    }
}

impl Reading {
    /// Where it leads, if that is outside. What lies in one of the folders under the same path
    /// `is_in_root`.
    fn outside(&self, granted: &Granted, is_in_root: bool) -> Option<String> {
        // A look at another computer's share would tell that computer who looks.
        if !places::is_on_a_disk(&self.path) {
            return Some(self.path.to_string_lossy().into_owned());
        }
        let path = match gap::before(&self.path, self.base.as_deref()) {
            gap::Before::Whole => self.path.clone(),
            gap::Before::Part(path) => path,
            gap::Before::Anywhere => return Some(self.path.to_string_lossy().into_owned()),
            gap::Before::Nothing => return None,
        };
        let counts = match self.counts {
            Counts::AtDisk => begins_here(&path) || begins_here(&places::straight(&path)),
            Counts::IfThere => is_there(&path),
            Counts::IfPossible => is_there(&path) || self.could_be_made(&path),
        };
        let place = place_outside(&path, granted).filter(|_| counts)?;
        // Most likely that is meant which lies in a folder of the server.
        let is_elsewhere = self.base.is_some() && !self.is_in_root;
        let is_meant = !(is_elsewhere && is_in_root) || granted.protects(&place);
        is_meant.then_some(place)
    }

    /// Whether something could be made there. Where a path may begin that is known of any two words
    /// with a stroke between them.
    fn could_be_made(&self, path: &Path) -> bool {
        [path.to_owned(), places::straight(path)]
            .iter()
            .any(|path| {
                let folder = path.parent().filter(|folder| folder.parent().is_some());
                folder.is_some_and(|folder| Some(folder) != self.base.as_deref() && folder.is_dir())
            })
    }
}

/// Where a path leads, if that is outside for any program: some take `..` away before they follow
/// links, others after.
fn place_outside(path: &Path, granted: &Granted) -> Option<String> {
    [path.to_owned(), places::straight(path)]
        .iter()
        .find_map(|path| {
            let place =
                places::real(path).and_then(|place| place.into_os_string().into_string().ok());
            match place {
                Some(place) => (!granted.covers(&place)).then_some(place),
                None => Some(path.to_string_lossy().into_owned()),
            }
        })
}

/// Whether a path can be one of this computer: its first step is there.
fn begins_here(path: &Path) -> bool {
    let mut steps = path.ancestors().collect::<Vec<_>>().into_iter().rev();
    let Some(first) = steps.find(|step| step.file_name().is_some()) else {
        return true;
    };
    let Ok(about) = first.symlink_metadata() else {
        return false;
    };
    // Where case does not count, `/users/1` of a service is not `/Users`.
    let name = first.canonicalize().ok();
    let name = name.as_deref().and_then(Path::file_name);
    about.is_symlink() || name.is_none_or(|name| Some(name) == first.file_name())
}

/// Whether something is there, for any program.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok() || places::straight(path).symlink_metadata().is_ok()
}
