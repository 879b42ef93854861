//! Linked battles (12): what a finished battle carries into the next, read from its verified log.

use std::path::Path;

use super::check;
use super::status::count;
use crate::books::honor::land::{CAMPAIGNS, Campaign, Event, Land, Linked, credit, linked};
use crate::catalog::{AnyGame, LandGame};
use crate::error::{Error, Result};
use crate::log::{End, Verified};
use crate::play::Record;
use crate::side::{Seat, Side, Sides};

/// What a battle carries into the next of its campaign.
pub(super) struct Carried {
    campaign: &'static Linked,
    /// The battle that follows, from 1.
    battle: u8,
    /// Its scenario.
    pub next: &'static str,
    /// Points of all battles so far.
    totals: Sides<u32>,
    /// The battle before, who played it, and whether by the rules.
    before: String,
}

/// Reads the log of a finished battle, or the game folder it lies in.
///
/// # Errors
/// Why it carries nothing, and what to do.
pub(super) fn after(path: &Path) -> Result<Carried> {
    let log = if path.is_dir() { path.join("game.log") } else { path.to_owned() };
    let good = check::verified(&log, None, None)?.map_err(|bad| {
        let bad = bad.first_line();
        Error::new(format!("the log of the battle before does not verify, so nothing is carried from it: {bad}"))
            .next(format!("`countersign verify {}` says more; ask your opponent for the log he has", log.display()))
    })?;
    let Some(game) = good.history.game.land() else {
        return Err(Error::new("the battle before was fought at sea: campaigns link land battles alone (FHG-12)")
            .next(format!("the campaigns are {}", every_campaign())));
    };
    let id = game.scenario.id.as_str();
    let Some((campaign, battle)) = linked(id) else {
        return Err(Error::new(format!("{id} is no battle of a campaign (FHG-12)"))
            .next(format!("the campaigns are {}", every_campaign())));
    };
    let Some(next) = campaign.battles.get(usize::from(battle)).copied() else {
        return Err(Error::new(format!(
            "{id} is the last battle of the campaign {}: none follows it (FHG-12)",
            campaign.name
        ))
        .next("its report says who has won the campaign"));
    };
    let totals = counted(&good, game, campaign, battle)?;
    Ok(Carried { campaign, battle: battle + 1, next, totals, before: before(&good, game) })
}

/// The sums after a battle, as its last event told them.
fn counted(good: &Verified, game: &LandGame, campaign: &Linked, battle: u8) -> Result<Sides<u32>> {
    let by_hand = |what: String| {
        let next = format!("agree on the points with your opponent, and type them: {}", typed(campaign, None));
        Err(Error::new(what).next(next))
    };
    let id = &game.scenario.id;
    // 12.p1 and 12.p2 know two ends, by points and by time. Of a battle given up they say nothing, and no ruling does: the
    // points held would reward giving up early, the winner's target would be a guess.
    let silent = "the rules do not say what such a battle counts (FHG-12.p1, FHG-12.p2)";
    match good.history.end() {
        Some(End::Rules) => {}
        None => {
            return Err(Error::new(format!("{id} is not over: step {} is open", good.history.step()))
                .next("play it to its end first; if you have, take your opponent's last packet in with `adjudicate`"));
        }
        Some(End::Conceded(seat)) => return by_hand(format!("the {seat} player conceded {id}: {silent}")),
        Some(End::Forfeited(seat)) => return by_hand(format!("the {seat} player lost {id} by the clock: {silent}")),
        Some(End::Draw) => return by_hand(format!("{id} was broken off as a draw: {silent}")),
    }
    let told = |pick: &dyn Fn(&Event) -> Option<Sides<u32>>| {
        let records = game.played.chapters().iter().rev().flat_map(|chapter| chapter.records.iter().rev());
        let events = records.filter_map(|record: &Record<Land>| match record {
            Record::Event(event) => Some(event),
            _ => None,
        });
        let mut found = events.filter_map(pick);
        found.next()
    };
    let credited = told(&|event| match event {
        Event::Credited { totals, .. } => Some(*totals),
        _ => None,
    });
    if let Some(totals) = credited {
        return Ok(totals);
    }
    let would = told(&|event| match event {
        Event::GameOver { winner, why, points } => Some(credit(*why, *winner, *points, game.scenario.victory.target)),
        _ => None,
    });
    let what = format!("{id} was not played as a battle of a campaign: its terms did not say 12={}", campaign.id);
    Err(Error::new(what).next(format!(
        "if you both want it to count, type the points it would have counted: {}",
        typed(campaign, would.filter(|_| battle == 1))
    )))
}

/// How points are typed by hand.
fn typed(campaign: &Linked, points: Option<Sides<u32>>) -> String {
    let figure = |side: Side| points.map_or("N".to_owned(), |p| p.get(side).to_string());
    let (british, american) = (figure(Side::British), figure(Side::American));
    format!("--ruling 12={} --ruling 12.british={british} --ruling 12.american={american}", campaign.id)
}

/// Every campaign with its battles.
fn every_campaign() -> String {
    let one = |c: &Linked| format!("{} ({})", c.name, c.battles.join(", "));
    CAMPAIGNS.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Which battle it was, for people: whoever plays two campaigns sees whether he named the right one.
fn before(good: &Verified, game: &LandGame) -> String {
    let players = good.history.terms.seats.iter().filter(|s| s.seat != Seat::Host);
    let players = players.map(|s| format!("{} {}", s.seat, s.player)).collect::<Vec<_>>().join(", ");
    format!("{} ({players}; {})", game.scenario.title, check::by_the_rules(good))
}

impl Carried {
    /// The terms of the battle that follows, as `new` takes them.
    ///
    /// # Errors
    /// If the scenario is another one, or points are typed as well.
    pub fn settings(&self, scenario: &str, single: &[String]) -> Result<Vec<String>> {
        if scenario != self.next {
            let what = format!(
                "after this battle the campaign {} goes on with {}, not {scenario}",
                self.campaign.name, self.next
            );
            return Err(Error::misuse(format!("{what} (FHG-12)")).next("leave --scenario out"));
        }
        let by_hand = |text: &&String| text.starts_with("12=") || text.starts_with("12.");
        if let Some(text) = single.iter().find(by_hand) {
            return Err(Error::misuse(format!("--ruling {text} and --after both say what is carried"))
                .next("leave one of them out: --after reads the points from the log"));
        }
        let points = self.totals.iter().map(|(side, points)| format!("12.{side}={points}"));
        Ok(std::iter::once(format!("12={}", self.campaign.id)).chain(points).collect())
    }

    /// What was read, in words.
    pub fn words(&self) -> String {
        format!(
            "Battle {} of the campaign {}, after {}: {} carried. [FHG-12]",
            self.battle,
            self.campaign.name,
            self.before,
            sums(self.totals)
        )
    }

    /// Compares proposed terms with the log.
    ///
    /// # Errors
    /// If they are of another battle, or carry other points; both figures are named.
    pub fn compare(&self, game: &AnyGame, scenario: &str) -> Result<()> {
        let ask = "ask your opponent to propose it with `countersign new --after`";
        let Some(terms) = campaign(game) else {
            let what = format!(
                "the terms proposed make {scenario} a battle by itself; your log leads to battle {}",
                self.battle
            );
            return Err(Error::new(format!("{what} of the campaign {} (FHG-12)", self.campaign.name)).next(ask));
        };
        if scenario != self.next || terms.id != self.campaign.id {
            let what = format!("{scenario} is proposed; after the battle of your log comes {} (FHG-12)", self.next);
            return Err(Error::new(what).next("name the log of the battle before this one"));
        }
        if terms.carried != self.totals {
            return Err(Error::new(format!(
                "the terms carry {}; your log counts {} after {} (FHG-12)",
                sums(terms.carried),
                sums(self.totals),
                self.before
            ))
            .next(format!("{ask}, or compare `countersign head` of that battle; if you two have agreed on other points, accept without --after")));
        }
        Ok(())
    }
}

/// Points of both sides in words.
fn sums(points: Sides<u32>) -> String {
    let one = |n: u32| count(usize::try_from(n).unwrap_or(usize::MAX), "point", "points");
    format!("British {}, American {}", one(points.british), one(points.american))
}

/// The campaign that a game just opened is a battle of.
pub(super) fn campaign(game: &AnyGame) -> Option<&Campaign> {
    game.land().and_then(|game| game.played.state().campaign.as_ref())
}

/// What terms say of a campaign, for who is to accept them.
pub(super) fn terms_words(campaign: &Campaign, checked: Option<&Carried>) -> String {
    let name = CAMPAIGNS.iter().find(|c| c.id == campaign.id).map_or(campaign.id.as_str(), |c| c.name);
    match (campaign.battle, checked) {
        (1, _) => format!("Battle 1 of the campaign {name}. [FHG-12]\n"),
        (_, Some(carried)) => format!("{} Your log counts the same.\n", carried.words()),
        (battle, None) => format!(
            "Battle {battle} of the campaign {name}: {} carried from before. [FHG-12]\n\
             These figures are your opponent's word: nothing has compared them with the battle before. Before you mail\n\
             this, compare them with your log, or accept again in another folder with --after FOLDER-OR-LOG.\n",
            sums(campaign.carried)
        ),
    }
}
