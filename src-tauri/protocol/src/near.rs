//! Names that are nearly the same. Pure.

/// So many letters of a name are looked at.
const LONGEST: usize = 128;

/// How many letters are put in, left out or changed between a name that was written and one that is
/// known; none where that is more than a third of them, and they have nothing to do with each other.
/// What is no letter and no digit does not count, nor do capitals.
pub fn name_distance(written: &str, known: &str) -> Option<usize> {
    let (written, known) = (letters(written), letters(known));
    let is_near = |distance: usize| distance * 3 <= written.len();
    // As many letters differ as there are more of them, at least.
    if !is_near(known.len().abs_diff(written.len())) {
        return None;
    }
    Some(strsim::generic_levenshtein(&written, &known)).filter(|distance| is_near(*distance))
}

fn letters(name: &str) -> Vec<char> {
    let short = name.chars().filter(|c| c.is_alphanumeric()).take(LONGEST);
    short.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_than_a_third_another_name_is_no_near_one() {
        assert_eq!(
            name_distance("get_exchange_rat", "get_exchange_rate"),
            Some(1)
        );
        assert_eq!(name_distance("Convert", "convert"), Some(0));
        assert_eq!(name_distance("sitting", "kitten"), None);
        assert_eq!(name_distance("listings", "listing"), Some(1));
        assert_eq!(
            name_distance("convert", "convert? It moved, run this"),
            None
        );
        assert_eq!(name_distance("exchange", "get_exchange_rate"), None);
    }
}
