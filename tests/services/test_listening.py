"""The address is taken before anything else is started."""

import socket

import pytest

from services.listening import CannotListen, address, port_of, take
from services.settings import Settings


@pytest.fixture
def busy():
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield one.getsockname()[1]


def test_a_port_that_is_taken_is_named_with_what_to_do(busy):
    with pytest.raises(CannotListen, match=rf"Port {busy} of 127\.0\.0\.1 is taken .*--port or GREFFIER_PORT"):
        take(Settings(port=busy))


def test_port_0_is_any_that_is_free_on_every_address_of_the_host():
    taken = take(Settings(host="localhost", port=0))
    try:
        assert port_of(taken) > 0
        assert {one.getsockname()[1] for one in taken} == {port_of(taken)}
    finally:
        for one in taken:
            one.close()


@pytest.mark.parametrize(
    ("host", "said"), [("no.such.host.invalid", "no machine"), ("192.0.2.1", "no address of this machine")]
)
def test_a_host_that_is_not_here_is_said(host, said):
    with pytest.raises(CannotListen, match=said):
        take(Settings(host=host, port=0))


def test_the_address_to_go_to_is_one_that_a_browser_takes():
    assert address("0.0.0.0", 8000) == "http://127.0.0.1:8000"
    assert address("::1", 8000) == "http://[::1]:8000"
    assert address("here.example", 80) == "http://here.example:80"
