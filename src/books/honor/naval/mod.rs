//! The naval rules of For Honor and Glory, one file a chapter.
//!
//! Reading order: [`State`] and [`Event`], then the phases as the book prints them: `wind` (3.1), `plot` (4.1, 5),
//! `turn` (5.8: one step), `sailing` (3.2, 3.4), `squadron` (9), `gunnery` (6), `boarding` (8), `victory` (4.1).

mod apply;
mod boarding;
mod event;
mod gunnery;
mod orders;
mod plot;
mod policy;
mod position;
pub mod random;
mod rulings;
mod sailing;
mod scenario;
mod squadron;
mod start;
mod state;
mod turn;
mod victory;
mod wind;

pub use boarding::{LEAD, RetreatQuestion, Say, Stand, WishQuestion};
pub use event::{Ending, Event, HoldReason, LeaveReason, OrderReason, Shift};
pub use gunnery::{Aim, DeclareQuestion, aim, bears, crosses_the_t, hits_on, shots};
pub use orders::{
    Board, Boarding, Broadside, Conduct, Designation, EnemyMove, Fire, Guns, Lead, Marker, MarkerOrders, Order, Plot,
    Preference, Reaction, ShipId, Shot, When, Wish,
};
pub use plot::{PlotQuestion, judge_prefix};
pub use policy::Policy;
pub use position::{Position, PositionFleet, PositionShip};
pub use rulings::{LastMarines, Rulings, StillFire, Switch};
pub use sailing::{Would, straight, would};
pub use scenario::{Edge, Leaving, Scenario, ScenarioShip, ScenarioSide, Sea, ShipType, Victory, Worth};
pub use squadron::{CommandQuestion, DesignateQuestion};
pub use start::start;
pub use state::{BoardingUsed, Fate, Fleet, Ship, State};
pub use turn::{FirstQuestion, Naval, OrderKind, ReactQuestion, Stage};
pub use wind::with_the_wind;
