//! Memory, handles, threads and latency over time, each in a panel of its own, as SVG.

use plotters::prelude::*;

use super::samples::{COLUMNS, Samples};

/// Width and height of the picture.
const SIZE: (u32, u32) = (800, 640);

/// Draws one panel for each column, below each other.
pub(super) fn svg(samples: &Samples) -> anyhow::Result<String> {
    let end = samples.points(|sample| sample.seconds).map(|(seconds, _)| seconds).fold(0.0, f64::max);
    anyhow::ensure!(end > 0.0, "nothing was measured");
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        for (panel, (name, read)) in area.split_evenly((COLUMNS.len(), 1)).iter().zip(COLUMNS) {
            let most = samples.points(read).map(|(_, value)| value).fold(1.0, f64::max) * 1.1;
            let mut builder = ChartBuilder::on(panel);
            builder.margin(8).x_label_area_size(32).y_label_area_size(52);
            let mut chart = builder.build_cartesian_2d(0.0..end / 60.0, 0.0..most)?;
            chart
                .configure_mesh()
                .x_desc("minutes")
                .y_desc(name)
                .y_labels(4)
                .label_style(("sans-serif", 12))
                .light_line_style(BLACK.mix(0.05))
                .draw()?;
            let points = samples.points(read).map(|(seconds, value)| (seconds / 60.0, value));
            chart.draw_series(LineSeries::new(points, Palette99::pick(0).stroke_width(1)))?;
        }
        area.present()?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::samples::Sample;
    use super::*;

    #[test]
    fn each_column_has_a_panel() {
        let mut samples = Samples::default();
        assert!(svg(&samples).is_err(), "nothing to draw");
        let sample = Sample { seconds: 0.0, resident_mib: 40.0, handles: 9.0, threads: 3.0, latency_ms: 2.0 };
        samples.extend([sample, Sample { seconds: 60.0, ..sample }]);
        let text = svg(&samples).unwrap();
        assert!(text.starts_with("<svg") && COLUMNS.iter().all(|(name, _)| text.contains(name)));
        assert!(text.matches("polyline").count() >= COLUMNS.len());
    }
}
