//! Curves of the mean gap over time, as SVG.

use plotters::prelude::*;

use super::report::Curve;

/// Width and height of the picture.
const SIZE: (u32, u32) = (800, 480);
/// The least gap of the axis, in percent: smaller ones are drawn there.
const LEAST: f64 = 0.1;

/// Draws the curves with both axes logarithmic: gaps fall from a hundred percent to a tenth within a run.
pub(super) fn svg(curves: &[Curve]) -> anyhow::Result<String> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let ends = points().fold((f64::MAX, f64::MIN), |(from, to), &(time, _)| (from.min(time), to.max(time)));
    anyhow::ensure!(ends.0 < ends.1, "no runs limited by time are on record");
    let most = points().map(|&(_, gap)| gap).fold(10.0 * LEAST, f64::max);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(12).x_label_area_size(40).y_label_area_size(52);
        let mut chart = builder.build_cartesian_2d((ends.0..ends.1).log_scale(), (LEAST..most).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("seconds")
            .y_desc("mean gap to the best known, %")
            .label_style(("sans-serif", 14))
            .light_line_style(BLACK.mix(0.05))
            .draw()?;
        for (number, curve) in curves.iter().enumerate() {
            let color = Palette99::pick(number).stroke_width(2);
            let shown = curve.points.iter().map(|&(time, gap)| (time, gap.max(LEAST)));
            chart
                .draw_series(LineSeries::new(shown, color))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .border_style(BLACK)
            .background_style(WHITE)
            .label_font(("sans-serif", 14))
            .draw()?;
        area.present()?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_and_named() {
        let curve = |name: &str, gap| Curve { name: name.to_owned(), points: vec![(0.1, 2.0 * gap), (10.0, gap)] };
        let text = svg(&[curve("moves, old", 2.0), curve("moves, new", 1.0)]).unwrap();
        assert!(text.starts_with("<svg") && text.contains("moves, old") && text.contains("moves, new"));
        assert!(text.contains("mean gap") && text.matches("polyline").count() >= 2);
        assert!(svg(&[curve("proved", 0.0)]).is_ok(), "no gap is drawn as the least");
        assert!(svg(&[]).is_err(), "nothing to draw");
    }
}
