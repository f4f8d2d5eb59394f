//! What is found and covered is the same as without any short cut: each finder beside a slow one
//! that looks at everything, with texts made of the pieces that matter.

mod pieces;

use crate::credentials::Credentials;
use crate::instructions::{of_text, reference};
use crate::personal::PersonalNumbers;
use pieces::{long_text, text};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_same_credentials_are_found(text in text()) {
        let (fast, slow) = (Credentials::of(&text), Credentials::reference(&text));
        prop_assert_eq!(fast.findings(&text), slow.findings(&text));
        prop_assert_eq!(fast.places(&text), slow.places(&text));
    }

    #[test]
    fn the_same_personal_numbers_are_found(text in text()) {
        let (fast, slow) = (PersonalNumbers::of(&text), PersonalNumbers::reference(&text));
        prop_assert_eq!(fast.findings(&text), slow.findings(&text));
    }

    #[test]
    fn the_same_instructions_are_found(text in long_text()) {
        prop_assert_eq!(of_text(&text), reference(&text));
    }
}
