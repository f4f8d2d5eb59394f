//! What the person typed after `window-bench`.

use crate::scenes::Scene;
use std::path::PathBuf;

/// What is printed where the arguments are not understood.
pub const USAGE: &str = "\
usage: window-bench [OPTIONS]
  --only NAMES     only these, with commas between: age streaming long-replies opening
                   idle stopping calls start bytes cold lists
  --json FILE      writes all figures
  --table FILE     writes the table";

/// What was asked for.
#[derive(Debug, PartialEq)]
pub struct Arguments {
    /// What is measured.
    pub scenes: Vec<Scene>,
    /// Where all figures are written.
    pub json: Option<PathBuf>,
    /// Where the table is written.
    pub table: Option<PathBuf>,
}

impl Arguments {
    /// Reads them. Fails with what is not understood.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Self {
            scenes: Scene::ALL.to_vec(),
            json: None,
            table: None,
        };
        while let Some(name) = words.next() {
            let value = words.next().ok_or(format!("{name} needs a value"))?;
            match name.as_str() {
                "--only" => {
                    let named = |name: &str| {
                        let found = Scene::ALL.into_iter().find(|scene| scene.name() == name);
                        found.ok_or(format!("there is no scene {name:?}"))
                    };
                    read.scenes = value.split(',').map(named).collect::<Result<_, _>>()?;
                }
                "--json" => read.json = Some(value.into()),
                "--table" => read.table = Some(value.into()),
                _ => return Err(format!("{name} is not understood")),
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn only_names_scenes_and_the_usage_names_all_of_them() {
        assert_eq!(
            read("--only idle,start").unwrap().scenes,
            [Scene::Idle, Scene::Start]
        );
        assert_eq!(read("").unwrap().scenes, Scene::ALL);
        assert!(Scene::ALL.iter().all(|scene| USAGE.contains(scene.name())));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in ["--only nothing", "--only", "fly high"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
