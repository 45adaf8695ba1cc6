"""One command, decided: who may, which dice, what happens, and who gets to see it."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.campaign.book import DECIDE, EVOLVE
from domain.campaign.references import characters_named
from domain.campaign.systems import SYSTEMS, wording_of
from domain.kernel.cast import Character, known_to
from domain.kernel.charter import charter
from domain.kernel.command import Command, Context
from domain.kernel.dice import DeclaredDice, Dice, NoDice, Row, ServerDice, blend
from domain.kernel.fold import State, find, fold
from domain.kernel.refusal import (
    CHARACTER_DEAD,
    CHARACTER_DOWN,
    CHARACTER_RETIRED,
    DICE_NOT_ALLOWED,
    ROLE_FORBIDS,
    SEED_LOST,
    SESSION_NOT_OPEN,
    SYSTEM_NOT_PLAYED,
    WRONG_SYSTEM,
    Refusal,
    require,
)
from domain.kernel.sitting import row, secret_row, sitting
from events.envelope import TABLE, Audience, Fact
from events.table import CharacterHidden, CharacterOwnerChanged, RefusalOverridden, Role

GM_THROWS = Refusal(
    "DICE_BY_GM",
    "A {sides}-sided die is due ({purpose}), and here the game master throws: ask them to give this command.",
)


class Told(Struct, frozen=True):
    """A fact and who may see it."""

    fact: Fact
    audience: Audience


def decide(state: State, command: Command, context: Context) -> tuple[list[Told], State]:
    """What happens, in order, and the state after it. Raises `Refused`, and then nothing has happened."""
    authorise(state, command, context)
    refuse_faces(state, command, context)
    facts = list(DECIDE[type(command)].decide(state, command, context))
    context.dice.done()
    fallen = sum(len(roll.faces) for fact in facts for roll in fact.rolls)
    if fallen != context.dice.thrown:
        raise RuntimeError(f"{type(command).__name__}: {context.dice.thrown} dice fell and {fallen} were told")
    if facts:
        facts = [*overrides(command, context, facts), *facts]
    told = []
    for fact in facts:
        before, state = state, fold(EVOLVE, state, [fact])
        told.append(Told(fact, audience(before, state, fact)))
        _check_rows(state, told[-1])
    return told, state


def _check_rows(state: State, one: Told) -> None:
    """A die from the wrong row would tell a secret, or be beyond proof."""
    now = sitting(state)
    due = "server" if one.audience == TABLE or now is None or not now.secret_commitment else "secret"
    if any(roll.source not in ("declared", due) for roll in one.fact.rolls):
        raise RuntimeError(f"a die of {type(one.fact).__name__} fell in the wrong row: {due} was due")


def authorise(state: State, command: Command, context: Context) -> None:
    """Refuse what this member may not command, in the order authority, existence, life in play.

    Whoever a member may not see does not exist for them: the refusal is the same.
    """
    decider, tag = DECIDE[type(command)], str(command.__struct_config__.tag)
    words = wording_of(tag)
    system = tag.partition(".")[0]
    if decider.by != "anyone":
        require(context.role != "spectator", ROLE_FORBIDS, role="spectator")
    if decider.by == "gm":
        require(context.is_gm, words.not_gm)
    if system != "campaign":
        played = charter(state).systems
        require(system in played, SYSTEM_NOT_PLAYED, system=system, systems=list(played))
    actors = {name for field in decider.actors for name in several(getattr(command, field))}
    for name in characters_named(command):
        one = find(state, Character, name)
        mine = context.is_gm or name in context.acts_for
        if one is None or not known_to(state, name, context):
            words.unknown_character.because(character=name)
        if name in actors and decider.by == "owner":
            require(mine or one.owner == context.actor, words.not_owner, character=one.name)
        if name in actors:
            if system in SYSTEMS:
                require(one.system == system, WRONG_SYSTEM, character=one.name, system=system)
            context.require(not one.retired, CHARACTER_RETIRED, character=one.name)
            if system not in SYSTEMS and decider.needs != "nothing":
                condition = SYSTEMS[one.system].condition(state, name)
                context.require(condition != "dead", CHARACTER_DEAD, character=one.name)
                up = decider.needs == "life" or condition == "able"
                context.require(up, CHARACTER_DOWN, character=one.name)


def several(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (named,) if isinstance(named, str) else named or ()


def dice_for(
    state: State, command: Command, role: Role, campaign: str, seed: bytes | None, secret_seed: bytes | None = None
) -> Dice:
    """The dice of this command, where it may be given at all: `refuse_faces` says so afterwards.

    `seed` and `secret_seed` are those of the open session, if there is one.
    """
    mode = charter(state).dice_mode
    words = wording_of(str(command.__struct_config__.tag))
    typed_in = command.dice is not None and role == "gm" and words.players_declare is not None
    if mode == "server" and not typed_in:
        now = sitting(state)
        if now is None or seed is None:
            return NoDice(SESSION_NOT_OPEN)
        if now.secret_commitment and secret_seed is None:
            return NoDice(SEED_LOST)
        dice = row(state)
        veiled = None if secret_seed is None else Row(secret_seed, secret_row(state).next)
        return ServerDice(campaign, dice.session, blend(now.entropy), Row(seed, dice.next), veiled)
    if role != "gm" and (mode == "gm" or words.players_declare is not None):
        return NoDice(GM_THROWS)
    return DeclaredDice(
        command.dice or (),
        too_few=words.too_few_faces,
        too_many=words.too_many_faces,
        impossible=words.impossible_face,
    )


def refuse_faces(state: State, command: Command, context: Context) -> None:
    """Refuse faces from whoever throws no dice: by the rules (HM-1.2), or by the campaign's dice mode."""
    if command.dice is None:
        return
    mode, declares = charter(state).dice_mode, wording_of(str(command.__struct_config__.tag)).players_declare
    if declares is not None:
        require(context.is_gm, declares, "HM-1.2")  # HM-1.3: the game master may type them in, whatever the mode
        return
    require(mode != "server" and (mode != "gm" or context.is_gm), DICE_NOT_ALLOWED, mode=mode)


def overrides(command: Command, context: Context, facts: Sequence[Fact]) -> Iterable[Fact]:
    """What the game master let pass, before what came of it; a hidden character keeps it from the others."""
    named = characters_named(command) or list(dict.fromkeys(name for fact in facts for name in characters_named(fact)))
    for refused in context.overridden:
        yield RefusalOverridden(
            str(command.__struct_config__.tag),
            refused.code,
            refused.rule or "",
            context.override_reason or "",
            character=named[0] if named else None,
            others=tuple(named[1:]),
        )


def audience(before: State, after: State, fact: Fact) -> Audience:
    """Its own, narrowed to those who know of every hidden character it names, whatever role they have later.

    Whoever may not see a character any more is told so: that it hides, or that somebody else plays it.
    """
    own = fact.audience
    state = before if isinstance(fact, CharacterHidden) else after
    hidden = [one for name in characters_named(fact) if (one := find(state, Character, name)) and one.hidden]
    if not hidden:
        return own
    owners = {one.owner for one in hidden}
    knowing = {"gm", *(owners if len(owners) == 1 else ())} - {None}
    if isinstance(fact, CharacterOwnerChanged) and (past := find(before, Character, fact.character)):
        knowing |= {past.owner} - {None}
    if own != TABLE:
        knowing = knowing & set(own) or {"gm"}
    return tuple(sorted(name for name in knowing if name))
