//! The files of pictures.
//!
//! ```text
//!   -o board.svg    one level: board.svg         several: board-07.svg, board-12.svg
//!   -o boards/      boards/07.svg, boards/12.svg
//!   -o -            standard output, for one level
//! ```
//!
//! The numbers are those of the levels, as `--levels` takes them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use crate::args::{DrawArgs, PictureFormat};
use crate::exit::UsageError;
use crate::inputs::sources::is_dash;

/// Where pictures go, and in which format.
#[derive(Clone, Debug)]
pub(super) struct PictureNames {
    output: PathBuf,
    is_folder: bool,
    format: PictureFormat,
}

impl PictureNames {
    /// Reads the format off the name, or takes the one that was asked for.
    pub(super) fn of(args: &DrawArgs) -> Result<Self, UsageError> {
        let output = args.output.clone();
        let name = output.as_os_str().as_encoded_bytes();
        let is_folder = name.last().is_some_and(|&byte| std::path::is_separator(char::from(byte))) || output.is_dir();
        if is_folder || is_dash(&output) {
            return Ok(Self { output, is_folder, format: args.format.unwrap_or(PictureFormat::Svg) });
        }
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let formats = [PictureFormat::Svg, PictureFormat::Png, PictureFormat::Gif];
        let named = formats.into_iter().find(|format| ending.as_deref() == Some(format.ending()));
        let wrong = |text: &str| UsageError(format!("-o {}: {text}", output.display()));
        let Some(format) = named else {
            return Err(wrong("name a file that ends with .svg, .png or .gif, or a folder as DIR/"));
        };
        if args.format.is_some_and(|asked| asked != format) {
            return Err(wrong("its ending says the format, and --format another one; leave out --format"));
        }
        Ok(Self { output, is_folder, format })
    }

    /// Returns the format.
    pub(super) const fn format(&self) -> PictureFormat {
        self.format
    }

    /// Names the file of each level.
    pub(super) fn paths(&self, numbers: &[usize]) -> anyhow::Result<Vec<PathBuf>> {
        let most = numbers.iter().max().context("there is no level to draw; name a file with levels")?;
        let n_digits = most.to_string().len();
        let several = UsageError(format!(
            "standard output takes one picture, and these are {}; choose one, as by --levels {}",
            numbers.len(),
            numbers[0]
        ));
        ensure!(numbers.len() == 1 || !is_dash(&self.output), several);
        let ending = self.format.ending();
        let path = |number: &usize| match (self.is_folder, numbers) {
            (true, _) => self.output.join(format!("{number:0n_digits$}.{ending}")),
            (false, [_]) => self.output.clone(),
            (false, _) => {
                let mut name = self.output.file_stem().unwrap_or_default().to_os_string();
                name.push(format!("-{number:0n_digits$}.{ending}"));
                self.output.with_file_name(name)
            }
        };
        Ok(numbers.iter().map(path).collect())
    }

    /// Makes the folder if it is not there.
    pub(super) fn make_folder(&self) -> anyhow::Result<()> {
        if self.is_folder {
            let path = self.output.display();
            fs::create_dir_all(&self.output).with_context(|| format!("cannot make the folder {path}"))?;
        }
        Ok(())
    }
}

impl PictureFormat {
    const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
        }
    }
}
