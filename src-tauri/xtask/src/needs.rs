//! What must be on the system, how to see whether it is there, and what its packages are called.

use crate::program::{find, other, output, succeeds};
use crate::python;
use std::path::Path;

/// Something that the system must offer.
#[derive(Debug)]
pub struct Need {
    /// What it is, for people.
    pub what: &'static str,
    /// What tells that it is there.
    pub sign: Sign,
    /// Packages for apt-get, dnf, pacman and zypper. dnf and zypper also take the path of a file
    /// that a package must hold.
    pub packages: [&'static str; 4],
}

/// What tells that something is there.
#[derive(Debug)]
pub enum Sign {
    /// One of these programs is on the search path.
    Program(&'static [&'static str]),
    /// pkg-config knows this library.
    Library(&'static str),
    /// fontconfig knows a font for this language.
    FontFor(&'static str),
    /// D-Bus can start this service.
    Service(&'static str),
    /// A Python that can make virtual environments.
    PythonVenv,
}

impl Need {
    /// Whether it is there.
    pub fn is_met(&self) -> bool {
        match self.sign {
            Sign::Program(names) => names.iter().any(|name| find(name).is_some()),
            Sign::Library(name) => succeeds(other("pkg-config", ["--exists", name])),
            Sign::FontFor(language) => output(other(
                "fc-list",
                [format!(":lang={language}"), "family".to_owned()],
            ))
            .is_some_and(|fonts| !fonts.is_empty()),
            Sign::Service(name) => Path::new("/usr/share/dbus-1/services")
                .join(format!("{name}.service"))
                .is_file(),
            Sign::PythonVenv => python::with_venv().is_some(),
        }
    }
}

/// A C compiler, for SQLite and the cryptography of TLS.
const C_COMPILER: Need = Need {
    what: "a C compiler",
    sign: Sign::Program(&["cc"]),
    packages: ["build-essential", "gcc", "base-devel", "gcc"],
};

const WEBKIT: Need = Need {
    what: "WebKitGTK 4.1, which draws the window",
    sign: Sign::Library("webkit2gtk-4.1"),
    packages: [
        "libwebkit2gtk-4.1-dev",
        "webkit2gtk4.1-devel",
        "webkit2gtk-4.1",
        "webkit2gtk3-devel",
    ],
};

const TRAY: Need = Need {
    what: "Ayatana's indicators, which show the icon in the tray",
    sign: Sign::Library("ayatana-appindicator3-0.1"),
    packages: [
        "libayatana-appindicator3-dev",
        "libayatana-appindicator-gtk3-devel",
        "libayatana-appindicator",
        "libayatana-appindicator3-devel",
    ],
};

/// What building the host without a window needs.
pub const TERMINAL: &[Need] = &[C_COMPILER];

/// What building and opening the window needs.
pub const WINDOW: &[Need] = &[C_COMPILER, WEBKIT, TRAY];

/// What all the tests need.
pub const TESTS: &[Need] = &[
    C_COMPILER,
    WEBKIT,
    TRAY,
    Need {
        what: "WebKitWebDriver, which clicks in the window",
        sign: Sign::Program(&["WebKitWebDriver"]),
        packages: [
            "webkit2gtk-driver",
            "/usr/bin/WebKitWebDriver",
            "webkitgtk-6.0",
            "/usr/bin/WebKitWebDriver",
        ],
    },
    Need {
        what: "Xvfb, a display of its own for the window",
        sign: Sign::Program(&["Xvfb"]),
        packages: [
            "xvfb",
            "xorg-x11-server-Xvfb",
            "xorg-server-xvfb",
            "/usr/bin/Xvfb",
        ],
    },
    Need {
        what: "D-Bus, a session of its own for the keyring",
        sign: Sign::Program(&["dbus-daemon"]),
        packages: ["dbus", "dbus-daemon", "dbus", "/usr/bin/dbus-daemon"],
    },
    Need {
        what: "dbus-send, which tells when the keyring is ready",
        sign: Sign::Program(&["dbus-send"]),
        packages: ["dbus", "dbus-tools", "dbus", "/usr/bin/dbus-send"],
    },
    Need {
        what: "gnome-keyring, a keyring of its own for the tests",
        sign: Sign::Program(&["gnome-keyring-daemon"]),
        packages: [
            "gnome-keyring",
            "gnome-keyring",
            "gnome-keyring",
            "gnome-keyring",
        ],
    },
    Need {
        what: "the accessibility service, which tells what a screen reader hears",
        sign: Sign::Service("org.a11y.Bus"),
        packages: [
            "at-spi2-core",
            "at-spi2-core",
            "at-spi2-core",
            "at-spi2-core",
        ],
    },
    Need {
        what: "a font with Latin letters",
        sign: Sign::FontFor("en"),
        packages: [
            "fonts-dejavu-core",
            "dejavu-sans-fonts",
            "ttf-dejavu",
            "dejavu-fonts",
        ],
    },
    Need {
        what: "a font with Chinese letters",
        sign: Sign::FontFor("zh-cn"),
        packages: [
            "fonts-noto-cjk",
            "google-noto-sans-cjk-fonts",
            "noto-fonts-cjk",
            "google-noto-sans-sc-fonts",
        ],
    },
    Need {
        what: "Chromium, for the tests of the pages in a browser",
        sign: Sign::Program(crate::test::CHROMIUM),
        packages: ["chromium", "chromium", "chromium", "chromium"],
    },
    Need {
        what: "Python 3.10 or newer with venv, for two of the servers that the tests talk to",
        sign: Sign::PythonVenv,
        packages: ["python3-venv", "python3", "python", "python3"],
    },
    Need {
        what: "git, which one of those servers calls",
        sign: Sign::Program(&["git"]),
        packages: ["git", "git", "git", "git"],
    },
];
