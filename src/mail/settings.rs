//! The two files named `mail.yaml`: how the own mail goes out, and where the players of one game have theirs.
//!
//! A password never stands in either: it lies alone in a file of its own, which the first of them names.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::net::IpAddr;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::{env, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

use super::address::{Address, checked, domain};
use super::clean;
use crate::doc::place::spots;
use crate::doc::yaml;
use crate::error::{Error, Place};
use crate::side::Seat;

/// Largest settings file, in bytes.
const LARGEST: usize = 16 << 10;

/// The own mail: `mail.yaml` in the folder `.countersign` at home.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The own address; letters come from it, answers go to it.
    pub address: Address,
    /// The name shown beside it.
    #[serde(default)]
    pub name: Option<Name>,
    /// How letters leave.
    pub send: Way,
}

/// How letters leave.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Way {
    /// Into a folder, each a file ending in `.eml`; into `new` if it is a Maildir. Nothing is sent.
    Folder(Written),
    /// By a program that takes what `sendmail` takes, such as `/usr/sbin/sendmail` or `msmtp`.
    Sendmail(Written),
    /// By a mail server.
    Smtp(Smtp),
}

/// A mail server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    /// Its name, as the provider gives it: `smtp.club.example`.
    pub host: Host,
    /// 465 with `tls`, 587 with `starttls`, 25 with `none` if left out.
    #[serde(default)]
    pub port: Option<NonZeroU16>,
    /// How the connection is kept from others. Left out: `tls` at port 465, otherwise `starttls`; `none` on this computer.
    #[serde(default)]
    pub security: Option<Security>,
    /// The name to log in with, often the address.
    #[serde(default)]
    pub user: Option<Name>,
    /// A file that holds the password and nothing else.
    #[serde(default)]
    pub password_file: Option<Written>,
    /// A file (PEM) with a certificate to trust beside those of the system: of a club that signs its own.
    #[serde(default)]
    pub ca_file: Option<Written>,
}

/// How a connection is kept from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// Not at all.
    None,
    /// It begins in clear and must turn to TLS before anything is said.
    Starttls,
    /// TLS from the first byte.
    Tls,
}

/// Where the others of a game have their mail: `mail.yaml` in the game folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correspondents {
    /// An address for each seat that is written to.
    pub to: BySeat,
    /// Of a host: who watches. They get the report and the log after every step, and nothing of the open one.
    #[serde(default)]
    pub spectators: Vec<Address>,
}

/// An address for each seat that is written to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BySeat {
    /// The British player's.
    #[serde(default)]
    pub british: Option<Address>,
    /// The American player's.
    #[serde(default)]
    pub american: Option<Address>,
    /// The host's.
    #[serde(default)]
    pub host: Option<Address>,
}

/// A name of a person or log-in, one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

/// A server's name or number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(String);

/// A path as it is written; [`Account::read`] makes it one from the folder of the file that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written(PathBuf);

impl Account {
    /// Where the file lies: what COUNTERSIGN_MAIL says, or `.countersign/mail.yaml` at home.
    ///
    /// # Errors
    /// If there is no home.
    pub fn place() -> crate::Result<PathBuf> {
        if let Some(path) = env::var_os("COUNTERSIGN_MAIL") {
            return Ok(PathBuf::from(path));
        }
        let next = "name the file with the environment variable COUNTERSIGN_MAIL";
        let home = home().ok_or_else(|| Error::misuse("there is no home folder").next(next))?;
        Ok(home.join(".countersign").join("mail.yaml"))
    }

    /// Reads the file. Its paths are those seen from its folder; `~/` is the home folder.
    ///
    /// # Errors
    /// What is wrong in it, each with its line.
    pub fn read(path: &Path) -> Result<Account, Vec<Error>> {
        let next = "write it: `address: you@club.example`, and on the next line `send: {folder: mails}` or another way (schemas/mail.schema.json)";
        let bytes = bytes(path, next)?;
        let mut account = Account::parse(&bytes, &path.display().to_string())?;
        let beside = path.parent().unwrap_or_else(|| Path::new("."));
        match &mut account.send {
            Way::Folder(path) | Way::Sendmail(path) => path.seen_from(beside),
            Way::Smtp(smtp) => {
                for path in smtp.password_file.iter_mut().chain(&mut smtp.ca_file) {
                    path.seen_from(beside);
                }
            }
        }
        Ok(account)
    }

    /// Reads the file's text; paths stay as they are written.
    ///
    /// # Errors
    /// As [`Account::read`].
    pub fn parse(bytes: &[u8], file: &str) -> Result<Account, Vec<Error>> {
        let text = String::from_utf8_lossy(bytes);
        let words = spots(&text);
        let at = |key: &str| {
            let spot = words.iter().find(|s| s.name && s.path.last().is_some_and(|p| p == key));
            let (line, column) = spot.map_or((0, 0), |s| (s.line, s.column));
            Place { file: file.to_owned(), line, column }
        };
        // Before anything that shows lines of the file: this line is not for the screen.
        if let Some(key) = ["password", "pass", "passwd"].iter().find(|k| at(k).line > 0) {
            return Err(vec![
                Error::new("a password does not belong in this file").at(at(key)).next(
                    "put it into a file of its own and write `password_file: NAME` here; if others could read this file, change the password",
                ),
            ]);
        }
        let account = yaml::read_bytes::<Account>(bytes, file, LARGEST)?;
        if let Way::Smtp(smtp) = &account.send
            && let Some((key, error)) = smtp.at_odds()
        {
            return Err(vec![error.at(at(key))]);
        }
        Ok(account)
    }
}

impl Smtp {
    /// The protection in force.
    #[must_use]
    pub fn protection(&self) -> Security {
        match self.security {
            Some(security) => security,
            None if self.host.is_here() => Security::None,
            None if self.port.is_some_and(|p| p.get() == 465) => Security::Tls,
            None => Security::Starttls,
        }
    }

    /// The port in force.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.map_or_else(
            || match self.protection() {
                Security::None => 25,
                Security::Starttls => 587,
                Security::Tls => 465,
            },
            NonZeroU16::get,
        )
    }

    /// What no single value shows to be wrong, with the key it stands at.
    fn at_odds(&self) -> Option<(&'static str, Error)> {
        let (key, what, next) = match (&self.user, &self.password_file) {
            (Some(_), None) => (
                "user",
                "there is a `user` and no `password_file`",
                "write the password into a file and name it, or leave `user` out",
            ),
            (None, Some(_)) => (
                "password_file",
                "there is a `password_file` and no `user`",
                "add the name you log in with, or leave `password_file` out",
            ),
            (Some(_), _) if self.protection() == Security::None && !self.host.is_here() => (
                "security",
                "the password would cross the network in clear",
                "write `security: starttls` or `security: tls`, or leave it out",
            ),
            _ => return None,
        };
        Some((key, Error::new(what).next(next)))
    }

    /// The password, and a word of warning if others on this computer can read it.
    ///
    /// # Errors
    /// If the file cannot be read or holds something else.
    pub fn password(&self) -> crate::Result<Option<(Zeroizing<String>, Option<String>)>> {
        let Some(Written(path)) = &self.password_file else { return Ok(None) };
        let next = "write the password into it, one line and nothing else, and make it readable for you alone";
        let odd = |what: &str| Error::new(format!("the password file `{}` {what}", path.display())).next(next);
        let file = File::open(path).map_err(|e| Error::io("read the password file", path, &e).next(next))?;
        let warning = read_by_others(&file)
            .then(|| format!("others on this computer can read `{0}`: chmod 600 \"{0}\"", path.display()));
        let mut text = Zeroizing::new(String::with_capacity(1026));
        file.take(1025).read_to_string(&mut text).map_err(|_| odd("is no text"))?;
        let password = text.strip_suffix('\n').unwrap_or(&text);
        let password = Zeroizing::new(password.strip_suffix('\r').unwrap_or(password).to_owned());
        if password.is_empty() || text.len() > 1024 || password.chars().any(char::is_control) {
            return Err(odd("does not hold one line with a password"));
        }
        Ok(Some((password, warning)))
    }
}

#[cfg(unix)]
fn read_by_others(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|m| m.permissions().mode() & 0o077 != 0)
}

/// Windows keeps a user's files apart by itself.
#[cfg(not(unix))]
fn read_by_others(_: &File) -> bool {
    false
}

impl Correspondents {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong in it, each with its line.
    pub fn read(path: &Path) -> Result<Correspondents, Vec<Error>> {
        let next = "write it: `to:` and below it, indented, `british: bob@club.example` for each seat you write to";
        yaml::read_bytes(&bytes(path, next)?, &path.display().to_string(), LARGEST)
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = "to:\n".to_owned();
        for (seat, address) in
            [(Seat::British, &self.to.british), (Seat::American, &self.to.american), (Seat::Host, &self.to.host)]
        {
            out.extend(address.as_ref().map(|address| format!("  {seat}: {address}\n")));
        }
        if out == "to:\n" {
            out = "to: {}\n".to_owned();
        }
        if !self.spectators.is_empty() {
            out.push_str("spectators:\n");
            out.extend(self.spectators.iter().map(|address| format!("  - {address}\n")));
        }
        out
    }

    /// The address of a seat.
    ///
    /// # Errors
    /// If the file names none.
    pub fn of(&self, seat: Seat) -> crate::Result<&Address> {
        let address = match seat {
            Seat::British => &self.to.british,
            Seat::American => &self.to.american,
            Seat::Host => &self.to.host,
        };
        let none = || Error::new(format!("nobody knows where the {seat} seat has its mail"));
        address
            .as_ref()
            .ok_or_else(|| none().next(format!("add `{seat}: ADDRESS` below `to:` in mail.yaml of the game folder")))
    }
}

impl BySeat {
    /// Writes down where a seat has its mail.
    pub fn set(&mut self, seat: Seat, address: Address) {
        let place = match seat {
            Seat::British => &mut self.british,
            Seat::American => &mut self.american,
            Seat::Host => &mut self.host,
        };
        *place = Some(address);
    }
}

impl Host {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is this computer.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.0 == "localhost" || self.0.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    fn check(text: &str) -> Result<Host, String> {
        if text.parse::<IpAddr>().is_ok() {
            return Ok(Host(text.to_owned()));
        }
        // A name without a full stop is fine here: a server in the own house.
        let whole = if text.contains('.') { text.to_owned() } else { format!("{text}.local") };
        let known = domain(&whole).map_err(|_| {
            format!("`{}` is no name of a server; write it as smtp.club.example, without port", clean::line(text, 60))
        })?;
        Ok(Host(if text.contains('.') { known } else { text.to_ascii_lowercase() }))
    }
}

impl Name {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn check(text: &str) -> Result<Name, String> {
        // The @ alone is let through: people log in with their address. No letter shows it in a name.
        if text.is_empty() || clean::name(&text.replace('@', "")) != text.replace('@', "") {
            return Err(
                "a name is one line of at most 60 characters, none of them < > \" \\ , ; : = or a bracket".into()
            );
        }
        Ok(Name(text.to_owned()))
    }
}

impl Written {
    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    fn check(text: &str) -> Result<Written, String> {
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err("a path of a file or folder belongs here".to_owned());
        }
        Ok(Written(PathBuf::from(text)))
    }

    fn seen_from(&mut self, folder: &Path) {
        self.0 = match (self.0.strip_prefix("~"), home()) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => folder.join(&self.0),
        };
    }
}

macro_rules! checked_text {
    ($($type:ident, $expected:literal;)*) => { $(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                checked(from, $expected, $type::check)
            }
        }
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "minLength": 1 })
            }
        }
    )* };
}

checked_text! {
    Name, "a name";
    Host, "a server's name";
    Written, "a path";
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from)
}

fn bytes(path: &Path, next: &str) -> Result<Vec<u8>, Vec<Error>> {
    bytes_up_to(path, LARGEST, next)
}

/// The bytes of a settings file, one more than may be at most: the reader refuses it by its size.
pub(super) fn bytes_up_to(path: &Path, most: usize, next: &str) -> Result<Vec<u8>, Vec<Error>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|f| f.take(most as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|e| vec![Error::io("read", path, &e).next(next)])?;
    Ok(bytes)
}
