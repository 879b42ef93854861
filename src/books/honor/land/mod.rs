//! The land rules of For Honor and Glory, one file a chapter.
//!
//! Reading order: `pieces` (3), `terrain` (2) and [`State`], [`Order`] and [`Event`]; then the phases as the book prints
//! them: `turn` (5, 6.1), `half_turn` and `actions` (5.1, 6.2), `movement` (7), `fire`, `volley` and `sight` (8.1, 8.2),
//! `close_combat` (8.3), `retreat` (8.4), `leaders` (9), `victory` (10), `options` (11), `campaign` (12), and `boats`,
//! which carry land units over water (NAV-2.3.d). `listing` says what a piece may do.

mod actions;
mod apply;
mod boats;
mod campaign;
mod close_combat;
mod event;
mod fire;
mod ground;
mod half_turn;
mod judge;
mod leaders;
mod listing;
mod modifier;
mod movement;
mod options;
mod orders;
mod pieces;
mod position;
pub mod random;
mod retreat;
mod rulings;
mod scenario;
mod sight;
mod start;
mod state;
mod terrain;
mod turn;
mod victory;
mod volley;

pub use actions::foresee;
pub use boats::{Bar, barred, barred_leader};
pub use campaign::{CAMPAIGNS, Campaign, CampaignTerms, Linked, credit, linked};
pub use close_combat::{AdvanceQuestion, Go, Wait, WithdrawQuestion, stands_on};
pub use event::{Attack, Ending, Event, Fallback, LeaderLoss, LeaderShift, Loss};
pub use fire::reach;
pub use ground::{Ground, HomeEdge, MapDoc, Tiles};
pub use half_turn::OrdersQuestion;
pub use leaders::{EscapeQuestion, Flee, FollowQuestion, Whom};
pub use listing::{Action, Check, Listing, Reason, Target, Way, coming, listing};
pub use modifier::{Modifier, total};
pub use movement::{allowance, stops, waterway_cost};
pub use options::Options;
pub use orders::{
    Advance, Course, Flight, Follow, Guard, HalfTurn, Order, Outcome, Standing, Ties, UnitStanding, Withdraw,
};
pub use pieces::{CLOSE_COMBAT, DICE, Formation, Id, LEADER_MOVES, Place, UnitType};
pub use position::{LandPosition, PositionArmy, PositionLeader, PositionObjective, PositionUnit};
pub use retreat::{RetreatQuestion, To, trapped};
pub use rulings::Rulings;
pub use scenario::{Enters, LandLeader, LandObjective, LandScenario, LandSide, LandUnit, Taking, TimeLimit, Victory};
pub use sight::blocked;
pub use start::{Agreed, start};
pub use state::{Army, Deed, Entry, Fate, Leader, Objective, State, Unit};
pub use terrain::Terrain;
pub use turn::{Land, LandStage, random_points};
pub use volley::{Tie, TieQuestion, aimed, whose_die};
