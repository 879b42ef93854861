#!/usr/bin/env python3
"""A second implementation of the countersign protocol, from schemas/protocol.md alone (Python standard library).

  audit.py game.log                  check lines, hashes, chains, links, seeds, seals; one line if all is well
  audit.py game.log --dice           the seed of every step
  audit.py game.log --die STEP NAME  one six-sided die: key, words passed over, word, face
  audit.py --self-test               known answers

Signatures are left to ssh-keygen (`ssh-keygen -Y verify`); the rules of the game to `countersign verify`.
"""
import base64
import hashlib
import json
import struct
import sys

LENGTH = 65536
ZERO = "0" * 64


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
    if len(text) != 64 or any(c not in "0123456789abcdef" for c in text):
        raise Fault("not a hash: %r" % text)
    return bytes.fromhex(text)


def chain_back(table, seat, number, i, x):
    return H("chain", table, seat, number, i, x)


def seal(game, seat, step, slot, salt, content):
    return H("seal", game, seat, step, slot, salt, content)


def step_seed(game, step, links):
    return H("seed", game, step, *[link or b"" for link in links])


def chacha20_block(key, counter):
    """One block of ChaCha20 with a 64-bit counter and a zero 64-bit nonce."""
    def rotl(v, n):
        return ((v << n) | (v >> (32 - n))) & 0xFFFFFFFF

    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
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
    if not text.endswith("\n"):
        raise Fault("a document ends with a line end")
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


class Log:
    def __init__(self, data):
        self.entries, self.docs = [], []
        prev = ZERO
        text = data.decode("utf-8")
        if not text.endswith("\n"):
            raise Fault("the log does not end with a line end")
        for i, line in enumerate(text[:-1].split("\n")):
            entry = json.loads(line)
            if json.dumps(entry, separators=(",", ":"), ensure_ascii=False) != line:
                raise Fault("entry %d is not spelt as the protocol spells it" % i)
            if entry["i"] != i or entry["prev"] != prev:
                raise Fault("entry %d does not follow the one before" % i)
            prev = hashlib.sha256(line.encode()).hexdigest()
            entry["hash"] = prev
            self.entries.append(entry)
        self.check()

    def file_hash(self, entry):
        return H("file", base64.b64decode(entry["file"]), base64.b64decode(entry["sig"]))

    def check(self):
        terms = []
        for entry in self.entries:
            if entry["kind"] == "result":
                break
            terms.append((entry, document(base64.b64decode(entry["file"]).decode())))
        if not terms or terms[0][1]["kind"] != "proposal":
            raise Fault("the log does not begin with a proposal")
        proposal = terms[0][1]
        if proposal["countersign"] != 1:
            raise Fault("version %s; this program reads version 1" % proposal["countersign"])
        self.order = proposal["seats"]
        named = self.file_hash(terms[0][0]).hex()
        accepted = {d["seat"]: (e, d) for e, d in terms[1:]}
        fields, tips = [unhex(named)], {proposal["seat"]: proposal["who"]["chain"]["tip"]}
        for seat in self.order:
            if seat != proposal["seat"]:
                entry, doc = accepted[seat]
                if doc["proposal"] != named:
                    raise Fault("the %s seat accepted another proposal" % seat)
                fields.append(self.file_hash(entry))
                tips[seat] = doc["who"]["chain"]["tip"]
        self.game = H("game", *fields)
        self.table = unhex(proposal["table"])
        self.known = {seat: (0, unhex(tip)) for seat, tip in tips.items()}
        self.seals, self.seeds, self.opened = {}, {}, 0
        step, head, block = 0, None, []
        for i, entry in enumerate(self.entries[len(terms):], len(terms)):
            if entry["kind"] == "file":
                doc = document(base64.b64decode(entry["file"]).decode())
                if (doc["game"], doc["step"], doc["head"]) != (self.game.hex(), step, head):
                    raise Fault("entry %d is bound to another game, step or head" % i)
                block.append((i, entry["seat"], doc))
                continue
            if entry["step"] != step:
                raise Fault("entry %d closes step %s, not %d" % (i, entry["step"], step))
            self.close(i, entry, block)
            step, head, block = step + 1, entry["hash"], []
        if block:
            raise Fault("the log is cut off inside step %d" % step)

    def close(self, i, entry, block):
        links = {}
        for at, seat, doc in block:
            if doc.get("link"):
                links[seat] = self.link(at, seat, entry["step"], unhex(doc["link"]))
            for slot, sealed in (doc.get("seals") or {}).items():
                self.seals[slot, sealed] = (seat, doc["step"])
            for slot, opening in (doc.get("opens") or {}).items():
                self.open(at, seat, slot, opening)
        if entry["seed"] is not None:
            seed = step_seed(self.game, entry["step"], [links.get(seat) for seat in self.order])
            if seed.hex() != entry["seed"]:
                raise Fault("entry %d: the links make the seed %s, not %s" % (i, seed.hex(), entry["seed"]))
            self.seeds[entry["step"]] = seed

    def link(self, at, seat, step, x):
        known_i, known_x = self.known[seat]
        value = x
        for n in range(step, known_i, -1):
            value = chain_back(self.table, seat, 0, n, value)
        if value != known_x or not known_i < step <= LENGTH:
            raise Fault("entry %d: the link is not the one the %s seat committed to" % (at, seat))
        self.known[seat] = (step, x)
        return x

    def open(self, at, seat, slot, opening):
        salt = unhex(opening["salt"])
        for (name, sealed), (owner, step) in self.seals.items():
            if name == slot and owner == seat:
                if seal(self.game, seat, step, slot, salt, opening["content"]).hex() == sealed:
                    self.opened += 1
                    return
        raise Fault("entry %d: the opening of %s fits no seal" % (at, slot))


def self_test():
    # RFC 8439, 2.3.2 uses a nonce; the all-zero key and nonce are its appendix A.1, vector 1.
    block = chacha20_block(bytes(32), 0)
    assert struct.pack("<16I", *block).hex().startswith("76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1a")
    assert H("die", "abc", 7).hex() == hashlib.sha256(
        b"die\0" + struct.pack(">Q", 3) + b"abc" + struct.pack(">Q", 8) + struct.pack(">Q", 7)).hexdigest()
    print("good")


def main(args):
    if args == ["--self-test"]:
        return self_test()
    if not args or args[0].startswith("-"):
        sys.exit(__doc__)
    try:
        with open(args[0], "rb") as f:
            log = Log(f.read())
    except (Fault, ValueError, KeyError, TypeError) as e:
        sys.exit("BAD: %s" % e)
    if args[1:] == ["--dice"]:
        for step, seed in sorted(log.seeds.items()):
            print(step, seed.hex())
    elif len(args) == 4 and args[1] == "--die":
        key, rejected, word, face = die(log.seeds[int(args[2])], args[3])
        print("key %s\nrejected %s\nword %d\nface %d" % (key.hex(), rejected, word, face))
    else:
        print("GOOD: %d entries, %d seeds, %d openings" % (len(log.entries), len(log.seeds), log.opened))


if __name__ == "__main__":
    main(sys.argv[1:])
