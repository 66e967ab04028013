//! Screens of several sizes, drawn without a terminal.

use ratatui::Terminal as Screen;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::style::Modifier;
use sokoio::Collection;

use super::*;
use crate::inputs::InputLevel;
use crate::play::play_level::PlayLevel;
use crate::terminal::Terminal;

const TWO: &str =
    "Two\n\n#######\n#     #\n#@$ . #\n#     #\n#######\n\nSolution\nRR\n\nSolution of a friend\nudRR\n\nSnapshot\nu\n";

/// Presses keys and returns the screen.
fn screen(text: &str, keys: &[KeyCode], looks: &Looks, (width, height): (u16, u16)) -> Buffer {
    let collection: Collection = text.parse().unwrap();
    let level = |(at, entry): (usize, &'static sokoio::LevelEntry)| PlayLevel {
        at: InputLevel { number: at + 1, input_idx: 0, path: std::path::Path::new("a.sok"), entry },
        level: entry.level().unwrap(),
        into: None,
    };
    // The levels of a test live as long as it.
    let collection: &'static Collection = Box::leak(Box::new(collection));
    let mut player = Player::new(collection.levels().iter().enumerate().map(level).collect()).unwrap();
    for &key in keys {
        player.press(KeyEvent::from(key));
    }
    let mut screen = Screen::new(TestBackend::new(width, height)).unwrap();
    screen.draw(|frame| draw(frame, &player, looks)).unwrap();
    screen.backend().buffer().clone()
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..buffer.area.height).map(row).collect()
}

fn plain() -> Looks {
    Looks::new(Terminal::of_width(80).ascii(), false)
}

fn shown(text: &str, keys: &[KeyCode], size: (u16, u16)) -> String {
    lines(&screen(text, keys, &plain(), size)).join("\n")
}

#[test]
fn a_replay_has_title_board_metrics_and_keys() {
    let shown = shown(TWO, &[KeyCode::Right], (80, 14));
    let expect = "\
1. Two   Solution (1 of 3)


                                    #######
                                    #     #
                                    # @$. #
                                    #     #
                                    #######


             moves      pushes   box lines     changes    sessions  player lines
now            1/2         1/2         1/1         1/1         1/1           1/1
paused ##########..........  50 %  8 moves/s
space play  left right step  1 2 3 stride  + - speed  g go to  ? help  q quit";
    let one_line = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(one_line(&shown), one_line(expect), "\n{shown}");
}

#[test]
fn two_beside_each_other_are_in_step_and_differences_are_marked() {
    let keys = [KeyCode::Char('c'), KeyCode::Char('i'), KeyCode::Char('i'), KeyCode::Right];
    let buffer = screen(TWO, &keys, &plain(), (80, 16));
    let lines = lines(&buffer);
    let text = lines.join("\n");
    assert!(text.contains("Solution (1 of 3)") && text.contains("Solution of a friend (2 of 3)"), "{text}");
    assert!(text.contains("in step by moves, 1 box elsewhere"), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("differ ") && line.contains(" -1 ")), "{text}");
    let boxes: Vec<_> = buffer.content.iter().filter(|cell| cell.symbol() == "$").collect();
    assert_eq!(boxes.len(), 2, "{text}");
    assert!(boxes.iter().all(|cell| cell.modifier.contains(Modifier::REVERSED)), "{text}");
}

#[test]
fn a_level_without_solution_is_played() {
    let level = "One\n\n#######\n#@ $ .#\n#######\n";
    let keys = [KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Char('u')];
    let text = shown(level, &keys[..2], (80, 12));
    assert!(text.contains("your game") && text.contains("#  @$.#") && text.contains("0 of 1 box on goals"), "{text}");
    let text = shown(level, &keys[..3], (80, 12));
    assert!(text.contains("#   @*#") && text.contains("solved in 3 moves and 2 pushes"), "{text}");
    let text = shown(level, &keys, (80, 12));
    assert!(text.contains("#  @$.#") && text.contains("1 move taken back"), "{text}");
    let walls = [KeyCode::Up, KeyCode::Char('q')].map(|key| shown(level, &[keys[0], key], (80, 12)));
    assert!(walls[0].contains("a wall") && walls[1].contains("not saved"), "{walls:?}");
}

#[test]
fn the_path_of_a_box_and_the_keys_are_shown() {
    let text = shown(TWO, &[KeyCode::Right, KeyCode::Char('b')], (80, 14));
    assert!(text.contains("# @$. #"), "{text}");
    let text = shown(TWO, &[KeyCode::Char('p'), KeyCode::Right, KeyCode::Right, KeyCode::Char('b')], (80, 14));
    assert!(text.contains("# :@* #"), "{text}");
    let text = shown(TWO, &[KeyCode::Char('?')], (80, 24));
    assert!(text.contains("+ keys; any key closes this list") && text.contains("play on from here yourself"), "{text}");
}

#[test]
fn a_list_of_keys_without_room_scrolls() {
    let (help, down) = (KeyCode::Char('?'), KeyCode::Down);
    let first = shown(TWO, &[help], (80, 12));
    assert!(first.contains("+ keys; up down for more") && first.contains("play or pause"), "{first}");
    assert!(!first.contains("q           quit"), "{first}");
    let last = shown(TWO, &[&[help][..], &[down; 40]].concat(), (80, 12));
    assert!(last.contains("q           quit") && !last.contains("play or pause"), "{last}");
    assert!(!shown(TWO, &[help, KeyCode::Char('x')], (80, 12)).contains("for more"));
}

#[test]
fn numbers_are_typed_and_gone_to() {
    let typed = [KeyCode::Char('g'), KeyCode::Char('1'), KeyCode::Char('7'), KeyCode::Backspace];
    assert!(shown(TWO, &typed, (80, 14)).contains("go to after so many moves: 1_"));
    let gone = [&typed[..], &[KeyCode::Enter]].concat();
    assert!(shown(TWO, &gone, (80, 14)).contains("now            1/2"));
}

#[test]
fn every_size_shows_the_player() {
    let row = format!("#{}#\n", " ".repeat(98));
    let board = format!("{0}#@$.{1}#\n{2}{0}", format!("{}\n", "#".repeat(100)), " ".repeat(95), row.repeat(97));
    let keys = [KeyCode::End; 3];
    for size in [(1, 1), (7, 3), (20, 7), (40, 12), (80, 24), (200, 50), (300, 120)] {
        for (text, keys) in
            [(board.as_str(), &[][..]), (TWO, &[KeyCode::Char('c')]), (TWO, &keys), (TWO, &[KeyCode::Char('?')])]
        {
            let buffer = screen(text, keys, &plain(), size);
            let has_player = buffer.content.iter().any(|cell| matches!(cell.symbol(), "@" | "+"));
            let is_readable = size.0 >= MIN_WIDTH && size.1 >= 12 && keys != [KeyCode::Char('?')];
            assert!(has_player || !is_readable, "{size:?}\n{}", lines(&buffer).join("\n"));
        }
    }
}

#[test]
fn shapes_and_colors_are_those_of_show() {
    let looks = Looks::new(Terminal::of_width(80).colored(), false);
    let buffer = screen(TWO, &[], &looks, (80, 14));
    let style = |symbol: &str| buffer.content.iter().find(|cell| cell.symbol() == symbol).unwrap().style();
    assert_eq!(style("□").fg, Some(ratatui::style::Color::Yellow));
    assert!(style("█").add_modifier.contains(Modifier::DIM));
    assert!(lines(&buffer).iter().any(|line| line.trim() == "█@□ ○ █"));
    let looks = Looks::new(Terminal::of_width(80).colored(), true);
    assert!(lines(&screen(TWO, &[], &looks, (80, 14))).iter().any(|line| line.trim() == "#@$ . #"));
}
