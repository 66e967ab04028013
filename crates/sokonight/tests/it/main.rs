//! Nights over small levels: what is found, told and kept, and what a pause does.

mod desk;
mod nights;
