"""The script of the demo: one true example of every kind of action."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct


class Step(Struct, frozen=True):
    """One command: who gives it, what it is, and the refusal that the rules owe it, if any."""

    by: str
    kind: str
    fields: dict[str, Any]
    refused: str = ""
    heading: str = ""


def step(by: str, kind: str, /, *, refused: str = "", heading: str = "", **fields: Any) -> Step:
    return Step(by, kind, fields, refused, heading)


def steps(member: Callable[[str], str]) -> Iterator[Step]:
    """The whole session. `member` answers the id of somebody at the table."""
    yield from arrival(member)
    yield from belongings()
    yield from talk(member)
    yield from server_dice()


def arrival(member: Callable[[str], str]) -> Iterator[Step]:
    sheet = {"system": "dnd35"}
    yield step("gm", "campaign.rename", name="La Brume — démonstration", heading="La table")
    yield step(
        "gm", "campaign.narrate", text="Le brouillard monte du fleuve ; l'auberge du Greffier est encore éclairée."
    )
    yield step("gm", "campaign.create_character", name="Ombre", id="ombre", kind="non_player", hidden=True, sheet=sheet)
    yield step("ayla", "campaign.set_owner", character="ombre", owner=member("ayla"), refused="NOT_GM")


def belongings() -> Iterator[Step]:
    yield step("gm", "campaign.grant", character="ombre", coins=50, items={"corde": 1}, reason="bourse")


def talk(member: Callable[[str], str]) -> Iterator[Step]:
    yield step("ayla", "campaign.whisper", to=[member("bonk")], text="Quelqu'un nous suit.", heading="La parole")
    yield step("gm", "campaign.gm_note", text="L'ombre est la cousine du tavernier.")
    yield step("zoe", "campaign.say", text="Je regarde.", refused="ROLE_FORBIDS")


def server_dice() -> Iterator[Step]:
    """The server's dice: committed to, added to, thrown, revealed."""
    yield step("gm", "campaign.set_dice_mode", dice_mode="server", heading="Les dés du serveur")
    yield step("ayla", "campaign.roll", expression="1d20", refused="SESSION_NOT_OPEN")
    yield step("gm", "campaign.open_session", title="La première nuit")
    yield step("ayla", "campaign.add_entropy", entropy="trois petits chats")
    yield step("bonk", "campaign.add_entropy", entropy="chapeau de paille")
    yield step("ayla", "campaign.roll", expression="1d20+2 pour écouter")
    yield step("bonk", "campaign.roll", expression="4d6kh3")
    yield step("bonk", "campaign.roll", expression="2d20kh1 avec avantage")
    yield step("ayla", "campaign.roll", expression="1d20khmin10", refused="BAD_NOTATION")
    yield step("ayla", "campaign.roll", expression="1d20", dice=[20], refused="DICE_NOT_ALLOWED")
    yield step("gm", "campaign.roll", expression="1d% en secret", secret=True)
    yield step("ayla", "campaign.add_entropy", entropy="trop tard", refused="DICE_ALREADY_FELL")
    yield step("gm", "campaign.close_session")
