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
    attempt, limit = 0, 2**64 - 2**64 % sides
    while True:
        drawn = int.from_bytes(hmac.new(seed, place + u64(attempt), hashlib.sha256).digest()[:8], "big")
        if drawn < limit:
            return drawn % sides + 1
        attempt += 1


def verify(lines):
    """Every fault as (event, what)."""
    faults, head, seq, sessions = [], bytes(32), 0, {}
    thrown, hidden = {"server": 0, "secret": 0}, set()
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
            hidden = {"server", "secret"}
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
        data, session = event["data"], event["session"]
        if event["type"] == "campaign.session_opened":
            sessions[session] = {
                "server": data["commitment"],
                "secret": data.get("secret_commitment"),
                "entropy": [],
                "dice": [],
            }
        if event["type"] == "campaign.entropy_added" and session in sessions:
            sessions[session]["entropy"].append((data["member"], data["entropy"]))
        for roll in event["rolls"]:
            row = roll["source"]
            if row != "declared":
                if roll["index"] < thrown[row] or (roll["index"] > thrown[row] and row not in hidden):
                    faults.append((number, "die thrown before, or missing"))
                hidden.discard(row)
                thrown[row] = max(thrown[row], roll["index"] + len(roll["faces"]))
                if session in sessions:
                    sessions[session]["dice"].append((number, roll, blended(sessions[session]["entropy"])))
                elif not any("salt" not in one for one in events):
                    faults.append((number, "die outside of any session"))
        row = {"campaign.session_closed": "server", "campaign.secret_dice_revealed": "secret"}.get(event["type"])
        if row and session in sessions:
            known, seed = sessions[session], bytes.fromhex(data["seed"])
            if hashlib.sha256(seed).hexdigest() != known[row]:
                faults.append((number, "seed"))
            for at, roll, mixed in known["dice"]:
                if roll["source"] != row:
                    continue
                for offset, shown in enumerate(roll["faces"]):
                    if due(seed, campaign, session, mixed, roll["index"] + offset, roll["sides"]) != shown:
                        faults.append((at, "die"))
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
