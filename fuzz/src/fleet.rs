//! Values that members of a fleet have written.

use std::sync::LazyLock;

use sokocore::Level;
use sokofleet::testing::made_up_values::read_values;

static LEVEL: LazyLock<Level> = LazyLock::new(|| Level::parse("#####\n#@$.#\n#####").expect("it is a level"));

/// Reads bytes as each kind of value, as a worker does.
pub fn check(bytes: &[u8]) {
    read_values(&LEVEL, bytes);
}
