//! Chapter 12: linked battles, decided on the sum of their points.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Ending, Event};
use super::state::State;
use crate::side::{Side, Sides};

/// A campaign of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linked {
    /// Its word in terms.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its battles in order, by scenario id.
    pub battles: &'static [&'static str],
}

/// The three campaigns (12.a, 12.b, 12.c).
pub const CAMPAIGNS: &[Linked] = &[
    Linked { id: "niagara", name: "Niagara", battles: &["chippawa", "lundys-lane"] },
    Linked { id: "chesapeake", name: "Chesapeake", battles: &["bladensburg", "north-point"] },
    Linked { id: "new-orleans", name: "New Orleans", battles: &["night-attack", "new-orleans"] },
];

/// A battle as part of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// The campaign's word.
    pub id: String,
    /// Which of its battles this is, from 1.
    pub battle: u8,
    /// Points carried from the battles before.
    #[serde(default)]
    pub carried: Sides<u32>,
}

/// The campaign a scenario is part of, with the battle's number, from 1.
#[must_use]
pub fn linked(scenario: &str) -> Option<(&'static Linked, u8)> {
    CAMPAIGNS.iter().find_map(|c| {
        let at = c.battles.iter().position(|battle| *battle == scenario)?;
        Some((c, u8::try_from(at + 1).ok()?))
    })
}

/// The terms of a campaign game: `12` names the campaign, `12.british` and `12.american` the points carried. The first
/// battle carries none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CampaignTerms {
    id: Option<String>,
    carried: Sides<u32>,
    any: bool,
}

impl CampaignTerms {
    /// Sets one of the three.
    ///
    /// # Errors
    /// What may stand there, if this may not.
    pub fn set(&mut self, number: &str, word: &str) -> Result<(), String> {
        let points = || {
            let n = word.parse::<u32>().ok().filter(|n| *n <= 999);
            n.ok_or_else(|| format!("{number} is a number of points, 0 to 999, not `{word}`"))
        };
        match number {
            "12" => self.id = (word != "off").then(|| word.to_owned()),
            "12.british" => self.carried.british = points()?,
            "12.american" => self.carried.american = points()?,
            _ => return Err(format!("{number} says nothing of a campaign")),
        }
        self.any |= number != "12";
        Ok(())
    }

    /// The campaign of a scenario under these terms.
    ///
    /// # Errors
    /// If the scenario is no battle of the campaign, or a first battle is to carry points.
    pub fn of(&self, scenario: &str) -> Result<Option<Campaign>, String> {
        let Some(id) = &self.id else {
            return if self.any && self.carried != Sides::default() {
                Err("points are carried in a campaign only: set 12 to its name (FHG-12)".into())
            } else {
                Ok(None)
            };
        };
        let names: Vec<&str> = CAMPAIGNS.iter().map(|c| c.id).collect();
        if !names.contains(&id.as_str()) {
            return Err(format!("12 can be off, {}, not `{id}`", names.join(", ")));
        }
        match linked(scenario).filter(|(c, _)| c.id == id) {
            Some((_, 1)) if self.carried != Sides::default() => {
                Err(format!("{scenario} is the first battle of its campaign and carries no points (FHG-12)"))
            }
            Some((_, battle)) => Ok(Some(Campaign { id: id.clone(), battle, carried: self.carried })),
            None => Err(format!("{scenario} is no battle of the campaign {id} (FHG-12)")),
        }
    }
}

/// What a battle counts: points as they stand when a side has won by them (12.p1); when time ran out, the winner's own
/// target (L51) and what the loser has (12.p2). A draw by time credits what both hold.
#[must_use]
pub fn credit(why: Ending, winner: Option<Side>, points: Sides<u32>, target: Sides<u32>) -> Sides<u32> {
    let mut credited = points;
    if let (Ending::LastTurn, Some(winner)) = (why, winner) {
        *credited.get_mut(winner) = *target.get(winner);
    }
    credited
}

/// The event that closes a battle of a campaign.
#[must_use]
pub(super) fn credited(state: &State, why: Ending, winner: Option<Side>) -> Option<Event> {
    let campaign = state.campaign.as_ref()?;
    let linked = CAMPAIGNS.iter().find(|c| c.id == campaign.id)?;
    let held = Sides::from_fn(|side| state.armies.get(side).points);
    let points = credit(why, winner, held, state.victory.target);
    let totals = Sides::from_fn(|side| campaign.carried.get(side).saturating_add(*points.get(side)));
    let last = usize::from(campaign.battle) >= linked.battles.len();
    let ahead = match totals.british.cmp(&totals.american) {
        std::cmp::Ordering::Greater => Some(Side::British),
        std::cmp::Ordering::Less => Some(Side::American),
        std::cmp::Ordering::Equal => None,
    };
    let winner = ahead.filter(|_| last);
    Some(Event::Credited { campaign: linked.id.into(), battle: campaign.battle, points, totals, winner, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Sides<u32> = Sides { british: 8, american: 7 };

    #[test]
    fn points_held_count_when_points_won_and_the_target_when_time_did() {
        let points = Sides { british: 5, american: 7 };
        assert_eq!(credit(Ending::Target, Some(Side::American), points, TARGET), points);
        let by_time = credit(Ending::LastTurn, Some(Side::British), points, TARGET);
        assert_eq!(by_time, Sides { british: 8, american: 7 });
        assert_eq!(credit(Ending::LastTurn, None, points, TARGET), points);
    }

    #[test]
    fn every_battle_knows_its_campaign() {
        assert_eq!(linked("lundys-lane").map(|(c, n)| (c.id, n)), Some(("niagara", 2)));
        assert_eq!(linked("queenston-heights"), None);
        let mut terms = CampaignTerms::default();
        terms.set("12", "niagara").unwrap();
        terms.set("12.british", "5").unwrap();
        assert!(terms.of("chippawa").is_err());
        assert!(terms.of("new-orleans").is_err());
        let second = terms.of("lundys-lane").unwrap().unwrap();
        assert_eq!((second.battle, second.carried.british), (2, 5));
    }
}
