//! What travels as text.
