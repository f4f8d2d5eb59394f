//! A child's standard input and output, with a message of MCP on each line.

use super::{Line, READ};
use crate::Failure;
use crate::call::{Call, Dialect, Reply, WITH_HANDSHAKE};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};

/// A child's standard input and output.
pub struct Stdio {
    into: ChildStdin,
    out: BufReader<ChildStdout>,
    dialect: Dialect,
    request: Vec<u8>,
    last: Vec<u8>,
}

impl Stdio {
    /// Greets a child that was started with both of them as pipes.
    pub async fn open(child: &mut Child, dialect: Dialect) -> Result<Self, Failure> {
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (into, out) = pipes.ok_or("a process has no pipes")?;
        let mut line = Self {
            into,
            out: BufReader::with_capacity(READ, out),
            dialect,
            request: Vec::new(),
            last: Vec::new(),
        };
        let hello = json!({
            "protocolVersion": WITH_HANDSHAKE,
            "capabilities": {},
            "clientInfo": {"name": "load", "version": "0"},
        });
        let welcome = line.ask("initialize", hello).await?;
        if welcome["result"]["protocolVersion"].is_null() {
            return Err(format!("the greeting was answered with {welcome}").into());
        }
        line.say(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await?;
        Ok(line)
    }

    /// Sends a request while no other is under way, and waits for the answer.
    pub async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let request = self.dialect.request(0, method, params);
        self.say(request.to_string().as_bytes()).await?;
        self.receive().await?;
        Ok(serde_json::from_slice(&self.last)?)
    }

    async fn say(&mut self, message: &[u8]) -> Result<(), Failure> {
        self.write(message);
        self.send().await
    }

    fn write(&mut self, message: &[u8]) {
        self.request.clear();
        self.request.extend_from_slice(message);
        self.request.push(b'\n');
    }
}

impl Line for Stdio {
    fn prepare(&mut self, call: Call) -> Result<(), Failure> {
        self.write(&call.to_server(self.dialect));
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Failure> {
        Ok(self.into.write_all(&self.request).await?)
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        self.last.clear();
        match self.out.read_until(b'\n', &mut self.last).await? {
            0 => Err("the process ended while calls were under way".into()),
            _ => Ok(()),
        }
    }

    fn reply(&self) -> Result<Reply<'_>, Failure> {
        Reply::of_server(&self.last)
    }
}
