//! `new` and `accept`: from a scenario to a game both have signed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{Done, Format, Outcome, campaign, keys, mail, status};
use crate::books::honor::land::Campaign;
use crate::catalog;
use crate::clock;
use crate::doc::{Acceptance, ChainTip, Clock, Identity, Late, Mode, Packet, Proposal, SignedFile, VERSION};
use crate::error::{Error, Result};
use crate::log::{Player, player_name, read_proposal};
use crate::seal::{CHAIN_LENGTH, Digest, Namespace, PublicKey, SecretKey};
use crate::side::Seat;
use crate::store::{self, Folder, Owner};

/// Flags of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The scenario (see `countersign scenario list`); with a file of your own, or with --after, it may be left out.
    #[arg(long, required_unless_present_any = ["file", "after"])]
    scenario: Option<String>,
    /// Your seat: british, american, or host.
    #[arg(long, value_parser = super::args::seat)]
    seat: Seat,
    /// What you call yourself.
    #[arg(long)]
    player: String,
    /// The new game folder.
    #[arg(long)]
    folder: PathBuf,
    /// Rulings: book (every default) or club (for quick play by mail).
    #[arg(long, default_value = "book")]
    preset: Preset,
    /// A single ruling, such as N07=sequential; may be repeated. In land games also an optional rule, such as 11.3=on,
    /// and 12=niagara for the first battle of a campaign. The points carried into a later one are read by --after; typed
    /// by hand they are 12.british=5 and 12.american=3.
    #[arg(long = "ruling", value_name = "NUMBER=SETTING")]
    rulings: Vec<String>,
    /// The battle before in a campaign, its game folder or its log: it is verified, and the points it counts are carried.
    #[arg(long, value_name = "FOLDER-OR-LOG")]
    after: Option<PathBuf>,
    /// Two players alone; with a host whom you trust not to whisper (hosted); or with a host who need not be trusted, at the
    /// price of more mails (strict).
    #[arg(long, default_value = "two-seats")]
    mode: Way,
    /// Days a step may take, 24 hours each. Without a host this is a word: `status` compares it with your dates, and nothing
    /// follows.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=365))]
    days: Option<u32>,
    /// With a host: the time zone of the game, like Europe/Berlin; UTC if left out.
    #[arg(long, value_name = "NAME", requires = "days")]
    zone: Option<String>,
    /// With a host: the local time of day at which steps fall due, like 20:00: the first one when the days are over.
    #[arg(long, value_name = "HH:MM", requires = "days")]
    at: Option<String>,
    /// With a host: hours after that before anybody is late.
    #[arg(long, value_name = "HOURS", requires = "days")]
    grace: Option<u32>,
    /// With a host: hours before a step is due at which who owes something is reminded; 24 if left out, with --late none
    /// never.
    #[arg(long, value_name = "HOURS", requires = "days")]
    remind: Option<u32>,
    /// With a host: what follows when a player lets the days go by; reminder if left out.
    #[arg(long, requires = "days")]
    late: Option<LateRow>,
    /// A scenario file of your own, or one packed by `countersign data pack`, instead of one that comes with the program.
    #[arg(long, visible_alias = "data")]
    file: Option<PathBuf>,
    /// Your key file.
    #[arg(long)]
    key: Option<PathBuf>,
    /// The public half of a second key (NAME.pub) that may take your seat if you lose the first.
    #[arg(long, value_name = "FILE.pub")]
    recovery: Option<PathBuf>,
}

/// Rulings set together.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Preset {
    /// Every default.
    Book,
    /// For quick play by mail.
    Club,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Way {
    TwoSeats,
    Hosted,
    Strict,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LateRow {
    /// Nothing, and nobody is reminded.
    None,
    /// A reminder before the time, and nothing more.
    Reminder,
    /// The book's cautious orders stand in the place of his.
    DefaultOrders,
    /// He has lost.
    Forfeit,
}

/// Flags of `accept`.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The packet with the proposal, or the saved mail.
    packet: PathBuf,
    /// What you call yourself.
    #[arg(long)]
    player: String,
    /// The new game folder.
    #[arg(long)]
    folder: PathBuf,
    /// Your seat, where more than one is free.
    #[arg(long, value_parser = super::args::seat)]
    seat: Option<Seat>,
    /// The scenario file, or the packed file, if the game is not one that comes with the program.
    #[arg(long, visible_alias = "data")]
    file: Option<PathBuf>,
    /// The battle before in a campaign, your game folder of it or your log: the points that the terms carry must be those.
    #[arg(long, value_name = "FOLDER-OR-LOG")]
    after: Option<PathBuf>,
    /// Your key file.
    #[arg(long)]
    key: Option<PathBuf>,
    /// The public half of a second key (NAME.pub) that may take your seat if you lose the first.
    #[arg(long, value_name = "FILE.pub")]
    recovery: Option<PathBuf>,
}

/// The settings of rulings and optional rules in terms of a scenario.
pub(super) fn rulings(text: &str, preset: Preset, single: &[String]) -> Result<BTreeMap<String, String>> {
    let club = matches!(preset, Preset::Club);
    let ruleset = catalog::ruleset_of(text);
    let misuse = |what: String| Error::misuse(what).next("see `countersign rules list`");
    let set = catalog::settings(ruleset, club, single).map_err(misuse)?;
    // What fits together only with the scenario, such as a campaign, shows when the game is opened.
    catalog::open(ruleset, text, &set).map_err(|e| misuse(e.first().map_or_else(String::new, |e| e.what.clone())))?;
    Ok(set)
}

/// What a proposal needs beside the player's key.
pub(super) struct Setup<'a> {
    pub scenario: &'a str,
    pub text: &'a str,
    pub seat: Seat,
    pub player: &'a str,
    pub rulings: BTreeMap<String, String>,
    pub mode: Mode,
    pub clock: Option<Clock>,
    pub sent: String,
    pub table: Digest,
    pub recovery: Option<String>,
}

/// The public half of a recovery key.
fn recovery_line(file: Option<&PathBuf>) -> Result<Option<String>> {
    let Some(path) = file else { return Ok(None) };
    let line = store::read_text(path)?;
    let key = PublicKey::parse(line.trim()).map_err(|e| e.in_file(path.display().to_string()))?;
    Ok(Some(key.line()))
}

/// Who a player is, as terms and requests of a new key name him.
pub(super) fn identity(player: &Player, key: &SecretKey, name: &str, recovery: Option<String>) -> Result<Identity> {
    // What nobody could take in does not go out.
    player_name(name).map_err(|fault| fault.next("give a shorter name, of letters and blanks"))?;
    Ok(Identity {
        player: name.to_owned(),
        key: key.public().line(),
        chain: ChainTip { tip: player.tip(), length: CHAIN_LENGTH },
        recovery,
        lodging_key: None,
    })
}

/// The same of who takes a seat by a proposal: the host of a hosted game names the key for which the
/// players lock what they lodge with him.
fn seated(mode: Mode, table: &Digest, player: &Player, who: Identity) -> Identity {
    let host = mode == Mode::Hosted && player.seat == Seat::Host;
    Identity { lodging_key: host.then(|| player.lodging_key(table)), ..who }
}

/// A signed proposal.
pub(super) fn propose(setup: Setup<'_>, key: &SecretKey) -> Result<SignedFile> {
    let mut seats = vec![Seat::American, Seat::British];
    if setup.mode != Mode::TwoSeats {
        seats.push(Seat::Host);
    }
    if !seats.contains(&setup.seat) {
        return Err(Error::misuse("only a hosted game has a host").next("use --mode hosted or --mode strict"));
    }
    setup.clock.as_ref().map_or(Ok(()), |clock| clock.check(setup.mode != Mode::TwoSeats))?;
    let player = Player::new(setup.seat, key.clone(), &setup.table);
    let proposal = Proposal {
        countersign: VERSION,
        kind: "proposal".into(),
        ruleset: catalog::ruleset_of(setup.text).into(),
        scenario: setup.scenario.to_owned(),
        scenario_digest: catalog::digest(setup.text),
        rulings: setup.rulings,
        mode: setup.mode,
        seats,
        seat: setup.seat,
        who: seated(setup.mode, &setup.table, &player, identity(&player, key, setup.player, setup.recovery)?),
        table: setup.table,
        secrets: catalog::secrets(catalog::ruleset_of(setup.text)),
        resend_days: 7,
        clock: setup.clock,
        say: None,
        sent: setup.sent,
    };
    player.sign(Namespace::Terms, &proposal)
}

/// A signed acceptance of a proposal.
pub(super) fn acceptance(
    proposal: &SignedFile,
    seat: Seat,
    name: &str,
    key: &SecretKey,
    sent: String,
    recovery: Option<String>,
) -> Result<SignedFile> {
    let terms = read_proposal(proposal)?;
    let player = Player::new(seat, key.clone(), &terms.table);
    let acceptance = Acceptance {
        countersign: VERSION,
        kind: "acceptance".into(),
        proposal: proposal.hash(),
        seat,
        who: seated(terms.mode, &terms.table, &player, identity(&player, key, name, recovery)?),
        say: None,
        sent,
    };
    player.sign(Namespace::Terms, &acceptance)
}

/// A signed acceptance, written down beside the key before it leaves; the one written down if there is one.
pub(super) fn accept_once(
    proposal: &SignedFile,
    seat: Seat,
    name: &str,
    key: &SecretKey,
    key_path: &Path,
    recovery: Option<String>,
) -> Result<SignedFile> {
    let (table, hash) = (read_proposal(proposal)?.table, proposal.hash());
    if let Some(before) = store::accepted_before(key_path, &table, seat, &hash)? {
        eprintln!(
            "You have accepted this proposal before: the same acceptance goes out again, and it is the same game."
        );
        return Ok(before);
    }
    let mine = acceptance(proposal, seat, name, key, super::now(), recovery)?;
    store::note_accepted(key_path, &table, seat, &hash, &mine)?;
    Ok(mine)
}

/// The text of a scenario: a file of the player's, or one that comes with the program.
pub(super) fn scenario_text(id: &str, file: Option<&Path>) -> Result<String> {
    match file {
        Some(path) => Ok(store::read_text(path)?.replace("\r\n", "\n")),
        None => catalog::embedded(id).ok_or_else(|| {
            Error::misuse(format!("there is no scenario `{id}`")).next("see `countersign scenario list`")
        }),
    }
}

/// The clock that the flags of `new` name.
fn clock_of(args: &NewArgs) -> Result<Option<Clock>> {
    let Some(days) = args.days else { return Ok(None) };
    let host = !matches!(args.mode, Way::TwoSeats);
    let row = args.late.unwrap_or(if host { LateRow::Reminder } else { LateRow::None });
    let late = match row {
        LateRow::None | LateRow::Reminder => None,
        LateRow::DefaultOrders => Some(Late::DefaultOrders),
        LateRow::Forfeit => Some(Late::Forfeit),
    };
    let usual = (!matches!(row, LateRow::None)).then_some(if days == 1 { 12 } else { 24 });
    if args.remind.is_some() && matches!(row, LateRow::None) && host {
        return Err(Error::misuse("--late none reminds nobody").next("leave it out, or write --late reminder"));
    }
    let zone = args.zone.as_deref().map(clock::zone_named).transpose()?.map(|zone| zone.name().to_owned());
    let clock = Clock {
        days,
        zone,
        at: args.at.clone(),
        grace_hours: args.grace.filter(|hours| *hours > 0),
        remind_hours: args.remind.or(usual),
        late,
    };
    clock.check(host)?;
    Ok(Some(clock))
}

/// `new`.
pub(super) fn new(args: &NewArgs) -> Outcome {
    let carried = args.after.as_deref().map(campaign::after).transpose()?;
    let follows = carried.as_ref().filter(|_| args.file.is_none()).map(|c| c.next.to_owned());
    let named = args.scenario.clone().or(follows).unwrap_or_default();
    let text = scenario_text(&named, args.file.as_deref())?;
    let shown = args.file.as_ref().map_or_else(|| named.clone(), |file| file.display().to_string());
    let id = catalog::read_any(&text, &shown)?.id().to_owned();
    let mut single = args.rulings.clone();
    if let Some(carried) = &carried {
        single.extend(carried.settings(&id, &args.rulings)?);
    }
    // The terms name a scenario as its file does.
    let scenario = if named.is_empty() { id } else { named };
    let key_path = args.key.clone().map_or_else(keys::default_path, Ok)?;
    let key = keys::read(&key_path)?;
    let mut table = [0u8; 32];
    super::random(&mut table)?;
    let setup = Setup {
        scenario: &scenario,
        text: &text,
        seat: args.seat,
        player: &args.player,
        rulings: rulings(&text, args.preset, &single)?,
        mode: match args.mode {
            Way::TwoSeats => Mode::TwoSeats,
            Way::Hosted => Mode::Hosted,
            Way::Strict => Mode::Strict,
        },
        clock: clock_of(args)?,
        sent: super::now(),
        table: Digest(table),
        recovery: recovery_line(args.recovery.as_ref())?,
    };
    let proposal = propose(setup, &key)?;
    let folder = Folder::create(&args.folder)?;
    found(&folder, &text, &[proposal], args.seat, &key_path)?;
    if let Some(carried) = &carried {
        println!("{}", carried.words());
    }
    let whom = if matches!(args.mode, Way::TwoSeats) { "your opponent" } else { "the two others" };
    println!(
        "The game is proposed. Mail this file to {whom}, as an attachment:\n  {}",
        args.folder.join("out").join("proposal.packet").display()
    );
    let answer =
        if matches!(args.mode, Way::TwoSeats) { "his answer comes, save it" } else { "their answers come, save them" };
    println!("When {answer} and run:\n  countersign --game {} adjudicate THE-FILE", super::typed(&args.folder));
    Ok(Done::Fine)
}

/// Writes a new folder's first files.
pub(super) fn found(folder: &Folder, text: &str, files: &[SignedFile], seat: Seat, key: &Path) -> Result<()> {
    folder.write("scenario.yaml", text.as_bytes())?;
    let key = std::path::absolute(key).unwrap_or_else(|_| key.to_owned());
    folder.set_owner(&Owner { seat, key, next: None })?;
    for file in files {
        folder.keep(file)?;
    }
    let name = if files.len() == 1 { "proposal" } else { "acceptance" };
    let packet = Packet { files: files.iter().map(SignedFile::bytes).collect() };
    folder.write(&format!("out/{name}.packet"), &packet.bytes())?;
    folder.write(&format!("out/{name}.txt"), packet.armor().as_bytes())
}

/// What is agreed of time, in words.
fn clock_words(clock: &Clock, mode: Mode) -> String {
    let days = super::status::count(usize::try_from(clock.days).unwrap_or(usize::MAX), "day", "days");
    if mode == Mode::TwoSeats {
        return format!(
            "A step should take {days} at most. That is a word: nothing follows from it, since only a host could decide it.\n"
        );
    }
    let then = match clock.late {
        None => "nothing",
        Some(Late::DefaultOrders) => "the book's cautious orders stand in the place of those that have not come",
        Some(Late::Forfeit) => "the game is lost",
    };
    let zone = clock.zone.as_deref().unwrap_or("UTC");
    let at = clock.at.as_ref().map_or(String::new(), |at| format!(" and until {at} ({zone}) after that"));
    let grace = clock.grace_hours.map_or(String::new(), |hours| format!(" and {hours} hours of grace"));
    let mut out = format!("A step may take {days}{at}; what follows after that{grace}: {then}.\n");
    if let Some(hours) = clock.remind_hours {
        out.push_str(&format!("Who owes something then is reminded {hours} hours before.\n"));
    }
    out
}

/// What is agreed beside the scenario, in words.
fn terms_words(proposal: &Proposal, linked: Option<&Campaign>, checked: Option<&campaign::Carried>) -> String {
    let mut out = match proposal.mode {
        Mode::TwoSeats => String::new(),
        Mode::Hosted => "Hosted: orders go to the host alone, who closes each step.\n".to_owned(),
        Mode::Strict => "Strict: the host passes everything on, and need not be trusted.\n".to_owned(),
    };
    if let Some(clock) = &proposal.clock {
        out.push_str(&clock_words(clock, proposal.mode));
    }
    let switches = catalog::switches(&proposal.ruleset);
    let by_book = |number: &str, word: &str| match switches.iter().find(|s| s.number == number) {
        Some(switch) => switch.settings[0] == word,
        None => word == "off",
    };
    // A campaign has a sentence of its own.
    let rulings = proposal.rulings.iter().filter(|(number, _)| *number != "12" && !number.starts_with("12."));
    let other = rulings.filter(|(number, word)| !by_book(number, word));
    let other = other.map(|(number, word)| format!("{number}={word}"));
    let other: Vec<String> = other.collect();
    if !other.is_empty() {
        out.push_str(&format!("Rulings other than by the book (`countersign rules cite`): {}.\n", other.join(", ")));
    }
    out.push_str(&linked.map_or_else(String::new, |linked| campaign::terms_words(linked, checked)));
    out
}

/// `accept`.
pub(super) fn accept(args: &AcceptArgs) -> Outcome {
    let packets = mail::packets(&args.packet)?;
    let mut found_proposal = None;
    let mut others = Vec::new();
    for bytes in packets.iter().flat_map(|p| &p.files) {
        let signed = SignedFile::parse(bytes)?;
        match read_proposal(&signed) {
            Ok(proposal) => found_proposal = Some((signed, proposal)),
            Err(e) if e.what.contains("of version") => return Err(e.into()),
            Err(_) => others.push(signed),
        }
    }
    let Some((signed, proposal)) = found_proposal else {
        return Err(Error::new("there is no proposal in this packet")
            .next("give the packet your opponent sent first")
            .into());
    };
    let free: Vec<Seat> = proposal.seats.iter().copied().filter(|s| *s != proposal.seat).collect();
    let seat = match (args.seat, free.as_slice()) {
        (Some(seat), _) if free.contains(&seat) => seat,
        (None, [only]) => *only,
        _ => {
            let words: Vec<&str> = free.iter().map(|s| s.word()).collect();
            return Err(Error::misuse("say which seat is yours")
                .next(format!("--seat {}", words.join(" or --seat ")))
                .into());
        }
    };
    let text = scenario_text(&proposal.scenario, args.file.as_deref())?;
    if catalog::digest(&text) != proposal.scenario_digest {
        return Err(Error::new(format!("your copy of the scenario `{}` is not the one proposed", proposal.scenario))
            .next("get the scenario file of your opponent and name it with --file")
            .into());
    }
    let game = catalog::open(&proposal.ruleset, &text, &proposal.rulings)?;
    let carried = args.after.as_deref().map(campaign::after).transpose()?;
    if let Some(carried) = &carried {
        carried.compare(&game, catalog::read_any(&text, &proposal.scenario)?.id())?;
    }
    // A player's program only shows the zone; the host's has to reckon in it.
    if let Some(terms) = proposal.clock.as_ref().filter(|_| seat == Seat::Host) {
        clock::zone(terms)?;
    }
    let key_path = args.key.clone().map_or_else(keys::default_path, Ok)?;
    let key = keys::read(&key_path)?;
    if key.public().line() == proposal.who.key {
        return Err(
            Error::misuse("this is your own proposal: the other player accepts it with a key of his own").into()
        );
    }
    let recovery = recovery_line(args.recovery.as_ref())?;
    let mine = accept_once(&signed, seat, &args.player, &key, &key_path, recovery)?;
    let folder = Folder::create(&args.folder)?;
    others.retain(|f| crate::log::read_acceptance(f).is_ok());
    let mut files = vec![signed, mine];
    files.extend(others);
    found(&folder, &text, &files, seat, &key_path)?;
    if seat == Seat::Host {
        println!("You host {}, proposed by {}.", proposal.scenario, proposal.who.player);
    } else {
        println!("You play the {seat} side of {}, proposed by {}.", proposal.scenario, proposal.who.player);
    }
    print!("{}", terms_words(&proposal, campaign::campaign(&game), carried.as_ref()));
    let whom = if proposal.mode == Mode::TwoSeats { "back" } else { "to all the others" };
    println!(
        "Mail this file {whom}, as an attachment:\n  {}",
        args.folder.join("out").join("acceptance.packet").display()
    );
    drop(folder);
    status::status(&args.folder, Format::Text)
}
