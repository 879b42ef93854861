//! A game folder: the signed files of a game, the own secrets, and what is written from them.
//!
//! The signed files in `orders/` and the secrets in `secret/` are the truth. Log, position and report are written from
//! them again whenever they differ, so that a write cut off at any point leaves the state before or after it.

mod accepted;
mod backup;
mod lodged;
mod released;
mod restored;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use crate::disk::{private, write_again, write_whole};
use crate::doc::{Packet, SignedFile};
use crate::error::{Error, Result};
use crate::log::{
    Closed, History, HostPost, Post, Secrets, Terms, read_acceptance, read_host_file, read_key_file, read_lodging,
    read_proposal, read_receipt, read_step, suits,
};
use crate::seal::{Namespace, Opening, PublicKey};
use crate::side::Seat;
pub use accepted::{accepted_before, note_accepted};
pub use backup::Backup;
pub use lodged::Lodged;
pub use released::Released;
pub use restored::{is_everything, shows_where_we_stand};

/// Largest file a folder takes in, in bytes.
const LARGEST: u64 = 8 << 20;

/// Most requests of new keys that a folder takes from the post.
const REQUESTS: usize = 20;

/// A locked game folder.
pub struct Folder {
    path: PathBuf,
    _lock: fs::File,
}

/// Who the folder belongs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owner {
    /// The own seat.
    pub seat: Seat,
    /// Where the own key lies.
    pub key: PathBuf,
    /// Where a key lies that asks for the seat and is not accepted yet, or was since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<PathBuf>,
}

/// A game as its folder holds it.
#[derive(Debug)]
pub struct Table {
    /// Who the folder belongs to; none for one that only watches.
    pub owner: Option<Owner>,
    /// The game, up to the open step.
    pub history: History,
    /// Files of the open step.
    pub posts: Vec<Post>,
    /// The host's file of the open step, if one is there.
    pub host: Option<HostPost>,
    /// Every signed file, by name in `orders/`.
    pub files: BTreeMap<String, SignedFile>,
    /// Files that do not fit the game, with the reason: evidence.
    pub evidence: Vec<(String, String)>,
    /// Steps closed by this loading.
    pub closed: Vec<Closed>,
    /// In hosted games: what this player has lodged with the host, or what the players have lodged with this host; as it was
    /// sent, locked.
    pub lodgings: Vec<Lodged>,
    /// Whether the player goes on in the open step without what is offered to him.
    pub declined: bool,
}

/// What a folder holds.
pub enum Content {
    /// A proposal that is not accepted by all yet, with the acceptances so far.
    Proposed {
        /// Who the folder belongs to.
        owner: Option<Owner>,
        /// The proposal.
        proposal: Box<SignedFile>,
        /// Every signed file, by name.
        files: BTreeMap<String, SignedFile>,
    },
    /// A game.
    Game(Box<Table>),
}

/// What a folder took in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// How many files were new.
    pub new: usize,
    /// Files that came when their step was closed: kept as evidence, without effect.
    pub late: Vec<SignedFile>,
}

impl Folder {
    /// Makes a new game folder.
    ///
    /// # Errors
    /// If it exists and is not empty, or cannot be made.
    pub fn create(path: &Path) -> Result<Folder> {
        if path.is_dir() && fs::read_dir(path).map_err(|e| Error::io("read", path, &e))?.next().is_some() {
            return Err(Error::misuse(format!("the folder `{}` exists and is not empty", path.display()))
                .next("name a new folder for the game"));
        }
        for sub in ["", "orders", "secret", "out", "in", "evidence"] {
            let dir = path.join(sub);
            fs::create_dir_all(&dir).map_err(|e| Error::io("make", &dir, &e))?;
        }
        private(&path.join("secret"))?;
        Folder::open(path)
    }

    /// Opens a game folder and locks it; a second program in the same folder waits some seconds.
    ///
    /// # Errors
    /// If it is no game folder, or another program holds it.
    pub fn open(path: &Path) -> Result<Folder> {
        if !path.join("orders").is_dir() {
            return Err(Error::misuse(format!("`{}` is no game folder", path.display()))
                .next("go into the folder of your game, or name it with --game FOLDER; if a game is offered to you: `countersign accept THE-FILE --player YOUR-NAME --folder NEW-FOLDER`"));
        }
        let lock_path = path.join(".lock");
        let lock = fs::File::create(&lock_path).map_err(|e| Error::io("lock", &lock_path, &e))?;
        let start = Instant::now();
        while lock.try_lock().is_err() {
            if start.elapsed() > Duration::from_secs(10) {
                return Err(Error::new("this program is already at work in this folder, in another window")
                    .next("wait for it to end, or close that window"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Folder { path: path.to_owned(), _lock: lock })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file of the folder whole or not at all.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_whole(&self.path.join(name), bytes)
    }

    /// Writes a file that is made from the signed files and can be made again.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write_again(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_again(&self.path.join(name), bytes)
    }

    /// Who the folder belongs to, if to anybody.
    ///
    /// # Errors
    /// If the note of it is damaged.
    pub fn owner(&self) -> Result<Option<Owner>> {
        let path = self.path.join("secret/seat.json");
        if !path.exists() {
            return Ok(None);
        }
        let owner = serde_json::from_str::<Owner>(&read_text(&path)?);
        owner.map(Some).map_err(|e| Error::new(format!("`{}` is damaged: {e}", path.display())))
    }

    /// Notes who the folder belongs to.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn set_owner(&self, owner: &Owner) -> Result<()> {
        self.write("secret/seat.json", serde_json::to_string_pretty(owner).unwrap_or_default().as_bytes())
    }

    /// Keeps a signed file.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn keep(&self, signed: &SignedFile) -> Result<String> {
        let name = name_of(signed);
        self.write(&format!("orders/{name}"), &signed.bytes())?;
        Ok(name)
    }

    /// Notes that the player goes on in a step without what is offered to him: his link need not wait for his word.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn decline(&self, step: u64) -> Result<()> {
        self.write(&format!("secret/declined-{step:05}"), b"")
    }

    fn declined(&self, step: u64) -> bool {
        self.path.join(format!("secret/declined-{step:05}")).exists()
    }

    /// Keeps the openings of one own file, before the file itself is kept.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn keep_secrets(&self, step: u64, n: u32, openings: &BTreeMap<String, Opening>) -> Result<()> {
        if openings.is_empty() {
            return Ok(());
        }
        let hash = crate::seal::sha256(serde_json::to_string(openings).unwrap_or_default().as_bytes());
        let name = format!("secret/{step:05}-{n:03}-{}.json", hash.short());
        self.write(&name, serde_json::to_string(openings).unwrap_or_default().as_bytes())?;
        private(&self.path.join(name))
    }

    /// Every own opening ever kept.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn secrets(&self) -> Result<Secrets> {
        let mut secrets = Secrets::default();
        for path in list(&self.path.join("secret"))? {
            if path.file_name().and_then(|n| n.to_str()).is_some_and(holds_openings) {
                let text = read_text(&path)?;
                let openings = serde_json::from_str::<BTreeMap<String, Opening>>(&text);
                secrets.extend(&openings.map_err(|e| Error::new(format!("`{}` is damaged: {e}", path.display())))?);
            }
        }
        Ok(secrets)
    }

    /// Takes the files of a packet in. Files of other games are refused by name; nothing is taken then.
    ///
    /// # Errors
    /// If a file is damaged or belongs to another game.
    pub fn take(&self, packets: &[Packet]) -> Result<Taken> {
        let mut fresh = Vec::new();
        let (known, owner, open) = match self.load()? {
            Content::Game(table) => (Some(table.history.terms.game), table.owner, table.history.step()),
            Content::Proposed { owner, .. } => (None, owner, 0),
        };
        let hosting = owner.is_some_and(|o| o.seat == Seat::Host);
        for bytes in packets.iter().flat_map(|p| &p.files) {
            let signed = SignedFile::parse(bytes)?;
            if let (Some(game), Some(of)) = (known, game_of(&signed))
                && game != of
            {
                return Err(Error::new(format!(
                    "this packet belongs to game {}, this folder to {}",
                    of.short(),
                    game.short()
                ))
                .next("put it into the folder of that game"));
            }
            if !hosting && read_lodging(&signed).is_ok() {
                return Err(Error::new("this packet is for the host alone: it holds your opponent's orders")
                    .next("delete it, and tell your opponent to send his orders to the host and nobody else"));
            }
            fresh.push(signed);
        }
        self.no_second_terms(&fresh)?;
        let mut taken = Taken::default();
        for signed in fresh {
            // A step that has closed here stays closed: a file that comes later could be another version of one that
            // counted, written with the dice known. It is kept as evidence.
            let name = name_of(&signed);
            let of = name.split('-').next().and_then(|s| s.parse::<u64>().ok()).unwrap_or(0);
            if read_receipt(&signed).is_ok() {
                self.write(&format!("receipts/{name}"), &signed.bytes())?;
            } else if of > 0 && of < open && read_lodging(&signed).is_err() {
                let seen = ["orders", "evidence"].iter().any(|sub| self.path.join(sub).join(&name).exists());
                if !seen {
                    self.write(&format!("evidence/{name}"), &signed.bytes())?;
                    taken.late.push(signed);
                }
            } else if read_lodging(&signed).is_ok() {
                self.lodge(&signed)?;
            } else if !self.path.join("orders").join(name_of(&signed)).exists() {
                self.keep(&signed)?;
                taken.new += 1;
            }
        }
        Ok(taken)
    }

    /// Takes a packet in that anybody may have mailed: files of a step that no key of the game has signed, or would have
    /// signed if a request at hand is accepted, are left out, so that nobody can fill the folder.
    ///
    /// # Errors
    /// As [`Folder::take`].
    pub fn take_from_post(&self, packet: &Packet) -> Result<Taken> {
        let Content::Game(table) = self.load()? else { return self.take(std::slice::from_ref(packet)) };
        let now = [Seat::British, Seat::American, Seat::Host].into_iter().filter_map(|s| table.history.seat(s));
        let mut known: Vec<PublicKey> = table.history.terms.seats.iter().chain(now).map(|s| s.key).collect();
        let brought = packet.files.iter().filter_map(|bytes| SignedFile::parse(bytes).ok());
        let asking = table.files.values().cloned().chain(brought).filter_map(|f| read_key_file(&f).ok());
        known.extend(asking.filter_map(|f| PublicKey::parse(&f.who.key).ok()).take(REQUESTS));
        let requests = table.files.keys().filter(|name| name.contains("-key-")).count();
        let mut room = REQUESTS.saturating_sub(requests);
        let mut wanted = |bytes: &Vec<u8>| {
            let Ok(signed) = SignedFile::parse(bytes) else { return true };
            if read_key_file(&signed).is_ok() {
                let here = self.path.join("orders").join(name_of(&signed)).exists();
                let fits = here || room > 0;
                room = room.saturating_sub(usize::from(!here));
                return fits;
            }
            let fits = |namespace| {
                known.iter().any(|key| signed.signature.verify(key, namespace, signed.document.as_bytes()).is_ok())
            };
            if read_step(&signed).is_ok() || read_lodging(&signed).is_ok() {
                return fits(Namespace::Orders);
            }
            !(read_host_file(&signed).is_ok() || read_receipt(&signed).is_ok()) || fits(Namespace::Host)
        };
        let files = packet.files.iter().filter(|bytes| wanted(bytes)).cloned().collect();
        self.take(&[Packet { files }])
    }

    /// A seat is accepted once and a folder holds one proposal: another acceptance would make another game of it, and
    /// whoever sent it could choose between the two.
    fn no_second_terms(&self, fresh: &[SignedFile]) -> Result<()> {
        let held = match self.load()? {
            Content::Game(table) => table.files,
            Content::Proposed { files, .. } => files,
        };
        let proposal = held.values().chain(fresh).find_map(|signed| read_proposal(signed).ok());
        for acceptance in fresh.iter().filter_map(|signed| read_acceptance(signed).ok()) {
            proposal.as_ref().map_or(Ok(()), |proposal| suits(proposal, &acceptance))?;
        }
        let mut taken: BTreeMap<String, crate::seal::Digest> = BTreeMap::new();
        for signed in held.values().chain(fresh) {
            let place = match (read_proposal(signed), read_acceptance(signed)) {
                (Ok(_), _) => "the proposal".to_owned(),
                (_, Ok(acceptance)) => format!("the {} seat", acceptance.seat),
                _ => continue,
            };
            let first = *taken.entry(place.clone()).or_insert(signed.hash());
            if first != signed.hash() {
                return Err(Error::new(format!("{place} of this game is settled; the packet brings another"))
                    .next("go on with the game as it is; a new game needs a new proposal and a new folder"));
            }
        }
        Ok(())
    }

    /// Reads the folder: terms, then every step its files close.
    ///
    /// # Errors
    /// If files are damaged or the scenario is missing.
    pub fn load(&self) -> Result<Content> {
        let owner = self.owner()?;
        let mut files = BTreeMap::new();
        for path in list(&self.path.join("orders"))? {
            let Some(name) = path.file_name().and_then(|n| n.to_str()).filter(|n| n.ends_with(".signed")) else {
                continue;
            };
            let bytes = read_bytes(&path)?;
            let signed = SignedFile::parse(&bytes)
                .map_err(|e| e.in_file(Path::new("orders").join(name).display().to_string()))?;
            files.insert(name.to_owned(), signed);
        }
        let proposal = files.iter().find(|(name, _)| name.contains("-proposal-")).map(|(_, f)| f.clone());
        let proposal = proposal.ok_or_else(|| Error::new("there is no proposal in this folder")
                .next("its subfolder `orders` has lost a file: put it back from a copy, or ask your opponent for everything since the beginning (`countersign packet --all`)"))?;
        let acceptances: Vec<SignedFile> =
            files.iter().filter(|(name, _)| name.contains("-acceptance-")).map(|(_, f)| f.clone()).collect();
        let Ok(terms) = Terms::join(&proposal, &acceptances) else {
            read_proposal(&proposal)?;
            return Ok(Content::Proposed { owner, proposal: Box::new(proposal), files });
        };
        let scenario_path = self.path.join("scenario.yaml");
        // The terms name the scenario by its digest: one that comes with the program can take the place of a lost file.
        let embedded = if scenario_path.exists() { None } else { crate::catalog::embedded(&terms.proposal.scenario) };
        let scenario = embedded.map_or_else(|| read_text(&scenario_path), Ok)?;
        let history = History::begin(terms, &scenario)
            .map_err(|fault| Error::new(fault.to_string()).next("get the scenario file the game was proposed with"))?;
        let mut table = play_out(owner, history, files)?;
        self.find_lodgings(&mut table)?;
        table.declined = self.declined(table.history.step());
        Ok(Content::Game(Box::new(table)))
    }

    /// Writes log, position, report and the rest again where they differ from what the files make.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn refresh(&self, table: &Table) -> Result<()> {
        let history = &table.history;
        let mut wanted: Vec<(&str, Vec<u8>)> = vec![
            ("game.log", history.log().bytes()),
            ("allowed_signers", history.allowed_signers().into_bytes()),
            ("terms.yaml", crate::doc::emit(&history.terms.proposal)?.into_bytes()),
            ("turn.yaml", crate::report::turn_file(history)?.into_bytes()),
            ("report.txt", crate::report::last_report(history).into_bytes()),
        ];
        wanted.retain(|(name, bytes)| fs::read(self.path.join(name)).ok().as_ref() != Some(bytes));
        for (name, bytes) in wanted {
            self.write_again(name, &bytes)?;
        }
        for (name, why) in &table.evidence {
            let target = format!("evidence/{name}.txt");
            if !self.path.join(&target).exists() {
                self.write(&target, format!("{why}\n").as_bytes())?;
            }
        }
        Ok(())
    }

    /// Packets that lie in `in/` and have not been taken yet.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn waiting(&self) -> Result<Vec<PathBuf>> {
        let inbox = self.path.join("in");
        if inbox.is_dir() { Ok(list(&inbox)?.into_iter().filter(|p| p.is_file()).collect()) } else { Ok(Vec::new()) }
    }

    /// Moves a packet that was taken out of `in/`.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn done(&self, path: &Path) -> Result<()> {
        let taken = self.path.join("in/taken");
        fs::create_dir_all(&taken).map_err(|e| Error::io("make", &taken, &e))?;
        let Some(name) = path.file_name() else { return Ok(()) };
        fs::rename(path, taken.join(name)).map_err(|e| Error::io("move", path, &e))
    }
}

/// Closes every step the files close, in turn; what is left belongs to the open step or is evidence.
fn play_out(owner: Option<Owner>, mut history: History, files: BTreeMap<String, SignedFile>) -> Result<Table> {
    let mut closed = Vec::new();
    loop {
        let mut posts = Vec::new();
        let mut hosts: Vec<(String, HostPost)> = Vec::new();
        let mut evidence = Vec::new();
        let mut keys = Vec::new();
        for (name, signed) in &files {
            let step = name.split('-').next().and_then(|s| s.parse::<u64>().ok()).unwrap_or(0);
            if step != history.step() {
                continue;
            }
            if name.contains("-key-") {
                match history.read_key(signed) {
                    Ok(post) => keys.push(post),
                    Err(e) => evidence.push((name.clone(), e.to_string())),
                }
            } else if name.contains("-host-") {
                match history.read_host(signed) {
                    Ok(post) => hosts.push((name.clone(), post)),
                    Err(e) => evidence.push((name.clone(), e.to_string())),
                }
            } else {
                match history.read(signed) {
                    Ok(post) => posts.push(post),
                    Err(e) => evidence.push((name.clone(), e.to_string())),
                }
            }
        }
        history.keys_at_hand(keys);
        history.hosts_at_hand(hosts.iter().map(|(_, post)| post.clone()).collect());
        let mut host = None;
        let done = if history.terms.hosted() {
            let mut done = None;
            // A file of the host that does not fit (or whose players' files have not come) holds nothing up.
            for (name, post) in hosts.into_iter().filter(|(_, post)| post.file.closes() || history.end().is_some()) {
                let mut trial = history.clone();
                match trial.close_hosted(&posts, &post) {
                    Ok(Some(closed)) => {
                        (history, done) = (trial, Some(closed));
                        break;
                    }
                    Ok(None) => host = Some(post),
                    Err(e) => evidence.push((name, e.to_string())),
                }
            }
            done
        } else {
            history.close(&posts)?
        };
        match done {
            Some(step) => closed.push(step),
            None => {
                // In a strict game a player goes by what the host has named, whatever else has reached him.
                if let Some(owner) = owner.as_ref().filter(|o| o.seat != Seat::Host && history.terms.strict()) {
                    posts = history.relayed_to(owner.seat, &posts);
                }
                let (lodgings, declined) = (Vec::new(), false);
                return Ok(Table { owner, history, posts, host, files, evidence, closed, lodgings, declined });
            }
        }
    }
}

/// The game a signed file belongs to, if it says.
#[must_use]
pub fn game_of(signed: &SignedFile) -> Option<crate::seal::Digest> {
    read_step(signed)
        .map(|f| f.game)
        .or_else(|_| read_host_file(signed).map(|f| f.game))
        .or_else(|_| read_lodging(signed).map(|f| f.game))
        .or_else(|_| read_key_file(signed).map(|f| f.game))
        .or_else(|_| read_receipt(signed).map(|f| f.game))
        .ok()
}

/// The name under which a signed file is kept: step, seat, number, and the beginning of its hash.
#[must_use]
pub fn name_of(signed: &SignedFile) -> String {
    let hash = signed.hash().short();
    if let Ok(file) = read_step(signed) {
        return format!("{:05}-{}-{:03}-{hash}.signed", file.step, file.seat, file.n);
    }
    if let Ok(file) = read_host_file(signed) {
        return format!("{:05}-host-{:03}-{hash}.signed", file.step, file.n);
    }
    if let Ok(file) = read_key_file(signed) {
        return format!("{:05}-{}-key-{hash}.signed", file.step, file.seat);
    }
    if let Ok(file) = read_lodging(signed) {
        // The whole hash: a file made to have the same name would take the place of one that opens.
        return format!("{:05}-{}-lodging-{}.signed", file.step, file.seat, signed.hash());
    }
    if let Ok(file) = read_receipt(signed) {
        return format!("{:05}-receipt-{hash}.signed", file.step);
    }
    if let Ok(file) = read_acceptance(signed) {
        return format!("00000-{}-acceptance-{hash}.signed", file.seat);
    }
    if let Ok(file) = read_proposal(signed) {
        return format!("00000-{}-proposal-{hash}.signed", file.seat);
    }
    format!("99999-unknown-{hash}.unread")
}

/// Whether a file of `secret/` holds openings: all but the note of the seat and the records of what has left.
fn holds_openings(name: &str) -> bool {
    name.ends_with(".json") && name != "seat.json" && !name.starts_with("released-")
}

/// The files of a folder, sorted by name.
fn list(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).map_err(|e| Error::io("read", dir, &e))? {
        let path = entry.map_err(|e| Error::io("read", dir, &e))?.path();
        if path.is_file() && !path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.')) {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Reads a file under the size cap.
///
/// # Errors
/// If it is missing or too large.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let meta = fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Error::misuse(format!("there is no file `{}`", path.display()))
            .next("look for a slip in the name, or for another folder; a name with blanks in it needs quotation marks"),
        _ => Error::io("read", path, &e),
    })?;
    if meta.is_dir() {
        return Err(Error::misuse(format!("`{}` is a folder, not a file", path.display())));
    }
    if meta.len() > LARGEST {
        let what =
            format!("`{}` has {} bytes; nothing of this program is larger than 8 MB", path.display(), meta.len());
        return Err(Error::new(what).next("give the packet file or the text of the mail"));
    }
    fs::read(path).map_err(|e| Error::io("read", path, &e))
}

/// Reads a text file under the size cap.
///
/// # Errors
/// If it is missing, too large or no text; of other encodings Notepad writes (UTF-16, ANSI), how to save it again. The
/// byte-order mark of "UTF-8 with BOM" is taken off.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = read_bytes(path)?;
    let text = crate::doc::lint::decode(&bytes, &path.display().to_string())?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

/// Moves every packet in `out/` but the one of this name (without ending) to `out/sent/`, so that `out/` holds what is to
/// be mailed now. To be called when the new one is written. What another program holds open stays until the next call.
///
/// # Errors
/// If the folders cannot be read or made.
pub fn clear_out(folder: &Path, keep: &str) -> Result<()> {
    let (out, sent) = (folder.join("out"), folder.join("out").join("sent"));
    let mail = |p: &PathBuf| p.extension().is_some_and(|e| e == "packet" || e == "txt");
    for path in list(&out)?.into_iter().filter(mail) {
        let Some(name) = path.file_name() else { continue };
        if path.file_stem().is_some_and(|stem| stem == keep) {
            continue;
        }
        fs::create_dir_all(&sent).map_err(|e| Error::io("make", &sent, &e))?;
        let _ = fs::rename(&path, sent.join(name));
    }
    Ok(())
}
