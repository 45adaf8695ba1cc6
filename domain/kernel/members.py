"""Who sits at the table, and the invites that let more people in."""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, State, begin, end, find, on, reducers, step
from domain.kernel.fold import key as key_of
from events.table import InviteMade, InviteRevoked, MemberJoined, MemberRemoved, MemberRoleChanged, Role


class Member(Leaf, frozen=True, tag="member"):
    """Keyed by a pseudonymous id; names stand beside the log. A removed member stays known and sees nothing."""

    role: Role
    removed: bool = False


class Invite(Leaf, frozen=True, tag="invite"):
    """`uses` is how many may still join; `expires_us` is microseconds since 1970, 0 for never."""

    SECRET = True

    role: Role
    uses: int
    expires_us: int
    character: str | None


def member(state: State, name: str) -> Member | None:
    """The member, unless removed."""
    found = find(state, Member, name)
    return found if found and not found.removed else None


def _used(leaf: Invite | None, _: MemberJoined) -> Invite | None:
    return replace(leaf, uses=leaf.uses - 1) if leaf and leaf.uses > 1 else None


EVOLVE = reducers(
    begin(
        InviteMade,
        Invite,
        "invite",
        lambda told: Invite(told.role, told.uses, told.expires_us, told.character),
    ),
    end(InviteRevoked, Invite, "invite"),
    begin(MemberJoined, Member, "member", lambda told: Member(told.role)),
    step(MemberJoined, lambda told: key_of(Invite, told.invite or "none"), _used),
    on(MemberRoleChanged, Member, "member", lambda leaf, told: replace(leaf, role=told.role)),
    on(MemberRemoved, Member, "member", lambda leaf, _: replace(leaf, removed=True)),
)
