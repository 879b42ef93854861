//! For Honor and Glory: War of 1812 land and naval battles.

pub mod naval;
