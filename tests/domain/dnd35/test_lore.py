"""Finding out in advance (HM-17.3)."""

import pytest

from domain.dnd35.potions.lore import BeginAnalysis, FinishAnalysis
from domain.dnd35.rounds import HOUR
from domain.dnd35.sheet import Sheet, SkillLine
from domain.dnd35.state import Discovery
from domain.kernel.fold import every
from events.potions import AnalysisBegun, MixtureAnalysed
from tests.domain.dnd35.bench import BULL, FLY, OWL, Bench

SCHOLAR = Sheet(hp_max=30, skills={"spellcraft": SkillLine(4, 9), "craft_alchemy": SkillLine(0, 4)})
FINISH = FinishAnalysis(character="ayla")


def studied(skill="spellcraft", mixed=True):
    bench = Bench(ayla=SCHOLAR)
    flask = bench.flask(50, FLY, OWL)
    if mixed:
        bench.shake(flask, 25)
    bench.wait_until(20)
    pair = bench.contents(flask).layers[0].pair or "nothing"
    bench.do(BeginAnalysis(character="ayla", flask=flask, pair=pair, skill=skill), by="ana")
    return bench, flask, pair


@pytest.mark.rule("HM-17.3", "HM-17.5")
@pytest.mark.parametrize(("face", "success"), [(18, False), (19, True)])
def test_an_hours_study_tells_the_analyst_and_nobody_else(face, success):
    bench, flask, pair = studied()
    bench.story.then(AnalysisBegun("ayla", flask, pair, "spellcraft", 20, 620))
    bench.wait_until(620)
    story = bench.do(FINISH, face, by="ana")
    told = story.only(MixtureAnalysed)
    assert (told.dc, told.total, told.success) == (28, face + 9, success)
    assert told.row == ("first_nullified" if success else "")
    assert story.audiences == [("gm", "ana")]
    assert every(story.state, Discovery) == {}


@pytest.mark.rule("HM-17.3", "HM-A42")
def test_what_the_study_asks_for():
    bench, *_ = studied(skill="craft_alchemy")
    bench.story.then_refused("RankRequired", "HM-A42", skill="craft_alchemy")
    bench, *_ = studied(mixed=False)
    bench.story.then_refused("NotMixed", "HM-17.3")
    bench, *_ = studied()
    bench.wait_until(619)
    bench.do(FINISH, by="ana").then_refused("HourNotElapsed", "HM-17.3", rounds=1)
    bench.wait_until(620)
    bench.do(FinishAnalysis(character="ayla", calm=False), by="ana").then_refused("NotCalm", "HM-17.3")


@pytest.mark.rule("HM-A42")
def test_whatever_one_does_breaks_the_study_and_it_can_be_begun_again():
    bench, flask, pair = studied()
    bench.drink(BULL)
    bench.wait_until(700)
    bench.do(FINISH, by="ana").then_refused("NotDeclared", "HM-17.3")
    bench.do(BeginAnalysis(character="ayla", flask=flask, pair=pair, skill="spellcraft"), by="ana")
    bench.wait_until(700 + HOUR)
    assert not bench.do(FINISH, 1, by="ana").only(MixtureAnalysed).success


@pytest.mark.rule("HM-A48")
def test_one_dose_that_is_left_will_do():
    bench, flask, pair = studied()
    bench.wait_until(700)
    bench.drink_layer(flask)
    bench.wait_until(701)
    bench.do(BeginAnalysis(character="ayla", flask=flask, pair=pair, skill="spellcraft"), by="ana")
    assert bench.story.refused is None
