"""The journal: one sentence for every event, kept without a language and told in the reader's own.

A line holds a message id and its parameters. Members stand in it by id: what they are called is asked when the line
is told, so an erased name is gone from every line.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.campaign.references import characters_named
from domain.kernel.fold import State
from events.codec import kind_of
from events.envelope import Roll
from projections.messages import Names, Param, dice, sentence
from projections.sentences import SAYINGS, Sentence
from projections.sentences.saying import Telling
from projections.view import ALL, Erased, Event, Row, View


class Line(Struct, frozen=True, gc=False, omit_defaults=True):
    """`kind` is the type of the event. Where `count` names a parameter, `plural` is the message for many."""

    message: str
    params: dict[str, Param]
    kind: str
    session: int
    at_us: int
    actor: str
    characters: list[str]
    plural: str = ""
    count: str = ""
    rolls: tuple[Roll, ...] = ()


ERASED = Sentence("These words have been erased.", {})


def lines(before: State, event: Event, after: State) -> Iterable[Row]:
    """The event's line, which those see who see the event."""
    happened = event.happened
    fact = happened.fact
    if isinstance(fact, Erased):
        told, kind = ERASED, fact.kind
    else:
        saying, kind = SAYINGS[type(fact)], kind_of(fact)
        told = saying if isinstance(saying, Sentence) else saying.of(fact)
    doc = Line(
        told.msgid,
        told.params(Telling(before, event, after)),
        kind,
        happened.session,
        event.at_us,
        happened.actor,
        characters_named(fact),
        told.plural,
        told.count,
        fact.rolls,
    )
    yield Row(ALL, event.seq, doc, happened.audience)


def tell(locale: str, line: Line, names: Names | None = None) -> str:
    """The line in the language of this tag."""
    return sentence(locale, line.message, line.params, names, plural=line.plural, count=line.count)


def tell_dice(locale: str, line: Line) -> list[str]:
    """The dice that fell, one roll a line."""
    return dice(locale, line.rolls)


JOURNAL = View("journal", 1, lines)
