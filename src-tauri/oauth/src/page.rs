//! The page that a browser shows when it comes back.
//!
//! Always true here: it holds our own words only, no script, nothing from elsewhere, and it is kept
//! nowhere.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The words of the page, in the person's language.
#[derive(Debug, Clone)]
pub struct Page {
    /// The language, such as `en` or `zh-CN`.
    pub language: String,
    /// The application's name.
    pub title: String,
    /// The sign-in worked: go back to the application.
    pub done: String,
    /// It did not work: look at the application.
    pub failed: String,
    /// Nothing waits here.
    pub nothing: String,
}

const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::CONNECTION, HeaderValue::from_static("close")),
];

impl Page {
    /// The page that says this sentence.
    pub(crate) fn say(&self, status: StatusCode, sentence: &str) -> Response {
        let html = format!(
            "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{}</title>\
             <body style=\"font:1.1rem system-ui;max-width:34rem;margin:20vh auto;padding:0 1rem\"><h1>{}</h1><p>{}</p></body></html>",
            escape(&self.language),
            escape(&self.title),
            escape(&self.title),
            escape(sentence),
        );
        (status, HEADERS, html).into_response()
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
