"""How older versions of an event type are read by this build.

An upcaster takes the `data` of one version and answers the `data` of the next. Stored bytes never change.
"""

from collections.abc import Callable
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: dict[tuple[str, int], Upcaster] = {}
"""By event type and the version that is read."""
