//! The state model of a step, exhaustively: one honest seat against one that may send anything, two versions of each
//! answer, every order of sending and arrival. What stands is settled before the honest link leaves; two honest seats
//! always finish.

use std::collections::{BTreeMap, BTreeSet};

use countersign::doc::{Offer, StepFile, Tree};
use countersign::log::step::{Filed, How, Oracle, Standing, State, settle};
use countersign::seal::{Digest, Opening, sha256};
use countersign::side::Seat;

const A: Seat = Seat::American;
const B: Seat = Seat::British;

/// Every answer is legal, every link right: the model is about order alone.
struct Free;

impl Oracle for Free {
    fn answers(&self, _file: &StepFile) -> Result<(), String> {
        Ok(())
    }
    fn link(&self, _seat: Seat, _link: &Digest) -> bool {
        true
    }
    fn offer(&self, _offer: &Offer) -> Result<(), String> {
        Ok(())
    }
    fn opening(&self, _seat: Seat, _slot: &str, _opening: &Opening, _placed: &[Digest]) -> bool {
        true
    }
}

fn file(seat: Seat, n: u32, prev: Option<Digest>, names: Option<Digest>, answer: Option<i64>, link: bool) -> Filed {
    let other = if seat == A { B } else { A };
    let file = StepFile {
        n,
        prev,
        names: names.map(|h| (other, h)).into_iter().collect(),
        answers: answer.map(|v| ("slot".to_owned(), Tree::Int(v))).into_iter().collect(),
        link: link.then_some(Digest([9; 32])),
        ..StepFile::blank(Digest([0; 32]), seat, 1, Digest([0; 32]))
    };
    let hash = sha256(serde_json::to_string(&file).unwrap().as_bytes());
    Filed { hash, file }
}

fn look(asked: &BTreeSet<Seat>, files: &[Filed]) -> Standing {
    settle([A, B], asked, files, &Free)
}

/// What an honest seat may send next: (answer, link).
fn honest(standing: &Standing, seat: Seat, most: usize) -> Vec<(Option<i64>, bool)> {
    let view = &standing.seats[&seat];
    let partner = if seat == A { B } else { A };
    let mut options = Vec::new();
    if standing.may_answer(seat) && view.versions.len() < most {
        options.push((Some(i64::try_from(view.versions.len()).unwrap()), standing.may_answer_and_link(seat)));
    }
    if standing.state(seat) == State::Bound {
        options.push((None, true));
    } else if standing.state(partner) == State::Doubled
        && view.newest().is_none_or(|f| names_newest(standing, f, partner))
    {
        options.push((None, false));
    }
    // A word behind the own link; with SOAK set at any time.
    let when = view.linked.is_some() || std::env::var("SOAK").is_ok();
    let words = view.chain.iter().filter(|f| f.file.answers.is_empty() && f.file.link.is_none()).count();
    if words == 0 && when && !options.contains(&(None, false)) {
        options.push((None, false));
    }
    options
}

fn names_newest(standing: &Standing, mine: &Filed, partner: Seat) -> bool {
    mine.file.names.get(&partner) != standing.seats[&partner].newest().map(|f| &f.hash)
}

fn next(standing: &Standing, seat: Seat, answer: Option<i64>, link: bool) -> Filed {
    let partner = if seat == A { B } else { A };
    let view = &standing.seats[&seat];
    let n = u32::try_from(view.chain.len() + 1).unwrap();
    let prev = view.newest().map(|f| f.hash);
    file(seat, n, prev, standing.seats[&partner].newest().map(|f| f.hash), answer, link)
}

fn answers(standing: &Standing) -> Vec<Option<Digest>> {
    [A, B].map(|seat| standing.answer_file(seat).map(|f| f.hash)).to_vec()
}

struct Model {
    asked: BTreeSet<Seat>,
    seen: BTreeSet<Vec<Digest>>,
    releases: usize,
    resolved: usize,
}

impl Model {
    /// `all`: every file sent; `here`: those the honest seat has; `fixed`: what stood when its link left.
    fn explore(&mut self, all: &[Filed], here: &BTreeSet<Digest>, fixed: Option<&Vec<Option<Digest>>>) {
        let mut key: Vec<Digest> = all.iter().map(|f| f.hash).collect();
        key.sort_unstable();
        key.push(Digest([255; 32]));
        key.extend(here.iter());
        if !self.seen.insert(key) {
            return;
        }
        let mine: Vec<Filed> = all.iter().filter(|f| f.file.seat == A || here.contains(&f.hash)).cloned().collect();
        let view = look(&self.asked, &mine);
        for standing in [&view, &look(&self.asked, all)] {
            if let (true, Some(before)) = (standing.linked() && standing.answered(), fixed) {
                assert_eq!(&answers(standing), before, "what stood changed after the link: {all:#?}");
                self.resolved += 1;
            }
        }
        // The honest seat acts on what it has.
        if mine.iter().filter(|f| f.file.seat == A).count() < 3 {
            for (answer, link) in honest(&view, A, 2) {
                let sent = next(&view, A, answer, link);
                let mut more = all.to_vec();
                more.push(sent.clone());
                let mut with = mine.clone();
                with.push(sent);
                let after = look(&self.asked, &with);
                if link {
                    assert!(after.seats[&A].linked.is_some(), "an honest link is never too early");
                    self.releases += 1;
                }
                let now = answers(&after);
                self.explore(&more, here, if link { Some(&now) } else { fixed });
            }
        }
        // A file of the other arrives.
        for filed in all.iter().filter(|f| f.file.seat == B && !here.contains(&f.hash)) {
            let mut more = here.clone();
            more.insert(filed.hash);
            self.explore(all, &more, fixed);
        }
        // The other sends anything: any answer, link or not, naming any of the honest files or none, after any of his own.
        let his: Vec<&Filed> = all.iter().filter(|f| f.file.seat == B).collect();
        if his.len() < 3 {
            let tip = his.iter().max_by_key(|f| f.file.n);
            let mut places = vec![(tip.map_or(1, |f| f.file.n + 1), tip.map(|f| f.hash))];
            places.extend(tip.map(|f| (f.file.n, f.file.prev)));
            let mut names: Vec<Option<Digest>> = vec![None];
            names.extend(all.iter().filter(|f| f.file.seat == A).map(|f| Some(f.hash)));
            for (n, prev) in places {
                for name in &names {
                    for (answer, link) in
                        [(Some(7), false), (Some(8), false), (Some(7), true), (None, true), (None, false)]
                    {
                        let sent = file(B, n, prev, *name, answer, link);
                        if all.iter().all(|f| f.hash != sent.hash) {
                            let mut more = all.to_vec();
                            more.push(sent);
                            self.explore(&more, here, fixed);
                        }
                    }
                }
            }
        }
    }
}

fn explore(asked: &[Seat]) -> Model {
    let asked = asked.iter().copied().collect();
    let mut model = Model { asked, seen: BTreeSet::new(), releases: 0, resolved: 0 };
    model.explore(&[], &BTreeSet::new(), None);
    model
}

#[test]
fn what_stands_is_settled_before_the_honest_link_leaves() {
    for asked in [&[A, B][..], &[A], &[B]] {
        let model = explore(asked);
        assert!(model.releases > 0 && model.resolved > 0, "{asked:?}");
        println!("{asked:?}: {} states, {} releases, {} resolved", model.seen.len(), model.releases, model.resolved);
    }
}

/// Two honest seats, each with up to two versions, files arriving one by one in any order: from every state there is a
/// way on until the step is resolved.
#[test]
fn two_honest_seats_always_finish() {
    for asked in [&[A, B][..], &[A], &[B], &[]] {
        let asked: BTreeSet<Seat> = asked.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut todo = vec![(Vec::<Filed>::new(), [BTreeSet::new(), BTreeSet::new()])];
        let mut ends = 0;
        while let Some((all, has)) = todo.pop() {
            let mut key: Vec<Vec<Digest>> =
                has.iter().map(|h: &BTreeSet<Digest>| h.iter().copied().collect()).collect();
            key.push(all.iter().map(|f| f.hash).collect::<BTreeSet<_>>().into_iter().collect());
            if !seen.insert(key) {
                continue;
            }
            let mut moves = 0;
            for (at, seat) in [A, B].into_iter().enumerate() {
                let known: Vec<Filed> =
                    all.iter().filter(|f| f.file.seat == seat || has[at].contains(&f.hash)).cloned().collect();
                let view = look(&asked, &known);
                for (answer, link) in honest(&view, seat, 2) {
                    let mut more = all.clone();
                    more.push(next(&view, seat, answer, link));
                    todo.push((more, has.clone()));
                    moves += 1;
                }
                for filed in all.iter().filter(|f| f.file.seat != seat && !has[at].contains(&f.hash)) {
                    let mut more = has.clone();
                    more[at].insert(filed.hash);
                    todo.push((all.clone(), more));
                    moves += 1;
                }
            }
            if moves == 0 {
                let standing = look(&asked, &all);
                let none = BTreeMap::new();
                assert!(matches!(standing.closing(Some(&none)), Some((How::Resolved, _))), "stuck: {all:#?}");
                ends += 1;
            }
        }
        assert!(ends > 0);
    }
}
