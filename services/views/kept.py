"""States that the projector keeps between two pages. The campaign least recently read is forgotten first."""

from collections import OrderedDict

from services.views.stepping import Standing

AT_ONCE = 2
"""States of one campaign: where the views are, and where a new version follows behind."""


class Kept:
    """At most `most` campaigns."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._standing: OrderedDict[str, list[Standing]] = OrderedDict()

    def nearest(self, campaign: str, seq: int) -> Standing | None:
        """The furthest state kept that is not beyond `seq`."""
        known = [one for one in self._standing.get(campaign, ()) if one.seq <= seq]
        return max(known, key=lambda one: one.seq, default=None)

    def put(self, campaign: str, before: Standing, after: Standing) -> None:
        """`after` in the place of `before`."""
        known = [one for one in self._standing.pop(campaign, []) if one.seq not in (before.seq, after.seq)]
        self._standing[campaign] = [*known, after][-AT_ONCE:]
        while len(self._standing) > self._most:
            self._standing.popitem(last=False)

    def forget(self, campaign: str) -> None:
        self._standing.pop(campaign, None)

    def __len__(self) -> int:
        return len(self._standing)
