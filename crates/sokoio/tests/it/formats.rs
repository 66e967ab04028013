//! Formats other than text: what is written in them is read back, and nothing that they promise costs more than it may.

use std::fs;
use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sokocore::ParseLevelError;
use sokoio::{Collection, Format, LooksLike, ReadCollectionError, XmlProblem, read_bytes, read_moves_file};

const BOARDS: [&str; 4] = [
    "######\n#@$ .#\n######",
    "#######\n#.    #\n# $@$ #\n#    .#\n#######",
    "  ####\n###  ####\n#     $ #\n# #  #$ #\n# . .#@ #\n#########",
    "######\n#    #\n# #+ #\n# $* #\n# ** #\n#    #\n######",
];

/// A level as every format can hold it.
#[derive(Clone, Debug)]
struct Sample {
    title: String,
    author: Option<String>,
    board: usize,
}

impl Sample {
    fn rows(&self) -> impl Iterator<Item = &'static str> {
        BOARDS[self.board].lines()
    }

    /// Rows of equal length.
    fn full_rows(&self) -> Vec<String> {
        let width = self.rows().map(str::len).max().unwrap_or(0);
        self.rows().map(|row| format!("{row:width$}")).collect()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn slc(name: &str, author: &str, samples: &[Sample]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<SokobanLevels xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\r\n\
         <Title>{}</Title>\r\n<Description>\r\n  Some #\r\n\r\n  words.\r\n</Description>\r\n<Email>a@b.c</Email>\r\n\
         <LevelCollection Copyright=\"{}\" MaxWidth=\"9\" MaxHeight=\"9\">\r\n",
        escaped(name),
        escaped(author)
    );
    for sample in samples {
        let own = sample.author.as_ref().map(|author| format!(" Copyright=\"{}\"", escaped(author)));
        text += &format!("  <Level Id=\"{}\" Width=\"9\"{}>\r\n", escaped(&sample.title), own.unwrap_or_default());
        sample.rows().for_each(|row| text += &format!("    <L>{row}</L>\r\n"));
        text += "  </Level>\r\n";
    }
    text + "</LevelCollection>\r\n</SokobanLevels>\r\n"
}

fn ssx(name: &str, author: &str, samples: &[Sample]) -> String {
    let letter = |letter| match letter {
        ' ' => '.',
        '.' => 'O',
        '$' => 'X',
        '*' => '$',
        '@' => 'P',
        '+' => '*',
        letter => letter,
    };
    let row = |row: &str| {
        let void = row.len() - row.trim_start().len();
        "~".repeat(void) + &row.trim_start().chars().map(letter).collect::<String>()
    };
    let details = |name: &str, author: &str| {
        format!("<Name>{}</Name><Description/><Author Name=\"{}\" Email=\"\"/>", escaped(name), escaped(author))
    };
    let mut text = format!("<SokobanLibrary LibraryID=\"L1\"><Details>{}</Details><Puzzles>\n", details(name, author));
    for sample in samples {
        let own = details(&sample.title, sample.author.as_deref().unwrap_or_default());
        text += &format!("<Puzzle><PuzzleDescription>{own}</PuzzleDescription><Maps><Map MapID=\"M2\">\n");
        sample.rows().for_each(|line| text += &format!("<Row>{}</Row>\n", row(line)));
        text += "<Solutions><Solution><Steps>to do</Steps></Solution><Solution><Steps>\n rrr\n lU\n</Steps></Solution>";
        text += "</Solutions></Map></Maps></Puzzle>\n";
    }
    text + "</Puzzles></SokobanLibrary>\n"
}

fn digit(letter: char) -> char {
    match letter {
        '#' => '1',
        '@' => '2',
        '$' => '3',
        '.' => '4',
        '*' => '5',
        '+' => '6',
        _ => '0',
    }
}

fn digits(samples: &[Sample]) -> String {
    let mut text = String::new();
    for sample in samples {
        text += &format!("{}\n\n", sample.title);
        sample.full_rows().iter().for_each(|row| text += &format!("{}\n", row.chars().map(digit).collect::<String>()));
        text += &sample.author.as_ref().map(|author| format!("Author: {author}\n")).unwrap_or_default();
        text += "\n";
    }
    text
}

fn json(samples: &[Sample]) -> String {
    let level = |sample: &Sample| {
        let rows = sample.full_rows();
        let map: String = rows.concat().chars().map(digit).collect();
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let author = sample.author.as_deref().map(quoted).unwrap_or("null".into());
        format!(
            "{{\"id\":\"7\",\"title\":{},\"author\":{author},\"width\":\"{}\",\"height\":{},\"map\":\"{map}\"}}",
            quoted(&sample.title),
            rows[0].len(),
            rows.len()
        )
    };
    format!("[{}]", samples.iter().map(level).collect::<Vec<_>>().join(",\n"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn utf_16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn decode(name: &str, bytes: impl Into<Vec<u8>>) -> Collection {
    Collection::decode(name, bytes.into()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What would be written.
fn written(collection: &Collection) -> Vec<u8> {
    collection.to_bytes().to_vec()
}

fn check(text: &str, format: Format, samples: &[Sample]) {
    let collection = decode("sample", text);
    assert_eq!(collection.format(), format);
    assert_eq!(collection.is_text(), format == Format::Text);
    assert_eq!(collection.levels().len(), samples.len(), "{}", String::from_utf8_lossy(&written(&collection)));
    for (entry, sample) in collection.levels().iter().zip(samples) {
        let text = || String::from_utf8_lossy(&written(&collection)).into_owned();
        assert_eq!(entry.title().unwrap_or_default(), sample.title, "{}", text());
        assert_eq!(entry.level(), Collection::parse(BOARDS[sample.board].as_bytes()).levels()[0].level(), "{}", text());
        let author = sample.author.as_deref().or(collection.author());
        assert_eq!(entry.author(), author, "{}", text());
    }
    let again = Collection::parse(&written(&collection));
    assert_eq!(again.levels().len(), samples.len(), "what is kept is .sok text");
}

fn sample() -> impl Strategy<Value = Sample> {
    let words = || "[A-Za-z][A-Za-z0-9]{0,5}( [A-Za-z&<\"'!?\u{e9}]{1,8}){0,3}";
    let odd = select(vec![
        "",
        "",
        "1",
        "; 1",
        "Solution 3",
        "lurD",
        "Author: x",
        "----",
        "#5",
        "*",
        "::",
        "3#",
        "> a",
        "***",
        "Level 1",
        "12 a",
        "No. 5",
        "; 2 'x'",
        "by X",
        "Maze: 1",
        "a - b",
        "0",
        "Size X: 22",
        ":: another collection ::",
    ]);
    let title = prop_oneof![4 => words().prop_map(String::from), 1 => odd.prop_map(String::from)];
    (title, proptest::option::of(words()), 0..BOARDS.len()).prop_map(|(title, author, board)| Sample {
        title,
        author,
        board,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn xml_is_read_back(name in "[A-Z][a-z]{0,8}", author in "[A-Z][a-z &]{0,8}[a-z]", samples in vec(sample(), 1..8)) {
        let author = author.split_whitespace().collect::<Vec<_>>().join(" ");
        for (text, format) in [(slc(&name, &author, &samples), Format::Slc), (ssx(&name, &author, &samples), Format::Ssx)] {
            check(&text, format, &samples);
            let collection = decode("a", text.clone());
            prop_assert_eq!((collection.title(), collection.author()), (Some(&*name), Some(&*author)));
            for packed in [gzip(text.as_bytes()), utf_16(&text), gzip(&utf_16(&text))] {

                prop_assert_eq!(written(&decode("b", packed)), written(&collection));
            }
        }
        let collection = decode("a", ssx(&name, &author, &samples));
        prop_assert!(collection.levels().iter().all(|level| level.games().len() == 1));
    }

    #[test]
    fn digits_are_read_back(samples in vec(sample(), 1..8)) {
        check(&json(&samples), Format::LetsLogic, &samples);
        // Titles stand in the text as they are, so they must read as titles.
        let mut plain = samples;
        plain.iter_mut().for_each(|sample| sample.title = format!("T {}", sample.title).trim_end().to_owned());
        check(&digits(&plain), Format::LetsLogic, &plain);
    }

    #[test]
    fn any_bytes_end_in_levels_or_an_error(bytes in vec(any::<u8>(), 0..300)) {
        for bytes in [bytes.clone(), gzip(&bytes), [b"\xFF\xFE", &bytes[..]].concat(), [b"<SokobanLevels>", &bytes[..]].concat()] {
            if let Ok(collection) = Collection::decode("any", bytes) {
                prop_assert!(!collection.levels().is_empty());
            }
        }
    }

    #[test]
    fn mutated_xml_ends_in_levels_or_an_error(
        samples in vec(sample(), 1..4),
        changes in vec((any::<prop::sample::Index>(), select(b"<>/&;#\"'![]-?x \n".to_vec()), 0..3_u8), 1..6),
    ) {
        for text in [slc("A", "B", &samples), ssx("A", "B", &samples), json(&samples), digits(&samples)] {
            let mut bytes = text.into_bytes();
            for (at, byte, how) in &changes {
                let at = at.index(bytes.len());
                match how {
                    0 => bytes.insert(at, *byte),
                    1 => bytes[at] = *byte,
                    _ => bytes.truncate(at.max(1)),
                }
            }
            match Collection::decode("mutated", bytes) {
                Ok(collection) => prop_assert!(!collection.levels().is_empty()),
                Err(error) => prop_assert!(error.to_string().starts_with("mutated"), "{}", error),
            }
        }
    }
}

#[test]
fn text_is_kept_byte_for_byte() {
    let latin_1 = b"caf\xE9\r\n\r\n#####\r\n#@$.#\r\n#####\r\n";
    let collection = decode("a.sok", latin_1);
    assert_eq!((written(&collection), collection.is_text()), (latin_1.to_vec(), true));
    assert_eq!(collection.format(), Format::Text);
    let packed = decode("a.sok.gz", gzip(latin_1));
    assert_eq!((written(&packed), packed.is_text(), packed.format()), (latin_1.to_vec(), false, Format::Text));
    let boxoban = "; 0\n#####\n#@$.#\n#####\n\n; 1\n#####\n#@$.#\n#####\n";
    assert_eq!(written(&decode("000.txt", boxoban)), boxoban.as_bytes());
}

#[test]
fn encodings_are_as_declared() {
    let slc = |encoding: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?><SokobanLevels><Title>T</Title><LevelCollection>\
             <Level Id=\"caf\u{e9} \u{2019}\"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"
        )
    };
    let one_byte =
        |text: &str| -> Vec<u8> { text.chars().map(|letter| u8::try_from(letter).unwrap_or(0x92)).collect() };
    for encoding in ["ISO-8859-1", "windows-1252", "utf-8"] {
        let collection = decode("a.slc", one_byte(&slc(encoding)));
        assert_eq!(collection.levels()[0].title(), Some("caf\u{e9} \u{2019}"), "{encoding}");
    }
    for bytes in
        [slc("utf-8").into_bytes(), slc("UTF-16").into_bytes(), utf_16(&slc("utf-16")), utf_16(&slc("ISO-8859-1"))]
    {
        assert_eq!(decode("a.slc", bytes).levels()[0].title(), Some("caf\u{e9} \u{2019}"));
    }
}

/// The encoding is the one of the declaration, not one that is named further down; bytes that are UTF-8, too, count as
/// what is declared.
#[test]
fn only_the_declaration_names_the_encoding() {
    let slc = |head: &str, title: &str| {
        format!(
            "{head}<SokobanLevels><Title>\"iso-8859-1\"</Title><LevelCollection><Level Id=\"{title}\"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"
        )
    };
    let title = |head: &str| decode("a.slc", slc(head, "caf\u{e9}")).levels()[0].title().map(str::to_owned);
    assert_eq!(title("<?xml version=\"1.0\"?>").as_deref(), Some("caf\u{e9}"));
    assert_eq!(title("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>").as_deref(), Some("caf\u{c3}\u{a9}"));
}

#[test]
fn markup_tells_xml_from_text() {
    let board = "#####\n#@$.#\n#####\n";
    let text = format!("{board}<SokobanLevels> is another format\n");
    assert_eq!(Format::of(text.as_bytes()), Some(Format::Text));
    let slc = format!(
        "<SokobanLevels><Description>\n{board}</Description><LevelCollection><Level><L>#####</L><L>#.$@#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"
    );
    assert_eq!(Format::of(slc.as_bytes()), Some(Format::Slc));
}

#[test]
fn a_bad_level_does_not_hide_the_others() {
    let text = "Made by a program\n<SokobanLevels><LevelCollection>\
        <Level Id=\"A\"><L>#####</L><L>#@?.#</L><L>#####</L></Level>\
        <Level Id=\"B\"><L>#####</L><L>#@ .#</L><L>#####</L></Level>\
        <Level Id=\"Empty\"/>\
        <Level Id=\"C\"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>";
    let collection = decode("a.slc", text);
    let found: Vec<_> = collection.levels().iter().map(|level| (level.title().unwrap(), level.level().err())).collect();
    assert!(
        matches!(
            found[..],
            [("A", Some(ParseLevelError::Grid(_))), ("B", Some(ParseLevelError::NoBoxes)), ("C", None)]
        ),
        "{found:?}"
    );
}

fn error(name: &str, bytes: impl Into<Vec<u8>>) -> ReadCollectionError {
    Collection::decode(name, bytes.into()).expect_err(name)
}

#[test]
fn what_has_no_level_is_named() {
    for (name, bytes, expect) in [
        ("a.sok", &b""[..], "a.sok: no level found; the file is empty"),
        ("a.sok", b"hello\n", "a.sok: no level found; a level is a picture of # @ $ . with at least three rows"),
        ("a.zip", b"PK\x03\x04....", "a.zip: no level found; the file looks like a zip archive; unpack it first"),
        ("a.lurd", b"lurDDRR\n", "a.lurd: no level found; the file has moves, but no board; give it beside"),
        ("a.lurd", b"lu{2}RR\n", "a.lurd: no level found; the moves change the pusher"),
        ("a.sok", b"#\0#\0#\0#\0#\0\n\0", "a.sok: no level found; the text is UTF-16 without a byte order mark"),
        ("a.slc", b"<SokobanLevels/>", "a.slc: no level found; the file is .slc (XML), but has no board in it"),
        ("a.xml", b"<?xml version='1.0'?><a/>", "a.xml: no level found; the file is XML, but neither"),
        ("a.ssc", b"<Scores><Score>AA==</Score></Scores>", "a.ssc: no level found; the file looks like .ssc scores"),
        ("a.html", b"<!DOCTYPE html>\n<html></html>", "a.html: no level found; the file looks like a web page"),
        ("a.txt", b" # # #\n# @ $ #\n # . #\n# # #\n", "a.txt: no level found; the boards are hexoban"),
        ("a.hsb", b"#####\n#@$.#\n#####\n", "a.hsb: no level found; the boards are hexoban"),
    ] {
        let error = error(name, bytes).to_string();
        assert!(error.starts_with(expect), "{error}");
    }
    assert_eq!(Format::of(b"lurDDRR\n"), Some(Format::Moves));
    assert_eq!(Format::of(&gzip(b"<SokobanLevels/>")), None);
    assert_eq!(Format::of(b"11111\n12341\n11111\n"), Some(Format::LetsLogic));
    let nested = error("a.gz", gzip(&gzip(b"#####\n#@$.#\n#####\n")));
    let packed = LooksLike::Archive("gzip within gzip");
    assert!(matches!(nested, ReadCollectionError::NoLevels { looks_like: Some(found), .. } if found == packed));
}

#[test]
fn files_are_read_by_their_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.slc");
    let sample = Sample { title: "One".into(), author: None, board: 0 };
    fs::write(&path, slc("All", "Me", &[sample])).unwrap();
    assert_eq!(Collection::read(&path).unwrap().title(), Some("All"));
    let error = Collection::read(directory.path()).unwrap_err();
    assert!(matches!(error, ReadCollectionError::Directory { .. }), "{error}");
    let error = read_bytes(&directory.path().join("b.slc")).unwrap_err();
    assert!(matches!(error, ReadCollectionError::Io { .. }), "{error}");
    fs::write(&path, "lurDDRR").unwrap();
    assert_eq!(read_moves_file(&path).unwrap().len(), 7);
}

#[test]
fn malformed_xml_names_its_place() {
    let error = error("a.slc", "<SokobanLevels>\n<Title>x</Titel>\n");
    let ReadCollectionError::Xml { source, .. } = &error else { panic!("{error}") };
    assert_eq!((source.line, source.column), (2, 9), "{source}");
    assert_eq!(error.to_string(), "a.slc: cannot read the .slc (XML) file");
}

/// What a small file must not cost; the check runs in milliseconds, this is for slow machines.
const SOON: Duration = Duration::from_secs(20);

fn check_bomb(name: &str, bytes: Vec<u8>, is_expected: impl Fn(&ReadCollectionError) -> bool) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let found = name.to_owned();
    std::thread::spawn(move || drop(sender.send(Collection::decode(&found, bytes))));
    let result = receiver.recv_timeout(SOON).unwrap_or_else(|_| panic!("{name}: takes too long"));
    let error = result.expect_err(name);
    assert!(is_expected(&error), "{name}: {error:?}");
}

#[test]
fn bombs_are_harmless() {
    let is_xml = |wanted: fn(&XmlProblem) -> bool| move |error: &ReadCollectionError| matches!(error, ReadCollectionError::Xml { source, .. } if wanted(&source.problem));
    let mut laughs = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol \"lol\">\n");
    for at in 1..10 {
        laughs += &format!("<!ENTITY lol{at} \"{}\">\n", format!("&lol{};", at - 1).repeat(10));
    }
    laughs += "]>\n<SokobanLevels><Title>&lol9;</Title></SokobanLevels>";
    check_bomb("laughs", laughs.into(), is_xml(|problem| *problem == XmlProblem::Entities));
    let deep = format!("<SokobanLevels>{}", "<a>".repeat(1_000_000));
    check_bomb("deep", deep.into(), is_xml(|problem| *problem == XmlProblem::TooDeep));
    let wide = format!("<SokobanLevels {}>", "a=\"1\" ".repeat(1_000_000));
    check_bomb("wide", wide.into(), is_xml(|problem| *problem == XmlProblem::TooManyAttributes));
    let zeros = gzip(&vec![b' '; Collection::MAX_FILE_SIZE + 1]);
    assert!(zeros.len() < 100_000);
    check_bomb("zeros", zeros, |error| matches!(error, ReadCollectionError::TooLarge { .. }));
    let cut = gzip(b"#####\n#@$.#\n#####\n");
    check_bomb("cut", cut[..cut.len() - 9].to_vec(), |error| matches!(error, ReadCollectionError::Gzip { .. }));
    let ampersands = format!("<SokobanLevels><Title>{}", "&".repeat(1_000_000));
    check_bomb("ampersands", ampersands.into(), is_xml(|problem| matches!(problem, XmlProblem::Unclosed(_))));
    let puzzle = format!("<SokobanLibrary><Puzzle><Name>{}</Name>", "x".repeat(1_000_000));
    let maps = "<Map><Row>###</Row><Row>#@#</Row><Row>###</Row></Map>".repeat(100_000);
    check_bomb("repeated names", (puzzle + &maps).into(), is_xml(|problem| *problem == XmlProblem::TooLarge));
    let markup = "<".repeat(1_000_000);
    check_bomb("markup", markup.into(), |error| matches!(error, ReadCollectionError::NoLevels { .. }));
    let keys = "map:".repeat(500_000) + "111";
    check_bomb("keys", keys.into(), |error| matches!(error, ReadCollectionError::NoLevels { .. }));
}
