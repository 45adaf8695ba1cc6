"""LB-5.1.2, LB-5.2 and LB-5.4: the map, movement, the seven basic moves, arrows, smoke."""

from typing import Any

import pytest

from domain.campaign.belongings import Grant
from domain.campaign.book import EVOLVE
from domain.campaign.cast import HideCharacter
from domain.kernel.belongings import held
from domain.kernel.fold import fold
from domain.legends.afflicting import ApplyEffect
from domain.legends.attack import MakeAttack
from domain.legends.combat import Act, EndTurn, StartCombat
from domain.legends.dying import RaiseFallen, TakeDamage
from domain.legends.equipping import Equip, LayItem, PickUp, Stow
from domain.legends.leaves.board import Lying, Place
from domain.legends.movement import DrawMap, Move, PlaceCreature, StandUp
from domain.legends.moves import Jump, Push, Throw
from domain.legends.smoke import ClearSmoke, SpreadSmoke, obscured
from domain.legends.words import At
from events.legends import ActivityDone, CharacterRecovered, Gear, GearGained, GearLost, GearWorn, StatChecked
from events.legends.board import (
    CreatureMoved,
    ItemLanded,
    ItemTaken,
    ItemThrown,
    SmokeCleared,
    SmokeSpread,
    SmokeThinned,
)
from events.legends.effects import EffectApplied, EffectFailed, FellProne, StoodUp
from events.legends.strikes import AttackRolled
from events.legends.words import Attack, Inflict
from events.table import ItemsSpent
from tests.domain.legends.stage import WARRIOR, hero, now, stats, table
from tests.support.story import Story


def own(story: Story, *pieces: Gear, who: str = "ayla") -> Story:
    story.state = fold(EVOLVE, story.state, [GearGained(who, one, "legends.test", "LB-5.4.2") for one in pieces])
    return story


def weapon(name: str = "axe", **more: Any) -> Gear:
    attack = {one: more.pop(one) for one in ("properties", "ammunition", "inflicts", "range") if one in more}
    return Gear(name, kind="weapon", attack=Attack(name, damage="5", **attack), **{"worn": True, **more})


def place(story: Story, who: str, x: int, y: int, **more: Any) -> Story:
    story.when(PlaceCreature(character=who, x=x, y=y, **more))
    assert story.refused is None, story.refused
    return story


def field(*, fighting: bool = True, settings: dict[str, Any] | None = None, **ayla: Any) -> Story:
    """Ayla at (0, 0) with a movement of 6 cells, the boar at (9, 9), and Bonk at (0, −1); Ayla has the first turn."""
    ayla.setdefault("stats", stats(strength=15, dexterity=12))
    ayla.setdefault("classes", (WARRIOR,))
    story = table(
        hero(**ayla),
        hero("bonk", owner="bo"),
        hero("boar", kind="npc", owner=None),
        settings={"creatures.boar.ddt": 10, "creatures.ayla.ddt": 10, **(settings or {})},
    )
    place(place(place(story, "ayla", 0, 0), "boar", 9, 9), "bonk", 0, -1)
    if fighting:
        story.when(StartCombat(participants=("ayla", "bonk", "boar")), 20, 10, 1)
    assert story.refused is None
    return story


def walk(story: Story, *path: tuple[int, int], who: str = "ayla", faces: tuple[int, ...] = (), **more: Any) -> Story:
    return story.when(Move(character=who, path=tuple(At(x, y) for x, y in path), **more), *faces)


def at(story: Story, who: str = "ayla") -> tuple[int, int]:
    leaf = story.state[f"legends.place/{who}"]
    assert isinstance(leaf, Place)
    return leaf.x, leaf.y


def ground(story: Story, item: str) -> tuple[int | None, int | None] | None:
    leaf = story.state.get(f"legends.lying/{item}")
    return (leaf.x, leaf.y) if isinstance(leaf, Lying) else None


def again(story: Story) -> Story:
    """Everybody's turn is over, and Ayla's next begins."""
    for who in ("ayla", "bonk", "boar"):
        story.when(EndTurn(character=who))
        assert story.refused is None, story.refused
    return story


# Movement.


@pytest.mark.rule("LB-5.1.2", "LB-5.2.1", "LB-3.2")
def test_a_movement_is_made_in_one_go():
    walk(field(), (1, 1), (2, 2), (3, 2)).then(
        CreatureMoved("ayla", ((1, 1), (2, 2), (3, 2)), 3, 3, "north", "move", "LB-5.1.2", index=1)
    )


@pytest.mark.rule("LB-S05", "LB-5.1.4", "LB-5.1.2", "LB-A22")
def test_sub_action_movement_and_attack_in_any_order_but_one_movement():
    story = own(field(), weapon())
    assert story.when(Act(character="ayla", text="drink", cost="sub_action")).only(ActivityDone).sub_actions_left == 0
    moved = walk(story, (1, 0), (2, 1), (3, 2)).only(CreatureMoved)
    assert (moved.cost, moved.unused) == (3, 3)
    story.when(MakeAttack(character="ayla", target="boar")).then_refused("OUT_OF_RANGE", distance=9, max=1)
    place(story, "boar", 3, 3)
    assert story.when(MakeAttack(character="ayla", target="boar"), 15).only(AttackRolled).outcome == "hit"
    walk(story, (4, 2)).then_refused("ALREADY_MOVED", "LB-5.1.2")


@pytest.mark.rule("LB-5.1.2")
def test_a_path_longer_than_the_movement_is_refused():
    walk(field(), *((n, 0) for n in range(1, 8))).then_refused("MOVEMENT_EXCEEDED", cost=7, available=6)


@pytest.mark.rule("LB-5.2.1")
def test_paths_stay_whole_on_the_map_and_off_the_others():
    story = field()
    story.when(DrawMap(left=-5, bottom=-5, right=9, top=9, obstacles=(At(2, 0),)))
    walk(story, (2, 2)).then_refused("PATH_NOT_CONTIGUOUS", x=2, y=2)
    walk(story, (0, -1)).then_refused("CELL_OCCUPIED", x=0, y=-1)
    walk(story, (1, 0), (2, 0)).then_refused("CELL_OCCUPIED", x=2, y=0)
    walk(story, *((-n, 0) for n in range(1, 7))).then_refused("OUT_OF_MAP", x=-6)
    walk(story, (1, 0), (2, 1), (3, 0))
    assert at(story) == (3, 0)


@pytest.mark.rule("LB-5.2.1")
def test_a_hidden_creature_is_not_told_by_a_refusal():
    story = field(fighting=False)
    place(story.when(HideCharacter(character="boar")), "boar", 1, 0)
    walk(story, (1, 0))
    assert (story.refused, at(story)) == (None, (1, 0))


@pytest.mark.rule("LB-5.2.1")
def test_whoever_stands_nowhere_is_placed_first():
    story = table(hero())
    walk(story, (1, 0)).then_refused("NOT_ON_MAP")
    story.when(PlaceCreature(character="ayla", x=1, y=1), by="ana").then_refused("NOT_GM")


@pytest.mark.rule("LB-5.0.1", "LB-5.1.1")
def test_nobody_walks_out_of_turn_or_before_the_consequences():
    story = field()
    walk(story, (1, -1), who="bonk").then_refused("NOT_YOUR_TURN")
    story.when(ApplyEffect(character="ayla", effect="mired", cause="mud"))
    walk(again(story), (1, 0)).then_refused("CONSEQUENCE_PENDING")


@pytest.mark.rule("LB-6.2.3", "LB-6.1.4", "LB-6.1.6", "LB-X33")
@pytest.mark.parametrize("effect", ["immobilised", "mired", "thunderstruck"])
def test_whoever_is_held_neither_walks_nor_jumps_but_is_pushed(effect):
    story = field(fighting=False)
    story.when(ApplyEffect(character="ayla", effect=effect, cause="trap"))
    walk(story, (1, 0)).then_refused("MOVEMENT_BLOCKED", effect=effect)
    story.when(Jump(character="ayla", direction="east")).then_refused("MOVEMENT_BLOCKED")
    pushed = story.when(Push(character="bonk", target="ayla"), 3).only(CreatureMoved)
    assert (pushed.path[-1], pushed.cause) == ((0, 3), "push")


@pytest.mark.rule("LB-6.1.2", "LB-A35", "LB-X34")
def test_whoever_is_frozen_may_slip_in_each_cell():
    story = field()
    story.when(ApplyEffect(character="ayla", effect="frozen", cause="ice"))
    walk(story, (1, 0), (2, 0), (3, 0), faces=(2, 1))
    assert story.only(CreatureMoved).path == ((1, 0), (2, 0))
    assert story.only(FellProne)
    assert now(story).hp == 100
    assert now(story).life == "standing"
    again(story)
    walk(story, (3, 0)).then_refused("PRONE")
    story.when(Jump(character="ayla", direction="east")).then_refused("PRONE")
    story.when(StandUp(character="ayla")).then(StoodUp("ayla", "movement", "LB-A35"))
    walk(story, (3, 0)).then_refused("ALREADY_MOVED")
    story.when(StandUp(character="ayla")).then_refused("NOT_PRONE")
    walk(again(story), (3, 0), faces=(3,))
    assert at(story) == (3, 0)


@pytest.mark.rule("LB-A35")
def test_standing_up_takes_a_movement_that_was_not_made():
    story = field()
    story.when(ApplyEffect(character="ayla", effect="frozen", cause="ice"))
    walk(story, (1, 0), faces=(1,))
    story.when(StandUp(character="ayla")).then_refused("ALREADY_MOVED")


# Pick up, equip, stow.


@pytest.mark.rule("LB-5.4.1", "LB-A24", "LB-5.4.0")
def test_a_weapon_is_picked_up_into_a_free_hand():
    story = field(settings={"turn.actions": 4})
    story.when(LayItem(item="key", x=2, y=0)).when(LayItem(item="torch", x=1, y=1))
    story.when(PickUp(character="ayla", item="key")).then_refused("OUT_OF_RANGE", distance=2, max=1)
    story.when(PickUp(character="ayla", item="lamp")).then_refused("ITEM_NOT_ON_GROUND")
    story.when(PickUp(character="ayla", item="torch")).then(
        ActivityDone("ayla", "action", "legends.pick_up", 3, 1, "LB-5.4.1"),
        ItemTaken("ayla", "torch", "hand", "LB-5.4.1"),
        GearGained("ayla", Gear("torch", worn=True), "legends.pick_up", "LB-5.4.1"),
    )
    assert story.only(ItemTaken).to == "hand"
    assert [one.worn for one in now(story).gear] == [True]
    assert ground(story, "torch") is None


@pytest.mark.rule("LB-5.4.1", "LB-A24", "LB-C9")
@pytest.mark.parametrize(
    ("more", "held_already", "settings"),
    [({"bag": True}, 0, {}), ({}, 2, {}), ({}, 0, {"rulings.LB-A24": "a"}), ({}, 0, {"characters.hands": 1})],
)
def test_otherwise_it_goes_into_the_bag(more, held_already, settings):
    story = own(field(settings=settings), *(weapon(f"sword {n}") for n in range(held_already)))
    if settings == {"characters.hands": 1}:
        own(story, weapon("sword"))
    story.when(LayItem(item="torch", x=0, y=1)).when(PickUp(character="ayla", item="torch", **more))
    assert story.only(ItemTaken).to == "bag"


@pytest.mark.rule("LB-5.4.1", "LB-1.2.1")
def test_a_weapon_too_heavy_goes_into_the_bag():
    story = own(field(stats=stats(strength=14), settings={"turn.actions": 3}), weapon(heavy=True))
    story.when(ApplyEffect(character="ayla", effect="disarmed", cause="trick"))
    assert ground(story, "axe") == (0, 0)
    assert story.when(PickUp(character="ayla", item="axe")).only(ItemTaken).to == "bag"


@pytest.mark.rule("LB-S01", "LB-1.2.1", "LB-5.4.2", "LB-A1")
def test_a_heavy_axe_asks_for_more_than_14():
    story = own(field(stats=stats(strength=14)), weapon(heavy=True, worn=False))
    story.when(Equip(character="ayla", item="axe")).then_refused("STAT_TOO_LOW", "LB-1.2.1", required="+14", actual=14)
    story = own(field(stats=stats(strength=15)), weapon(heavy=True, worn=False))
    story.when(Equip(character="ayla", item="axe")).then(
        ActivityDone("ayla", "action", "legends.equip", 0, 1, "LB-5.4.2"),
        StatChecked("ayla", "strength", 15, 14, "gt", True, "LB-1.2"),
        GearWorn("ayla", "axe", None, "LB-5.4.2"),
    )


@pytest.mark.rule("LB-A116", "LB-C9")
def test_as_many_weapons_as_hands():
    story = own(field(fighting=False), weapon("pike", hands=2), weapon("knife", worn=False))
    story.when(Equip(character="ayla", item="knife")).then_refused("NO_FREE_HAND", free=0)
    story.when(Stow(character="ayla", item="pike")).when(Equip(character="ayla", item="knife"))
    assert [one.worn for one in now(story).gear] == [False, True]


@pytest.mark.rule("LB-5.4.3")
def test_what_is_stowed_strikes_no_more():
    story = own(field(), weapon())
    story.when(Stow(character="ayla", item="axe"))
    story.when(Stow(character="ayla", item="axe")).then_refused("NO_ACTION_LEFT")
    story.when(MakeAttack(character="ayla", target="boar"), by="gm").then_refused("NO_ACTION_LEFT")
    again(story).when(Stow(character="ayla", item="axe")).then_refused("ALREADY_STOWED", "LB-5.4.3")


# Disarmed and ejected.


@pytest.mark.rule("LB-6.2.2", "LB-X69", "LB-6.2.8")
def test_disarmed_drops_the_weapon_where_one_stands_and_loyalty_does_not_help():
    story = own(field(), weapon(properties=("loyalty",)))
    story.when(ApplyEffect(character="ayla", effect="disarmed", cause="trick")).then(
        EffectApplied("ayla", "disarmed", "trick", 0, 1, 1, "LB-6.0.1", instant=True),
        GearLost("ayla", "axe", "disarmed", "LB-6.2.2"),
        ItemLanded("axe", weapon(properties=("loyalty",), worn=False), 0, 0, "disarmed", "LB-6.2.2"),
    )
    story.when(ApplyEffect(character="ayla", effect="disarmed", cause="trick")).then(
        EffectFailed("ayla", "disarmed", "trick", "no_target", 0, "LB-6.1.3")
    )


@pytest.mark.rule("LB-6.1.3", "LB-A36")
def test_ejected_sends_the_weapon_to_a_cell_four_away():
    story = own(field(), weapon(inflicts=(Inflict("ejected"),), range=20), Gear("x"))
    own(story, weapon("tusk"), who="boar")

    def strike(**more: Any) -> Story:
        return story.when(MakeAttack(character="ayla", target="boar", **more), 15)

    story.when(MakeAttack(character="ayla", target="boar")).then_refused("INVALID_CELL", "LB-6.1.3")
    story.when(MakeAttack(character="ayla", target="boar", eject_to=At(13, 13))).then_refused(
        "INVALID_CELL", distance=6
    )
    strike(eject_to=At(12, 12))
    assert ground(story, "tusk") == (12, 12)


@pytest.mark.rule("LB-A36")
@pytest.mark.parametrize(("ruling", "faces", "cell"), [("b", (3,), (13, 9)), ("c", (), (12, 12))])
def test_a_table_may_leave_the_direction_to_chance_or_to_the_blow(ruling, faces, cell):
    story = own(field(settings={"rulings.LB-A36": ruling}), weapon(inflicts=(Inflict("ejected"),), range=20))
    own(story, weapon("tusk"), who="boar")
    story.when(MakeAttack(character="ayla", target="boar"), 15, *faces)
    assert ground(story, "tusk") == cell


# Jump, push, throw, raise.


@pytest.mark.rule("LB-5.4.4", "LB-A25")
def test_a_jump_goes_straight_and_is_no_movement():
    story = field()
    jumped = story.when(Jump(character="ayla", direction="north_east"), 3).only(CreatureMoved)
    assert (jumped.path, jumped.cause, at(story)) == (((1, 1), (2, 2), (3, 3)), "jump", (3, 3))
    walk(story, (3, 4))
    assert at(story) == (3, 4)


@pytest.mark.rule("LB-A25", "LB-5.4.4")
def test_a_jump_stops_before_an_obstacle():
    story = field(settings={"turn.actions": 2})
    story.when(DrawMap(left=-9, bottom=-9, right=9, top=9, obstacles=(At(3, 0),)))
    story.when(Jump(character="ayla", direction="up")).then_refused("INVALID_DIRECTION")
    story.when(Jump(character="ayla", direction="east"), 4)
    assert at(story) == (2, 0)
    assert story.when(Jump(character="ayla", direction="east"), 4).only(CreatureMoved).path == ()


@pytest.mark.rule("LB-2.1.4", "LB-5.4.4")
def test_a_luck_die_lengthens_a_jump():
    story = field(luck_dice=1)
    story.when(Jump(character="ayla", direction="west", use_luck_die=True), 3, 4)
    assert (at(story), now(story).luck_dice) == ((-7, 0), 0)


@pytest.mark.rule("LB-5.4.5", "LB-S06")
def test_a_crate_is_pushed_away():
    story = field()
    story.when(LayItem(item="crate", x=0, y=1)).when(Push(character="ayla", item="crate"), 3)
    assert story.only(ItemLanded).cause == "push"
    assert ground(story, "crate") == (0, 4)


@pytest.mark.rule("LB-5.4.5", "LB-5.4.0", "LB-A25")
def test_a_push_reaches_a_neighbour_and_leads_away():
    story = field(settings={"turn.actions": 2})
    push = Push(character="ayla", target="boar")
    story.when(push).then_refused("OUT_OF_RANGE", max=1)
    place(story, "boar", 1, 0)
    story.when(Push(character="ayla", target="boar", direction="west")).then_refused("INVALID_DIRECTION")
    story.when(Push(character="ayla", target="boar", direction="north_east"), 2)
    assert at(story, "boar") == (3, 2)


@pytest.mark.rule("LB-5.4.6", "LB-6.2.8", "LB-S06")
def test_a_loyal_axe_comes_back_to_the_hand():
    story = own(field(), weapon(properties=("loyalty",)))
    story.when(DrawMap(left=-30, bottom=-30, right=30, top=30))
    story.when(Throw(character="ayla", item="axe", direction="east"), 12).then(
        ActivityDone("ayla", "action", "legends.throw", 0, 1, "LB-5.4.6"),
        ItemThrown("ayla", "axe", 12, 0, True, "LB-6.2.8"),
    )
    assert now(story).gear[0].worn


@pytest.mark.rule("LB-5.4.6")
def test_what_is_thrown_lies_where_it_landed():
    story = own(field(settings={"turn.actions": 3}), weapon())
    story.when(Throw(character="ayla", item="bow", direction="east")).then_refused("ITEM_NOT_OWNED")
    story.when(Throw(character="ayla", item="axe", direction="east"), 9)
    assert (ground(story, "axe"), now(story).gear) == ((9, 0), ())
    story.when(LayItem(item="stone", x=1, y=1)).when(Throw(character="ayla", item="stone", direction="west"), 2)
    assert ground(story, "stone") == (-2, 0)


@pytest.mark.rule("LB-5.4.7", "LB-5.4.0", "LB-8.1.6", "LB-A35")
def test_a_team_mate_is_raised_from_the_ground():
    story = field(settings={"turn.actions": 3})
    rise = RaiseFallen(character="ayla", target="bonk")
    story.when(rise).then_refused("TARGET_NOT_ON_GROUND")
    story.state = fold(EVOLVE, story.state, [FellProne("bonk", "frozen", "LB-6.1.2")])
    story.when(rise)
    assert story.only(StoodUp).helper == "ayla"
    story.when(TakeDamage(character="bonk", amount=500, cause="rock"))
    place(story, "bonk", 3, 0)
    story.when(rise).then_refused("OUT_OF_RANGE", "LB-5.4.0")
    place(story, "bonk", 1, 1)
    assert story.when(rise).only(CharacterRecovered).hp == 10
    story.when(RaiseFallen(character="ayla", target="boar")).then_refused("TARGET_NOT_TEAMMATE")


# Arrows.


@pytest.mark.rule("LB-5.4.9", "LB-A26")
def test_without_a_quiver_an_arrow_is_taken_in_hand_first():
    story = own(field(), weapon("bow", ammunition="arrow", range=20))
    story.when(Grant(character="ayla", items={"arrow": 2}, reason="shop"))
    shoot = MakeAttack(character="ayla", target="boar")
    story.when(shoot).then_refused("QUIVER_REQUIRED", "LB-5.4.9")
    story.when(Equip(character="ayla", item="arrow"))
    assert (held(story.state, "ayla", "arrow"), story.only(ItemsSpent).held) == (1, 1)
    again(story).when(shoot, 2)
    assert story.only(GearLost).item == "arrow"


@pytest.mark.rule("LB-5.4.9")
def test_with_a_quiver_one_shoots_each_turn_until_it_is_empty():
    quiver = Gear("quiver", kind="quiver", worn=True)
    story = own(field(settings={"turn.actions": 3}), weapon("bow", ammunition="arrow", range=20), quiver)
    story.when(Grant(character="ayla", items={"arrow": 1}, reason="shop"))
    shoot = MakeAttack(character="ayla", target="boar")
    assert story.when(shoot, 2).only(ItemsSpent).held == 0
    story.when(shoot).then_refused("NO_AMMUNITION", "LB-5.4.9")


# Smoke.


@pytest.mark.rule("LB-6.2.12")
def test_smoke_lasts_six_turns_of_its_creator():
    story = field()
    spread = story.when(SpreadSmoke(x=1, y=0, radius=1, creator="ayla")).only(SmokeSpread)
    assert (spread.turns, obscured(story.state, "ayla"), obscured(story.state, "boar")) == (6, True, False)
    for left in (5, 4, 3, 2, 1, 0):
        story.when(EndTurn(character="ayla")).when(EndTurn(character="bonk")).when(EndTurn(character="boar"))
        assert story.only(SmokeThinned).turns == left
        assert obscured(story.state, "ayla")
    assert story.when(EndTurn(character="ayla")).only(SmokeCleared).reason == "expired"
    story.when(SpreadSmoke(x=1, y=0, radius=-1)).then_refused("INVALID_RADIUS")


@pytest.mark.rule("LB-6.2.12", "LB-A50")
def test_wind_clears_smoke():
    story = own(field(), weapon(range=20))
    name = story.when(SpreadSmoke(x=9, y=9, radius=2)).only(SmokeSpread).smoke
    assert story.when(ClearSmoke(smoke=name)).only(SmokeCleared).reason == "strong_wind"
    story.when(ClearSmoke(smoke=name)).then_refused("UNKNOWN_SMOKE")
    story.when(SpreadSmoke(x=9, y=9, radius=2)).when(SpreadSmoke(x=2, y=0, radius=1))
    own(story, weapon("fan", auras=("wind",)))
    assert walk(story, (1, 0)).only(SmokeCleared).reason == "wind_aura"
    story.when(MakeAttack(character="ayla", target="boar"), 2)
    assert story.only(SmokeCleared).reason == "wind_aura"


@pytest.mark.rule("LB-A50")
@pytest.mark.parametrize(("ruling", "faces", "sides"), [("b", (15,), ()), ("a", (15, 12), ("smoke",))])
def test_smoke_is_a_flag_unless_the_table_makes_it_a_disadvantage(ruling, faces, sides):
    story = own(field(settings={"rulings.LB-A50": ruling}), weapon(range=20))
    story.when(SpreadSmoke(x=9, y=9, radius=2))
    assert story.when(MakeAttack(character="ayla", target="boar"), *faces).only(AttackRolled).disadvantages == sides
