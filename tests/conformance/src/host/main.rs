//! `conformance-host ERA`: Majordomo in front of the conforming server of one era (`handshake` or
//! `modern`), for the server scenarios of the official suite. It writes the address at which its
//! gateway can be reached, and ends when its standard input does.
//!
//! Always true here: what comes in is an application like any other, with a token of its own; what
//! it may call is said by a rule, and nothing is left out of what a call goes through.

mod opened;
mod person;
mod with_token;

use conformance::Trouble;
use opened::Opened;
use std::io::Write as _;
use std::process::ExitCode;
use tokio::io::AsyncReadExt as _;
use with_token::WithToken;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(era) = std::env::args().nth(1) else {
        say("usage: conformance-host ERA");
        return ExitCode::from(2);
    };
    match serve(&era).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            say(&trouble.to_string());
            ExitCode::FAILURE
        }
    }
}

async fn serve(era: &str) -> Result<(), Trouble> {
    let opened = Opened::begin(era).await?;
    let door = WithToken::before(&opened.address, &opened.token).await?;
    say(&door.address);
    let mut nothing = Vec::new();
    tokio::io::stdin().read_to_end(&mut nothing).await?;
    opened.end().await;
    Ok(())
}

fn say(line: &str) {
    // A closed pipe is no failure of ours.
    let _ = writeln!(std::io::stdout(), "{line}");
}
