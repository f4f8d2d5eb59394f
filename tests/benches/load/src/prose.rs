//! Text as a tool might give it: words and sentences that are not all the same, the same ones each
//! time.
//!
//! Always true here: nothing in it needs an escape in JSON, and each byte is a character.

/// How much of it there is before it begins anew.
const BLOCK: usize = 64 * 1024;

const WORDS: [&str; 48] = [
    "harbour", "lamp", "window", "quiet", "paper", "river", "morning", "seven", "copper", "bridge",
    "letter", "slow", "garden", "north", "winter", "table", "bread", "stone", "early", "market",
    "silver", "road", "under", "behind", "with", "from", "over", "before", "the", "a", "some",
    "every", "was", "carried", "opened", "left", "found", "stood", "turned", "called", "green",
    "narrow", "cold", "warm", "boat", "clock", "field", "story",
];

/// So many bytes of it, with a number at the beginning that says which one it is.
pub fn text(bytes: usize, number: u64) -> String {
    let mut text = format!("{number}. ");
    let block = block();
    while text.len() < bytes {
        text.push_str(&block[..block.len().min(bytes - text.len())]);
    }
    text.truncate(bytes);
    text
}

/// A sentence of its own for each number.
pub fn sentence(number: u64) -> String {
    let mut numbers = Numbers(number);
    let mut sentence = format!("the {number}.");
    for _ in 0..6 {
        sentence.push(' ');
        sentence.push_str(numbers.word());
    }
    sentence
}

fn block() -> &'static str {
    static BLOCK_OF_TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    BLOCK_OF_TEXT.get_or_init(|| {
        let mut numbers = Numbers(1);
        let mut block = String::with_capacity(BLOCK + 128);
        while block.len() < BLOCK {
            for position in 0..5 + numbers.next() % 9 {
                let word = numbers.word();
                match position {
                    0 => {
                        block.push_str(&word[..1].to_ascii_uppercase());
                        block.push_str(&word[1..]);
                    }
                    _ => {
                        block.push(' ');
                        block.push_str(word);
                    }
                }
            }
            block.push_str(". ");
        }
        block.truncate(BLOCK);
        block
    })
}

/// Numbers that look as if they were thrown, the same ones for each beginning (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn word(&mut self) -> &'static str {
        let many = WORDS.len() as u64;
        // Less than the number of words, so it fits.
        WORDS[usize::try_from(self.next() % many).unwrap_or_default()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_as_many_bytes_as_were_asked_for_and_says_which_one_it_is() {
        for bytes in [3, 100, BLOCK, 3 * BLOCK + 7] {
            let text = text(bytes, 7);
            assert_eq!(text.len(), bytes);
            assert!(text.starts_with("7. "));
        }
    }

    #[test]
    fn it_is_the_same_each_time_needs_no_escape_and_is_varied() {
        let one = text(BLOCK, 1);
        assert_eq!(one, text(BLOCK, 1));
        assert_eq!(serde_json::to_string(&one).unwrap().len(), one.len() + 2);
        let words: std::collections::BTreeSet<_> = one.split(' ').collect();
        assert!(words.len() > 80, "{}", words.len());
    }

    #[test]
    fn no_two_numbers_have_the_same_sentence() {
        let sentences: std::collections::BTreeSet<_> = (0..10_000).map(sentence).collect();
        assert_eq!(sentences.len(), 10_000);
    }
}
