//! Writing so that a machine switched off at any point leaves the state before or after it.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file whole or not at all: aside, to the disk, then renamed over the old one.
///
/// # Errors
/// If the disk refuses.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, true)
}

/// Writes a file that can be made again, whole or not at all as far as programs see it. It is not waited for until it is on
/// the disk: if the power fails just then, it may be lost or empty, and is written again.
///
/// # Errors
/// If the disk refuses.
pub fn write_again(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, false)
}

fn write(path: &Path, bytes: &[u8], wait: bool) -> Result<()> {
    let fail = |e: &std::io::Error| Error::io("write", path, e);
    let dir = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(dir).map_err(|e| fail(&e))?;
    let mut aside = tempfile::Builder::new().prefix(".writing-").tempfile_in(dir).map_err(|e| fail(&e))?;
    aside.write_all(bytes).map_err(|e| fail(&e))?;
    if wait {
        aside.as_file().sync_all().map_err(|e| fail(&e))?;
    }
    aside.persist(path).map_err(|e| fail(&e.error))?;
    #[cfg(unix)]
    if wait {
        fs::File::open(dir).and_then(|d| d.sync_all()).map_err(|e| fail(&e))?;
    }
    Ok(())
}

/// Makes a file or folder readable for its owner alone (on Unix; Windows keeps a user's files apart by itself).
///
/// # Errors
/// If the disk refuses.
pub fn private(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if path.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| Error::io("protect", path, &e))?;
    }
    let _ = path;
    Ok(())
}
