"""What the four views show of a few told stories."""

import msgspec
import pytest
from msgspec import Struct

from domain.campaign import systems
from domain.kernel.cast import Character
from domain.kernel.fold import Leaf, State, find
from events.envelope import GM, TABLE, Fact, Roll
from events.table import (
    CharacterCreated,
    CharacterHidden,
    CharacterRenamed,
    CharacterRevealed,
    CoinsGained,
    DiceRolled,
    InviteMade,
    ItemsGained,
    ItemsGiven,
    MemberRemoved,
    Narrated,
    NumberCorrected,
    SessionClosed,
    SessionOpened,
    TradeOffered,
    Whispered,
)
from projections.detail import detail
from projections.journal import JOURNAL, Line, tell, tell_dice
from projections.ledger import LEDGER, Movement
from projections.sessions import SESSIONS, Session, events_in
from projections.sheet import SHEET, Secrets, Sheet
from projections.view import Erased, Event, Row, View, encode, patched
from projections.visibility import Viewer, may_see
from tests.support.recording import Recording

NAMES = {"gm": "Mo", "ana": "Anaïs", "bo": "Bohort"}


def rows(view: View, *facts: Fact, actor: str = "gm") -> list[Row]:
    """The rows that these facts bring after the opening."""
    recording = Recording()
    begun = len(recording.steps)
    for fact in facts:
        recording.tell(fact, actor=actor)
    return [row for step in recording.steps[begun:] for row in view.lines(*step)]


def bonk(**more: object) -> CharacterCreated:
    return CharacterCreated("bonk", "Bonk", "player", "legends", **{"owner": "ana", **more})  # type: ignore[arg-type]


class TestJournal:
    def told(self, *facts: Fact, locale: str = "fr", actor: str = "gm") -> str:
        line = rows(JOURNAL, *facts, actor=actor)[-1].doc
        assert isinstance(line, Line)
        return tell(locale, line, NAMES)

    def test_a_gain_in_two_languages(self) -> None:
        gained = CoinsGained("bonk", 1200, 1500, "gift")
        assert self.told(bonk(), gained, locale="en") == "Bonk gains 1,200 MC (gift); balance: 1,500 MC."
        assert self.told(bonk(), gained) == "Bonk gagne 1\u202f200 MC (cadeau)\u202f; solde\u00a0: 1\u202f500 MC."

    def test_a_character_keeps_the_name_it_had(self) -> None:
        line = rows(JOURNAL, bonk(), ItemsGained("bonk", "rope", 1, 1, "gift"), CharacterRenamed("bonk", "Bang"))
        assert [tell("en", row.doc, NAMES) for row in line if isinstance(row.doc, Line)] == [
            "Bonk comes into play (player character, Legends & Bonk).",
            "Bonk gains 1 × rope (gift).",
            "Bonk is now called Bang.",
        ]

    def test_who_left_and_who_was_removed(self) -> None:
        assert self.told(MemberRemoved("ana", left=True)) == "Anaïs quitte la table."
        assert self.told(MemberRemoved("ana")) == "Mo exclut Anaïs de la table."

    def test_an_offer(self) -> None:
        other = CharacterCreated("ayla", "Ayla", "player", "legends", owner="bo")
        offer = TradeOffered("x", "bonk", "ayla", 0, {"rope": 2}, 10, {})
        assert self.told(bonk(), other, offer, locale="en") == "Bonk offers 2 × rope to Ayla for 10 MC."

    def test_dice_are_told_beside_the_sentence(self) -> None:
        roll = Roll("roll", 20, (14,), (14,), "server", 0)
        row = rows(JOURNAL, bonk(), DiceRolled("1d20", 14, "", character="bonk", rolls=(roll,)))[-1]
        assert isinstance(row.doc, Line)
        assert tell("fr", row.doc, NAMES) == "Bonk lance 1d20\u00a0: 14."
        assert tell_dice("en", row.doc) == ["roll: d20: 14"]

    def test_lines_are_seen_by_whom_the_event_is(self) -> None:
        whisper = rows(JOURNAL, Whispered("ana", ("bo",), "psst"), actor="ana")[0]
        invite = rows(JOURNAL, InviteMade("i_1", "player", 2, 0))[0]
        assert (whisper.audience, invite.audience) == (("ana", "bo"), GM)
        assert not may_see(Viewer("gm", "gm"), whisper.audience)

    def test_lines_know_their_characters_and_their_session(self) -> None:
        row = rows(JOURNAL, bonk(), SessionOpened(1, "c" * 64, 0), ItemsGained("bonk", "rope", 1, 1, "gift"))[-1]
        assert isinstance(row.doc, Line)
        assert (row.doc.characters, row.doc.session, row.doc.kind) == (["bonk"], 1, "campaign.items_gained")

    def test_erased_words_leave_a_line(self) -> None:
        recording = Recording()
        _, event, after = recording.steps[-1]
        gone = msgspec.structs.replace(event.happened, fact=Erased("campaign.said"))
        row = next(iter(JOURNAL.lines(after, Event(6, 0, gone), after)))
        assert isinstance(row.doc, Line)
        assert (row.doc.kind, tell("fr", row.doc)) == ("campaign.said", "Ces mots ont été effacés.")


class TestSheet:
    def test_everything_of_a_character(self) -> None:
        last = rows(SHEET, bonk(), CoinsGained("bonk", 5, 5, "gift"), ItemsGained("bonk", "rope", 2, 2, "gift"))[-1]
        assert last == Row(
            "bonk",
            0,
            Sheet("bonk", "Bonk", "player", "legends", "ana", False, False, "MC", 5, {"rope": 2}, {}, {}),
            TABLE,
        )

    def test_a_sheet_goes_out_of_sight_and_comes_back(self) -> None:
        shown = CharacterRevealed("bonk", "Bonk", "player", "legends", owner="ana")
        told = rows(SHEET, bonk(), CharacterHidden("bonk"), shown)
        assert [row.audience for row in told] == [TABLE, ("ana", "gm"), TABLE]

    def test_a_gift_changes_both_sheets(self) -> None:
        other = CharacterCreated("ayla", "Ayla", "player", "legends", owner="bo")
        told = rows(SHEET, bonk(), other, ItemsGained("bonk", "rope", 1, 1, "x"), ItemsGiven("bonk", "ayla", "rope", 1))
        assert [row.key for row in told[-2:]] == ["bonk", "ayla"]

    def test_talk_changes_no_sheet(self) -> None:
        assert len(rows(SHEET, bonk(), Narrated("La nuit tombe"))) == 1


class Fighter(Leaf, frozen=True, tag="test.fighter"):
    OF_CHARACTER = True

    hp: int
    stats: dict[str, int]
    brave: bool = True


class Curse(Leaf, frozen=True, tag="test.curse"):
    OF_CHARACTER = True
    SECRET = True

    strength: int


class Bond(Leaf, frozen=True, tag="test.bond"):
    """Ties a summon to its master."""

    OF_CHARACTER = True

    to: str

    def concerns(self, name: str) -> tuple[str, ...]:
        return (name, self.to)


class TestLeavesOfASystem:
    """With leaves and a portrait such as a system brings."""

    @pytest.fixture(autouse=True)
    def a_system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def portrait(state: State, character: str) -> dict[str, int]:
            fighter, curse = find(state, Fighter, character), find(state, Curse, character)
            return {"might": (fighter.hp if fighter else 0) - (curse.strength if curse else 0)}

        system = msgspec.structs.replace(systems.SYSTEMS["legends"], numbers=(Fighter, Curse), portrait=portrait)
        monkeypatch.setitem(systems.SYSTEMS, "legends", system)

    def step(self, view: View, before: dict[str, Leaf], after: dict[str, Leaf], name: str = "bonk") -> list[Row]:
        """One step that changes these leaves, brought by a correction of the first."""
        recording = Recording()
        recording.tell(bonk())
        place = next(iter(after))
        fact = NumberCorrected(name, place, "hp", 1, 2, "because")
        event = msgspec.structs.replace(
            recording.steps[-1][1], happened=msgspec.structs.replace(recording.steps[-1][1].happened, fact=fact)
        )
        return list(view.lines({**recording.state, **before}, event, {**recording.state, **after}))

    def test_leaves_and_derived_numbers_stand_on_the_sheet(self) -> None:
        fighter = Fighter(12, {"strength": 3})
        row = self.step(SHEET, {}, {"test.fighter/bonk": fighter})[0]
        assert isinstance(row.doc, Sheet)
        assert row.doc.leaves == {"test.fighter": {"hp": 12, "stats": {"strength": 3}, "brave": True}}
        assert row.doc.numbers == {"might": 12}

    def test_secret_leaves_are_a_line_of_their_own_and_touch_no_open_number(self) -> None:
        told = self.step(SHEET, {}, {"test.curse/bonk": Curse(5)})
        assert told == [Row("bonk", 1, Secrets("bonk", {"test.curse": {"strength": 5}}), GM)]

    def test_a_secret_that_ends_takes_its_line_with_it(self) -> None:
        curse = {"test.curse/bonk": Curse(5)}
        recording = Recording()
        recording.tell(bonk())
        fact = NumberCorrected("bonk", "test.curse/bonk", "strength", 5, 0, "because")
        happened = msgspec.structs.replace(recording.steps[-1][1].happened, fact=fact)
        told = list(SHEET.lines({**recording.state, **curse}, Event(9, 0, happened), recording.state))
        assert told == [Row("bonk", 1, None, GM)]

    def test_a_leaf_that_tells_of_a_hidden_character_is_kept_back(self) -> None:
        imp = Character("Imp", "summon", "legends", None, hidden=True)
        told = self.step(SHEET, {"character/imp": imp}, {"test.bond/bonk": Bond("imp"), "character/imp": imp})
        assert [(row.line, row.audience) for row in told if row.key == "bonk"] == [(1, GM)]

    def test_numbers_move_with_their_balance(self) -> None:
        told = self.step(
            LEDGER,
            {"test.fighter/bonk": Fighter(12, {"strength": 3, "luck": 1})},
            {"test.fighter/bonk": Fighter(9, {"strength": 4}, brave=False)},
        )
        moved = [row.doc for row in told if isinstance(row.doc, Movement)]
        assert [(one.what, one.change, one.balance, one.cause) for one in moved] == [
            ("hp", -3, 9, "because"),
            ("stats.luck", -1, 0, "because"),
            ("stats.strength", 1, 4, "because"),
        ]
        assert [row.line for row in told] == [6_000, 6_001, 6_002]

    def test_secret_numbers_move_in_secret(self) -> None:
        assert [row.audience for row in self.step(LEDGER, {}, {"test.curse/bonk": Curse(5)})] == [GM]


class TestLedger:
    def test_both_sides_of_a_gift(self) -> None:
        other = CharacterCreated("ayla", "Ayla", "player", "legends", owner="bo")
        told = rows(
            LEDGER, bonk(), other, ItemsGained("bonk", "rope", 3, 3, "loot"), ItemsGiven("bonk", "ayla", "rope", 2)
        )
        seen = [(row.key, row.doc.what, row.doc.change, row.doc.balance, row.doc.cause) for row in told]  # type: ignore[union-attr]
        assert seen == [
            ("bonk", "items.rope", 3, 3, "loot"),
            ("bonk", "items.rope", -2, 1, "gift"),
            ("ayla", "items.rope", 2, 2, "gift"),
        ]

    def test_movements_of_a_hidden_character_are_for_those_who_know_of_it(self) -> None:
        told = rows(LEDGER, bonk(hidden=True), CoinsGained("bonk", 5, 5, "loot"))
        assert [row.audience for row in told] == [("ana", "gm")]


class TestSessions:
    def test_a_session_from_end_to_end(self) -> None:
        roll = Roll("roll", 6, (1, 2), (1, 2), "server", 0)
        told = rows(
            SESSIONS,
            Narrated("before"),
            SessionOpened(1, "c" * 64, 0, title="Le gué"),
            DiceRolled("2d6", 3, "", rolls=(roll,)),
            SessionClosed(1, "5eed"),
            Narrated("after"),
        )
        assert [(row.line, row.patch) for row in told] == [(1, False), (1, True), (1, True)]
        docs = [encode(row.doc) for row in told if row.doc is not None]
        doc = docs[0]
        for patch in docs[1:]:
            doc = patched(doc, patch)
        session = msgspec.json.decode(doc, type=Session)
        assert (session.title, session.commitment, session.seed) == ("Le gué", "c" * 64, "5eed")
        assert (session.first_seq, session.last_seq, session.dice, events_in(session)) == (7, 9, 2, 3)
        assert b"seed" not in docs[0] + docs[1]


class Blow(Struct, frozen=True):
    name: str
    value: int


class Struck(Fact, frozen=True, tag="test.struck"):
    amount: int
    formula: str
    modifiers: tuple[Blow, ...]
    rule: str
    owner: str | None = None
    words: dict[str, int] = {}


def test_detail_reads_any_fact() -> None:
    roll = Roll("roll", 20, (14,), (14,))
    fact = Struck(1200, "1d20 + 3", (Blow("charge", 2),), "LB-16.2", owner="ana", words={"a": 1}, rolls=(roll,))
    told = [(item.depth, item.label, item.text) for item in detail("fr", fact, NAMES)]
    assert told == [
        (0, "dés", "jet\u00a0: d20\u00a0: 14"),
        (0, "montant", "1\u202f200"),
        (0, "formula", "1d20 + 3"),
        (0, "modificateurs", ""),
        (1, "1", ""),
        (2, "nom", "charge"),
        (2, "valeur", "2"),
        (0, "règle", "LB-16.2"),
        (0, "joueur", "Anaïs"),
        (0, "words", ""),
        (1, "a", "1"),
    ]
