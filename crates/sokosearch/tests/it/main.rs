//! The engines against a naive search, and several threads against one.

mod oracle;
mod threads;
