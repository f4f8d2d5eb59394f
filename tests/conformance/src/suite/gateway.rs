//! `conformance-host`, while the suite speaks to it.

use conformance::{Trouble, beside};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A host that runs before a server of one era. It ends with its standard input, so it outlives
/// nobody.
pub struct Gateway {
    child: Child,
    address: String,
}

impl Gateway {
    /// Starts it, and waits until it can be reached.
    pub fn start(era: &str) -> Result<Self, Trouble> {
        let mut child = Command::new(beside("conformance-host")?)
            .arg(era)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or("it has no standard output")?;
        let mut said = String::new();
        BufReader::new(out).read_line(&mut said)?;
        let address = said.trim().to_owned();
        if !address.starts_with("http://") {
            return Err(format!("the gateway cannot be reached: {address}").into());
        }
        Ok(Self { child, address })
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Has it end, and waits until it has.
    pub fn end(mut self) -> Result<(), Trouble> {
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the gateway ended with {status}").into())
        }
    }
}
