#!/usr/bin/env python3
"""A second implementation of the countersign protocol, from schemas/protocol.md alone (Python standard library).

  audit.py game.log                  check lines, hashes, chains, links, seeds, seals; one line if all is well
  audit.py game.log --dice           the seed of every step
  audit.py game.log --mails          the fewest packets that can have carried the files: of each seat, and with a decision
  audit.py game.log --ssh-keygen     the same check, and every signature by `ssh-keygen -Y verify`
  audit.py game.log --die STEP NAME [FACES]  one die (six faces): key, words passed over, word, face
  audit.py --self-test               RFC 8439, 8032, 9180 and the vectors of schemas/protocol.md

Without --ssh-keygen no signature is checked; the rules of the game are left to `countersign verify`.
Exit: 0 good, 1 a fault, 2 misuse.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

LENGTH = 65536
ZERO = "0" * 64
FILE_KEYS = ["i", "prev", "kind", "seat", "file", "sig", "parsed"]
RESULT_KEYS = ["i", "prev", "kind", "step", "how", "seed", "events", "position", "needs", "due"]
LATE = ("default-orders", "forfeit")
INSTANT = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
ZONE, TIME = re.compile("[A-Za-z0-9/_+-]{1,64}"), re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
BEGIN, END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"


class Fault(Exception):
    pass


def H(tag, *fields):
    """SHA-256 over the tag, a zero byte, and each field with its length before it (8 bytes, big-endian)."""
    h = hashlib.sha256(tag.encode() + b"\0")
    for field in fields:
        if isinstance(field, int):
            field = struct.pack(">Q", field)
        elif isinstance(field, str):
            field = field.encode()
        h.update(struct.pack(">Q", len(field)) + field)
    return h.digest()


def unhex(text):
    if not isinstance(text, str) or len(text) != 64 or any(c not in "0123456789abcdef" for c in text):
        raise Fault("not a hash: %r" % text)
    return bytes.fromhex(text)


def instant(text):
    """Seconds from the beginning of 1970; None if the text is no instant as documents write it."""
    match = INSTANT.fullmatch(text) if isinstance(text, str) else None
    if not match:
        return None
    year, month, day, hour, minute, second = map(int, match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1] or hour > 23 or minute > 59 or second > 59:
        return None
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162 + sum(lengths[:month - 1]) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def chain_back(table, seat, number, i, x):
    return H("chain", table, seat, number, i, x)


def seal(game, seat, step, slot, salt, content):
    return H("seal", game, seat, step, slot, salt, content)


def step_seed(game, step, links):
    return H("seed", game, step, *[link or b"" for link in links])


def chacha20_block(key, counter):
    """One block of ChaCha20, its last four words in one number: a 64-bit counter where the nonce is zero."""
    def rotl(v, n):
        return ((v << n) | (v >> (32 - n))) & 0xFFFFFFFF

    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [counter >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96)]
    x = state[:]

    def quarter(a, b, c, d):
        x[a] = (x[a] + x[b]) & 0xFFFFFFFF; x[d] = rotl(x[d] ^ x[a], 16)
        x[c] = (x[c] + x[d]) & 0xFFFFFFFF; x[b] = rotl(x[b] ^ x[c], 12)
        x[a] = (x[a] + x[b]) & 0xFFFFFFFF; x[d] = rotl(x[d] ^ x[a], 8)
        x[c] = (x[c] + x[d]) & 0xFFFFFFFF; x[b] = rotl(x[b] ^ x[c], 7)

    for _ in range(10):
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14)
    return [(a + b) & 0xFFFFFFFF for a, b in zip(x, state)]


def die(seed, ticket, faces=6):
    """Key, words passed over, word, face from 1."""
    key = H("die", seed, ticket)
    limit = (1 << 32) - (1 << 32) % faces
    rejected, counter = [], 0
    while True:
        for word in chacha20_block(key, counter):
            if word < limit:
                return key, rejected, word, word % faces + 1
            rejected.append(word)
        counter += 1


def document(text):
    """Reads a document as programs write it: `key: JSON` lines, maps and lists indented by two blanks."""
    doc, key = {}, None
    if not text.endswith("\n") or "\r" in text or BEGIN in text:
        raise Fault("a document has LF line ends, one at its end, and no signature block inside")
    for line in text[:-1].split("\n"):
        if line.startswith("  - "):
            if doc.get(key) is None:
                doc[key] = []
            doc[key].append(json.loads(line[4:]))
        elif line.startswith("  "):
            inner, at = json.JSONDecoder().raw_decode(line[2:])
            if line[2 + at:4 + at] != ": ":
                raise Fault("not a line of a document: %r" % line)
            if doc.get(key) is None:
                doc[key] = {}
            if inner in doc[key]:
                raise Fault("%r stands twice" % inner)
            doc[key][inner] = json.loads(line[4 + at:])
        else:
            key, colon, value = line.partition(":")
            if not colon or key in doc:
                raise Fault("not a line of a document: %r" % line)
            if value:
                doc[key] = json.loads(value)
            else:
                doc[key] = None
    return doc


def ssh_keygen(seat, key, namespace, text, blob):
    """Whether stock OpenSSH takes the signature of a seat's key over a document."""
    body = base64.b64encode(blob).decode()
    lines = [BEGIN] + [body[i:i + 70] for i in range(0, len(body), 70)] + [END, ""]
    with tempfile.TemporaryDirectory() as folder:
        signers, sig = os.path.join(folder, "allowed_signers"), os.path.join(folder, "x.sig")
        for path, content in ((signers, '%s namespaces="%s" %s\n' % (seat, namespace, key)), (sig, "\n".join(lines))):
            with open(path, "w", newline="\n") as f:
                f.write(content)
        command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", seat, "-n", namespace, "-s", sig]
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE).returncode == 0


class Log:
    def __init__(self, data, keygen=False):
        self.entries, self.keygen, self.at = [], keygen, 0
        try:
            self.read(data)
            self.check()
        except Fault as e:
            text = str(e)
            raise Fault(text if text.startswith("entry ") else "entry %d: %s" % (self.at, text))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as e:
            raise Fault("entry %d: not in form (%r)" % (self.at, e))

    def read(self, data):
        prev, lines = ZERO, data.split(b"\n")
        if lines.pop():
            raise Fault("entry %d: the log does not end with a line end" % len(lines))
        for i, line in enumerate(lines):
            self.at = i
            entry = json.loads(line.decode("utf-8"))
            keys = {"file": FILE_KEYS, "result": RESULT_KEYS}.get(entry["kind"])
            if list(entry) != keys or json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode() != line:
                raise Fault("it is not spelt as the protocol spells it")
            if type(entry["i"]) is not int or entry["i"] != i or entry["prev"] != prev:
                raise Fault("it does not follow the one before")
            prev = hashlib.sha256(line).hexdigest()
            entry["hash"] = prev
            self.entries.append(entry)
        if not self.entries:
            raise Fault("the log is empty")

    def file(self, i, kind):
        """The document and hash of a file entry, with what the entry says of it checked."""
        self.at, entry = i, self.entries[i]
        text, blob = (base64.b64decode(entry[key], validate=True) for key in ("file", "sig"))
        if [base64.b64encode(text).decode(), base64.b64encode(blob).decode()] != [entry["file"], entry["sig"]]:
            raise Fault("its base64 is not padded as the protocol spells it")
        doc = document(text.decode())
        if doc["countersign"] != 1:
            raise Fault("version %s; this program reads version 1" % doc["countersign"])
        if doc["kind"] != kind or doc.get("seat", "host") != entry["seat"]:
            raise Fault("a %s file of the %s seat does not belong here" % (doc["kind"], doc.get("seat", "host")))
        # Programs write fields and maps in the order of the types, so the typed document is this one without blanks.
        typed = json.dumps(doc, separators=(",", ":"), ensure_ascii=False)
        if hashlib.sha256(typed.encode()).hexdigest() != entry["parsed"]:
            raise Fault("the document reads otherwise than the log says")
        key = doc["who"]["key"] if "who" in doc else self.keys[entry["seat"]]
        namespace = {"orders": "orders", "close": "host", "key": "key"}.get(kind, "terms") + "@countersign"
        if self.keygen and not ssh_keygen(entry["seat"], key, namespace, text, blob):
            raise Fault("ssh-keygen does not take the signature")
        return doc, H("file", text, blob)

    def terms(self):
        """Proposal and acceptances; returns how many entries they are."""
        proposal, named = self.file(0, "proposal")
        self.order, self.table = proposal["seats"], unhex(proposal["table"])
        self.hosted, self.strict = proposal["mode"] == "hosted", proposal["mode"] == "strict"
        self.host = self.hosted or self.strict
        if proposal["mode"] not in ("two-seats", "hosted", "strict") or sorted(self.order[:2]) != ["american", "british"] \
                or self.order[2:] != ["host"] * self.host or proposal["seat"] not in self.order:
            raise Fault("the terms name mode and seats wrongly")
        self.days, self.grace, self.row = 0, 0, None
        if "clock" in proposal:
            self.clock_terms(proposal["clock"])
        docs, hashes = [proposal], [named]
        for i, seat in enumerate([seat for seat in self.order if seat != proposal["seat"]], 1):
            doc, hashed = self.file(i, "acceptance")
            if doc["seat"] != seat or doc["proposal"] != named.hex():
                raise Fault("here the %s seat should accept this proposal" % seat)
            docs.append(doc)
            hashes.append(hashed)
        self.keys = {doc["seat"]: " ".join(doc["who"]["key"].split()[:2]) for doc in docs}
        self.known = {doc["seat"]: (0, unhex(doc["who"]["chain"]["tip"])) for doc in docs}
        self.tips = {seat: tip for seat, (_, tip) in self.known.items()}
        if len(set(self.keys.values())) < len(docs) or len(set(self.known.values())) < len(docs):
            raise Fault("two seats have the same key or seed chain")
        if any(doc["who"]["chain"]["length"] != LENGTH for doc in docs):
            raise Fault("a seed chain has %d links" % LENGTH)
        for doc in docs:
            lodging = doc["who"].get("lodging_key")
            if (lodging is not None) != (proposal["mode"] == "hosted" and doc["seat"] == "host"):
                raise Fault("a key to lodge with is named by the host of a hosted game, and by nobody else")
            if lodging and (int.from_bytes(unhex(lodging), "little") >= P or not any(x25519(bytes(32), unhex(lodging)))):
                raise Fault("the host's key to lodge with is of small order or not in canonical form")
        self.game = H("game", *hashes)
        self.chains = {seat: (0, 0) for seat in self.order}
        return len(docs)

    def clock_terms(self, clock):
        """The clock of the terms; zone and time of day are the host's, who signs what they come to."""
        def number(key, most):
            return key not in clock or type(clock[key]) is int and 1 <= clock[key] <= most

        if not number("days", 365) or not number("grace_hours", 720) \
                or not number("remind_hours", min(720, 24 * clock["days"])) or clock.get("late", "forfeit") not in LATE \
                or not ZONE.fullmatch(clock.get("zone", "UTC")) or not TIME.fullmatch(clock.get("at", "00:00")):
            raise Fault("the terms have a clock wrongly")
        if not self.host and list(clock) != ["days"]:
            raise Fault("a clock without a host has days alone")
        self.days, self.grace, self.row = clock["days"], clock.get("grace_hours", 0), clock.get("late")

    def check(self):
        self.keys = {}
        first = self.terms()
        self.seals, self.seeds, self.opened, self.over = {}, {}, 0, False
        self.asked, self.due, self.stopped, self.rest, self.blocks = set(), None, None, None, []
        step, head, block, requests = 0, None, [], []
        for i, entry in enumerate(self.entries[first:], first):
            self.at = i
            if entry["kind"] == "result":
                if entry["step"] is True or entry["step"] != step:
                    raise Fault("it closes step %s, not %d" % (entry["step"], step))
                self.at = i
                self.change_seats(entry, self.close(i, entry, block), requests)
                self.blocks.append([(doc["seat"], unhex(hashed), doc) for _, doc, hashed in requests]
                                   + [(seat, hashed, doc) for _, seat, doc, hashed in block])
                requests = []
                words = [line.split() for line in entry["needs"]]
                self.asked = {word[1] for word in words if word[0] in ("seal", "decide")}
                self.due = None if entry["due"] is None else instant(entry["due"])
                self.over = self.over or entry["needs"][:1] != [] and entry["needs"][0].split()[0] == "over"
                step, head, block = step + 1, entry["hash"], []
                continue
            # The request of a new key has its own namespace in the signature.
            kind = "key" if b"key@countersign" in base64.b64decode(entry["sig"]) else "orders"
            doc, hashed = self.file(i, "close" if entry["seat"] == "host" else kind)
            if (doc["game"], doc["step"], doc["head"]) != (self.game.hex(), step, head):
                raise Fault("it is bound to another game, step or head")
            if kind == "key":
                if any(self.order.index(doc["seat"]) <= self.order.index(seat) for _, seat, _, _ in block):
                    raise Fault("a new key stands before the files of its seat")
                requests.append((i, doc, hashed.hex()))
                continue
            self.follows(entry["seat"], doc, block)
            block.append((i, entry["seat"], doc, hashed))
        if block or step == 0:
            raise Fault("the log is cut off inside step %d" % step)
        self.head = head

    def follows(self, seat, doc, block):
        """Seats in terms order, host last; each seat's files n = 1, 2, ... one after the other."""
        same = bool(block) and block[-1][1] == seat
        loose = self.hosted and seat != "host"
        if block and self.order.index(seat) < self.order.index(block[-1][1]) \
                or loose and same and doc["n"] < block[-1][2]["n"]:
            raise Fault("the files of the step stand out of order")
        n, prev = (block[-1][2]["n"] + 1, block[-1][3].hex()) if same else (1, None)
        if not loose and (doc["n"], doc.get("prev")) != (n, prev):
            raise Fault("it does not follow the file of its seat before it")

    def close(self, i, entry, block):
        """Checks a step by its block; returns the files that count."""
        how, links, heard, late = entry["how"], {}, block, set()
        known = ["resolved", "agreed", "refused", "conceded-twice"] if entry["step"] else ["start"]
        if self.hosted and entry["step"]:
            known = ["resolved", "agreed", "conceded-twice", "late"]
        elif self.strict and entry["step"]:
            known = known + ["late"]
        if how not in (["audit"] if self.over else known):
            raise Fault("a step does not close with `%s` here" % how)
        hosts = [b for b in block if b[1] == "host"]
        if self.host and entry["step"]:
            if not hosts:
                raise Fault("the host's file is missing")
            late = self.clock(how, hosts, block)
            heard = self.taken(how, hosts, block) if self.hosted else self.relayed(how, hosts, block)
        self.ended(i, entry, heard, hosts)
        for at, seat, doc, _ in heard:
            for slot, sealed in doc.get("seals", {}).items():
                self.seals.setdefault((seat, slot), []).append((doc["step"], sealed))
            # A seat's first true link counts; a wrong one stands only in a step that was not resolved, or by who is late.
            if doc.get("link") and not self.over and seat not in links:
                x = unhex(doc["link"])
                if self.link(seat, doc["step"], x):
                    links[seat] = x
                elif seat not in late and (how == "resolved" or self.hosted) or seat == "host":
                    raise Fault("entry %d: the link is not the one the %s seat committed to" % (at, seat))
        self.openings(how, block)
        if (how == "resolved") != (entry["seed"] is not None):
            raise Fault("a resolved step has a seed, and no other has one")
        if entry["seed"] is not None:
            # The link of a seat with the book's orders in the place of its own is not in the seed.
            links = {seat: x for seat, x in links.items() if seat not in late}
            for seat in self.order:
                if seat not in links and seat not in late and not (self.hosted and seat != "host"):
                    raise Fault("the link of the %s seat is missing" % seat)
            seed = step_seed(self.game, entry["step"], [links.get(seat) for seat in self.order])
            if seed.hex() != entry["seed"]:
                raise Fault("the links make the seed %s, not %s" % (seed.hex(), entry["seed"]))
            self.seeds[entry["step"]] = seed
        if not self.host and not self.over:
            self.named(block, block)
        if not self.host:
            self.rest = self.agreed_rest(how, block)
        return heard

    def clock(self, how, hosts, block):
        """What the host's files say of time; returns the seats in whose place the book's orders stand."""
        late = set()
        for at, _, doc, _ in hosts:
            sent = instant(doc["sent"])
            for seat, then in doc.get("late", {}).items():
                if seat not in self.order[:2] or then not in LATE:
                    raise Fault("entry %d: nobody can be late like this" % at)
                if self.row is None or then == "default-orders" and self.row != then:
                    raise Fault("entry %d: the terms have nothing of the kind follow" % at)
                if self.due is None or sent is None or self.stopped is not None or sent <= self.due + self.grace * 3600:
                    raise Fault("entry %d: the %s seat was not late" % (at, seat))
                if then == "default-orders":
                    if seat not in self.asked:
                        raise Fault("entry %d: the %s seat was asked nothing" % (at, seat))
                    late.add(seat)
            if "due" in doc and (sent is None or instant(doc["due"]) is None or instant(doc["due"]) <= sent):
                raise Fault("entry %d: `due` is an instant after `sent`" % at)
            if "pause" in doc and (sent is None or doc["takes"] or {"names", "opens", "link", "refuse", "late"} & set(doc)
                                   or doc["pause"] not in ("begin", "end") or (doc["pause"] == "end") != ("due" in doc)):
                raise Fault("entry %d: a file that stops or starts the clock says nothing else" % at)
            if not self.over:
                self.time(at, doc, sent, how, block, doc is hosts[-1][2])
        return late

    def time(self, at, doc, sent, how, block, closes):
        """One of the host's files: a time once told is put off, never brought nearer, but by as much as the clock stood."""
        if closes:
            # From here on it is the next step's time.
            self.due, self.rest = None, self.agreed_rest(how, block)
        stood, pause = self.due, doc.get("pause")
        if pause and (closes or not self.days or (pause == "begin") != (self.stopped is None)):
            raise Fault("entry %d: it stops or starts the clock out of turn" % at)
        if pause == "begin":
            self.stopped = sent
        elif "due" in doc:
            if self.stopped is not None and not pause:
                raise Fault("entry %d: it sets a time while the clock stands still" % at)
            if stood is None:
                floor = max(sent, sent if self.rest is None else self.rest) + self.days * 86400
            else:
                floor = stood + (max(0, sent - self.stopped) if pause else 0)
            if instant(doc["due"]) < floor:
                raise Fault("entry %d: it brings a time nearer than the terms, or what was told before, allow" % at)
            self.due, self.stopped = instant(doc["due"]), None

    def agreed_rest(self, how, block):
        """Until when the players rest behind a step that closes like this."""
        if self.hosted:
            block = [b for b in block if b[1] != "host" and b[3].hex() in block[-1][2]["takes"].values()]
        offers = {hashed.hex(): doc.get("offer") for _, _, doc, hashed in block}
        accepted = [offers.get(doc["accept"]) for _, _, doc, _ in block if "accept" in doc]
        pauses = [offer["pause"] for offer in accepted if isinstance(offer, dict) and "pause" in offer]
        ends = [instant(pause["until"]) for pause in pauses if instant(pause["until"]) is not None]
        if how != "agreed" or not self.days or not ends:
            return self.rest
        # Which of several was accepted only the rules can tell: none is held against the host then.
        if len(ends) == len(accepted) and "concede" not in offers.values():
            return min(ends)
        return None if self.rest is None else min(ends + [self.rest])

    def named(self, block, among):
        """What the files of a block name stands in it, under the seat it is named of."""
        here = {hashed.hex(): seat for _, seat, _, hashed in among}
        for at, seat, doc, _ in block:
            for of, named in doc.get("names", {}).items():
                if here.get(named) != of or of == seat:
                    raise Fault("entry %d: it names a file that does not stand here" % at)

    def relayed(self, how, hosts, block):
        """A strict step: the host's files name every player's file that stands, and the players name the host's alone."""
        players = [b for b in block if b[1] != "host"]
        self.named(players, hosts)
        self.named(hosts, players)
        pins, bounds, linked, late = {seat: 0 for seat in self.order[:2]}, {}, False, set()
        place = {hashed.hex(): (seat, doc["n"]) for _, seat, doc, hashed in players}
        answers = [(seat, doc["n"]) for _, seat, doc, _ in players if "answers" in doc or "seals" in doc]
        for at, _, doc, hashed in hosts:
            for seat, named in doc.get("names", {}).items():
                pins[seat] = max(pins[seat], place[named][1])
            if doc["takes"] or "opens" in doc:
                raise Fault("entry %d: the host of a strict game takes and opens nothing" % at)
            for seat, n in [place.get(r["file"], ("host", 0)) for r in doc.get("refuse", [])]:
                if n > pins.get(seat, -1):
                    raise Fault("entry %d: it refuses a file that it has not named" % at)
            late |= {seat for seat, then in doc.get("late", {}).items() if then == "default-orders"}
            bound = {seat for seat, n in answers if n <= pins[seat]} | late
            if "link" in doc:
                if linked or self.over or not self.asked <= bound:
                    raise Fault("entry %d: the host's link is out before its time" % at)
                linked = True
            bounds[hashed.hex()] = bound
        if any(n > pins[seat] for seat, n in place.values()):
            raise Fault("a file stands here that the host has not named")
        if how == "resolved":
            self.bound(players, bounds, late)
        if how == "refused":
            refused = {r["file"] for r in hosts[-1][2].get("refuse", [])}
            if linked or not any(
                    hashed.hex() in refused and "link" in doc and seat in self.asked for _, seat, doc, hashed in players):
                raise Fault("the host's last file refuses no link of a seat whose orders are missing")
        return block

    def bound(self, players, bounds, late):
        """A player's link is out in a file that names a host's file behind which the other's answer is fixed."""
        seen, done = {seat: set() for seat in self.order[:2]}, set(late)
        for at, seat, doc, _ in players:
            if "host" in doc.get("names", {}):
                seen[seat] = seen[seat] | bounds[doc["names"]["host"]]
            if "link" in doc and seat not in done:
                done.add(seat)
                if not self.asked - {seat} <= seen[seat]:
                    raise Fault("entry %d: the link is out before the other seat's orders were fixed" % at)

    def taken(self, how, hosts, block):
        """A hosted step: the host's last file takes or refuses what stands here; those before it only say something."""
        last = hosts[-1][2]
        for at, _, doc, _ in hosts:
            if "names" in doc or doc is not last and (doc["takes"] or {"opens", "link", "refuse", "late"} & set(doc)):
                raise Fault("entry %d: a host's file that closes nothing says when it is due, or a word" % at)
        if self.over:
            if len(block) > len(hosts) or "link" in last:
                raise Fault("after the end of a game a host opens what is sealed, and takes nothing")
        elif "link" not in last:
            raise Fault("the link of the host seat is missing")
        takes, refused = last["takes"], [r["file"] for r in last.get("refuse", [])]
        here = [(seat, hashed.hex()) for _, seat, _, hashed in block if seat != "host"]
        named = list(takes.items()) + [(seat, h) for seat, h in here if h in refused and takes.get(seat) != h]
        if sorted(named) != sorted(here) or not set(refused) <= {h for _, h in here} - set(takes.values()):
            raise Fault("the host's file does not take or refuse the files that stand here")
        # A link in a file that was not taken counts for nothing.
        heard = [b for b in block if b[1] == "host" or b[3].hex() in takes.values()]
        for at, seat, doc, _ in heard:
            if seat != "host" and {"names", "opens", "refuse", "chain"} & set(doc):
                raise Fault("entry %d: a player of a hosted game names, opens and refuses nothing" % at)
            if seat in last.get("late", {}):
                raise Fault("entry %d: its seat is late, and yet it was taken" % at)
        done = set(takes) | set(last.get("late", {}))
        if not set(last.get("late", {})) <= self.asked or how == "resolved" and not self.asked <= done:
            raise Fault("the step was closed without the orders of a seat that is asked, or with one late that is not")
        if not self.over and how != "resolved" and "opens" in last:
            raise Fault("nothing is due in a step without dice")
        return heard

    def ended(self, i, entry, heard, hosts):
        """Whether the files can have closed the step like that, and what the result says of time and of the end."""
        how, needs = entry["how"], entry["needs"]
        given = [seat for _, seat, doc, _ in heard if doc.get("offer") == "concede"]
        accepts = any("accept" in doc for _, _, doc, _ in heard)
        if how == "agreed" and not accepts and not (self.host and given) \
                or how == "conceded-twice" and len(set(given)) < 2:
            raise Fault("nobody accepted or conceded anything")
        if how == "late":
            lost = [seat for seat, then in hosts[-1][2].get("late", {}).items() if then == "forfeit"]
            if needs[0] not in ["over forfeit " + seat for seat in lost] + ["over draw"] * (len(lost) > 1):
                raise Fault("the host's last file does not say who has lost")
        elif needs and needs[0].startswith("over forfeit") and not self.over:
            raise Fault("nobody was late")
        if entry["due"] != (hosts[-1][2].get("due") if hosts else None):
            raise Fault("the next step is due when the host's last file says")

    def change_seats(self, entry, block, requests):
        """New chains and keys count from the next step on; a key has to be accepted."""
        for _, seat, doc, _ in block:
            if "chain" in doc:
                self.new_chain(seat, entry["step"], doc["chain"])
        for at, doc, hashed in requests:
            key = " ".join(doc["who"]["key"].split()[:2])
            if entry["how"] != "agreed" or not any(
                    d.get("accept") == hashed and seat != doc["seat"] for _, seat, d, _ in block):
                raise Fault("entry %d: nobody accepted this new key" % at)
            if doc["seat"] not in self.order[:2] or "lodging_key" in doc["who"] or key in self.keys.values() \
                    or unhex(doc["who"]["chain"]["tip"]) in self.tips.values():
                raise Fault("entry %d: the key or chain is in use, or not for a player's seat" % at)
            self.new_chain(doc["seat"], entry["step"], doc["who"]["chain"])
            self.keys[doc["seat"]] = key

    def new_chain(self, seat, step, chain):
        number, base = self.chains[seat]
        self.chains[seat] = (number if base == step else number + 1, step)
        self.known[seat] = (step, unhex(chain["tip"]))
        self.tips[seat] = unhex(chain["tip"])
        if chain["length"] != LENGTH:
            raise Fault("a seed chain has %d links" % LENGTH)

    def link(self, seat, step, x):
        known_i, known_x = self.known[seat]
        number, base = self.chains[seat]
        value = x
        for n in range(step - base, known_i - base, -1):
            value = chain_back(self.table, seat, number, n, value)
        if value != known_x or not known_i < step <= base + LENGTH:
            return False
        self.known[seat] = (step, x)
        return True

    def openings(self, how, block):
        """What a resolved step opens has to fit in one of its files; a file with a wrong opening is talk."""
        good, bad = set(), {}
        for at, seat, doc, _ in block:
            for slot, opening in doc.get("opens", {}).items():
                # A host opens what the players lodged with him; a slot is one player's alone.
                owner = next((s for s in self.order if (s, slot) in self.seals), seat) if seat == "host" else seat
                salt, place = unhex(opening["salt"]), (owner, slot)
                made = [seal(self.game, owner, step, slot, salt, opening["content"]).hex() == sealed
                        for step, sealed in self.seals.get(place, [])]
                if any(made):
                    good.add(place)
                    self.opened += 1
                else:
                    bad.setdefault(place, at)
        wrong = sorted((at, place[1]) for place, at in bad.items() if place not in good)
        if wrong and how in ("resolved", "audit"):
            raise Fault("entry %d: the opening of %s fits no seal" % wrong[0])


P, Q = 2 ** 255 - 19, 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202


def ed25519(seed, message):
    """Public key and signature (RFC 8032, 5.1); not in constant time, so for vectors alone."""
    def add(p, q):
        a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
        c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
        e, f, g, h = b - a, d - c, d + c, b + a
        return e * f % P, g * h % P, f * g % P, e * h % P

    def times(n):
        made, power = (0, 1, 1, 0), (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)
        while n:
            made, power, n = add(made, power) if n & 1 else made, add(power, power), n >> 1
        inverse = pow(made[2], P - 2, P)
        x, y = made[0] * inverse % P, made[1] * inverse % P
        return (y | (x & 1) << 255).to_bytes(32, "little")

    def number(*parts):
        return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % Q

    wide = hashlib.sha512(seed).digest()
    secret = int.from_bytes(wide[:32], "little") & (1 << 254) - 8 | 1 << 254
    key, nonce = times(secret), number(wide[32:], message)
    point = times(nonce)
    return key, point + ((nonce + number(point, key, message) * secret) % Q).to_bytes(32, "little")


def x25519(secret, u):
    """RFC 7748, section 5; not in constant time."""
    k, x = int.from_bytes(secret, "little") & (1 << 255) - 8 | 1 << 254, int.from_bytes(u, "little") & (1 << 255) - 1
    low, high = (1, 0), (x, 1)
    for t in range(254, -1, -1):
        if k >> t & 1:
            low, high = high, low
        a, b, c, d = low[0] + low[1], low[0] - low[1], high[0] + high[1], high[0] - high[1]
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        low, high = (aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P), ((da + cb) ** 2 % P, x * (da - cb) ** 2 % P)
        if k >> t & 1:
            low, high = high, low
    return (low[0] * pow(low[1], P - 2, P) % P).to_bytes(32, "little")


KEM, SUITE = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
NINE = (9).to_bytes(32, "little")


def extract(suite, salt, label, ikm):
    """RFC 9180, section 4, `LabeledExtract`."""
    return hmac.new(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, hashlib.sha256).digest()


def expand(suite, prk, label, info, length):
    """The same, `LabeledExpand`, for one block of HKDF."""
    full = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.new(prk, full + b"\x01", hashlib.sha256).digest()[:length]


def key_pair(ikm):
    """RFC 9180, 7.1.3, `DeriveKeyPair`."""
    secret = expand(KEM, extract(KEM, b"", b"dkp_prk", ikm), b"sk", b"", 32)
    return secret, x25519(secret, NINE)


def aead(key, nonce, aad, plain):
    """ChaCha20-Poly1305, RFC 8439, 2.8."""
    def block(n):
        return struct.pack("<16I", *chacha20_block(key, int.from_bytes(nonce, "little") << 32 | n))

    text = bytes(p ^ k for at in range(0, len(plain), 64) for p, k in zip(plain[at:at + 64], block(at // 64 + 1)))
    once, total = block(0), 0
    r = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    data = b"".join(part + bytes(-len(part) % 16) for part in (aad, text)) + struct.pack("<2Q", len(aad), len(text))
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at:at + 16] + b"\x01", "little")) * r % ((1 << 130) - 5)
    return text + ((total + int.from_bytes(once[16:32], "little")) % (1 << 128)).to_bytes(16, "little")


def hpke(to, info, aad, plain, ikm):
    """RFC 9180, 6.1, `SealBase`, with the `ikm` of the ephemeral key given: `enc` and ciphertext."""
    secret, enc = key_pair(ikm)
    prk = extract(KEM, b"", b"eae_prk", x25519(secret, to))
    shared = expand(KEM, prk, b"shared_secret", enc + to, 32)
    context = b"\x00" + extract(SUITE, b"", b"psk_id_hash", b"") + extract(SUITE, b"", b"info_hash", info)
    prk = extract(SUITE, shared, b"secret", b"")
    return enc, aead(expand(SUITE, prk, b"key", context, 32), expand(SUITE, prk, b"base_nonce", context, 12), aad, plain)


def lodging(host, sender, table, game, file, salt):
    """The vectors of a lodging, by the keys' seeds."""
    key = key_pair(H("lodging-key", H("root", host), table))[1]
    plain = compact({"t1/american/plot/marker/1": {"salt": salt.hex(), "content": '"right"'}}).encode().ljust(1024)
    once = H("lodging-once", H("root", sender), key, game, "american", 3, file, plain)
    info = H("lodging", game, "american", 3)
    enc, text = hpke(key, info, file, plain, once)
    doc = {"countersign": 1, "kind": "lodging", "game": game.hex(), "seat": "american", "step": 3, "file": file.hex(),
           "enc": enc.hex(), "ciphertext": base64.b64encode(text).decode()}
    return {"lodging-key": key, "lodging-info": info, "lodging-once": once, "lodging-enc": enc,
            "lodging-ciphertext": hashlib.sha256(text).digest(), "lodging-parsed": parsed(doc),
            "lodging-file": H("file", write(doc), sshsig(sender, "orders@countersign", write(doc))[1])}


def travels(block):
    """The files of a step as far as their travel goes: seat, hash, files named, files answered otherwise, decision."""
    given = {hashed.hex() for _, hashed, doc in block if doc.get("offer") == "concede"}
    for seat, hashed, doc in block:
        names = set(doc.get("names", {}).values()) | set(doc.get("takes", {}).values())
        refuse = doc.get("refuse", [])
        other = {r["file"] for r in (refuse if isinstance(refuse, list) else [refuse])} | {doc.get("accept")}
        made = any(not slot.endswith("/private") and "/position/" not in slot for slot in doc.get("seals", {}))
        forced = {"link", "opens", "refuse"} & set(doc)
        decided = seat != "host" and not other & given and (
            made or bool({"answers", "offer", "accept", "chain", "who"} & set(doc)) or "say" in doc and not forced)
        yield seat, hashed.hex(), names, other, decided


def mails(log):
    """The fewest packets of each seat and those with a decision, by section 8a: a search over all orders of sending."""
    best = {(None, False): (0,) * 8}  # cost: packets by receivers, with a decision, of each seat, of each with a decision
    for block in log.blocks:
        files = list(travels(block))
        lanes = [[f for f in files if f[0] == seat] for seat in log.order]
        place = {f[1]: (n, at) for n, lane in enumerate(lanes) for at, f in enumerate(lane)}
        named = {h for f in files for h in f[2]}
        level = {((0, 0, 0), last, decided): cost for (last, decided), cost in best.items()}
        for _ in files:
            after = {}
            for (gone, last, chosen), cost in level.items():
                for n, lane in enumerate(lanes):
                    if gone[n] == len(lane) or any(
                            h in place and place[h][0] != n and gone[place[h][0]] <= place[h][1]
                            for h in lane[gone[n]][2] | lane[gone[n]][3]):
                        continue
                    rides = last == n and not (gone[n] and lane[gone[n] - 1][1] in named)
                    decided, new = lane[gone[n]][4], list(cost)
                    more = not rides, decided and not (rides and chosen)
                    copies = 2 if log.order[n] == "host" else 1
                    for at, add in ((0, more[0] * copies), (1, more[1] * copies), (2 + n, more[0]), (5 + n, more[1])):
                        new[at] += add
                    on = tuple(g + (i == n) for i, g in enumerate(gone)), n, decided or rides and chosen
                    after[on] = min(after.get(on, tuple(new)), tuple(new))
            level = after
        best = {}
        for (_, last, decided), cost in level.items():
            best[last, decided] = min(best.get((last, decided), cost), cost)
    cost = min(best.values())
    return [(seat, cost[2 + n], cost[5 + n]) for n, seat in enumerate(log.order)]


def fields(*parts):
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def sshsig(seed, namespace, text):
    """What is signed, and the blob."""
    space = namespace.encode()
    signed = b"SSHSIG" + fields(space, b"", b"sha512", hashlib.sha512(text.encode()).digest())
    key, signature = ed25519(seed, signed)
    kind = b"ssh-ed25519"
    blob = b"SSHSIG" + struct.pack(">I", 1) + fields(fields(kind, key), space, b"", b"sha512", fields(kind, signature))
    return signed, blob


def key_line(seed):
    return "ssh-ed25519 " + base64.b64encode(fields(b"ssh-ed25519", ed25519(seed, b"")[0])).decode()


def wrapped(data, columns):
    body = base64.b64encode(data).decode()
    return [body[i:i + columns] for i in range(0, len(body), columns)]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Written as \u escapes: what cannot be seen, and what only looks like a Latin letter or a digit.
RANGES = """7F-9F A0 AD 61C 1680 180E 2000-200F 2028-202F 205F-2064 2066-206F 3000 FEFF FFF9-FFFB FFFE-FFFF
 FF10-FF19 FF21-FF3A FF41-FF5A 391-392 395-397 399 39A 39C 39D 39F 3A1 3A4 3A5 3A7 3BD 3BF 405 406 408 410 412 415
 41A 41C-41E 420-423 425 430 435 43E 440 441 443 445 455 456 458 4AE 4BB 501 51B 51D"""
ESCAPED = {n for span in RANGES.split() for n in range(int(span.split("-")[0], 16), int(span.split("-")[-1], 16) + 1)}


def write(doc):
    """A document as programs write it, from its fields in order."""
    lines = []
    for key, value in doc.items():
        if isinstance(value, (dict, list)) and value:
            lines.append(key + ":")
            if isinstance(value, dict):
                lines += ["  %s: %s" % (compact(inner), compact(item)) for inner, item in value.items()]
            else:
                lines += ["  - " + compact(item) for item in value]
        else:
            lines.append("%s: %s" % (key, compact(value)))
    return "".join("\\u%04x" % ord(c) if ord(c) in ESCAPED else c for c in "\n".join(lines) + "\n")


def walk(table, seat, seed):
    """x_0, x_1, x_3 of a seat's first chain."""
    value, kept = H("chain-seed", H("root", seed), table, seat, 0), {}
    for i in range(LENGTH, -1, -1):
        if i in (0, 1, 3):
            kept[i] = value
        value = chain_back(table, seat, 0, i, value) if i else value
    return kept[0], kept[1], kept[3]


def entries(files, result):
    """The lines of a log: (seat, document, blob, parsed) each, then a result's fields after `kind`."""
    lines, prev = [], ZERO
    for i, item in enumerate(files + [result]):
        entry = {"i": i, "prev": prev}
        if isinstance(item, dict):
            entry.update({"kind": "result"}, **item)
        else:
            seat, text, blob, parsed = item
            body = [base64.b64encode(data).decode() for data in (text.encode(), blob)]
            entry.update(kind="file", seat=seat, file=body[0], sig=body[1], parsed=parsed)
        lines.append(compact(entry))
        prev = hashlib.sha256(lines[-1].encode()).hexdigest()
    return lines


def packet(files):
    out = b"countersign packet 1\nfiles %d\n" % len(files)
    for data in files:
        out += b"file %d %s\n" % (len(data), hashlib.sha256(data).hexdigest().encode()) + data
    return out + b"end %s\n" % hashlib.sha256(out).hexdigest().encode()


def signed_file(text, blob):
    return text.encode() + "\n".join([BEGIN] + wrapped(blob, 70) + [END, ""]).encode()


def parsed(doc):
    return hashlib.sha256(compact(doc).encode()).hexdigest()


def samples(game, links, table, bob, anna, tips):
    """The six documents of the page, in the order in which they need each other, with their blobs."""
    when, slot, docs = "2026-01-05T12:00:00Z", "t1/british/plot/", {}

    def who(player, seed, tip):
        return {"player": player, "key": key_line(seed), "chain": {"tip": tip.hex(), "length": LENGTH}}

    def add(name, seed, namespace, doc):
        text = write(dict({"countersign": 1, "kind": "close" if name == "relay" else name}, **doc))
        docs[name] = (text, sshsig(seed, namespace + "@countersign", text)[1])
        return H("file", text, docs[name][1])

    proposal = add("proposal", bob, "terms", {
        "ruleset": "book/1", "scenario": "small", "scenario_digest": "aa" * 32,
        "rulings": {"N03": "by-action", "N19b": "exactly", "N2": "none"}, "mode": "two-seats",
        "seats": ["american", "british"], "seat": "british", "who": who("Bob", bob, tips[0]), "table": table.hex(),
        "secrets": [{"slots": "t*/*/plot/*", "form": "seal", "due": "with the link", "if_illegal": "nothing",
                     "if_withheld": "the step stays open"}],
        "resend_days": 7, "say": "A game?", "sent": when})
    acceptance = add("acceptance", anna, "terms", {
        "proposal": proposal.hex(), "seat": "american", "who": who("Anna", anna, tips[1]), "sent": when})
    bound = {"game": game.hex(), "step": 1, "head": "bb" * 32}
    say = '"Fire!" \\ a tab\t, a line\n, \x07, \x7f, a\u00a0blank, \u0421b, h\u00e9, \u2014, \u2028, \U0001f600'
    add("orders", bob, "orders", {
        "game": game.hex(), "seat": "british", "step": 1, "head": "bb" * 32, "n": 2, "prev": links[0].hex(),
        "names": {"american": links[1].hex()},
        "answers": {slot + "fire/1": {"b": [1, -2, True], "a": {"port": "any"}}, slot + "react": []},
        "seals": {slot + "marker/10": links[0].hex(), slot + "marker/2": links[1].hex()},
        "opens": {slot + "marker/1": {"salt": "07" * 32, "content": '"right"'}}, "link": links[2].hex(),
        "refuse": {"file": "cc" * 32, "rule": "5.1"}, "offer": "concede", "accept": "dd" * 32, "say": say, "sent": when})
    add("close", anna, "host", dict(bound, n=1, takes={"british": links[0].hex(), "american": links[1].hex()},
                                    link=links[2].hex(), sent=when))
    add("relay", anna, "host", dict(
        bound, n=2, prev=links[0].hex(), names={"british": links[1].hex(), "american": links[2].hex()}, takes={},
        opens={slot + "marker/1": {"salt": "07" * 32, "content": '"right"'}}, link=links[2].hex(),
        refuse=[{"file": "cc" * 32, "rule": "5.1"}], late={"british": "default-orders", "american": "forfeit"},
        due="2026-01-12T12:00:00Z", say="Next week.", sent=when))
    add("receipt", anna, "host", dict(bound, file=links[0].hex(), refused="5.1", at=when))
    return docs, H("game", proposal, acceptance)


def vectors():
    """The vectors and the documents of the page, made anew."""
    game, link1, link2, bob, anna, salt, table, x = [bytes([n]) * 32 for n in (1, 2, 3, 4, 5, 7, 8, 9)]
    slot, root = "t1/british/plot/marker/1", H("root", bob)
    seed = step_seed(game, 3, [link1, link2])
    key, _, _, face = die(seed, "t1/wind")
    big = next(t for t in map("t1/wide/%d".__mod__, range(1, 99)) if len(die(seed, t, 3000000000)[1]) > 1)
    tip, first, third = walk(table, "british", bob)
    signed, blob = sshsig(bob, "orders@countersign", "a: 1\n")
    docs, id_ = samples(game, (link1, link2, x), table, bob, anna, (tip, walk(table, "american", anna)[0]))
    digests = {name: parsed(document(text)) for name, (text, _) in docs.items()}
    terms = [(seat,) + docs[name] + (digests[name],) for seat, name in (("british", "proposal"), ("american", "acceptance"))]
    empty, position = H("events"), H("position", '{"turn":1}')
    lines = entries(terms, {
        "step": 0, "how": "start", "seed": None, "events": empty.hex(), "position": position.hex(),
        "needs": ["seal british plot t1/british/plot", "seal american plot t1/american/plot"], "due": None})
    head = hashlib.sha256(lines[2].encode()).digest()
    mail = packet([signed_file(*docs["proposal"]), signed_file(*docs["acceptance"]), b""])
    wide = die(seed, big, 3000000000)
    made = {
        "hash": H("die", "abc", 7), "chain": chain_back(table, "british", 0, 5, x), "root": root,
        "chain-seed": H("chain-seed", root, table, "british", 0), "tip": tip, "link-1": first, "link-3": third,
        "salt": H("salt", root, game, 3, 2, slot),
        "seal": seal(game, "british", 3, slot, salt, '"right"'), "seed": seed,
        "seed-one-missing": step_seed(game, 3, [link1, None, link2]), "seed-three": step_seed(game, 3, [link1, link2, x]),
        "die-key": key, "die-face": str(face), "die-ten": str(die(seed, "t1/wind", 10)[3]), "die-wide": big,
        "die-wide-passed": " ".join(map(str, wide[1])), "die-wide-word": str(wide[2]), "die-wide-face": str(wide[3]),
        "file": H("file", b"a: 1\n", b"blob"), "public-key": key_line(bob), "sshsig-signed": signed, "sshsig-blob": blob,
        "sshsig-line": wrapped(blob, 70)[0], "sshsig-file": H("file", b"a: 1\n", blob),
        "game": id_, "events": H("events", '{"a":1}', '{"b":"x\\n"}'), "events-none": empty, "position": position,
        "head-numbers": " ".join(str(int.from_bytes(head, "big") >> 245 - 11 * n & 2047) for n in range(12)),
        "packet": hashlib.sha256(mail).digest(), "packet-end": mail[-65:-1].decode(),
        "packet-line": wrapped(mail, 64)[0], "packet-sum": "=" + hashlib.sha256(mail).hexdigest()[:8],
    }
    made.update(lodging(bob, anna, table, game, x, salt))
    for name, (text, sig) in docs.items():
        made[name + "-parsed"], made[name + "-file"] = digests[name], H("file", text, sig)
    for i, line in enumerate(lines):
        made["entry-%d" % i] = hashlib.sha256(line.encode()).digest()
    texts = dict({name: text for name, (text, _) in docs.items()}, result=lines[2] + "\n")
    return {name: value if isinstance(value, str) else value.hex() for name, value in made.items()}, texts


def self_test():
    # RFC 8439, appendix A.1, vectors 1 and 2: zero key and nonce, blocks 0 and 1.
    for counter, start in ((0, "76b8e0ada0f13d90405d6ae55386bd28"), (1, "9f07e7be5551387a98ba977c732d080d")):
        assert struct.pack("<16I", *chacha20_block(bytes(32), counter)).hex().startswith(start)
    # RFC 8032, 7.1, test 1.
    key, signature = ed25519(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), b"")
    assert key.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signature.hex() == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" \
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    # RFC 9180, A.2.1: the pair of the receiver, `enc` and the first ciphertext.
    secret, key = key_pair(bytes.fromhex("1ac01f181fdf9f352797655161c58b75c656a6cc2716dcb66372da835542e1df"))
    assert key.hex() == "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"
    enc, text = hpke(key, b"Ode on a Grecian Urn", b"Count-0", b"Beauty is truth, truth beauty",
                     bytes.fromhex("909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b"))
    assert enc.hex() == "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
    assert text.hex() == "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db" \
        "21993c62ce81883d2dd1b51a28"
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "schemas", "protocol.md")
    with open(page, encoding="utf-8") as f:
        page = f.read()
    block = page.split("```vectors\n")[1].split("```")[0]
    stated = dict(line.split(None, 1) for line in block.strip().split("\n"))
    made, texts = vectors()
    # The word list of BIP-39 is not in the standard library: `head-words` is left to those who have it.
    assert set(stated) == set(made) | {"head-words"}, "other vectors: %s" % (set(stated) ^ set(made))
    for name, value in made.items():
        assert stated[name] == value, "%s: the page has %s, made here %s" % (name, stated[name], value)
    for name, text in texts.items():
        assert page.count("```%s\n" % name) == 1 and page.split("```%s\n" % name)[1].split("```")[0] == text, name
    print("good")


def main(args):
    if args == ["--self-test"]:
        return self_test()
    keygen, args = "--ssh-keygen" in args, [a for a in args if a != "--ssh-keygen"]
    one = args[1:2] == ["--die"] and len(args) in (4, 5) and all(re.fullmatch("[0-9]+", n) for n in args[2:3] + args[4:])
    if not args or args[0].startswith("-") or not one and args[1:] not in ([], ["--dice"], ["--mails"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(args[0], "rb") as f:
            log = Log(f.read(), keygen)
    except OSError as e:
        print("cannot read or run: %s" % e, file=sys.stderr)
        return 2
    except Fault as e:
        print("BAD: %s" % e)
        return 1
    if args[1:] == ["--dice"]:
        for step, seed in sorted(log.seeds.items()):
            print(step, seed.hex())
    elif args[1:] == ["--mails"]:
        for row in mails(log):
            print(*row)
    elif one:
        step, faces = int(args[2]), int(args[4]) if len(args) == 5 else 6
        if step not in log.seeds or not 1 <= faces < 1 << 32:
            print("there is no seed of step %d in this log, or no die of %d faces" % (step, faces), file=sys.stderr)
            return 2
        key, rejected, word, face = die(log.seeds[step], args[3], faces)
        print("key %s\nrejected %s\nword %d\nface %d" % (key.hex(), rejected, word, face))
    else:
        print("GOOD: %d entries, %d seeds, %d openings" % (len(log.entries), len(log.seeds), log.opened))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
