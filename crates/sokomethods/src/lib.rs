//! sokomethods
