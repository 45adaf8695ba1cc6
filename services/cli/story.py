"""The script of the demo: one true example of every kind of action."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct


class Step(Struct, frozen=True):
    """One command: who gives it, what it is, and the refusal that the rules owe it, if any.

    A text such as `$check` stands for the id that an earlier event brought under that name.
    """

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
    yield from checks()
    yield from wounds()
    yield from shopping()
    yield from rests()
    yield from levels()
    yield from potions(member)
    yield from talk(member)
    yield from server_dice()


def arrival(member: Callable[[str], str]) -> Iterator[Step]:
    """Who is there. The shadow is hidden: players hold sealed events of it and nothing else."""
    six = {"strength": 10, "dexterity": 12, "constitution": 13, "intelligence": 8, "wisdom": 13, "charisma": 13}
    fog = "Le brouillard monte du fleuve ; une auberge est encore éclairée."
    yield step("gm", "campaign.rename", name="La Brume — démonstration", heading="La table")
    yield step("gm", "campaign.narrate", text=fog)
    yield step(
        "gm",
        "campaign.create_character",
        id="ayla",
        name="Ayla",
        owner=member("ayla"),
        sheet={"system": "legends", "stats": six, "hp_max": 85, "luck_dice": 1},
    )
    yield step(
        "gm",
        "campaign.create_character",
        id="bonk",
        name="Bonk",
        owner=member("bonk"),
        sheet={
            "system": "legends",
            "stats": six | {"strength": 15, "charisma": 9},
            "hp_max": 100,
            "armour": [{"name": "cuirasse", "percent": 30}],
        },
    )
    yield step(
        "gm",
        "campaign.create_character",
        id="ombre",
        name="Ombre",
        kind="non_player",
        hidden=True,
        sheet={"system": "legends", "stats": six, "hp_max": 40},
    )
    yield step("ayla", "campaign.set_owner", character="bonk", owner=member("ayla"), refused="NOT_GM")
    yield step("ayla", "campaign.rename_character", character="ombre", name="Voleur", refused="UNKNOWN_CHARACTER")


def checks() -> Iterator[Step]:
    """LB-1 and LB-2: a king convinced at 18, with and without luck; LB-1.2: fourteen is not more than fourteen."""
    roll = "legends.roll_check"
    yield step("gm", roll, character="ayla", basis="charisma", dc=18, dice=[16], heading="Convaincre un roi")
    yield step("gm", roll, character="ayla", basis="charisma", dc=18, dice=[17])
    yield step("ayla", roll, character="ayla", basis="charisma", dc=5, dice=[17], refused="NOT_GM")
    yield step("gm", "legends.call_check", character="ayla", basis="charisma", dc=18, advantage=True)
    yield step("bonk", roll, character="ayla", check="$check", dice=[9, 14], refused="NOT_OWNER")
    yield step("ayla", roll, character="ayla", check="$check", use_luck_die=True, dice=[9, 14], refused="DICE_REQUIRED")
    yield step("ayla", roll, character="ayla", check="$check", use_luck_die=True, dice=[9, 14, 3])
    yield step(
        "gm", roll, character="ayla", basis="charisma", dc=8, use_luck_die=True, dice=[9, 2], refused="NO_LUCK_DIE"
    )
    yield step("gm", roll, character="bonk", kind="stat", basis="strength", dc=14)


def wounds() -> Iterator[Step]:
    """LB-16.2 and LB-8: armour first, then flesh; a fall, saves, a hand; falling twice kills."""
    wound, save = "legends.take_damage", "legends.roll_death_save"
    yield step("gm", wound, character="bonk", amount=50, cause="gourdin", heading="Une embuscade")
    yield step("gm", wound, character="ayla", amount=79, cause="flèches")
    yield step("gm", wound, character="ayla", amount=20, cause="gourdin")
    yield step("ayla", "legends.buy", character="ayla", item="bread", refused="CHARACTER_DOWN")
    yield step("gm", "legends.begin_turn", character="ayla")
    yield step("ayla", save, character="ayla", dice=[9])
    yield step("ayla", save, character="ayla", dice=[9], refused="SAVE_ALREADY_ROLLED")
    yield step("bonk", "legends.raise_fallen", character="bonk", target="ayla")
    yield step("gm", "legends.heal", character="ayla", cause="potion", amount=12)
    yield step("gm", wound, character="ombre", amount=12, cause="couteau")


def shopping() -> Iterator[Step]:
    """LB-13.3 and LB-14: prices to the coin, and a merchant who cannot refuse."""
    buy, offer = "legends.buy", "legends.open_negotiation"
    yield step("gm", "campaign.grant", character="ayla", coins=2200, reason="solde du roi", heading="Au marché")
    yield step("gm", "campaign.grant", character="bonk", coins=100, items={"corde": 2}, reason="butin")
    yield step("bonk", buy, character="bonk", item="ration_pack_1", refused="INSUFFICIENT_FUNDS")
    yield step("bonk", offer, character="bonk", merchant="Mado")
    yield step("gm", "campaign.correct", character="ayla", field="stats.charisma", value=14, reason="parure")
    yield step("ayla", offer, character="ayla", merchant="Gontran")
    yield step("gm", "legends.decline_negotiation", negotiation="$negotiation", refused="NEGOTIATION_IMPOSED")
    yield step("ayla", "legends.argue", character="ayla", negotiation="$negotiation", text="Nous reviendrons souvent.")
    yield step(
        "gm", "legends.assess_negotiation", negotiation="$negotiation", dc=13, critical=30, success=15, failure=0
    )
    yield step("ayla", "legends.roll_negotiation", character="ayla", negotiation="$negotiation", dice=[11])
    yield step("ayla", buy, character="ayla", item="ration_pack_4", merchant="Gontran")
    yield step("ayla", buy, character="ayla", item="water_1l", quantity=2)
    yield step("ayla", buy, character="ayla", item="bread", quantity=0, refused="INVALID_QUANTITY")
    yield step("ayla", "campaign.give", giver="ayla", taker="bonk", coins=50, items={"survival_ration": 2})
    yield step(
        "bonk", "campaign.offer_trade", giver="bonk", taker="ayla", offer={"items": {"corde": 1}}, ask={"coins": 25}
    )
    yield step("ayla", "campaign.accept_trade", character="ayla", trade="$trade")


def rests() -> Iterator[Step]:
    """LB-12 and LB-13: two naps to a night, and a night costs satiety and water."""
    nap, night, team = "legends.take_short_rest", "legends.take_long_rest", ["ayla", "bonk"]
    yield step("gm", nap, characters=team, heading="La nuit")
    yield step("gm", nap, characters=team)
    yield step("gm", nap, characters=team, refused="NO_SHORT_REST_LEFT")
    yield step("gm", night, characters=team, refused="INSUFFICIENT_SATIETY")
    yield step("ayla", "legends.eat", character="ayla", items=["survival_ration"])
    yield step("bonk", "legends.eat", character="bonk", items=["survival_ration"])
    yield step("gm", night, characters=team)
    yield step("gm", "campaign.advance_clock", hours=8)


def levels() -> Iterator[Step]:
    """LB-15: three hundred points are two levels, a spin and a coin."""
    yield step(
        "gm", "legends.award_experience", character="ayla", amount=300, reason="l'embuscade", heading="Deux niveaux"
    )
    yield step("ayla", "legends.award_levels", character="ayla", reason="svp", refused="NOT_GM")
    yield step("ayla", "legends.spin_wheel", character="ayla", dice=[30])
    yield step("ayla", "legends.spin_wheel", character="ayla", dice=[30], refused="NO_SPIN_OWED")
    yield step("ayla", "legends.assign_stat_point", character="ayla", first="wisdom", second="strength", dice=[1])


def potions(member: Callable[[str], str]) -> Iterator[Step]:
    """HM-12 to HM-16: fly and owl's wisdom in one flask, shaken for a minute, drunk as a mixture (AS-11).

    What became of them is the game master's secret until somebody drinks.
    """
    make, shake = "dnd35.make_potion", "dnd35.shake_flask"
    sheet = {"system": "dnd35", "hp_max": 30, "fortitude": 2}
    yield step(
        "gm",
        "campaign.create_character",
        id="cyrille",
        name="Cyrille",
        owner=member("bonk"),
        sheet=sheet,
        heading="Deux potions dans une fiole",
    )
    yield step("gm", "dnd35.make_flask", holder="cyrille", capacity=50)
    yield step("gm", make, holder="cyrille", flask="$flask", potion="fly")
    yield step("bonk", shake, actor="cyrille", flask="$flask", refused="NothingToMix")
    yield step("gm", make, holder="cyrille", flask="$flask", potion="owls-wisdom")
    yield step("gm", make, holder="cyrille", flask="$flask", potion="jump", refused="FlaskTooSmall")
    yield step("bonk", shake, actor="cyrille", flask="$flask")
    yield step("bonk", shake, actor="cyrille", flask="$flask", refused="AlreadyShakenThisRound")
    yield step("gm", "campaign.advance_clock", rounds=1)
    yield step("gm", shake, actor="cyrille", flask="$flask", rounds=8)
    yield step("gm", "campaign.advance_clock", rounds=1)
    yield step("bonk", shake, actor="cyrille", flask="$flask", dice=[47], refused="PlayersDoNotRoll")
    yield step("gm", shake, actor="cyrille", flask="$flask", dice=[47])
    yield step("gm", "campaign.advance_clock", rounds=1)
    yield step("bonk", "dnd35.drink_layer", drinker="cyrille", flask="$flask", refused="MixtureMustBeDrunkWhole")
    yield step("bonk", "dnd35.take_five_foot_step", character="cyrille")
    yield step("gm", "dnd35.drink_mixture", drinker="cyrille", flask="$flask")
    yield step("gm", "campaign.advance_clock", rounds=50)


def talk(member: Callable[[str], str]) -> Iterator[Step]:
    yield step("ayla", "campaign.say", character="ayla", text="Nous repartons à l'aube.", heading="La parole")
    yield step("ayla", "campaign.whisper", to=[member("bonk")], text="Quelqu'un nous suit.")
    yield step("gm", "campaign.gm_note", text="L'ombre est la cousine du tavernier.")
    yield step("zoe", "campaign.say", text="Je regarde.", refused="ROLE_FORBIDS")
    yield step("gm", "campaign.retire_character", character="bonk", reason="part pour la ville")
    yield step("bonk", "campaign.say", character="bonk", text="Encore un mot.", refused="CHARACTER_RETIRED")
    yield step(
        "gm", "campaign.say", character="bonk", text="Adieu !", override={"reason": "il se retourne une dernière fois"}
    )
    yield step("gm", "campaign.reveal_character", character="ombre")


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
