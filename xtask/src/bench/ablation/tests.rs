//! The runs, the table at any width, and the files.

use clap::Parser;
use sokocore::{Level, replay};

use super::*;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: AblationArgs,
}

fn args(options: &str) -> Result<AblationArgs, clap::Error> {
    Command::try_parse_from(format!("ablation {options}").split_whitespace()).map(|command| command.args)
}

/// A level with two boxes and a poor solution.
fn levels() -> Vec<BenchLevel> {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let start = replay(&level, &"RurrDLulDrdL".parse().unwrap()).unwrap();
    vec![BenchLevel { number: 1, title: "two, boxes".to_owned(), level, start }]
}

#[test]
fn an_unknown_technique_is_told_the_names() {
    let error = args("--only dealy").unwrap_err().to_string();
    assert!(error.contains("there is no technique 'dealy'; there are tidy-path"), "{error}");
}

#[test]
fn every_technique_that_matters_has_a_run() {
    let runs = |options: &str, objective: &str| AblationRun::all(&args(options).unwrap(), objective.parse().unwrap());
    for name in ["moves", "playerlines"] {
        let objective: Objective = name.parse().unwrap();
        let n_concerned = Technique::ALL.into_iter().filter(|technique| technique.affects(objective)).count();
        assert_eq!(runs("", name).len(), 2 + n_concerned);
    }
    let delay = [
        AblationRun::Default,
        AblationRun::OtherSeed,
        AblationRun::Without(Technique::Delay),
        AblationRun::Alone(Technique::Delay),
    ];
    assert_eq!(runs("--only delay --alone", "moves"), delay);
    assert_eq!(delay.map(|run| run.to_string()), ["all", "another seed", "without delay", "delay alone"]);
    assert!(!delay[2].knobs(0).techniques.contains(Technique::Delay));
    let alone = delay[3].knobs(0).techniques;
    assert!(alone.contains(Technique::Delay) && alone.contains(Technique::TidyPath));
    assert!(!alone.contains(Technique::OneBox));
}

/// A small ablation from the runs to the table, at every width, and to the files.
#[test]
fn the_table_fits_and_the_files_are_complete() {
    let args = args("--only two-boxes,crossover --threads 2 --seeds 2").unwrap();
    let (levels, runs) = (levels(), AblationRun::all(&args, Objective::PUSHES));
    let outcomes = run_all(&runs, &levels, (Objective::PUSHES, 30_000), &args, 80);
    assert!(outcomes.iter().all(|outcomes| outcomes.len() == 2 && outcomes.iter().all(|one| one.end.pushes <= 5)));
    assert!(outcomes[0][0].accounts[Technique::MultiStart as usize].n_runs > 0, "runs have a solver");
    let report = AblationReport::of(&runs, &levels, &outcomes, (Objective::PUSHES, 30_000, 2));
    for width in [20, 40, 60, 80, 100, 200] {
        let text = report.text(width);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        for word in ["without", "two-boxes", "crossover", "chance:"] {
            assert!(text.contains(word), "{word} is missing, {width} wide:\n{text}");
        }
    }
    let (mut csv, mut levels_csv) = (CsvTable::default(), CsvTable::default());
    for _ in 0..2 {
        report.add_rows(&mut csv);
        report.add_level_rows(&mut levels_csv);
    }
    let rows = |csv: CsvTable| -> Vec<Vec<String>> {
        let bytes = csv.to_bytes().unwrap();
        csv::Reader::from_reader(&bytes[..]).deserialize().map(Result::unwrap).collect()
    };
    let (rows_of_runs, rows_of_levels) = (rows(csv), rows(levels_csv));
    assert_eq!((rows_of_runs.len(), rows_of_levels.len()), (2 * runs.len(), 2 * 2));
    assert!(rows_of_levels.iter().all(|row| row[3] == "two, boxes" && row.len() == 6 + runs.len()));
}
