//! What a check of a schema promises.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn schema_of(schema: &Value) -> Schema {
    Schema::compile(schema.as_object().unwrap())
}

/// On a stack as small as those of the threads that check.
fn check(schema: Value, value: Value) -> Result<(), SchemaProblem> {
    let check = move || schema_of(&schema).check(&value);
    std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap()
}

/// `a0` refers to `a1`, and so on, in a given way; the last one ends it.
fn chain(length: usize, link: impl Fn(Value) -> Value, end: Value) -> Value {
    let next = |number: usize| json!({ "$ref": format!("#/$defs/a{number}") });
    let mut defs: Map<String, Value> = (0..length)
        .map(|number| (format!("a{number}"), link(next(number + 1))))
        .collect();
    defs.insert(format!("a{length}"), end);
    json!({ "$ref": "#/$defs/a0", "$defs": defs })
}

#[test]
fn case_40_references_that_double_the_work_at_each_step_are_not_followed() {
    let doubling = |next: Value| json!({ "allOf": [next, next] });
    for length in [40, 200] {
        let problem = check(
            chain(length, doubling, json!({ "type": "object" })),
            json!({}),
        )
        .unwrap_err();
        assert_eq!(problem, SchemaProblem::TooLarge);
    }
    assert_eq!(
        check(chain(10, doubling, json!({ "type": "object" })), json!({})),
        Ok(())
    );
    let tree = json!({ "properties": { "a": { "allOf": [{ "$ref": "#" }, { "$ref": "#" }] } } });
    let deep = (0..60).fold(json!({}), |inside, _| json!({ "a": inside }));
    assert!(check(tree, deep).is_err());
}

#[test]
fn case_40_references_that_lead_deeper_than_the_stack_are_not_followed() {
    let long = check(
        chain(4_000, |next| next, json!({ "type": "object" })),
        json!({}),
    );
    assert!(matches!(long, Err(SchemaProblem::Unusable(_))), "{long:?}");
    let round = chain(
        200,
        |next| next,
        json!({ "properties": { "a": { "$ref": "#/$defs/a0" } } }),
    );
    let deep = (0..100).fold(json!({}), |inside, _| json!({ "a": inside }));
    assert!(check(round, deep).is_err());
    assert_eq!(check(json!({ "$ref": "#" }), json!({})), Ok(()));
}

#[test]
fn case_40_hostile_patterns_are_given_up() {
    let of = |pattern: &str, text: String| {
        check(
            json!({ "properties": { "a": { "pattern": pattern } } }),
            json!({ "a": text }),
        )
    };
    assert!(of("^(a+)+$", format!("{}b", "a".repeat(100_000))).is_err());
    assert!(of("(?<x>a*)*\\1b", "a".repeat(50_000)).is_err());
    assert!(of("^(?=(a+)+$)(a|aa)+$", format!("{}b", "a".repeat(50_000))).is_err());
    for bomb in [
        "(a{1000}){1000}",
        "((((a{0,30}){0,30}){0,30}){0,30}){0,30}",
        "(?!x)((((\\w{0,30}){0,30}){0,30}){0,30}){0,30}z",
    ] {
        assert!(
            matches!(of(bomb, "a".into()), Err(SchemaProblem::Unusable(_))),
            "{bomb}"
        );
    }
    let many: Map<String, Value> = (0..1_000)
        .map(|number| (format!("p{number}"), json!({ "pattern": "a{100}" })))
        .collect();
    assert!(matches!(
        check(json!({ "properties": many }), json!({})),
        Err(SchemaProblem::Unusable(_))
    ));
}

#[test]
fn ordinary_references_and_patterns_are_followed() {
    let email = "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
    let schema = json!({
        "type": "object",
        "properties": { "to": { "type": "string", "pattern": email }, "tree": { "$ref": "#/$defs/a~1tree%20" }, "any": { "$ref": "#any" } },
        "$defs": {
            "a/tree ": {
                "type": "object",
                "properties": { "left": { "$ref": "#/$defs/a~1tree%20" }, "right": { "$ref": "#/$defs/a~1tree%20" }, "n": { "type": "integer" } },
            },
            "any": { "$anchor": "any", "anyOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "#any" } }, { "type": "object", "additionalProperties": { "$ref": "#any" } }] },
        },
    });
    let tree = (0..20).fold(
        json!({ "n": 1 }),
        |inside, _| json!({ "left": inside, "right": { "n": 2 } }),
    );
    let any = (0..20).fold(
        json!("end"),
        |inside, _| json!([inside, { "more": "text" }]),
    );
    assert_eq!(
        check(
            schema.clone(),
            json!({ "to": "ada@example.com", "tree": tree, "any": any })
        ),
        Ok(())
    );
    assert!(check(schema.clone(), json!({ "to": "ada..b@example.com" })).is_err());
    assert!(check(schema, json!({ "tree": { "left": { "n": "one" } } })).is_err());
}

#[test]
fn a_long_list_is_checked_by_a_schema_with_references() {
    let schema = json!({
        "properties": { "rows": { "items": { "$ref": "#/$defs/row" } } },
        "$defs": { "row": { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } }, "required": ["a"] } },
    });
    let rows: Vec<Value> = (0..20_000)
        .map(|number| json!({ "a": number, "b": "text" }))
        .collect();
    assert_eq!(check(schema, json!({ "rows": rows })), Ok(()));
}

fn numbers(count: u64) -> Value {
    Value::Array((0..count).map(Value::from).collect())
}

#[test]
fn what_a_check_costs_is_counted_for_every_schema() {
    let conditions: Vec<Value> = (0..6_000)
        .map(|n| json!({ "not": { "const": -1 - n } }))
        .collect();
    let schema = json!({ "items": { "allOf": conditions } });
    assert_eq!(
        check(schema, numbers(100_000)),
        Err(SchemaProblem::TooLarge)
    );
    let unique = json!({ "items": { "uniqueItems": true, "enum": numbers(10_000) } });
    assert_eq!(
        check(unique, numbers(100_000)),
        Err(SchemaProblem::TooLarge)
    );
    let found = json!({ "items": { "pattern": "(a|b|ab)*c[a-f]{20,40}$" } });
    let texts: Vec<Value> = (0..1_000).map(|_| json!("ab".repeat(1_000))).collect();
    assert_eq!(
        check(found, Value::Array(texts)),
        Err(SchemaProblem::TooLarge)
    );
}

#[test]
fn a_long_list_in_which_nothing_fits_is_refused_without_a_list_of_problems() {
    let said = check(json!({ "items": { "type": "string" } }), numbers(1_000_000));
    let Err(SchemaProblem::Invalid(problems)) = said else {
        panic!("{said:?}")
    };
    assert_eq!(problems, ["it does not fit, and is too large to say where"]);
    let said = check(json!({ "items": { "type": "string" } }), numbers(1_000));
    let Err(SchemaProblem::Invalid(problems)) = said else {
        panic!("{said:?}")
    };
    assert_eq!(problems.len(), MAX_PROBLEMS);
    assert_eq!(problems[0], "/0: 0 is not of type \"string\"");
}

#[test]
fn long_names_on_the_way_are_not_repeated_with_each_problem() {
    let value = json!({ "x".repeat(1024 * 1024): numbers(1_000) });
    let schema = json!({ "additionalProperties": { "items": { "type": "string" } } });
    let said = check(schema, value);
    assert_eq!(
        said,
        Err(SchemaProblem::Invalid(vec![
            "it does not fit, and is too large to say where".to_owned()
        ]))
    );
}

#[test]
fn what_others_did_not_look_at_is_not_compiled_without_end() {
    let deep = (0..30).fold(
        json!({ "properties": { "a": {} } }),
        |inside, _| json!({ "allOf": [inside], "unevaluatedProperties": false }),
    );
    let said = check(deep, json!({ "a": 1 }));
    assert!(matches!(said, Err(SchemaProblem::Unusable(_))), "{said:?}");
    let twice = (0..30).map(|number| {
        let next = json!({ "$ref": format!("#/$defs/a{}", number + 1) });
        let part = json!({ "allOf": [next, next], "unevaluatedProperties": false });
        (format!("a{number}"), part)
    });
    let mut defs: Map<String, Value> = twice.collect();
    defs.insert("a30".to_owned(), json!({}));
    let said = check(
        json!({ "$ref": "#/$defs/a0", "$defs": defs }),
        json!({ "a": 1 }),
    );
    assert!(said.is_err(), "{said:?}");
    let usual = json!({
        "allOf": [{ "properties": { "a": { "type": "integer" } } }, { "properties": { "b": {} } }],
        "unevaluatedProperties": false,
    });
    assert_eq!(check(usual.clone(), json!({ "a": 1, "b": 2 })), Ok(()));
    assert!(check(usual, json!({ "a": 1, "c": 2 })).is_err());
}

#[test]
fn a_part_with_an_address_of_its_own_hides_no_work() {
    let doubling = chain(
        40,
        |next| json!({ "allOf": [next, next] }),
        json!({ "type": "object" }),
    );
    let mut hidden = doubling.as_object().cloned().unwrap();
    hidden.insert("$id".to_owned(), json!("https://example.com/inside"));
    let mut harmless: Map<String, Value> = (0..40)
        .map(|number| (format!("a{number}"), json!({})))
        .collect();
    harmless.insert("inside".to_owned(), Value::Object(hidden));
    let schema = json!({ "allOf": [{ "$ref": "#/$defs/inside" }], "$defs": harmless });
    let said = check(schema, json!({}));
    assert!(matches!(said, Err(SchemaProblem::Unusable(_))), "{said:?}");
    let twice = json!({
        "items": { "$ref": "#a" },
        "$defs": { "one": { "$anchor": "a" }, "two": { "$anchor": "a", "type": "string" } },
    });
    assert!(check(twice, json!([1])).is_err());
}

#[test]
fn a_pattern_that_is_given_up_does_not_make_everything_be_checked_again() {
    let texts: Vec<Value> = (0..20)
        .map(|n| json!(format!("{}b{n}", "a".repeat(30))))
        .collect();
    let schema = json!({ "items": { "pattern": "^(?=(a+)+$)(a|aa)+$" } });
    assert!(matches!(
        check(schema.clone(), Value::Array(texts)),
        Err(SchemaProblem::Invalid(_))
    ));
    assert_eq!(check(schema, json!(["aaa"])), Ok(()));
    let names = json!({ "patternProperties": { "^(?=(a+)+$)(a|aa)+$": { "type": "string" } } });
    let fields: Map<String, Value> = (0..200)
        .map(|n| (format!("{}b{n}", "a".repeat(60)), json!(1)))
        .collect();
    assert_eq!(
        check(names, Value::Object(fields)),
        Err(SchemaProblem::TooLarge)
    );
}

#[test]
fn patterns_that_are_long_to_read_are_not_read() {
    for pattern in [r"\cA".repeat(500), r"\d".repeat(900), r"\s".repeat(900)] {
        let said = check(json!({ "pattern": pattern }), json!("a"));
        assert!(matches!(said, Err(SchemaProblem::Unusable(_))), "{said:?}");
    }
}

#[test]
fn a_thousand_addresses_of_mail_are_checked() {
    let email = "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
    let schema = json!({ "items": { "pattern": email, "format": "email" } });
    let addresses = |count: u32| {
        let address = |n| json!(format!("ada{n}@example.com"));
        Value::Array((0..count).map(address).collect())
    };
    assert_eq!(check(schema.clone(), addresses(250)), Ok(()));
    let host = json!({ "items": { "pattern": "^[a-z0-9.-]+\\.example\\.com$" } });
    let hosts = (0..5_000).map(|n| json!(format!("host{n}.example.com")));
    assert_eq!(check(host, Value::Array(hosts.collect())), Ok(()));
}

/// Schemas of a few parts that refer to each other, with all kinds of keywords.
fn schemas(depth: u32) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!({ "type": "integer" })),
        Just(json!({ "type": ["string", "null"] })),
        Just(json!({ "enum": [1, "a", null, [1]] })),
        Just(json!({ "const": { "a": 1 } })),
        Just(json!({ "minimum": 1, "maximum": 2 })),
        Just(json!({ "minLength": 1, "pattern": "^a" })),
        Just(json!({ "pattern": "^(?!b)" })),
        Just(json!({ "required": ["a"], "maxProperties": 2 })),
        Just(json!({ "uniqueItems": true, "minItems": 1 })),
        Just(json!({ "$ref": "#/$defs/one" })),
        Just(json!({ "$ref": "#" })),
    ];
    leaf.prop_recursive(depth, 24, 4, |inner| {
        let many = proptest::collection::vec(inner.clone(), 1..3);
        let single = proptest::sample::select(vec![
            "not",
            "items",
            "contains",
            "additionalProperties",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems",
        ]);
        let lists = proptest::sample::select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]);
        let maps =
            proptest::sample::select(vec!["properties", "patternProperties", "dependentSchemas"]);
        prop_oneof![
            (single, inner.clone()).prop_map(|(key, schema)| json!({ key: schema })),
            (lists, many).prop_map(|(key, schemas)| json!({ key: schemas })),
            (maps, inner.clone(), inner.clone())
                .prop_map(|(key, one, other)| json!({ key: { "a": one, "b": other } })),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(one, two, three)| json!({ "if": one, "then": two, "else": three })),
            (inner.clone(), inner).prop_map(|(one, other)| match (one, other) {
                (Value::Object(mut one), Value::Object(other)) => {
                    one.extend(other);
                    Value::Object(one)
                }
                (one, _) => one,
            }),
        ]
    })
    .boxed()
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(1)),
        Just(json!(2.5)),
        Just(json!("a")),
        Just(json!("b")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec(("[abc]", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_counted_check_says_the_same_as_one_without_bounds(
        root in schemas(4), one in schemas(2), value in values(), draft in any::<bool>(),
    ) {
        let address = if draft { "http://json-schema.org/draft-07/schema#" } else { "https://json-schema.org/draft/2020-12/schema" };
        let schema = json!({ "$schema": address, "allOf": [root], "$defs": { "one": one } });
        let plain = jsonschema::validator_for(&schema);
        let ours = schema_of(&schema);
        match (plain, ours.problem()) {
            (Ok(plain), None) => match ours.check(&value) {
                Ok(()) => prop_assert!(plain.is_valid(&value), "{schema} {value}"),
                Err(SchemaProblem::TooLarge) => {}
                Err(_) => prop_assert!(!plain.is_valid(&value), "{schema} {value}"),
            },
            (Err(_), None) => prop_assert!(false, "{schema}"),
            _ => {}
        }
    }
}
