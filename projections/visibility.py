"""Who sees which event and which part of the state. Nowhere else is this decided."""

from msgspec import Struct

from domain.kernel.cast import Character
from domain.kernel.fold import Leaf, State, find
from domain.kernel.members import member
from events.envelope import TABLE, Audience
from events.table import Role


class Viewer(Struct, frozen=True, gc=False):
    """Somebody who looks: a member in their role."""

    member: str
    role: Role


def viewer(state: State, name: str) -> Viewer | None:
    """The member as the campaign knows them now; nobody when removed."""
    seat = member(state, name)
    return Viewer(name, seat.role) if seat else None


def principals(who: Viewer) -> tuple[str, ...]:
    """The names under which an audience may mean `who`."""
    return ("gm", who.member) if who.role == "gm" else (who.member,)


def may_see(who: Viewer, audience: Audience) -> bool:
    """Whether an event with this audience is open to `who`; otherwise it arrives sealed."""
    return audience == TABLE or any(name in audience for name in principals(who))


def may_know(who: Viewer, state: State, character: str) -> bool:
    """Whether this character exists for `who`."""
    one = find(state, Character, character)
    return one is not None and (not one.hidden or who.role == "gm" or one.owner == who.member)


def may_see_leaf(who: Viewer, state: State, place: str, leaf: Leaf) -> bool:
    if leaf.SECRET:
        return who.role == "gm"
    return all(may_know(who, state, name) for name in leaf.concerns(place.partition("/")[2]))


def visible(who: Viewer, state: State) -> State:
    """The part of the state that `who` may see."""
    return {place: leaf for place, leaf in state.items() if may_see_leaf(who, state, place, leaf)}
