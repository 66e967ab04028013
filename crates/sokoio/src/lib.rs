//! sokoio
