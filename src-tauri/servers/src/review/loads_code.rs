//! Environment variables that decide which code is loaded, or that are code themselves.

/// Names, in upper case: Windows does not tell upper from lower case, and the rest lose nothing by
/// the doubt.
const NAMES: [&str; 44] = [
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "SHELL",
    "IFS",
    // Shells run the file that these name, or the text itself.
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "PROMPT_COMMAND",
    "PS4",
    // Interpreters load modules from these, or take options in which code can stand.
    "NODE_OPTIONS",
    "NODE_PATH",
    "BUN_OPTIONS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PYTHONUSERBASE",
    "PYTHONINSPECT",
    "PYTHONBREAKPOINT",
    "PYTHONWARNINGS",
    "PYTHONEXECUTABLE",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "PERLLIB",
    "RUBYOPT",
    "RUBYLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
    "DOTNET_STARTUP_HOOKS",
    "CORECLR_PROFILER_PATH",
    // Programs that are started by other programs.
    "EDITOR",
    "VISUAL",
    "PAGER",
    "BROWSER",
    "GCONV_PATH",
    "OPENSSL_CONF",
];

/// Beginnings of names, in upper case: every variable of the loader, of git's commands and of npm's
/// configuration.
const BEGINNINGS: [&str; 12] = [
    "LD_",
    "DYLD_",
    "BASH_FUNC_",
    "LUA_INIT_",
    "LUA_PATH_",
    "LUA_CPATH_",
    "GIT_SSH",
    "GIT_CONFIG",
    "GIT_EXTERNAL",
    "NPM_CONFIG_SCRIPT_SHELL",
    "NPM_CONFIG_NODE_OPTIONS",
    "COR_PROFILER",
];

/// More of git's variables that name a program or a folder with programs.
const GIT: [&str; 8] = [
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR",
    "GIT_DIR",
];

/// Whether a variable of this name decides which code is loaded.
pub(crate) fn loads_code(name: &str) -> bool {
    let name = name.trim().to_uppercase();
    NAMES.contains(&name.as_str())
        || GIT.contains(&name.as_str())
        || BEGINNINGS
            .iter()
            .any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::loads_code;

    #[test]
    fn what_loads_code_is_known_in_any_spelling() {
        for name in [
            "LD_PRELOAD",
            "ld_audit",
            "DYLD_INSERT_LIBRARIES",
            "Node_Options",
            "PATH",
            "Path",
            "ENV",
            "GIT_SSH_COMMAND",
            " PATH",
        ] {
            assert!(loads_code(name), "{name}");
        }
    }

    #[test]
    fn ordinary_settings_are_left_alone() {
        for name in [
            "LOG_LEVEL",
            "NODE_ENV",
            "GITHUB_TOKEN",
            "FILE_PATH",
            "PORT",
            "ENVIRONMENT",
            "GIT_AUTHOR_NAME",
            "PYTHONUNBUFFERED",
        ] {
            assert!(!loads_code(name), "{name}");
        }
    }
}
