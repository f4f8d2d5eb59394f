//! A name server that follows a script.

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

/// Names with their answers, one per question; the last one stays.
#[derive(Default)]
pub struct Scripted(Mutex<HashMap<String, Name>>);

#[derive(Default)]
struct Name {
    answers: VecDeque<Vec<IpAddr>>,
    asked: usize,
}

impl Scripted {
    /// Knows no name.
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Knows one name, by an answer per question. Every answer is one or more addresses.
    pub fn knowing(name: &str, answers: &[&str]) -> Arc<Self> {
        Self::new().and(name, answers)
    }

    /// Knows one name more.
    pub fn and(self: Arc<Self>, name: &str, answers: &[&str]) -> Arc<Self> {
        let answers = answers
            .iter()
            .map(|answer| {
                answer
                    .split(' ')
                    .map(|address| address.parse().unwrap())
                    .collect()
            })
            .collect();
        self.0
            .lock()
            .unwrap()
            .insert(name.to_owned(), Name { answers, asked: 0 });
        self
    }

    /// How often it was asked about this name.
    pub fn asked(&self, name: &str) -> usize {
        self.0
            .lock()
            .unwrap()
            .get(name)
            .map_or(0, |name| name.asked)
    }
}

impl egress::Resolver for Scripted {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let mut names = self.0.lock().unwrap();
        let name = names.entry(host.to_owned()).or_default();
        name.asked += 1;
        let answer = if name.answers.len() > 1 {
            name.answers.pop_front()
        } else {
            name.answers.front().cloned()
        };
        ready(answer.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))).boxed()
    }
}
