//! Paths with signs that stand for many: `*`, `?`, `[…]` and `{…}`.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// More stars in one step than anybody writes.
const MOST_STARS: usize = 8;

/// What is sure of a path that may mean many.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// It means one.
    Whole,
    /// All that it may mean lies in this.
    Part(PathBuf),
    /// It may lead back, or begin in any folder of the disk.
    Anywhere,
    /// Nothing: it may be no path at all.
    Nothing,
}

/// Whether a text may mean any of many.
pub(super) fn has_gap(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// What is sure of a path, which begins at `base` if it does not begin at a disk.
pub(super) fn before(path: &Path, base: Option<&Path>) -> Before {
    let name = |part: &Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let own = base.map_or(0, |base| base.components().count());
    let steps: Vec<String> = path.components().map(|part| name(&part)).collect();
    let is_gap = |(at, step): (usize, &String)| at >= own && has_gap(step);
    let Some(first) = steps.iter().enumerate().position(is_gap) else {
        return Before::Whole;
    };
    // What is there under just that name is meant.
    if path.symlink_metadata().is_ok() {
        return Before::Whole;
    }
    let rest = &steps[first..];
    let leads_back =
        |step: &String| step == ".." || step.contains("..") && step.contains(['{', '[']);
    if rest.iter().any(leads_back) {
        return Before::Anywhere;
    }
    let sure: PathBuf = path.components().take(first).collect();
    if Some(sure.as_path()) == base {
        return Before::Nothing;
    }
    if sure.file_name().is_none() {
        return match fits_any(&sure, &rest[0]) {
            true => Before::Anywhere,
            false => Before::Nothing,
        };
    }
    Before::Part(sure)
}

/// Whether a step means anything that is in a folder.
fn fits_any(folder: &Path, step: &str) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return true;
    };
    let mut names = entries.flatten().map(|entry| entry.file_name());
    step.matches('*').count() > MOST_STARS || names.any(|name| fits(step, &name.to_string_lossy()))
}

/// Whether a step means a name.
fn fits(step: &str, name: &str) -> bool {
    if let (Some(from), Some(to)) = (step.find('{'), step.rfind('}'))
        && from < to
    {
        let (before, after) = (&step[..from], &step[to + 1..]);
        let mut choices = step[from + 1..to].split(',');
        return choices.any(|choice| fits(&format!("{before}{choice}{after}"), name));
    }
    let (step, name): (Vec<char>, Vec<char>) = (step.chars().collect(), name.chars().collect());
    letters_fit(&step, &name)
}

fn letters_fit(step: &[char], name: &[char]) -> bool {
    let Some((sign, rest)) = step.split_first() else {
        return name.is_empty();
    };
    if *sign == '*' {
        return (0..=name.len()).any(|from| letters_fit(rest, &name[from..]));
    }
    let Some((first, others)) = name.split_first() else {
        return false;
    };
    match sign {
        '?' => letters_fit(rest, others),
        '[' => rest.iter().position(|c| *c == ']').is_some_and(|end| {
            is_among(*first, &rest[..end]) && letters_fit(&rest[end + 1..], others)
        }),
        _ => first == sign && letters_fit(rest, others),
    }
}

/// Whether a letter is among those in brackets.
fn is_among(letter: char, class: &[char]) -> bool {
    let (class, is_meant) = match class {
        ['!' | '^', class @ ..] => (class, false),
        class => (class, true),
    };
    let in_range =
        |range: &[char]| matches!(range, [from, '-', to] if (from..=to).contains(&&letter));
    let is_in = class.contains(&letter) || class.windows(3).any(in_range);
    is_in == is_meant
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn of(path: &str) -> Before {
        before(Path::new(path), None)
    }

    #[test]
    fn what_is_sure_of_a_pattern_is_what_stands_before_its_first_sign() {
        assert_eq!(of("/srv/a.txt"), Before::Whole);
        assert_eq!(of("/srv/*/x"), Before::Part("/srv".into()));
        assert_eq!(of("/srv/{a,../../etc}"), Before::Anywhere);
        let base = Path::new("/srv/[draft]");
        assert_eq!(
            before(&base.join("**/lib/*.js"), Some(base)),
            Before::Nothing
        );
        assert_eq!(
            before(&base.join("lib/*.js"), Some(base)),
            Before::Part(base.join("lib"))
        );
    }

    #[test]
    fn a_pattern_at_the_disk_counts_where_a_folder_fits_and_other_signs_do_not() {
        for path in ["/*", "/e*/passwd", "/e?c", "/{etc,var}/x", "/[e]tc/passwd"] {
            assert_eq!(of(path), Before::Anywhere, "{path}");
        }
        for path in [
            "/foo.*bar",
            "/* hint */ select 1",
            "/?page=2",
            "/{id}",
            "/[locale]/x",
            "/button[@type='submit']",
        ] {
            assert_eq!(of(path), Before::Nothing, "{path}");
        }
    }
}
