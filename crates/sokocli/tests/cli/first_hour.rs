//! `docs/first-hour.md` is what happens: its commands are run in order in one folder, and what they print is compared
//! with what the page shows.
//!
//! A fence of kind `console` holds commands, `$ ` first, each followed by its output. A comment after a command says
//! what is special about it: `# exit code 1`, or `# figures vary` where numbers and names of strategies depend on the
//! machine.

/// A command of the page.
#[derive(Debug)]
struct Step {
    /// Its line in the page, from 1.
    line: usize,
    command: String,
    /// The output as shown.
    shown: Vec<String>,
}

impl Step {
    fn exit_code(&self) -> i32 {
        let code = self.command.split_once("# exit code ").map(|(_, code)| code.trim().parse());
        code.map_or(0, |code| code.expect("the exit code is a number"))
    }

    fn figures(&self) -> Figures {
        if self.command.ends_with("# figures vary") { Figures::Vary } else { Figures::Stay }
    }

    /// Returns whether this output is what is shown.
    fn shows(&self, real: &[String]) -> bool {
        let figures = self.figures();
        let blocks: Vec<_> = self.shown.split(|line| line == "...").collect();
        fits(&blocks, real, &|shown, real| is_same_line(shown, real, figures))
    }
}

/// Whether numbers and names of strategies are the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figures {
    Stay,
    Vary,
}

/// Reads the commands of a page.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_console = false;
    for (line_idx, line) in page.lines().enumerate() {
        if let Some(kind) = line.strip_prefix("```") {
            in_console = kind == "console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
            steps.push(Step { line: line_idx + 1, command: command.to_owned(), shown: Vec::new() });
        } else if in_console {
            steps.last_mut().expect("a command comes first").shown.push(line.to_owned());
        }
    }
    steps
}

/// Returns whether blocks follow each other with anything between them, the first at the start, the last at the end.
fn fits<P, R>(blocks: &[&[P]], real: &[R], is_same: &dyn Fn(&P, &R) -> bool) -> bool {
    let same =
        |block: &[P], real: &[R]| block.len() == real.len() && block.iter().zip(real).all(|(p, r)| is_same(p, r));
    let [first, middle @ .., last] = blocks else {
        return blocks.iter().all(|block| same(block, real));
    };
    if real.len() < first.len() + last.len() {
        return false;
    }
    let (start, rest) = real.split_at(first.len());
    let (mut rest, end) = rest.split_at(rest.len() - last.len());
    for block in middle.iter().filter(|block| !block.is_empty()) {
        let Some(at) = rest.windows(block.len()).position(|window| same(block, window)) else { return false };
        rest = &rest[at + block.len()..];
    }
    same(first, start) && same(last, end)
}

/// Compares a line that may hold `...` with a real one.
fn is_same_line(shown: &str, real: &str, figures: Figures) -> bool {
    let (shown, real) = (plain(shown, figures), plain(real, figures));
    let pieces: Vec<Vec<char>> = shown.split("...").map(|piece| piece.chars().collect()).collect();
    let pieces: Vec<&[char]> = pieces.iter().map(Vec::as_slice).collect();
    let real: Vec<char> = real.chars().collect();
    shown == real.iter().collect::<String>() || fits(&pieces, &real, &|a, b| a == b)
}

/// Writes a line without what differs from run to run: times and shares, and the widths of columns, which depend on
/// them. Rows of boards stay as they are.
fn plain(line: &str, figures: Figures) -> String {
    if line.contains('#') {
        return line.to_owned();
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let is_unit = |word: &str| matches!(word.trim_end_matches([',', ';', ')']), "s" | "%");
    let plain_word = |(idx, word): (usize, &&str)| {
        let is_measure = words.get(idx + 1).is_some_and(|next| is_unit(next));
        if word.chars().all(|c| c == '─') {
            "─".to_owned()
        } else if is_measure || figures == Figures::Vary {
            without_numbers(strategy_left_out(word))
        } else {
            (*word).to_owned()
        }
    };
    words.iter().enumerate().map(plain_word).collect::<Vec<_>>().join(" ")
}

fn strategy_left_out(word: &str) -> &str {
    let kinds = ["greedy", "fess", "packing", "a-star", "ida-star", "iddfs", "bfs"];
    if kinds.iter().any(|kind| word.starts_with(kind)) { "STRATEGY" } else { word }
}

/// Replaces each number, of digits with points, commas or slashes between them, by `N`.
fn without_numbers(word: &str) -> String {
    let mut text = String::new();
    for (idx, c) in word.char_indices() {
        let is_in_number = text.ends_with('N');
        let goes_on = || word[idx + c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        match c {
            '0'..='9' if is_in_number => {}
            '0'..='9' => text.push('N'),
            '.' | ',' | '/' if is_in_number && goes_on() => {}
            c => text.push(c),
        }
    }
    text
}

#[cfg(unix)]
#[test]
fn the_page_shows_what_happens() {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Stdio};

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(page) = fs::read_to_string(root.join("docs/first-hour.md")) else {
        eprintln!("skipped: the page is not part of a packed crate");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("testdata")).unwrap();
    for name in ["first.sok", "shuffled.sok"] {
        fs::copy(crate::cmd::testdata(name), folder.path().join("testdata").join(name)).unwrap();
    }
    let program_folder = Path::new(env!("CARGO_BIN_EXE_soko")).parent().unwrap().display();
    let path = format!("{program_folder}:{}", std::env::var("PATH").unwrap_or_default());
    let steps = steps(&page);
    assert!(steps.len() >= 30, "{} commands", steps.len());
    for step in steps {
        let mut shell = Command::new("sh");
        // One stream for both, in the order that a terminal shows.
        shell.arg("-c").arg(format!("exec 2>&1\n{}", step.command)).current_dir(folder.path()).stdin(Stdio::null());
        shell.env("PATH", &path).env("LC_ALL", "C.UTF-8").env("HOME", folder.path());
        for name in ["SOKO_LIBRARY", "XDG_DATA_HOME", "COLUMNS", "RUST_LOG", "CLICOLOR_FORCE"] {
            shell.env_remove(name);
        }
        let done = crate::cmd::Done::of(shell.output().unwrap());
        let is_progress =
            |line: &str| line.strip_prefix("level ").is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit()));
        let real: Vec<_> = done.stdout.lines().filter(|line| !is_progress(line)).map(str::to_owned).collect();
        let (place, output) = (format!("line {} of the page: $ {}", step.line, step.command), real.join("\n"));
        assert_eq!(done.code, step.exit_code(), "{place}\n{output}");
        assert!(step.shows(&real), "{place}\nshown:\n{}\nreal:\n{output}", step.shown.join("\n"));
    }
}

#[cfg(not(unix))]
#[test]
fn the_page_shows_what_happens() {
    eprintln!("skipped: the page is for the shell of a Unix system");
}

#[test]
fn pages_are_read_command_by_command() {
    let page = "Text\n```console\n$ soko a  # exit code 1\nout\n...\n$ b\n```\n$ no\n```sh\n$ no\n```\n";
    let steps = steps(page);
    let read: Vec<_> = steps.iter().map(|step| (step.line, step.exit_code(), step.shown.len())).collect();
    assert_eq!(read, [(3, 1, 2), (6, 0, 0)]);
}

#[test]
fn what_differs_is_noticed() {
    let check = |shown: &str, real: &str, command: &str, is_same: bool| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let step = Step { line: 1, command: command.to_owned(), shown: lines(shown) };
        assert_eq!(step.shows(&lines(real)), is_same, "{command}\n{shown}\n--\n{real}");
    };
    check("a\nb", "a\nb", "", true);
    check("a\nb", "a\nb\nc", "", false);
    check("a\n...", "a\nb\nc", "", true);
    check("a\n...\nc", "a\nc", "", true);
    check("...\nb\n...\nd", "a\nb\nc\nd", "", true);
    check("...\nb\n...\nd", "a\nc\nb\nc", "", false);
    check("", "a", "", false);
    check("{\"a\":1,...}", "{\"a\":1,\"b\":2}", "", true);
    check("{\"a\":1,...}", "{\"a\":2,\"b\":2}", "", false);
    check("1  moves 0.14 s  end", "1  moves  12.14 s  end", "", true);
    check("1  moves 0.14 s  end", "2  moves  0.14 s  end", "", false);
    check("#  #", "# #", "", false);
    check("46/15 by greedy", "48/16 by fess-plan", "", false);
    check("46/15 by greedy", "48/16 by fess-plan", "x  # figures vary", true);
    check("46/15 by greedy", "unsolvable", "x  # figures vary", false);
}
