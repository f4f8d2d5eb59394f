//! Masking of held secrets: no form of one stays in a text, in a value, or over the border of two
//! answers.
#![no_main]

use inspect::{MASK, Masker, StreamMask};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|parts: (String, String, String, u8)| {
    let (secret, before, after, at) = parts;
    let letters = secret.chars().count();
    // A held secret has an end, and what could be the mask itself is none.
    if !(8..=200).contains(&letters)
        || secret.trim() != secret
        || secret.chars().any(|c| c.is_control() || MASK.contains(c))
    {
        return;
    }
    let masker = Masker::new([secret.as_str()]);
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let quoted = json!(secret).to_string();
    for form in [
        secret.clone(),
        hex,
        quoted[1..quoted.len() - 1].to_owned(),
        secret.chars().rev().collect(),
    ] {
        let text = format!("{before} {form} {after}");
        let masked = masker
            .mask(&text)
            .unwrap_or_else(|| panic!("{form:?} is not found"));
        assert!(!masked.contains(&form), "{form:?} stays in {masked:?}");
        for range in masker.find(&text, None) {
            assert!(text.get(range).is_some());
        }
        let mut value = json!({"list": [text]});
        masker.mask_value(&mut value);
        let Value::String(inside) = &value["list"][0] else {
            panic!("the text is gone")
        };
        assert!(!inside.contains(&form), "{form:?} stays in {inside:?}");
        let cut = (0..=form.len())
            .filter(|index| form.is_char_boundary(*index))
            .nth(1 + usize::from(at) % letters.max(2))
            .unwrap_or(1);
        if !form.is_char_boundary(cut) {
            continue;
        }
        let mut stream_mask = StreamMask::default();
        let (mut first, mut second) = (form[..cut].to_owned(), form[cut..].to_owned());
        masker.mask_next(&mut first, &mut stream_mask);
        masker.mask_next(&mut second, &mut stream_mask);
        assert!(
            !(first.clone() + &second).contains(&form),
            "{form:?} is readable in {first:?} and {second:?}"
        );
    }
});
