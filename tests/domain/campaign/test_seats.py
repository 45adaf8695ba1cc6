import pytest

from domain.campaign.opening import ChangeSettings, RenameCampaign, SetDiceMode
from domain.campaign.seats import ChangeRole, Join, MakeInvite, RemoveMember, RevokeInvite
from events.table import (
    CampaignRenamed,
    CharacterCreated,
    CharacterOwnerChanged,
    DiceModeSet,
    InviteMade,
    MemberJoined,
    MemberRemoved,
    MemberRoleChanged,
    SettingsChanged,
)
from tests.support.story import given, opened


def test_an_invite_seats_as_many_as_it_says():
    story = given(*opened()).when(MakeInvite(uses=2))
    invite = story.only(InviteMade).invite
    assert story.audiences == [("gm",)]
    story.when(Join(invite=invite), by="cy").then(MemberJoined("cy", "player", invite=invite))
    story.when(Join(invite=invite), by="dan").then(MemberJoined("dan", "player", invite=invite))
    story.when(Join(invite=invite), by="eve").then_refused("INVITE_NOT_VALID")


def test_an_invite_expires_at_its_instant():
    story = given(*opened()).when(MakeInvite(expires_us=1_000))
    invite = story.only(InviteMade).invite
    story.when(Join(invite=invite), by="cy", now_us=1_000).then_refused("INVITE_NOT_VALID")
    story.when(Join(invite=invite), by="cy", now_us=999)
    assert story.only(MemberJoined).member == "cy"


def test_a_revoked_invite_lets_nobody_in():
    story = given(*opened()).when(MakeInvite())
    invite = story.only(InviteMade).invite
    story.when(RevokeInvite(invite=invite)).when(Join(invite=invite), by="cy").then_refused("INVITE_NOT_VALID")


def test_an_invite_may_hand_over_a_character():
    story = given(*opened(), CharacterCreated("ayla", "Ayla", "player", "legends")).when(MakeInvite(character="ayla"))
    invite = story.only(InviteMade).invite
    story.when(Join(invite=invite), by="cy").then(
        MemberJoined("cy", "player", invite=invite), CharacterOwnerChanged("ayla", "cy")
    )


@pytest.mark.parametrize(
    "command",
    [
        MakeInvite(),
        RevokeInvite(invite="i"),
        ChangeRole(member="bo", role="gm"),
        RenameCampaign(name="x"),
        SetDiceMode(dice_mode="gm"),
        ChangeSettings(settings={"x": 1}),
    ],
)
@pytest.mark.parametrize(("who", "code"), [("ana", "NOT_GM"), ("zoe", "ROLE_FORBIDS")])
def test_the_game_masters_commands_are_the_game_masters(command, who, code):
    given(*opened()).when(command, by=who).then_refused(code)


def test_a_removed_member_is_removed_once():
    story = given(*opened()).when(RemoveMember(member="ana")).then(MemberRemoved("ana"))
    story.when(RemoveMember(member="ana")).then_refused("UNKNOWN_MEMBER")


def test_a_member_may_leave_and_not_send_others_away():
    given(*opened()).when(RemoveMember(member="ana"), by="ana").then(MemberRemoved("ana", left=True))
    given(*opened()).when(RemoveMember(member="bo"), by="ana").then_refused("NOT_GM")
    given(*opened()).when(RemoveMember(member="zoe"), by="zoe").then(MemberRemoved("zoe", left=True))


def test_the_last_game_master_stays():
    given(*opened()).when(RemoveMember(member="gm")).then_refused("LAST_GM")
    given(*opened()).when(ChangeRole(member="gm", role="player")).then_refused("LAST_GM")
    story = given(*opened()).when(ChangeRole(member="ana", role="gm")).then(MemberRoleChanged("ana", "gm"))
    story.when(RemoveMember(member="gm")).then(MemberRemoved("gm", left=True))


def test_what_does_not_change_leaves_no_trace():
    given(*opened()).when(RenameCampaign(name="Essai")).then()
    given(*opened()).when(SetDiceMode(dice_mode="table")).then()
    given(*opened(settings={"prices.bread": 1})).when(ChangeSettings(settings={"prices.bread": 1})).then()
    given(*opened(settings={"prices.bread": 1})).when(ChangeSettings(settings={"prices.bread": 2})).then(
        SettingsChanged({"prices.bread": 2})
    )


def test_what_changes_is_told():
    given(*opened()).when(RenameCampaign(name="Brume")).then(CampaignRenamed("Brume"))
    given(*opened()).when(SetDiceMode(dice_mode="gm")).then(DiceModeSet("gm"))
