//! What can be written behind `majordomo`.

use std::path::PathBuf;

/// What the program is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// Open the window on this data folder.
    Window {
        /// Where everything is kept.
        data_dir: PathBuf,
    },
    /// Be one of the built-in servers.
    Builtin(String),
    /// Only say this.
    Said(String),
}

const USAGE: &str =
    "Usage: majordomo [--data-dir DIR]\n\nOpens the window. In a terminal, use majordomoctl.";

impl Arguments {
    /// Reads the arguments. The data directory comes from `--data-dir`, else `MAJORDOMO_DATA_DIR`,
    /// else the system's place.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut data_dir = std::env::var_os("MAJORDOMO_DATA_DIR")
            .map(PathBuf::from)
            .or_else(host::default_data_dir);
        while let Some(word) = words.next() {
            match word.as_str() {
                "builtin" => {
                    return words
                        .next()
                        .map(Self::Builtin)
                        .ok_or_else(|| "builtin needs a name".to_owned());
                }
                "--help" | "-h" => return Ok(Self::Said(USAGE.to_owned())),
                "--version" | "-V" => {
                    return Ok(Self::Said(format!(
                        "majordomo {}",
                        env!("CARGO_PKG_VERSION")
                    )));
                }
                "--data-dir" => {
                    data_dir = Some(
                        words
                            .next()
                            .map(PathBuf::from)
                            .ok_or_else(|| "--data-dir needs a folder".to_owned())?,
                    )
                }
                other => match other.strip_prefix("--data-dir=") {
                    Some(dir) => data_dir = Some(PathBuf::from(dir)),
                    None => return Err(format!("{other:?} is not understood.\n{USAGE}")),
                },
            }
        }
        let data_dir = data_dir
            .ok_or_else(|| "your home folder is not known; give --data-dir DIR".to_owned())?;
        Ok(Self::Window { data_dir })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, String> {
        Arguments::parse(words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn the_data_directory_can_be_chosen_and_nonsense_is_not_swallowed() {
        let chosen = Ok(Arguments::Window {
            data_dir: "/x".into(),
        });
        assert_eq!(parse(&["--data-dir", "/x"]), chosen);
        assert_eq!(parse(&["--data-dir=/x"]), chosen);
        assert_eq!(
            parse(&["builtin", "currency"]),
            Ok(Arguments::Builtin("currency".into()))
        );
        assert!(parse(&["--data-dir"]).is_err());
        assert!(parse(&["--dta-dir", "/x"]).is_err());
    }
}
