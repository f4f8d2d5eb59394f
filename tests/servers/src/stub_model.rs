//! `stub-model`: the service for models of the tests, for programs that are not written in Rust.
//!
//! Each line of its standard input is a script, the steps as JSON in a list; it is answered with the
//! address of a service that follows it. They all end with the standard input.

use std::io::{self, Write as _};
use test_servers::model::{Model, Step};
use tokio::io::{AsyncBufReadExt as _, BufReader};

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut running = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let steps: Vec<Step> = serde_json::from_str(&line)?;
        let model = Model::start(steps).await?;
        let mut out = io::stdout();
        writeln!(out, "{}", model.address())?;
        out.flush()?;
        running.push(model);
    }
    Ok(())
}
