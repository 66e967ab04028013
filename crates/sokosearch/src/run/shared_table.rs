//! A table of a level that its searches fill and read together.
//!
//! The pool holds it, since all searches of a level have the pool in common, and pools of one level share it. What kind
//! of table it is, is for the searches to know: the first that asks for it makes it.

use std::any::Any;
use std::sync::{Arc, OnceLock};

/// The place for a table of any kind. Clones are the same place.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedTable(Arc<OnceLock<Arc<dyn Any + Send + Sync>>>);

impl SharedTable {
    /// Returns the table, and makes it if this is the first call. All calls ask for the same kind.
    pub(crate) fn get_or_make<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let table = self.0.get_or_init(|| Arc::new(make()));
        Arc::clone(table).downcast().expect("invariant: the searches of a level share one kind of table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_the_first_call_made() {
        let place = SharedTable::default();
        let table = place.clone().get_or_make(|| 7_u32);
        assert!(Arc::ptr_eq(&table, &place.get_or_make(|| 8)));
    }
}
