//! Cryptography, nothing else.
