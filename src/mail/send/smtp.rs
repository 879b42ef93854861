//! A mail server. The conversation is led command by command, so that it is known which of them failed.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lettre::transport::smtp::Error as Fault;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use zeroize::Zeroizing;

use super::{Carrier, Failure, Fate, Parcel, said};
use crate::error::Error;
use crate::mail::settings::{Host, Security, Smtp};

/// How long one answer of the server may take. It may have to look through a whole mail before it answers.
const PATIENCE: Duration = Duration::from_secs(120);

/// Largest certificate file, in bytes.
const CERTIFICATES: u64 = 1 << 20;

/// A mail server, and the open connection to it: several mails go by one.
pub struct Server {
    host: Host,
    port: u16,
    protection: Security,
    tls: Option<TlsParameters>,
    login: Option<(String, Zeroizing<String>)>,
    patience: Duration,
    open: Option<SmtpConnection>,
}

/// What was being done when it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Connect,
    Starttls,
    Login,
    Sender,
    Recipient,
    Content,
}

impl Server {
    /// The server of the settings, and a word of warning about the password's file. Nothing is connected yet.
    ///
    /// # Errors
    /// If the password or the certificate cannot be read.
    pub fn new(smtp: &Smtp) -> crate::Result<(Server, Option<String>)> {
        let (password, warning) = smtp.password()?.unzip();
        let login = smtp.user.as_ref().zip(password).map(|(user, password)| (user.as_str().to_owned(), password));
        let protection = smtp.protection();
        let tls = if protection == Security::None { None } else { Some(trust(smtp)?) };
        let (host, port) = (smtp.host.clone(), smtp.port());
        let server = Server { host, port, protection, tls, login, patience: PATIENCE, open: None };
        Ok((server, warning.flatten()))
    }

    /// The same, with another patience.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Server {
        self.patience = patience;
        self
    }

    /// Connects, turns to TLS, logs in.
    fn connect(&self) -> Result<SmtpConnection, Failure> {
        let addresses = self.look_up()?;
        let hello = ClientId::default();
        let at_once = self.tls.as_ref().filter(|_| self.protection == Security::Tls);
        let mut open = SmtpConnection::connect(addresses.as_slice(), Some(self.patience), &hello, at_once, None)
            .map_err(|e| self.failed(Stage::Connect, &e))?;
        if let (Security::Starttls, Some(tls)) = (self.protection, &self.tls) {
            open.starttls(tls, &hello).map_err(|e| self.failed(Stage::Starttls, &e))?;
        }
        if let Some((user, password)) = &self.login {
            let credentials = Credentials::new(user.clone(), password.as_str().to_owned());
            open.auth(DEFAULT_MECHANISMS, &credentials).map_err(|e| self.failed(Stage::Login, &e))?;
        }
        Ok(open)
    }

    fn look_up(&self) -> Result<Vec<SocketAddr>, Failure> {
        let found = (self.host.as_str(), self.port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        match found {
            Ok(all) if !all.is_empty() => Ok(all),
            _ => Err(Failure::new(
                Fate::Later,
                Error::new(format!("the mail server `{}` is not found", self.host))
                    .next("is this computer on line? If it is, look for a slip in `host:` in mail.yaml"),
            )),
        }
    }

    fn hand_over(&self, open: &mut SmtpConnection, parcel: Parcel<'_>) -> Result<(), Failure> {
        let known = |text: &str| {
            text.parse::<lettre::Address>()
                .map_err(|e| Failure::new(Fate::Never, Error::new(format!("`{text}` is no mail address: {e}"))))
        };
        let (from, to) = (known(parcel.from.as_str())?, known(parcel.to.as_str())?);
        open.command(Mail::new(Some(from), Vec::new())).map_err(|e| self.failed(Stage::Sender, &e))?;
        open.command(Rcpt::new(to, Vec::new())).map_err(|e| self.failed(Stage::Recipient, &e))?;
        open.command(Data).map_err(|e| self.failed(Stage::Content, &e))?;
        // What ends the mail on the wire begins with a line end of its own.
        let bytes = parcel.bytes.strip_suffix(b"\r\n").unwrap_or(parcel.bytes);
        open.message(bytes).map_err(|e| self.failed(Stage::Content, &e))?;
        Ok(())
    }

    /// What a fault means, in words.
    fn failed(&self, stage: Stage, fault: &Fault) -> Failure {
        let (host, port) = (&self.host, self.port);
        let words = self.unsaid(&fault.to_string());
        let code = fault.status().map(u16::from);
        let (fate, what, next) = match (stage, code) {
            (Stage::Login, Some(500..)) | (_, Some(530 | 534 | 535 | 538)) => (
                Fate::Setup,
                format!("the mail server {host} does not let us in: user or password is wrong, or it wants one"),
                "look at `user:` and the password file; some providers want a password made for programs (app password)",
            ),
            (Stage::Connect, Some(500..)) => (
                Fate::Setup,
                format!("the mail server {host} takes no mail from this computer"),
                "use the server your provider names for sending, with `user:` and `password_file:`",
            ),
            (Stage::Sender, Some(500..)) => (
                Fate::Setup,
                format!("the mail server {host} does not take mails from this address"),
                "look at `address:` in mail.yaml: it must be one you may send from there",
            ),
            (Stage::Recipient, Some(500..)) => (
                Fate::Never,
                "the receiver is refused".to_owned(),
                "look for a slip in the address (mail.yaml of the game folder), or ask him for another",
            ),
            (_, Some(500..)) => (
                Fate::Never,
                format!("the mail server {host} refuses this mail"),
                "read what it says; send the packet another way",
            ),
            (_, Some(_)) => {
                (Fate::Later, format!("the mail server {host} cannot take the mail now"), "it is sent again by itself")
            }
            (Stage::Starttls | Stage::Login, None) if fault.is_client() => (
                Fate::Setup,
                format!("the mail server {host} does not offer what mail.yaml asks for at port {port}"),
                "try `security: tls` and port 465, or what your provider says; a password goes over TLS only",
            ),
            _ if words.contains("certificate") => (
                Fate::Setup,
                format!("{host} cannot prove that it is that server (its certificate)"),
                "look for a slip in `host:`; a club that signs its own certificate gives you a file for `ca_file:`",
            ),
            _ if words.contains("InvalidContentType") || words.contains("corrupt message") => (
                Fate::Setup,
                format!("{host} does not speak TLS at once at port {port}"),
                "write `security: starttls` and port 587, or what your provider says",
            ),
            (Stage::Content, None) => (
                Fate::Later,
                format!("the connection to {host} broke before it said whether it has the mail"),
                "it is sent again by itself; if it comes twice, the second has no effect",
            ),
            _ => (
                Fate::Later,
                format!("no connection to the mail server {host}, port {port}"),
                "is this computer on line? If it is, look at `host:`, `port:` and `security:` in mail.yaml",
            ),
        };
        Failure::new(fate, Error::new(format!("{what} - {words}")).next(next))
    }

    /// Words of the server without the password, should it say it back.
    fn unsaid(&self, words: &str) -> String {
        let mut words = words.to_owned();
        if let Some((user, password)) = &self.login {
            let plain = STANDARD.encode(Zeroizing::new(format!("\0{user}\0{}", password.as_str())).as_bytes());
            let alone = STANDARD.encode(password.as_bytes());
            for secret in [plain.as_str(), alone.as_str(), password.as_str()] {
                words = words.replace(secret, "[password]");
            }
        }
        said(&words)
    }
}

impl Carrier for Server {
    fn carry(&mut self, parcel: Parcel<'_>) -> Result<(), Failure> {
        // The server may have closed a connection that stood idle; that is no fault of this mail.
        let idle = self.open.take().and_then(|mut open| open.test_connected().then_some(open));
        let mut open = idle.map_or_else(|| self.connect(), Ok)?;
        self.hand_over(&mut open, parcel)?;
        self.open = Some(open);
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut open) = self.open.take() {
            // A courtesy, and nothing to wait for.
            let _ = open.set_timeout(Some(Duration::from_secs(5)));
            let _ = open.quit();
        }
    }
}

/// Whom to believe that a server is the one meant.
fn trust(smtp: &Smtp) -> crate::Result<TlsParameters> {
    let mut builder = TlsParameters::builder(smtp.host.as_str().to_owned());
    if let Some(file) = &smtp.ca_file {
        let path = file.path();
        let odd = |why: &str| {
            Error::new(format!("`{}` holds no certificate: {why}", path.display()))
                .next("`ca_file:` in mail.yaml names a PEM file, which has a line BEGIN CERTIFICATE")
        };
        let size = std::fs::metadata(path).map_err(|e| Error::io("read", path, &e))?.len();
        if size > CERTIFICATES {
            return Err(odd("it is too large"));
        }
        let pem = std::fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        if !pem.windows(17).any(|w| w == b"BEGIN CERTIFICATE") {
            return Err(odd("that line is missing"));
        }
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|e| odd(&said(&e.to_string())))?);
    }
    builder.build().map_err(|e| Error::new(format!("no TLS here: {}", said(&e.to_string()))))
}
