//! The line to the service of one model.

use api::{ErrorCode, HostError};
use egress::{
    Bytes, Egress, EgressError, HeaderName, HeaderValue, Reach, Request, Response, Settings, Url,
    header,
};
use protocol::{ModelService, ModelSettings, Secret};
use serde_json::Value;
use servers::{Servers, error};
use std::time::Duration;
use tokio::time::timeout;

/// The most that is read of a list, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// The most that is read of what a service says instead of one, in bytes.
const LONGEST_PROBLEM: usize = 64 * 1024;

/// A line to a service. It sends nothing by itself.
pub(crate) struct Line {
    egress: Egress,
    service: ModelService,
    base: String,
    reach: Reach,
    key: Option<Secret>,
}

impl Line {
    /// The line to where these settings lead, with this key. Fails with `proxy_failed`, if that of
    /// the system cannot be used.
    pub(crate) fn to(
        servers: &Servers,
        settings: &ModelSettings,
        key: Option<Secret>,
    ) -> Result<Self, HostError> {
        let egress = Egress::new(Settings {
            proxy: servers.proxy().clone(),
            ..Settings::default()
        });
        Ok(Self {
            egress: egress.map_err(|problem| error::model_service(&problem))?,
            service: settings.service,
            base: settings.url.clone(),
            reach: if settings.plain_nearby {
                Reach::TypedNearby
            } else {
                Reach::Typed
            },
            key,
        })
    }

    /// What is at a path below the address; `None` if nothing is. All of it is waited for so long.
    ///
    /// Fails with a code that says what to do: of the network as everywhere else, and
    /// `model_key_refused`, `model_quota_spent`, `model_service_failed` and `not_a_model_service`
    /// for what the service answers.
    pub(crate) async fn get(&self, path: &str, wait: Duration) -> Result<Option<Bytes>, HostError> {
        let late = |_| error::model_service(&EgressError::TimedOut { after: wait });
        timeout(wait, self.whole(path, wait)).await.map_err(late)?
    }

    async fn whole(&self, path: &str, wait: Duration) -> Result<Option<Bytes>, HostError> {
        let url = self.at(path)?;
        let mut request = Request::get(url, self.reach.clone());
        request.wait = wait;
        request
            .headers
            .insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if self.service == ModelService::Anthropic {
            let version = HeaderValue::from_static("2023-06-01");
            request
                .headers
                .insert(HeaderName::from_static("anthropic-version"), version);
        }
        self.show_key(&mut request)?;
        let failed = |problem| error::model_service(&problem);
        let response = self.egress.send(request).await.map_err(failed)?;
        match response.status.as_u16() {
            200..=299 => Ok(Some(response.bytes(LONGEST).await.map_err(failed)?)),
            404 | 405 => Ok(None),
            400 if self.service == ModelService::Gemini => {
                let said = response.bytes(LONGEST_PROBLEM).await.unwrap_or_default();
                Err(error::model_status(google_means(&said)))
            }
            status => Err(error::model_status(status)),
        }
    }
}

impl Line {
    /// Sends a body to a path below the address, with headers that hold no credential. The head of
    /// the answer is waited for so long.
    ///
    /// Fails with `bad_url` and `bad_setting` before anything is sent; what happens afterwards comes
    /// as it is.
    pub(crate) async fn post(
        &self,
        path: &str,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        wait: Duration,
    ) -> Result<Result<Response, EgressError>, HostError> {
        let mut request = Request::post(self.at(path)?, self.reach.clone(), body);
        request.wait = wait;
        for (name, value) in headers {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse()) {
                request.headers.insert(name, value);
            }
        }
        self.show_key(&mut request)?;
        Ok(self.egress.send(request).await)
    }

    fn at(&self, path: &str) -> Result<Url, HostError> {
        Url::parse(&format!("{}{path}", self.base)).map_err(|problem| {
            error::host(
                ErrorCode::BadUrl,
                format!("the address of the model cannot be read: {problem}"),
            )
        })
    }

    fn show_key(&self, request: &mut Request) -> Result<(), HostError> {
        if let Some(key) = &self.key {
            let (name, value) = credential(self.service, key)?;
            request.headers.insert(name, value);
        }
        Ok(())
    }
}

/// Which status a bad request to Google stands for: a key that is none makes a request one.
fn google_means(said: &[u8]) -> u16 {
    let said: Value = serde_json::from_slice(said).unwrap_or_default();
    // What it has to say it sends as a list at some of its addresses.
    let said = said.get(0).unwrap_or(&said);
    let details = said.pointer("/error/details").and_then(Value::as_array);
    let is_of_key = |detail: &Value| detail["reason"] == "API_KEY_INVALID";
    if details.is_some_and(|details| details.iter().any(is_of_key)) {
        401
    } else {
        400
    }
}

/// The header by which a service knows who asks. Fails with `bad_setting` where a key cannot be
/// one.
pub(crate) fn credential(
    service: ModelService,
    key: &Secret,
) -> Result<(HeaderName, HeaderValue), HostError> {
    let (name, text) = match service {
        ModelService::Anthropic => (HeaderName::from_static("x-api-key"), key.clone()),
        ModelService::Gemini => (HeaderName::from_static("x-goog-api-key"), key.clone()),
        ModelService::Responses | ModelService::Chat | ModelService::Ollama => (
            header::AUTHORIZATION,
            Secret::new(format!("Bearer {}", key.expose())),
        ),
    };
    let is_plain = key.expose().chars().all(|c| c.is_ascii_graphic());
    let value = is_plain
        .then(|| HeaderValue::from_str(text.expose()).ok())
        .flatten();
    let mut value = value.ok_or_else(|| {
        error::host(
            ErrorCode::BadSetting,
            "a key holds visible ASCII characters only, and no blanks",
        )
    })?;
    value.set_sensitive(true);
    Ok((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    #[test]
    fn each_service_is_shown_the_key_in_its_own_header() {
        let key = Secret::new("sk-0123456789".to_owned());
        for service in ModelService::ALL {
            let (name, value) = credential(service, &key).unwrap();
            let expected = match service {
                ModelService::Anthropic => ("x-api-key", "sk-0123456789"),
                ModelService::Gemini => ("x-goog-api-key", "sk-0123456789"),
                _ => ("authorization", "Bearer sk-0123456789"),
            };
            assert_eq!((name.as_str(), value.to_str().unwrap()), expected);
            assert!(value.is_sensitive(), "it is not printed");
        }
    }

    #[tokio::test]
    async fn who_begins_an_answer_and_does_not_end_it_is_waited_for_no_longer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let stalls = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            // An answer in front of its question is none.
            stream.read_u8().await.unwrap();
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{";
            stream.write_all(head).await.unwrap();
            std::future::pending::<()>().await;
        };
        let line = Line {
            egress: Egress::new(Settings::default()).unwrap(),
            service: ModelService::Ollama,
            base,
            reach: Reach::Typed,
            key: None,
        };
        let told = tokio::select! {
            told = line.get("/api/tags", Duration::from_secs(1)) => told,
            () = stalls => unreachable!(),
        };
        let error = told.unwrap_err();
        assert_eq!(error.code, ErrorCode::TimedOut);
        // And not after as long as a body may take.
        assert!(error.message.contains("within 1 s"), "{error}");
    }

    #[test]
    fn a_bad_request_to_google_is_a_bad_key_where_it_says_so() {
        let refusal = |reason: &str| {
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.",
                "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]}})
        };
        let invalid = refusal("API_KEY_INVALID");
        for (said, expected) in [
            (invalid.to_string(), 401),
            (json!([invalid]).to_string(), 401),
            (refusal("OTHER").to_string(), 400),
            ("API_KEY_INVALID".to_owned(), 400),
            (String::new(), 400),
        ] {
            assert_eq!(google_means(said.as_bytes()), expected, "{said}");
        }
    }

    #[test]
    fn a_key_that_would_write_another_header_is_none() {
        for text in ["sk\r\nhost: evil.example", "sk 0123", "ключ-ключ", "sk\t1"] {
            let refused = credential(ModelService::Chat, &Secret::new(text.to_owned()));
            assert_eq!(refused.unwrap_err().code, ErrorCode::BadSetting, "{text:?}");
        }
    }
}
