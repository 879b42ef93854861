//! How many mails a game took: the fewest packets that can have carried its files (`schemas/protocol.md`, 8a).

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::{Mode, Offer, SignedFile, StepFile, Tree};
use crate::log::{Entry, History, read_host_file, read_key_file, read_step};
use crate::seal::Digest;
use crate::side::Seat;

/// Packets of one seat. A host's goes to each player and counts once here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Packets {
    /// All of them.
    pub(super) all: u64,
    /// Those with something a person had to decide; the program writes the others by itself.
    pub(super) decided: u64,
}

/// The mails of a log's closed steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mails {
    /// Packets of each seat.
    pub(super) sent: BTreeMap<Seat, Packets>,
    /// Game turns for which orders are in the log.
    pub(super) turns: u64,
    /// Markers at which a plot asks for a REACT.
    pub(super) reacts: u64,
    /// Turns in which both plots do: openings of one then fall due behind his link.
    crossed: u64,
    /// In a game in which one player decides at a time (land): his answers, step by step.
    answers: Option<Answers>,
    /// How the game is played.
    mode: Mode,
    /// Whether the log has the step after the end in which everything is opened.
    opened: bool,
}

/// Steps in which one player alone has decided something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Answers {
    /// All of them.
    steps: u64,
    /// Those in which it was the same player as in the step before: the other's link between them rides with nothing.
    again: u64,
}

/// One file as far as its travel goes.
#[derive(Debug, Clone)]
struct Travel {
    seat: Seat,
    step: u64,
    hash: Digest,
    /// Files of others that it names as the newest of theirs that had come.
    names: Vec<Digest>,
    /// Files of others that it answers in another way.
    after: Vec<Digest>,
    decided: bool,
}

/// Counts from what the files themselves show, not from their dates, which are claims.
pub(super) fn count(history: &History) -> Mails {
    let (mut files, mut turns, mut reacts, mut opened) = (Vec::new(), BTreeSet::new(), BTreeMap::new(), false);
    let (mut concessions, mut deciders) = (BTreeSet::new(), BTreeMap::new());
    for line in history.log().lines() {
        let file = match Entry::parse(line) {
            Ok(Entry::File(file)) => file,
            Ok(Entry::Result(result)) => {
                opened |= result.how == "audit";
                continue;
            }
            Err(_) => continue,
        };
        let Ok(signed) = file.signed() else { continue };
        if let Ok(file) = read_step(&signed) {
            for slot in file.answers.keys().chain(file.seals.keys()) {
                let turn = slot.split('/').next().filter(|t| t.starts_with('t'));
                turns.extend(turn.map(str::to_owned));
            }
            if !file.answers.is_empty() {
                deciders.insert(file.step, file.seat);
            }
            for (slot, answer) in file.answers.iter().filter(|(slot, _)| slot.ends_with("/plot/react")) {
                let flagged = if let Tree::List(at) = answer { at.len() as u64 } else { 0 };
                reacts.insert(slot.clone(), flagged);
            }
            if file.offer == Some(Offer::Concede) {
                concessions.insert(signed.hash());
            }
        }
        files.extend(travel(&signed));
    }
    // Whoever accepts a concession has no choice: his program does it.
    for file in &mut files {
        file.decided &= !file.after.iter().any(|hash| concessions.contains(hash));
    }
    let order: Vec<Seat> = history.terms.seats.iter().map(|s| s.seat).collect();
    Mails {
        sent: fewest(&files, &order),
        turns: turns.len() as u64,
        reacts: reacts.values().sum(),
        crossed: crossed(&reacts),
        answers: history.game.land().map(|_| one_at_a_time(&deciders)),
        mode: history.terms.proposal.mode,
        opened,
    }
}

fn one_at_a_time(deciders: &BTreeMap<u64, Seat>) -> Answers {
    let seats: Vec<&Seat> = deciders.values().collect();
    let again = seats.windows(2).filter(|pair| pair[0] == pair[1]).count();
    Answers { steps: seats.len() as u64, again: again as u64 }
}

/// Turns in which both players flagged markers, from how many each flagged by slot (`t3/british/plot/react`).
fn crossed(reacts: &BTreeMap<String, u64>) -> u64 {
    let mut by_turn: BTreeMap<&str, u64> = BTreeMap::new();
    for slot in reacts.iter().filter(|(_, flagged)| **flagged > 0).map(|(slot, _)| slot) {
        *by_turn.entry(slot.split('/').next().unwrap_or("")).or_default() += 1;
    }
    by_turn.values().filter(|sides| **sides > 1).count() as u64
}

fn travel(signed: &SignedFile) -> Option<Travel> {
    let hash = signed.hash();
    if let Ok(file) = read_step(signed) {
        let after = file.accept.iter().copied().chain(file.refuse.iter().map(|r| r.file)).collect();
        let names = file.names.values().copied().collect();
        return Some(Travel { seat: file.seat, step: file.step, hash, names, after, decided: decides(&file) });
    }
    if let Ok(file) = read_host_file(signed) {
        let names = file.names.values().chain(file.takes.values()).copied().collect();
        let after = file.refuse.iter().map(|r| r.file).collect();
        return Some(Travel { seat: Seat::Host, step: file.step, hash, names, after, decided: false });
    }
    let file = read_key_file(signed).ok()?;
    Some(Travel { seat: file.seat, step: file.step, hash, names: Vec::new(), after: Vec::new(), decided: true })
}

/// Whether a file says something that a person had to decide: orders, an offer or its acceptance, a new chain, or
/// nothing but words. Numbers that programs seal by themselves (private dice, decks) are none.
fn decides(file: &StepFile) -> bool {
    let by_itself = |slot: &&String| slot.ends_with("/private") || slot.contains("/position/");
    let forced = file.link.is_some() || !file.opens.is_empty() || file.refuse.is_some();
    !file.answers.is_empty()
        || !file.seals.keys().all(|slot| by_itself(&slot))
        || file.offer.is_some()
        || file.accept.is_some()
        || file.chain.is_some()
        || file.say.is_some() && !forced
}

/// What a stretch of play costs, compared from left to right: packets (a host's one for each player), those of them with
/// a decision, then the packets of each seat in terms order, and those with a decision.
type Cost = [u64; 8];

/// How far the sending has come in a step: files gone of each seat; whose packet was the last, and whether it has a
/// decision in it.
type Place = ([usize; 3], Option<usize>, bool);

/// The fewest packets: of all orders in which the files can have gone out, one with the lowest cost.
///
/// Files of a seat go in its order. A file needs what it names, answers, and everything of the step before, whose result
/// it carries the hash of. Files of one seat with nothing of another's between them are one packet; but behind a file
/// that another *names* a packet ends, since names are of the newest file that has come.
fn fewest(files: &[Travel], order: &[Seat]) -> BTreeMap<Seat, Packets> {
    let players = order.iter().filter(|s| **s != Seat::Host).count() as u64;
    let mut best: BTreeMap<(Option<usize>, bool), Cost> = BTreeMap::from([((None, false), [0; 8])]);
    for step in files.chunk_by(|a, b| a.step == b.step) {
        best = through(step, order, players, &best);
    }
    let cost = best.into_values().min().unwrap_or([0; 8]);
    let packets = |(n, seat): (usize, &Seat)| (*seat, Packets { all: cost[2 + n], decided: cost[5 + n] });
    order.iter().take(3).enumerate().map(packets).filter(|(_, p)| p.all > 0).collect()
}

/// One step: from the best ways to its opening to the best ways to its end, file by file.
fn through(
    step: &[Travel],
    order: &[Seat],
    players: u64,
    before: &BTreeMap<(Option<usize>, bool), Cost>,
) -> BTreeMap<(Option<usize>, bool), Cost> {
    let lanes: Vec<Vec<&Travel>> =
        order.iter().take(3).map(|seat| step.iter().filter(|f| f.seat == *seat).collect()).collect();
    let mut place_of: BTreeMap<Digest, (usize, usize)> = BTreeMap::new();
    for (lane, files) in lanes.iter().enumerate() {
        place_of.extend(files.iter().enumerate().map(|(at, f)| (f.hash, (lane, at))));
    }
    let named: BTreeSet<Digest> = step.iter().flat_map(|f| f.names.iter().copied()).collect();
    let start = |((last, decided), cost): (&(Option<usize>, bool), &Cost)| (([0; 3], *last, *decided), *cost);
    let mut level: BTreeMap<Place, Cost> = before.iter().map(start).collect();
    for _ in step {
        let mut next: BTreeMap<Place, Cost> = BTreeMap::new();
        for ((gone, last, decided), cost) in &level {
            for (lane, files) in lanes.iter().enumerate() {
                let Some(file) = files.get(gone[lane]) else { continue };
                let here = |hash: &Digest| place_of.get(hash).is_none_or(|(of, at)| *of == lane || gone[*of] > *at);
                if !file.names.iter().chain(&file.after).all(here) {
                    continue;
                }
                let ended = gone[lane].checked_sub(1).is_some_and(|n| named.contains(&files[n].hash));
                let rides = *last == Some(lane) && !ended;
                let (fresh, choice) = (u64::from(!rides), u64::from(file.decided && !(rides && *decided)));
                let copies = if order[lane] == Seat::Host { players } else { 1 };
                let (mut cost, mut gone) = (*cost, *gone);
                for (at, more) in [(0, fresh * copies), (1, choice * copies), (2 + lane, fresh), (5 + lane, choice)] {
                    cost[at] += more;
                }
                gone[lane] += 1;
                let place = (gone, Some(lane), file.decided || rides && *decided);
                next.entry(place).and_modify(|known| *known = cost.min(*known)).or_insert(cost);
            }
        }
        level = next;
    }
    let mut after: BTreeMap<(Option<usize>, bool), Cost> = BTreeMap::new();
    for ((_, last, decided), cost) in level {
        after.entry((last, decided)).and_modify(|known| *known = cost.min(*known)).or_insert(cost);
    }
    after
}

impl Mails {
    /// A number a turn, in hundredths.
    pub(super) fn hundredths(&self, n: u64) -> u64 {
        (n * 100 + self.turns / 2).checked_div(self.turns).unwrap_or(0)
    }

    /// Packets of the two players.
    pub(super) fn players(&self) -> Packets {
        let players = self.sent.iter().filter(|(seat, _)| **seat != Seat::Host);
        players
            .fold(Packets::default(), |sum, (_, p)| Packets { all: sum.all + p.all, decided: sum.decided + p.decided })
    }

    /// What the table of the protocol (8a) has for a game of so many turns and REACTs: players' packets.
    pub(super) fn table(&self) -> Packets {
        if let Some(Answers { steps, again }) = self.answers {
            let all = match self.mode {
                // Links alone before the first half-turn, and between two the last one.
                Mode::TwoSeats => 2 + steps + again + 1,
                Mode::Strict => 2 + 2 * steps,
                Mode::Hosted => steps,
            };
            return Packets { all, decided: steps };
        }
        let (turn, react) = self.bar();
        // The last link rides with nothing; what is opened after the end is one packet more, in a strict game two, and in
        // a hosted game the host's.
        let end = match self.mode {
            Mode::TwoSeats => 1 + u64::from(self.opened),
            Mode::Strict => 2 * u64::from(self.opened),
            Mode::Hosted => 0,
        };
        let all = turn * self.turns + react * self.reacts + self.openings() + end;
        Packets { all, decided: 2 * self.turns + self.reacts }
    }

    /// Packets for openings that ride with no link.
    fn openings(&self) -> u64 {
        if self.mode == Mode::Hosted { 0 } else { self.crossed }
    }

    /// Players' packets a turn, and for a REACT.
    fn bar(&self) -> (u64, u64) {
        match self.mode {
            Mode::Strict if self.answers.is_some() => (4, 2),
            Mode::TwoSeats => (2, 2),
            Mode::Strict => (3, 2),
            Mode::Hosted => (2, 1),
        }
    }

    /// In words, a line a seat, and one that compares.
    pub(super) fn words(&self) -> String {
        if self.turns == 0 {
            return "\nMails: no turn has been played yet.\n".to_owned();
        }
        let turns = if self.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", self.turns) };
        let mut out = format!(
            "\nMails in {turns}, the fewest that can have carried these files (what was sent twice leaves no trace)\n"
        );
        let mut line = |who: &str, p: Packets| {
            let average = self.hundredths(p.all);
            let (whole, part, forced) = (average / 100, average % 100, p.all - p.decided);
            out.push_str(&format!("{who:24}{:>5}, on average {whole}.{part:02} a turn", p.all));
            out.push_str(&match (p.decided, forced) {
                (0, _) => "; the program writes them\n".to_owned(),
                (n, 0) => format!("; {n} with a decision\n"),
                (n, forced) => format!("; {n} with a decision, {forced} that the program writes\n"),
            });
        };
        for (seat, packets) in &self.sent {
            match seat {
                Seat::Host => line("host (to each player)", *packets),
                seat => line(seat.word(), *packets),
            }
        }
        line("both players", self.players());
        out + &self.compared()
    }

    /// How the players' mails compare with the table, in one line.
    fn compared(&self) -> String {
        let ((turn, react), table, took) = (self.bar(), self.table(), self.players());
        if let Some(Answers { steps, .. }) = self.answers {
            let asked = match steps.saturating_sub(2 * self.turns) {
                0 => String::new(),
                1 => ", more for one pause or question".to_owned(),
                n => format!(", more for {n} pauses and questions"),
            };
            let verdict = verdict(took.all, table.all);
            let ends = match self.mode {
                Mode::TwoSeats => ", 3 at the beginning and the end",
                Mode::Strict => ", 2 at the beginning",
                Mode::Hosted => "",
            };
            return format!(
                "The table in schemas/protocol.md, 8a, has {turn} a turn{asked}{ends}: {} from both players; this game took {verdict}.\n",
                table.all
            );
        }
        let reacts = match self.reacts {
            0 => String::new(),
            1 => format!(", {react} more for the one REACT"),
            n => format!(", {react} more for each of {n} REACTs"),
        };
        let openings = match self.openings() {
            0 => String::new(),
            n => format!(", {n} for openings where both asked for one"),
        };
        let end = match table.all - turn * self.turns - react * self.reacts - self.openings() {
            0 => String::new(),
            n => format!(", {n} at the end"),
        };
        let verdict = verdict(took.all, table.all);
        format!(
            "The table in schemas/protocol.md, 8a, has {turn} a turn{reacts}{openings}{end}: {} from both players; this game took {verdict}.\n",
            table.all
        )
    }
}

fn verdict(took: u64, table: u64) -> String {
    match took.cmp(&table) {
        std::cmp::Ordering::Less => format!("{} fewer", table - took),
        std::cmp::Ordering::Equal => "as many".to_owned(),
        std::cmp::Ordering::Greater => format!("{} more", took - table),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Seat = Seat::American;
    const B: Seat = Seat::British;
    const H: Seat = Seat::Host;

    fn file(seat: Seat, step: u64, name: u8, names: &[u8], decided: bool) -> Travel {
        let digest = |n: &u8| Digest([*n; 32]);
        let names = names.iter().map(digest).collect();
        Travel { seat, step, hash: digest(&name), names, after: Vec::new(), decided }
    }

    fn packets(files: &[Travel], order: &[Seat]) -> Vec<(u64, u64)> {
        fewest(files, order).into_values().map(|p| (p.all, p.decided)).collect()
    }

    /// The duel of the protocol: sealed orders; answer with link; link and the next sealed orders in one mail: two
    /// mails a turn, and one more at the end. Seats come out as `american`, `british`, `host`, or by their order.
    #[test]
    fn a_duel_takes_two_mails_a_turn() {
        let mut files = Vec::new();
        for turn in 0..5u8 {
            let n = turn * 10;
            files.push(file(A, u64::from(turn) + 1, n + 1, &[], true));
            files.push(file(A, u64::from(turn) + 1, n + 3, &[n + 2], false));
            files.push(file(B, u64::from(turn) + 1, n + 2, &[n + 1], true));
        }
        let sent = fewest(&files, &[A, B]);
        assert_eq!(sent[&A], Packets { all: 6, decided: 5 });
        assert_eq!(sent[&B], Packets { all: 5, decided: 5 });
    }

    /// Both seal without having seen the other's: each sends orders, and each a link that names them. The next orders can
    /// ride with one of the links, but not with both: who writes first has the other's link already.
    #[test]
    fn orders_that_cross_take_a_mail_more() {
        let crossing = |step: u64, n: u8| {
            [
                file(A, step, n + 1, &[], true),
                file(A, step, n + 3, &[n + 2], false),
                file(B, step, n + 2, &[], true),
                file(B, step, n + 4, &[n + 1], false),
            ]
        };
        let one = crossing(1, 0);
        let sent = fewest(&one, &[A, B]);
        assert_eq!((sent[&A].all, sent[&B].all), (2, 2));
        let two: Vec<Travel> = crossing(1, 0).into_iter().chain(crossing(2, 10)).collect();
        let sent = fewest(&two, &[A, B]);
        assert_eq!(sent[&A].all + sent[&B].all, 7);
        // If his link names the file with the link, the orders and the link came in one packet.
        let mut together = one.to_vec();
        together[3].names = vec![Digest([3; 32])];
        let sent = fewest(&together, &[A, B]);
        assert_eq!((sent[&A].all, sent[&B].all), (1, 2));
    }

    #[test]
    fn a_host_closes_each_step_once() {
        let turn = |s: u64, n: u8| {
            [file(A, s, n, &[], true), file(B, s, n + 1, &[], true), file(H, s, n + 2, &[n, n + 1], false)]
        };
        let files: Vec<Travel> = turn(1, 1).into_iter().chain(turn(2, 11)).collect();
        assert_eq!(packets(&files, &[A, B, H]).iter().map(|p| p.0).collect::<Vec<_>>(), [2, 2, 2]);
    }

    /// The same as the least over every way to send, tried one by one, for small steps of two and of three.
    #[test]
    fn no_way_of_sending_takes_fewer() {
        let mut numbers = 7u64;
        let mut below = |n: u64| {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (numbers >> 33) % n
        };
        for round in 0..300u16 {
            let order: &[Seat] = if round % 2 == 0 { &[A, B] } else { &[A, B, H] };
            let mut files: Vec<Travel> = Vec::new();
            for n in 0..6u8 {
                let seat = order[below(order.len() as u64) as usize];
                let step = 1 + u64::from(n / 3);
                // At most one file of each other seat, and never an older one than before.
                let mut made = file(seat, step, n, &[], below(2) == 0);
                let newest = |of: &Seat| files.iter().rev().find(|f| f.seat == *of && f.step == step).map(|f| f.hash);
                made.names = order.iter().filter(|s| **s != seat && below(3) > 0).filter_map(newest).collect();
                files.push(made);
            }
            let mut sorted = files.clone();
            sorted.sort_by_key(|f| (f.step, order.iter().position(|s| *s == f.seat)));
            let counted: u64 =
                fewest(&sorted, order).iter().map(|(s, p)| if *s == H { 2 * p.all } else { p.all }).sum();
            assert_eq!(counted, tried(&files), "{files:?}");
        }
    }

    /// Every split of every seat's files into packets, and every order of the packets.
    fn tried(files: &[Travel]) -> u64 {
        let named: BTreeSet<Digest> = files.iter().flat_map(|f| f.names.clone()).collect();
        fn go(files: &[Travel], named: &BTreeSet<Digest>, gone: &BTreeSet<Digest>, cost: u64, least: &mut u64) {
            if cost >= *least {
                return;
            }
            if gone.len() == files.len() {
                *least = cost;
                return;
            }
            for seat in [A, B, H] {
                let mine: Vec<&Travel> = files.iter().filter(|f| f.seat == seat && !gone.contains(&f.hash)).collect();
                let mut packet = gone.clone();
                for (n, f) in mine.iter().enumerate() {
                    let had = |hash: &Digest| gone.contains(hash);
                    let before = |g: &Travel| g.step < f.step && g.seat != seat && !had(&g.hash);
                    if !f.names.iter().all(had) || files.iter().any(before) {
                        break;
                    }
                    // Whoever names the file before this one did not have this one.
                    if n > 0 && named.contains(&mine[n - 1].hash) {
                        break;
                    }
                    packet.insert(f.hash);
                    go(files, named, &packet, cost + if seat == H { 2 } else { 1 }, least);
                }
            }
        }
        let mut least = u64::MAX;
        go(files, &named, &BTreeSet::new(), 0, &mut least);
        least
    }
}
