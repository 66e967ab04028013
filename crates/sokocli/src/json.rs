//! JSON lines for programs; the schema is in the crate's README.

use serde_json::{Value, json};
use sokocore::Metrics;

use crate::inputs::InputLevel;

/// The six metrics.
pub(crate) fn metrics(metrics: &Metrics) -> Value {
    json!({
        "moves": metrics.moves,
        "pushes": metrics.pushes,
        "box_lines": metrics.box_lines,
        "box_changes": metrics.box_changes,
        "pushing_sessions": metrics.pushing_sessions,
        "player_lines": metrics.player_lines,
    })
}

/// Which level a line is about, to be extended.
pub(crate) fn level(kind: &str, level: &InputLevel<'_>) -> Value {
    json!({
        "type": kind,
        "file": level.path.display().to_string(),
        "level": level.number,
        "title": level.entry.title(),
        "line": level.entry.line(),
    })
}

/// Puts the fields of one object into another.
pub(crate) fn extend(object: &mut Value, fields: Value) {
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
}
