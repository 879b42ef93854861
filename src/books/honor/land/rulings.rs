//! The numbered rulings that have a written alternative, as switches. The others are built in.

use crate::books::honor::ruling::switches;

switches! {
    waterway: Waterway { OneMore = "one-more", TwoMore = "two-more", Stop = "stop" } club "one-more", "L01",
        "what entering a waterway costs: one action point on top of the move's, two on top, or only the stop (2.3.3, chart)";
    fort: FortSight { Blocks = "blocks", Open = "open" } club "blocks", "L02",
        "whether a fort blocks sight (2.3.10; it is missing from the list of 8.2)";
    crossing: CrossingMorale { None = "none", Waterway = "waterway" } club "none", "L02b",
        "the morale of a defender at a crossing: unchanged, or lowered by one as on the waterway below it (2.3.3, 2.3.4)";
    blockers: SightBlockers { AllUnits = "all-units", CombatUnits = "combat-units" } club "combat-units", "L03",
        "which units block sight: all, leaders and victory point units among them, or combat units alone (8.2)";
    hits: HitsOnTwo { EachHit = "each-hit", OneFirst = "one-first" } club "each-hit", "L04",
        "hits on two units: the higher is looked for at each hit, or one takes all until it is gone (8.1.2)";
    lone_target: LoneLeaderTarget { Target = "target", NoTarget = "no-target" } club "target", "L05",
        "whether a leader without a combat unit can be fired at (8.1.2, 9.3.1)";
    ones: LeaderOnes { Natural = "natural", Modified = "modified" } club "natural", "L06",
        "which ones endanger a leader: those the dice show, or those left after terrain (9.3.1)";
    leader_roll: LeaderRoll { AfterHits = "after-hits", BeforeHits = "before-hits" } club "after-hits", "L07",
        "when a leader in the target hex rolls: after the hits are applied, or before (9.3.1)";
    gun_morale: GunMorale { WithInfantry = "with-infantry", AlwaysRolls = "always-rolls" } club "with-infantry", "L08",
        "whether a gun passes its check unrolled when the infantry with it passes (8.4.4), or always rolls (8.3.2)";
    flank_morale: FlankMorale { Value = "value", Die = "die" } club "value", "L09",
        "what a flank attack lowers in the retreat check: the defender's value, or his die (11.9)";
    direction: RetreatDirection { Preferred = "preferred", Mandatory = "mandatory" } club "preferred", "L11",
        "whether a retreat toward the own side or main group is only preferred, or the only one allowed (8.4.1)";
    displacing: Displacing { BeforeNear = "before-near", Last = "last" } club "before-near", "L12",
        "whether a far hex reached by displacement goes before an empty hex beside the attacker, or displacement is last (8.4.1, 8.4.3)";
    displaced: DisplacedTrapped { Blocked = "blocked", Eliminated = "eliminated" } club "blocked", "L13",
        "a displaced unit without a way out: its hex counts as blocked, or it is eliminated (8.4.2, 8.4.3)";
    displace_limit: DisplaceLimit { OneEach = "one-each", OneACombat = "one-a-combat" } club "one-each", "L14",
        "how many units may be displaced: one for each retreating unit, or one a combat (8.4.3)";
    two_retreat: TwoRetreat { Free = "free", Together = "together" } club "free", "L15",
        "two units that retreat with a leader: each goes its way and he follows one, or they stay together (8.3.2, 4.3)";
    escape: EscapeTerms { MayStay = "may-stay", MustMove = "must-move" } club "may-stay", "L16",
        "the escape of a leader: 0 to 3 hexes without terrain stops, or 1 to 3 with them (8.4.5)";
    advance_leader: AdvanceLeader { Along = "along", Stays = "stays" } club "along", "L17",
        "whether the leader with an attacker may go along when it advances (8.3.4)";
    leader_pass: LeaderPass { Friends = "friends", All = "all" } club "friends", "L19",
        "which units a leader may move through: friends, or all (9.1, 8.4.5)";
    overrun: Overrun { CombatUnits = "combat-units", AnyUnit = "any-unit" } club "combat-units", "L20",
        "who eliminates a lone leader by entering his hex: combat units, or leaders too (7.3, 9.3.3)";
    taking: VpTaking { Entering = "entering", Scenario = "scenario" } club "entering", "L21",
        "how a victory point unit is taken: by a combat unit that enters its hex, or as the scenario says for each (3.4.11)";
    fired_on: FiredOn { GameTurn = "game-turn", SinceOwn = "since-own-half-turn" } club "since-own-half-turn", "L22b",
        "with 11.2, since when a unit may not have been fired on to be rallied: this game turn, or the end of its own last half-turn";
    columns: ColumnDice { AddUp = "add-up", CapOne = "cap-one" } club "add-up", "L24",
        "dice of an attacker in column: one and whatever is added, or never more than one (7.5.1)";
    column_bonus: ColumnBonus { Movement = "movement", Both = "both" } club "movement", "L25",
        "which bonus of a leader a unit in column goes without: the extra hex, or that and the morale (9.1.3)";
    charge_six: ChargeSix { Plain = "plain", Fails = "fails" } club "plain", "L27",
        "with 11.1, whether a 6 always fails the attacker's check";
    indian_town: IndianTown { Replace = "replace", Add = "add" } club "replace", "L28",
        "with 11.4, whether the -2 stands in the place of the terrain's -1 or is added to it";
    leader_dice: LeaderDice { Once = "once", EachAttack = "each-attack" } club "once", "L30",
        "with 11.8, how often in a half-turn a leader adds his die: to one attack, or to each";
    flank_bonus: FlankBonus { Both = "both", SecondOnly = "second-only" } club "both", "L31",
        "with 11.9, which attacks have the +1: all of them, or those alone that come after one from the opposite side";
    bent_line: BentLine { Apart = "apart", Together = "together" } club "apart", "L45",
        "a sight line along two hexsides: each is judged by itself, or a blocker left of one and right of the other blocks too (8.2)";
    trapped_elite: TrappedElite { Lost = "lost", Rolls = "rolls" } club "lost", "L52",
        "an elite that cannot retreat: eliminated outright, or after its survival roll (3.4.1, 8.4.2)";
    with_indians: LeaderWithIndians { Shares = "shares", Stops = "stops" } club "shares", "L56",
        "a leader who moves with Indians through forest: goes on with them, or has to stop (7.4, 9.1)";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_takes_its_settings_and_no_other() {
        for (at, switch) in Rulings::SWITCHES.iter().enumerate() {
            for setting in switch.settings {
                let mut r = Rulings::default();
                r.set(switch.number, setting).unwrap();
                assert_eq!(&r.settings()[at], setting);
            }
            assert!(switch.settings.contains(&switch.club), "{}", switch.number);
            assert!(Rulings::default().set(switch.number, "maybe").is_err());
        }
        assert!(Rulings::default().set("L99", "yes").is_err());
        assert_ne!(Rulings::club(), Rulings::book());
    }
}
