//! How many mails a game took (`schemas/protocol.md`, "Mails one way").

use std::collections::{BTreeMap, BTreeSet};

use crate::log::{Entry, History, read_host_file, read_step};
use crate::seal::Digest;
use crate::side::Seat;

/// The mails of a log's closed steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mails {
    /// Mails of each seat.
    pub(super) sent: BTreeMap<Seat, u64>,
    /// Game turns for which orders are in the log.
    pub(super) turns: u64,
}

/// One file as far as its travel goes.
struct Travel {
    seat: Seat,
    step: u64,
    hash: Digest,
    /// Files of the same step it cannot have been written without.
    after: Vec<Digest>,
}

/// Counts mails from what the files themselves show, not from their dates, which are claims.
///
/// A file can be written only when its sender has its own earlier files, the files it names (a host's: takes), and
/// every file of the step before, because it carries the hash of that step's result. Each file has as its number
/// the least count of times the game must have passed from one seat to another before it: files of one seat with one
/// number fit into one mail, those with different numbers cannot have travelled together, for something of another
/// seat lies between. So the mails of a seat are its different numbers: what is needed if everybody sends as soon as
/// he can, and writes his next orders into the packet that carries the last links. Files with words alone ride along
/// and do not count; neither do proposal and acceptance; mails sent again leave no trace in a log.
pub(super) fn count(history: &History) -> Mails {
    let (mut files, mut turns) = (Vec::new(), BTreeSet::new());
    for line in history.log().lines() {
        let Ok(Entry::File(entry)) = Entry::parse(line) else { continue };
        let Ok(signed) = entry.signed() else { continue };
        let hash = signed.hash();
        if let Ok(file) = read_step(&signed) {
            let slots = file.answers.keys().chain(file.seals.keys());
            turns.extend(slots.filter_map(|s| s.split('/').next()).filter(|t| t.starts_with('t')).map(str::to_owned));
            let says_something = !(file.answers.is_empty() && file.seals.is_empty() && file.opens.is_empty())
                || file.link.is_some()
                || file.offer.is_some()
                || file.accept.is_some()
                || file.refuse.is_some();
            if says_something {
                let after = file.names.values().copied().chain(file.prev).collect();
                files.push(Travel { seat: file.seat, step: file.step, hash, after });
            }
        } else if let Ok(file) = read_host_file(&signed) {
            let after = file.takes.values().copied().collect();
            files.push(Travel { seat: Seat::Host, step: file.step, hash, after });
        }
    }
    Mails { sent: passes(&files), turns: turns.len() as u64 }
}

/// The different numbers of each seat. Files come step by step.
fn passes(files: &[Travel]) -> BTreeMap<Seat, u64> {
    let mut numbers: BTreeMap<Digest, (Seat, u64)> = BTreeMap::new();
    let mut used: BTreeMap<Seat, BTreeSet<u64>> = BTreeMap::new();
    let mut before: Vec<(Seat, u64)> = Vec::new();
    for step in files.chunk_by(|a, b| a.step == b.step) {
        // Names cannot run in a circle: as many rounds as files settle all numbers.
        for _ in 0..step.len() {
            for file in step {
                let named = file.after.iter().filter_map(|h| numbers.get(h).copied());
                let number = named.chain(before.iter().copied()).map(|(s, n)| n + u64::from(s != file.seat)).max();
                numbers.insert(file.hash, (file.seat, number.unwrap_or(0)));
            }
        }
        before = step.iter().filter_map(|f| numbers.get(&f.hash).copied()).collect();
        for (seat, n) in &before {
            used.entry(*seat).or_default().insert(*n);
        }
    }
    used.into_iter().map(|(seat, numbers)| (seat, numbers.len() as u64)).collect()
}

impl Mails {
    /// Mails a turn, in hundredths.
    pub(super) fn hundredths(&self, mails: u64) -> u64 {
        (mails * 100 + self.turns / 2).checked_div(self.turns).unwrap_or(0)
    }

    /// In words, a line a seat.
    pub(super) fn words(&self) -> String {
        if self.turns == 0 {
            return "\nMails: no turn has been played yet.\n".to_owned();
        }
        let turns = if self.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", self.turns) };
        let mut out = format!(
            "\nMails in {turns}, the fewest that can have carried these files (mails sent twice are not seen)\n"
        );
        let mut line = |who: &str, n: u64| {
            let average = self.hundredths(n);
            out.push_str(&format!("{who:24}{n:>5}, on average {}.{:02} a turn\n", average / 100, average % 100));
        };
        for (seat, n) in &self.sent {
            match seat {
                Seat::Host => line("host (to each player)", *n),
                seat => line(seat.word(), *n),
            }
        }
        line("together", self.sent.values().sum());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(seat: Seat, step: u64, name: u8, after: &[u8]) -> Travel {
        let digest = |n: u8| Digest([n; 32]);
        Travel { seat, step, hash: digest(name), after: after.iter().map(|n| digest(*n)).collect() }
    }

    /// The duel of the protocol: sealed orders; answer with link; link and the next sealed orders in one mail: two
    /// mails a turn, and one more at the end.
    #[test]
    fn a_duel_takes_two_mails_a_turn() {
        let (a, b) = (Seat::American, Seat::British);
        let mut files = Vec::new();
        for turn in 0..5u8 {
            let n = turn * 10;
            files.push(file(a, u64::from(turn) + 1, n + 1, &[]));
            files.push(file(a, u64::from(turn) + 1, n + 3, &[n + 1, n + 2]));
            files.push(file(b, u64::from(turn) + 1, n + 2, &[n + 1]));
        }
        assert_eq!(passes(&files), BTreeMap::from([(a, 6), (b, 5)]));
    }

    /// Both seal without having seen the other's: each sends orders, and each a link that names the other's.
    #[test]
    fn orders_that_cross_take_a_mail_more() {
        let (a, b) = (Seat::American, Seat::British);
        let files = [file(a, 1, 1, &[]), file(a, 1, 3, &[1, 2]), file(b, 1, 2, &[]), file(b, 1, 4, &[2, 1])];
        assert_eq!(passes(&files), BTreeMap::from([(a, 2), (b, 2)]));
        let mails = Mails { sent: passes(&files), turns: 1 };
        assert!(mails.words().contains("together                    4, on average 4.00 a turn"), "{}", mails.words());
    }

    #[test]
    fn a_host_closes_each_step_once() {
        let (a, b, h) = (Seat::American, Seat::British, Seat::Host);
        let turn = |s: u64, n: u8| [file(a, s, n, &[]), file(b, s, n + 1, &[]), file(h, s, n + 2, &[n, n + 1])];
        let files: Vec<Travel> = turn(1, 1).into_iter().chain(turn(2, 11)).collect();
        assert_eq!(passes(&files), BTreeMap::from([(a, 2), (b, 2), (h, 2)]));
    }
}
