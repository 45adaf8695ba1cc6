"""Which server a command goes to."""

import pytest

from services.cli.address import server
from services.cli.telling import Failure
from services.settings import SettingsError


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("GREFFIER_HOST", "GREFFIER_PORT"):
        monkeypatch.delenv(name, raising=False)


def test_an_address_without_its_beginning_is_given_back_with_it():
    with pytest.raises(Failure, match=r"127\.0\.0\.1:18100 needs http:// in front: http://127\.0\.0\.1:18100$"):
        server("127.0.0.1:18100")


@pytest.mark.parametrize("url", ["ftp://here", "http://", "http://here:99999", "http://here:port", "http://[::"])
def test_what_is_no_address_of_a_server_is_refused(url):
    with pytest.raises(Failure, match="no address of a server"):
        server(url)


def test_a_slash_at_the_end_is_not_kept():
    assert server("https://here.example/table/") == "https://here.example/table"


def test_without_an_address_it_is_the_one_that_the_settings_name(monkeypatch):
    assert server(None) == "http://127.0.0.1:8000"
    monkeypatch.setenv("GREFFIER_PORT", "18100")
    monkeypatch.setenv("GREFFIER_HOST", "0.0.0.0")
    assert server(None) == "http://127.0.0.1:18100"
    monkeypatch.setenv("GREFFIER_PORT", "abc")
    with pytest.raises(SettingsError, match="GREFFIER_PORT=abc"):
        server(None)
