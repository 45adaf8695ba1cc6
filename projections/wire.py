"""An event as it travels: open to those who may see it, sealed to everybody else.

An open event is the stored body with its place in the chain around it: taking `at`, `digest`, `hash`, `salt`, `seq`
and `struck` away and sorting the keys gives back the very bytes that were hashed. `salt` is the salt and the
fingerprint that stand before the body in the digest.
"""

from datetime import UTC, datetime

import msgspec

from events.envelope import Recorded
from projections.visibility import Viewer, may_see


def rfc3339(at_us: int) -> str:
    """A stored time, which is microseconds since 1970, in UTC."""
    seconds, micros = divmod(at_us, 1_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{micros:06}Z"


def open_event(event: Recorded) -> bytes:
    """JSON of an event for those who may see it."""
    if not event.body:
        return b'%s,"erased":true,"hash":"%s"}' % (sealed_event(event)[:-1], event.hash.hex().encode())
    head = (
        f'{{"at":"{rfc3339(event.at_us)}","digest":"{event.digest.hex()}","hash":"{event.hash.hex()}",'
        f'"salt":"{event.salt.hex()}{event.fingerprint.hex()}","seq":{event.seq},"struck":false,'
    )
    return head.encode() + event.body[1:]


def sealed_event(event: Recorded) -> bytes:
    """JSON of the same event for everybody else: its number, its time, its digest."""
    return f'{{"seq":{event.seq},"at":"{rfc3339(event.at_us)}","digest":"{event.digest.hex()}"}}'.encode()


def event_for(who: Viewer, event: Recorded) -> msgspec.Raw:
    """JSON of the event as `who` gets it."""
    return msgspec.Raw(open_event(event) if may_see(who, event.audience) else sealed_event(event))
