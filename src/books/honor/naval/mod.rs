//! The naval rules of For Honor and Glory, one file a chapter.

mod event;
mod orders;
mod rulings;
mod scenario;

pub use event::{Ending, Event, HoldReason, LeaveReason, OrderReason, Shift};
pub use orders::{
    Board, Boarding, Broadside, Conduct, Designation, EnemyMove, Fire, Guns, Lead, Marker, MarkerOrders, Plot,
    Preference, Reaction, ShipId, Shot, When, Wish,
};
pub use rulings::{Rulings, Switch};
pub use scenario::{Edge, Leaving, Scenario, ScenarioShip, ScenarioSide, Sea, ShipType, Victory, Worth};
