from domain.campaign.belongings import AcceptTrade, Give, OfferTrade, Share
from domain.campaign.cast import CreateCharacter
from domain.dnd35.sheet import Sheet
from events.table import CharacterCreated, CoinsGained, CoinsGiven, ItemsGained, ItemsGiven, TradeAgreed
from tests.support.story import given, opened


def two_purses():
    return (
        *opened("dnd35"),
        CharacterCreated("ayla", "Ayla", "player", "dnd35", owner="ana"),
        CharacterCreated("bonk", "Bonk", "player", "dnd35", owner="bo"),
        CoinsGained("ayla", 100, 100, "start"),
        ItemsGained("bonk", "corde", 2, 2, "start"),
    )


def test_a_gift_moves_whole_coins_from_one_purse_to_the_other():
    (
        given(*two_purses())
        .when(Give(giver="ayla", taker="bonk", coins=30), by="ana")
        .then(CoinsGiven("ayla", "bonk", 30, 70, 30))
    )


def test_a_gift_of_more_than_one_has_is_refused():
    given(*two_purses()).when(Give(giver="ayla", taker="bonk", coins=101), by="ana").then_refused(
        "NOT_ENOUGH_COINS", owned=100, needed=101
    )


def test_nobody_gives_away_what_is_anothers():
    given(*two_purses()).when(Give(giver="ayla", taker="bonk", coins=1), by="bo").then_refused("NOT_OWNER")


def test_a_trade_happens_whole():
    story = given(*two_purses()).when(
        OfferTrade(giver="ayla", taker="bonk", offer=Share(coins=40), ask=Share(items={"corde": 1})), by="ana"
    )
    offered = story.facts[0].trade
    story.when(AcceptTrade(character="bonk", trade=offered), by="bo").then(
        TradeAgreed(offered, "ayla", "bonk"),
        CoinsGiven("ayla", "bonk", 40, 60, 40, cause="trade"),
        ItemsGiven("bonk", "ayla", "corde", 1, cause="trade"),
    )


def test_a_player_creates_a_character_of_their_own():
    story = given(*opened("dnd35")).when(CreateCharacter(name="Cy", sheet=Sheet()), by="ana")
    assert story.only(CharacterCreated).owner == "ana"
