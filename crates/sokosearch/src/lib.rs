//! sokosearch
