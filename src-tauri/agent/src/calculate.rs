//! The tool that calculates: exactly, with decimals, and nothing else.
//!
//! Always true here:
//! - no digit is lost on the way; what has no end as a decimal is rounded once, at the end, and said
//!   to be;
//! - an expression has no names and no powers, so that how long it takes is bounded by how long it is.

use crate::request::ToolDefinition;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};
use serde_json::{Map, Value, json};

/// The name of the tool.
pub(crate) const CALCULATE: &str = "calculate";

/// The longest expression, in characters.
const LONGEST: usize = 500;
/// How deep parentheses may stand in each other.
const DEEPEST: usize = 32;
/// To how many digits behind the point it is rounded what has no end, and the most that can be asked
/// for.
const DIGITS: u32 = 20;

/// Its definition.
pub(crate) fn definition() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "maxLength": LONGEST,
                "description": "As (500 - 10) * 83.58 or round(96.5 * 0.93, 2). No signs but these, no units, \
                    and no commas in numbers."
            }
        },
        "required": ["expression"]
    });
    ToolDefinition {
        name: CALCULATE.to_owned(),
        description: "Calculates exactly, with decimals: + - * / ( ) and round(x, digits), which \
            rounds halves away from zero."
            .to_owned(),
        schema: schema.as_object().cloned().unwrap_or_else(Map::new),
    }
}

/// What the tool answers to these arguments. Fails with what is wrong with them.
pub(crate) fn answer(arguments: &Map<String, Value>) -> Result<String, String> {
    let expression = arguments.get("expression").and_then(Value::as_str);
    let expression = expression.ok_or("`expression` is a text")?;
    calculate(expression)
}

/// The value of an expression, in decimals.
fn calculate(expression: &str) -> Result<String, String> {
    if expression.chars().count() > LONGEST {
        return Err(format!("an expression has at most {LONGEST} characters"));
    }
    let mut reader = Reader {
        rest: expression,
        depth: 0,
    };
    let value = reader.sum()?;
    match reader.next() {
        None => Ok(decimals(&value)),
        Some(sign) => Err(format!("{sign:?} cannot stand there")),
    }
}

/// Reads an expression from the left to the right.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// What stands next.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes a sign, if it stands next.
    fn take(&mut self, sign: char) -> bool {
        let is_next = self.next() == Some(sign);
        if is_next {
            self.rest = self.rest.get(sign.len_utf8()..).unwrap_or_default();
        }
        is_next
    }

    fn must(&mut self, sign: char) -> Result<(), String> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(format!("{sign:?} is missing")),
        }
    }

    fn sum(&mut self) -> Result<BigRational, String> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') || self.take('−') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<BigRational, String> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') || self.take('×') {
                value *= self.factor()?;
            } else if self.take('/') || self.take('÷') {
                let by = self.factor()?;
                if by.is_zero() {
                    return Err("it divides by zero".to_owned());
                }
                value /= by;
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<BigRational, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} times"));
        }
        let value = self.value()?;
        self.depth -= 1;
        Ok(value)
    }

    fn value(&mut self) -> Result<BigRational, String> {
        if self.take('-') || self.take('−') {
            return Ok(-self.factor()?);
        }
        if self.take('+') {
            return self.factor();
        }
        if self.take('(') {
            let value = self.sum()?;
            self.must(')')?;
            return Ok(value);
        }
        if let Some(rest) = self.rest.strip_prefix("round") {
            self.rest = rest;
            return self.round();
        }
        self.number()
    }

    fn round(&mut self) -> Result<BigRational, String> {
        self.must('(')?;
        let value = self.sum()?;
        let mut digits = 0;
        if self.take(',') {
            let asked = self.number()?;
            let asked = asked.is_integer().then(|| asked.to_integer());
            let asked = asked.and_then(|digits| u32::try_from(digits).ok());
            digits = asked
                .filter(|digits| *digits <= DIGITS)
                .ok_or_else(|| format!("it rounds to 0 to {DIGITS} digits"))?;
        }
        self.must(')')?;
        Ok(rounded(&value, digits))
    }

    /// A number: digits, and digits behind a point.
    fn number(&mut self) -> Result<BigRational, String> {
        let next = self.next();
        let digits = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_digit());
            text.split_at(end.unwrap_or(text.len())).0.len()
        };
        let (whole, rest) = self.rest.split_at(digits(self.rest));
        let behind = rest.strip_prefix('.').unwrap_or_default();
        let (part, after) = behind.split_at(digits(behind));
        if whole.is_empty() && part.is_empty() {
            return Err(match next {
                None => "a number is missing at the end".to_owned(),
                Some(sign) => format!("a number is expected where {sign:?} stands"),
            });
        }
        self.rest = match part.is_empty() {
            true => rest,
            false => after,
        };
        let all: BigInt = format!("{whole}{part}")
            .parse()
            .map_err(|_| "it is no number".to_owned())?;
        let places = u32::try_from(part.len()).unwrap_or(u32::MAX);
        Ok(BigRational::new(all, BigInt::from(10).pow(places)))
    }
}

/// Rounded to so many digits behind the point, halves away from zero.
fn rounded(value: &BigRational, digits: u32) -> BigRational {
    let scale = BigRational::from_integer(BigInt::from(10).pow(digits));
    (value * &scale).round() / scale
}

/// As a decimal number, with no more digits than it needs.
fn decimals(value: &BigRational) -> String {
    let places = places(value);
    let shown = rounded(value, places.unwrap_or(DIGITS));
    let places = places.unwrap_or(DIGITS) as usize;
    let scale = BigInt::from(10).pow(u32::try_from(places).unwrap_or(DIGITS));
    let digits = (shown.abs() * BigRational::from_integer(scale)).to_integer();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, behind) = digits.split_at(digits.len() - places);
    let sign = if shown.is_negative() { "-" } else { "" };
    let text = match behind.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        behind => format!("{sign}{whole}.{behind}"),
    };
    match shown == *value {
        true => text,
        false => format!("{text} (rounded to {DIGITS} digits behind the point)"),
    }
}

/// After how many digits behind the point it ends, if it does within as many as an expression has.
fn places(value: &BigRational) -> Option<u32> {
    let mut rest = value.denom().clone();
    let (mut twos, mut fives) = (0, 0);
    for (by, count) in [(2, &mut twos), (5, &mut fives)] {
        let by = BigInt::from(by);
        while (&rest % &by).is_zero() {
            rest /= &by;
            *count += 1;
        }
    }
    (rest == BigInt::from(1)).then_some(twos.max(fives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn it_calculates_as_on_paper() {
        for (expression, expected) in [
            ("500 * 0.02", "10"),
            ("(500 - 10) * 83.58", "40954.2"),
            ("(1250 - 1250*0.01) * 83.58", "103430.25"),
            ("96.5 * 0.93", "89.745"),
            ("round(96.5 * 0.93, 2)", "89.75"),
            ("round(-0.5)", "-1"),
            ("0.1 + 0.2", "0.3"),
            ("-(2 - 5) * +2", "6"),
            ("1 / 8", "0.125"),
            ("1 - 2 - 3", "-4"),
            ("8 / 2 / 2", "2"),
            (".5 + 1", "1.5"),
            ("2 × 3 ÷ 4 − 1", "0.5"),
            ("0 * -1", "0"),
        ] {
            assert_eq!(
                calculate(expression).as_deref(),
                Ok(expected),
                "{expression}"
            );
        }
    }

    #[test]
    fn what_has_no_end_is_rounded_and_says_so() {
        expect!["0.66666666666666666667 (rounded to 20 digits behind the point)"]
            .assert_eq(&calculate("2/3").unwrap());
        assert_eq!(calculate("2/3*3").as_deref(), Ok("2"));
    }

    #[test]
    fn what_it_cannot_calculate_it_says() {
        let deep = "(".repeat(400);
        let long = "1+".repeat(300);
        let wrong = [
            "",
            "1 +",
            "1,250 * 2",
            "2 ** 3",
            "2 ^ 8",
            "x + 1",
            "1 / (2 - 2)",
            "(1",
            "1)",
            "round(1, 21)",
            "round(1, 0.5)",
            "1e9",
            "open('f')",
            &deep,
            &long,
        ];
        let said: Vec<String> = wrong
            .iter()
            .map(|expression| calculate(expression).unwrap_err())
            .collect();
        expect![[r#"
            a number is missing at the end
            a number is missing at the end
            ',' cannot stand there
            a number is expected where '*' stands
            '^' cannot stand there
            a number is expected where 'x' stands
            it divides by zero
            ')' is missing
            ')' cannot stand there
            it rounds to 0 to 20 digits
            it rounds to 0 to 20 digits
            'e' cannot stand there
            a number is expected where 'o' stands
            it is nested more than 32 times
            an expression has at most 500 characters"#]]
        .assert_eq(&said.join("\n"));
    }

    proptest! {
        #[test]
        fn whatever_it_is_given_it_answers_in_a_bounded_text(expression in "[0-9.+*/() ,a-z-]{0,500}") {
            if let Ok(answer) = calculate(&expression) {
                prop_assert!(answer.len() < 4 * LONGEST, "{answer}");
            }
        }

        #[test]
        fn sums_of_cents_are_those_of_whole_numbers(one in -1_000_000_i64..1_000_000, other in 0_i64..1_000_000) {
            let cents = |n: i64| format!("{}{}.{:02}", if n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100);
            let sum = calculate(&format!("{} + {}", cents(one), cents(other))).unwrap();
            let expected = calculate(&format!("{} / 100", one + other)).unwrap();
            prop_assert_eq!(sum, expected);
        }
    }
}
