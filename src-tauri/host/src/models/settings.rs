//! Whether a model can be reached as a form says. Pure.

use api::{ErrorCode, HostError};
use egress::{Url, check_address};
use protocol::{ModelSettings, has_hidden};
use servers::error;

/// The longest name of a model at its service, in characters.
pub(super) const LONGEST_NAME: usize = 256;
/// The fewest and the most tokens that a model can read and write together.
const CONTEXT: std::ops::RangeInclusive<u32> = 1_024..=16_777_216;

/// Settings as they are kept: without blanks around what was typed, and without `/` at the end of
/// the address.
///
/// Fails with `bad_url`, `bad_name`, and `bad_setting` for a size that no model has.
pub(crate) fn checked(settings: ModelSettings) -> Result<ModelSettings, HostError> {
    let typed = settings.url.trim().trim_end_matches('/').to_owned();
    let bad = |problem: String| error::host(ErrorCode::BadUrl, problem);
    let url = Url::parse(&typed)
        .map_err(|problem| bad(format!("the address cannot be read: {problem}")))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad(
            "the address of a model has no query and no fragment".to_owned()
        ));
    }
    // Where that is, is looked at whenever something is sent there.
    if !(settings.plain_nearby && url.scheme() == "http") {
        check_address(&url).map_err(|problem| bad(problem.to_string()))?;
    }
    let name = settings.name.trim().to_owned();
    if !is_name(&name) {
        return Err(error::host(
            ErrorCode::BadName,
            format!("the name of a model has 1 to {LONGEST_NAME} visible characters and no blanks"),
        ));
    }
    if !CONTEXT.contains(&settings.context) {
        let (least, most) = (CONTEXT.start(), CONTEXT.end());
        return Err(error::host(
            ErrorCode::BadSetting,
            format!("a model can read {least} to {most} tokens"),
        ));
    }
    Ok(ModelSettings {
        plain_nearby: settings.plain_nearby && url.scheme() == "http",
        url: typed,
        name,
        ..settings
    })
}

/// Whether a model can be called that.
pub(super) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
        && !name.chars().any(|c| c.is_control() || c.is_whitespace())
        && !has_hidden(name)
}

/// To whom a key of these settings is shown.
pub(crate) fn origin(settings: &ModelSettings) -> String {
    Url::parse(&settings.url)
        .map_or_else(|_| String::new(), |url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ModelService;

    fn at(url: &str, plain_nearby: bool) -> ModelSettings {
        ModelSettings {
            service: ModelService::Ollama,
            url: url.to_owned(),
            name: " qwen3:8b ".to_owned(),
            context: 8_192,
            sees_images: false,
            plain_nearby,
        }
    }

    #[test]
    fn the_default_address_of_each_service_can_be_used() {
        for service in ModelService::ALL {
            let settings = checked(at(service.address(), false)).unwrap();
            assert_eq!(settings.url, service.address());
            assert_eq!(settings.name, "qwen3:8b");
        }
    }

    #[test]
    fn an_address_says_where_and_nothing_more() {
        assert_eq!(
            checked(at(" https://models.example/v1// ", true)).unwrap(),
            ModelSettings {
                name: "qwen3:8b".to_owned(),
                ..at("https://models.example/v1", false)
            },
            "with https: there is no choice to make"
        );
        for (url, plain_nearby) in [
            ("http://models.home:11434", false),
            ("https://models.example/?key=1", false),
            ("https://models.example/#x", false),
            ("https://me:word@models.example", false),
            ("ftp://models.example", true),
            ("models.example", true),
            ("", false),
        ] {
            let refused = checked(at(url, plain_nearby));
            assert_eq!(refused.unwrap_err().code, ErrorCode::BadUrl, "{url}");
        }
        assert!(
            checked(at("http://models.home:11434", true))
                .unwrap()
                .plain_nearby
        );
    }

    #[test]
    fn a_name_or_a_size_that_no_model_has_is_refused() {
        let good = at("https://models.example", false);
        let long = "x".repeat(LONGEST_NAME + 1);
        for name in ["", "two words", "a\u{202e}b", "a\nb", long.as_str()] {
            let name = name.to_owned();
            let refused = checked(ModelSettings {
                name,
                ..good.clone()
            });
            assert_eq!(refused.unwrap_err().code, ErrorCode::BadName);
        }
        for context in [0, 1_023, u32::MAX] {
            let refused = checked(ModelSettings {
                context,
                ..good.clone()
            });
            assert_eq!(refused.unwrap_err().code, ErrorCode::BadSetting);
        }
    }
}
