//! The fixed tables. Sample values, near to what was real on their day.

/// The day of the rates.
pub(super) const DATE: &str = "2025-06-30";

/// Fees in percent.
const FEES: [(&str, f64); 6] = [
    ("bank transfer", 1.0),
    ("direct debit", 0.5),
    ("credit card", 2.5),
    ("platinum credit card", 2.0),
    ("gold debit card", 3.5),
    ("invoice", 0.0),
];

/// A currency, and how much of it one US dollar is.
#[derive(Debug, PartialEq)]
pub(super) struct Currency {
    pub(super) code: &'static str,
    per_dollar: f64,
}

const CURRENCIES: [Currency; 12] = [
    Currency {
        code: "USD",
        per_dollar: 1.0,
    },
    Currency {
        code: "EUR",
        per_dollar: 0.8489,
    },
    Currency {
        code: "GBP",
        per_dollar: 0.7285,
    },
    Currency {
        code: "JPY",
        per_dollar: 144.02,
    },
    Currency {
        code: "CNY",
        per_dollar: 7.1638,
    },
    Currency {
        code: "CHF",
        per_dollar: 0.7932,
    },
    Currency {
        code: "INR",
        per_dollar: 85.76,
    },
    Currency {
        code: "CAD",
        per_dollar: 1.361,
    },
    Currency {
        code: "AUD",
        per_dollar: 1.5198,
    },
    Currency {
        code: "SGD",
        per_dollar: 1.2714,
    },
    Currency {
        code: "KRW",
        per_dollar: 1350.4,
    },
    Currency {
        code: "BRL",
        per_dollar: 5.4325,
    },
];

/// A method as the table has it, and its fee. Case and white space around it do not count.
pub(super) fn fee(method: &str) -> Option<(&'static str, f64)> {
    FEES.into_iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(method.trim()))
}

pub(super) fn methods() -> Vec<&'static str> {
    FEES.map(|(method, _)| method).to_vec()
}

pub(super) fn currency(code: &str) -> Option<&'static Currency> {
    CURRENCIES
        .iter()
        .find(|known| known.code.eq_ignore_ascii_case(code.trim()))
}

pub(super) fn codes() -> Vec<&'static str> {
    CURRENCIES.iter().map(|currency| currency.code).collect()
}

/// How much one of `base` is in `target`, to six significant digits.
pub(super) fn rate(base: &Currency, target: &Currency) -> f64 {
    let exact = target.per_dollar / base.per_dollar;
    format!("{exact:.5e}").parse().unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_where_one_was() {
        for a in &CURRENCIES {
            for b in &CURRENCIES {
                assert!(
                    (rate(a, b) * rate(b, a) - 1.0).abs() < 1e-4,
                    "{} {}",
                    a.code,
                    b.code
                );
            }
        }
        assert_eq!(
            currency(" eur ").map(|known| rate(&CURRENCIES[0], known)),
            Some(0.8489)
        );
        assert_eq!(currency("XXX"), None);
        assert_eq!(fee("Bank Transfer"), Some(("bank transfer", 1.0)));
    }
}
