//! The rules that hold: the administrator's, and those of the person.
//!
//! Always true here:
//! - the administrator's file is read first, and nothing that a person or a program does here
//!   changes what it says;
//! - what cannot be read forbids, from the moment it is noticed;
//! - a file that vanishes while the host runs goes on holding until the host ends.

mod file;

pub use file::system_file;

use api::{LayerView, PolicyView};
use notify::RecommendedWatcher;
use policy::{AdministratorRules, Layer, LayerRules, Rule, Rules};
use protocol::Fingerprint;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use store::Event;

/// The rules that hold.
pub struct HeldRules {
    sources: Mutex<Sources>,
    rules: RwLock<Rules>,
    pub(crate) watching: Mutex<Option<Watching>>,
}

/// What the rules are made of.
struct Sources {
    file: Option<PathBuf>,
    administrator: AdministratorRules,
    present: bool,
    person: Vec<Rule>,
}

impl HeldRules {
    /// Reads the administrator's file, and takes the rules of the person as they are kept.
    pub(crate) fn open(file: Option<PathBuf>, person: Vec<Rule>) -> Self {
        let administrator = file.as_deref().map(file::read).unwrap_or_default();
        let present = administrator.text.is_some() || administrator.broken.is_some();
        let rules = RwLock::new(Rules::new(&administrator, &person));
        Self {
            sources: Mutex::new(Sources {
                file,
                administrator,
                present,
                person,
            }),
            rules,
            watching: Mutex::default(),
        }
    }

    /// The rules as they are at this moment.
    pub fn now(&self) -> Rules {
        self.rules
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// One of the rules that the person made.
    pub fn of_person(&self, id: &str) -> Option<Rule> {
        self.sources()
            .person
            .iter()
            .find(|rule| rule.id.as_str() == id)
            .cloned()
    }

    /// How many rules the person made.
    pub fn number_of_person(&self) -> usize {
        self.sources().person.len()
    }

    /// Has other rules of the person hold from now on.
    pub fn change(&self, change: impl FnOnce(&mut Vec<Rule>)) {
        let mut sources = self.sources();
        change(&mut sources.person);
        self.hold(&sources);
    }

    /// The administrator's file, wherever it is or will be.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.sources().file.clone()
    }

    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, sources: &Sources) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) =
            Rules::new(&sources.administrator, &sources.person);
    }

    /// Reads the administrator's file again. Whether anything is different, and what there is to
    /// note.
    pub(crate) fn read_again(&self) -> Option<Event> {
        let mut sources = self.sources();
        let read = file::read(sources.file.as_deref()?);
        let present = read.text.is_some() || read.broken.is_some();
        if !present {
            // Doubt is a no: whoever removed the file, what it forbids stays forbidden until the
            // host ends.
            return std::mem::take(&mut sources.present).then(|| Event::PolicyGone {
                file: sources.administrator.file.clone(),
            });
        }
        if sources.present && read == sources.administrator {
            return None;
        }
        (sources.administrator, sources.present) = (read, true);
        self.hold(&sources);
        drop(sources);
        self.note()
    }

    /// What there is to note about the administrator's rules as they are.
    pub fn note(&self) -> Option<Event> {
        let sources = self.sources();
        let broken = self
            .now()
            .layers()
            .iter()
            .find(|layer| layer.layer == Layer::Administrator)
            .and_then(|layer| layer.broken.clone());
        match (broken, &sources.administrator.text) {
            (Some(problem), _) => Some(Event::PolicyBroken { problem }),
            (None, Some(text)) => {
                let fingerprint = Fingerprint::of(&Value::String(text.clone()));
                Some(Event::PolicyRead {
                    file: sources.administrator.file.clone(),
                    fingerprint,
                })
            }
            (None, None) => None,
        }
    }

    /// All rules as people read them.
    pub fn view(&self) -> PolicyView {
        let (rules, sources) = (self.now(), self.sources());
        let file = |layer| {
            (layer == Layer::Administrator)
                .then(|| sources.file.as_deref().map(shown))
                .flatten()
        };
        let layer = |LayerRules {
                         layer,
                         broken,
                         rules,
                     }: &LayerRules| LayerView {
            layer: *layer,
            file: file(*layer),
            present: *layer != Layer::Administrator || sources.present,
            broken: broken.clone(),
            rules: rules.clone(),
        };
        let mut layers: Vec<LayerView> = rules.layers().iter().map(layer).collect();
        // The one that nobody can change comes first.
        layers.sort_by_key(|layer| layer.layer != Layer::Administrator);
        PolicyView { layers }
    }
}

/// What is watched: the nearest folder above the file that is there.
pub(crate) struct Watching {
    pub(crate) watcher: RecommendedWatcher,
    pub(crate) folder: Option<PathBuf>,
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
