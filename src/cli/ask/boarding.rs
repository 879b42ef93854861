//! The questions about boarding: wish, what it needs, and when boarders go back (NAV-8.3, NAV-8.6.p2).

use super::draft::{self as part, Scope};
use super::form::Answer;
use super::item::Item;
use crate::books::honor::naval::{Boarding, ShipId, Wish};
use crate::draft::Draft;

/// What `if` begins with: the figures of the template's example.
const IF: Wish = Wish::If { lead: 2, marines: 2 };

fn orders(draft: &mut Draft, scope: Scope, ship: Option<&ShipId>) -> Boarding {
    let board = part::board(draft, scope);
    let all = Boarding { wish: board.wish, retreat_at: board.retreat_at };
    ship.map_or(all, |id| board.ships.get(id).copied().unwrap_or(all))
}

/// The answer the draft holds.
pub(super) fn held(item: &Item, draft: &mut Draft) -> Option<Answer> {
    let of = |draft: &mut Draft, scope: &Scope, ship: &Option<ShipId>| orders(draft, *scope, ship.as_ref());
    Some(match item {
        Item::Wish(scope, ship) => Answer::One(match of(draft, scope, ship).wish {
            Wish::Never => 0,
            Wish::Always => 1,
            Wish::If { .. } => 2,
        }),
        Item::WishLead(scope, ship) => match of(draft, scope, ship).wish {
            Wish::If { lead, .. } => Answer::Number(lead),
            _ => return None,
        },
        Item::WishMarines(scope, ship) => match of(draft, scope, ship).wish {
            Wish::If { marines, .. } => Answer::Number(i8::try_from(marines).unwrap_or(i8::MAX)),
            _ => return None,
        },
        Item::Retreat(scope, ship) => {
            Answer::Number(i8::try_from(of(draft, scope, ship).retreat_at).unwrap_or(i8::MAX))
        }
        _ => return None,
    })
}

/// Puts an answer into the draft. A number below 0 is taken for the largest, which the check refuses by name.
pub(super) fn put(item: &Item, answer: &Answer, draft: &mut Draft) {
    let (Item::Wish(scope, ship)
    | Item::WishLead(scope, ship)
    | Item::WishMarines(scope, ship)
    | Item::Retreat(scope, ship)) = item
    else {
        return;
    };
    let mut now = orders(draft, *scope, ship.as_ref());
    let count = |n: i8| u8::try_from(n).unwrap_or(u8::MAX);
    match (item, answer, now.wish) {
        (Item::Wish(..), Answer::One(0), _) => now.wish = Wish::Never,
        (Item::Wish(..), Answer::One(1), _) => now.wish = Wish::Always,
        (Item::Wish(..), Answer::One(_), Wish::If { .. }) => {}
        (Item::Wish(..), Answer::One(_), _) => now.wish = IF,
        (Item::WishLead(..), Answer::Number(lead), Wish::If { marines, .. }) => {
            now.wish = Wish::If { lead: *lead, marines }
        }
        (Item::WishMarines(..), Answer::Number(n), Wish::If { lead, .. }) => {
            now.wish = Wish::If { lead, marines: count(*n) };
        }
        (Item::Retreat(..), Answer::Number(n), _) => now.retreat_at = count(*n),
        _ => return,
    }
    let board = part::board(draft, *scope);
    match ship {
        Some(id) => {
            board.ships.insert(id.clone(), now);
        }
        None => (board.wish, board.retreat_at) = (now.wish, now.retreat_at),
    }
}
