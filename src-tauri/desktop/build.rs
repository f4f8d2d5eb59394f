//! Prepares the window's build: pages to embed, and who may call which command.
//!
//! Always true here:
//! - a fresh clone builds, because pages that were not built yet are replaced by a placeholder;
//! - every command needs a permission of `permissions/`, and a window has only those of its file in
//!   `capabilities/`;
//! - without the feature `window` nothing is done, and nothing of Tauri is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src-tauri/desktop/build.rs");
    #[cfg(feature = "window")]
    window::prepare()?;
    Ok(())
}

#[cfg(feature = "window")]
mod window {
    use std::error::Error;
    use std::fs;
    use std::path::Path;
    use tauri_build::{AppManifest, Attributes};

    const CAPABILITIES: &str = "./src-tauri/desktop/capabilities/*.json";
    const PERMISSIONS: &str = "./src-tauri/desktop/permissions/*.toml";
    const PAGES: [&str; 2] = ["ui/dist/index.html", "ui/dist/question.html"];

    /// `cargo xtask run` takes a page with this text in it for one that was not built.
    const PLACEHOLDER: &str = "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"majordomo\" content=\"placeholder\">\n\
        <title>Majordomo</title>\n<p>The pages of this window were not built. Start it with <code>cargo xtask run</code>.</p>\n";

    pub fn prepare() -> Result<(), Box<dyn Error>> {
        for page in PAGES {
            place_if_missing(Path::new(page))?;
            println!("cargo:rerun-if-changed={page}");
        }
        // Tauri watches its own default folders only.
        println!("cargo:rerun-if-changed=src-tauri/desktop/capabilities");
        println!("cargo:rerun-if-changed=src-tauri/desktop/permissions");
        let manifest = AppManifest::new().permissions_path_pattern(PERMISSIONS);
        tauri_build::try_build(
            Attributes::new()
                .capabilities_path_pattern(CAPABILITIES)
                .app_manifest(manifest),
        )?;
        Ok(())
    }

    fn place_if_missing(page: &Path) -> std::io::Result<()> {
        if page.exists() {
            return Ok(());
        }
        if let Some(folder) = page.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(page, PLACEHOLDER)
    }
}
