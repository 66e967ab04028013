//! The file that the lines of a stream go to, and the levels that have one.
//!
//! Unlike other outputs it is not written beside and renamed: it grows, line by line, and what an earlier run has written
//! stays. A run that is killed leaves at most a part of its last line, which the next one cuts off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek as _, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use hashbrown::HashMap;
use serde::Deserialize;

use crate::exit::UsageError;
use crate::inputs::InputLevel;
use crate::inputs::sources::is_dash;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineForm {
    Json,
    Csv,
}

/// An open file of results.
pub(super) struct ResultsFile {
    out: Output,
    is_empty: bool,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

enum Output {
    Stdout,
    File(File),
}

/// The levels that have a line: a bit for each, in words of 64, so that a line takes no more than a word, whatever number
/// it names.
#[derive(Debug, Default)]
pub(super) struct DoneLevels {
    /// By file: the words that have a bit, by number.
    files: HashMap<String, HashMap<usize, u64>>,
}

/// What a line of JSON says of its level.
#[derive(Debug, Deserialize)]
struct ResultKey {
    #[serde(rename = "type")]
    kind: String,
    file: Option<String>,
    number_in_file: Option<usize>,
}

impl LineForm {
    /// The form that a file's name tells; standard output has JSON lines, unless asked for CSV.
    pub(super) fn of(path: &Path, is_csv: bool) -> Result<Self, UsageError> {
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            _ if is_dash(path) => Ok(if is_csv { Self::Csv } else { Self::Json }),
            Some("jsonl" | "ndjson" | "json") if !is_csv => Ok(Self::Json),
            Some("csv") => Ok(Self::Csv),
            _ => {
                let path = path.display();
                Err(UsageError(format!("--results {path}: name a file that ends with .jsonl or .csv, or - for stdout")))
            }
        }
    }
}

impl ResultsFile {
    /// Opens a new file, or continues one.
    pub(super) fn open(path: &Path, form: LineForm, resumes: bool) -> anyhow::Result<(Self, DoneLevels)> {
        if is_dash(path) {
            if resumes {
                bail!(UsageError("--resume needs a file of results; standard output has none".to_owned()));
            }
            return Ok((Self { out: Output::Stdout, is_empty: true, error: None }, DoneLevels::default()));
        }
        let mut options = OpenOptions::new();
        if resumes {
            options.read(true).write(true).create(true).truncate(false);
        } else {
            options.write(true).create_new(true);
        }
        let mut file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => anyhow::Error::new(UsageError(format!(
                "{} is there already; --resume continues it, or name another file",
                path.display()
            ))),
            _ => anyhow::Error::new(error).context(format!("cannot open {}", path.display())),
        })?;
        let mut done = DoneLevels::default();
        let mut is_empty = true;
        if resumes {
            let end =
                done.read(BufReader::new(&file), form).with_context(|| format!("cannot read {}", path.display()))?;
            file.set_len(end).with_context(|| format!("cannot cut off a torn line of {}", path.display()))?;
            file.seek(SeekFrom::End(0))?;
            is_empty = end == 0;
        }
        Ok((Self { out: Output::File(file), is_empty, error: None }, done))
    }

    /// Whether nothing was in it.
    pub(super) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether an error has ended the writing.
    pub(super) const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes a line at once. It has its line break.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        match &mut self.out {
            Output::Stdout => crate::output::print(text),
            Output::File(file) => file.write_all(text.as_bytes()),
        }
    }

    /// Writes a line, unless an earlier one could not be written.
    pub(super) fn try_line(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.line(text).err();
        }
    }

    /// Makes sure that everything is on the disk, and returns what went wrong.
    pub(super) fn end(self) -> io::Result<()> {
        match (self.error, self.out) {
            (Some(error), _) => Err(error),
            (None, Output::File(file)) => file.sync_all(),
            (None, Output::Stdout) => Ok(()),
        }
    }
}

impl DoneLevels {
    /// Reads the lines of an earlier run and returns where the last whole line ends, in bytes.
    fn read(&mut self, mut lines: impl BufRead, form: LineForm) -> io::Result<u64> {
        let (mut line, mut end) = (Vec::new(), 0);
        loop {
            line.clear();
            let n_bytes = lines.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(end);
            }
            end += n_bytes as u64;
            let key = match form {
                LineForm::Json => key_of_json(&line),
                LineForm::Csv => key_of_csv(&line),
            };
            if let Some((file, number)) = key {
                self.insert(file, number);
            }
        }
    }

    fn insert(&mut self, file: String, number: usize) {
        *self.files.entry(file).or_default().entry(number / 64).or_default() |= 1 << (number % 64);
    }

    /// Returns whether a level has a line.
    pub(super) fn contains(&self, at: &InputLevel<'_>) -> bool {
        if self.files.is_empty() {
            return false;
        }
        let (file, number) = (at.path.display().to_string(), at.entry.number());
        self.files
            .get(&file)
            .and_then(|words| words.get(&(number / 64)))
            .is_some_and(|word| word & 1 << (number % 64) != 0)
    }
}

fn key_of_json(line: &[u8]) -> Option<(String, usize)> {
    let key: ResultKey = serde_json::from_slice(line).ok()?;
    let number = key.number_in_file.filter(|_| key.kind == "result")?;
    Some((key.file?, number))
}

/// The columns `file`, `level` and `number_in_file` come first.
fn key_of_csv(line: &[u8]) -> Option<(String, usize)> {
    let line = str::from_utf8(line).ok()?;
    let (file, rest) = match line.strip_prefix('"') {
        Some(quoted) => {
            let end = quoted.find("\",")?;
            (quoted[..end].replace("\"\"", "\""), &quoted[end + 2..])
        }
        None => line.split_once(',').map(|(file, rest)| (file.to_owned(), rest))?,
    };
    let number = rest.split(',').nth(1)?.parse().ok()?;
    Some((file, number))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn lines_of_an_earlier_run_are_known_and_a_torn_one_is_not() {
        let check = |text: &str, form: LineForm, whole: &str| {
            let mut done = DoneLevels::default();
            assert_eq!(done.read(text.as_bytes(), form).unwrap(), whole.len() as u64);
            let words = |words: HashMap<usize, u64>| words.into_iter().collect::<BTreeMap<_, _>>();
            done.files.into_iter().map(|(file, bits)| (file, words(bits))).collect::<BTreeMap<_, _>>()
        };
        let whole = "{\"type\":\"run\"}\nnonsense\n{\"type\":\"result\",\"file\":\"a\",\"number_in_file\":65}\n";
        let torn = format!("{whole}{{\"type\":\"result\",\"file\":\"a\",\"number_in_file\":3}}");
        assert_eq!(check(&torn, LineForm::Json, whole), BTreeMap::from([("a".to_owned(), BTreeMap::from([(1, 2)]))]));
        let whole = "file,level,number_in_file\na,9,1,x\n\"b,\"\"c\",10,2,y\n";
        let word = |bits| BTreeMap::from([(0, bits)]);
        let expect = BTreeMap::from([("a".to_owned(), word(2)), ("b,\"c".to_owned(), word(4))]);
        assert_eq!(check(&format!("{whole}a,1"), LineForm::Csv, whole), expect);
    }

    /// Lines that name many files and huge numbers take memory for themselves only.
    #[test]
    fn huge_numbers_take_no_memory() {
        let mut done = DoneLevels::default();
        let line = |at: usize| {
            let number = usize::MAX - at;
            format!("{{\"type\":\"result\",\"file\":\"{at}\",\"number_in_file\":{number}}}\nf{at},1,{number},x\n")
        };
        let text: String = (0..2_000).map(line).collect();
        assert_eq!(done.read(text.as_bytes(), LineForm::Json).unwrap(), text.len() as u64);
        assert_eq!(done.files.values().map(HashMap::len).sum::<usize>(), 2_000);
        done.read(text.as_bytes(), LineForm::Csv).unwrap();
        assert_eq!(done.files.values().map(HashMap::len).sum::<usize>(), 4_000);
    }

    #[test]
    fn the_name_tells_the_form() {
        let form = |name: &str, is_csv| LineForm::of(Path::new(name), is_csv).ok();
        assert_eq!(form("a.jsonl", false), Some(LineForm::Json));
        assert_eq!([form("a.CSV", true), form("-", true)], [Some(LineForm::Csv); 2]);
        assert_eq!([form("a.sok", false), form("a.jsonl", true)], [None, None]);
    }
}
