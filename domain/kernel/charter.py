"""What the table agreed on: name, systems, language, who throws the dice, and the settings of its rules."""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, State, begin, on, reducers, the
from events.table import CampaignOpened, CampaignRenamed, DiceMode, DiceModeSet, Setting, SettingsChanged


class Charter(Leaf, frozen=True, tag="charter"):
    """One to a campaign."""

    name: str
    systems: tuple[str, ...]
    locale: str
    dice_mode: DiceMode
    settings: dict[str, Setting]


def charter(state: State) -> Charter:
    return the(state, Charter)


def setting(state: State, name: str, default: Setting) -> Setting:
    """The campaign's own choice where it made one. The value used belongs into the fact that depends on it."""
    return charter(state).settings.get(name, default)


EVOLVE = reducers(
    begin(
        CampaignOpened,
        Charter,
        "",
        lambda told: Charter(told.name, told.systems, told.locale, told.dice_mode, told.settings),
    ),
    on(CampaignRenamed, Charter, "", lambda leaf, told: replace(leaf, name=told.name)),
    on(DiceModeSet, Charter, "", lambda leaf, told: replace(leaf, dice_mode=told.dice_mode)),
    on(
        SettingsChanged,
        Charter,
        "",
        lambda leaf, told: replace(leaf, settings={**leaf.settings, **told.settings}),
    ),
)
