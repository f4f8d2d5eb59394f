//! What is said to Windows when a program is started, and what cannot be said so.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

/// Whether a command is a script that the system hands to `cmd.exe`, which reads its arguments by
/// rules of its own.
pub(crate) fn is_script(command: &Path) -> bool {
    // Windows passes over dots and blanks at the end of a name.
    let name = command.to_string_lossy();
    let name = name.trim_end_matches([' ', '.']).to_ascii_lowercase();
    name.ends_with(".bat") || name.ends_with(".cmd")
}

/// A program and its arguments as one line, which programs take apart again by the rules of the
/// Windows C library. Fails where a part cannot stand in it.
pub(crate) fn of(command: &Path, args: &[OsString]) -> io::Result<String> {
    let mut line = String::new();
    for part in [command.as_os_str()]
        .into_iter()
        .chain(args.iter().map(AsRef::as_ref))
    {
        if !line.is_empty() {
            line.push(' ');
        }
        quote(part, &mut line)?;
    }
    Ok(line)
}

fn quote(part: &OsStr, line: &mut String) -> io::Result<()> {
    let part = part.to_str().filter(|part| !part.contains('\0'));
    let part = part.ok_or(io::ErrorKind::InvalidInput)?;
    // Programs with rules of their own, `cmd.exe` among them, know their words only without marks.
    let marks = part.is_empty() || part.contains(char::is_whitespace);
    line.extend(marks.then_some('"'));
    let mut backslashes = 0;
    for c in part.chars() {
        match c {
            '\\' => backslashes += 1,
            // Those before a quotation mark count twice, and one more makes the mark a character.
            '"' => line.extend(std::iter::repeat_n('\\', backslashes + 1)),
            _ => {}
        }
        if c != '\\' {
            backslashes = 0;
        }
        line.push(c);
    }
    if marks {
        line.extend(std::iter::repeat_n('\\', backslashes));
        line.push('"');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a line apart as the C library does.
    fn taken_apart(line: &str) -> Vec<String> {
        let mut parts = Vec::new();
        let mut chars = line.chars().peekable();
        while chars.peek().is_some() {
            let (mut part, mut quoted) = (String::new(), false);
            loop {
                let mut backslashes = 0;
                while chars.next_if_eq(&'\\').is_some() {
                    backslashes += 1;
                }
                let mark = chars.next_if_eq(&'"').is_some();
                let kept = if mark { backslashes / 2 } else { backslashes };
                part.extend(std::iter::repeat_n('\\', kept));
                if mark && backslashes % 2 == 1 {
                    part.push('"');
                } else if mark {
                    quoted = !quoted;
                } else {
                    match chars.next() {
                        None => break,
                        Some(' ') if !quoted => break,
                        Some(c) => part.push(c),
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    #[test]
    fn every_argument_arrives_as_it_was_given() {
        let args = [
            "",
            " ",
            "plain",
            "two words",
            r"C:\Program Files\",
            r"\\server\share\",
            r#"say "yes""#,
            r#"\"#,
            r#"\\""#,
            r#"a\\\"b"#,
            "&|<>^%PATH%!",
            "tab\tnewline\n",
            "编辑器",
        ];
        let given: Vec<_> = args.iter().map(OsString::from).collect();
        let line = of(Path::new(r"C:\a b\node.exe"), &given).unwrap();
        let arrived = taken_apart(&line);
        assert_eq!(arrived[0], r"C:\a b\node.exe");
        assert_eq!(arrived[1..], args);
    }

    #[test]
    fn what_would_end_the_line_early_is_refused() {
        let told = of(Path::new("node.exe"), &["a\0b".into()]);
        assert_eq!(told.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_script_for_the_shell_is_told_by_its_name_however_it_is_written() {
        for script in ["npx.cmd", r"C:\x\NPX.CMD", "a.bat", "a.bat.", "a.cmd . "] {
            assert!(is_script(Path::new(script)), "{script}");
        }
        for program in ["node.exe", "cmd", "a.cmd.exe", "bat"] {
            assert!(!is_script(Path::new(program)), "{program}");
        }
    }
}
