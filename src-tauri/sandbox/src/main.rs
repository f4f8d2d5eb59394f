//! `majordomo-jail --lifeline FD -- COMMAND ARG…`: starts a server and ends with it.

fn main() -> std::process::ExitCode {
    sandbox::launch::main()
}
