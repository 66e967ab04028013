//! The 256 colors of a GIF.

use hashbrown::HashMap;

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// The colors of a picture, the last one kept for pixels that do not change.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    colors: Vec<Rgb>,
    /// Bits of each part of a color that are looked at.
    mask: u8,
    index_of: HashMap<Rgb, u8>,
}

impl Palette {
    /// The index of the color that is not seen.
    pub(super) const UNSEEN: u8 = 255;

    /// Takes the colors of a picture. Where there are more than 255, those that are most alike become one: the one that
    /// is most frequent, so that flat areas keep theirs.
    pub(super) fn of<'a>(pixels: impl Iterator<Item = &'a Rgb> + Clone) -> Self {
        let mut counts: HashMap<Rgb, usize> = HashMap::new();
        pixels.for_each(|&color| *counts.entry(color).or_default() += 1);
        let mut by_count: Vec<(Rgb, usize)> = counts.into_iter().collect();
        by_count.sort_unstable_by_key(|(color, n)| (usize::MAX - n, *color));
        let masks = (0..8).map(|bits| u8::MAX << bits);
        masks
            .filter_map(|mask| Self::masked(&by_count, mask))
            .next()
            .expect("invariant: one bit of each part is eight colors")
    }

    fn masked(by_count: &[(Rgb, usize)], mask: u8) -> Option<Self> {
        let mut palette = Self { colors: Vec::new(), mask, index_of: HashMap::new() };
        for (color, _) in by_count {
            let n = u8::try_from(palette.index_of.len()).ok()?;
            let key = color.map(|part| part & mask);
            if !palette.index_of.contains_key(&key) {
                if n == Self::UNSEEN {
                    return None;
                }
                palette.index_of.insert(key, n);
                palette.colors.push(*color);
            }
        }
        Some(palette)
    }

    /// Returns the index of a color of the picture.
    pub(super) fn index(&self, color: Rgb) -> u8 {
        self.index_of.get(&color.map(|part| part & self.mask)).copied().unwrap_or(0)
    }

    /// Returns the colors as GIF has them: 256, red, green and blue of each.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_stay_as_they_are() {
        let pixels = [[1, 2, 3], [9, 9, 9], [1, 2, 3]];
        let palette = Palette::of(pixels.iter());
        assert_eq!(palette.bytes()[..6], [1, 2, 3, 9, 9, 9]);
        assert_eq!(pixels.map(|color| palette.index(color)), [0, 1, 0]);
    }

    #[test]
    fn of_many_colors_the_frequent_ones_stay() {
        let mut pixels: Vec<Rgb> = (0..=255).flat_map(|red| [[red, 0, 0], [red, 255, 0]]).collect();
        pixels.extend([[77, 255, 0]; 50]);
        let palette = Palette::of(pixels.iter());
        assert!(palette.colors.len() <= 255);
        assert_eq!(palette.colors[0], [77, 255, 0]);
        for color in pixels {
            let shown = palette.colors[usize::from(palette.index(color))];
            assert!(shown.iter().zip(color).all(|(shown, part)| shown.abs_diff(part) < 4), "{color:?} {shown:?}");
        }
    }
}
