//! How much of a model's attention a text takes, estimated: every model counts in its own way.

/// So many ASCII characters make about one token, as in the definitions of tools.
const ASCII: usize = 4;

/// About how many tokens a text is: four ASCII characters make one, and so does each other
/// character.
pub fn estimated_tokens(text: &str) -> u32 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    u32::try_from(ascii.div_ceil(ASCII) + others).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_letters_or_one_chinese_character_are_a_token() {
        assert_eq!(estimated_tokens(""), 0);
        assert_eq!(estimated_tokens("read_file"), 3);
        assert_eq!(estimated_tokens("读取文件 ok"), 5);
    }
}
