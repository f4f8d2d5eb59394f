//! Whole answers of which only a part was passed on, or for which nobody waited: files in the data
//! folder, for the person.
//!
//! Always true here:
//! - a file is for nobody but this user, is there whole or not at all, and is never written over;
//! - what does not read back as it was written is an error;
//! - all of them together stay below a size, a number and an age, and the oldest go first.

use crate::db::to_json;
use crate::{StoreError, folder};
use protocol::{CallId, Content, Timestamp, ToolResult};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of the files, in the data folder.
pub(crate) const FOLDER: &str = "answers";
/// How old a text becomes.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How many there are at most.
const COUNT: usize = 500;
/// How much of the disk all of them take, in bytes.
const BYTES: u64 = 256 * 1024 * 1024;
/// How a file begins that holds an answer with all its parts.
const BEGIN: &str = "majordomo-answer 2";
/// How one of earlier versions begins, which holds the text alone.
const BEGIN_TEXT: &str = "majordomo-answer 1";
/// The longest first line that is read, in bytes.
const HEAD: u64 = 256;

/// The folder of whole answers.
#[derive(Debug, Clone)]
pub struct FullResults {
    dir: PathBuf,
}

/// A file in the folder, by what its first line says.
struct ResultFile {
    path: PathBuf,
    /// When it was written; the oldest of all if it does not say so.
    at: Timestamp,
    bytes: u64,
}

impl FullResults {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            dir: data_dir.join(FOLDER),
        }
    }

    /// Keeps a whole answer, and lets those go that are too many, too large or too old by `now`.
    pub async fn keep(
        &self,
        call: &CallId,
        answer: &ToolResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (here, path, call) = (self.clone(), self.path(call)?, call.clone());
        let text = to_json(answer)?;
        blocking(move || {
            folder::make(&here.dir).map_err(StoreError::of_folder)?;
            here.write(&path, &call, &text, now)
                .map_err(StoreError::of_folder)?;
            here.tidy_blocking(now)
        })
        .await
    }

    /// The whole answer.
    pub async fn read(&self, call: &CallId) -> Result<ToolResult, StoreError> {
        let (path, call) = (self.path(call)?, call.clone());
        blocking(move || {
            let whole = match fs::read(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(StoreError::AnswerGone { call });
                }
                whole => whole.map_err(StoreError::of_folder)?,
            };
            let damaged = || StoreError::AnswerDamaged { call: call.clone() };
            let whole = String::from_utf8(whole).map_err(|_| damaged())?;
            let (head, text) = whole.split_once('\n').ok_or_else(damaged)?;
            let (begin, rest) = begin(head).ok_or_else(damaged)?;
            let sum = rest.split_whitespace().next().ok_or_else(damaged)?;
            if sum != checksum(&call, text) {
                return Err(damaged());
            }
            if begin == BEGIN_TEXT {
                return Ok(of_text(text));
            }
            serde_json::from_str(text).map_err(|_| damaged())
        })
        .await
    }

    /// Whether there is a whole answer of this call.
    pub async fn has(&self, call: &CallId) -> bool {
        let Ok(path) = self.path(call) else {
            return false;
        };
        blocking(move || Ok(path.is_file())).await.unwrap_or(false)
    }

    /// Lets those go that are too many, too large or too old.
    pub async fn tidy(&self, now: Timestamp) -> Result<(), StoreError> {
        let here = self.clone();
        blocking(move || here.tidy_blocking(now)).await
    }

    /// Only numbers of our own form name a file.
    fn path(&self, call: &CallId) -> Result<PathBuf, StoreError> {
        let digits = call.as_str().strip_prefix("call-").unwrap_or_default();
        if digits.is_empty()
            || digits.len() > 32
            || !digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        {
            return Err(StoreError::AnswerGone { call: call.clone() });
        }
        Ok(self
            .dir
            .join(format!("{}.txt", call.as_str().to_ascii_lowercase())))
    }

    fn write(&self, path: &Path, call: &CallId, text: &str, now: Timestamp) -> io::Result<()> {
        if path.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let unfinished = path.with_extension("new");
        let mut file = folder::private()
            .create(true)
            .truncate(true)
            .open(&unfinished)?;
        file.write_all(format!("{BEGIN} {} {}\n", checksum(call, text), now.0).as_bytes())?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    }

    fn tidy_blocking(&self, now: Timestamp) -> Result<(), StoreError> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(StoreError::of_folder)?,
        };
        let mut kept = Vec::new();
        for entry in entries {
            let path = entry.map_err(StoreError::of_folder)?.path();
            match path.extension().and_then(|end| end.to_str()) {
                Some("txt") => kept.push(ResultFile::of(path)),
                // Left by a run that was ended while it wrote.
                Some("new") => fs::remove_file(&path).map_err(StoreError::of_folder)?,
                _ => {}
            }
        }
        kept.sort_by_key(|file| std::cmp::Reverse(file.at));
        let mut bytes = 0;
        for (index, file) in kept.iter().enumerate() {
            bytes += file.bytes;
            if index >= COUNT || bytes > BYTES || now.since(file.at) > AGE {
                fs::remove_file(&file.path).map_err(StoreError::of_folder)?;
            }
        }
        Ok(())
    }
}

impl ResultFile {
    fn of(path: PathBuf) -> Self {
        let mut head = String::new();
        let read =
            File::open(&path).and_then(|file| BufReader::new(file.take(HEAD)).read_line(&mut head));
        let at = read
            .ok()
            .and_then(|_| begin(&head)?.1.split_whitespace().nth(1)?.parse().ok());
        let bytes = fs::metadata(&path).map_or(0, |about| about.len());
        Self {
            path,
            at: Timestamp(at.unwrap_or(0)),
            bytes,
        }
    }
}

/// How a file begins, and the rest of its first line.
fn begin(head: &str) -> Option<(&'static str, &str)> {
    let beginnings = [BEGIN, BEGIN_TEXT];
    let found = |begin: &'static str| Some((begin, head.strip_prefix(begin)?));
    beginnings.into_iter().find_map(found)
}

fn of_text(text: &str) -> ToolResult {
    ToolResult {
        content: vec![Content::text(text)],
        ..ToolResult::default()
    }
}

/// Of the text together with the call that it belongs to, so that one file cannot stand for
/// another.
fn checksum(call: &CallId, text: &str) -> String {
    let mut sum = Sha256::new();
    sum.update(call.as_str().as_bytes());
    sum.update(b"\n");
    sum.update(text.as_bytes());
    sum.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or(Err(StoreError::Closed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::NOW;
    use serde_json::{Map, json};

    fn answers() -> (tempfile::TempDir, FullResults) {
        let folder = tempfile::tempdir().unwrap();
        let answers = FullResults::new(folder.path());
        (folder, answers)
    }

    #[tokio::test]
    async fn a_text_reads_back_as_it_was_written_for_nobody_else() {
        let (_folder, answers) = answers();
        let call = CallId::random();
        answers
            .keep(&call, &of_text("one\r\n\ntwo"), NOW)
            .await
            .unwrap();
        let found = answers.read(&call).await.unwrap();
        assert_eq!(found, of_text("one\r\n\ntwo"));
        assert!(answers.has(&call).await);
        assert!(
            answers.keep(&call, &of_text("another"), NOW).await.is_err(),
            "it was written over"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(
                fs::metadata(answers.path(&call).unwrap())
                    .unwrap()
                    .permissions()
                    .mode()
                    & 0o777,
                0o600
            );
        }
    }

    #[tokio::test]
    async fn every_part_is_kept_and_what_earlier_versions_kept_is_read() {
        let (_folder, answers) = answers();
        let (call, old) = (CallId::random(), CallId::random());
        let image = Content::Image {
            data: "aGVsbG8=".into(),
            mime_type: "image/png".into(),
            extra: Map::from_iter([("annotations".to_owned(), json!({"priority": 1}))]),
        };
        let mut answer = of_text("a picture");
        answer.content.push(image);
        answer.structured = Some(json!({"width": 1}));
        answer.extra = Map::from_iter([("_meta".to_owned(), json!({"x/y": 1}))]);
        answers.keep(&call, &answer, NOW).await.unwrap();
        assert_eq!(answers.read(&call).await.unwrap(), answer);
        let sum = checksum(&old, "the text");
        let file = format!("{BEGIN_TEXT} {sum} {}\nthe text", NOW.0);
        folder::make(&answers.dir).unwrap();
        fs::write(answers.path(&old).unwrap(), file).unwrap();
        assert_eq!(answers.read(&old).await.unwrap(), of_text("the text"));
    }

    #[tokio::test]
    async fn what_is_not_there_or_not_whole_is_an_error() {
        let (_folder, answers) = answers();
        let (call, other) = (CallId::random(), CallId::random());
        assert!(matches!(
            answers.read(&call).await,
            Err(StoreError::AnswerGone { .. })
        ));
        answers
            .keep(&call, &of_text("the text"), NOW)
            .await
            .unwrap();
        let path = answers.path(&call).unwrap();
        // A file under another name is not another answer.
        fs::copy(&path, answers.path(&other).unwrap()).unwrap();
        assert!(matches!(
            answers.read(&other).await,
            Err(StoreError::AnswerDamaged { .. })
        ));
        for damage in [
            &b"majordomo-answer 1 00 5\nthe text"[..],
            b"majordomo-answer 2 00 5\nthe text",
            b"majordomo-answer 3 00 5\nthe text",
            b"the text",
            b"",
            b"\xff\n",
        ] {
            fs::write(&path, damage).unwrap();
            assert!(
                matches!(
                    answers.read(&call).await,
                    Err(StoreError::AnswerDamaged { .. })
                ),
                "{damage:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_number_that_is_none_of_ours_leads_to_no_file() {
        let (folder, answers) = answers();
        fs::write(folder.path().join("call-1.txt"), "x").unwrap();
        for call in [
            "../call-1",
            "call-../../etc/passwd",
            "call-",
            "",
            "call-1/../2",
            "C:call-1",
        ] {
            assert!(
                matches!(
                    answers.read(&CallId::from(call)).await,
                    Err(StoreError::AnswerGone { .. })
                ),
                "{call}"
            );
        }
    }

    #[tokio::test]
    async fn the_oldest_and_the_unfinished_go() {
        let (_folder, answers) = answers();
        let calls: Vec<CallId> = (0..COUNT + 2)
            .map(|number| CallId::from(format!("call-{number:016x}")))
            .collect();
        folder::make(&answers.dir).unwrap();
        for (number, call) in calls.iter().enumerate() {
            answers
                .write(
                    &answers.path(call).unwrap(),
                    call,
                    "text",
                    Timestamp(NOW.0 + number as i64),
                )
                .unwrap();
        }
        fs::write(answers.dir.join("call-1.new"), "half").unwrap();
        answers.tidy(NOW).await.unwrap();
        assert!(
            !answers.has(&calls[0]).await
                && !answers.has(&calls[1]).await
                && answers.has(&calls[2]).await
        );
        assert!(!answers.dir.join("call-1.new").exists());
        answers.tidy(NOW.plus(AGE + AGE)).await.unwrap();
        assert_eq!(fs::read_dir(&answers.dir).unwrap().count(), 0);
    }
}
