"""Random stories of a table: every kind of command, in any order, by anybody, with marked words in them."""

import random
from itertools import count

from domain.campaign.belongings import AcceptTrade, DropTrade, Give, Grant, OfferTrade, Share, Spend, TakeAway, Trade
from domain.campaign.cast import (
    CreateCharacter,
    HideCharacter,
    RenameCharacter,
    RetireCharacter,
    RevealCharacter,
    SetOwner,
)
from domain.campaign.corrections import Correct
from domain.campaign.game_clock import AdvanceClock
from domain.campaign.opening import ChangeSettings, RenameCampaign, SetDiceMode
from domain.campaign.rolls import RollDice
from domain.campaign.seats import ChangeRole, Join, MakeInvite, RemoveMember, RevokeInvite
from domain.campaign.sessions import AddEntropy, CloseSession, OpenSession
from domain.campaign.talk import GmNote, Narrate, Say, Whisper
from domain.dnd35.sheet import Sheet as Dnd35Sheet
from domain.kernel.belongings import Bag, coins
from domain.kernel.cast import Character
from domain.kernel.command import Command, Override, Seeds
from domain.kernel.dice import commitment
from domain.kernel.fold import every
from domain.kernel.members import Invite, Member
from domain.legends.sheet import Sheet as LegendsSheet
from tests.support.recording import Recording

ITEMS = ("rope", "iron-ration", "lantern")
SEEDS = Seeds(
    current=b"s" * 32,
    next_commitment=commitment(b"s" * 32),
    secret=b"v" * 32,
    next_secret_commitment=commitment(b"v" * 32),
)


class Wanderer:
    """Gives random commands. Every word it says bears a mark of its own, kept in `marks`."""

    def __init__(self, seed: int, campaign: str = "c_test") -> None:
        self.random = random.Random(seed)
        self.recording = Recording(campaign)
        self.marks: list[str] = []
        self._numbers = count(1)

    def mark(self) -> str:
        """A word that stands nowhere else."""
        self.marks.append(f"zq{next(self._numbers):05}qz")
        return self.marks[-1]

    def wander(self, steps: int) -> Recording:
        for _ in range(steps):
            by = self.random.choice(("gm", "gm", "gm", *self.members()))
            self.recording.give(self.command(by), by, SEEDS)
        return self.recording

    def members(self) -> list[str]:
        return [name for name, seat in every(self.recording.state, Member).items() if not seat.removed]

    def command(self, by: str) -> Command:
        kinds = (
            self._create if self.random.random() < 0.5 or len(self._cast()) < 5 else self._belongings,
            self._say,
            self._whisper,
            self._belongings,
            self._belongings,
            self._trade,
            self._sight,
            self._sight,
            self._change,
            self._table,
            self._seats,
            self._session,
        )
        return self.random.choice(kinds)(by)

    def _someone(self) -> str:
        return self.random.choice([*self._cast()[:8], "nobody"])

    def _cast(self) -> list[str]:
        return list(every(self.recording.state, Character))

    def _giver(self) -> tuple[str, int, dict[str, int]]:
        """Somebody who has something, and some of it."""
        bags = {name: bag for name, bag in every(self.recording.state, Bag).items() if bag.items}
        if not bags:
            return self._someone(), 1, {}
        name = self.random.choice(list(bags))
        item = self.random.choice(list(bags[name].items))
        return name, self.random.randint(0, coins(self.recording.state, name)), {item: 1}

    def _member(self) -> str:
        return self.random.choice(self.members())

    def _goods(self) -> dict[str, int]:
        return {self.random.choice(ITEMS): self.random.randint(1, 3)} if self.random.random() < 0.6 else {}

    def _create(self, by: str) -> Command:
        sheet = self.random.choice((Dnd35Sheet(), LegendsSheet()))
        if by != "gm":
            return CreateCharacter(name=self.mark(), sheet=sheet)
        kind = self.random.choice(("player", "non_player", "animal", "summon"))
        owner = self.random.choice((None, *self.members()))
        named = self.mark() if self.random.random() < 0.5 else None
        hidden = self.random.random() < 0.5
        return CreateCharacter(name=self.mark(), sheet=sheet, kind=kind, owner=owner, hidden=hidden, id=named)

    def _say(self, by: str) -> Command:
        who = self.random.choice((None, self._someone()))
        return self.random.choice(
            (
                Say(text=self.mark(), character=who),
                Narrate(text=self.mark()),
                GmNote(text=self.mark()),
                RollDice(expression="1d20", character=who, secret=self.random.random() < 0.5),
            )
        )

    def _whisper(self, by: str) -> Command:
        return Whisper(to=(self._member(),), text=self.mark(), character=self.random.choice((None, self._someone())))

    def _belongings(self, by: str) -> Command:
        amount = self.random.randint(0, 50)
        who, some, items = self._giver()
        passing = Override(reason=self.mark())
        return self.random.choice(
            (
                Grant(character=self._someone(), reason=self.mark(), coins=amount, items=self._goods()),
                TakeAway(character=who, reason=self.mark(), coins=some, items=items),
                Spend(character=who, reason=self.mark(), coins=some, items=items, override=passing),
                Give(giver=who, taker=self._someone(), coins=some, items=items),
            )
        )

    def _trade(self, by: str) -> Command:
        trades = every(self.recording.state, Trade)
        if not trades or self.random.random() < 0.4:
            ask = Share(coins=self.random.randint(0, 5))
            who, some, items = self._giver()
            offer = Share(coins=some // 2, items=items)
            return OfferTrade(giver=who, taker=self._someone(), offer=offer, ask=ask)
        name, trade = self.random.choice(list(trades.items()))
        return self.random.choice((AcceptTrade, DropTrade))(character=trade.taker, trade=name)

    def _sight(self, by: str) -> Command:
        return self.random.choice((HideCharacter, RevealCharacter))(character=self._someone())

    def _change(self, by: str) -> Command:
        who = self._someone()
        return self.random.choice(
            (
                RenameCharacter(character=who, name=self.mark()),
                SetOwner(character=who, owner=self.random.choice((None, *self.members()))),
                RetireCharacter(character=who, reason=self.mark()),
                Correct(character=who, field="coins", value=self.random.randint(0, 99), reason=self.mark()),
                Correct(character=who, field="items.rope", value=self.random.randint(0, 9), reason=self.mark()),
            )
        )

    def _table(self, by: str) -> Command:
        return self.random.choice(
            (
                RenameCampaign(name=self.mark()),
                ChangeSettings(settings={"tone": self.mark()}),
                SetDiceMode(dice_mode=self.random.choice(("server", "table", "gm"))),
                AdvanceClock(minutes=self.random.randint(1, 90)),
            )
        )

    def _seats(self, by: str) -> Command:
        invites = every(self.recording.state, Invite)
        invite = self.random.choice(list(invites) or ["none"])
        return self.random.choice(
            (
                MakeInvite(character=self.random.choice((None, self._someone()))),
                RevokeInvite(invite=invite),
                ChangeRole(member=self._member(), role=self.random.choice(("gm", "player", "spectator"))),
                RemoveMember(member=self.random.choice(("ana", "bo", "zoe"))),
            )
        )

    def _session(self, by: str) -> Command:
        return self.random.choice((OpenSession(title=self.mark()), CloseSession(), AddEntropy(entropy=self.mark())))


def newcomer(wanderer: Wanderer, name: str) -> bool:
    """Somebody joins with the first invite there is."""
    for invite in every(wanderer.recording.state, Invite):
        return wanderer.recording.give(Join(invite=invite), by=name)
    return False
