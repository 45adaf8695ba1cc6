"""Where faces come from: the server's committed rows of dice, or faces declared at the table.

A decision throws dice through `Dice` and puts every roll it made into a fact. Nothing here is random: a server's face
is a function of a secret seed of the session and of its place in the row.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from hmac import digest as hmac_digest
from typing import Literal, Protocol

from msgspec import Struct

from domain.kernel.refusal import DICE_REQUIRED, INVALID_DIE, TOO_MANY_FACES, Refusal
from events.envelope import Roll

MOST_SIDES = 2**32
Keep = Callable[[tuple[int, ...]], tuple[int, ...]]
"""Which of the faces count, such as `highest`."""


def everything(faces: tuple[int, ...]) -> tuple[int, ...]:
    return faces


def highest(faces: tuple[int, ...]) -> tuple[int, ...]:
    return (max(faces),)


def lowest(faces: tuple[int, ...]) -> tuple[int, ...]:
    return (min(faces),)


class Dice(Protocol):
    """The dice of one command."""

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        """Throw `count` dice of `sides` sides. The roll must stand in exactly one of the facts decided.

        `secret` when not everybody may see that fact: such a die must not be recomputed from what everybody learns.
        """
        ...

    @property
    def thrown(self) -> int:
        """How many dice fell so far."""
        ...

    def done(self) -> None:
        """The decision is made. Refuses when declared faces are left over."""
        ...


def face(seed: bytes, campaign: str, session: int, entropy: bytes, index: int, sides: int) -> int:
    """Face number `index` of the row, 1..sides, without bias.

    HMAC-SHA256 under the seed of campaign, session, what the members added, the index, and a counter; a draw beyond
    the largest multiple of `sides` below 2^64 is rejected and the counter goes on. Raises `ValueError` for what is no
    die or no place.
    """
    if not (1 <= sides <= MOST_SIDES and 0 <= index < 2**63):
        raise ValueError(f"there is no die of {sides} sides at place {index}")
    name = campaign.encode()
    place = b"greffier/die/1" + len(name).to_bytes(8) + name + session.to_bytes(8) + entropy + index.to_bytes(8)
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        draw = int.from_bytes(hmac_digest(seed, place + attempt.to_bytes(8), "sha256")[:8])
        if draw < limit:
            return draw % sides + 1
        attempt += 1


def veil(seed: bytes, campaign: str, session: int, index: int) -> int:
    """The name under which place `index` of the secret row is told, below 2^48: whoever sees one of its dice must not
    learn how many fell before."""
    name = campaign.encode()
    place = b"greffier/place/1" + len(name).to_bytes(8) + name + session.to_bytes(8) + index.to_bytes(8)
    return int.from_bytes(hmac_digest(seed, place, "sha256")[:6])


def commitment(seed: bytes) -> str:
    """What is published of a seed before it is revealed."""
    return sha256(seed).hexdigest()


def blend(entropies: Sequence[tuple[str, str]]) -> bytes:
    """32 bytes out of what the members `(member, text)` added, in that order."""
    mixed = sha256(b"greffier/entropy/1")
    for member, text in entropies:
        for part in (member.encode(), text.encode()):
            mixed.update(len(part).to_bytes(8) + part)
    return mixed.digest()


class Row(Struct, frozen=True):
    """Faces that a seed fixed in advance; `index` is the place of the next one."""

    seed: bytes
    index: int


class ServerDice:
    """The two rows of faces that the session's seeds fixed in advance: the open one, and the secret one."""

    def __init__(self, campaign: str, session: int, entropy: bytes, row: Row, secret: Row | None = None) -> None:
        self._place = (campaign, session, entropy)
        self._rows: dict[Literal["server", "secret"], Row] = {"server": row}
        if secret is not None:
            self._rows["secret"] = secret
        self.thrown = 0

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        source: Literal["server", "secret"] = "secret" if secret and "secret" in self._rows else "server"
        row = self._rows[source]
        faces = tuple(face(row.seed, *self._place, n, sides) for n in range(row.index, row.index + count))
        self._rows[source] = Row(row.seed, row.index + count)
        self.thrown += count
        told = row.index if source == "server" else veil(row.seed, *self._place[:2], row.index)
        return Roll(purpose, sides, faces, keep(faces) if faces else (), source, told)

    def done(self) -> None:
        """Nothing can be left over: the rows have no end."""


class DeclaredDice:
    """Faces thrown with real dice, in the order they are consumed. Not one more, not one less."""

    def __init__(
        self,
        faces: Sequence[int],
        *,
        too_few: Refusal = DICE_REQUIRED,
        too_many: Refusal = TOO_MANY_FACES,
        impossible: Refusal = INVALID_DIE,
    ) -> None:
        self._faces = tuple(faces)
        self._next = 0
        self._too_few, self._too_many, self._impossible = too_few, too_many, impossible

    @property
    def thrown(self) -> int:
        return self._next

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        faces = self._faces[self._next : self._next + count]
        for shown in faces:
            if not 1 <= shown <= sides:
                self._impossible.because(sides=sides, face=shown)
        if len(faces) < count:
            self._too_few.because(sides=sides, purpose=purpose, real=real_dice(sides), given=len(self._faces))
        self._next += count
        return Roll(purpose, sides, faces, keep(faces) if faces else (), "declared")

    def done(self) -> None:
        if self._next < len(self._faces):
            self._too_many.because(given=len(self._faces), used=self._next)


class NoDice:
    """Where no die may fall: refuses the first throw with the refusal given, and uses nothing up."""

    thrown = 0

    def __init__(self, refusal: Refusal, **params: str) -> None:
        self._refusal, self._params = refusal, params

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        if count:
            self._refusal.because(sides=sides, purpose=purpose, real=real_dice(sides), **self._params)
        return Roll(purpose, sides, (), (), "declared")

    def done(self) -> None:
        """Nothing was given, so nothing is left over."""


Real = Literal["d6", "d6 or coin", "d10 (throw a 10 again)", "d2 then d8", "d4 then d8"]
_REAL: dict[int, Real] = {
    2: "d6 or coin",
    3: "d6",
    9: "d10 (throw a 10 again)",
    16: "d2 then d8",
    32: "d4 then d8",
}


def real_dice(sides: int) -> str:
    """LB-0.12: the dice to throw for a size nobody owns; the table converts and declares 1..sides."""
    return _REAL.get(sides, f"d{sides}")
