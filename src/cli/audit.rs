//! `audit`: for the one who says "I don't believe that roll".

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::check::{log_path, verified};
use super::mails::Packets;
use super::{Done, Format, Outcome, format, mails};
use crate::books::honor::land::whose_die;
use crate::doc::{SignedFile, Tree};
use crate::error::Error;
use crate::log::{Verified, read_host_file, read_step};
use crate::play::Cast;
use crate::seal::{Digest, Opening, face, seal};
use crate::side::{Seat, Side};

/// What can be audited.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Where a die came from, so that it can be redone by hand, and how likely its result was.
    ///
    /// Example: countersign audit die t2/wind
    Die {
        /// Its name or a part of it, as reports and `--list` show it.
        ticket: Option<String>,
        /// The log; the folder's game.log if left out.
        #[arg(long)]
        log: Option<PathBuf>,
    },
    /// What was sealed, when, and that it opens to what was played.
    ///
    /// Example: countersign audit plot t1/british
    Plot {
        /// The slot or a part of it, such as t3/british.
        slot: Option<String>,
        /// The log; the folder's game.log if left out.
        #[arg(long)]
        log: Option<PathBuf>,
    },
    /// All dice of a log against expectation, for each player.
    ///
    /// Example: countersign audit summary
    Summary {
        /// The log; the folder's game.log if left out.
        #[arg(long)]
        log: Option<PathBuf>,
    },
}

/// `audit`.
pub(super) fn audit(here: &Path, command: &AuditCommand, format: Format) -> Outcome {
    let (AuditCommand::Die { log, .. } | AuditCommand::Plot { log, .. } | AuditCommand::Summary { log }) = command;
    let log = log_path(here, log.as_ref());
    let good = match verified(&log, None, None)? {
        Ok(good) => good,
        Err(bad) => {
            bad.tell(format);
            return Ok(Done::Fault);
        }
    };
    match command {
        AuditCommand::Die { ticket, .. } => die(&good, ticket.as_deref(), format),
        AuditCommand::Plot { slot, .. } => plot(&good, slot.as_deref(), format),
        AuditCommand::Summary { .. } => {
            match format {
                Format::Text => print!("{}", summary(&good)),
                Format::Json => format::print(&summary_object(&good)),
            }
            Ok(Done::Fine)
        }
    }
}

fn all_dice(good: &Verified) -> Vec<Cast> {
    good.history.closed().iter().filter_map(|c| c.story.as_ref()).flat_map(|s| s.dice.clone()).collect()
}

fn die(good: &Verified, wanted: Option<&str>, format: Format) -> Outcome {
    let dice = all_dice(good);
    let fits = |d: &&Cast| wanted.is_none_or(|w| d.ticket.contains(w));
    let found: Vec<&Cast> = dice.iter().filter(fits).collect();
    let exact: Vec<&Cast> = found.iter().copied().filter(|d| Some(d.ticket.as_str()) == wanted).collect();
    match (exact.as_slice(), found.as_slice()) {
        ([one], _) | ([], [one]) => {
            match format {
                Format::Text => print!("{}", explain(good, one)),
                Format::Json => format::print(&die_object(good, one)),
            }
            Ok(Done::Fine)
        }
        (_, []) => Err(Error::misuse("no die of that name was rolled in this log")
            .next("`countersign audit die` lists all")
            .into()),
        _ if format == Format::Json => {
            let row = |d: &&Cast| json!({ "ticket": d.ticket, "step": d.step, "faces": d.faces, "face": d.face });
            format::print(&json!({ "dice": found.iter().map(row).collect::<Vec<_>>() }));
            Ok(Done::Fine)
        }
        _ => {
            for d in &found {
                println!("{:>2}  {}", d.face, d.ticket);
            }
            eprintln!("{} dice; name one to see where it came from.", found.len());
            Ok(Done::Fine)
        }
    }
}

/// What [`explain`] tells, as an object.
fn die_object(good: &Verified, cast: &Cast) -> Value {
    let history = &good.history;
    let seed = history.seeds().get(&cast.step).copied().unwrap_or(Digest([0; 32]));
    let roll = face(&seed, &cast.ticket, cast.faces);
    let seats = history.terms.seats.iter();
    let links: BTreeMap<&str, String> =
        seats.filter_map(|s| link_of(history, cast.step, s.seat).map(|l| (s.seat.word(), l.to_string()))).collect();
    json!({
        "ticket": cast.ticket, "step": cast.step, "faces": cast.faces, "face": cast.face,
        "game": history.terms.game.to_string(), "links": links, "seed": seed.to_string(),
        "key": roll.key.to_string(), "passed_over": roll.rejected, "word": roll.word,
    })
}

/// Everything needed to redo a die by hand.
pub(super) fn explain(good: &Verified, cast: &Cast) -> String {
    let history = &good.history;
    let seed = history.seeds().get(&cast.step).copied().unwrap_or(Digest([0; 32]));
    let roll = face(&seed, &cast.ticket, cast.faces);
    let mut out = format!("The die `{}` of step {} shows {}.\n\n", cast.ticket, cast.step, cast.face);
    out.push_str(
        "1. Both players gave a number for this step that each had fixed before the game began (their links):\n",
    );
    for seat in &history.terms.seats {
        if let Some(link) = link_of(history, cast.step, seat.seat) {
            out.push_str(&format!("   {:9} {link}\n", seat.seat.word()));
        }
    }
    out.push_str(&format!(
        "2. Hashed together with the game and the step they make the step's seed\n   seed      {seed}\n"
    ));
    out.push_str("   SHA-256 of: \"seed\" 00, then each with its length before it (8 bytes): game id, step (8 bytes), the links in terms order\n");
    out.push_str(&format!("   game      {}\n", history.terms.game));
    out.push_str(&format!("3. The seed and the die's name make its key\n   key       {}\n", roll.key));
    out.push_str(&format!("   SHA-256 of: \"die\" 00, length and seed, length and `{}`\n", cast.ticket));
    out.push_str(
        "4. The key makes a ChaCha20 stream; its first 4 bytes, read little-endian, are the word. To redo it in a shell\n   (on Windows: Git Bash, which has these programs):\n",
    );
    out.push_str(&format!(
        "   head -c 64 /dev/zero | openssl enc -chacha20 -K {} -iv 00000000000000000000000000000000 | od -A n -t u4 -N 64\n",
        roll.key
    ));
    for word in &roll.rejected {
        out.push_str(&format!("   {word} is passed over: taking it would favour some faces\n"));
    }
    out.push_str(&format!("   word      {}\n", roll.word));
    out.push_str(&format!(
        "5. {} divided by {} leaves {}; one more is the face: {}\n\n",
        roll.word,
        cast.faces,
        roll.face,
        roll.face + 1
    ));
    out.push_str(&format!("Any single face of this die comes up once in {} on average.\n", cast.faces));
    out.push_str("Neither player could choose or foresee it: each fixed his number before the game and neither knew the other's\nuntil both had decided.\n");
    out
}

fn link_of(history: &crate::log::History, step: u64, seat: Seat) -> Option<Digest> {
    history.log().lines().iter().find_map(|line| {
        let crate::log::Entry::File(entry) = crate::log::Entry::parse(line).ok()? else { return None };
        if entry.seat != seat {
            return None;
        }
        let signed = entry.signed().ok()?;
        if seat == Seat::Host {
            return read_host_file(&signed).ok().filter(|f| f.step == step).and_then(|f| f.link);
        }
        read_step(&signed).ok().filter(|f| f.step == step).and_then(|f| f.link)
    })
}

/// What a file of a log seals, opens and gives in clear.
struct Choices {
    step: u64,
    seals: BTreeMap<String, Digest>,
    opens: BTreeMap<String, Opening>,
    answers: BTreeMap<String, Tree>,
}

/// Of a player's file, or of a host's, who opens what was lodged with him.
fn choices(signed: &SignedFile) -> Option<Choices> {
    if let Ok(file) = read_step(signed) {
        return Some(Choices { step: file.step, seals: file.seals, opens: file.opens, answers: file.answers });
    }
    let file = read_host_file(signed).ok()?;
    Some(Choices { step: file.step, seals: BTreeMap::new(), opens: file.opens, answers: BTreeMap::new() })
}

/// Seals and their openings, as the log's files carry them.
fn plot(good: &Verified, wanted: Option<&str>, format: Format) -> Outcome {
    let history = &good.history;
    let mut seals: BTreeMap<(String, Digest), (Seat, u64)> = BTreeMap::new();
    let (mut words, mut rows): (String, Vec<Value>) = (String::new(), Vec::new());
    for line in history.log().lines() {
        let Ok(crate::log::Entry::File(entry)) = crate::log::Entry::parse(line) else { continue };
        let Ok(signed) = entry.signed() else { continue };
        let Some(file) = choices(&signed) else { continue };
        for (slot, sealed) in &file.seals {
            seals.insert((slot.clone(), *sealed), (entry.seat, file.step));
        }
        for (slot, opening) in file.opens.iter().filter(|(slot, _)| wanted.is_none_or(|w| slot.contains(w))) {
            let place = seals.iter().find(|((s, d), (seat, step))| {
                s == slot && *d == seal(&history.terms.game, *seat, *step, slot, opening)
            });
            if let Some(((_, sealed), (seat, step))) = place {
                words.push_str(&explain_seal(slot, *seat, *step, sealed, opening, file.step));
                rows.push(json!({
                    "slot": slot, "seat": seat.word(), "content": opening.content, "in_clear": false, "step": step,
                    "opened": file.step, "seal": sealed.to_string(), "salt": opening.salt.to_string(),
                }));
            }
        }
        for (slot, tree) in file.answers.iter().filter(|(slot, _)| wanted.is_none_or(|w| slot.contains(w))) {
            words.push_str(&format!(
                "{slot}: {} - given in clear by the {} player in step {}, with the other's orders sealed and named.\n",
                tree.to_json(),
                entry.seat,
                file.step
            ));
            rows.push(json!({
                "slot": slot, "seat": entry.seat.word(), "content": tree.to_json(), "in_clear": true, "step": file.step,
                "opened": null, "seal": null, "salt": null,
            }));
        }
    }
    if rows.is_empty() {
        return Err(Error::misuse("nothing of that name was sealed or given in this log")
            .next("leave the name out to see all")
            .into());
    }
    match format {
        Format::Text => print!("{words}"),
        Format::Json => format::print(&json!({ "choices": rows })),
    }
    Ok(Done::Fine)
}

fn explain_seal(slot: &str, seat: Seat, step: u64, sealed: &Digest, opening: &Opening, opened: u64) -> String {
    format!(
        "{slot}: {} - sealed by the {seat} player in step {step} as {}..., opened in step {opened}: it fits.\n   salt {}\n",
        opening.content,
        sealed.short(),
        opening.salt
    )
}

/// Whose die it is: the ship's that fires, or the side's named in it; on land the defender's too.
fn whose(good: &Verified, ticket: &str) -> Option<Side> {
    if good.history.game.land().is_some() {
        return whose_die(ticket);
    }
    let words: Vec<&str> = ticket.split('/').collect();
    let by_ship = words.iter().position(|w| *w == "fire").and_then(|at| words.get(at + 1));
    if let (Some(id), Some(naval)) = (by_ship, good.history.game.naval()) {
        return naval.played.state().ships.iter().find(|s| s.id.0 == **id).map(|s| s.side);
    }
    Side::ALL.into_iter().find(|s| words.contains(&s.word()))
}

/// How often each face of each player's dice came up.
fn counts(good: &Verified) -> BTreeMap<&'static str, [u64; 6]> {
    let mut counts: BTreeMap<&str, [u64; 6]> = BTreeMap::new();
    for cast in all_dice(good) {
        let who = match whose(good, &cast.ticket) {
            Some(Side::British) => "British",
            Some(Side::American) => "American",
            None => "nobody's (wind, order)",
        };
        if let Some(n) = counts.entry(who).or_insert([0; 6]).get_mut(cast.face.saturating_sub(1) as usize) {
            *n += 1;
        }
    }
    counts
}

/// Number of dice, and their average in hundredths.
fn average(faces: &[u64; 6]) -> (u64, u64) {
    let n: u64 = faces.iter().sum();
    let sum: u64 = faces.iter().zip(1..).map(|(c, f)| c * f).sum();
    (n, (sum * 100 + n / 2).checked_div(n).unwrap_or(0))
}

/// All dice of a log against expectation, and its mails, in plain words.
pub(super) fn summary(good: &Verified) -> String {
    let mut out =
        String::from("Dice of this log\n                            1    2    3    4    5    6   rolled  average\n");
    for (who, faces) in &counts(good) {
        let (n, hundredths) = average(faces);
        out.push_str(&format!("{who:24}"));
        for c in faces {
            out.push_str(&format!("{c:>5}"));
        }
        out.push_str(&format!("{n:>9}     {}.{:02}\n", hundredths / 100, hundredths % 100));
        let expected = (n * 100 + 3) / 6;
        out.push_str(&format!("{:24}fair dice: {}.{:02} of each; ", "", expected / 100, expected % 100));
        let fair = fairness(faces, n);
        if let (Some(chi), Some((least, most))) = (fair.chi_square_hundredths, fair.p) {
            out.push_str(&format!("chi-square {}.{:02}, p-value {least} to {most}: ", chi / 100, chi % 100));
        }
        out.push_str(&format!("{}\n", fair.words));
    }
    out.push_str(
        "A fair die averages 3.50. The p-value is how often fair dice come out at least as uneven as these.\nAll of these were computed again just now, from both players' secret numbers.\n",
    );
    out + &mails::count(&good.history).words()
}

/// What [`summary`] tells, as an object.
fn summary_object(good: &Verified) -> Value {
    let row = |(who, faces): (&&str, &[u64; 6])| {
        let (n, hundredths) = average(faces);
        let fair = fairness(faces, n);
        json!({ "who": who.split(' ').next().unwrap_or("").trim_end_matches("'s").to_lowercase(), "faces": faces,
            "rolled": n, "average_hundredths": hundredths, "expected_hundredths": (n * 100 + 3) / 6,
            "chi_square_hundredths": fair.chi_square_hundredths, "p_value": fair.p, "verdict": fair.words })
    };
    let mails = mails::count(&good.history);
    let seat =
        |p: &Packets| json!({ "mails": p.all, "decided": p.decided, "a_turn_hundredths": mails.hundredths(p.all) });
    let seats: BTreeMap<&str, Value> = mails.sent.iter().map(|(s, p)| (s.word(), seat(p))).collect();
    let table = mails.table();
    json!({
        "dice": counts(good).iter().map(row).collect::<Vec<_>>(),
        "turns": mails.turns, "reacts": mails.reacts,
        "mails": seats, "players": seat(&mails.players()),
        "table": { "mails": table.all, "decided": table.decided },
    })
}

/// How the faces of some dice compare with those of fair ones.
struct Fairness {
    /// Pearson's statistic; none for too few dice.
    chi_square_hundredths: Option<u64>,
    /// Between which two marks the p-value lies.
    p: Option<(&'static str, &'static str)>,
    words: &'static str,
}

/// Upper points of chi-square at five degrees of freedom, in hundredths, and the p-value each stands for. Whole numbers:
/// everybody gets the same line.
const POINTS: [(u64, &str); 13] = [
    (0, "1"),
    (161, "0.9"),
    (234, "0.8"),
    (300, "0.7"),
    (366, "0.6"),
    (435, "0.5"),
    (513, "0.4"),
    (606, "0.3"),
    (729, "0.2"),
    (924, "0.1"),
    (1107, "0.05"),
    (1509, "0.01"),
    (2052, "0.001"),
];

/// Chi-square in whole numbers against the usual marks. Under 30 dice, five a face, it says nothing.
fn fairness(faces: &[u64; 6], n: u64) -> Fairness {
    if n < 30 {
        return Fairness { chi_square_hundredths: None, p: None, words: "too few to say anything" };
    }
    // chi2 = 6/n * sum (c - n/6)^2 = sum (6c - n)^2 / (6n); times 100.
    let squares: u64 = faces.iter().map(|c| (c * 6).abs_diff(n).pow(2)).sum();
    let chi = squares * 100 / (6 * n);
    let above = POINTS.iter().position(|(at, _)| chi < *at);
    let most = POINTS.get(above.unwrap_or(POINTS.len()).saturating_sub(1)).map_or("1", |(_, p)| *p);
    let least = above.and_then(|at| POINTS.get(at)).map_or("0", |(_, p)| *p);
    let words = match chi {
        0..924 => "nothing unusual",
        924..1107 => "a little uneven, as one log in ten is",
        1107..1509 => "uneven, as one log in twenty is",
        1509..2052 => "rare: fair dice do this about one time in a hundred",
        _ => "very rare: fair dice do this less than one time in a thousand",
    };
    Fairness { chi_square_hundredths: Some(chi), p: Some((least, most)), words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_p_value_lies_between_its_marks() {
        let cases: [([u64; 6], u64, (&str, &str)); 6] = [
            ([10; 6], 0, ("0.9", "1")),
            ([12, 8, 12, 8, 10, 10], 160, ("0.9", "1")),
            ([13, 7, 10, 10, 10, 10], 180, ("0.8", "0.9")),
            ([15, 5, 12, 8, 11, 9], 600, ("0.3", "0.4")),
            ([18, 4, 12, 8, 9, 9], 1100, ("0.05", "0.1")),
            ([30, 6, 6, 6, 6, 6], 4800, ("0", "0.001")),
        ];
        for (faces, chi, p) in cases {
            let fair = fairness(&faces, 60);
            assert_eq!((fair.chi_square_hundredths, fair.p), (Some(chi), Some(p)), "{faces:?}");
        }
        assert_eq!(fairness(&[29, 0, 0, 0, 0, 0], 29).p, None);
    }
}
