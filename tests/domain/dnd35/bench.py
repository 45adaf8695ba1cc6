"""A workbench for potions: characters, flasks and a clock counted in rounds, told through the story."""

from typing import Any

from domain.campaign.cast import CreateCharacter
from domain.campaign.game_clock import AdvanceClock
from domain.dnd35.potions.drinking import DrinkLayer, DrinkMixture
from domain.dnd35.potions.fixtures import MakePotion
from domain.dnd35.potions.flask import MakeFlask
from domain.dnd35.potions.shaking import ShakeFlask
from domain.dnd35.rounds import current_round
from domain.dnd35.sheet import Sheet
from domain.dnd35.state import Ailments, Creature, Drinker, Flask
from domain.kernel.command import Command
from domain.kernel.fold import the
from events.potions import FlaskMade, PotionMade
from tests.support.story import Story, given, opened


class Bench:
    """`ayla` is Ana's, `bonk` is Bo's; everything happens in round `now` of the campaign."""

    def __init__(self, **sheets: Sheet) -> None:
        self.story: Story = given(*opened("dnd35"))
        for name, owner in (("ayla", "ana"), ("bonk", "bo")):
            sheet = sheets.get(name, Sheet(hp_max=30))
            self.do(CreateCharacter(name=name.title(), sheet=sheet, owner=owner, id=name))

    def do(self, command: Command, *faces: int, by: str = "gm") -> Story:
        return self.story.when(command, *faces, by=by)

    @property
    def now(self) -> int:
        return current_round(self.story.state)

    def wait_until(self, then: int, *faces: int) -> Story:
        """The clock moves to this round, if it is not there yet."""
        if then == self.now:
            return self.story
        story = self.do(AdvanceClock(rounds=then - self.now), *faces)
        assert story.refused is None, story.refused
        return story

    def flask(self, capacity: int, *potions: str | dict[str, Any], holder: str = "ayla") -> str:
        """A flask with these potions, the first one at the bottom."""
        name = self.do(MakeFlask(holder=holder, capacity=capacity)).only(FlaskMade).flask
        for potion in potions:
            self.pour_in(name, potion, holder)
        return str(name)

    def pour_in(self, flask: str, potion: str | dict[str, Any], holder: str = "ayla") -> str:
        numbers = {"potion": potion} if isinstance(potion, str) else potion
        return str(self.do(MakePotion(holder=holder, flask=flask, **numbers)).only(PotionMade).dose.id)

    def shake(self, flask: str, *faces: int, rounds: int = 10, holder: str = "ayla", **more: Any) -> Story:
        """Round after round; the last one of ten makes the emulsion."""
        return self.do(ShakeFlask(actor=holder, flask=flask, rounds=rounds, **more), *faces)

    def drink(self, potion: str | dict[str, Any], *faces: int, who: str = "ayla", **more: Any) -> Story:
        """One potion out of a vial of its own."""
        vial = self.flask(100, potion, holder=who)
        return self.do(DrinkLayer(drinker=who, flask=vial, **more), *faces)

    def drink_layer(self, flask: str, *faces: int, who: str = "ayla") -> Story:
        return self.do(DrinkLayer(drinker=who, flask=flask), *faces)

    def drink_mixture(self, flask: str, *faces: int, who: str = "ayla") -> Story:
        return self.do(DrinkMixture(drinker=who, flask=flask), *faces)

    def running(self, who: str = "ayla") -> dict[str, int | None]:
        """What is at work, and until which round."""
        return {one.dose.spell: one.until for one in the(self.story.state, Drinker, who).running}

    def layers(self, flask: str) -> list[str]:
        return [dose.spell for dose in self.contents(flask).layers]

    def contents(self, flask: str) -> Flask:
        return the(self.story.state, Flask, flask)

    def sheet(self, who: str = "ayla") -> Creature:
        return the(self.story.state, Creature, who)

    def ill(self, who: str = "ayla") -> Ailments:
        return the(self.story.state, Ailments, who)


FLY, OWL, BULL, UNSEEN = "fly", "owls-wisdom", "bulls-strength", "invisibility"
CLW, CMW, OIL = "cure-light-wounds", "cure-moderate-wounds", "oil-of-magic-weapon"
