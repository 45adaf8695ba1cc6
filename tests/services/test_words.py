"""What the edge says is in the catalogues too."""

from projections.catalogues import WORDS
from projections.extraction import Message, entries
from services.http.welcome import PHRASES
from services.problems import TROUBLES


def test_every_trouble_of_the_edge_is_translated() -> None:
    lacking = [Message("", text) for text in (*TROUBLES.values(), *PHRASES) if ("", text) not in WORDS["fr"]]
    assert not lacking, f"add to the French catalogue:\n\n{entries(lacking)}"
