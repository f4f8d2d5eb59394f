//! Names: likeness is mutual, and every name is like itself.
#![no_main]

use inspect::{Catalogue, Likeness, is_disguised, likeness};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|names: (String, String)| {
    let (one, other) = names;
    assert_eq!(likeness(&one, &other), likeness(&other, &one));
    assert_eq!(likeness(&one, &one), Some(Likeness::Exact));
    let _ = is_disguised(&one);
    let catalogue = Catalogue::of([("a", one.as_str()), ("b", other.as_str())]);
    for finding in catalogue.foreign_tools("b", &other) {
        assert!(other.get(finding.span).is_some());
    }
    assert!(
        catalogue
            .look_alikes("b", &other)
            .iter()
            .all(|(server, _, _)| *server == "a")
    );
});
