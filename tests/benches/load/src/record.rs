//! The ratios that were recorded, and what is worse than they say.
//!
//! Always true here: a build without optimisations is compared with such a build only.

use crate::ratios::Ratios;
use load::Failure;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// What a ratio may be at most, beside the recorded one.
const TIMES: f64 = 2.0;

/// What is worse, by the name of the ratio, in words.
pub type Worse = BTreeMap<String, String>;

/// The section of this build.
const SECTION: &str = if cfg!(debug_assertions) {
    "dev"
} else {
    "release"
};

/// What was recorded of such a build.
///
/// Fails where nothing was.
pub fn read(file: &Path) -> Result<BTreeMap<String, f64>, Failure> {
    let mut all = whole(file)?;
    let section = all.remove(SECTION);
    let section = section.ok_or_else(|| format!("nothing is recorded of a {SECTION} build"))?;
    Ok(serde_json::from_value(section)?)
}

/// Records ratios of such a build; what is recorded of others stays, and so do ratios that were not
/// measured this time.
pub fn write(file: &Path, ratios: &Ratios) -> Result<(), Failure> {
    let mut all = if file.exists() {
        whole(file)?
    } else {
        Map::new()
    };
    let section = all
        .entry(SECTION)
        .or_insert_with(|| Value::Object(Map::new()));
    for (name, ratio) in ratios {
        // Three places say more than there is to know.
        section[*name] = ((ratio * 1000.0).round() / 1000.0).into();
    }
    let text = serde_json::to_string_pretty(&all)?;
    std::fs::write(file, text + "\n")?;
    Ok(())
}

/// What is too much more than was recorded, and what was recorded and not measured.
pub fn worse(ratios: &Ratios, recorded: &BTreeMap<String, f64>) -> Worse {
    let compared = recorded.iter().filter_map(|(name, recorded)| {
        let words = match ratios.get(name.as_str()) {
            None => format!("{name} was not measured"),
            Some(ratio) if *ratio <= recorded * TIMES => return None,
            Some(ratio) => {
                format!("{name} is {ratio:.2}, more than {TIMES} times the recorded {recorded:.2}")
            }
        };
        Some((name.clone(), words))
    });
    compared.collect()
}

fn whole(file: &Path) -> Result<Map<String, Value>, Failure> {
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
        let owned = pairs
            .iter()
            .map(|(name, ratio)| ((*name).to_owned(), *ratio));
        owned.collect()
    }

    #[test]
    fn twice_as_much_is_borne_and_more_is_told() {
        let recorded = recorded(&[("a", 1.0), ("b", 3.0)]);
        assert!(worse(&Ratios::from([("a", 2.0), ("b", 0.1)]), &recorded).is_empty());
        let told = worse(&Ratios::from([("a", 2.1), ("b", 6.0)]), &recorded);
        assert_eq!(told.len(), 1);
        assert_eq!(told["a"], "a is 2.10, more than 2 times the recorded 1.00");
    }

    #[test]
    fn what_was_recorded_and_not_measured_is_no_success() {
        let told = worse(&Ratios::from([("new", 9.0)]), &recorded(&[("a", 1.0)]));
        assert_eq!(told["a"], "a was not measured");
    }

    #[test]
    fn a_ratio_that_cannot_be_compared_is_worse() {
        let told = worse(&Ratios::from([("a", f64::NAN)]), &recorded(&[("a", 1.0)]));
        assert_eq!(told.len(), 1);
    }

    #[test]
    fn recording_changes_what_was_measured_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ratios.json");
        assert!(read(&file).is_err());
        std::fs::write(&file, r#"{"release": {"x": 1}}"#).unwrap();
        assert!(read(&file).is_err() || SECTION == "release");
        write(&file, &Ratios::from([("a", 1.0), ("b", 2.0)])).unwrap();
        write(&file, &Ratios::from([("b", 2.34567)])).unwrap();
        let now = read(&file).unwrap();
        assert_eq!((now["a"], now["b"]), (1.0, 2.346));
        assert!(whole(&file).unwrap().contains_key("release"));
    }
}
