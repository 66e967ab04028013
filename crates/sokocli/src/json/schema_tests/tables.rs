//! Tables of fields for people, made from a schema.

use std::fmt::Write as _;

use serde_json::Value;

/// The parts that have a section of their own, with its title.
const PARTS: [(&str, &str); 3] = [("LevelRef", "level"), ("Metrics", "metrics"), ("Place", "square")];
/// The fields that every line about a level begins with.
const LEVEL_FIELDS: [&str; 6] = ["file", "level", "number_in_file", "line", "title", "id"];

/// Replaces what stands between the marks of a region.
pub(super) fn replace(text: &str, region: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- fields: {region} -->\n"), format!("<!-- end of {region} -->\n"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("json.md has no line {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("json.md has no line {end}"));
    format!("{before}{begin}\n{content}{end}{after}")
}

/// Writes a table for each line of a command, and for each type that only occurs there.
pub(super) fn of_lines(schema: &Value) -> String {
    let mut text = String::new();
    let mut types = Vec::new();
    for line in schema["oneOf"].as_array().into_iter().flatten() {
        let kind = line["properties"]["type"]["const"].as_str().expect("a line with a type");
        let name = line["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        let fields = name.map_or(line, |name| &schema["$defs"][name]);
        let _ = writeln!(text, "**`{kind}`**: {}\n", one_line(&line["description"]));
        text.push_str(&table(fields, &mut types));
    }
    let mut at = 0;
    while let Some(name) = types.get(at).cloned() {
        at += 1;
        let part = &schema["$defs"][&name];
        if part["type"] == "object" && PARTS.iter().all(|(shared, _)| *shared != name) {
            let _ = writeln!(text, "*{}*: {}\n", words(&name), one_line(&part["description"]));
            text.push_str(&table(part, &mut types));
        }
    }
    text
}

/// Writes the tables that many lines share.
pub(super) fn of_parts(schema: &Value) -> String {
    let lines = schema["oneOf"].as_array().into_iter().flatten();
    let mut about_level = lines.filter_map(|line| {
        let name = line["$ref"].as_str()?.strip_prefix("#/$defs/")?;
        let fields = &schema["$defs"][name];
        fields["properties"].get("number_in_file").map(|_| fields)
    });
    let level = about_level.next().expect("a line about a level");
    let row = |name: &&str| row(name, &level["properties"][*name], &mut Vec::new());
    let level: String = LEVEL_FIELDS.iter().map(row).collect();
    let metrics = table(&schema["$defs"]["Metrics"], &mut Vec::new());
    let square = one_line(&schema["$defs"]["Place"]["description"]);
    format!(
        "### level\n\nEvery line about a level begins with\n\n{HEAD}{level}\n\
         ### metrics\n\n{metrics}### square\n\n{square}\n\n"
    )
}

const HEAD: &str = "| field | type | what |\n|---|---|---|\n";

/// Writes the fields of an object, and lists the types that they name.
fn table(object: &Value, types: &mut Vec<String>) -> String {
    let Some(fields) = object["properties"].as_object() else { return String::new() };
    let mut text = HEAD.to_owned();
    // The fields that are always there come in the order of the output.
    let required: Vec<&str> = object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let others = fields.keys().map(String::as_str).filter(|name| !required.contains(name));
    let is_about_level = LEVEL_FIELDS.iter().all(|name| fields.contains_key(*name));
    if is_about_level {
        text.push_str("| `file` to `id` | | [which level](#level) |\n");
    }
    for name in required.iter().copied().chain(others) {
        let is_shared = is_about_level && LEVEL_FIELDS.contains(&name);
        if name != "type" && !is_shared {
            text.push_str(&row(name, &fields[name], types));
        }
    }
    text + "\n"
}

fn row(name: &str, field: &Value, types: &mut Vec<String>) -> String {
    format!("| `{name}` | {} | {} |\n", kind(field, types), one_line(&field["description"]))
}

/// Names the type of a value.
fn kind(schema: &Value, types: &mut Vec<String>) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
        let shared = PARTS.iter().find(|(shared, _)| *shared == name);
        return shared.map_or_else(|| format!("*{}*", words(name)), |(_, title)| format!("[{title}](#{title})"));
    }
    if let Some(branches) = schema["anyOf"].as_array() {
        let kinds: Vec<_> = branches.iter().map(|branch| kind(branch, types)).collect();
        return kinds.join(" or ");
    }
    let of_name = |name: &str, types: &mut Vec<String>| match name {
        "array" => format!("list of {}", kind(&schema["items"], types)),
        "boolean" => "bool".to_owned(),
        name => name.to_owned(),
    };
    match &schema["type"] {
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names.map(|name| of_name(name, types)).collect::<Vec<_>>().join(" or ")
        }
        name => of_name(name.as_str().unwrap_or("any"), types),
    }
}

/// `SolveSettings` as `solve settings`.
fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn one_line(description: &Value) -> String {
    description.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
