"""Verifying an export without the server: chain, digests, every die that can be recomputed, what the rules let pass."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.book import EVOLVE
from domain.kernel.dice import blend, commitment, face
from domain.kernel.fold import State, Unfoldable, fold, state_hash
from events.codec import Unreadable
from services.client.checking import Checker, body_of
from services.states import CODEC

MOST_ERRORS = 100


class Fault(Struct, frozen=True):
    """What is wrong, at which line of the file and which event."""

    line: int
    seq: int | None
    what: str


class Report(Struct):
    """What a file shows. `sealed` events could be checked only as links; `declared` dice are told, not provable.

    Unproved are the dice of a session that is open still, and the secret ones for whoever may not learn their seed.
    """

    campaign: str = ""
    events: int = 0
    sealed: int = 0
    sessions: int = 0
    server_dice: int = 0
    unproved_dice: int = 0
    declared_dice: int = 0
    overrides: list[str] = []
    corrections: list[str] = []
    head: str = ""
    state_hash: str | None = None
    faults: list[Fault] = []

    @property
    def ok(self) -> bool:
        return not self.faults


def _header(line: bytes) -> dict[str, Any] | None:
    """The first line of an export, or None for a line of something else."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    ours = isinstance(found, dict) and found.get("format") == "greffier/export/1"
    return found if ours and {"campaign", "seq", "hash"} <= found.keys() else None


class _Session(Struct):
    """By row, `server` or `secret`: what was committed to, and the dice that fell.

    A die depends on what the members had added when it fell.
    """

    commitments: dict[str, str]
    entropy: list[tuple[str, str]]
    dice: dict[str, list[tuple[int, int, int, tuple[int, ...], int, bytes]]]
    """Line, event, first index, faces, sides, what the members had added."""

    @property
    def count(self) -> int:
        return sum(len(faces) for row in self.dice.values() for _, _, _, faces, _, _ in row)


def verify(path: Path, progress: Callable[[int], None] | None = None) -> Report:
    """Check an export file line by line; memory grows with the state and with the dice of one session only."""
    with path.open("rb") as file:
        return verify_lines(file, progress)


def verify_lines(lines: Iterable[bytes], progress: Callable[[int], None] | None = None) -> Report:
    return _Verifier(progress).run(lines)


class _Verifier:
    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self._progress = progress
        self._report = Report()
        self._sessions: dict[int, _Session] = {}
        self._next_die = {"server": 0, "secret": 0}
        self._may_hide_dice: set[str] = set()
        self._state: State | None = {}

    def run(self, lines: Iterable[bytes]) -> Report:
        report, header, checker = self._report, None, None
        for number, line in enumerate(lines, 1):
            if checker is None:
                header = _header(line)
                if header is None:
                    self._fault(number, None, "this is no export of Greffier")
                    return report
                report.campaign = header["campaign"]
                checker = Checker(report.campaign)
                continue
            try:
                content = msgspec.json.decode(line)
                if wrong := checker.take(content):
                    self._fault(number, content["seq"], wrong)
                self._event(number, content)
            except (msgspec.MsgspecError, KeyError, ValueError, TypeError, AttributeError) as error:
                cut = not line.endswith(b"\n")
                self._fault(number, None, "the file is cut within this line" if cut else f"unreadable: {error}")
            if len(report.faults) >= MOST_ERRORS:
                return report
            if self._progress is not None:
                self._progress(report.events)
        if header is None or checker is None:
            self._fault(1, None, "the file is empty")
            return report
        self._ended(number, header, checker)
        return report

    def _ended(self, line: int, header: dict[str, Any], checker: Checker) -> None:
        report = self._report
        report.head = checker.head.hex()
        if (header["seq"], header["hash"]) != (checker.seq, report.head):
            self._fault(line, checker.seq, self._where_it_ends(header, checker))
        for session in self._sessions.values():
            report.unproved_dice += session.count
        if self._state is not None and not report.sealed:
            report.state_hash = state_hash(self._state).hex()

    @staticmethod
    def _where_it_ends(header: dict[str, Any], checker: Checker) -> str:
        if header["seq"] == checker.seq:
            return f"the first line promises another hash of event {checker.seq}, the last one there is"
        return f"the file ends after event {checker.seq}, and its first line promises {header['seq']}"

    def _event(self, line: int, event: dict[str, Any]) -> None:
        report = self._report
        report.events += 1
        if "salt" not in event:
            report.sealed += 1
            self._state = None
            self._may_hide_dice = {"server", "secret"}
            return
        seq, data = event["seq"], event["data"]
        kind, number = event["type"], event["session"]
        if kind == "campaign.session_opened":
            report.sessions += 1
            commitments = {"server": data["commitment"], "secret": data.get("secret_commitment", "")}
            self._sessions[number] = _Session(commitments, [], {"server": [], "secret": []})
        elif kind == "campaign.entropy_added" and number in self._sessions:
            self._sessions[number].entropy.append((data["member"], data["entropy"]))
        elif kind == "campaign.refusal_overridden":
            report.overrides.append(f"{seq}: {data['code']} ({data['reason']})")
        elif kind == "campaign.number_corrected":
            report.corrections.append(
                f"{seq}: {data['character']} {data['field']} {data['before']} → {data['after']} ({data['reason']})"
            )
        self._dice(line, event)
        if kind == "campaign.secret_dice_revealed":
            self._reveal("secret", line, seq, data)
        if kind == "campaign.session_closed":
            self._reveal("server", line, seq, data)
            if ended := self._sessions.pop(data["session"], None):
                report.unproved_dice += ended.count
        self._fold(line, event)

    def _dice(self, line: int, event: dict[str, Any]) -> None:
        for roll in event["rolls"]:
            faces, source = tuple(roll["faces"]), roll["source"]
            if source == "declared":
                self._report.declared_dice += len(faces)
                continue
            due = self._next_die[source]
            if roll["index"] < due:
                self._fault(line, event["seq"], f"die {roll['index']} was thrown before")
            elif roll["index"] > due and source not in self._may_hide_dice:
                self._fault(line, event["seq"], f"die {due} is missing")
            self._may_hide_dice.discard(source)
            self._next_die[source] = max(due, roll["index"] + len(faces))
            session = self._sessions.get(event["session"])
            if session is None and self._report.sealed:
                self._report.unproved_dice += len(faces)
                continue
            if session is None:
                self._fault(line, event["seq"], "a server die fell outside of any session")
                continue
            added = blend(session.entropy)
            session.dice[source].append((line, event["seq"], roll["index"], faces, roll["sides"], added))

    def _reveal(self, row: str, line: int, seq: int, data: dict[str, Any]) -> None:
        """The seed is known: every die of this row of the session can be recomputed."""
        session = self._sessions.get(data["session"])
        if session is None:
            return
        seed = bytes.fromhex(data["seed"])
        if commitment(seed) != session.commitments[row]:
            self._fault(line, seq, "the seed is not the one that was committed to")
        dice, session.dice[row] = session.dice[row], []
        for at, event, first, faces, sides, entropy in dice:
            self._report.server_dice += len(faces)
            for offset, shown in enumerate(faces):
                due = face(seed, self._report.campaign, data["session"], entropy, first + offset, sides)
                if due != shown:
                    self._fault(at, event, f"die {first + offset} shows {shown}, and the seed gives {due}")

    def _fold(self, line: int, event: dict[str, Any]) -> None:
        if self._state is None:
            return
        try:
            fact = CODEC.decode(event["type"], event["version"], body_of(event)).fact
            self._state = fold(EVOLVE, self._state, [fact])
        except (Unreadable, Unfoldable) as error:
            self._fault(line, event["seq"], str(error))
            self._state = None

    def _fault(self, line: int, seq: int | None, what: str) -> None:
        self._report.faults.append(Fault(line, seq, what))
