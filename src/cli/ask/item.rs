//! The questions of a step, in their order: what each is called, which rules stand behind it, which answers it has.

use super::draft::{self as part, Scope};
use super::form::{Answer, Choice, Form};
use crate::books::honor::naval::{Broadside, Designation, Marker, Preference, ShipId, State, When, Wish};
use crate::draft::Draft;
use crate::side::Side;

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// The nth marker.
    Marker(u8),
    /// Whether all ships fire alike.
    FireAlike(Scope),
    /// When a broadside fires, of all ships or of one.
    Fire(Scope, Option<ShipId>, Broadside),
    /// Markers with fire of their own.
    FireAt,
    /// Whom to fire at first.
    Targets(Scope),
    /// Whether all ships board alike.
    BoardAlike(Scope),
    /// Whether to board.
    Wish(Scope, Option<ShipId>),
    /// Lead in damage points that boarding needs.
    WishLead(Scope, Option<ShipId>),
    /// Marines that boarding needs.
    WishMarines(Scope, Option<ShipId>),
    /// When boarders go back.
    Retreat(Scope, Option<ShipId>),
    /// Who executes first.
    MovesFirst(Scope),
    /// Who declares fire first.
    FiresFirst(Scope),
    /// Which ships carry the marker out.
    Lead(Scope),
    /// Who follows the command ship.
    Followers(Scope),
    /// The ship that moves alone.
    Alone(Scope),
    /// Markers with ships of their own.
    LeadAt,
    /// Who takes over the squadron.
    Succession(Scope),
    /// Markers at which to be asked again.
    React,
    /// A word to the opponent.
    Say,
}

const WHEN: [(When, &str, &str); 5] = [
    (When::Hold, "hold", "do not fire"),
    (When::Crossing, "crossing", "only when crossing the T"),
    (When::Close, "close", "only at one hex"),
    (When::CrossingOrClose, "crossing-or-close", "when crossing the T, or at one hex"),
    (When::Any, "any", "at any target in range"),
];

/// What the questions are about.
pub(super) struct Scene<'a> {
    pub state: &'a State,
    pub side: Side,
    /// Whether this is the answer to a REACT.
    pub react: bool,
}

impl Scene<'_> {
    fn own(&self) -> Vec<ShipId> {
        self.state.afloat(self.side).map(|s| s.id.clone()).collect()
    }

    fn enemies(&self) -> Vec<ShipId> {
        self.state.afloat(self.side.other()).map(|s| s.id.clone()).collect()
    }

    /// Ships that can follow, or take over.
    fn others(&self) -> Vec<ShipId> {
        let command = self.state.fleets.get(self.side).command.clone();
        self.own().into_iter().filter(|id| Some(id) != command.as_ref()).collect()
    }

    fn ships(&self, ids: &[ShipId]) -> Vec<Choice> {
        let says = |id: &ShipId| {
            let ship = self.state.ship(id);
            ship.map_or_else(String::new, |s| format!("{}, damage {}/{}", s.name, s.damage, s.start))
        };
        ids.iter().map(|id| Choice::new(id.0.clone(), says(id))).collect()
    }

    fn markers(&self) -> Vec<Choice> {
        (1..=self.state.steps()).map(|n| Choice::new(n.to_string(), format!("marker {n}"))).collect()
    }

    /// The questions, as the answers so far have them. `last`: markers are plotted up to this one.
    pub(super) fn items(&self, draft: &Draft, last: u8) -> Vec<Item> {
        let mut draft = draft.clone();
        let scope = if self.react { Scope::React } else { Scope::Turn };
        let mut all = Vec::new();
        if !self.react {
            all.extend((1..=last).map(Item::Marker));
        }
        let several = self.own().len() > 1;
        let each = |alike: bool| if alike { vec![None] } else { self.own().into_iter().map(Some).collect() };
        if several {
            all.push(Item::FireAlike(scope));
        }
        for ship in each(part::fire(&mut draft, scope).ships.is_empty()) {
            all.extend([Broadside::Starboard, Broadside::Port].map(|b| Item::Fire(scope, ship.clone(), b)));
        }
        if !self.react {
            all.push(Item::FireAt);
            for n in part::differing(&draft, |own| own.fire.is_some()) {
                all.extend([Broadside::Starboard, Broadside::Port].map(|b| Item::Fire(Scope::At(n), None, b)));
            }
        }
        if self.enemies().len() > 1 {
            all.push(Item::Targets(scope));
        }
        if several {
            all.push(Item::BoardAlike(scope));
        }
        let board = part::board(&mut draft, scope).clone();
        for ship in each(board.ships.is_empty()) {
            let wish = ship.as_ref().map_or(board.wish, |id| board.ships.get(id).map_or(board.wish, |b| b.wish));
            all.push(Item::Wish(scope, ship.clone()));
            if let Wish::If { .. } = wish {
                all.extend([Item::WishLead(scope, ship.clone()), Item::WishMarines(scope, ship.clone())]);
            }
            if wish != Wish::Never {
                all.push(Item::Retreat(scope, ship));
            }
        }
        if self.state.chooser == self.side {
            let by_action = self.state.rulings.declares == crate::books::honor::naval::Rulings::book().declares;
            all.extend(self.state.multiple.then_some(Item::MovesFirst(scope)));
            all.extend((!self.state.multiple || !by_action).then_some(Item::FiresFirst(scope)));
        }
        if self.state.fleets.get(self.side).squadron && several {
            self.lead_items(&mut draft, scope, &mut all);
        }
        if !self.react {
            all.push(Item::React);
        }
        all.push(Item::Say);
        all
    }

    fn lead_items(&self, draft: &mut Draft, scope: Scope, all: &mut Vec<Item>) {
        let mut push = |draft: &mut Draft, scope: Scope| {
            all.push(Item::Lead(scope));
            match part::lead(draft, scope).move_with {
                Designation::Squadron {} => {}
                Designation::Command { .. } => all.push(Item::Followers(scope)),
                Designation::Ship { .. } => all.push(Item::Alone(scope)),
            }
        };
        push(draft, scope);
        if scope == Scope::Turn {
            let at = part::differing(draft, |own| own.lead.is_some());
            // The question which markers differ stands before theirs.
            let mut own = Vec::new();
            for n in at {
                own.push(Item::Lead(Scope::At(n)));
                match part::lead(draft, Scope::At(n)).move_with {
                    Designation::Squadron {} => {}
                    Designation::Command { .. } => own.push(Item::Followers(Scope::At(n))),
                    Designation::Ship { .. } => own.push(Item::Alone(Scope::At(n))),
                }
            }
            all.push(Item::LeadAt);
            all.extend(own);
        }
        all.push(Item::Succession(scope));
    }

    /// The form of a question's answer, without the rules' verdict on each.
    pub(super) fn form(&self, item: &Item) -> Form {
        let yes_no = |yes: &str, no: &str| Form::One(vec![Choice::new("yes", yes), Choice::new("no", no)]);
        match item {
            Item::Marker(_) => Form::One(vec![
                Choice::new("straight", "ahead along the heading"),
                Choice::new("right", "bow one hexside clockwise (heading +1), same hex"),
                Choice::new("left", "bow one hexside the other way (heading -1), same hex"),
                Choice::new("stop", "stay"),
                Choice::new("no-more", "plot no more markers this turn"),
            ]),
            Item::FireAlike(_) | Item::BoardAlike(_) => yes_no("one answer for all ships", "each ship is asked about"),
            Item::Fire(..) => Form::One(WHEN.iter().map(|(_, word, says)| Choice::new(*word, *says)).collect()),
            Item::FireAt | Item::LeadAt | Item::React => Form::Some(self.markers()),
            Item::Targets(_) => Form::Some(self.ships(&self.enemies())),
            Item::Wish(..) => Form::One(vec![
                Choice::new("never", "do not board"),
                Choice::new("always", "board whenever the rules allow it"),
                Choice::new("if", "only when ahead in damage points and with enough marines; both are asked next"),
            ]),
            Item::WishLead(..) => Form::Number(i8::MIN),
            Item::WishMarines(..) | Item::Retreat(..) => Form::Number(0),
            Item::MovesFirst(_) | Item::FiresFirst(_) => {
                Form::One(vec![Choice::new("us", "our side goes first"), Choice::new("enemy", "the enemy goes first")])
            }
            Item::Lead(_) => Form::One(vec![
                Choice::new("squadron", "the command ship and every other ship"),
                Choice::new("command", "the command ship and those you name next"),
                Choice::new("ship", "one ship alone"),
            ]),
            Item::Followers(_) | Item::Succession(_) => Form::Some(self.ships(&self.others())),
            Item::Alone(_) => Form::One(self.ships(&self.own())),
            Item::Say => Form::Text,
        }
    }

    /// The answer the draft holds; none if it holds none that can be shown.
    pub(super) fn held(&self, item: &Item, draft: &Draft) -> Option<Answer> {
        let mut draft = draft.clone();
        let places = |of: &[ShipId], among: Vec<ShipId>| {
            Answer::Some(of.iter().filter_map(|id| among.iter().position(|a| a == id)).collect())
        };
        let numbers = |of: Vec<u8>| Answer::Some(of.iter().map(|n| usize::from(n.saturating_sub(1))).collect());
        let yes = |yes: bool| Answer::One(usize::from(!yes));
        let first = |who: Preference| Answer::One(usize::from(who == Preference::Enemy));
        Some(match item {
            Item::Marker(n) => {
                let at = usize::from(n.saturating_sub(1));
                let marker = part::plot(&mut draft).markers.get(at).copied()?;
                Answer::One(Marker::ALL.iter().position(|m| *m == marker)?)
            }
            Item::FireAlike(scope) => yes(part::fire(&mut draft, *scope).ships.is_empty()),
            Item::BoardAlike(scope) => yes(part::board(&mut draft, *scope).ships.is_empty()),
            Item::Fire(scope, ship, side) => {
                let when = *part::when(part::fire(&mut draft, *scope), ship.as_ref(), *side);
                Answer::One(WHEN.iter().position(|(w, _, _)| *w == when)?)
            }
            Item::FireAt => numbers(part::differing(&draft, |own| own.fire.is_some())),
            Item::LeadAt => numbers(part::differing(&draft, |own| own.lead.is_some())),
            Item::React => numbers(part::plot(&mut draft).react.clone()),
            Item::Targets(scope) => places(&part::fire(&mut draft, *scope).targets, self.enemies()),
            Item::Wish(..) | Item::WishLead(..) | Item::WishMarines(..) | Item::Retreat(..) => {
                super::boarding::held(item, &mut draft)?
            }
            Item::MovesFirst(scope) => first(part::order(&mut draft, *scope).moves_first),
            Item::FiresFirst(scope) => first(part::order(&mut draft, *scope).fires_first),
            Item::Lead(scope) => Answer::One(part::form_of(&part::lead(&mut draft, *scope).move_with)),
            Item::Followers(scope) => match &part::lead(&mut draft, *scope).move_with {
                Designation::Command { followers } => places(followers, self.others()),
                _ => Answer::Some(Vec::new()),
            },
            Item::Alone(scope) => match &part::lead(&mut draft, *scope).move_with {
                Designation::Ship { id } => Answer::One(self.own().iter().position(|s| s == id)?),
                _ => return None,
            },
            Item::Succession(scope) => places(&part::lead(&mut draft, *scope).succession, self.others()),
            Item::Say => Answer::Text(draft.say.clone()),
        })
    }

    /// Puts an answer into the draft.
    pub(super) fn put(&self, item: &Item, answer: &Answer, draft: &mut Draft) {
        let one = |at: usize, of: Vec<ShipId>| of.get(at).cloned();
        let some = |places: &[usize], of: Vec<ShipId>| places.iter().filter_map(|at| of.get(*at).cloned()).collect();
        let numbers = |places: &[usize]| -> Vec<u8> {
            let mut all: Vec<u8> = places.iter().filter_map(|at| u8::try_from(at + 1).ok()).collect();
            all.sort_unstable();
            all
        };
        match (item, answer) {
            (Item::Marker(n), Answer::One(at)) => {
                let (markers, k) = (&mut part::plot(draft).markers, usize::from(n.saturating_sub(1)));
                match (Marker::ALL.get(*at), markers.get_mut(k)) {
                    (Some(marker), Some(place)) => *place = *marker,
                    (Some(marker), None) => markers.push(*marker),
                    (None, _) => markers.truncate(k),
                }
            }
            (Item::FireAlike(scope), Answer::One(at)) => {
                part::set_fire_alike(part::fire(draft, *scope), *at == 0, &self.own());
            }
            (Item::BoardAlike(scope), Answer::One(at)) => {
                part::set_board_alike(part::board(draft, *scope), *at == 0, &self.own());
            }
            (Item::Fire(scope, ship, side), Answer::One(at)) => {
                if let Some((when, _, _)) = WHEN.get(*at) {
                    *part::when(part::fire(draft, *scope), ship.as_ref(), *side) = *when;
                }
            }
            (Item::FireAt, Answer::Some(places)) => part::set_fire_at(draft, &numbers(places)),
            (Item::LeadAt, Answer::Some(places)) => part::set_lead_at(draft, &numbers(places)),
            (Item::React, Answer::Some(places)) => part::plot(draft).react = numbers(places),
            (Item::Targets(scope), Answer::Some(places)) => {
                let ids: Vec<ShipId> = some(places, self.enemies());
                part::set_targets(draft, *scope, &ids);
            }
            (Item::MovesFirst(scope), Answer::One(at)) => part::order(draft, *scope).moves_first = preference(*at),
            (Item::FiresFirst(scope), Answer::One(at)) => part::order(draft, *scope).fires_first = preference(*at),
            (Item::Lead(scope), Answer::One(at)) => {
                let with = &mut part::lead(draft, *scope).move_with;
                if *at != part::form_of(with) {
                    *with = match at {
                        0 => Designation::Squadron {},
                        1 => Designation::Command { followers: Vec::new() },
                        _ => one(0, self.own()).map_or(Designation::Squadron {}, |id| Designation::Ship { id }),
                    };
                }
            }
            (Item::Followers(scope), Answer::Some(places)) => {
                part::lead(draft, *scope).move_with = Designation::Command { followers: some(places, self.others()) };
            }
            (Item::Alone(scope), Answer::One(at)) => {
                if let Some(id) = one(*at, self.own()) {
                    part::lead(draft, *scope).move_with = Designation::Ship { id };
                }
            }
            (Item::Succession(scope), Answer::Some(places)) => {
                let ids: Vec<ShipId> = some(places, self.others());
                part::set_succession(draft, *scope, &ids);
            }
            (Item::Say, Answer::Text(text)) => draft.say.clone_from(text),
            _ => super::boarding::put(item, answer, draft),
        }
    }
}

fn preference(at: usize) -> Preference {
    if at == 0 { Preference::Us } else { Preference::Enemy }
}
