//! The closings of a step, exhaustively: answers, links, due openings, offers, acceptances, concessions and refusals of two
//! seats that may send anything, in every order. A closing seen with part of the mail is the closing with all of it.

use std::collections::{BTreeMap, BTreeSet};

use countersign::doc::{Offer, Refuse, StepFile, Tree};
use countersign::log::step::{Filed, How, Oracle, settle};
use countersign::seal::{Digest, Opening, sha256};
use countersign::side::Seat;

const A: Seat = Seat::American;
const B: Seat = Seat::British;

/// Answers are legal but for one content.
struct Judge;

impl Oracle for Judge {
    fn answers(&self, file: &StepFile) -> Result<(), String> {
        if file.answers.get("slot") == Some(&Tree::Int(99)) { Err("against the rules".into()) } else { Ok(()) }
    }
    fn link(&self, _seat: Seat, _link: &Digest) -> bool {
        true
    }
    fn opening(&self, _seat: Seat, _slot: &str, _opening: &Opening, _placed: &[Digest]) -> bool {
        true
    }
    fn offer(&self, _offer: &Offer) -> Result<(), String> {
        Ok(())
    }
}

/// What a file may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brings {
    Word,
    Answer(i64),
    AnswerAndLink(i64),
    Link,
    LinkAndOpen,
    Open,
    Draw,
    LinkAndDraw,
    Concede,
    Accept(usize),
    Refuse(usize),
}

type Step = [Vec<Filed>; 2];

fn seat(me: usize) -> Seat {
    [A, B][me]
}

/// The next file of a seat: after its own last, naming the other's first `seen` files.
fn file(step: &Step, me: usize, seen: usize, brings: Brings) -> Filed {
    let theirs = &step[1 - me];
    let names = seen.checked_sub(1).map(|at| (seat(1 - me), theirs[at].hash)).into_iter().collect();
    let mut file = StepFile {
        n: u32::try_from(step[me].len() + 1).unwrap(),
        prev: step[me].last().map(|f| f.hash),
        names,
        ..StepFile::blank(Digest([0; 32]), seat(me), 1, Digest([0; 32]))
    };
    let link = Some(Digest([9; 32]));
    let opens = || BTreeMap::from([("seal".to_owned(), Opening { salt: Digest([1; 32]), content: "1".into() })]);
    match brings {
        Brings::Word => {}
        Brings::Answer(v) => drop(file.answers.insert("slot".into(), Tree::Int(v))),
        Brings::AnswerAndLink(v) => {
            file.answers.insert("slot".into(), Tree::Int(v));
            file.link = link;
        }
        Brings::Link => file.link = link,
        Brings::LinkAndOpen => (file.link, file.opens) = (link, opens()),
        Brings::Open => file.opens = opens(),
        Brings::Draw => file.offer = Some(Offer::Draw),
        Brings::LinkAndDraw => (file.link, file.offer) = (link, Some(Offer::Draw)),
        Brings::Concede => file.offer = Some(Offer::Concede),
        Brings::Accept(at) => file.accept = Some(theirs[at].hash),
        Brings::Refuse(at) => file.refuse = Some(Refuse { file: theirs[at].hash, rule: "x".into() }),
    }
    let hash = sha256(serde_json::to_string(&file).unwrap().as_bytes());
    Filed { hash, file }
}

/// How the step closes with the first files of each seat; the American's seal is due to be opened.
fn closing(asked: &BTreeSet<Seat>, step: &Step, counts: [usize; 2]) -> Option<(How, BTreeMap<Seat, usize>)> {
    let files: Vec<Filed> = step[0][..counts[0]].iter().chain(&step[1][..counts[1]]).cloned().collect();
    let standing = settle([A, B], asked, &files, &Judge);
    let view = &standing.seats[&A];
    let opened = view.linked.and_then(|linked| {
        (linked..view.chain.len()).find(|at| !view.chain[*at].file.opens.is_empty() && !view.talk.contains_key(at))
    });
    standing.closing(opened.map(|at| BTreeMap::from([(A, at)])).as_ref())
}

struct Model {
    asked: BTreeSet<Seat>,
    most: usize,
    seen: BTreeSet<Vec<Digest>>,
    closed: BTreeMap<&'static str, u32>,
}

impl Model {
    /// `last`: the closing of the files before the newest, which must still be the closing.
    fn explore(&mut self, step: &Step, seen: [usize; 2]) {
        let mut key: Vec<Digest> = step.iter().flatten().map(|f| f.hash).collect();
        key.sort_unstable();
        if !self.seen.insert(key) {
            return;
        }
        let whole = closing(&self.asked, step, [step[0].len(), step[1].len()]);
        // Every part of the mail that a party may have: the first files of each seat.
        for a in 0..=step[0].len() {
            for b in 0..=step[1].len() {
                if let Some(part) = closing(&self.asked, step, [a, b]) {
                    assert_eq!(Some(&part), whole.as_ref(), "with {a} and {b} files of {step:#?}");
                }
            }
        }
        let closed = whole.is_some();
        if let Some((how, _)) = whole {
            *self.closed.entry(how.word()).or_insert(0) += 1;
        }
        for me in [0, 1] {
            // One file beyond a closing shows whether it holds; more add nothing.
            let total = step[0].len() + step[1].len();
            if step[me].len() >= self.most || (closed && total >= 2 * self.most - 1) {
                continue;
            }
            for names in [seen[me], step[1 - me].len()].into_iter().collect::<BTreeSet<_>>() {
                let mut kinds = vec![
                    Brings::Word,
                    Brings::Answer(1),
                    Brings::AnswerAndLink(1),
                    Brings::AnswerAndLink(99),
                    Brings::Link,
                    Brings::Draw,
                    Brings::LinkAndDraw,
                    Brings::Concede,
                ];
                if me == 0 {
                    kinds.extend([Brings::LinkAndOpen, Brings::Open]);
                }
                kinds.extend((0..names).map(Brings::Accept).chain((0..names).map(Brings::Refuse)));
                for brings in kinds {
                    let mut more = step.clone();
                    let sent = file(step, me, names, brings);
                    more[me].push(sent);
                    let mut now = seen;
                    now[me] = names;
                    self.explore(&more, now);
                }
            }
        }
    }
}

#[test]
fn a_closing_seen_with_part_of_the_mail_is_the_closing_with_all_of_it() {
    let most = if std::env::var("SOAK").is_ok() { 3 } else { 2 };
    let all: [&[Seat]; 4] = [&[A, B], &[A], &[B], &[]];
    for asked in &all[..if most > 2 { 4 } else { 2 }] {
        let asked: BTreeSet<Seat> = asked.iter().copied().collect();
        let mut model = Model { asked: asked.clone(), most, seen: BTreeSet::new(), closed: BTreeMap::new() };
        model.explore(&[Vec::new(), Vec::new()], [0, 0]);
        println!("{asked:?}: {} states, {:?}", model.seen.len(), model.closed);
        let reached: BTreeSet<&str> = model.closed.keys().copied().collect();
        assert!(reached.contains("agreed") && reached.contains("refused") && reached.contains("conceded-twice"));
        assert!(asked.len() == 2 || reached.contains("resolved"), "{reached:?}");
    }
}
