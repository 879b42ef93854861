//! The index over a host's game folders: which folder a file belongs to, which games want looking at, and when.
//!
//! The folders are the truth. The index makes finding fast, so that a mail costs the same among ten games and among
//! thousands; deleted, it is made again from the folders. It holds no secret, and of an address only its hash.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::error::{Error, Result};
use crate::seal::{Digest, Hasher};
use crate::side::Seat;

/// The file's name, in the folder that holds the game folders.
pub const NAME: &str = "games.sqlite";

/// The number that says how the tables look; another number, and the index is made again.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE games (
        folder TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        scenario TEXT NOT NULL,
        mode TEXT NOT NULL,
        british TEXT NOT NULL,
        american TEXT NOT NULL,
        state TEXT NOT NULL,
        result TEXT NOT NULL,
        step INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        owes TEXT NOT NULL,
        due INTEGER,
        late INTEGER,
        paused INTEGER NOT NULL,
        began TEXT NOT NULL,
        ended TEXT NOT NULL,
        wake INTEGER,
        stamp INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_wake ON games (wake);
    CREATE TABLE files_of (id TEXT PRIMARY KEY, folder TEXT NOT NULL) STRICT;
    CREATE INDEX files_of_folder ON files_of (folder);
    CREATE TABLE mail_of (address TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (address, folder)) STRICT;
    CREATE INDEX mail_of_folder ON mail_of (folder);
    CREATE TABLE answered (address TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX answered_at ON answered (address, at);
";

/// The index, open.
#[derive(Debug)]
pub struct Index {
    db: Connection,
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Proposed and not accepted by all.
    Proposed,
    /// Being played.
    Running,
    /// Over.
    Over,
    /// Its folder cannot be read, for this reason.
    Damaged(String),
}

/// What the index knows of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Its folder's name below the folder of the index.
    pub folder: String,
    /// Its short id.
    pub id: String,
    /// The scenario's title.
    pub scenario: String,
    /// `hosted` or `strict`.
    pub mode: String,
    /// What the British player calls himself.
    pub british: String,
    /// What the American player calls himself.
    pub american: String,
    /// Where it stands.
    pub state: State,
    /// How it ended, in a few words; empty while it is played.
    pub result: String,
    /// The open step.
    pub step: u64,
    /// The turn of the book.
    pub turn: u64,
    /// The seats that owe something.
    pub owes: Vec<Seat>,
    /// When the open step is due, seconds since 1970 UTC.
    pub due: Option<i64>,
    /// From when on a player may be declared late, seconds since 1970 UTC.
    pub late: Option<i64>,
    /// Whether the clock is stopped.
    pub paused: bool,
    /// When it was proposed, as its proposer claims.
    pub began: String,
    /// When it ended, by the host's clock; empty while it is played.
    pub ended: String,
    /// When it wants looking at without a mail, seconds since 1970 UTC.
    pub wake: Option<i64>,
    /// By which a folder that was changed since is known ([`stamp`]).
    pub stamp: i64,
}

/// What leads to a game: ids that its files name, and addresses of its people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// The game's id and its proposal's hash.
    pub ids: Vec<Digest>,
    /// Hashes of its players' addresses ([`hash_of`]).
    pub addresses: Vec<String>,
}

/// The hash under which an address is known: small letters and capitals are one.
#[must_use]
pub fn hash_of(address: &str) -> String {
    Hasher::new("countersign address").text(&address.to_lowercase()).done().to_string()
}

fn fault(e: &rusqlite::Error) -> Error {
    Error::new(format!("the index of the games cannot be used: {e}"))
        .next(format!("delete the file {NAME}; it is made again from the game folders"))
}

impl Index {
    /// Opens the index of a folder, or makes an empty one. One that is damaged or of another version is made anew.
    ///
    /// # Errors
    /// If the disk refuses, or another program keeps it locked.
    pub fn open(folder: &Path) -> Result<Index> {
        let path = folder.join(NAME);
        match Index::at(&path) {
            Ok(index) => Ok(index),
            Err(e) if is_busy(&e) => Err(fault(&e)),
            Err(_) => {
                for end in ["", "-wal", "-shm"] {
                    let _ = std::fs::remove_file(folder.join(format!("{NAME}{end}")));
                }
                Index::at(&path).map_err(|e| fault(&e))
            }
        }
    }

    /// Opens the index of a folder if there is one.
    #[must_use]
    pub fn existing(folder: &Path) -> Option<Index> {
        folder.join(NAME).exists().then(|| Index::open(folder).ok()).flatten()
    }

    fn at(path: &Path) -> rusqlite::Result<Index> {
        let db = Connection::open(path)?;
        db.busy_timeout(std::time::Duration::from_secs(20))?;
        db.pragma_update(None, "journal_mode", "wal")?;
        // A lost write costs a look at a folder, nothing else.
        db.pragma_update(None, "synchronous", "normal")?;
        let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != VERSION {
            if version != 0 {
                return Err(rusqlite::Error::InvalidQuery);
            }
            db.execute_batch(&format!("BEGIN;{TABLES}PRAGMA user_version = {VERSION};COMMIT;"))?;
        }
        // A damaged file shows here and not in the middle of a mail.
        db.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))?;
        Ok(Index { db })
    }

    /// Notes where a game stands and what leads to it, in one transaction.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn note(&mut self, game: &Game, marks: &Marks) -> Result<()> {
        self.write(game, marks).map_err(|e| fault(&e))
    }

    fn write(&mut self, game: &Game, marks: &Marks) -> rusqlite::Result<()> {
        let t = self.db.transaction()?;
        let owes: Vec<&str> = game.owes.iter().map(|s| s.word()).collect();
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let (state, result) = match &game.state {
            State::Proposed => ("proposed", &game.result),
            State::Running => ("running", &game.result),
            State::Over => ("over", &game.result),
            State::Damaged(why) => ("damaged", why),
        };
        t.execute(
            "INSERT OR REPLACE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            params![
                game.folder,
                game.id,
                game.scenario,
                game.mode,
                game.british,
                game.american,
                state,
                result,
                number(game.step),
                number(game.turn),
                owes.join(" "),
                game.due,
                game.late,
                game.paused,
                game.began,
                game.ended,
                game.wake,
                game.stamp
            ],
        )?;
        t.execute("DELETE FROM files_of WHERE folder = ?", [&game.folder])?;
        for id in &marks.ids {
            t.execute("INSERT OR REPLACE INTO files_of VALUES (?,?)", params![id.to_string(), game.folder])?;
        }
        t.execute("DELETE FROM mail_of WHERE folder = ?", [&game.folder])?;
        for address in &marks.addresses {
            t.execute("INSERT OR REPLACE INTO mail_of VALUES (?,?)", params![address, game.folder])?;
        }
        t.commit()
    }

    /// Forgets a folder that is gone.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn forget(&mut self, folder: &str) -> Result<()> {
        let all = |db: &mut Connection| {
            let t = db.transaction()?;
            for table in ["games", "files_of", "mail_of"] {
                t.execute(&format!("DELETE FROM {table} WHERE folder = ?"), [folder])?;
            }
            t.commit()
        };
        all(&mut self.db).map_err(|e| fault(&e))
    }

    /// Says that a game wants looking at now.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn wake(&self, folder: &str) -> Result<()> {
        let done = self.db.execute("UPDATE games SET wake = 0 WHERE folder = ?", [folder]);
        done.map(drop).map_err(|e| fault(&e))
    }

    /// The folder that files with an id belong to.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn folder_of(&self, id: &Digest) -> Result<Option<String>> {
        let mut found = self.db.prepare_cached("SELECT folder FROM files_of WHERE id = ?").map_err(|e| fault(&e))?;
        found.query_row([id.to_string()], |row| row.get(0)).optional().map_err(|e| fault(&e))
    }

    /// A folder whose game somebody with this address plays in.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn folder_with(&self, address: &str) -> Result<Option<String>> {
        let mut found =
            (self.db.prepare_cached("SELECT folder FROM mail_of WHERE address = ? ORDER BY folder LIMIT 1"))
                .map_err(|e| fault(&e))?;
        found.query_row([hash_of(address)], |row| row.get(0)).optional().map_err(|e| fault(&e))
    }

    /// How many games with somebody of this address are not accepted by everybody yet.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn open_with(&self, address: &str) -> Result<u64> {
        let run = || -> rusqlite::Result<i64> {
            let mut found = self.db.prepare_cached(
                "SELECT count(*) FROM mail_of JOIN games USING (folder) WHERE address = ? AND state = 'proposed'",
            )?;
            found.query_row([hash_of(address)], |row| row.get(0))
        };
        run().map(|n| u64::try_from(n).unwrap_or(0)).map_err(|e| fault(&e))
    }

    /// The folders that want looking at now, the longest waiting first.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn awake(&self, now: i64) -> Result<Vec<String>> {
        let run = || -> rusqlite::Result<Vec<String>> {
            let mut found = self.db.prepare_cached("SELECT folder FROM games WHERE wake <= ? ORDER BY wake, folder")?;
            found.query_map([now], |row| row.get(0))?.collect()
        };
        run().map_err(|e| fault(&e))
    }

    /// Every folder known, with its stamp.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn folders(&self) -> Result<BTreeMap<String, i64>> {
        let run = || -> rusqlite::Result<BTreeMap<String, i64>> {
            let mut found = self.db.prepare_cached("SELECT folder, stamp FROM games")?;
            found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        run().map_err(|e| fault(&e))
    }

    /// Every game, by folder.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn games(&self) -> Result<Vec<Game>> {
        let run = || -> rusqlite::Result<Vec<Game>> {
            self.db.prepare("SELECT * FROM games ORDER BY folder")?.query_map([], game)?.collect()
        };
        run().map_err(|e| fault(&e))
    }

    /// Whether one more word of a kind may be said to an address, and if so, notes that it was: somebody else may be the
    /// cause, and it is not to be flooded. Each kind has its own count, so that none can be used up by another.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn may_answer(&self, kind: &str, address: &str, now: i64, most: i64, within: i64) -> Result<bool> {
        let hash = format!("{kind} {}", hash_of(address));
        let run = || -> rusqlite::Result<bool> {
            self.db.execute("DELETE FROM answered WHERE at < ? OR at > ?", [now - within, now + within])?;
            let said: i64 =
                self.db.query_row("SELECT count(*) FROM answered WHERE address = ?", [&hash], |row| row.get(0))?;
            if said < most {
                self.db.execute("INSERT INTO answered VALUES (?,?)", params![hash, now])?;
            }
            Ok(said < most)
        };
        run().map_err(|e| fault(&e))
    }
}

fn is_busy(e: &rusqlite::Error) -> bool {
    let code = e.sqlite_error_code();
    matches!(code, Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked))
}

fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    let (state, result): (String, String) = (row.get("state")?, row.get("result")?);
    let (state, result) = match state.as_str() {
        "proposed" => (State::Proposed, result),
        "running" => (State::Running, result),
        "over" => (State::Over, result),
        _ => (State::Damaged(result), String::new()),
    };
    let number = |name: &str| row.get::<_, i64>(name).map(|n| u64::try_from(n).unwrap_or(0));
    let owes: String = row.get("owes")?;
    Ok(Game {
        folder: row.get("folder")?,
        id: row.get("id")?,
        scenario: row.get("scenario")?,
        mode: row.get("mode")?,
        british: row.get("british")?,
        american: row.get("american")?,
        state,
        result,
        step: number("step")?,
        turn: number("turn")?,
        owes: owes.split(' ').filter_map(|word| word.parse().ok()).collect(),
        due: row.get("due")?,
        late: row.get("late")?,
        paused: row.get("paused")?,
        began: row.get("began")?,
        ended: row.get("ended")?,
        wake: row.get("wake")?,
        stamp: row.get("stamp")?,
    })
}

/// By which a game folder that was changed is known: the newest time at which a signed file came or went, or addresses were
/// changed. 0 for a folder that cannot be read.
#[must_use]
pub fn stamp(folder: &Path) -> i64 {
    let time = |name: &str| {
        let time = std::fs::metadata(folder.join(name)).and_then(|m| m.modified()).ok()?;
        let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_nanos()).ok()
    };
    ["orders", "mail.yaml"].into_iter().filter_map(time).max().unwrap_or(0)
}

/// Says that the game in a folder wants looking at, if the folder above holds an index. What a host does by hand in a
/// game is thus seen by a `mail serve` that runs beside it.
pub fn wake(game_folder: &Path) {
    let place = std::path::absolute(game_folder)
        .ok()
        .and_then(|p: PathBuf| Some((p.parent()?.to_owned(), p.file_name()?.to_string_lossy().into_owned())));
    if let Some((above, name)) = place
        && let Some(index) = Index::existing(&above)
    {
        let _ = index.wake(&name);
    }
}
