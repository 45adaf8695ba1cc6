"""Which seat is meant, where one home has several."""

import json

import pytest

from services.cli import keyring
from services.cli.keyring import Seat
from services.cli.seating import choose
from services.cli.telling import Failure

HERE, THERE = "http://here", "http://there"
GM = Seat(HERE, "c_1", "m_gm", "t1", "La Brume", "MJ", "gm")
ANA = Seat(HERE, "c_1", "m_ana", "t2", "La Brume", "Ana", "player")
BO = Seat(HERE, "c_1", "m_bo", "t3", "La Brume", "Bo", "player")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_the_game_masters_seat_comes_first_however_old_it_is():
    assert choose([GM, ANA], None) is GM
    assert choose([ANA], None) is ANA


@pytest.mark.parametrize("under", ["Ana", "ana", "player", "m_ana"])
def test_a_seat_is_named_by_name_role_or_id(under):
    assert choose([GM, ANA], under) is ANA


def test_where_several_fit_none_is_guessed():
    with pytest.raises(Failure, match=r"several seats at La Brume: Ana \(player\) m_ana, Bo \(player\) m_bo"):
        choose([ANA, BO], None)
    with pytest.raises(Failure, match="several seats"):
        choose([GM, ANA, BO], "player")
    with pytest.raises(Failure, match=r"None of your seats at La Brume is Zoe: MJ \(gm\)"):
        choose([GM, ANA], "Zoe")


def test_a_campaign_is_found_by_id_name_or_the_beginning_of_its_id():
    keyring.keep(GM, ANA)
    for name in ("c_1", "La Brume", "la brume", "c_"):
        assert keyring.at(name) == [GM, ANA]
    for name in ("", "Brume", "c_2"):
        with pytest.raises(Failure, match="No seat is known"):
            keyring.at(name)


def test_two_campaigns_of_one_name_are_told_apart_by_id_or_server():
    other = Seat(THERE, "c_2", "m_gm2", "t4", "La Brume", "MJ", "gm")
    keyring.keep(GM, other)
    with pytest.raises(Failure, match=r"2 campaigns fit 'La Brume'(.|\n)*c_1(.|\n)*c_2"):
        keyring.at("La Brume")
    assert keyring.at("c_2") == [other]
    assert keyring.at("La Brume", THERE) == [other]


def test_a_seat_is_found_on_a_server_that_has_moved():
    keyring.keep(GM)
    assert keyring.at("La Brume", THERE) == [GM]


def test_a_seat_is_kept_once_with_its_newest_address():
    keyring.keep(GM)
    keyring.keep(Seat(THERE, "c_1", "m_gm", "t1", "La Brume", "MJ", "gm"))
    assert [one.url for one in keyring.seats()] == [THERE]


def test_a_seat_that_is_known_is_not_written_again():
    keyring.keep(GM, ANA)
    keyring.place().chmod(0o400)
    keyring.keep(GM)
    assert keyring.place().stat().st_mode & 0o777 == 0o400


@pytest.mark.parametrize("text", ["{", '{"a": 1}', '[{"url": 1}]'])
def test_a_file_that_cannot_be_read_is_named(text):
    keyring.keep(GM)
    keyring.place().write_text(text)
    with pytest.raises(Failure, match=r"seats\.json cannot be read"):
        keyring.seats()


def test_a_file_of_an_earlier_version_is_read():
    keyring.keep(GM)
    keyring.place().write_text(
        json.dumps([{"url": HERE, "campaign": "c_1", "member": "m_gm", "token": "t1", "name": "La Brume"}])
    )
    assert keyring.at("La Brume")[0].role == ""
