"""One sentence for every fact there is."""

from projections.sentences import dnd35, legends, legends_companions, legends_compendium, legends_effects, table
from projections.sentences.saying import Saying, Sayings, Sentence

SAYINGS: Sayings = {
    **table.SAYINGS,
    **legends.SAYINGS,
    **legends_effects.SAYINGS,
    **legends_companions.SAYINGS,
    **legends_compendium.SAYINGS,
    **dnd35.SAYINGS,
}

EVERY: tuple[Sentence, ...] = tuple(
    sentence
    for saying in SAYINGS.values()
    for sentence in ((saying,) if isinstance(saying, Sentence) else saying.sentences.values())
)

__all__ = ["EVERY", "SAYINGS", "Saying", "Sentence"]
