//! Distances, marches and retreats against searches that are slow and simple; map files as people type them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use countersign::hex::{Dir, Grid, Hex, Lower};
use countersign::kit::{End, Halted, Reach, Step, Way, march, retreats, walk};

/// A stream of numbers that is the same in every run.
struct Stream(u64);

impl Stream {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(n)).unwrap()
    }
}

/// The neighbours of a hex by column and row, as the printed tables of either parity have them.
fn beside(lower: Lower, (column, row): (i32, i32)) -> [(i32, i32); 6] {
    let down = i32::from((column % 2 == 0) == (lower == Lower::Even));
    [
        (column, row - 1),
        (column + 1, row - 1 + down),
        (column + 1, row + down),
        (column, row + 1),
        (column - 1, row + down),
        (column - 1, row - 1 + down),
    ]
}

#[test]
fn ten_thousand_distances_agree_with_breadth_first_search_over_printed_neighbours() {
    let mut stream = Stream(1);
    let mut pairs = 0;
    for lower in [Lower::Even, Lower::Odd] {
        let grid = Grid::new(1, 1, 60, 40, lower).unwrap();
        for _ in 0..50 {
            let mut random = || (1 + stream.below(60).cast_signed(), 1 + stream.below(40).cast_signed());
            let start = random();
            let mut far = BTreeMap::from([(start, 0u32)]);
            let mut queue = VecDeque::from([start]);
            while let Some(at) = queue.pop_front() {
                for next in beside(lower, at) {
                    if (1..=60).contains(&next.0) && (1..=40).contains(&next.1) && !far.contains_key(&next) {
                        far.insert(next, far[&at] + 1);
                        queue.push_back(next);
                    }
                }
            }
            for _ in 0..100 {
                let end = random();
                let (a, b) = (grid.at(start.0, start.1), grid.at(end.0, end.1));
                assert_eq!(a.distance(b), far[&end], "{start:?} to {end:?}, {lower:?}");
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs, 10_000);
}

/// A random country: what each step costs, from hex to hex, and where a march may end.
struct Country {
    steps: BTreeMap<(Hex, Hex), Step<(Hex, Hex)>>,
    no_end: BTreeSet<Hex>,
    from: Hex,
}

impl Country {
    fn new(stream: &mut Stream) -> Country {
        let grid = Grid::new(1, 1, 4, 4, if stream.below(2) == 0 { Lower::Even } else { Lower::Odd }).unwrap();
        let hexes: Vec<Hex> = grid.hexes().collect();
        let mut steps = BTreeMap::new();
        for (hex, to) in hexes.iter().flat_map(|hex| hex.neighbours().map(|to| (*hex, to))) {
            let cost = stream.below(4);
            let step = match stream.below(10) {
                _ if !grid.contains(to) => Step::Barred((hex, to)),
                0 | 1 => Step::Barred((hex, to)),
                2 | 3 => Step::Halt(cost),
                _ => Step::Go(cost),
            };
            steps.insert((hex, to), step);
        }
        let no_end = hexes.iter().copied().filter(|_| stream.below(5) == 0).collect();
        let from = hexes[usize::try_from(stream.below(16)).unwrap()];
        Country { steps, no_end, from }
    }

    fn step(&self, from: Hex, to: Hex) -> Step<(Hex, Hex)> {
        self.steps[&(from, to)].clone()
    }

    fn end(&self, hex: Hex) -> End<(Hex, Hex)> {
        if self.no_end.contains(&hex) { End::MayNot((hex, hex)) } else { End::May }
    }
}

/// Everything that simple ways within the allowance find: per hex and way of arriving the best by cost, steps and
/// directions; what was too far; what was barred.
#[derive(Default)]
struct Brute {
    best: BTreeMap<(Hex, bool), (u32, usize, Vec<Dir>)>,
    far: BTreeMap<Hex, u32>,
    barred: BTreeSet<(Hex, Hex)>,
}

impl Brute {
    fn go(&mut self, country: &Country, allowance: u32, way: &mut Vec<Hex>, dirs: &mut Vec<Dir>, cost: u32) {
        let at = way[way.len() - 1];
        for dir in Dir::ALL {
            let to = at.step(dir);
            let (more, halt) = match country.step(at, to) {
                Step::Barred(_) => {
                    self.barred.insert((at, to));
                    continue;
                }
                Step::Go(more) => (more, false),
                Step::Halt(more) => (more, true),
            };
            if way.contains(&to) {
                continue;
            }
            if cost + more > allowance {
                let least = self.far.entry(to).or_insert(cost + more);
                *least = (*least).min(cost + more);
                continue;
            }
            way.push(to);
            dirs.push(dir);
            let found = (cost + more, dirs.len(), dirs.clone());
            let best = self.best.entry((to, halt)).or_insert_with(|| found.clone());
            *best = found.min(best.clone());
            if !halt {
                self.go(country, allowance, way, dirs, cost + more);
            }
            way.pop();
            dirs.pop();
        }
    }
}

#[test]
fn marches_agree_with_trying_every_way() {
    let mut stream = Stream(2);
    let mut seen = [0u32; 5];
    for _ in 0..150 {
        let country = Country::new(&mut stream);
        let allowance = stream.below(5);
        let mut brute = Brute::default();
        brute.go(&country, allowance, &mut vec![country.from], &mut Vec::new(), 0);
        let found = march(country.from, allowance, |a, b| country.step(a, b), |hex| country.end(hex));

        let mut hexes: BTreeSet<Hex> = brute.best.keys().map(|(hex, _)| *hex).collect();
        hexes.extend(brute.far.keys());
        hexes.extend(brute.barred.iter().map(|(_, to)| *to));
        hexes.remove(&country.from);
        assert_eq!(found.hexes().keys().copied().collect::<BTreeSet<_>>(), hexes);

        for (hex, reach) in found.hexes() {
            let (free, halted) = (brute.best.get(&(*hex, false)), brute.best.get(&(*hex, true)));
            let best = free.into_iter().chain(halted).min();
            let way = best.map(|(_, _, dirs)| hexes_of(country.from, dirs));
            let may = !country.no_end.contains(hex);
            match reach {
                Reach::MayStop { cost } => {
                    assert!(may && free.is_some());
                    assert_eq!(Some(*cost), best.map(|b| b.0));
                    assert_eq!(found.way(*hex).map(<[Hex]>::to_vec), way);
                    seen[0] += 1;
                }
                Reach::MustStop { cost } => {
                    assert!(may && free.is_none());
                    assert_eq!(Some(*cost), best.map(|b| b.0));
                    assert_eq!(found.way(*hex).map(<[Hex]>::to_vec), way);
                    seen[1] += 1;
                }
                Reach::PassOnly { cost, why } => {
                    assert!(!may && *why == (*hex, *hex));
                    assert_eq!(Some(*cost), free.map(|b| b.0));
                    assert_eq!(found.way(*hex).map(<[Hex]>::to_vec), free.map(|b| hexes_of(country.from, &b.2)));
                    seen[2] += 1;
                }
                Reach::TooFar { cost } => {
                    assert!(best.is_none());
                    assert_eq!(Some(cost), brute.far.get(hex));
                    seen[3] += 1;
                }
                Reach::Barred(why) => {
                    assert!(free.is_none());
                    let halt_only = halted.is_some() && !may && *why == (*hex, *hex);
                    let never = best.is_none() && !brute.far.contains_key(hex) && brute.barred.contains(why);
                    assert!(halt_only || (never && why.1 == *hex), "{why:?}");
                    assert_eq!(found.way(*hex), None);
                    seen[4] += 1;
                }
            }
        }
        // Every end is a way that the same rules pass when it is walked, at the same cost.
        for (hex, cost, way) in found.ends() {
            let walked = walk(country.from, way, allowance, |a, b| country.step(a, b), |hex| country.end(hex)).unwrap();
            assert_eq!((walked.cost, way.last()), (cost, Some(&hex)));
        }
    }
    assert!(seen.iter().all(|n| *n > 50), "{seen:?}");
}

fn hexes_of(from: Hex, dirs: &[Dir]) -> Vec<Hex> {
    let mut at = from;
    dirs.iter()
        .map(|dir| {
            at = at.step(*dir);
            at
        })
        .collect()
}

#[test]
fn a_written_way_is_judged_at_its_first_fault() {
    let grid = Grid::new(1, 1, 9, 9, Lower::Even).unwrap();
    let at = |label: &str| grid.hex(label).unwrap();
    let step = |_: Hex, to: Hex| match grid.label(to).as_str() {
        "0503" => Step::Halt(1),
        "0504" => Step::Barred("swamp"),
        _ => Step::Go(1),
    };
    let end = |hex: Hex| if hex == at("0404") { End::MayNot("stacking") } else { End::May };
    let judge = |way: &[&str], allowance: u32| {
        let way: Vec<Hex> = way.iter().map(|label| at(label)).collect();
        walk(at("0505"), &way, allowance, step, end)
    };
    assert_eq!(judge(&[], 3), Err(Halted::Empty));
    assert_eq!(judge(&["0605", "0606"], 2).map(|w| (w.cost, w.halted)), Ok((2, false)));
    assert_eq!(judge(&["0605", "0606"], 1), Err(Halted::TooFar { at: 1, cost: 2 }));
    assert_eq!(judge(&["0507"], 3), Err(Halted::Apart { at: 0 }));
    assert_eq!(judge(&["0504"], 3), Err(Halted::Barred { at: 0, why: "swamp" }));
    assert_eq!(judge(&["0404"], 3), Err(Halted::NoEnd { why: "stacking" }));
    assert_eq!(judge(&["0404", "0403", "0503"], 3).map(|w| w.halted), Ok(true));
    assert_eq!(judge(&["0404", "0403", "0503", "0502"], 9), Err(Halted::Over { at: 3 }));
    // A hex of the way stands where the unit stands: no step leads there.
    assert_eq!(judge(&["0505"], 3), Err(Halted::Apart { at: 0 }));
}

#[test]
fn retreats_agree_with_trying_every_way() {
    let mut stream = Stream(3);
    let from = Hex { q: 20, r: 20 };
    let (mut cut, mut many) = (0, 0);
    for round in 0..120 {
        let count = 1 + round % 4;
        let mut judged: BTreeMap<(Hex, Hex), Result<u32, (Hex, Hex)>> = BTreeMap::new();
        let mut ends: BTreeMap<Hex, Result<u32, (Hex, Hex)>> = BTreeMap::new();
        for hex in countersign::hex::within(from, 6) {
            let shut = stream.below(8);
            ends.insert(hex, if stream.below(10) < shut / 2 { Err((hex, hex)) } else { Ok(stream.below(3)) });
            for to in hex.neighbours() {
                let step = if stream.below(10) < shut { Err((hex, to)) } else { Ok(stream.below(2)) };
                judged.insert((hex, to), step);
            }
        }
        let found = retreats(from, count, |a, b| judged[&(a, b)], |hex| ends[&hex]);

        // Every sequence of directions of that length, in order.
        let mut expected: Vec<(Way, Vec<Dir>)> = Vec::new();
        for n in 0..6u32.pow(count) {
            let dirs: Vec<Dir> =
                (0..count).rev().map(|k| Dir::ALL[usize::try_from(n / 6u32.pow(k) % 6).unwrap()]).collect();
            let hexes = hexes_of(from, &dirs);
            let last = hexes[hexes.len() - 1];
            let mut steps = std::iter::once(&from).chain(&hexes).zip(&hexes);
            let sum = steps.try_fold(0, |sum, (a, b)| judged[&(*a, *b)].map(|rank| sum + rank));
            if let (true, Ok(sum), Ok(end)) = (last.distance(from) == count, sum, ends[&last]) {
                expected.push((Way { hexes, rank: (end, sum) }, dirs));
            }
        }
        expected.sort_by_key(|(way, dirs)| (way.rank, dirs.clone()));
        let expected: Vec<Way> = expected.into_iter().map(|(way, _)| way).collect();
        assert_eq!(found.ways, expected);
        let best = expected.iter().map(|way| way.rank).min();
        assert!(found.best().iter().all(|way| Some(way.rank) == best));
        assert_eq!(found.best().len(), expected.iter().filter(|way| Some(way.rank) == best).count());
        assert!(found.best_ends().iter().all(|hex| hex.distance(from) == count));
        for (hex, why) in &found.barred {
            assert!(why.1 == *hex && (judged.get(why) == Some(&Err(*why)) || ends.get(hex) == Some(&Err(*why))));
            assert!(!expected.iter().any(|way| way.hexes.contains(hex)));
        }
        cut += u32::from(expected.is_empty());
        many += u32::from(expected.len() > 5);
        if expected.is_empty() {
            assert!(!found.barred.is_empty(), "a retreat that is cut off says why");
        }
    }
    assert!(cut > 5 && many > 20, "{cut} {many}");
    assert!(retreats(from, 0, |_, _| Ok::<u32, ()>(0), |_| Ok(0)).ways.is_empty());
}
