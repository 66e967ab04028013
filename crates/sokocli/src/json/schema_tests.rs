//! Makes the schemas in `docs/schema` and the tables in `docs/json.md` from the types of the lines, and compares them
//! with what is there. `SOKO_UPDATE_SCHEMAS=1 cargo test -p sokocli schema` writes both.

mod tables;

use std::path::{Path, PathBuf};
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::run_line::SCHEMA_VERSION;
use crate::analyze::AnalyzeLine;
use crate::fleet::json_line::FleetLine;
use crate::info::InfoLine;
use crate::library::json_line::LibraryLine;
use crate::merge::MergeLine;
use crate::night::report::NightLine;
use crate::optimize::report::OptimizeLine;
use crate::show::ShowLine;
use crate::solve::report::SolveLine;
use crate::verify::VerifyLine;
use crate::watch::EventLine;

/// Lists the schemas of the lines of a command.
type Lines = fn(&mut SchemaGenerator) -> Vec<Value>;

/// Every command with `--json`, and its lines.
const COMMANDS: [(&str, Lines); 10] = [
    ("solve", |types| [lines_of::<SolveLine>(types), lines_of::<EventLine>(types)].concat()),
    ("optimize", |types| [lines_of::<OptimizeLine>(types), lines_of::<EventLine>(types)].concat()),
    ("merge", lines_of::<MergeLine>),
    ("verify", lines_of::<VerifyLine>),
    ("info", lines_of::<InfoLine>),
    ("show", lines_of::<ShowLine>),
    ("analyze", lines_of::<AnalyzeLine>),
    ("library", lines_of::<LibraryLine>),
    ("fleet", lines_of::<FleetLine>),
    ("night", lines_of::<NightLine>),
];

/// Returns the variants of an enum of lines.
fn lines_of<T: JsonSchema>(types: &mut SchemaGenerator) -> Vec<Value> {
    let schema = types.root_schema_for::<T>().to_value();
    schema["oneOf"].as_array().expect("an enum of lines").clone()
}

/// Makes the schema of one line of a command.
fn schema(command: &str, lines: Lines) -> Value {
    let mut types = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let lines = lines(&mut types);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("soko {command} --json, schema {SCHEMA_VERSION}"),
        "description": format!("A line that soko {command} --json prints. Fields may be added without a new version."),
        "oneOf": lines,
        "$defs": types.definitions(),
    });
    // The types' names say that they are for JSON, which is no news here.
    serde_json::from_str(&schema.to_string().replace("Json\"", "\"")).expect("still JSON")
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Compares a file with what it should be, or writes it if so asked.
#[track_caller]
fn expect(path: &Path, text: &str) {
    if env::var_os("SOKO_UPDATE_SCHEMAS").is_some() {
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder that can be made");
        fs::write(path, text).expect("a file that can be written");
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    let name = path.file_name().unwrap_or_default().display();
    assert!(there == text, "{name} is not up to date; run SOKO_UPDATE_SCHEMAS=1 cargo test -p sokocli schema");
}

#[test]
fn schemas_in_the_repository_are_those_of_the_types() {
    for (command, lines) in COMMANDS {
        let text = serde_json::to_string_pretty(&schema(command, lines)).expect("JSON that can be written");
        expect(&docs().join("schema").join(format!("{command}.json")), &(text + "\n"));
    }
}

#[test]
fn the_tables_of_the_documentation_are_those_of_the_schemas() {
    let path = docs().join("json.md");
    let mut text = fs::read_to_string(&path).expect("docs/json.md");
    for (command, lines) in COMMANDS {
        text = tables::replace(&text, command, &tables::of_lines(&schema(command, lines)));
    }
    text = tables::replace(&text, "parts", &tables::of_parts(&schema("analyze", COMMANDS[6].1)));
    expect(&path, &text);
}

/// Every field is explained: a program's author has nothing else to go by.
#[test]
fn every_field_has_a_description() {
    fn check(schema: &Value, path: &str, missing: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let is_tag = name == "type";
            if !is_tag && field["description"].as_str().is_none_or(str::is_empty) {
                missing.push(format!("{path}/{name}"));
            }
        }
        for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
            check(part, &format!("{path}/{name}"), missing);
        }
        for part in schema["oneOf"].as_array().into_iter().flatten() {
            check(part, path, missing);
        }
    }
    let mut missing = Vec::new();
    COMMANDS.iter().for_each(|(command, lines)| check(&schema(command, *lines), command, &mut missing));
    assert!(missing.is_empty(), "without a description: {missing:?}");
}
