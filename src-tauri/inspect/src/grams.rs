//! One scan for many words: the three or four bytes at each place of a text are looked up in a small
//! table.
//!
//! Always true here: no place is passed over at which one of the grams stands, in large or small
//! letters. What else is named by chance is for the caller to tell apart.

/// How many groups of grams there are, by their hashes.
const GROUPS: u32 = 12;
/// The bit that tells small letters from large ones, in each byte.
const SMALL: u32 = 0x2020_2020;
/// So many places are looked at together, and so many bytes are read for that.
const TOGETHER: usize = 8;
const READ: usize = TOGETHER + 3;

/// Grams of so many bytes, three or four, each with what it stands for. The size of the table is a
/// power of two, and some hundred times the number of grams if nothing is to be looked at in vain.
#[derive(Debug)]
pub(crate) struct Grams<T, const GRAM: usize, const SIZE: usize> {
    /// For each hash, whether a gram has it.
    known: Box<[u8; SIZE]>,
    /// Where each group begins in `grams`.
    first: Vec<u32>,
    /// In the order of their groups.
    grams: Vec<(u32, T)>,
}

impl<T: Copy, const GRAM: usize, const SIZE: usize> Grams<T, GRAM, SIZE> {
    /// The bytes of four that belong to a gram.
    const MASK: u32 = u32::MAX >> (u32::BITS - 8 * GRAM as u32);

    /// A scan for these.
    pub fn of(grams: impl IntoIterator<Item = ([u8; GRAM], T)>) -> Self {
        let mut grams: Vec<(u32, T)> = grams
            .into_iter()
            .map(|(gram, meant)| (word(&gram) & Self::MASK, meant))
            .collect();
        grams.sort_by_key(|(gram, _)| group(*gram));
        let mut known = Box::new([0; SIZE]);
        let mut first = vec![0; (1 << GROUPS) + 1];
        for (gram, _) in &grams {
            known[Self::hash(*gram)] = 1;
            first[group(*gram) + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Self {
            known,
            first,
            grams,
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
        let mut at = 0;
        while let Some(bytes) = text[at..].first_chunk::<READ>() {
            let words = together(bytes).map(|word| word & Self::MASK);
            let known = words.map(|word| self.known[Self::hash(word)]);
            if known != [0; TOGETHER] {
                let places = (at..).zip(words.into_iter().zip(known));
                for (at, (word, _)) in places.filter(|(_, (_, known))| *known != 0) {
                    if self.at(at, word, &mut is_true) {
                        return true;
                    }
                }
            }
            at += TOGETHER;
        }
        (at..(text.len() + 1).saturating_sub(GRAM))
            .any(|at| self.at(at, word(&text[at..]) & Self::MASK, &mut is_true))
    }

    #[inline]
    fn at(&self, at: usize, word: u32, is_true: &mut impl FnMut(usize, T) -> bool) -> bool {
        let group = group(word);
        let (from, to) = (self.first[group] as usize, self.first[group + 1] as usize);
        self.grams[from..to]
            .iter()
            .any(|(gram, meant)| *gram == word && is_true(at, *meant))
    }

    #[inline]
    fn hash(word: u32) -> usize {
        (mixed(word) >> (u32::BITS - SIZE.ilog2())) as usize
    }
}

fn group(word: u32) -> usize {
    (mixed(word) >> (u32::BITS - GROUPS)) as usize
}

#[inline]
fn mixed(word: u32) -> u32 {
    word.wrapping_mul(0x9E37_79B1)
}

/// The first four of these bytes in small letters, as one number; what is missing is nothing.
fn word(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four.iter_mut()
        .zip(bytes)
        .for_each(|(to, byte)| *to = *byte);
    u32::from_le_bytes(four) | SMALL
}

/// The four bytes from each of eight places on.
#[inline]
fn together(bytes: &[u8; READ]) -> [u32; TOGETHER] {
    let mut low = [0; 8];
    low.copy_from_slice(&bytes[..8]);
    let mut high = [0; 8];
    high.copy_from_slice(&bytes[3..]);
    let small = u64::from(SMALL) << 32 | u64::from(SMALL);
    let (low, high) = (
        u64::from_le_bytes(low) | small,
        u64::from_le_bytes(high) | small,
    );
    std::array::from_fn(|index| {
        let word = if index < 4 {
            low >> (8 * index)
        } else {
            high >> (8 * (index - 3))
        };
        word as u32
    })
}

/// The bytes of a word that occur least in texts, and where in it they stand. None of a word that is
/// shorter.
pub(crate) fn rarest<const GRAM: usize>(word: &[u8]) -> Option<(usize, [u8; GRAM])> {
    let rank = |gram: &[u8; GRAM]| gram.iter().map(|byte| commonness(*byte)).sum::<u32>();
    (0..word.len())
        .filter_map(|at| Some((at, *word[at..].first_chunk::<GRAM>()?)))
        .min_by_key(|(_, gram)| rank(gram))
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

    proptest! {
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
