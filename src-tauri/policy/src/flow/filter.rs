//! Says quickly that a text does not hold a value, so that few texts are searched.
//!
//! Always true here: it may say "perhaps" of a text that does not hold the value, but never "no" of
//! one that does.

use super::text::words;

/// Most words, or rows of bytes, by which a value is looked up.
const MOST_MARKS: usize = 64;
/// So many words have most values that are looked for.
const USUAL_WORDS: usize = 16;
/// Bytes in a row that are noted.
const GRAM: usize = 6;
/// So many marks has a word.
const MARKS_OF_WORD: usize = 3;
/// Most bits of one filter, as a power of two. A text that needs more is searched more often.
const MAX_BITS: usize = 1 << 22;

/// What texts are made of: their words, and the bytes in a row of their form without spaces.
#[derive(Debug, Clone)]
pub(crate) struct Filter(Box<[u64]>);

/// What a value is made of, numbered once and looked up in many filters.
#[derive(Debug, Clone)]
pub(crate) struct Grams(Vec<u64>);

impl Filter {
    /// With room for texts of so many bytes.
    pub fn for_length(length: usize) -> Self {
        // Four bits for a byte leave three of four bits empty, and a value has several marks.
        let bits = length
            .saturating_mul(4)
            .clamp(64, MAX_BITS)
            .next_power_of_two();
        Self(vec![0; bits / 64].into_boxed_slice())
    }

    /// Notes a text in its form for comparing: its words, and what stands in a row without spaces.
    pub fn note(&mut self, plain: &str) {
        let shift = self.shift();
        let blocks = &mut *self.0;
        let mut set = |mark: u64| {
            let bit = mark >> shift;
            if let Some(block) = blocks.get_mut((bit / 64) as usize) {
                *block |= 1 << (bit % 64);
            }
        };
        let (mut word, mut in_word, mut row, mut long) = (WORD, false, 0, 0);
        for byte in plain.bytes() {
            if byte == b' ' {
                if in_word {
                    marks_of(word).for_each(&mut set);
                }
                (word, in_word) = (WORD, false);
                continue;
            }
            (word, in_word) = (with(word, byte), true);
            row = behind(row, byte);
            long += 1;
            if long >= GRAM {
                set(mix(row));
            }
        }
        if in_word {
            marks_of(word).for_each(&mut set);
        }
    }

    /// Whether a text may hold all of it.
    pub fn may_hold(&self, marks: &Grams) -> bool {
        let shift = self.shift();
        marks.0.iter().all(|mark| {
            let bit = mark >> shift;
            self.0
                .get((bit / 64) as usize)
                .is_some_and(|block| block & (1 << (bit % 64)) != 0)
        })
    }

    /// How much room it takes, in bytes.
    pub fn size(&self) -> usize {
        self.0.len() * 8
    }

    /// How many bits of a mark are not needed. A filter has a power of two of bits.
    fn shift(&self) -> u32 {
        MAX_BITS.ilog2() - (self.0.len() * 64).ilog2()
    }
}

impl Grams {
    /// Of a value that stands in a text word by word.
    pub fn of_words(plain: &str) -> Self {
        let marked = || words(plain).take(MOST_MARKS);
        // A rare one first, with all of its marks: of most texts one says that they do not hold the
        // value. Of the others one each is enough.
        let rare = marked().max_by_key(|word| (holds_digit(word), word.len()));
        let others = marked().filter_map(|other| word(other).next());
        let mut marks = Vec::with_capacity(USUAL_WORDS + MARKS_OF_WORD);
        marks.extend(rare.into_iter().flat_map(word).chain(others));
        Self(marks)
    }

    /// Of a value that stands in a text in whatever spacing.
    pub fn of_squeezed(squeezed: &str) -> Self {
        let mut marks = Vec::with_capacity(squeezed.len().min(MOST_MARKS));
        marks.extend(grams(squeezed).take(MOST_MARKS));
        Self(marks)
    }
}

fn holds_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Of a word before its first byte.
const WORD: u64 = 0xcbf2_9ce4_8422_2325;

/// The number of a word that goes on with this byte. Words that share one are only searched for in
/// more texts.
fn with(word: u64, byte: u8) -> u64 {
    word.rotate_left(9) ^ u64::from(byte)
}

/// The last bytes in a row, with this one.
fn behind(row: u64, byte: u8) -> u64 {
    (row << 8 | u64::from(byte)) & ((1 << (8 * GRAM)) - 1)
}

/// The marks of a word.
fn word(word: &str) -> impl Iterator<Item = u64> {
    marks_of(word.bytes().fold(WORD, with))
}

/// The marks of the word of this number. A value is often one word: with one mark a fifth of the texts
/// that do not hold it would be searched.
fn marks_of(word: u64) -> impl Iterator<Item = u64> {
    const TURNS: [u32; MARKS_OF_WORD] = [0, 21, 43];
    TURNS.into_iter().map(move |by| mix(word.rotate_left(by)))
}

/// The marks of all bytes in a row.
fn grams(squeezed: &str) -> impl Iterator<Item = u64> {
    let row = |row: &mut u64, byte: u8| {
        *row = behind(*row, byte);
        Some(mix(*row))
    };
    squeezed.bytes().scan(0, row).skip(GRAM - 1)
}

/// The bits of a number by which it is noted: the first of a product, which depend on all of it.
fn mix(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - MAX_BITS.ilog2())
}

#[cfg(test)]
mod tests {
    use super::super::text::{plain, squeezed};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_is_never_said_of_a_text_that_holds_the_value(before in "\\PC{0,60}", value in "\\PC{1,40}", after in "\\PC{0,60}") {
            let (text, value) = (plain(&format!("{before} {value} {after}")), plain(&value));
            let mut filter = Filter::for_length(text.len());
            filter.note(&text);
            prop_assert!(!text.contains(&value) || filter.may_hold(&Grams::of_words(&value)));
            prop_assert!(filter.may_hold(&Grams::of_squeezed(&squeezed(&value))));
        }
    }

    fn texts() -> Vec<Filter> {
        (0..200)
            .map(|number: u64| {
                let text = plain(
                    &(0..2000)
                        .map(|at: u64| {
                            format!("{:x} ", (number * 2000 + at).wrapping_mul(0x9e37_79b9))
                        })
                        .collect::<String>(),
                );
                let mut filter = Filter::for_length(text.len());
                filter.note(&text);
                filter
            })
            .collect()
    }

    #[test]
    fn no_is_said_of_nearly_all_texts_that_do_not_hold_a_value() {
        let texts = texts();
        let marks = Grams::of_squeezed("desk@course.example");
        let may_hold = texts.iter().filter(|filter| filter.may_hold(&marks));
        assert!(may_hold.count() <= 2);
    }

    #[test]
    fn no_is_said_of_nearly_all_texts_that_do_not_hold_a_single_word() {
        let texts = texts();
        let marks: Vec<Grams> = (0..50)
            .map(|nth| Grams::of_words(&format!("word{nth}")))
            .collect();
        let looks = texts
            .iter()
            .flat_map(|text| marks.iter().map(|marks| text.may_hold(marks)));
        let in_vain = looks.filter(|may_hold| *may_hold).count();
        assert!(in_vain <= texts.len() * marks.len() / 20, "{in_vain}");
    }
}
