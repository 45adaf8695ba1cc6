"""Every command in the documents is run."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.running import ROOT, Running, Table

DOCUMENTS = ("README.md", "CONTRIBUTING.md", *(f"docs/{one.name}" for one in sorted((ROOT / "docs").glob("*.md"))))


def commands():
    """The lines of every `sh` block."""
    for name in DOCUMENTS:
        for block in re.findall(r"```sh\n(.*?)```", (ROOT / name).read_text("utf-8"), re.S):
            yield from (line for line in block.splitlines() if line.strip())


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("documents") / "data") as running:
        yield running


def test_every_make_target_that_is_named_exists():
    named = {
        target for name in DOCUMENTS for target in re.findall(r"`?make ([a-z]+)", (ROOT / name).read_text("utf-8"))
    }
    assert {"serve", "test", "check", "bench"} <= named
    for target in named:
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_every_command_works_as_written(server, tmp_path):
    ran = 0
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "home")}
    for line in commands():
        if line.startswith("make "):
            continue
        runnable = line.replace(".venv/bin/greffier", f"{sys.executable} -m services.cli")
        runnable = runnable.replace("http://127.0.0.1:8000", server.url)
        if " demo" in line or " new " in line:
            runnable += f" --url {server.url}"
        done = subprocess.run(
            ["bash", "-euc", runnable], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, (line, done.stdout[-500:], done.stderr[-500:])
        ran += 1
    assert ran >= 10


async def test_the_bot_of_the_documents_answers(server):
    (source,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/programs.md").read_text("utf-8"), re.S)
    written: dict[str, Any] = {}
    exec(source, written)
    async with httpx.AsyncClient(base_url=server.url) as http:
        table = await Table.open(http, "bot")
        await table.done("campaign.open_session")
        bot = asyncio.create_task(written["bot"](server.url, table.campaign, table.tokens["bot"]))
        try:
            async with asyncio.timeout(60):
                while not any(event["type"] == "campaign.dice_rolled" for event in await table.record()):
                    await table.done("campaign.say", text="!dé")
                    await asyncio.sleep(0.2)
        finally:
            bot.cancel()


def test_every_link_between_the_documents_leads_somewhere():
    for name in DOCUMENTS:
        for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text("utf-8")):
            assert (ROOT / name).parent.joinpath(link).exists(), (name, link)


def test_every_variable_that_the_readme_names_is_a_setting_and_every_setting_is_named():
    from services.settings import Settings

    named = set(re.findall(r"`GREFFIER_([A-Z_]+)`", (ROOT / "README.md").read_text("utf-8")))
    known = {name.upper() for name in Settings.__struct_fields__}
    elsewhere = {"POSTGRES_USER", "POSTGRES_BIN"}
    assert named - elsewhere - known == set()
    assert known - named <= {"STATES"}


def test_the_top_level_is_what_it_should_be():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    top = {Path(line).parts[0] for line in tracked.stdout.splitlines()}
    fixed = {
        "pyproject.toml",
        "README.md",
        "docker-compose.yml",
        "events",
        "domain",
        "projections",
        "services",
        "tests",
    }
    assert fixed <= top
    assert top - fixed <= {
        ".ci",
        ".gitignore",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "benchmarks",
        "docs",
        "requirements.lock",
        "requirements-dev.lock",
    }


def test_lock_files_name_no_host_and_pin_by_hash():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text("utf-8")
        assert "://" not in text
        pins = re.findall(r"^[a-z0-9][^ ]*==", text, re.M)
        assert len(pins) > 30
        assert all("--hash=sha256:" in block for block in re.split(r"^(?=[a-z0-9])", text, flags=re.M)[1:])


def test_the_compose_file_is_readable_and_names_its_parts():
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    for part in ("postgres:", "redis:", "node1:", "node2:", "proxy:"):
        assert part in text
    for line in re.findall(r"^\s+COPY (.+) \S+$", text, re.M):
        for path in line.split():
            assert (ROOT / path).exists(), path
