//! Checks JSON lines against `docs/schema`: the parts of JSON Schema that our schemas use, and no more.
//!
//! Stricter than JSON Schema: a field that no schema names is an error, and so is a keyword that is not known here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The schema of a command's lines.
pub(crate) struct Schema(Value);

/// The fields of an object that a schema names.
type Named = BTreeSet<String>;

impl Schema {
    /// Reads the schema of a command.
    pub(crate) fn of(command: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        let text = fs::read_to_string(folder.join(format!("{command}.json"))).unwrap();
        Self(serde_json::from_str(&text).unwrap())
    }

    /// The types of the lines.
    pub(crate) fn types(&self) -> impl Iterator<Item = &str> {
        let lines = self.0["oneOf"].as_array().unwrap().iter();
        lines.map(|line| line["properties"]["type"]["const"].as_str().unwrap())
    }

    /// Says what is wrong with a line.
    pub(crate) fn check(&self, line: &Value) -> Result<(), String> {
        self.strict(&self.0, line).map_err(|error| format!("{error}\nin {line}"))
    }

    /// Checks a value and that all of its fields are named.
    fn strict(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let named = self.named(schema, value)?;
        let fields = value.as_object().into_iter().flatten().map(|(name, _)| name);
        fields.filter(|name| !named.contains(*name)).try_for_each(|name| Err(format!("no schema has a field {name}")))
    }

    /// Checks a value; returns the fields that the schema names.
    fn named(&self, schema: &Value, value: &Value) -> Result<Named, String> {
        let mut named = Named::new();
        for (keyword, rule) in schema.as_object().ok_or_else(|| format!("no schema: {schema}"))? {
            let all = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
            let is_right = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" => true,
                "$ref" => {
                    let path = rule.as_str().and_then(|path| path.strip_prefix('#')).unwrap_or_default();
                    named.extend(self.named(self.0.pointer(path).ok_or(path)?, value)?);
                    true
                }
                "oneOf" | "anyOf" => {
                    let results: Vec<_> = all(rule).iter().map(|branch| self.named(branch, value)).collect();
                    let n_right = results.iter().filter(|result| result.is_ok()).count();
                    if n_right == 0 {
                        let errors: Vec<_> = results.into_iter().filter_map(Result::err).collect();
                        return Err(format!("no branch fits: {}", errors.join("; ")));
                    }
                    named.extend(results.into_iter().flatten().flatten());
                    keyword == "anyOf" || n_right == 1
                }
                "type" if rule.is_string() => is_a(value, rule),
                "type" => all(rule).iter().any(|name| is_a(value, name)),
                "const" => value == rule,
                "enum" => all(rule).contains(value),
                "required" => all(rule).iter().all(|name| name.as_str().is_some_and(|name| value.get(name).is_some())),
                "properties" => {
                    for (name, field) in rule.as_object().into_iter().flatten() {
                        if let Some(value) = value.get(name) {
                            self.strict(field, value).map_err(|error| format!("{name}: {error}"))?;
                            named.insert(name.clone());
                        }
                    }
                    true
                }
                "items" => {
                    all(value).iter().try_for_each(|item| self.strict(rule, item))?;
                    true
                }
                "minItems" => value.as_array().is_none_or(|items| items.len() >= number(rule)),
                "maxItems" => value.as_array().is_none_or(|items| items.len() <= number(rule)),
                "minimum" | "maximum" if value.is_number() => {
                    let (limit, value) = (rule.as_f64().unwrap(), value.as_f64().unwrap());
                    if keyword == "minimum" { value >= limit } else { value <= limit }
                }
                "minimum" | "maximum" => true,
                _ => return Err(format!("the keyword {keyword} is not known to this test")),
            };
            if !is_right {
                return Err(format!("{value} breaks {keyword}: {rule}"));
            }
        }
        Ok(named)
    }
}

fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        name => panic!("no type: {name}"),
    }
}

fn number(rule: &Value) -> usize {
    usize::try_from(rule.as_u64().unwrap()).unwrap()
}

/// The checker itself can fail.
#[test]
fn a_wrong_line_breaks_the_schema() {
    let schema = Schema::of("merge");
    let line = serde_json::json!({
        "type": "summary", "levels_read": 1, "levels": 1, "solutions": 0, "output": ["a.sok"], "exit_code": 0
    });
    assert_eq!(schema.check(&line), Ok(()));
    let changed = |name: &str, value: Value| {
        let mut line = line.clone();
        line[name] = value;
        schema.check(&line).unwrap_err()
    };
    assert!(changed("levels", "one".into()).contains("breaks type"));
    assert!(changed("levels", (-1).into()).contains("breaks minimum"));
    assert!(changed("exit_code", 256.into()).contains("breaks maximum"));
    assert!(changed("output", serde_json::json!([1])).contains("breaks type"));
    assert!(changed("type", "end".into()).contains("breaks const"));
    assert!(changed("surprise", true.into()).contains("no schema has a field surprise"));
    let mut line = line;
    line.as_object_mut().unwrap().remove("levels");
    assert!(schema.check(&line).unwrap_err().contains("breaks required"));
}
