//! Options of `play`.

use std::path::PathBuf;

use super::run::NamedLevelArgs;

/// Options of `play`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) level: NamedLevelArgs,

    /// Solution of the first level to watch, by its number in the file; two such as 1,2 beside each other
    #[arg(long, value_name = "K", value_delimiter = ',', value_parser = number)]
    pub(crate) solution: Vec<usize>,

    /// Letters as in level files instead of shapes
    #[arg(long)]
    pub(crate) plain: bool,

    /// File that games are saved to, which grows [default: levels.soko.sok beside the input; needed for levels of the library]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) into: Option<PathBuf>,
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|&number: &usize| number > 0);
    number.ok_or_else(|| format!("'{text}' is no number of a solution; the first one is 1"))
}
