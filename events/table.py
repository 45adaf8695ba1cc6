"""Facts any table knows, whatever its rules: members, sessions, cast, belongings, time, talk."""

from typing import Literal

from msgspec import Struct

from events.envelope import GM, Audience, CharacterRef, Fact

Role = Literal["gm", "player", "spectator", "bot"]
Kind = Literal["player", "non_player", "animal", "summon"]
DiceMode = Literal["server", "table", "gm"]
Setting = str | int | bool


class CampaignOpened(Fact, frozen=True, tag="campaign.opened"):
    """The first event of every campaign."""

    name: str
    systems: tuple[str, ...]
    locale: str
    dice_mode: DiceMode
    settings: dict[str, Setting]


class CampaignRenamed(Fact, frozen=True, tag="campaign.renamed"):
    name: str


class SettingsChanged(Fact, frozen=True, tag="campaign.settings_changed"):
    """Only the settings that changed; earlier events keep what was in force."""

    settings: dict[str, Setting]


class DiceModeSet(Fact, frozen=True, tag="campaign.dice_mode_set"):
    dice_mode: DiceMode


class InviteMade(Fact, frozen=True, tag="campaign.invite_made"):
    """`uses` is how many may still join with it; `expires_us` is microseconds since 1970, 0 for never."""

    invite: str
    role: Role
    uses: int
    expires_us: int
    character: CharacterRef | None = None

    @property
    def audience(self) -> Audience:
        return GM


class InviteRevoked(Fact, frozen=True, tag="campaign.invite_revoked"):
    invite: str

    @property
    def audience(self) -> Audience:
        return GM


class MemberJoined(Fact, frozen=True, tag="campaign.member_joined"):
    """Names are no part of events: `member` is a pseudonym whose name stands beside the log and can be erased."""

    member: str
    role: Role
    invite: str | None = None


class MemberRoleChanged(Fact, frozen=True, tag="campaign.member_role_changed"):
    member: str
    role: Role


class MemberRemoved(Fact, frozen=True, tag="campaign.member_removed"):
    """From this very event on the member receives nothing. `left` when they went of their own will."""

    member: str
    left: bool = False


class SessionOpened(Fact, frozen=True, tag="campaign.session_opened"):
    """`commitment` is SHA-256 of the seed of this session's dice, in hexadecimal; `first_die` its first index.

    `secret_commitment` is the same of the dice that not everybody sees; empty where these fell in the same row.
    """

    session: int
    commitment: str
    first_die: int
    title: str = ""
    secret_commitment: str = ""


class EntropyAdded(Fact, frozen=True, tag="campaign.entropy_added"):
    """A member's own contribution to the session's dice, before its first roll."""

    session: int
    member: str
    entropy: str


class SecretDiceRevealed(Fact, frozen=True, tag="campaign.secret_dice_revealed"):
    """The seed of the dice that not everybody saw, to those who may check them: the game masters."""

    session: int
    seed: str

    @property
    def audience(self) -> Audience:
        return GM


class SessionClosed(Fact, frozen=True, tag="campaign.session_closed"):
    """`seed` is revealed, in hexadecimal: every server die that everybody saw can now be recomputed."""

    session: int
    seed: str


class CharacterCreated(Fact, frozen=True, tag="campaign.character_created"):
    character: CharacterRef
    name: str
    kind: Kind
    system: str
    owner: str | None = None
    hidden: bool = False


class CharacterRenamed(Fact, frozen=True, tag="campaign.character_renamed"):
    character: CharacterRef
    name: str


class CharacterOwnerChanged(Fact, frozen=True, tag="campaign.character_owner_changed"):
    character: CharacterRef
    owner: str | None


class CharacterHidden(Fact, frozen=True, tag="campaign.character_hidden"):
    """From here on only the game master and the owner see what concerns this character."""

    character: CharacterRef


class CharacterRevealed(Fact, frozen=True, tag="campaign.character_revealed"):
    """Carries what a client needs to know of somebody it never saw before."""

    character: CharacterRef
    name: str
    kind: Kind
    system: str
    owner: str | None = None


class CharacterRetired(Fact, frozen=True, tag="campaign.character_retired"):
    character: CharacterRef
    reason: str = ""


class CoinsGained(Fact, frozen=True, tag="campaign.coins_gained"):
    """`amount` and `balance` are in the smallest coin of the character's system (MC, or copper pieces)."""

    character: CharacterRef
    amount: int
    balance: int
    cause: str


class CoinsSpent(Fact, frozen=True, tag="campaign.coins_spent"):
    """`amount` and `balance` are in the smallest coin of the character's system (MC, or copper pieces)."""

    character: CharacterRef
    amount: int
    balance: int
    cause: str


class CoinsGiven(Fact, frozen=True, tag="campaign.coins_given"):
    """From one purse to another; the balances are those after."""

    giver: CharacterRef
    taker: CharacterRef
    amount: int
    giver_balance: int
    taker_balance: int
    cause: str = "gift"


class ItemsGained(Fact, frozen=True, tag="campaign.items_gained"):
    """`item` is a key of the rules or a name the game master gave; `held` is how many are held after."""

    character: CharacterRef
    item: str
    quantity: int
    held: int
    cause: str


class ItemsSpent(Fact, frozen=True, tag="campaign.items_spent"):
    character: CharacterRef
    item: str
    quantity: int
    held: int
    cause: str


class ItemsGiven(Fact, frozen=True, tag="campaign.items_given"):
    giver: CharacterRef
    taker: CharacterRef
    item: str
    quantity: int
    cause: str = "gift"


class TradeOffered(Fact, frozen=True, tag="campaign.trade_offered"):
    """Nothing has moved yet."""

    trade: str
    giver: CharacterRef
    taker: CharacterRef
    offered_coins: int
    offered_items: dict[str, int]
    asked_coins: int
    asked_items: dict[str, int]


class TradeAgreed(Fact, frozen=True, tag="campaign.trade_agreed"):
    """What changes hands follows in the same command."""

    trade: str
    giver: CharacterRef
    taker: CharacterRef


class TradeDropped(Fact, frozen=True, tag="campaign.trade_dropped"):
    trade: str
    giver: CharacterRef
    taker: CharacterRef


class ClockAdvanced(Fact, frozen=True, tag="campaign.clock_advanced"):
    """Game time, in seconds. `now` is the time of the campaign's clock after it."""

    seconds: int
    now: int


class Said(Fact, frozen=True, tag="campaign.said"):
    text: str
    character: CharacterRef | None = None


class Narrated(Fact, frozen=True, tag="campaign.narrated"):
    text: str


class Whispered(Fact, frozen=True, tag="campaign.whispered"):
    """Only the writer and those named read it; a game master who is not named does not."""

    writer: str
    to: tuple[str, ...]
    text: str
    character: CharacterRef | None = None

    @property
    def audience(self) -> Audience:
        return tuple(sorted({self.writer, *self.to}))


class GmNoted(Fact, frozen=True, tag="campaign.gm_noted"):
    text: str

    @property
    def audience(self) -> Audience:
        return GM


class NumberCorrected(Fact, frozen=True, tag="campaign.number_corrected"):
    """The game master set a number. `leaf` and `field` name it in the state, such as `legends.fighter/bonk`, `hp`."""

    character: CharacterRef
    leaf: str
    field: str
    before: int
    after: int
    reason: str


class RefusalOverridden(Fact, frozen=True, tag="campaign.refusal_overridden"):
    """The game master let a command pass that the rules refuse. It stands before what the command did."""

    command: str
    code: str
    rule: str
    reason: str
    character: CharacterRef | None = None
    others: tuple[CharacterRef, ...] = ()


class RolledDie(Struct, frozen=True, gc=False, omit_defaults=True):
    """A face and what it counts for. `fate`: `dropped`, `rerolled` (both count for nothing) or `exploded`."""

    face: int
    value: int
    kept: bool = True
    fate: str = ""


class RolledPool(Struct, frozen=True, gc=False, omit_defaults=True):
    """One group of dice of a roll. `capped` when it would have gone on exploding or rerolling."""

    text: str
    sides: int
    dice: tuple[RolledDie, ...]
    total: int
    capped: bool = False


class DiceRolled(Fact, frozen=True, tag="campaign.dice_rolled"):
    """A free roll in dice notation. `detail` says it in one line: dice in brackets do not count."""

    expression: str
    total: int
    detail: str
    pools: tuple[RolledPool, ...] = ()
    comment: str = ""
    character: CharacterRef | None = None
    by: str | None = None
    secret: bool = False

    @property
    def audience(self) -> Audience:
        if not self.secret:
            return "table"
        return ("gm", self.by) if self.by else GM
