//! Seals: commitments to a hidden choice, and their openings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::digest::{Digest, Hasher};
use super::keys::Root;
use crate::side::Seat;

/// What opens a seal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// 32 secret bytes that were hashed with the content, so that it could not be guessed.
    pub salt: Digest,
    /// The content, exact bytes.
    pub content: String,
}

/// The seal of a content: `H("seal", game, seat, step, slot, salt, content)`.
#[must_use]
pub fn seal(game: &Digest, seat: Seat, step: u64, slot: &str, opening: &Opening) -> Digest {
    let place = Hasher::new("seal").digest(game).text(seat.word()).int(step).text(slot);
    place.digest(&opening.salt).text(&opening.content).done()
}

/// The salt of a seal: `H("salt", root, game, step, n, slot)`; `n` is the number of the file that carries the seal, so
/// that two versions of an answer never share one.
#[must_use]
pub fn salt(root: &Root, game: &Digest, step: u64, n: u32, slot: &str) -> Digest {
    Hasher::new("salt").bytes(&root.0).digest(game).int(step).int(u64::from(n)).text(slot).done()
}

/// The source of what a player's program seals without a decision (private dice, decks): `H("private", root, game, step,
/// n)`, dice of which are named by slot and number. Nobody else can make it, and a new version makes others.
#[must_use]
pub fn private_seed(root: &Root, game: &Digest, step: u64, n: u32) -> Digest {
    Hasher::new("private").bytes(&root.0).digest(game).int(step).int(u64::from(n)).done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::SecretKey;

    #[test]
    fn a_seal_binds_every_part_of_its_place() {
        let game = Digest([1; 32]);
        let root = SecretKey::from_seed([4; 32]).root();
        let opening = |n| Opening { salt: salt(&root, &game, 3, n, "a"), content: "\"right\"".into() };
        let one = seal(&game, Seat::British, 3, "a", &opening(1));
        assert_eq!(one, seal(&game, Seat::British, 3, "a", &opening(1)));
        for other in [
            seal(&Digest([2; 32]), Seat::British, 3, "a", &opening(1)),
            seal(&game, Seat::American, 3, "a", &opening(1)),
            seal(&game, Seat::British, 4, "a", &opening(1)),
            seal(&game, Seat::British, 3, "b", &opening(1)),
            seal(&game, Seat::British, 3, "a", &opening(2)),
            seal(&game, Seat::British, 3, "a", &Opening { content: "\"left\"".into(), ..opening(1) }),
        ] {
            assert_ne!(one, other);
        }
    }
}
