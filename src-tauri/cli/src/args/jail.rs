//! `majordomoctl jail …`

use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum Jail {
    /// Try to get out of the sandbox in every known way, and show what came of it. Each attempt is
    /// also made without a sandbox: what fails there as well proves nothing. Nothing is harmed.
    /// Fails if an attempt gets out.
    Test {
        /// Only this tier; otherwise every one that this computer has.
        #[arg(long)]
        tier: Option<TierWord>,
    },
    /// How strongly servers can be sandboxed on this computer.
    Strength,
}

/// Tiers that can be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TierWord {
    /// Files, processes and a network of its own.
    Namespaces,
    /// Files and system calls are filtered.
    Landlock,
}
