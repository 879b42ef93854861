//! The state models of a strict step, exhaustively: two players who hear of each other through the host alone. What stands
//! is settled before an honest link leaves, whatever the other player and the host do together; three honest parties
//! always finish; a closing seen with part of the mail is the closing with all of it.

use std::collections::{BTreeMap, BTreeSet};

use countersign::doc::{HostFile, Late, Offer, Refuse, StepFile, Tree};
use countersign::log::step::{Filed, How, Oracle, Relayed, Standing, State, settle_strict};
use countersign::seal::{Digest, Opening, sha256};
use countersign::side::Seat;

const A: Seat = Seat::American;
const B: Seat = Seat::British;
const H: Seat = Seat::Host;

/// An answer that is against the rules.
const ILLEGAL: i64 = 99;

/// Answers are legal but for one content; whoever is declared late is so by the clock.
struct Judge;

impl Oracle for Judge {
    fn answers(&self, file: &StepFile) -> Result<(), String> {
        if file.answers.get("slot") == Some(&Tree::Int(ILLEGAL)) { Err("against the rules".into()) } else { Ok(()) }
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
    fn key(&self, _seat: Seat, file: &Digest, silent: bool) -> bool {
        silent && *file == REQUEST
    }
    fn late(&self, _seat: Seat, _then: Late, _file: &HostFile) -> bool {
        true
    }
}

/// The request of a new key for a seat.
const REQUEST: Digest = Digest([5; 32]);
const ZERO: Digest = Digest([0; 32]);
const LINK: Option<Digest> = Some(Digest([9; 32]));

/// What a player's file may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brings {
    Word,
    Answer(i64),
    AnswerAndLink(i64),
    Link,
    Draw,
    Concede,
    Accept(Digest),
}

fn hashed<T: serde::Serialize>(file: &T) -> Digest {
    sha256(serde_json::to_string(file).unwrap().as_bytes())
}

/// A player's file, after another of his own or none, naming one of the host's or none.
fn player(seat: Seat, after: Option<&Filed>, names: Option<Digest>, brings: Brings) -> Filed {
    let mut file = StepFile {
        n: after.map_or(1, |f| f.file.n + 1),
        prev: after.map(|f| f.hash),
        names: names.map(|h| (H, h)).into_iter().collect(),
        ..StepFile::blank(ZERO, seat, 1, ZERO)
    };
    match brings {
        Brings::Word => {}
        Brings::Answer(v) => drop(file.answers.insert("slot".into(), Tree::Int(v))),
        Brings::AnswerAndLink(v) => {
            file.answers.insert("slot".into(), Tree::Int(v));
            file.link = LINK;
        }
        Brings::Link => file.link = LINK,
        Brings::Draw => file.offer = Some(Offer::Draw),
        Brings::Concede => file.offer = Some(Offer::Concede),
        Brings::Accept(hash) => file.accept = Some(hash),
    }
    Filed { hash: hashed(&file), file }
}

/// A host's file, after another of his own or none.
fn host(after: Option<&Relayed>, names: &[&Filed], link: bool) -> Relayed {
    let file = HostFile {
        countersign: 1,
        kind: "close".into(),
        game: ZERO,
        step: 1,
        head: ZERO,
        n: after.map_or(1, |f| f.file.n + 1),
        prev: after.map(|f| f.hash),
        names: names.iter().map(|f| (f.file.seat, f.hash)).collect(),
        takes: BTreeMap::new(),
        opens: BTreeMap::new(),
        link: LINK.filter(|_| link),
        refuse: Vec::new(),
        late: BTreeMap::new(),
        due: None,
        pause: None,
        say: None,
        sent: String::new(),
    };
    Relayed { hash: hashed(&file), file }
}

/// The same with refusals and seats declared late.
fn judging(plain: &Relayed, refuse: &[Digest], late: &[(Seat, Late)]) -> Relayed {
    let mut file = plain.file.clone();
    file.refuse = refuse.iter().map(|h| Refuse { file: *h, rule: "x".into() }).collect();
    file.late = late.iter().copied().collect();
    Relayed { hash: hashed(&file), file }
}

/// Files of one step, in the order in which they were made.
#[derive(Debug, Clone, Default)]
struct Mail {
    files: Vec<Filed>,
    hosts: Vec<Relayed>,
}

impl Mail {
    fn look(&self, asked: &BTreeSet<Seat>) -> Standing {
        settle_strict([A, B], asked, &self.files, &self.hosts, &Judge)
    }

    fn of(&self, seat: Seat) -> impl Iterator<Item = &Filed> {
        self.files.iter().filter(move |f| f.file.seat == seat)
    }

    fn only(&self, keep: impl Fn(&Filed) -> bool, shown: impl Fn(&Relayed) -> bool) -> Mail {
        Mail {
            files: self.files.iter().filter(|f| keep(f)).cloned().collect(),
            hosts: self.hosts.iter().filter(|h| shown(h)).cloned().collect(),
        }
    }

    /// What a seat goes by: its own files, and of the other those the host has named.
    fn relayed_to(&self, asked: &BTreeSet<Seat>, seat: Seat) -> Mail {
        let standing = self.look(asked);
        let host = standing.host.as_ref().unwrap();
        let last = host.chain.len().checked_sub(1);
        let named = |f: &Filed| {
            let at = standing.seats[&f.file.seat].position(&f.hash);
            f.file.seat == seat || at.zip(last).is_some_and(|(at, last)| at < host.pins(last, f.file.seat))
        };
        self.only(named, |_| true)
    }

    /// The same for every set of the same files.
    fn key(&self, mark: u8, has: &[&BTreeSet<Digest>]) -> Digest {
        let mut all: Vec<&[u8]> =
            self.files.iter().map(|f| &f.hash.0[..]).chain(self.hosts.iter().map(|h| &h.hash.0[..])).collect();
        all.sort_unstable();
        for set in has {
            all.push(&[0xff; 32]);
            all.extend(set.iter().map(|h| &h.0[..]));
        }
        let mut bytes = all.concat();
        bytes.push(mark);
        sha256(&bytes)
    }
}

fn soak() -> bool {
    std::env::var("SOAK").is_ok()
}

/// What an honest seat may send next, `most` versions of its answer at the most.
fn honest(standing: &Standing, seat: Seat, most: usize) -> Vec<Brings> {
    let versions = standing.seats[&seat].versions.len();
    let mut options = Vec::new();
    if standing.may_answer(seat) && versions < most {
        let answer = i64::try_from(versions).unwrap();
        options.push(Brings::Answer(answer));
        if standing.may_answer_and_link(seat) {
            options.push(Brings::AnswerAndLink(answer));
        }
    }
    if standing.state(seat) == State::Bound {
        options.push(Brings::Link);
    }
    options
}

fn next(standing: &Standing, seat: Seat, brings: Brings) -> Filed {
    let newest = standing.host.as_ref().and_then(|host| host.chain.last()).map(|h| h.hash);
    player(seat, standing.seats[&seat].newest(), newest, brings)
}

fn answers(standing: &Standing) -> Vec<Option<Digest>> {
    [A, B].map(|seat| standing.answer_file(seat).map(|f| f.hash)).to_vec()
}

/// One honest player against the other and the host together.
struct Against {
    asked: BTreeSet<Seat>,
    /// Files of the other, of the host, of both together.
    most: (usize, usize, usize),
    /// Whether what was kept back may be shown later.
    later: bool,
    seen: BTreeSet<Digest>,
    releases: usize,
    counted: usize,
}

impl Against {
    /// `shown`: the others' files that the honest player has; `fixed`: what stood when his link left.
    fn explore(&mut self, all: &Mail, shown: &BTreeSet<Digest>, fixed: Option<&Vec<Option<Digest>>>) {
        if !self.seen.insert(all.key(0, &[shown])) {
            return;
        }
        let here = all.only(|f| f.file.seat == A || shown.contains(&f.hash), |h| shown.contains(&h.hash));
        let mine = here.relayed_to(&self.asked, A);
        let view = mine.look(&self.asked);
        for standing in [&view, &here.look(&self.asked), &all.look(&self.asked)] {
            // Links of the others would only end it: what counts is what stands beside the honest one.
            if let (Some(before), true, true) = (fixed, standing.seats[&A].linked.is_some(), standing.answered()) {
                assert_eq!(&answers(standing), before, "what stood changed after the link: {all:#?}");
                self.counted += 1;
            }
            assert_eq!(standing.seats[&A].spent_link, None, "an honest link was made void: {all:#?}");
        }
        if all.of(A).count() < 3 {
            for brings in honest(&view, A, 2) {
                let link = matches!(brings, Brings::Link | Brings::AnswerAndLink(_));
                let sent = next(&view, A, brings);
                let mut with = mine.clone();
                with.files.push(sent.clone());
                let after = with.look(&self.asked);
                let now = answers(&after);
                // The folder keeps what the link was released for: it goes out for nothing else.
                if link && fixed.is_some_and(|before| *before != now) {
                    continue;
                }
                let mut more = all.clone();
                more.files.push(sent);
                if link {
                    assert!(after.seats[&A].linked.is_some(), "an honest link is never too early");
                    self.releases += 1;
                }
                self.explore(&more, shown, if link { Some(&now) } else { fixed });
            }
        }
        if self.later {
            let kept = all.of(B).map(|f| f.hash).chain(all.hosts.iter().map(|h| h.hash));
            for hash in kept.filter(|h| !shown.contains(h)).collect::<Vec<_>>() {
                let mut more = shown.clone();
                more.insert(hash);
                self.explore(all, &more, fixed);
            }
        }
        let (his, hosts) = (all.of(B).count(), all.hosts.len());
        if his + hosts >= self.most.2 {
            return;
        }
        if his < self.most.0 {
            // After any of his own, or beside it.
            let places: Vec<Option<&Filed>> = std::iter::once(None).chain(all.of(B).map(Some)).collect();
            let names: Vec<Option<Digest>> =
                std::iter::once(None).chain(all.hosts.iter().map(|h| Some(h.hash))).collect();
            for after in places {
                for name in &names {
                    for brings in [Brings::Answer(7), Brings::Answer(8), Brings::AnswerAndLink(7), Brings::Word] {
                        let sent = player(B, after, *name, brings);
                        if all.files.iter().all(|f| f.hash != sent.hash) {
                            let mut more = all.clone();
                            more.files.push(sent.clone());
                            self.both(&more, sent.hash, shown, fixed);
                        }
                    }
                }
            }
        }
        if hosts < self.most.1 {
            let places: Vec<Option<&Relayed>> = std::iter::once(None).chain(all.hosts.iter().map(Some)).collect();
            let some = |seat| std::iter::once(None).chain(all.of(seat).map(Some));
            for after in places {
                for a in some(A) {
                    for b in some(B) {
                        let names: Vec<&Filed> = a.into_iter().chain(b).collect();
                        let sent = host(after, &names, false);
                        if all.hosts.iter().all(|h| h.hash != sent.hash) {
                            let mut more = all.clone();
                            more.hosts.push(sent.clone());
                            self.both(&more, sent.hash, shown, fixed);
                        }
                    }
                }
            }
        }
    }

    /// A new file is shown, or kept back.
    fn both(&mut self, all: &Mail, new: Digest, shown: &BTreeSet<Digest>, fixed: Option<&Vec<Option<Digest>>>) {
        let mut more = shown.clone();
        more.insert(new);
        self.explore(all, &more, fixed);
        // What is never shown could as well be made once the link is out.
        if self.later || fixed.is_some() {
            self.explore(all, shown, fixed);
        }
    }
}

#[test]
fn what_stands_is_settled_before_the_honest_link_leaves() {
    let bounds: &[((usize, usize, usize), bool)] =
        if soak() { &[((2, 3, 4), true), ((3, 3, 5), false)] } else { &[((2, 2, 4), false), ((2, 3, 3), true)] };
    for (most, later) in bounds {
        for asked in [&[A, B][..], &[A], &[B]] {
            let asked: BTreeSet<Seat> = asked.iter().copied().collect();
            let mut most = *most;
            if !soak() && !asked.contains(&B) {
                most.2 = 3; // nothing of the other's stands; his files only multiply
            }
            let (seen, releases, counted) = (BTreeSet::new(), 0, 0);
            let mut model = Against { asked, most, later: *later, seen, releases, counted };
            model.explore(&Mail::default(), &BTreeSet::new(), None);
            assert!(model.releases > 0 && model.counted > 0);
            let (asked, states) = (&model.asked, model.seen.len());
            println!("{asked:?} {most:?}: {states} states, {} releases, {} counted", model.releases, model.counted);
        }
    }
}

/// The host's next file by the rules of an honest one.
fn relays(asked: &BTreeSet<Seat>, has: &Mail) -> Option<Relayed> {
    let before = has.look(asked);
    let view = before.host.as_ref().unwrap();
    let last = view.chain.len().checked_sub(1);
    let news: Vec<&Filed> = [A, B]
        .iter()
        .filter(|seat| before.seats[seat].chain.len() > last.map_or(0, |at| view.pins(at, **seat)))
        .filter_map(|seat| before.seats[seat].newest())
        .collect();
    let with = |link| {
        let sent = host(view.chain.last(), &news, link);
        let mut more = has.clone();
        more.hosts.push(sent.clone());
        (sent, more.look(asked))
    };
    let (plain, standing) = with(false);
    if view.linked.is_none() && standing.answered() {
        let (sent, standing) = with(true);
        assert!(standing.host.unwrap().linked.is_some(), "an honest host's link is never too early");
        return Some(sent);
    }
    (!news.is_empty()).then_some(plain)
}

/// Three honest parties, files arriving one by one in any order: from every state there is a way on until the step is
/// resolved.
#[test]
fn three_honest_parties_always_finish() {
    for asked in [&[A, B][..], &[A], &[B], &[]] {
        let most = if soak() || asked.len() < 2 { [2, 2] } else { [2, 1] };
        let asked: BTreeSet<Seat> = asked.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut todo = vec![(Mail::default(), [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()])];
        let mut ends = 0;
        while let Some((all, has)) = todo.pop() {
            if !seen.insert(all.key(0, &has.iter().collect::<Vec<_>>())) {
                continue;
            }
            let mut moves = 0;
            for (at, seat) in [A, B, H].into_iter().enumerate() {
                let own = |f: &Filed| f.file.seat == seat || has[at].contains(&f.hash);
                let here = all.only(own, |h| seat == H || has[at].contains(&h.hash));
                if seat == H {
                    if let Some(sent) = relays(&asked, &here) {
                        let mut more = all.clone();
                        more.hosts.push(sent);
                        todo.push((more, has.clone()));
                        moves += 1;
                    }
                } else {
                    let view = here.relayed_to(&asked, seat).look(&asked);
                    for brings in honest(&view, seat, most[at]) {
                        let mut more = all.clone();
                        more.files.push(next(&view, seat, brings));
                        todo.push((more, has.clone()));
                        moves += 1;
                    }
                }
                // Players write to the host; he sends his files with those they name.
                let coming: Vec<Vec<Digest>> = if seat == H {
                    all.files.iter().map(|f| vec![f.hash]).collect()
                } else {
                    all.hosts.iter().map(|h| std::iter::once(h.hash).chain(named(&all, &[h])).collect()).collect()
                };
                for block in coming.into_iter().filter(|block| !has[at].contains(&block[0])) {
                    let mut more = has.clone();
                    more[at].extend(block);
                    todo.push((all.clone(), more));
                    moves += 1;
                }
            }
            if moves == 0 {
                let closed = closing(&asked, &all, None);
                assert!(closed.is_some_and(|(how, _, _)| how == How::Resolved), "stuck: {all:#?}");
                ends += 1;
            }
        }
        println!("{asked:?}: {} states, {ends} ends", seen.len());
        assert!(ends > 0);
    }
}

/// Players' files that files of the host name, with all before them.
fn named(all: &Mail, hosts: &[&Relayed]) -> BTreeSet<Digest> {
    let mut todo: Vec<Digest> = hosts.iter().flat_map(|h| h.file.names.values().copied()).collect();
    let mut pinned = BTreeSet::new();
    while let Some(hash) = todo.pop() {
        if pinned.insert(hash) {
            todo.extend(all.files.iter().find(|f| f.hash == hash).and_then(|f| f.file.prev));
        }
    }
    pinned
}

/// How the step closes: with the first file of the host up to which everything named closes it. Also the place of that
/// file, and all that is in the block.
fn closing(asked: &BTreeSet<Seat>, all: &Mail, upto: Option<usize>) -> Option<(How, usize, BTreeSet<Digest>)> {
    let whole = all.look(asked);
    let host = whole.host.as_ref()?;
    for at in 0..upto.unwrap_or(host.chain.len()).min(host.chain.len()) {
        if host.talk.contains_key(&at) {
            return None; // the step cannot close with a file of the host that is against its rules
        }
        let files: Vec<Filed> =
            whole.seats.iter().flat_map(|(seat, view)| view.chain.iter().take(host.pins(at, *seat)).cloned()).collect();
        let block: BTreeSet<Digest> = files.iter().map(|f| f.hash).collect();
        let standing = Mail { files, hosts: host.chain[..=at].to_vec() }.look(asked);
        if let Some(how) = how(&standing) {
            return Some((how, at, block));
        }
    }
    None
}

fn how(standing: &Standing) -> Option<How> {
    if standing.answered() && standing.linked() {
        return Some(How::Resolved);
    }
    match standing.seats.values().filter(|view| view.conceded.is_some()).count() {
        0 => {}
        1 => return Some(How::Agreed),
        _ => return Some(How::ConcededTwice),
    }
    let accepts = |seat: &Seat| {
        let view = &standing.seats[seat];
        view.chain.iter().enumerate().any(|(at, f)| f.file.accept.is_some() && !view.talk.contains_key(&at))
    };
    if [A, B].iter().any(accepts) {
        return Some(How::Agreed);
    }
    let host = standing.host.as_ref()?;
    let last = host.chain.len() - 1;
    if host.talk.contains_key(&last) {
        return None;
    }
    let file = &host.chain[last].file;
    let spent = |seat: &Seat| standing.refusable(*seat).filter(|_| standing.refusal_closes(*seat)).map(|(f, _)| f.hash);
    if file.refuse.iter().any(|r| [A, B].iter().any(|seat| spent(seat) == Some(r.file))) {
        return Some(How::Refused);
    }
    let owes = |seat: &Seat| match standing.state(*seat) {
        State::Asked | State::Bound => true,
        State::Released => {
            let view = &standing.seats[seat];
            view.spent_link.is_some() && view.linked.is_none() && !standing.refusal_closes(*seat)
        }
        State::Waits | State::Doubled | State::Conceded => false,
    };
    file.late.iter().any(|(seat, then)| *then == Late::Forfeit && owes(seat)).then_some(How::Late)
}

/// One honest order of the host's files, players who send anything.
struct Closings {
    asked: BTreeSet<Seat>,
    rounds: usize,
    seen: BTreeSet<Digest>,
    closed: BTreeMap<&'static str, u32>,
    defaults: u32,
}

impl Closings {
    fn explore(&mut self, all: &Mail) {
        if !self.seen.insert(all.key(0, &[])) {
            return;
        }
        let closed = closing(&self.asked, all, None);
        // Every part that a party may have: the host's first files, with at least the files they name.
        for n in 1..=all.hosts.len() {
            let hosts = &all.hosts[..n];
            let pinned = named(all, &hosts.iter().collect::<Vec<_>>());
            let whole = Mail { files: all.files.clone(), hosts: hosts.to_vec() };
            let rest: Vec<Digest> = all.files.iter().map(|f| f.hash).filter(|h| !pinned.contains(h)).collect();
            let mut parts = Vec::new();
            if !rest.is_empty() {
                parts.push(whole.only(|f| pinned.contains(&f.hash), |_| true));
            }
            for one in rest.iter().filter(|_| rest.len() > 1) {
                parts.push(whole.only(|f| pinned.contains(&f.hash) || f.hash == *one, |_| true));
                parts.push(whole.only(|f| f.hash != *one, |_| true));
            }
            let first = closing(&self.asked, &whole, None);
            for part in parts {
                assert_eq!(closing(&self.asked, &part, None), first, "with {part:#?} of {all:#?}");
            }
            assert!(first.is_none() || first == closed, "with {n} of the host's files of {all:#?}");
        }
        if let Some((how, at, _)) = &closed {
            *self.closed.entry(how.word()).or_insert(0) += 1;
            let view = all.look(&self.asked);
            self.defaults += u32::from(view.seats.values().any(|v| v.defaulted.is_some_and(|d| d <= *at)));
            // One file of the host beyond a closing shows whether it holds.
            if all.hosts.len() > at + 1 {
                return;
            }
        }
        if all.hosts.len() >= self.rounds {
            return;
        }
        let [ours, theirs] = [A, B].map(|seat| brings(all, seat));
        for a in &ours {
            for b in &theirs {
                let mut more = all.clone();
                more.files.extend(a.iter().chain(b).cloned());
                for sent in relays_any(&more, closed.is_some()) {
                    let mut more = more.clone();
                    more.hosts.push(sent);
                    self.explore(&more);
                }
            }
        }
    }
}

/// What a player may send between two files of the host: nothing, or one file, also beside his last.
fn brings(all: &Mail, seat: Seat) -> Vec<Option<Filed>> {
    let tip = all.of(seat).max_by_key(|f| f.file.n);
    let last = all.hosts.last().map(|h| h.hash);
    let names: BTreeSet<Option<Digest>> = if soak() { [None, last].into() } else { [last].into() };
    let mut options = vec![None];
    for name in names {
        let mut kinds = vec![
            Brings::Answer(1),
            Brings::AnswerAndLink(1),
            Brings::AnswerAndLink(ILLEGAL),
            Brings::Link,
            Brings::Draw,
            Brings::Concede,
        ];
        let offers = all.files.iter().filter(|f| f.file.seat != seat && f.file.offer.is_some());
        kinds.extend(offers.map(|f| Brings::Accept(f.hash)));
        options.extend(kinds.into_iter().map(|brings| Some(player(seat, tip, name, brings))));
    }
    // A second file of a number; where it stands first it is one of the two that have not been named.
    if let Some(tip) = tip {
        let before = all.files.iter().find(|f| Some(f.hash) == tip.file.prev);
        let kinds = [Brings::Answer(2), Brings::Word];
        let kinds = &kinds[..if soak() { 2 } else { 1 }];
        options.extend(kinds.iter().map(|b| Some(player(seat, before, None, *b))));
    }
    options.retain(|o| o.as_ref().is_none_or(|f| all.files.iter().all(|g| g.hash != f.hash)));
    options
}

/// What the host may make of it.
fn relays_any(all: &Mail, closed: bool) -> Vec<Relayed> {
    let after = all.hosts.last();
    let mut options = Vec::new();
    let newest = |seat: Seat| all.files.iter().rev().find(|f| f.file.seat == seat);
    let names: Vec<&Filed> = [A, B].into_iter().filter_map(newest).collect();
    let all_names = names.len();
    let some = [&names[..], &names[..names.len().min(1)], &names[names.len().min(1)..]];
    for names in &some[..if soak() { 3 } else { 2 }] {
        let plain = host(after, names, false);
        options.push(plain.clone());
        if closed {
            continue;
        }
        options.push(host(after, names, true));
        // He judges when he has named all that came; with SOAK set at any time.
        if names.len() < all_names && !soak() {
            continue;
        }
        let linking = |f: &&&Filed| f.file.link.is_some();
        let refuse = names.iter().rev().find(linking);
        options.extend(refuse.map(|f| judging(&plain, &[f.hash], &[])));
        options.push(judging(&plain, &[], &[(B, Late::Forfeit)]));
        options.push(judging(&plain, &[], &[(B, Late::DefaultOrders)]));
        options.push(judging(&host(after, names, true), &[], &[(B, Late::DefaultOrders)]));
    }
    options.sort_by_key(|h| h.hash);
    options.dedup_by_key(|h| h.hash);
    options
}

#[test]
fn a_closing_seen_with_part_of_the_mail_is_the_closing_with_all_of_it() {
    let mut reached: BTreeMap<&str, u32> = BTreeMap::new();
    let mut defaults = 0;
    let all: [&[Seat]; 4] = [&[A, B], &[A], &[B], &[]];
    for asked in &all[..if soak() { 4 } else { 2 }] {
        let asked: BTreeSet<Seat> = asked.iter().copied().collect();
        let rounds = if soak() { 3 } else { 2 };
        let mut model = Closings { asked, rounds, seen: BTreeSet::new(), closed: BTreeMap::new(), defaults: 0 };
        model.explore(&Mail::default());
        println!("{:?}: {} states, {:?}, {} by default", model.asked, model.seen.len(), model.closed, model.defaults);
        for (how, n) in model.closed {
            *reached.entry(how).or_insert(0) += n;
        }
        defaults += model.defaults;
    }
    let kinds = ["agreed", "conceded-twice", "late", "refused", "resolved"];
    assert_eq!(reached.into_keys().collect::<Vec<_>>(), kinds);
    assert!(defaults > 0);
}

/// A player who knows the dice cannot have others by spoiling his own link.
#[test]
fn who_spoils_his_link_when_all_answers_are_named_voids_nothing() {
    let asked = BTreeSet::from([A]);
    let answer = player(A, None, None, Brings::Answer(1));
    let first = host(None, &[&answer], true);
    let link = player(A, Some(&answer), Some(first.hash), Brings::Link);
    let second = host(Some(&first), &[&link], false);
    let spoilt = player(B, None, Some(second.hash), Brings::AnswerAndLink(ILLEGAL));
    let third = judging(&host(Some(&second), &[&spoilt], false), &[spoilt.hash], &[]);
    let files = vec![answer, link, spoilt.clone()];
    let all = Mail { files, hosts: vec![first, second.clone(), third] };
    assert_eq!(closing(&asked, &all, None), None);
    // He owes the link he can no longer send.
    let late = judging(&host(Some(&second), &[&spoilt], false), &[], &[(B, Late::Forfeit)]);
    let mut all = all;
    all.hosts[2] = late;
    assert!(matches!(closing(&asked, &all, None), Some((How::Late, 2, _))));
}

/// Nor can one for whom the book's orders stand by sending his own behind them.
#[test]
fn who_is_late_voids_nothing() {
    let asked = BTreeSet::from([A, B]);
    let answer = player(A, None, None, Brings::Answer(1));
    let late = |names: &[&Filed]| judging(&host(None, names, false), &[], &[(B, Late::DefaultOrders)]);
    for first in [late(&[]), late(&[&answer])] {
        let tardy = player(B, None, Some(first.hash), Brings::AnswerAndLink(1));
        let second = judging(&host(Some(&first), &[&tardy], false), &[tardy.hash], &[]);
        let all = Mail { files: vec![answer.clone(), tardy], hosts: vec![first, second] };
        assert_eq!(all.look(&asked).refusable(B), None);
        assert_eq!(closing(&asked, &all, None), None);
    }
}

/// A seat that has spoken cannot be given away by a file that names nothing of it.
#[test]
fn a_seat_that_has_spoken_is_not_given_to_a_new_key() {
    let asked = BTreeSet::from([A, B]);
    let accept = player(B, None, None, Brings::Accept(REQUEST));
    let alone = Mail { hosts: vec![host(None, &[&accept], false)], files: vec![accept.clone()] };
    assert!(matches!(closing(&asked, &alone, None), Some((How::Agreed, 0, _))));
    let word = player(A, None, None, Brings::Word);
    let first = host(None, &[&word], false);
    let second = host(Some(&first), &[&accept], false);
    let all = Mail { files: vec![accept, word], hosts: vec![first, second] };
    assert_eq!(closing(&asked, &all, None), None);
}

/// A host who names both files of one number does not choose between them a second time.
#[test]
fn the_first_file_named_of_a_number_counts() {
    let asked = BTreeSet::from([B]);
    for (x, y) in [(1, 2), (2, 1)] {
        let [one, two] = [x, y].map(|v| player(B, None, None, Brings::Answer(v)));
        let first = host(None, &[&one], true);
        let link = player(A, None, Some(first.hash), Brings::Link);
        let second = host(Some(&first), &[&two, &link], false);
        let all = Mail { files: vec![one.clone(), two, link], hosts: vec![first, second] };
        let standing = all.look(&asked);
        assert_eq!(standing.answer_file(B).map(|f| f.hash), Some(one.hash));
        assert_eq!((standing.seats[&A].linked, standing.seats[&A].spent_link), (Some(0), None));
        assert!(standing.host.unwrap().talk.contains_key(&1));
    }
}
