//! Where traces and metrics go.

use egress::{EgressError, Url};

/// A collector that speaks OTLP over HTTP, by its base address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    base: Url,
}

/// Why nothing can be sent to a collector.
#[derive(Debug, thiserror::Error)]
pub enum CollectorError {
    /// The address cannot be used.
    #[error("the collector's address cannot be used: {problem}")]
    BadUrl {
        /// What is wrong with it.
        problem: String,
    },
    /// There is no way out to it.
    #[error("the collector cannot be reached: {0}")]
    NoWay(#[from] EgressError),
    /// What is sent cannot be prepared.
    #[error("what goes to the collector cannot be prepared: {problem}")]
    NotPrepared {
        /// What is wrong.
        problem: String,
    },
}

impl Collector {
    /// Reads the address that a person typed: `https:` anywhere, `http:` on this computer only, and
    /// nothing in it but a place.
    ///
    /// # Errors
    /// [`CollectorError::BadUrl`] with what is wrong with it; what was typed is not repeated, as it
    /// may hold a key.
    pub fn new(typed: &str) -> Result<Self, CollectorError> {
        let bad = |problem: &str| CollectorError::BadUrl {
            problem: problem.to_owned(),
        };
        let base = Url::parse(typed.trim())
            .map_err(|_| bad("it is no address, such as https://collector.example:4318"))?;
        egress::check_address(&base).map_err(|error| match error {
            EgressError::BadUrl { problem } => CollectorError::BadUrl { problem },
            other => CollectorError::NoWay(other),
        })?;
        if base.query().is_some() || base.fragment().is_some() {
            return Err(bad(
                "it must end before any \"?\" or \"#\", because keys do not belong into the address",
            ));
        }
        Ok(Self { base })
    }

    /// The address of one kind of signal, `traces` or `metrics`, as OTLP has it.
    pub(crate) fn address(&self, signal: &str) -> String {
        format!("{}/v1/{signal}", self.base.as_str().trim_end_matches('/'))
    }
}

impl std::fmt::Display for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.base.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_a_place_and_nothing_else() {
        for good in [
            "https://collector.example:4318",
            "http://127.0.0.1:4318/",
            "http://localhost:4318/otlp",
            "https://10.1.2.3/",
        ] {
            assert!(Collector::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "collector.example:4318",
            "ftp://collector.example",
            "http://collector.example:4318",
            "https://user:password@collector.example",
            "https://collector.example/?key=abcdefgh",
            "https://collector.example/#abcdefgh",
            "file:///etc/passwd",
        ] {
            let error = Collector::new(bad).unwrap_err();
            assert!(
                !error.to_string().contains("abcdefgh") && !error.to_string().contains("password@"),
                "{error}"
            );
        }
    }

    #[test]
    fn each_signal_has_its_own_address_below() {
        let address = |typed| Collector::new(typed).unwrap().address("traces");
        assert_eq!(
            address("http://localhost:4318"),
            "http://localhost:4318/v1/traces"
        );
        assert_eq!(
            address("https://collector.example/otlp/"),
            "https://collector.example/otlp/v1/traces"
        );
    }
}
