//! The letters of a game: what its players and host write to each other.

use super::Party;
use crate::cli::{duties, host, play};
use crate::clock;
use crate::doc::{Mode, Packet, SignedFile};
use crate::error::Result;
use crate::log::read_proposal;
use crate::mail::address::Address;
use crate::mail::compose::{Content, Enclosure, Kind, Letter};
use crate::mail::settings::{Account, Correspondents};
use crate::report;
use crate::side::Seat;
use crate::store::{self, Folder, Table};

/// What a letter begins with: who writes, about which game, and nothing said yet.
pub(super) fn blank(table: &Table, seat: Seat, account: &Account) -> Letter {
    let history = &table.history;
    Letter {
        game: history.terms.game.short(),
        title: title(table),
        seat,
        step: history.step(),
        number: own_files(table, seat),
        kind: Kind::Receipt,
        from: myself(account),
        to: Vec::new(),
        next: String::new(),
        report: String::new(),
        packet: None,
        enclosures: Vec::new(),
        thread: Vec::new(),
        automatic: false,
        again: 0,
        sent: crate::cli::clock(),
    }
}

/// What the game is called, and where it stands.
pub(super) fn title(table: &Table) -> String {
    let game = &table.history.game;
    match (game.title(), game.turn()) {
        (Some(title), Some(turn)) => format!("{title} - turn {turn}"),
        _ => table.history.terms.proposal.scenario.clone(),
    }
}

/// The player or host of a seat, with his address.
pub(super) fn seated(table: &Table, seat: Seat, to: &Correspondents) -> Result<Party> {
    let name = table.history.seat(seat).map_or("", |s| s.player.as_str());
    Ok(party(name, to.of(seat)?))
}

/// The letters that carry the current packet: to the opponent, to the host alone, or from him to both. With the game over,
/// or if it is asked for (`log`), the whole log is enclosed.
pub(super) fn of_game(
    folder: &Folder,
    table: &Table,
    account: &Account,
    to: &Correspondents,
    log: bool,
) -> Result<Vec<(Seat, Letter)>> {
    let history = &table.history;
    let seat = play::owner(table)?;
    // That a player has moved in a hosted game must not show in what the other gets.
    let begun = history.step() > 1
        || if seat == Seat::Host { !host::shown(table).is_empty() } else { !table.posts.is_empty() }
        || !history.hosts().is_empty();
    if !begun {
        // The terms alone: who accepted last tells the others, who proposed has nothing to say yet.
        let proposal = history.terms.files.first().map(|(_, signed, _)| signed);
        return match proposal.filter(|_| folder.path().join("out/acceptance.packet").exists()) {
            Some(proposal) => {
                // Whoever lacks an acceptance begins with this mail.
                let files = history.terms.files.iter().map(|(_, signed, _)| signed.bytes()).collect();
                let whole = Packet { files }.bytes();
                let mut letters = before_game(folder, seat, proposal, account, to)?;
                letters.iter_mut().for_each(|(_, letter)| letter.packet = Some(whole.clone()));
                Ok(letters)
            }
            None => Ok(Vec::new()),
        };
    }
    let path = play::write_packet(folder, table)?;
    let packet = store::read_bytes(&path)?;
    let players = history.terms.players();
    let receivers: Vec<Seat> = match (history.terms.proposal.mode, seat) {
        (Mode::TwoSeats, _) => players.into_iter().filter(|s| *s != seat).collect(),
        (_, Seat::Host) => players.to_vec(),
        (Mode::Hosted | Mode::Strict, _) => vec![Seat::Host],
    };
    let mut letters = Vec::new();
    let (story, page) = told(table);
    for receiver in receivers.into_iter().filter(|receiver| is_known(seat, *receiver, to)) {
        let (kind, next) = what_next(table, receiver);
        let whole = log || kind == Kind::Over;
        let letter = Letter {
            kind,
            to: vec![seated(table, receiver, to)?],
            next,
            report: story.clone(),
            packet: Some(packet.clone()),
            enclosures: page.clone().into_iter().chain(whole.then(|| whole_log(table))).collect(),
            automatic: kind == Kind::YourDuty,
            ..blank(table, seat, account)
        };
        letters.push((receiver, letter));
    }
    Ok(letters)
}

/// Whether a letter can be written to a seat. A player has to say where; a host's program goes on for the others.
fn is_known(writer: Seat, receiver: Seat, to: &Correspondents) -> bool {
    match to.of(receiver) {
        Err(e) if writer == Seat::Host => {
            eprintln!("{e}");
            false
        }
        _ => true,
    }
}

/// Largest page that is mailed, in bytes: every mail of a game carries one, and some mailboxes are small.
const LARGEST_PAGE: usize = 150 << 10;

/// What happened in the step that closed last, as text and as a page for a browser. Both are written from closed steps
/// alone, so nothing of the open one is in them.
pub(super) fn told(table: &Table) -> (String, Option<Enclosure>) {
    // What the rules tell before the first step, such as whose turn it is, is no news.
    let page = (table.history.step() > 1).then(|| report::html(&table.history)).flatten();
    with_page(report::last_report(&table.history), page)
}

/// A report with a line about its page, and the page if it is not too large.
fn with_page(text: String, page: Option<String>) -> (String, Option<Enclosure>) {
    let Some(page) = page else { return (text, None) };
    let small = page.len() <= LARGEST_PAGE;
    let line = if small {
        "The same with map, arrows and every die: open the attached report.html in a\nbrowser."
    } else {
        "As a page this is too large to be mailed; to write it yourself:\ncountersign report --html report.html"
    };
    let enclosure = Enclosure { name: "report.html".to_owned(), content: Content::Html, bytes: page.into_bytes() };
    (format!("{}\n\n{line}\n", text.trim_end()), small.then_some(enclosure))
}

/// The log of all closed steps, as a file to keep.
pub(super) fn whole_log(table: &Table) -> Enclosure {
    let history = &table.history;
    Enclosure {
        name: format!("{}.log", history.terms.game.short()),
        content: Content::File,
        bytes: history.log().bytes(),
    }
}

fn own_files(table: &Table, seat: Seat) -> u32 {
    let own = table.files.keys().filter(|name| name.contains(&format!("-{seat}-"))).count();
    u32::try_from(own).unwrap_or(u32::MAX)
}

pub(super) fn myself(account: &Account) -> Party {
    party(account.name.as_ref().map_or("", |name| name.as_str()), &account.address)
}

pub(super) fn party(name: &str, address: &Address) -> Party {
    Party { name: name.to_owned(), address: address.clone() }
}

/// How a mail is taken in, for who gets one.
const RUN: &str =
    "Save this mail (or the attached packet) and run: countersign mail in THE-FILE\nThen: countersign mail out";

/// What the receiver does next, as far as this folder can tell.
fn what_next(table: &Table, receiver: Seat) -> (Kind, String) {
    let history = &table.history;
    if history.complete() {
        return (
            Kind::Over,
            format!(
                "The game is over. {RUN}\nThe whole log is attached too: keep it, and check it with countersign verify THE-LOG."
            ),
        );
    }
    let owed = duties::duties(table).into_iter().find(|d| d.seat == receiver).map(|d| d.owed);
    let due = when_due(table).map_or(String::new(), |due| format!("\n{due}"));
    match owed {
        Some(duties::Owed::Orders | duties::Owed::React) => (
            Kind::YourMove,
            format!("It is your move. {RUN}\nYour orders: countersign orders ask (or orders new, orders sign).{due}"),
        ),
        // A host's own program acts by itself; a player's only passes secret numbers on.
        Some(owed) => (
            Kind::YourDuty,
            format!(
                "Nothing has to be decided: this mail needs {}, which keeps the dice honest. {RUN}{due}",
                owed.words(history)
            ),
        ),
        // Whether the other has moved in a hosted game is nobody's business before the step closes.
        None if history.terms.seat(Seat::Host).is_some() => {
            (Kind::Receipt, format!("Nothing has to be done by you now. {RUN}"))
        }
        None => (Kind::Receipt, format!("Nothing is to be done now; your opponent is to move. {RUN}")),
    }
}

/// By when the open step is due, for people, in the zone of the game.
pub(super) fn when_due(table: &Table) -> Option<String> {
    let history = &table.history;
    if history.paused().is_some() {
        return Some("The clock stands still: nobody is late.".to_owned());
    }
    let due = history.due().as_deref().and_then(clock::read)?;
    Some(format!("Due: {}.", clock::shown(due, history.terms.proposal.clock.as_ref())))
}

/// The letters of a game that has not begun: the proposal or acceptance, to everybody named.
pub(super) fn before_game(
    folder: &Folder,
    seat: Seat,
    proposal: &SignedFile,
    account: &Account,
    to: &Correspondents,
) -> Result<Vec<(Seat, Letter)>> {
    let terms = read_proposal(proposal)?;
    let mine = terms.seat == seat;
    let name = if mine { "proposal" } else { "acceptance" };
    let packet = store::read_bytes(&folder.path().join("out").join(format!("{name}.packet")))?;
    let next = if mine {
        format!(
            "{} offers you a game of {}. Save this mail and run: countersign accept THE-FILE --player YOUR-NAME --folder NEW-FOLDER",
            terms.who.player, terms.scenario
        )
    } else {
        "The game is accepted. Save this mail and run: countersign mail in THE-FILE".to_owned()
    };
    let mut letters = Vec::new();
    // Who will play is not known before all have accepted, so a host need not know where he is.
    let known = |s: &&Seat| seat != Seat::Host || to.of(**s).is_ok();
    for receiver in terms.seats.iter().filter(|s| **s != seat).filter(known) {
        let letter = Letter {
            game: proposal.hash().short(),
            title: terms.scenario.clone(),
            seat,
            step: 0,
            number: 1,
            kind: if mine { Kind::Proposal } else { Kind::Acceptance },
            from: myself(account),
            to: vec![party("", to.of(*receiver)?)],
            next: next.clone(),
            report: String::new(),
            packet: Some(packet.clone()),
            enclosures: Vec::new(),
            thread: Vec::new(),
            automatic: false,
            again: 0,
            sent: crate::cli::clock(),
        };
        letters.push((*receiver, letter));
    }
    Ok(letters)
}

/// How a battle ended by the rules, in a few words.
pub(super) fn outcome(table: &Table) -> String {
    match report::victor(&table.history) {
        Some(Some(side)) => {
            format!("the {} won", if side == crate::side::Side::British { "British" } else { "Americans" })
        }
        Some(None) => "a draw".to_owned(),
        None => "over by the rules".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_goes_along_if_there_is_one_and_it_is_not_too_large() {
        let text = || "The Wasp fires.\n".to_owned();
        assert_eq!(with_page(text(), None), (text(), None));
        let (told, page) = with_page(text(), Some("x".repeat(LARGEST_PAGE)));
        assert!(told.starts_with("The Wasp fires.\n\nThe same") && page.is_some_and(|p| p.content == Content::Html));
        let (told, page) = with_page(text(), Some("x".repeat(LARGEST_PAGE + 1)));
        assert!(told.contains("too large to be mailed") && told.contains("report --html") && page.is_none());
    }
}
