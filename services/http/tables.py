"""Opening a campaign, inviting, joining, leaving, tokens."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from msgspec import Meta, Struct

from domain.campaign.opening import Locale, OpenCampaign, Settings, SystemName
from domain.campaign.seats import ChangeRole, Join, MakeInvite, RemoveMember, RevokeInvite
from domain.kernel.charter import charter
from domain.kernel.command import Name
from domain.kernel.fold import every
from domain.kernel.members import Invite, Member
from domain.kernel.sitting import row
from events.table import DiceMode, InviteMade, Role
from projections.visibility import visible
from services import ids
from services.clock import now_us
from services.http.answers import (
    CookieKept,
    Invitation,
    InviteListed,
    MemberChanged,
    MemberShown,
    Moved,
    Seated,
    TableListed,
    TableShown,
    Ticket,
    TokenListed,
    TokenMade,
    TokenRevoked,
)
from services.http.asking import COOKIE, all_tokens
from services.http.parts import Req, asking, parts
from services.pipeline import Order, Trouble
from services.problems import read_body
from services.seat import Seat
from services.states import CODEC

Seconds = Annotated[int, Meta(ge=1, le=365 * 86_400)]
Scope = Annotated[str, Meta(pattern=r"^(read|roll|gm|act:[A-Za-z0-9_-]{1,64})$")]


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`name` of the campaign; `member_name` is what the others call its first game master."""

    name: Name
    systems: Annotated[tuple[SystemName, ...], Meta(min_length=1, max_length=3)] = ("legends",)
    locale: Locale = "fr"
    dice_mode: DiceMode = "server"
    settings: Settings = {}
    member_name: Name = "MJ"


class AskInvite(Struct, frozen=True, forbid_unknown_fields=True):
    """`expires_in` in seconds; without it the invite holds until its `uses` are used up."""

    role: Role = "player"
    character: Annotated[str, Meta(max_length=64)] | None = None
    uses: Annotated[int, Meta(ge=1, le=1_000)] = 1
    expires_in: Seconds | None = None


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`invite` is the code of an invite (`gi.…`), and `name` what the others call whoever joins."""

    invite: Annotated[str, Meta(min_length=1, max_length=200)]
    name: Name


class ChangeMember(Struct, frozen=True, forbid_unknown_fields=True):
    """`role` is for the game master; `name` for the member and the game master."""

    role: Role | None = None
    name: Name | None = None


class AskToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A narrower token of one's own, for a program. `expires_in` in seconds."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=50)]
    expires_in: Seconds | None = None


@post("/campaigns", status_code=201)
async def open_table(request: Request[Any, Any, Any]) -> Seated:
    """Open a campaign. Answers its id, the game master's member id and token (shown once)."""
    form: OpenTable = read_body(await request.body(), OpenTable)
    have = parts(request)
    campaign, member = ids.new_id("c"), ids.new_id("m")
    command = OpenCampaign(
        name=form.name,
        systems=form.systems,
        locale=form.locale,
        dice_mode=form.dice_mode,
        settings=form.settings,
    )
    outcome = await have.pipeline.submit(Order(Seat(campaign, member), command, role="gm"))
    await have.registry.call(campaign, member, form.member_name, now_us())
    token = await have.registry.issue("token", campaign, member, now_us())
    return Seated(campaign, member, token, outcome.last)


@get("/campaigns")
async def list_tables(request: Req) -> list[TableListed]:
    """The campaigns of the token and the cookies that come with the request."""
    have = parts(request)
    found = []
    for secret in all_tokens(request):
        credential = await have.registry.find("token", secret, now_us())
        if credential is None:
            continue
        try:
            asked = await have.door.at_head(Seat(credential.campaign, credential.subject, credential.scopes))
        except Trouble:
            continue
        terms = charter(asked.held.state)
        found.append(
            TableListed(
                credential.campaign,
                terms.name,
                terms.systems,
                credential.subject,
                asked.viewer.role,
                asked.held.seq,
            )
        )
    return found


@get("/campaigns/{campaign:str}")
async def show_table(request: Req, campaign: str) -> TableShown:
    """The campaign at a glance: what was agreed on, who sits there, whether a session is open."""
    asked = await asking(request, campaign)
    state = asked.held.state
    terms, names = charter(state), await parts(request).registry.names(campaign)
    return TableShown(
        campaign,
        terms.name,
        terms.systems,
        terms.locale,
        terms.dice_mode,
        terms.settings,
        row(state).session or None,
        asked.viewer.member,
        asked.viewer.role,
        asked.seat.scopes,
        tuple(MemberShown.of(name, names.get(name), one) for name, one in every(state, Member).items()),
        asked.held.seq,
    )


@post("/campaigns/{campaign:str}/invites", status_code=201)
async def invite(request: Req, campaign: str) -> Invitation:
    """Answers a code and a link; whoever has either may join."""
    have = parts(request)
    form: AskInvite = read_body(await request.body(), AskInvite)
    seat = await have.door.seat(request, campaign)
    expires_us = now_us() + form.expires_in * 1_000_000 if form.expires_in else 0
    command = MakeInvite(role=form.role, uses=form.uses, expires_us=expires_us, character=form.character)
    outcome = await have.pipeline.submit(Order(seat, command))
    made = CODEC.decode(outcome.events[0].type, outcome.events[0].version, outcome.events[0].body).fact
    assert isinstance(made, InviteMade)
    code = await have.registry.issue("invite", campaign, made.invite, now_us(), expires_us=expires_us)
    link = f"{request.base_url}#join={code}"
    return Invitation(made.invite, code, link, form.role, outcome.last)


@get("/campaigns/{campaign:str}/invites")
async def list_invites(request: Req, campaign: str) -> list[InviteListed]:
    """The invites that still hold; for the game master. Codes are not shown again."""
    asked = await asking(request, campaign)
    return [
        InviteListed(name, one.role, one.uses, one.expires_us, one.character)
        for name, one in every(visible(asked.viewer, asked.held.state), Invite).items()
    ]


@delete("/campaigns/{campaign:str}/invites/{name:str}", status_code=200)
async def revoke_invite(request: Req, campaign: str, name: str) -> Moved:
    """The invite holds no more."""
    seat = await parts(request).door.seat(request, campaign)
    outcome = await parts(request).pipeline.submit(Order(seat, _made(RevokeInvite, invite=name)))
    return Moved(outcome.last)


@post("/join", status_code=201)
async def join(request: Req) -> Seated:
    """Take a seat. Answers the member's id and token (shown once)."""
    have = parts(request)
    form: JoinTable = read_body(await request.body(), JoinTable)
    found = await have.registry.find("invite", form.invite, now_us())
    if found is None and not form.invite.startswith("gi."):
        raise Trouble(404, "NO_INVITE_CODE")
    if found is None:
        raise Trouble(404, "INVITE_NOT_VALID")
    member = ids.new_id("m")
    seat = Seat(found.campaign, member)
    outcome = await have.pipeline.submit(Order(seat, Join(invite=found.subject), role="player"))
    await have.registry.call(found.campaign, member, form.name, now_us())
    token = await have.registry.issue("token", found.campaign, member, now_us())
    return Seated(found.campaign, member, token, outcome.last)


@delete("/campaigns/{campaign:str}/members/{member:str}", status_code=200)
async def remove_member(request: Req, campaign: str, member: str) -> Moved:
    """The game master removes somebody, or a member leaves."""
    seat = await parts(request).door.seat(request, campaign)
    outcome = await parts(request).pipeline.submit(Order(seat, _made(RemoveMember, member=member)))
    return Moved(outcome.last)


@patch("/campaigns/{campaign:str}/members/{member:str}")
async def change_member(request: Req, campaign: str, member: str) -> MemberChanged:
    """Another role, another name."""
    have = parts(request)
    form: ChangeMember = read_body(await request.body(), ChangeMember)
    asked = await asking(request, campaign)
    seq = asked.held.seq
    known = every(asked.held.state, Member).get(member)
    if form.name is not None and (
        known is None or asked.seat.scopes or (member != asked.viewer.member and asked.viewer.role != "gm")
    ):
        raise Trouble(404, "NOT_FOUND")
    if form.role is not None:
        seq = (await have.pipeline.submit(Order(asked.seat, _made(ChangeRole, member=member, role=form.role)))).last
    if form.name is not None:
        await have.registry.call(campaign, member, form.name, now_us())
    return MemberChanged(member, seq)


@post("/campaigns/{campaign:str}/tokens", status_code=201)
async def make_token(request: Req, campaign: str) -> TokenMade:
    """A narrower token of one's own, shown once."""
    have = parts(request)
    form: AskToken = read_body(await request.body(), AskToken)
    asked = await asking(request, campaign)
    if asked.seat.scopes:
        raise Trouble(403, "NARROW_TOKEN")
    if "gm" in form.scopes and asked.viewer.role != "gm":
        raise Trouble(403, "NARROW_TOKEN")
    if len(await have.registry.listed(campaign, asked.viewer.member)) >= 100:
        raise Trouble(429, "TOO_MANY_REQUESTS", retry_after=60)
    expires_us = now_us() + form.expires_in * 1_000_000 if form.expires_in else 0
    token = await have.registry.issue(
        "token",
        campaign,
        asked.viewer.member,
        now_us(),
        scopes=form.scopes,
        name=form.name,
        expires_us=expires_us,
    )
    return TokenMade(ids.hashed(token).hex()[:16], token, form.scopes, form.name)


@get("/campaigns/{campaign:str}/tokens")
async def list_tokens(request: Req, campaign: str) -> list[TokenListed]:
    """One's own narrower tokens, without their secrets."""
    asked = await asking(request, campaign)
    if asked.seat.scopes:
        raise Trouble(403, "NARROW_TOKEN")
    listed = await parts(request).registry.listed(campaign, asked.viewer.member)
    return [TokenListed(one.id, one.name, one.scopes, one.expires_us) for one in listed]


@delete("/campaigns/{campaign:str}/tokens/{token_id:str}", status_code=200)
async def revoke_token(request: Req, campaign: str, token_id: str) -> TokenRevoked:
    """The token holds no more, on any connection."""
    asked = await asking(request, campaign)
    if asked.seat.scopes:
        raise Trouble(403, "NARROW_TOKEN")
    if len(token_id) != 16 or not token_id.isalnum():
        raise Trouble(404, "NOT_FOUND")
    if not await parts(request).registry.revoke(campaign, asked.viewer.member, token_id):
        raise Trouble(404, "NOT_FOUND")
    return TokenRevoked(token_id)


@post("/campaigns/{campaign:str}/tickets", status_code=201)
async def make_ticket(request: Req, campaign: str) -> Ticket:
    """A ticket for one WebSocket, good for a minute: `…/live?ticket=…`."""
    have = parts(request)
    asked = await asking(request, campaign)
    until = now_us() + 60_000_000
    ticket = await have.registry.issue(
        "ticket",
        campaign,
        asked.viewer.member,
        now_us(),
        scopes=asked.seat.scopes,
        name=asked.seat.token,
        expires_us=until,
    )
    return Ticket(ticket, until)


@post("/campaigns/{campaign:str}/cookie", status_code=201)
async def keep_cookie(request: Req, campaign: str) -> Response[CookieKept]:
    """Keep the token that came with the request in an `HttpOnly` cookie, for our own pages."""
    asked = await asking(request, campaign)
    secret = request.headers.get("authorization", "").partition(" ")[2].strip()
    if not secret:
        raise Trouble(401, "UNAUTHENTICATED")
    cookie = Cookie(
        COOKIE + campaign,
        value=secret,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        max_age=365 * 86_400,
        path="/api",
    )
    return Response(CookieKept(asked.viewer.member), cookies=[cookie], status_code=201)


def _made(form: type[Any], **fields: object) -> Any:
    """A command out of a path: checked like one out of a body."""
    return msgspec.convert(fields | {"type": form.__struct_config__.tag}, form)


HANDLERS = [
    open_table,
    list_tables,
    show_table,
    invite,
    list_invites,
    revoke_invite,
    join,
    remove_member,
    change_member,
    make_token,
    list_tokens,
    revoke_token,
    make_ticket,
    keep_cookie,
]
