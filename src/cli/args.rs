//! Every command and flag, with its help.

use std::path::{Path, PathBuf};

use clap::{CommandFactory as _, Parser, Subcommand};

use super::{
    Done, Format, Outcome, ask, audit, backup, books, check, data, demo, host, keys, mail, map, moves, offers, play,
    preview, recover, setup, solo, status, whatif,
};
use crate::error::Error;
use crate::side::Seat;

/// Play hex-and-counter wargames by e-mail against someone you do not have to trust.
///
/// Without a command: what came, whose move it is, and what to do next.
///
/// Exit codes: 0 fine, 1 refused or fault found, 2 wrong use, 3 waiting for the other side.
///
/// With --format json a command prints one JSON object: `verify` {verdict: good|bad, ...; bad: kind, entry, what,
/// expected, found, rule}; `status` {game, step, turn, your_move, owes: [...], ...}; `head` {step, head, words};
/// `orders check` {legal, refusals: [...]}; `audit die` one die or {dice: [...]}; `audit plot` {choices: [...]};
/// `audit summary` {dice, turns, mails}; `scenario list` {scenarios: [...]};
/// `scenario balance` {seed, scenarios: [{scenario, games, draws, british: {wins, ...}, ...}]}; `rules cite` {id, title, line};
/// `rules list` {rulings: [...]}; `moves` {sides, pieces: [...]} on land, {markers: [...]} at sea;
/// `host list` {games: [...]}; `host seat` {seats: [...]}. An error is {error: {what, file, line, column, rule, next}}, several
/// are a list.
/// Refusals have the same names. Digests are 64 characters 0-9 a-f; what does not apply is null.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub struct Args {
    /// The game folder; the folder you are in if left out.
    #[arg(long, global = true, value_name = "FOLDER")]
    game: Option<PathBuf>,
    /// Words for people, or one JSON object for programs (see --help).
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make or show your key: it signs your orders.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Propose a game and write the packet to send to your opponent.
    ///
    /// Example: countersign new --scenario wasp-frolic --seat american --player Anna --folder wasp
    ///
    /// Example: countersign new --scenario wasp-frolic --seat american --player Anna --folder wasp --mode strict --days 3
    /// --zone Europe/Berlin --at 20:00 --grace 12 --remind 24 --late default-orders
    New(setup::NewArgs),
    /// Accept a proposal that came by mail and write the packet to send back.
    ///
    /// Example: countersign accept proposal.packet --player Bob --folder wasp
    Accept(setup::AcceptArgs),
    /// Whose move it is, who owes what, and the position.
    ///
    /// Example: countersign status
    Status,
    /// The end of the log as twelve words, to compare over the telephone.
    ///
    /// Example: countersign head
    Head,
    /// Write, check and sign your orders.
    #[command(subcommand)]
    Orders(OrdersCommand),
    /// Take in packets and do what is due: links, openings, results, report.
    ///
    /// Takes the files named, or everything in the folder's `in/`. Example: countersign adjudicate from-bob.packet
    Adjudicate {
        /// Packet files, or saved mails with an armoured block.
        packets: Vec<PathBuf>,
        /// In a folder restored from a backup: I sent nothing after the backup was made, sign again.
        #[arg(long)]
        nothing_newer: bool,
    },
    /// Write the packet your opponent needs once more; --text for the body of a mail.
    ///
    /// Example: countersign packet --text
    Packet {
        /// Print the armoured block for the body of a mail.
        #[arg(long)]
        text: bool,
        /// Everything since the beginning, for an opponent who lost his folder.
        #[arg(long)]
        all: bool,
    },
    /// The game by real mail: take in what came, send what the other side lacks.
    #[command(subcommand)]
    Mail(mail::MailCommand),
    /// Offer your opponent a draw, a take-back, a pause, or to go on from another position.
    #[command(subcommand)]
    Offer(offers::OfferCommand),
    /// Accept what your opponent offers.
    ///
    /// Example: countersign agree
    Agree {
        /// The letters of the new key you accept, as its player reads them to you.
        #[arg(long, value_name = "LETTERS")]
        key: Option<String>,
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// Go on without what your opponent offers.
    ///
    /// Example: countersign decline --say "Let us fight it out"
    Decline {
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// Give the game up. Needs --yes.
    ///
    /// Example: countersign concede --yes --say "Well fought"
    Concede {
        /// I mean it.
        #[arg(long)]
        yes: bool,
        /// A word to your opponent.
        #[arg(long)]
        say: Option<String>,
    },
    /// What a host does beside `adjudicate` and `mail serve`: his games at a glance, results, the clock, seats.
    #[command(subcommand)]
    Host(host::HostCommand),
    /// Write one encrypted file with the key, secrets, signed files and logs of your games.
    ///
    /// Example: countersign backup wasp.backup --game wasp
    Backup(backup::BackupArgs),
    /// Unpack a backup into a new folder.
    ///
    /// A restored game signs nothing until it knows what you sent after the backup was made.
    /// Example: countersign restore wasp.backup --folder restored
    Restore(backup::RestoreArgs),
    /// Make a lost game folder again from a packet with everything your opponent has.
    ///
    /// He writes it with `countersign packet --all`. Example: countersign recover everything.packet --folder wasp-again
    Recover(recover::RecoverArgs),
    /// Check a whole log: signatures, dice, sealed plots, rules. Needs no key.
    ///
    /// Example: countersign verify game.log
    Verify(check::VerifyArgs),
    /// Where a die or a plot came from, how all dice of a game fell, and how many mails it took.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Try orders and dice on any position; no part of any game.
    ///
    /// Example: countersign whatif turn.yaml --orders try.yaml --dice 5,6,1
    Whatif(whatif::WhatifArgs),
    /// The map with everything on it, in letters or as a picture: of a game, a position or a scenario.
    ///
    /// Of the game you are in: countersign map. Of a position: countersign map turn.yaml
    /// Example: countersign map --scenario queenston-heights --svg map.svg --text
    Map(map::MapArgs),
    /// What a unit, a stack or a side may do: hexes with cost, attacks with odds, and the rule against what it may not.
    ///
    /// At sea: what each marker would do to a ship. On a position: countersign moves 1005 --position turn.yaml; both sides in
    /// full: countersign moves --all
    /// Example: countersign moves wool --scenario queenston-heights
    Moves(moves::MovesArgs),
    /// What happened, once more: in words, or as one page for a browser.
    ///
    /// Example: countersign report --html report.html --all
    Report(map::ReportArgs),
    /// Play both sides at one keyboard, or one against the program, by question and answer; the log is a real one.
    ///
    /// Example: countersign solo --scenario wasp-frolic --folder duel
    ///
    /// To go on with it: countersign solo --folder duel
    ///
    /// Alone, the program plays the British. Example: countersign solo --scenario wasp-frolic --bot greedy --folder alone
    ///
    /// On land, you are the British. Example: countersign solo --scenario queenston-heights --bot greedy --bot-seat american --folder heights
    Solo(solo::SoloArgs),
    /// The scenarios, and checking one you typed.
    #[command(subcommand)]
    Scenario(books::ScenarioCommand),
    /// Figures and maps from your own printed copy: write files to fill in, check them, pack them for a game.
    #[command(subcommand)]
    Data(data::DataCommand),
    /// What a citation such as NAV-6.4 or N07 stands for.
    #[command(subcommand)]
    Rules(books::RulesCommand),
    /// Write the JSON Schemas of the YAML files, for an editor that completes and checks them.
    ///
    /// Example: countersign schema my-schemas
    Schema {
        /// The folder to write to.
        #[arg(default_value = "schemas")]
        folder: PathBuf,
    },
    /// Print completions for a shell.
    ///
    /// Example: countersign completions bash
    Completions {
        /// bash, elvish, fish, powershell or zsh.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    ///
    /// Example: countersign man
    Man,
    /// Play a whole battle from orders that come with the program, verify it, audit a die, and catch a changed byte.
    ///
    /// Example: countersign demo --out my-demo
    Demo {
        /// Where to write both players' game folders.
        #[arg(long, default_value = "demo")]
        out: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Make a key, locked with a passphrase.
    ///
    /// Example: countersign key new
    New {
        /// Where to keep it; your home folder's .countersign/key if left out.
        #[arg(long)]
        file: Option<PathBuf>,
        /// Do not lock it. For hosts and machines that play alone.
        #[arg(long)]
        no_passphrase: bool,
    },
    /// Ask for your seat in a game with a new key: the old one is lost, or somebody takes your place.
    ///
    /// Example: countersign key replace --file new.key
    Replace {
        /// The new key (make it with `countersign key new --file NEW.key`).
        #[arg(long)]
        file: PathBuf,
        /// Who plays on, if it is somebody else.
        #[arg(long)]
        player: Option<String>,
    },
    /// Show the public half and its fingerprint.
    ///
    /// Example: countersign key show
    Show {
        /// Where it lies.
        #[arg(long)]
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
enum OrdersCommand {
    /// Write a template that shows where the turn stands and what is legal.
    ///
    /// Example: countersign orders new
    New {
        /// Where to write it; orders.yaml in the game folder if left out.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Write over a file that is there.
        #[arg(long)]
        force: bool,
    },
    /// Write your orders by answering questions, without editing a file.
    ///
    /// Example: countersign orders ask
    Ask(ask::AskArgs),
    /// Check your orders against the rules; nothing is signed or sent.
    ///
    /// Example: countersign orders check
    Check {
        /// Your orders; orders.yaml in the game folder if left out.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// What your orders would do for each result of each roll, with the odds; nothing is signed.
    ///
    /// Example: countersign orders preview orders.yaml --enemy his.yaml
    Preview(preview::PreviewArgs),
    /// Sign your orders and write the packet to send.
    ///
    /// Example: countersign orders sign
    Sign {
        /// Your orders; orders.yaml in the game folder if left out.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Sign the template just as `orders new` wrote it.
        #[arg(long)]
        unchanged: bool,
    },
}

impl Args {
    /// How the command is to answer.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the command has an answer as an object.
    fn answers_as_object(&self) -> bool {
        use books::{RulesCommand, ScenarioCommand};
        matches!(
            &self.command,
            None | Some(
                Command::Verify(_)
                    | Command::Status
                    | Command::Head
                    | Command::Moves(_)
                    | Command::Audit(_)
                    | Command::Orders(OrdersCommand::Check { .. })
                    | Command::Scenario(ScenarioCommand::List | ScenarioCommand::Balance(_))
                    | Command::Host(host::HostCommand::List { .. } | host::HostCommand::Seat { .. })
                    | Command::Rules(RulesCommand::List | RulesCommand::Cite { .. })
            )
        )
    }

    /// Runs the command.
    ///
    /// # Errors
    /// What went wrong, for people.
    pub fn run(self) -> Outcome {
        let format = self.format;
        if format == Format::Json && !self.answers_as_object() {
            return Err(Error::misuse("this command answers in words only")
                .next("leave --format json out; `countersign --help` says which commands take it")
                .into());
        }
        let here = self.game.unwrap_or_else(|| PathBuf::from("."));
        let Some(command) = self.command else {
            return if format == Format::Text { status::overview(&here) } else { status::status(&here, format) };
        };
        match command {
            Command::Key(KeyCommand::New { file, no_passphrase }) => keys::make(file, no_passphrase),
            Command::Key(KeyCommand::Replace { file, player }) => keys::replace(&here, &file, player.as_deref()),
            Command::Key(KeyCommand::Show { file }) => keys::show(file),
            Command::New(args) => setup::new(&args),
            Command::Accept(args) => setup::accept(&args),
            Command::Status => status::status(&here, format),
            Command::Head => play::head(&here, format),
            Command::Orders(OrdersCommand::New { file, force }) => {
                play::orders_new(&here, &orders_file(&here, file), force)
            }
            Command::Orders(OrdersCommand::Ask(args)) => ask::ask(&here, &args),
            Command::Orders(OrdersCommand::Check { file }) => {
                play::orders_check(&here, &orders_file(&here, file), format)
            }
            Command::Orders(OrdersCommand::Preview(args)) => preview::preview(&here, &args),
            Command::Orders(OrdersCommand::Sign { file, unchanged }) => {
                play::orders_sign(&here, &orders_file(&here, file), unchanged)
            }
            Command::Adjudicate { packets, nothing_newer } => play::adjudicate(&here, &packets, nothing_newer),
            Command::Host(command) => host::host(&here, &command, format),
            Command::Backup(args) => backup::backup(&here, &args),
            Command::Restore(args) => backup::restore(&args),
            Command::Recover(args) => recover::recover(&args),
            Command::Packet { text, all } => play::packet(&here, text, all),
            Command::Mail(command) => mail::mail(&here, &command),
            Command::Offer(command) => offers::offer(&here, &command),
            Command::Agree { key, say } => offers::answer(&here, true, key.as_deref(), say),
            Command::Decline { say } => offers::answer(&here, false, None, say),
            Command::Concede { yes, say } => play::concede(&here, yes, say),
            Command::Verify(args) => check::verify(&here, &args, format),
            Command::Audit(command) => audit::audit(&here, &command, format),
            Command::Whatif(args) => whatif::whatif(&args),
            Command::Map(args) => map::map(&here, &args),
            Command::Moves(args) => moves::moves(&here, &args, format),
            Command::Report(args) => map::report(&here, &args),
            Command::Solo(args) => solo::solo(&args),
            Command::Scenario(command) => books::scenario(&command, format),
            Command::Data(command) => data::data(&command),
            Command::Rules(command) => books::rules(&command, format),
            Command::Schema { folder } => books::schema(&folder),
            Command::Completions { shell } => {
                clap_complete::generate(shell, &mut Args::command(), "countersign", &mut std::io::stdout());
                Ok(Done::Fine)
            }
            Command::Man => {
                let mut page = Vec::new();
                let written = clap_mangen::Man::new(Args::command()).render(&mut page);
                written.map_err(|e| Error::new(format!("cannot write the manual page: {e}")))?;
                print!("{}", String::from_utf8_lossy(&page));
                Ok(Done::Fine)
            }
            Command::Demo { out } => demo::demo(&out),
        }
    }
}

/// The orders named, or those of the game folder.
pub(super) fn orders_file(here: &Path, named: Option<PathBuf>) -> PathBuf {
    named.unwrap_or_else(|| if here == Path::new(".") { "orders.yaml".into() } else { here.join("orders.yaml") })
}

/// The word of a seat on the command line.
pub(super) fn seat(word: &str) -> Result<Seat, String> {
    word.parse()
}
