//! The engines against a naive search, several threads against one, and the examples.

mod examples;
mod oracle;
mod threads;
