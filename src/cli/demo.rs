//! `demo`: a whole battle through the real path, both players' folders, a verified log, an audited die, a caught byte.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Done, Outcome, audit, check, play, setup};
use crate::books::honor::naval::Rulings;
use crate::catalog;
use crate::doc::Mode;
use crate::error::{Error, Result};
use crate::log::{Verified, verify};
use crate::seal::{Digest, SecretKey, sha256};
use crate::side::Seat;
use crate::store::{self, Content, Folder};

const SCENARIO: &str = "wasp-frolic";

/// Orders that come with the program: seat, turn, text.
const ORDERS: &[(Seat, &str)] = &[
    (Seat::American, include_str!("../../examples/demo/01-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/01-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/02-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/02-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/03-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/03-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/04-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/04-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/05-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/05-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/06-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/06-british.yaml")),
    (Seat::American, include_str!("../../examples/demo/07-american.yaml")),
    (Seat::British, include_str!("../../examples/demo/07-british.yaml")),
];

/// One of the two demo players. His key is no secret: it is made from his name, so that the demo always has the same dice.
struct Captain {
    seat: Seat,
    name: &'static str,
    folder: PathBuf,
    key: PathBuf,
}

impl Captain {
    fn new(out: &Path, seat: Seat, name: &'static str) -> Result<(Captain, SecretKey)> {
        let home = out.join(name.to_lowercase());
        fs::create_dir_all(&home).map_err(|e| Error::io("make", &home, &e))?;
        let key = SecretKey::from_seed(sha256(format!("countersign demo key of {name}").as_bytes()).0);
        let path = home.join("demo-key");
        store::write_whole(&path, key.to_openssh("demo, not secret", None, &mut |b| b.fill(0))?.as_bytes())?;
        store::private(&path)?;
        Ok((Captain { seat, name, folder: home.join("wasp"), key: path }, key))
    }
}

pub(super) fn demo(out: &Path) -> Outcome {
    if out.exists() && fs::read_dir(out).map_err(|e| Error::io("read", out, &e))?.next().is_some() {
        return Err(Error::misuse(format!("`{}` exists and is not empty", out.display()))
            .next("remove it, or name another folder with --out")
            .into());
    }
    let captains = begin(out)?;
    for turn in 0.. {
        let orders: Vec<&(Seat, &str)> = ORDERS.iter().skip(turn * 2).take(2).collect();
        if orders.is_empty() {
            break;
        }
        say(&format!("Turn {}: both captains write their orders; each is sealed until both are in", turn + 1));
        let start = head(&captains[0].folder)?;
        for (seat, text) in orders {
            let captain = of(&captains, *seat);
            let file = captain.folder.join(format!("orders-turn-{:02}.yaml", turn + 1));
            store::write_whole(&file, text.as_bytes())?;
            println!("$ countersign orders sign orders-turn-{:02}.yaml        ({})", turn + 1, captain.name);
            play::orders_sign(&captain.folder, &file, true)?;
            carry(&captains, *seat)?;
        }
        settle(&captains, start)?;
    }
    finish(&captains)
}

fn say(what: &str) {
    println!("\n=== {what}\n");
}

fn of(captains: &[Captain; 2], seat: Seat) -> &Captain {
    if captains[0].seat == seat { &captains[0] } else { &captains[1] }
}

/// Proposal and acceptance.
fn begin(out: &Path) -> Result<[Captain; 2]> {
    say("Anna proposes Wasp v Frolic; Bob accepts. Each signs with his own key");
    let (anna, anna_key) = Captain::new(out, Seat::American, "Anna")?;
    let (bob, bob_key) = Captain::new(out, Seat::British, "Bob")?;
    let text = catalog::embedded(SCENARIO).ok_or_else(|| Error::new("the demo scenario is missing"))?;
    let sent = "2026-01-01T12:00:00Z".to_owned();
    let rulings = Rulings::SWITCHES.iter().zip(Rulings::book().settings());
    let proposal = setup::propose(
        setup::Setup {
            scenario: SCENARIO,
            text: &text,
            seat: anna.seat,
            player: anna.name,
            rulings: rulings.map(|(s, w)| (s.number.to_owned(), w.to_owned())).collect(),
            mode: Mode::TwoSeats,
            clock: None,
            sent: sent.clone(),
            table: sha256(b"countersign demo table"),
            recovery: None,
        },
        &anna_key,
    )?;
    let acceptance = setup::acceptance(&proposal, bob.seat, bob.name, &bob_key, sent, None)?;
    let at_anna = Folder::create(&anna.folder)?;
    setup::found(&at_anna, &text, std::slice::from_ref(&proposal), anna.seat, &anna.key)?;
    let at_bob = Folder::create(&bob.folder)?;
    setup::found(&at_bob, &text, &[proposal, acceptance.clone()], bob.seat, &bob.key)?;
    at_anna.keep(&acceptance)?;
    println!("Folders: {} and {}", anna.folder.display(), bob.folder.display());
    Ok([anna, bob])
}

/// The newest packet of one player goes to the other.
fn carry(captains: &[Captain; 2], from: Seat) -> std::result::Result<(), super::Errors> {
    let sender = of(captains, from);
    let receiver = if captains[0].seat == from { &captains[1] } else { &captains[0] };
    let out = sender.folder.join("out");
    let mut packets: Vec<PathBuf> = fs::read_dir(&out)
        .map_err(|e| Error::io("read", &out, &e))?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.to_string_lossy().ends_with(".packet") && p.to_string_lossy().contains(sender.seat.word()))
        .collect();
    packets.sort();
    let Some(newest) = packets.pop() else { return Ok(()) };
    println!(
        "$ countersign adjudicate {}        ({})",
        newest.file_name().unwrap_or_default().to_string_lossy(),
        receiver.name
    );
    play::adjudicate(&receiver.folder, &[newest], false)?;
    Ok(())
}

/// Packets go to and fro until both have the turn's result.
fn settle(captains: &[Captain; 2], start: Digest) -> std::result::Result<(), super::Errors> {
    for _ in 0..6 {
        let heads: Vec<Digest> = captains.iter().map(|c| head(&c.folder)).collect::<Result<_>>()?;
        if heads[0] == heads[1] && heads[0] != start {
            return Ok(());
        }
        // Who is behind gets the other's packet.
        let behind = usize::from(heads[0] != start);
        carry(captains, captains[1 - behind].seat)?;
    }
    Err(Error::new("the demo does not settle: this is a defect of the program").into())
}

fn head(folder: &Path) -> Result<Digest> {
    match Folder::open(folder)?.load()? {
        Content::Game(table) => Ok(table.history.head()),
        Content::Proposed { .. } => Err(Error::new("the demo has not begun")),
    }
}

fn finish(captains: &[Captain; 2]) -> Outcome {
    let logs: Vec<Vec<u8>> =
        captains.iter().map(|c| store::read_bytes(&c.folder.join("game.log"))).collect::<Result<_>>()?;
    let same = if logs[0] == logs[1] { "the same bytes" } else { "DIFFERENT" };
    say(&format!("Both players hold a log of {} bytes: {same}", logs[0].len()));
    let check = |log: &[u8]| -> std::result::Result<Verified, String> {
        verify(log, &catalog::embedded, None).map_err(|fault| fault.to_string())
    };
    println!("$ countersign verify game.log");
    let good = check(&logs[0]).map_err(Error::new)?;
    println!("{}", check::one_line(&good));
    say("\"I don't believe that roll\": one die, so that it can be redone by hand");
    let dice = good.history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| &s.dice);
    let die = dice.clone().find(|d| d.ticket.contains("/fire/")).or_else(|| dice.clone().next());
    if let Some(die) = die {
        print!("{}", audit::explain(&good, die));
    }
    say("All dice of the battle");
    print!("{}", audit::summary(&good));
    say("One byte of the log is changed");
    let mut changed = logs[0].clone();
    let at = changed.len() / 2;
    changed[at] = if changed[at] == b'a' { b'b' } else { b'a' };
    println!("$ countersign verify changed.log        (byte {at})");
    let caught = check(&changed);
    println!("{}", caught.as_ref().map_or_else(|fault| format!("BAD: {fault}"), |_| "NOT FOUND".into()));
    if same == "DIFFERENT" || caught.is_ok() {
        return Ok(Done::Fault);
    }
    println!("\nNow look into {} and {}.", captains[0].folder.display(), captains[1].folder.display());
    Ok(Done::Fine)
}
