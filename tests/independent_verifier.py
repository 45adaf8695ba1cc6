"""Checks an export of Greffier with nothing but Python's standard library, and nothing of the project.

    python tests/independent_verifier.py FILE

Prints what is wrong, event by event, and answers 1; or says that all is well and answers 0.
"""

import hashlib
import hmac
import json
import sys
from datetime import datetime

SEALED = {"seq", "at", "digest"}
AROUND = {"at", "digest", "hash", "salt", "seq", "struck"}


def u64(number):
    return number.to_bytes(8, "big")


def micros(text):
    whole, part = text[:-1].split(".")
    return int(datetime.fromisoformat(whole + "+00:00").timestamp()) * 1_000_000 + int(part)


def blended(entropy):
    mixed = hashlib.sha256(b"greffier/entropy/1")
    for pair in entropy:
        for text in pair:
            mixed.update(u64(len(text.encode())) + text.encode())
    return mixed.digest()


def due(seed, campaign, session, entropy, index, sides):
    name = campaign.encode()
    place = b"greffier/die/1" + u64(len(name)) + name + u64(session) + entropy + u64(index)
    if not (1 <= sides <= 2**32 and 0 <= index < 2**63):
        return None
    attempt, limit = 0, 2**64 - 2**64 % sides
    while True:
        drawn = int.from_bytes(hmac.new(seed, place + u64(attempt), hashlib.sha256).digest()[:8], "big")
        if drawn < limit:
            return drawn % sides + 1
        attempt += 1


def veiled(seed, campaign, session, index):
    name = campaign.encode()
    place = b"greffier/place/1" + u64(len(name)) + name + u64(session) + u64(index)
    return int.from_bytes(hmac.new(seed, place, hashlib.sha256).digest()[:6], "big")


def places(seed, campaign, session, dice, first, most):
    """The place in the secret row of each roll, in order; None for one that has none. Commands follow without gap."""
    found, index, commands = [None] * len(dice), first, []
    for at, (_, roll, _, command) in enumerate(dice):
        if not commands or commands[-1][0] != command:
            commands.append((command, []))
        if roll["faces"]:
            commands[-1][1].append(at)
    for _, waiting in commands:
        unseen = 0
        while waiting and unseen <= most:
            told = veiled(seed, campaign, session, index)
            at = next((one for one in waiting if dice[one][1]["index"] == told), None)
            if at is None:
                index, unseen = index + 1, unseen + 1
            else:
                waiting.remove(at)
                found[at], index, unseen = index, index + len(dice[at][1]["faces"]), 0
    return found


def in_order(dice, thrown, hidden, faults):
    """The open row's dice of one command, told in any order."""
    for number, roll in sorted(dice, key=lambda one: one[1]["index"]):
        if roll["index"] < thrown or (roll["index"] > thrown and not hidden):
            faults.append((number, "die thrown before, or missing"))
        hidden = False
        thrown = max(thrown, roll["index"] + len(roll["faces"]))
    return thrown


def verify(lines):
    """Every fault as (event, what)."""
    faults, head, seq, sessions, last = [], bytes(32), 0, {}, 0
    thrown, secret, hidden, erased, apart, mode, command, dice = 0, 0, False, False, False, "server", "", []
    first, *events = (json.loads(line) for line in lines)
    campaign = first["campaign"]
    name = campaign.encode()
    for event in events:
        number, digest = event["seq"], bytes.fromhex(event["digest"])
        if number != seq + 1:
            faults.append((number, "out of order"))
        seq = number
        link = b"greffier/link/1" + u64(len(name)) + name + u64(number) + u64(micros(event["at"])) + head + digest
        head = hashlib.sha256(link).digest()
        if "salt" not in event:
            erased, hidden = erased or "erased" in event, hidden or "erased" in event or not apart
            if set(event) not in (SEALED, SEALED | {"hash", "erased"}):
                faults.append((number, "content without salt"))
            continue
        body = {key: value for key, value in event.items() if key not in AROUND}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        content = b"greffier/event/1" + bytes.fromhex(event["salt"]) + u64(len(text)) + text
        if hashlib.sha256(content).digest() != digest:
            faults.append((number, "content"))
        if event["hash"] != head.hex():
            faults.append((number, "chain"))
            head = bytes.fromhex(event["hash"])
        if event["command"] != command:
            thrown = in_order(dice, thrown, hidden, faults)
            command, hidden, dice = event["command"], hidden and not dice, []
        data, session = event["data"], event["session"]
        if event["type"] in ("campaign.opened", "campaign.dice_mode_set"):
            mode = data["dice_mode"]
        if event["type"] == "campaign.session_opened":
            if sessions or data["session"] != last + 1:
                faults.append((number, "session out of turn"))
            last = data["session"]
            apart = bool(data.get("secret_commitment"))
            sessions[session] = {
                "server": data["commitment"],
                "secret": data.get("secret_commitment"),
                "first": secret,
                "entropy": [],
                "dice": [],
                "revealed": False,
            }
        if event["type"] == "campaign.entropy_added" and session in sessions:
            if any(roll["source"] == "server" for _, roll, _, _ in sessions[session]["dice"]):
                faults.append((number, "words added after the first die"))
            sessions[session]["entropy"].append((data["member"], data["entropy"]))
        for roll in event["rolls"]:
            row = roll["source"]
            if row == "declared":
                if mode == "server" and not event["type"].startswith("dnd35."):
                    faults.append((number, "declared where the server throws"))
                continue
            if any(roll["kept"].count(one) > roll["faces"].count(one) for one in roll["kept"]):
                faults.append((number, "a face counts that did not fall"))
            if session not in sessions or sessions[session]["revealed"]:
                if not erased:
                    faults.append((number, "die outside of any session"))
                continue
            known = sessions[session]
            if row != ("server" if event["audience"] == "table" or not known["secret"] else "secret"):
                faults.append((number, "die of the wrong row"))
            known["dice"].append((number, roll, blended(known["entropy"]), command))
            if row == "server":
                dice.append((number, roll))
            else:
                secret += len(roll["faces"])
        row = {"campaign.session_closed": "server", "campaign.secret_dice_revealed": "secret"}.get(event["type"])
        if row and session in sessions:
            known, seed = sessions[session], bytes.fromhex(data["seed"])
            if hashlib.sha256(seed).hexdigest() != known[row]:
                faults.append((number, "seed"))
            mine = [one for one in known["dice"] if one[1]["source"] == row]
            known["dice"] = [one for one in known["dice"] if one[1]["source"] != row]
            at_places = [roll["index"] for _, roll, _, _ in mine]
            if row == "secret":
                at_places = places(seed, campaign, session, mine, known["first"], 100_000 if erased else 0)
            for (at, roll, mixed, _), place in zip(mine, at_places, strict=True):
                if place is None and roll["faces"]:
                    faults.append((at, "secret die out of turn"))
                for offset, shown in enumerate(roll["faces"] if place is not None else ()):
                    if due(seed, campaign, session, mixed, place + offset, roll["sides"]) != shown:
                        faults.append((at, "die"))
            known["revealed"] = True
        if event["type"] == "campaign.session_closed":
            ended = sessions.pop(session, None)
            if ended and first.get("role") == "gm" and any(one[1]["source"] == "secret" for one in ended["dice"]):
                faults.append((number, "secret seed not revealed"))
    in_order(dice, thrown, hidden, faults)
    if (first["seq"], first["hash"]) != (seq, head.hex()):
        faults.append((seq, "end"))
    return faults


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        found = verify(file)
    for at, what in found:
        print(f"event {at}: {what}")
    print("broken" if found else "all is well")
    sys.exit(1 if found else 0)
