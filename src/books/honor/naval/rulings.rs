//! The numbered rulings that have a written alternative, as switches. The others are built in.

pub use crate::books::honor::Switch;
use crate::books::honor::ruling::switches;

switches! {
    wind: WindMeans { Toward = "toward", From = "from" } club "toward", "N01",
        "whether the wind number says where the wind blows to or where it comes from (3.1, 3.1.1)";
    nobody: NobodyHasGauge { Advantage = "advantage", Die = "die" } club "advantage", "N02",
        "who chooses the order when neither side has the gauge: commander's advantage, or a die (1-3 British, 4-6 American)";
    declares: DeclaresFirst { ByAction = "by-action", Holder = "holder" } club "by-action", "N03",
        "who declares fire first: in fleet actions the side without the gauge (9.7), or always as the gauge holder chooses (3.1.1)";
    half: HalfDamage { HalfOrLess = "half-or-less", BelowHalf = "below-half" } club "half-or-less", "N04",
        "when the damage penalties begin: at half the starting rating (6.6) or only below it (chart)";
    floor: FewestPlots { Zero = "zero", One = "one" } club "one", "N05",
        "the fewest plotted moves penalties can leave";
    first_wind: FirstWind { None = "none", Roll = "roll" } club "none", "N06",
        "whether the wind is rolled on turn 1";
    third: ThirdShip { EndPositions = "end-positions", Sequential = "sequential" } club "end-positions", "N07",
        "how the third-ship test is made: on the positions all moves would end in, or move by move";
    bent_line: BentLine { Both = "both", Either = "either" } club "both", "N08",
        "what blocks a sight line that runs between two hexes: ships in both of them, or a ship in either";
    arc: FireArc { Rows = "rows", Narrow = "narrow" } club "rows", "N09",
        "the fire arc at two hexes: all but the bow and stern rows, or only the three hexes abeam";
    idle_fire: IdleFire { Yes = "yes", No = "no" } club "yes", "N10",
        "whether a side whose markers are used up may still fire";
    again: BoardingAgain { HexTurn = "hex", PairTurn = "pair" } club "hex", "N12",
        "what one boarding action a turn is counted by: the hex, or the pair of ships";
    contest: ContestWinner { Rolls = "rolls-again", AtOnce = "boards-at-once" } club "boards-at-once", "N13",
        "whether the winner of 8.5 still needs a roll under 8.4";
    last_stand: LastMarines { Captured = "captured", LastStand = "last-stand" } club "captured", "N16",
        "whether a ship whose marines die in this very battle is captured at once or still has its intrinsic 1";
    second_half: SecondHalf { AddUp = "add-up", Replace = "replace" } club "add-up", "N18",
        "whether the reductions of an old and a new command ship at half damage add up";
    allotment: Allotment { Exactly = "exactly", UpTo = "up-to" } club "exactly", "N19b",
        "whether all allotted markers must be plotted";
    edge: SilentEdge { Stop = "stop", Lost = "lost" } club "stop", "N21",
        "what leaving a fixed edge means where the scenario is silent";
    still_fire: StillFire { Yes = "yes", No = "no" } club "yes", "N40",
        "whether a ship of a fleet that has not moved this turn may fire (9.7.1)";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_takes_its_settings_and_no_other() {
        for switch in Rulings::SWITCHES {
            for setting in switch.settings {
                let mut r = Rulings::default();
                r.set(switch.number, setting).unwrap();
                let at = Rulings::SWITCHES.iter().position(|s| s == switch).unwrap();
                assert_eq!(&r.settings()[at], setting);
            }
            assert!(switch.settings.contains(&switch.club), "{}", switch.number);
            assert!(Rulings::default().set(switch.number, "maybe").is_err());
        }
        assert!(Rulings::default().set("N99", "yes").is_err());
        assert_ne!(Rulings::club(), Rulings::book());
    }
}
