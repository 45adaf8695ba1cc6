"""One running server for all tests of a worker that do not kill it."""

import httpx
import pytest

from tests.support.running import Running


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server") / "data")
    with running:
        yield running


@pytest.fixture
async def http(server):
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        yield client
