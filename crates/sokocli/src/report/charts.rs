//! Charts as SVG, in the colors of the page.
//!
//! The backend writes colors as `#RRGGBB`; three that no chart has otherwise stand for those of the page, and are
//! replaced by its variables, so that a chart follows the reader's theme.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use sokodraw::escaped;

use super::sums::SumPoint;
use crate::wording::thousands;

/// So small that letters stay legible where three charts share the width of a page.
const SIZE: (u32, u32) = (340, 190);
const INK: RGBColor = RGBColor(0x0a, 0x0b, 0x0c);
const GRID: RGBColor = RGBColor(0x0d, 0x0e, 0x0f);
const ACCENT: RGBColor = RGBColor(0x1a, 0x1b, 0x1c);
const COLORS: [(&str, &str); 3] =
    [("#0A0B0C", "var(--muted)"), ("#0D0E0F", "var(--line)"), ("#1A1B1C", "var(--accent)")];
const FONT: (&str, i32) = ("sans-serif", 12);
/// Pixels around a chart with axes, and for the labels of its left axis.
const MARGIN: u32 = 6;
const LABELS: u32 = 54;
/// Letters of a name above its bar.
const LONGEST_NAME: usize = 40;

/// Draws a sum over time; `None` if there are less than two times.
pub(super) fn sum_over_time(points: &[SumPoint], what: &str) -> anyhow::Result<Option<String>> {
    let ([first, .., last], true) = (points, points.len() > 1) else { return Ok(None) };
    let sums = || points.iter().map(|point| point.sum);
    let (least, most) = (sums().min().unwrap_or(0), sums().max().unwrap_or(0));
    let room = (most - least).max(10) / 10;
    let (from, to) = (least.saturating_sub(room), most + room);
    let (width, height) = (i32::try_from(SIZE.0)?, i32::try_from(SIZE.1)?);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let mut builder = ChartBuilder::on(&area);
        builder.margin(MARGIN).x_label_area_size(24).y_label_area_size(LABELS);
        let mut chart = builder.build_cartesian_2d(first.at..last.at, from..to)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2)
            .x_label_formatter(&|_| String::new())
            .set_tick_mark_size(LabelAreaPosition::Bottom, 0)
            .y_labels(8)
            .y_label_formatter(&|sum| thousands(*sum))
            .label_style(FONT.into_font().color(&INK))
            .axis_style(GRID)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .draw()?;
        // The sum stays until the next gain.
        let steps = points.windows(2).flat_map(|pair| [(pair[0].at, pair[0].sum), (pair[1].at, pair[0].sum)]);
        let steps = steps.chain([(last.at, last.sum)]);
        chart.draw_series(LineSeries::new(steps, ACCENT.stroke_width(2)))?;
        // Round numbers of seconds are no round times: the ends say more.
        let (left, right) = (i32::try_from(MARGIN + LABELS)?, width - i32::try_from(MARGIN)?);
        for (at, x, h) in [(first.at, left, HPos::Left), (last.at, right, HPos::Right)] {
            area.draw(&Text::new(time_label(at, last.at - first.at), (x, height - 22), label(h, VPos::Top)))?;
        }
        area.present()?;
    }
    Ok(Some(in_colors_of_the_page(&text, what)))
}

/// Draws a bar for each name, below it; `None` if there is nothing to count.
pub(super) fn named_bars(values: &[(String, u64)], what: &str) -> anyhow::Result<Option<String>> {
    let most = values.iter().map(|(_, n)| *n).max().unwrap_or(0);
    if most == 0 {
        return Ok(None);
    }
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let (width, height) = (i32::try_from(SIZE.0)?, i32::try_from(SIZE.1)?);
        let (left, right) = (4, width - 4);
        let step = (height / i32::try_from(values.len())?).min(34);
        for (at, (name, value)) in (0..).zip(values) {
            let y = at * step;
            let long = i32::try_from(u64::from((right - left).unsigned_abs()) * value / most)?;
            area.draw(&Text::new(cut(name, LONGEST_NAME), (left, y + 2), label(HPos::Left, VPos::Top)))?;
            area.draw(&Text::new(thousands(*value), (right, y + 2), label(HPos::Right, VPos::Top)))?;
            let bar = [(left, y + 18), (left + long.max(1), y + step - 4)];
            area.draw(&Rectangle::new(bar, ACCENT.filled()))?;
        }
        area.present()?;
    }
    Ok(Some(in_colors_of_the_page(&text, what)))
}

fn label(h: HPos, v: VPos) -> TextStyle<'static> {
    FONT.into_font().color(&INK).pos(Pos::new(h, v))
}

/// Draws bars beside each other, each with its number above and its name below; `None` if there is nothing to count.
pub(super) fn bars(values: &[(String, u64)], what: &str) -> anyhow::Result<Option<String>> {
    let most = values.iter().map(|(_, n)| *n).max().unwrap_or(0);
    if most == 0 {
        return Ok(None);
    }
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let (width, height) = (i32::try_from(SIZE.0)?, i32::try_from(SIZE.1)?);
        let n = i32::try_from(values.len())?;
        let (left, bottom, top): (i32, i32, i32) = (4, height - 28, 22);
        let step = (width - 2 * left) / n;
        for (at, (name, value)) in values.iter().enumerate() {
            let x = left + step * i32::try_from(at)?;
            let middle = x + step / 2;
            let high = i32::try_from(u64::from(bottom.unsigned_abs() - top.unsigned_abs()) * value / most)?;
            let half = (step * 2 / 5).min(40);
            area.draw(&Rectangle::new([(middle - half, bottom - high), (middle + half, bottom)], ACCENT.filled()))?;
            let number = if *value > 0 { thousands(*value) } else { String::new() };
            area.draw(&Text::new(number, (middle, bottom - high - 4), label(HPos::Center, VPos::Bottom)))?;
            area.draw(&Text::new(name.as_str(), (middle, bottom + 8), label(HPos::Center, VPos::Top)))?;
        }
        area.draw(&PathElement::new(vec![(left, bottom), (width - left, bottom)], GRID))?;
        area.present()?;
    }
    Ok(Some(in_colors_of_the_page(&text, what)))
}

/// Cuts a name to so many letters.
fn cut(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn time_label(at: i64, span: i64) -> String {
    let format = match span {
        ..600 => "%H:%M:%S",
        600..86_400 => "%H:%M",
        86_400..15_552_000 => "%m-%d %H:%M",
        _ => "%Y-%m-%d",
    };
    let time = Timestamp::from_second(at).map(|at| at.to_zoned(TimeZone::UTC));
    time.map_or_else(|_| String::new(), |time| time.strftime(format).to_string())
}

fn in_colors_of_the_page(svg: &str, what: &str) -> String {
    let start = format!("<svg class=\"chart\" role=\"img\" aria-label=\"{}\" ", escaped(what));
    let svg = svg.trim_start().replacen("<svg ", &start, 1);
    COLORS.iter().fold(svg, |svg, (color, variable)| svg.replace(color, variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_have_the_colors_of_the_page() {
        let points = [(0, 120), (50, 90), (3_600, 80)].map(|(at, sum)| SumPoint { at, sum });
        let chart = sum_over_time(&points, "Sum of moves").unwrap().unwrap();
        assert!(chart.starts_with("<svg class=\"chart\" role=\"img\" aria-label=\"Sum of moves\""), "{chart}");
        assert!(chart.contains("var(--accent)") && !chart.contains("#1A1B1C") && chart.contains("120"), "{chart}");
        assert_eq!((time_label(61, 120), time_label(61, 3_600)), ("00:01:01".to_owned(), "00:01".to_owned()));
        assert_eq!(sum_over_time(&points[..1], "").unwrap(), None);
    }

    #[test]
    fn bars_are_named_and_numbered() {
        let values = [("<b>".to_owned(), 1_204), ("a long name of a method".to_owned(), 3)];
        for draw in [bars, named_bars] {
            let chart = draw(&values, "Gains").unwrap().unwrap();
            assert!(chart.contains("1,204") && chart.contains("&lt;b&gt;") && !chart.contains("<b>"), "{chart}");
            assert!(chart.contains("a long name of a method"), "{chart}");
            assert_eq!(draw(&[("a".to_owned(), 0)], "").unwrap(), None);
        }
        assert_eq!(cut("abcdef", 4), "abc…");
    }
}
