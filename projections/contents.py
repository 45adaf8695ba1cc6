"""Everything there is to look at."""

from projections.journal import JOURNAL
from projections.ledger import LEDGER
from projections.sessions import SESSIONS
from projections.sheet import SHEET
from projections.view import View

VIEWS: dict[str, View] = {view.name: view for view in (SHEET, JOURNAL, LEDGER, SESSIONS)}
