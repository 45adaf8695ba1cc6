"""Verifying an export without the server: chain, digests, every die that can be recomputed, what the rules let pass."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.book import EVOLVE
from domain.kernel.dice import blend, commitment, face, veil
from domain.kernel.fold import State, Unfoldable, fold, state_hash
from domain.kernel.notation import evaluate, parse
from events.codec import Unreadable
from events.envelope import TABLE
from services.client.checking import Checker, body_of
from services.states import CODEC

MOST_ERRORS = 100
UNREADABLE = (msgspec.MsgspecError, RecursionError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError)
"""What reading a line may end with that somebody made up."""
MOST_UNSEEN = 100_000
"""Secret dice in a row that a reader may not have seen."""
MAY_BE_TYPED_IN = "dnd35."
"""HM-1.3: under these rules the game master may type faces in, whatever the dice mode."""


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


class _Dice(Struct, frozen=True):
    """A roll as it is told, with what the members had added to the session's dice when it fell."""

    line: int
    event: int
    command: str
    index: int
    faces: tuple[int, ...]
    sides: int
    entropy: bytes


class _Session(Struct):
    """By row, `server` or `secret`: what was committed to, and the dice that fell."""

    commitments: dict[str, str]
    entropy: list[tuple[str, str]]
    first_secret: int
    dice: dict[str, list[_Dice]]
    revealed: bool = False

    @property
    def count(self) -> int:
        return sum(len(one.faces) for row in self.dice.values() for one in row)


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
        self._next_die = 0
        self._secret_dice = 0
        self._apart = False
        self._may_hide_dice = False
        self._erased = False
        self._last_session = 0
        self._for_gm = False
        self._dice_mode = "server"
        self._command = ""
        self._thrown: list[_Dice] = []
        """The open row's dice of the command whose events are being read: they are told in any order."""
        self._state: State | None = {}

    def run(self, lines: Iterable[bytes]) -> Report:
        report, header, checker = self._report, None, None
        for number, line in enumerate(lines, 1):
            if checker is None:
                header = _header(line)
                if header is None:
                    self._fault(number, None, "this is no export of Greffier")
                    return report
                report.campaign, self._for_gm = header["campaign"], header.get("role") == "gm"
                checker = Checker(report.campaign)
                continue
            try:
                content = msgspec.json.decode(line)
                if wrong := checker.take(content):
                    self._fault(number, content["seq"], wrong)
                self._event(number, content)
            except UNREADABLE as error:
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
        self._command_ends()
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
            self._erased = self._erased or "erased" in event
            if "erased" in event or not self._apart:
                self._may_hide_dice = True
            return
        if event["command"] != self._command:
            self._command_ends()
            self._command = event["command"]
        seq, data = event["seq"], event["data"]
        kind, number = event["type"], event["session"]
        if kind == "campaign.session_opened":
            report.sessions += 1
            self._opened(line, seq, data)
        elif kind in ("campaign.opened", "campaign.dice_mode_set"):
            self._dice_mode = data["dice_mode"]
        elif kind == "campaign.entropy_added" and number in self._sessions:
            if self._sessions[number].dice["server"]:
                self._fault(line, seq, "words were added to the dice of this session after the first had fallen")
            self._sessions[number].entropy.append((data["member"], data["entropy"]))
        elif kind == "campaign.refusal_overridden":
            report.overrides.append(f"{seq}: {data['code']} ({data['reason']})")
        elif kind == "campaign.number_corrected":
            report.corrections.append(
                f"{seq}: {data['character']} {data['field']} {data['before']} → {data['after']} ({data['reason']})"
            )
        self._dice(line, event)
        if kind == "campaign.dice_rolled":
            self._free_roll(line, event)
        if kind == "campaign.secret_dice_revealed":
            self._reveal("secret", line, seq, data)
        if kind == "campaign.session_closed":
            self._reveal("server", line, seq, data)
            if ended := self._sessions.pop(data["session"], None):
                if self._for_gm and ended.dice["secret"]:
                    self._fault(line, seq, "the seed of the secret dice was not revealed")
                report.unproved_dice += ended.count
        self._fold(line, event)

    def _dice(self, line: int, event: dict[str, Any]) -> None:
        seq, number = event["seq"], event["session"]
        session = self._sessions.get(number)
        for roll in event["rolls"]:
            faces, source = tuple(roll["faces"]), roll["source"]
            if source == "declared":
                self._report.declared_dice += len(faces)
                if self._dice_mode == "server" and not event["type"].startswith(MAY_BE_TYPED_IN):
                    self._fault(line, seq, "faces were declared where the server throws")
                continue
            if not Counter(roll["kept"]) <= Counter(faces):
                self._fault(line, seq, "a face counts that did not fall")
            if session is None or session.revealed:
                if not self._erased:
                    self._fault(line, seq, "a server die fell outside of any session, or after its seed was known")
                self._report.unproved_dice += len(faces)
                continue
            due = "server" if event["audience"] == TABLE or not session.commitments["secret"] else "secret"
            if source != due:
                self._fault(line, seq, f"a die of the row “{source}” in an event where “{due}” is due")
            told = _Dice(line, seq, event["command"], roll["index"], faces, roll["sides"], blend(session.entropy))
            session.dice[source].append(told)
            if source == "server":
                self._thrown.append(told)
            else:
                self._secret_dice += len(faces)

    def _command_ends(self) -> None:
        """The open row goes on without gap from command to command."""
        for one in sorted(self._thrown, key=lambda one: one.index):
            if one.index < self._next_die:
                self._fault(one.line, one.event, f"die {one.index} was thrown before")
            elif one.index > self._next_die and not self._may_hide_dice:
                self._fault(one.line, one.event, f"die {self._next_die} is missing")
            self._may_hide_dice = False
            self._next_die = max(self._next_die, one.index + len(one.faces))
        self._thrown = []

    def _reveal(self, row: str, line: int, seq: int, data: dict[str, Any]) -> None:
        """The seed is known: every die of this row of the session can be recomputed."""
        session = self._sessions.get(data["session"])
        if session is None:
            return
        seed = bytes.fromhex(data["seed"])
        if commitment(seed) != session.commitments[row]:
            self._fault(line, seq, "the seed is not the one that was committed to")
        session.revealed = True
        dice, session.dice[row] = session.dice[row], []
        places = [one.index for one in dice] if row == "server" else self._places(seed, data, session, dice)
        for one, first in zip(dice, places, strict=True):
            self._report.server_dice += len(one.faces)
            if first is None and one.faces:
                self._fault(one.line, one.event, "this secret die did not fall in its turn")
            if first is None:
                continue
            for offset, shown in enumerate(one.faces):
                due = face(seed, self._report.campaign, data["session"], one.entropy, first + offset, one.sides)
                if due != shown:
                    self._fault(one.line, one.event, f"die {first + offset} shows {shown}, and the seed gives {due}")

    def _places(self, seed: bytes, data: dict[str, Any], session: _Session, dice: list[_Dice]) -> list[int | None]:
        """Each secret die's place in its row, None where it has none: command by command, without gap.

        Within a command they are told in any order. Only content that was erased may have held others.
        """
        found: list[int | None] = [None] * len(dice)
        index = session.first_secret
        for _, group in groupby(range(len(dice)), key=lambda at: dice[at].command):
            waiting = [at for at in group if dice[at].faces]
            unseen = 0
            while waiting and unseen <= (MOST_UNSEEN if self._erased else 0):
                told = veil(seed, self._report.campaign, data["session"], index)
                at = next((at for at in waiting if dice[at].index == told), None)
                if at is None:
                    index, unseen = index + 1, unseen + 1
                    continue
                waiting.remove(at)
                found[at], index, unseen = index, index + len(dice[at].faces), 0
        return found

    def _opened(self, line: int, seq: int, data: dict[str, Any]) -> None:
        """One session after the other, each with dice of its own."""
        number = data["session"]
        if self._sessions or number != self._last_session + 1:
            self._fault(line, seq, f"session {number} opens out of turn")
        self._last_session = number
        commitments = {"server": data["commitment"], "secret": data.get("secret_commitment", "")}
        self._sessions[number] = _Session(commitments, [], self._secret_dice, {"server": [], "secret": []})
        self._apart = bool(commitments["secret"])

    def _free_roll(self, line: int, event: dict[str, Any]) -> None:
        """What a free roll says of its dice follows from them."""
        faces = [face for roll in event["rolls"] for face in roll["faces"]]
        thrown = iter(faces)
        total = evaluate(
            parse(event["data"]["expression"]).tree, lambda count, _: tuple(next(thrown, 0) for _ in range(count))
        ).total
        if total != event["data"]["total"]:
            self._fault(line, event["seq"], f"these dice make {total}, not {event['data']['total']}")

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
