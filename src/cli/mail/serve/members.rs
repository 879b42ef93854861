//! Invitations by a club's members: the host accepts them by himself, and knows where each has his mail.

use super::super::super::{keys, setup};
use super::{Club, clock};
use crate::catalog;
use crate::doc::{Mode, SignedFile};
use crate::error::{Error, Result};
use crate::log::read_proposal;
use crate::mail::find::Found;
use crate::mail::settings::{BySeat, Correspondents};
use crate::seal::{Namespace, PublicKey};
use crate::side::Seat;
use crate::store::{Folder, Table};

/// Most games of one member that lie here accepted by the host and not by everybody.
const OPEN: u64 = 20;

impl Club<'_> {
    /// Accepts a proposal as its host, if a member has signed it and it wants one. Returns the new folder's name.
    pub(super) fn invited(&mut self, proposal: &SignedFile, found: &Found) -> Result<Option<String>> {
        let Some(members) = &self.members else { return Ok(None) };
        let terms = read_proposal(proposal)?;
        let key = PublicKey::parse(&terms.who.key)?;
        if proposal.signature.verify(&key, Namespace::Terms, proposal.document.as_bytes()).is_err() {
            return Ok(None);
        }
        let Some(member) = members.with_key(&terms.who.key).cloned() else { return Ok(None) };
        if terms.mode == Mode::TwoSeats || terms.seat == Seat::Host {
            return Ok(None);
        }
        if self.index.open_with(member.address.as_str())? >= OPEN {
            return Err(Error::new(format!("{OPEN} games you have proposed wait for somebody to accept them"))
                .next("find opponents for those first, or ask the host to remove old ones"));
        }
        let text = setup::scenario_text(&terms.scenario, None)?;
        if catalog::digest(&text) != terms.scenario_digest {
            return Err(Error::new(format!("{} proposes a scenario of his own", member.name.as_str()))
                .next("the host has to accept it by hand: countersign accept THE-MAIL --file THE-SCENARIO"));
        }
        let path = keys::default_path()?;
        let key = keys::read(&path)?;
        let name = self.account.name.as_ref().map_or("Host", |n| n.as_str()).to_owned();
        let mine = setup::accept_once(proposal, Seat::Host, &name, &key, &path, None)?;
        let dir = format!("game-{}", proposal.hash().to_string().get(..16).unwrap_or_default());
        if self.here.join(&dir).exists() {
            return Err(Error::new("a folder of this game lies here already").next("its host has to look after it"));
        }
        // Made aside and named when it is whole: a program cut off here begins again with the mail.
        let aside = self.here.join(format!(".{dir}"));
        let _ = std::fs::remove_dir_all(&aside);
        let folder = Folder::create(&aside)?;
        let mut files = vec![proposal.clone(), mine];
        let acceptances = found.files.iter().filter(|f| {
            crate::log::read_acceptance(f).is_ok_and(|a| a.proposal == proposal.hash() && a.seat != Seat::Host)
        });
        files.extend(acceptances.cloned());
        setup::found(&folder, &text, &files, Seat::Host, &path)?;
        let mut to = BySeat::default();
        to.set(terms.seat, member.address.clone());
        folder.write("mail.yaml", Correspondents { to, spectators: Vec::new() }.text().as_bytes())?;
        drop(folder);
        let place = self.here.join(&dir);
        std::fs::rename(&aside, &place).map_err(|e| Error::io("name", &place, &e))?;
        println!("{dir}: accepted, proposed by {} on {}.", member.name.as_str(), clock().format("%-d %B %Y"));
        self.enter(&dir);
        Ok(Some(dir))
    }

    /// Members who have taken a seat in a game are written to from now on.
    pub(super) fn introduce(&self, folder: &Folder, table: &Table) -> Result<()> {
        let Some(members) = &self.members else { return Ok(()) };
        let Ok(mut to) = Correspondents::read(&folder.path().join("mail.yaml")) else { return Ok(()) };
        let mut new = false;
        for seat in table.history.terms.players().into_iter().filter(|seat| to.of(*seat).is_err()).collect::<Vec<_>>() {
            let member = table.history.seat(seat).and_then(|s| members.with_key(&s.key.line()));
            if let Some(member) = member {
                to.to.set(seat, member.address.clone());
                new = true;
            }
        }
        if new { folder.write("mail.yaml", to.text().as_bytes()) } else { Ok(()) }
    }
}
