//! Strict games: the players bind and reveal as between two, the host relays, keeps the clock, adds his link.

mod common;

use common::Numbers;
use common::strict::{play, three};
use countersign::catalog;
use countersign::log::{check_protocol, verify};

#[test]
fn strict_games_of_every_scenario_run_to_their_end_in_any_order_of_mail() {
    for (n, (id, _)) in catalog::SCENARIOS.iter().enumerate() {
        let (mut places, _) = three(id, None, 7);
        let log = play(&mut places, &mut Numbers(n as u64));
        let good = verify(&log, &catalog::embedded, None).unwrap_or_else(|f| panic!("{id}: {f}"));
        assert!(good.history.end().is_some() && good.history.complete() && good.openings > 0);
        check_protocol(&log).unwrap_or_else(|f| panic!("{id}: {f}"));
    }
}
