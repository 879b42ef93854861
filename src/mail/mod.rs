//! Mail: what a mailbox holds, taken apart until signed files come out.
//!
//! Everything here is hostile until a checksum or a signature says otherwise. A mail is never believed about who sent
//! it or when: the signatures inside decide, and the game decides whose they must be.
//!
//! In reading order: [`sources`] finds the mails, [`find`] what is in one; [`machine`] tells mails nobody wrote.

mod clear;
mod decode;
pub mod find;
mod head;
mod html;
pub mod machine;
mod parts;
pub mod sources;
mod text;
mod undo;
