//! What workers of a fleet have reported, and what was collected.

use serde_json::Value;

use super::soko::lines_of;

/// A gain of a text that is not among what was collected.
pub(super) fn lost_gain(text: &str, collected: &[Value]) -> Option<Value> {
    lines_of(text, "gain").into_iter().find(|gain| {
        let Some(found) = gain["objective"].as_str().and_then(|metric| gain["after"][metric].as_u64()) else {
            return false;
        };
        let level = collected.iter().find(|level| level["level"] == gain["level"]);
        let solutions = level.and_then(|level| level["solutions"].as_array()).into_iter().flatten();
        let of_objective = solutions.filter(|solution| solution["objective"] == gain["objective"]);
        let mut metrics = of_objective.filter_map(|solution| solution["metrics"][gain["objective"].as_str()?].as_u64());
        !metrics.any(|least| least <= found)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_gain_that_was_not_collected_is_found() {
        let gain = json!({"type": "gain", "level": "a:1", "objective": "moves", "after": {"moves": 12}}).to_string();
        let collected = |moves: u64, level: &str| {
            [json!({"level": level, "solutions": [{"objective": "moves", "metrics": {"moves": moves}}]})]
        };
        assert_eq!(lost_gain(&gain, &collected(12, "a:1")), None);
        assert_eq!(lost_gain(&gain, &collected(11, "a:1")), None);
        assert!(lost_gain(&gain, &collected(13, "a:1")).is_some());
        assert!(lost_gain(&gain, &collected(12, "a:2")).is_some());
        assert_eq!(lost_gain("cut {", &[]), None);
    }
}
