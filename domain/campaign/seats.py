"""Who sits at the table: invites, joining, roles, leaving."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, MemberId, anyone, gm
from domain.kernel.fold import State, every, find
from domain.kernel.members import Invite, Member, member
from domain.kernel.refusal import NOT_GM, Refusal, require
from events.envelope import Fact
from events.table import (
    CharacterOwnerChanged,
    InviteMade,
    InviteRevoked,
    MemberJoined,
    MemberRemoved,
    MemberRoleChanged,
    Role,
)

UNKNOWN_MEMBER = Refusal("UNKNOWN_MEMBER", "There is no member with the id {member} at this table.")
LAST_GM = Refusal("LAST_GM", "A table keeps at least one game master: name another one first.")
INVITE_NOT_VALID = Refusal(
    "INVITE_NOT_VALID",
    "This invite is unknown, used up, revoked or expired: ask the game master for another.",
    status=404,
)
ONE_PLAYER = Refusal("ONE_PLAYER", "An invite that hands over a character is for one person: use it once.")
TOO_MANY_MEMBERS = Refusal("TOO_MANY_MEMBERS", "A table seats at most {most} members.")
MOST_MEMBERS = 5_000

InviteId = Annotated[str, Meta(min_length=1, max_length=64)]


class MakeInvite(Command, frozen=True, tag="campaign.invite"):
    """An invite for `uses` people; `expires_us` is microseconds since 1970, 0 for never.

    Whoever joins with it plays `character`, when one is named.
    """

    role: Role = "player"
    uses: Annotated[int, Meta(ge=1, le=1_000)] = 1
    expires_us: Annotated[int, Meta(ge=0, le=2**53)] = 0
    character: CharacterId | None = None


class RevokeInvite(Command, frozen=True, tag="campaign.revoke_invite"):
    invite: InviteId


class Join(Command, frozen=True, tag="campaign.join"):
    """Given on behalf of the newcomer by the edge, which has checked the invite's code."""

    invite: InviteId


class ChangeRole(Command, frozen=True, tag="campaign.change_role"):
    member: MemberId
    role: Role


class RemoveMember(Command, frozen=True, tag="campaign.remove_member"):
    """A game master removes somebody, or a member leaves. From that event on they receive nothing."""

    member: MemberId


def make_invite(state: State, command: MakeInvite, context: Context) -> Iterable[Fact]:
    if command.character is not None:
        require(command.uses == 1, ONE_PLAYER)
        character(state, command.character)
    return [
        InviteMade(context.new_id("i"), command.role, command.uses, command.expires_us, character=command.character)
    ]


def revoke_invite(state: State, command: RevokeInvite, _: Context) -> Iterable[Fact]:
    return [InviteRevoked(command.invite)] if find(state, Invite, command.invite) else []


def join(state: State, command: Join, context: Context) -> Iterable[Fact]:
    invite = find(state, Invite, command.invite)
    if invite is None or (invite.expires_us and invite.expires_us <= context.now_us):
        INVITE_NOT_VALID.because()
    require(len(every(state, Member)) < MOST_MEMBERS, TOO_MANY_MEMBERS, most=MOST_MEMBERS)
    facts: list[Fact] = [MemberJoined(context.actor, invite.role, invite=command.invite)]
    if invite.character is not None:
        facts.append(CharacterOwnerChanged(invite.character, context.actor))
    return facts


def change_role(state: State, command: ChangeRole, _: Context) -> Iterable[Fact]:
    seat = member(state, command.member)
    if seat is None:
        UNKNOWN_MEMBER.because(member=command.member)
    if seat.role == command.role:
        return []
    if seat.role == "gm":
        _require_another_gm(state, command.member)
    return [MemberRoleChanged(command.member, command.role)]


def remove_member(state: State, command: RemoveMember, context: Context) -> Iterable[Fact]:
    leaving = command.member == context.actor
    require(leaving or context.is_gm, NOT_GM)
    seat = member(state, command.member)
    if seat is None:
        UNKNOWN_MEMBER.because(member=command.member)
    if seat.role == "gm":
        _require_another_gm(state, command.member)
    return [MemberRemoved(command.member, left=leaving)]


def _require_another_gm(state: State, but: str) -> None:
    others = [name for name, seat in every(state, Member).items() if seat.role == "gm" and not seat.removed]
    require(any(name != but for name in others), LAST_GM)


DECIDE: Deciders = {
    MakeInvite: gm(make_invite),
    RevokeInvite: gm(revoke_invite),
    ChangeRole: gm(change_role),
    RemoveMember: anyone(remove_member),
}
