//! Bounded tracks: morale, ammunition, turns.

use serde::Serialize;

/// A marker on a printed track that ends at both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Track {
    least: i32,
    most: i32,
    at: i32,
}

impl Track {
    /// A track with its marker, held within the ends; the two ends may be given in either order.
    #[must_use]
    pub fn new(least: i32, most: i32, at: i32) -> Track {
        let (least, most) = (least.min(most), least.max(most));
        Track { least, most, at: at.clamp(least, most) }
    }

    /// Where the marker is.
    #[must_use]
    pub fn at(self) -> i32 {
        self.at
    }

    /// Whether it is at the lower end.
    #[must_use]
    pub fn is_least(self) -> bool {
        self.at == self.least
    }

    /// Whether it is at the upper end.
    #[must_use]
    pub fn is_most(self) -> bool {
        self.at == self.most
    }

    /// The track with its marker moved, and how far it really went.
    #[must_use]
    pub fn moved(self, by: i32) -> (Track, i32) {
        let next = Track { at: self.at.saturating_add(by).clamp(self.least, self.most), ..self };
        (next, next.at.saturating_sub(self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_stops_at_the_ends_and_says_how_far_it_went() {
        let track = Track::new(0, 20, 18);
        assert_eq!(track.moved(5), (Track::new(0, 20, 20), 2));
        assert_eq!(track.moved(-99), (Track::new(0, 20, 0), -18));
        assert_eq!(track.moved(-3).0.at(), 15);
        assert!(track.moved(2).0.is_most() && track.moved(-18).0.is_least() && !track.is_most());
        assert_eq!(Track::new(5, -5, 9).at(), 5);
        assert_eq!(Track::new(i32::MIN, i32::MAX, i32::MAX).moved(1).1, 0);
    }
}
