"""Opening a campaign and changing what the table agreed on."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from domain.campaign.systems import SYSTEMS
from domain.kernel.charter import charter
from domain.kernel.command import Command, Context, Deciders, Name, gm
from domain.kernel.fold import State
from domain.kernel.refusal import Refusal, require
from domain.kernel.settings import Known, check
from events.envelope import Fact
from events.table import (
    CampaignOpened,
    CampaignRenamed,
    DiceMode,
    DiceModeSet,
    MemberJoined,
    Setting,
    SettingsChanged,
)

OF_EVERY_TABLE = (Known("players_create_characters", "flag"),)

SettingValue = Annotated[str, Meta(max_length=200)] | Annotated[int, Meta(ge=-(10**9), le=10**9)] | bool
SettingName = Annotated[str, Meta(min_length=1, max_length=160, pattern=r"^[^\x00-\x1f\x7f]+$")]
Settings = Annotated[dict[SettingName, SettingValue], Meta(max_length=200)]
Locale = Literal["fr", "en"]
SystemName = Literal["legends", "d100", "dnd35"]
"""Those that campaigns may name, also before a build plays them; `SYSTEMS` are those of this build."""


class OpenCampaign(Command, frozen=True, tag="campaign.open"):
    """The first command of a campaign; whoever gives it becomes its first game master."""

    name: Name
    systems: Annotated[tuple[SystemName, ...], Meta(min_length=1, max_length=3)] = ("legends",)
    locale: Locale = "fr"
    dice_mode: DiceMode = "server"
    settings: Settings = {}


class RenameCampaign(Command, frozen=True, tag="campaign.rename"):
    name: Name


class ChangeSettings(Command, frozen=True, tag="campaign.change_settings"):
    """Settings of the rules, by the key their rule book gives them. Earlier events keep what was in force."""

    settings: Annotated[dict[SettingName, SettingValue], Meta(min_length=1, max_length=200)]


class SetDiceMode(Command, frozen=True, tag="campaign.set_dice_mode"):
    """`server`: committed server dice. `table`: whoever rolls declares. `gm`: the game master declares all rolls."""

    dice_mode: DiceMode


def open_campaign(_: State, command: OpenCampaign, context: Context) -> Iterable[Fact]:
    systems = tuple(dict.fromkeys(command.systems))
    check(command.settings, known(systems))
    return [
        CampaignOpened(command.name, systems, command.locale, command.dice_mode, dict[str, Setting](command.settings)),
        MemberJoined(context.actor, "gm"),
    ]


def known(systems: Iterable[str]) -> tuple[Known, ...]:
    """What a campaign with these rules may settle."""
    return (*OF_EVERY_TABLE, *(one for name in systems if name in SYSTEMS for one in SYSTEMS[name].settings))


def rename(state: State, command: RenameCampaign, _: Context) -> Iterable[Fact]:
    return [CampaignRenamed(command.name)] if command.name != charter(state).name else []


def change_settings(state: State, command: ChangeSettings, _: Context) -> Iterable[Fact]:
    now = charter(state).settings
    check(command.settings, known(charter(state).systems))
    changed: dict[str, Setting] = {
        name: value
        for name, value in command.settings.items()
        if name not in now or now[name] != value or type(now[name]) is not type(value)
    }
    require(len({**now, **changed}) <= 500, TOO_MANY_SETTINGS)
    return [SettingsChanged(changed)] if changed else []


def set_dice_mode(state: State, command: SetDiceMode, _: Context) -> Iterable[Fact]:
    return [DiceModeSet(command.dice_mode)] if command.dice_mode != charter(state).dice_mode else []


TOO_MANY_SETTINGS = Refusal("TOO_MANY_SETTINGS", "A campaign keeps at most 500 settings.")

DECIDE: Deciders = {
    RenameCampaign: gm(rename),
    ChangeSettings: gm(change_settings),
    SetDiceMode: gm(set_dice_mode),
}
