//! Layouts at many widths.

use std::time::Duration;

use super::*;

const COLUMNS: [Column; 8] = [
    Column::text("file", "file").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title"),
    Column::number("moves", "moves"),
    Column::number("player_lines", "player lines").rank(2),
    Column::number("push_lower_bound", "pushes >=").rank(1),
    Column::id("id", "id").rank(3),
    Column::remark("verdict", "verdict"),
];

fn row(level: usize, title: &str, verdict: &str) -> Vec<TableCell> {
    let id = "0123456789abcdef0123456789abcdef";
    let cells = [TableCell::text("a.sok"), TableCell::number(level), TableCell::text(title), TableCell::number(1_234)];
    let more = [
        TableCell::number(77),
        TableCell::number_or_dash(None::<u64>),
        TableCell::text(id),
        TableCell::text(verdict).wrong(),
    ];
    cells.into_iter().chain(more).collect()
}

fn table() -> Table {
    let mut table = Table::new(&COLUMNS);
    table.row(row(1, "Sasquatch III 17", "right"));
    table.row(row(22, "A title that goes on and on until its number 1042", "WRONG: move 2 (r) walks into a wall"));
    table.row(row(333, "箱入り娘パズル 12", "its title says 3/4; 2 moves after the level is solved, not counted"));
    table
}

fn lines(terminal: &Terminal) -> Vec<String> {
    table().draw(terminal).lines().map(str::to_owned).collect()
}

#[test]
fn a_file_gets_everything() {
    let lines = lines(&Terminal::FILE);
    assert_eq!(lines.len(), 5);
    assert!(lines[0].starts_with("level  title  ") && lines[0].contains("player lines  pushes >=  id"), "{}", lines[0]);
    assert!(lines[3].contains("A title that goes on and on until its number 1042  "), "{}", lines[3]);
    assert!(lines[4].ends_with("its title says 3/4; 2 moves after the level is solved, not counted"), "{}", lines[4]);
    assert_eq!(columns_of(&lines[1]), columns_of(&lines[4]));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in 1..=220 {
        for terminal in [Terminal::of_width(width), Terminal::of_width(width).ascii()] {
            for line in lines(&terminal) {
                // Two columns are the least for a letter.
                assert!(columns_of(&line) <= width.max(2), "{width}: {line}");
                assert_eq!(line, line.trim_end(), "{width}");
            }
        }
    }
}

#[test]
fn eighty_columns() {
    let expect = "
                                        player  pushes
level  title                     moves   lines      >=  id        verdict
────────────────────────────────────────────────────────────────────────────────
    1  Sasquatch III 17           1234      77       -  01234567  right
   22  A title that goes o…1042   1234      77       -  01234567
       WRONG: move 2 (r) walks into a wall
  333  箱入り娘パズル 12          1234      77       -  01234567
       its title says 3/4; 2 moves after the level is solved, not counted
";
    let drawn = table().draw(&Terminal::of_width(80));
    assert_eq!(drawn, expect[1..], "\n{drawn}");
}

#[test]
fn forty_columns() {
    let drawn = table().draw(&Terminal::of_width(40));
    assert!(drawn.ends_with("not shown at this width: player lines,\npushes >=, id\n"), "\n{drawn}");
    assert!(drawn.contains("…1042") && drawn.contains("WRONG:"), "\n{drawn}");
}

#[test]
fn two_hundred_columns_cut_only_what_they_must() {
    let drawn = table().draw(&Terminal::of_width(200));
    assert!(
        drawn.contains("until its number 1042") && drawn.contains("right") && !drawn.contains("not shown"),
        "{drawn}"
    );
}

#[test]
fn color_does_not_move_anything() {
    let strip = |text: String| {
        let parts: Vec<_> =
            text.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect();
        parts.concat()
    };
    let terminal = Terminal::of_width(100);
    let colored = table().draw(&terminal.colored());
    assert!(colored.contains("\x1b[1;31mWRONG"), "{colored}");
    // The first part has no escape sequence before it, and no `m` in it.
    assert_eq!(strip(format!("\x1b[0m{colored}")), table().draw(&terminal));
}

#[test]
fn rows_are_written_as_they_come() {
    let mut writer = TableWriter::new(&COLUMNS, Terminal::of_width(80));
    writer.expect(&row(100, "A title that is long", "right"));
    let first = writer.row(&row(1, "One", "right"));
    assert_eq!(first.lines().count(), 4, "{first}");
    // Wider than expected: the number is whole all the same, and the title is cut.
    let mut cells = row(2, "A title that is much longer than all that came before 7", "right");
    cells[3] = TableCell::number(123_456_789_u64);
    let second = writer.row(&cells);
    assert!(second.contains("123456789") && second.contains("…7 "), "{second}");
    assert!(columns_of(second.trim_end()) <= 80, "{second}");
    assert_eq!(writer.end(), "");
}

#[test]
fn empty_columns_that_may_go_are_not_mentioned() {
    let columns = [Column::number("n", "n"), Column::remark("note", "note").if_any()];
    let mut table = Table::new(&columns);
    table.row([TableCell::number(1)]);
    assert_eq!(table.draw(&Terminal::of_width(80)), "n\n─\n1\n");
    table.row([TableCell::number(2), TableCell::text("bad board")]);
    assert_eq!(table.draw(&Terminal::FILE.ascii()), "n  note\n------------\n1\n2  bad board\n");
}

#[test]
fn csv_is_uncut_and_quoted() {
    let mut table = Table::new(&COLUMNS);
    let mut cells = row(1, "Say \"hi\", please", " right");
    cells[3] = TableCell::time(Duration::from_millis(1_500));
    cells[1] = cells[1].clone().repeated();
    table.row(cells);
    table.row([TableCell::text("b\u{1b}.sok")]);
    let expect = "file,level,title,moves,player_lines,push_lower_bound,id,verdict\n\
                  a.sok,1,\"Say \"\"hi\"\", please\",1.500,77,,0123456789abcdef0123456789abcdef,\" right\"\n\
                  b\u{1b}.sok,,,,,,,\n";
    assert_eq!(table.csv(), expect);
    assert!(!table.draw(&Terminal::of_width(80)).contains('\u{1b}'));
}

#[test]
fn thirty_thousand_rows_take_no_time() {
    let mut table = Table::new(&COLUMNS);
    (0..30_000).for_each(|level| table.row(row(level, "A title that goes on and on 1042", "right")));
    let clock = sokosearch::Clock::start();
    assert_eq!(table.draw(&Terminal::of_width(80).colored()).lines().count(), 30_003);
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
}
