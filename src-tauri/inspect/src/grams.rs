//! One scan for many words: the three to eight bytes at each place of a text are looked up in a small
//! table.
//!
//! Always true here: no place is passed over at which one of the grams stands, in large or small
//! letters; of grams that are searched for at every second place, or fewer, one of each word's stands
//! at such a place. What else is named by chance is for the caller to tell apart.

/// How many groups of grams there are, by their hashes.
const GROUPS: u32 = 12;
/// The bit that tells small letters from large ones, in each byte.
const SMALL: u64 = 0x2020_2020_2020_2020;
/// So many places are looked at together.
const TOGETHER: usize = 8;
/// At most so many places are passed over for each that is looked at.
const LONGEST_STEP: usize = 8;

/// Grams of so many bytes, each with what it stands for. The size of the table is a power of two,
/// and some ten times the number of grams if hardly anything is to be looked at in vain.
#[derive(Debug)]
pub(crate) struct Grams<T, const GRAM: usize, const SIZE: usize> {
    /// For each hash a bit: whether a gram has it.
    known: Box<[u8; SIZE]>,
    /// Where each group begins in `grams`.
    first: Vec<u32>,
    /// In the order of their groups.
    grams: Vec<(u64, T)>,
    /// Of so many places one is looked at.
    step: usize,
}

impl<T: Copy, const GRAM: usize, const SIZE: usize> Grams<T, GRAM, SIZE> {
    /// The bytes of eight that belong to a gram.
    const MASK: u64 = u64::MAX >> (u64::BITS - 8 * GRAM as u32);

    /// A scan for these, at every place.
    pub fn of(grams: impl IntoIterator<Item = ([u8; GRAM], T)>) -> Self {
        Self::at_each(1, grams)
    }

    /// The same at one of so many places, from the first on.
    pub fn at_each(step: usize, grams: impl IntoIterator<Item = ([u8; GRAM], T)>) -> Self {
        let mut grams: Vec<(u64, T)> = grams
            .into_iter()
            .map(|(gram, meant)| (word(&gram) & Self::MASK, meant))
            .collect();
        grams.sort_by_key(|(gram, _)| group(*gram));
        let mut known = Box::new([0; SIZE]);
        let mut first = vec![0; (1 << GROUPS) + 1];
        for (gram, _) in &grams {
            let (place, bit) = Self::hash(*gram);
            known[place] |= bit;
            first[group(*gram) + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Self {
            known,
            first,
            grams,
            step,
        }
    }

    /// Goes through the places where a gram stands, in their order, with what it stands for.
    pub fn each(&self, text: &[u8], mut visit: impl FnMut(usize, T)) {
        self.any(text, |at, meant| {
            visit(at, meant);
            false
        });
    }

    /// Whether there is such a place of which that is true. Those behind it are not asked for.
    pub fn any(&self, text: &[u8], mut is_true: impl FnMut(usize, T) -> bool) -> bool {
        let (step, mut at) = (self.step, 0);
        let read = (TOGETHER - 1) * step + size_of::<u64>();
        while let Some(bytes) = text.get(at..at + read) {
            let words = if step == 1 {
                together(bytes)
            } else {
                std::array::from_fn(|index| word(&bytes[index * step..]))
            };
            let words = words.map(|word| word & Self::MASK);
            let known = words.map(|word| {
                let (place, bit) = Self::hash(word);
                self.known[place] & bit
            });
            if known != [0; TOGETHER] {
                let places = (at..).step_by(step).zip(words.into_iter().zip(known));
                for (at, (word, _)) in places.filter(|(_, (_, known))| *known != 0) {
                    if self.at(at, word, &mut is_true) {
                        return true;
                    }
                }
            }
            at += TOGETHER * step;
        }
        (at..(text.len() + 1).saturating_sub(GRAM))
            .step_by(step)
            .any(|at| self.at(at, word(&text[at..]) & Self::MASK, &mut is_true))
    }

    #[inline]
    fn at(&self, at: usize, word: u64, is_true: &mut impl FnMut(usize, T) -> bool) -> bool {
        let group = group(word);
        let (from, to) = (self.first[group] as usize, self.first[group + 1] as usize);
        self.grams[from..to]
            .iter()
            .any(|(gram, meant)| *gram == word && is_true(at, *meant))
    }

    /// The place of a hash in the table, and its bit there.
    #[inline]
    fn hash(word: u64) -> (usize, u8) {
        let hash = (mixed(word) >> (u64::BITS - SIZE.ilog2() - 3)) as usize;
        (hash >> 3, 1 << (hash & 7))
    }
}

fn group(word: u64) -> usize {
    (mixed(word) >> (u64::BITS - GROUPS)) as usize
}

#[inline]
fn mixed(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The first eight of these bytes in small letters, as one number; what is missing is nothing.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    let eight = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        eight
    });
    u64::from_le_bytes(eight) | SMALL
}

/// The same from each of eight places on.
#[inline]
fn together(bytes: &[u8]) -> [u64; TOGETHER] {
    let Some(bytes) = bytes.first_chunk::<{ TOGETHER + 7 }>() else {
        return [SMALL; TOGETHER];
    };
    std::array::from_fn(|index| word(&bytes[index..]))
}

/// The bytes of a word that occur least in texts, and where in it they stand. None of a word that is
/// shorter.
pub(crate) fn rarest<const GRAM: usize>(word: &[u8]) -> Option<(usize, [u8; GRAM])> {
    rarest_row(1, word).into_iter().next()
}

/// So many grams of a word in a row, those that occur least in texts, and where in it they stand, the
/// last first: one of them stands at each so many places. None of a word that is shorter.
pub(crate) fn rarest_row<const GRAM: usize>(step: usize, word: &[u8]) -> Vec<(usize, [u8; GRAM])> {
    let rank = |row: &[u8]| {
        let grams = row.windows(GRAM);
        grams
            .map(|gram| gram.iter().map(|byte| commonness(*byte)).sum::<u32>())
            .sum::<u32>()
    };
    let rows = word.windows(step + GRAM - 1).enumerate();
    let Some((from, row)) = rows.min_by_key(|(_, row)| rank(row)) else {
        return Vec::new();
    };
    let gram = |at: usize| Some((from + at, *row[at..].first_chunk::<GRAM>()?));
    (0..step).rev().filter_map(gram).collect()
}

/// At how many places one has to be looked at for words none of which is shorter than this.
pub(crate) fn step<const GRAM: usize>(shortest: usize) -> usize {
    (shortest + 1).saturating_sub(GRAM).clamp(1, LONGEST_STEP)
}

/// How common a byte is in texts and programs, roughly.
fn commonness(byte: u8) -> u32 {
    match byte.to_ascii_lowercase() {
        b' ' | b'e' | b't' => 12,
        b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 10,
        b'h' | b'l' | b'd' | b'c' => 8,
        b'u' | b'm' | b'p' | b'f' | b'g' => 6,
        b'y' | b'b' | b'w' | b'0' | b'1' | b'2' | b'.' | b'/' | b'"' | b'-' => 5,
        b'v' | b'k' | b'_' | b':' | b',' | b'=' => 4,
        byte if byte.is_ascii_digit() => 4,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rarest_part_of_a_word_is_taken() {
        assert_eq!(rarest(b"tsk-x-tea"), Some((2, *b"k-x-")));
        assert_eq!(rarest::<4>(b"abc"), None);
    }

    fn stands_everywhere<const GRAM: usize>(
        text: &str,
        grams: &[String],
    ) -> Result<(), TestCaseError> {
        let of = |(index, gram): (usize, &String)| {
            Some((*gram.as_bytes().first_chunk::<GRAM>()?, index))
        };
        let scan: Grams<usize, GRAM, 4096> = Grams::of(grams.iter().enumerate().filter_map(of));
        let mut found = Vec::new();
        scan.each(text.as_bytes(), |at, index| found.push((at, index)));
        prop_assert!(found.is_sorted_by_key(|(at, _)| *at));
        for (index, gram) in grams.iter().enumerate() {
            for at in 0..text.len() {
                let stands = text.as_bytes()[at..].first_chunk::<GRAM>();
                let stands = stands
                    .is_some_and(|bytes| bytes.eq_ignore_ascii_case(&gram.as_bytes()[..GRAM]));
                prop_assert!(
                    !stands || found.contains(&(at, index)),
                    "{gram} at {at} of {text}"
                );
            }
        }
        Ok(())
    }

    fn is_found_in_steps<const GRAM: usize>(
        text: &str,
        words: &[String],
    ) -> Result<(), TestCaseError> {
        let shortest = words.iter().map(String::len).min().unwrap_or_default();
        let step = step::<GRAM>(shortest);
        let of = |(index, word): (usize, &String)| {
            let grams = rarest_row::<GRAM>(step, word.as_bytes());
            grams
                .into_iter()
                .map(move |(from, gram)| (gram, (index, from)))
        };
        let scan: Grams<(usize, usize), GRAM, 4096> =
            Grams::at_each(step, words.iter().enumerate().flat_map(of));
        let mut found = Vec::new();
        scan.each(text.as_bytes(), |at, (index, from)| {
            if let Some(start) = at.checked_sub(from)
                && text.as_bytes()[start..].starts_with(words[index].as_bytes())
            {
                found.push((start, index));
            }
        });
        for (index, word) in words.iter().enumerate() {
            let stands =
                (0..text.len()).filter(|at| text.as_bytes()[*at..].starts_with(word.as_bytes()));
            let seen = found
                .iter()
                .filter(|(_, of)| *of == index)
                .map(|(at, _)| *at);
            prop_assert!(
                stands.eq(seen),
                "{word} in {text}, in their order and once each"
            );
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn each_word_is_found_once_however_few_places_are_looked_at(
            text in "[abAB~]{0,80}",
            words in proptest::collection::vec("[ab~]{4,9}", 1..5),
        ) {
            is_found_in_steps::<3>(&text, &words)?;
            is_found_in_steps::<4>(&text, &words)?;
        }

        #[test]
        fn no_gram_is_passed_over(
            text in "[abAB~é]{0,40}",
            grams in proptest::collection::vec("[abAB~]{4}", 1..5),
        ) {
            stands_everywhere::<3>(&text, &grams)?;
            stands_everywhere::<4>(&text, &grams)?;
        }
    }
}
