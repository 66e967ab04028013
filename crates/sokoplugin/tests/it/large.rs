//! Boards as large as those of Sokoban YASC, with more work than a second allows.

use sokoplugin::ResultCode;
use tempfile::TempDir;

use crate::library;
use crate::plugin::{Function, Plugin, Request};

/// A square room of 50 x 50.
fn room() -> Vec<Vec<u8>> {
    let mut rows = vec![vec![b' '; 50]; 50];
    for (at, row) in rows.iter_mut().enumerate() {
        (row[0], row[49]) = (b'#', b'#');
        if at == 0 || at == 49 {
            row.fill(b'#');
        }
    }
    rows[1][1] = b'@';
    rows
}

fn in_a_second(folder: &TempDir) -> Plugin {
    Plugin::load(&library::copy_with_settings(folder.path(), "threads = 1\nmemory-mib = 64\ntime-seconds = 1\n"))
}

fn texts(rows: &[Vec<u8>]) -> Vec<&str> {
    rows.iter().map(|row| std::str::from_utf8(row).unwrap()).collect()
}

#[test]
fn a_game_with_a_thousand_boxes_is_improved() {
    let mut rows = room();
    (2..48).step_by(2).for_each(|row| rows[row][2..48].fill(b'*'));
    (rows[1][3], rows[1][5]) = (b'$', b'.');
    let rows = texts(&rows);
    assert!(rows.iter().map(|row| row.matches(['*', '$']).count()).sum::<usize>() > 1_000);
    let folder = tempfile::tempdir().unwrap();
    let request = Request::new(&rows, "rRRlr").with_flags(258 | 1);
    let reply = in_a_second(&folder).run(Function::Optimize, request);
    assert_eq!((reply.code, reply.game().as_str()), (0, "rRR"), "{}", reply.text());
}

#[test]
fn a_call_ends_at_the_time_of_the_settings() {
    let mut rows = room();
    for (row, column) in (0..60).map(|at| (3 + at / 6 * 3, 3 + at % 6 * 3)) {
        rows[row][column] = b'$';
        rows[48 - row][46 - column] = b'.';
    }
    let rows = texts(&rows);
    let folder = tempfile::tempdir().unwrap();
    let reply = in_a_second(&folder).run(Function::SolveEx, Request::new(&rows, "").with_flags(0));
    assert_eq!(reply.code, ResultCode::Timeout as i32, "{}", reply.text());
    assert_eq!(reply.text(), "unsolved: time");
    let time = reply.status.unwrap().time_ms;
    assert!(time >= 1_000, "{time} ms");
}
