//! Mail: what a mailbox holds, taken apart until signed files come out, and letters out.
//!
//! Everything that comes is hostile until a checksum or a signature says otherwise. A mail is never believed about who
//! sent it or when: the signatures inside decide, and the game decides whose they must be.
//!
//! In reading order: [`sources`] finds the mails, [`find`] what is in one; [`machine`] tells mails nobody wrote.
//! [`settings`] say how mail leaves, [`compose`] makes a letter, [`outbox`] keeps it until [`send`] has handed it over.

pub mod address;
mod clean;
mod clear;
pub mod compose;
mod decode;
pub mod find;
mod head;
mod html;
pub mod machine;
pub mod members;
pub mod outbox;
mod parts;
pub mod send;
pub mod settings;
pub mod sources;
mod text;
mod undo;
