"""The typed answer to an illegal command: a stable code, the rule that refuses, and what would help."""

from typing import NoReturn

from msgspec import Struct

Param = str | int | bool | None | list[str] | list[int]


class Refusal(Struct, frozen=True):
    """One reason to refuse.

    `sentence` is English and a message id of the catalogues: it says what is wrong and what to do, with
    `{parameters}`. `overridable` is for rulings, never for impossibilities. `status` is the HTTP status.
    """

    code: str
    sentence: str
    overridable: bool = False
    status: int = 422

    def because(self, rule: str | None = None, **params: Param) -> NoReturn:
        """Refuse. `rule` is the catalogue's identifier."""
        raise Refused(self, rule, params)


class Refused(Exception):
    """A command was refused: nothing changed and no die fell."""

    def __init__(self, refusal: Refusal, rule: str | None = None, params: dict[str, Param] | None = None) -> None:
        super().__init__(refusal.code)
        self.refusal, self.rule, self.params = refusal, rule, params or {}

    @property
    def code(self) -> str:
        return self.refusal.code


def require(holds: object, refusal: Refusal, rule: str | None = None, **params: Param) -> None:
    """Refuse unless `holds`. For what the game master may override, ask the context instead."""
    if not holds:
        refusal.because(rule, **params)


# Refusals that any table knows. Each system lists its own in its `refusals.py`.

NOT_GM = Refusal("NOT_GM", "Only the game master may do this.", status=403)
NOT_OWNER = Refusal("NOT_OWNER", "{character} is not yours to play.", status=403)
ROLE_FORBIDS = Refusal("ROLE_FORBIDS", "A {role} may not do this.", status=403)
SCOPE_FORBIDS = Refusal("SCOPE_FORBIDS", "This token does not allow it; it needs the scope {scope}.", status=403)
UNKNOWN_CHARACTER = Refusal("UNKNOWN_CHARACTER", "There is no character with the id {character} at this table.")
CHARACTER_RETIRED = Refusal("CHARACTER_RETIRED", "{character} has left play.", overridable=True)
CHARACTER_DEAD = Refusal(
    "CHARACTER_DEAD", "{character} is dead: only the game master can bring it back.", overridable=True
)
CHARACTER_DOWN = Refusal("CHARACTER_DOWN", "{character} is down: it gets up before this.", overridable=True)
WRONG_SYSTEM = Refusal("WRONG_SYSTEM", "{character} is not played with the rules of {system}.")
SYSTEM_NOT_PLAYED = Refusal("SYSTEM_NOT_PLAYED", "This campaign does not play {system}; its systems are {systems}.")
DICE_NOT_ALLOWED = Refusal(
    "DICE_NOT_ALLOWED", "In this campaign the {mode} throws the dice: send the command without faces."
)
DICE_REQUIRED = Refusal(
    "DICE_REQUIRED", "A {sides}-sided die is due ({purpose}): throw {real} and send the face in “dice”."
)
TOO_MANY_FACES = Refusal("TOO_MANY_FACES", "{given} faces were given and only {used} are thrown.")
INVALID_DIE = Refusal("INVALID_DIE", "A {sides}-sided die cannot show {face}.")
DERIVED_FIELD = Refusal("DERIVED_FIELD", "{field} follows from other numbers: correct those instead.")
SEED_LOST = Refusal("SEED_LOST", "A seed of this session cannot be found in the server's store.", status=503)
SESSION_NOT_OPEN = Refusal(
    "SESSION_NOT_OPEN", "The server's dice fall only during a session: the game master opens one first."
)
