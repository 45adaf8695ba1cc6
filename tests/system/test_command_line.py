"""`greffier …` as somebody types it, against a running server."""

import json
import re
import socket

import pytest

from services.client import Client
from tests.support.running import Running, free_port, greffier


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def here(server, home):
    """`greffier` of somebody whose settings name the running server."""

    def run(*words, rc=0, **environment):
        done = greffier(*words, home=home, **{"GREFFIER_PORT": str(server.port), "LC_ALL": "C", **environment})
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == rc, (done.stdout, done.stderr)
        return done

    return run


@pytest.fixture
def table(here):
    """A campaign in which this home is the game master, and then Ana, a player. Answers the invite's code."""
    code = re.search(r"greffier join (\S+)", here("new", "Ma table").stdout)[1]
    here("join", code, "--name", "Ana", "--again")
    return code


def test_a_campaign_from_the_command_line(here, table, home, tmp_path):
    file = tmp_path / "file.ndjson"
    assert "Ana" in here("journal", "Ma table").stdout
    here("export", "Ma table", str(file))
    here("verify", str(file))
    assert (home / "greffier" / "seats.json").stat().st_mode & 0o777 == 0o600


def test_whoever_has_the_game_masters_seat_exports_the_whole_record(here, table, tmp_path):
    file = tmp_path / "file.ndjson"
    here("send", "Ma table", "campaign.gm_note", "text=le roi ment")
    assert "as MJ (gm)" in here("export", "Ma table", str(file)).stderr
    assert "le roi ment" in file.read_text()
    assert "as Ana (player)" in here("export", "Ma table", str(file), "--as", "Ana").stderr
    assert "le roi ment" not in file.read_text()


def test_a_second_seat_has_to_be_asked_for(here, table):
    assert "--again" in here("join", table, "--name", "Ana", rc=1).stderr
    here("join", table, "--name", "Ana", "--again")
    assert "several seats" in here("journal", "Ma table", "--as", "Ana", rc=1).stderr


def test_commands_are_given_and_told_as_lines_of_the_journal(here, table):
    told = here("send", "Ma table", "campaign.narrate", "text=La nuit tombe :dice:").stdout
    assert re.fullmatch(r" +\d+  La nuit tombe :dice:\n", told)
    here("send", "Ma table", "campaign.open_session")
    assert "2d6" in here("send", "Ma table", "campaign.roll", "expression=2d6", "--as", "player").stdout
    here("send", "Ma table", "campaign.set_dice_mode", "dice_mode=gm")
    assert "9" in here("send", "Ma table", "campaign.roll", "expression=2d6", "dice=[6,3]").stdout
    assert "Nothing changed" in here("send", "Ma table", "campaign.set_dice_mode", "dice_mode=gm").stdout
    made = json.loads(here("send", "Ma table", "campaign.invite", "--json").stdout)
    assert made["events"][0]["data"]["invite"]


def test_refusals_are_sentences_in_the_terminals_language(here, table):
    assert "meneur" in here("send", "Ma table", "campaign.rename", "name=x", "--as", "Ana", rc=2).stderr
    english = here("send", "Ma table", "campaign.rename", "name=x", "--as", "Ana", rc=2, LC_ALL="en_US.UTF-8").stderr
    assert "game master" in english
    assert "(type)" in here("send", "Ma table", "campaign.nope", rc=2).stderr
    assert "(text)" in here("send", "Ma table", "campaign.narrate", "text=12", rc=2).stderr
    assert "unknown, used up" in here("join", "gi.nothing", "--name", "x", "--lang", "en", rc=2).stderr
    assert "begins" in here("journal", "Ma table", LANG="en_US", LC_ALL="").stdout


async def test_the_token_is_what_a_program_sends(here, table, server):
    secret = here("token", "Ma table").stdout.strip()
    async with Client(server.url, secret.split(".")[1], secret) as client:
        assert (await client.get(""))["role"] == "gm"
    assert here("token", "Ma table", "--as", "Ana").stdout.strip() != secret


def test_a_further_invite_is_printed(here, table, tmp_path):
    said = here("invite", "Ma table", "--role", "spectator").stdout
    code = re.search(r"greffier join (\S+)", said)[1]
    joined = here("join", code, "--name", "Zoe", XDG_CONFIG_HOME=str(tmp_path / "another"))
    assert "Zoe (spectator) sits at Ma table" in joined.stdout


def test_ids_are_never_cut(here, table, server):
    for line in here("campaigns", COLUMNS="40").stdout.splitlines():
        assert re.match(r"c_[a-z0-9]{26} ", line)
        assert line.endswith(server.url)
    assert here("campaigns", "--url", f"{server.url}/").stdout
    assert not here("campaigns", "--url", "http://127.0.0.1:1").stdout


def test_a_server_that_moved_is_found_by_the_campaign(here, table, home, server):
    file = home / "greffier" / "seats.json"
    file.write_text(file.read_text().replace(server.url, f"http://127.0.0.1:{free_port()}"))
    here("journal", "Ma table", "--url", f"{server.url}/")
    assert {one["url"] for one in json.loads(file.read_text())} == {server.url}
    here("journal", "Ma table")


def test_rules_that_are_not_there_yet_are_not_offered(here):
    assert '"legends", "dnd35"' in here("new", "X", "--system", "d100", rc=1).stderr


@pytest.mark.parametrize("place", ["nowhere/file.ndjson", "."])
def test_a_file_that_cannot_be_written_is_named(here, table, tmp_path, place):
    assert str(tmp_path / place) in here("export", "Ma table", str(tmp_path / place), rc=2).stderr


@pytest.mark.parametrize(
    ("words", "rc", "said"),
    [
        (("roll", "2d6+1 dégâts"), 0, "dégâts"),
        (("roll", "1d20x"), 1, "^"),
        (("roll", ""), 1, "nothing to throw"),
        (("verify", "/nowhere"), 1, "no file"),
        (("verify", "README.md"), 1, "this is no export of Greffier"),
        (("journal", "unknown"), 1, "No seat"),
        (("journal",), 1, "greffier journal NAME"),
        (("join", "code"), 1, "greffier join CODE --name NAME"),
        (("campaigns",), 0, "campaign"),
        (("--help",), 0, "greffier"),
        (("--version",), 0, "0.1.0"),
        (("new", "Bad", "--url", "127.0.0.1:18100"), 1, "needs http:// in front: http://127.0.0.1:18100"),
        (("new", "Bad", "--system", "foo"), 1, "legends"),
        (("new", "Bad", "--dice", "foo"), 1, "server"),
        (("rebuild", "x", "--view", "nope"), 1, "journal"),
        (("serve", "--port", "83641"), 2, "65535"),
        (("serve", "--database-url", "nonsense"), 2, "postgresql://"),
        (("serve", "--database-url", "postgresql://127.0.0.1:1/x"), 2, "Postgres cannot be reached at 127.0.0.1:1/x"),
        (("serve", "--database-url", "postgresql://127.0.0.1:port/x"), 2, "Postgres cannot be reached"),
        (("serve", "--redis-url", "nonsense"), 2, "redis://"),
        (("serve", "--redis-url", "redis://127.0.0.1:port"), 2, "GREFFIER_REDIS_URL"),
        (("serve", "--host", "no.such.host.invalid"), 2, "no.such.host.invalid"),
    ],
)
def test_the_command_line_answers_in_words(home, tmp_path, words, rc, said):
    done = greffier(*words, home=home, GREFFIER_DATA=str(tmp_path / "data"), GREFFIER_PORT="0")
    assert (done.returncode, "Traceback" in done.stderr) == (rc, False), done.stderr
    assert said in done.stdout + done.stderr
    assert len(done.stderr.splitlines()) <= 1 + done.stderr.count("^"), done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("words", [("demo",), ("export", "x", "x"), ("journal", "x")])
def test_no_server_is_said_in_words(home, words):
    url = f"http://127.0.0.1:{free_port()}"
    file = home / "greffier" / "seats.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps([{"url": url, "campaign": "x", "member": "m", "token": "t"}]))
    done = greffier(*words, home=home, GREFFIER_PORT=url.rpartition(":")[2])
    assert done.returncode == 2
    assert f"No server answers at {url}" in done.stderr
    assert "greffier serve" in done.stderr
    assert ".." not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("new", "x"), ("join", "x", "--name", "x")])
def test_seats_that_cannot_be_kept_are_noticed_before_one_is_taken(tmp_path, words):
    home = tmp_path / "home"
    home.write_text("no folder")
    done = greffier(*words, home=home, GREFFIER_PORT=str(free_port()))
    assert done.returncode == 2
    assert str(home) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_said_before_a_record_is_made(home, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        done = greffier("serve", "--port", port, "--data", str(tmp_path / "data"), home=home)
    assert done.returncode == 2
    assert port in done.stderr
    assert "taken" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


async def test_views_are_rebuilt_from_the_command_line(tmp_path, home):
    running = Running(tmp_path / "data").start()
    async with Client(running.url) as client:
        await client.open("Essai")
        await client.command("campaign.narrate", text="x")
        before = await client.get("views/journal/all", min_seq=3)
    named = greffier("new", "La Brume", "--url", running.url, home=home)
    assert named.returncode == 0, named.stderr
    running.stop()
    for campaign, head in ((client.campaign, 3), ("La Brume", 3)):
        done = greffier("rebuild", campaign, "--data", str(running.data), home=home)
        assert done.returncode == 0, done.stderr
        assert f"journal: rebuilt up to event {head}" in done.stdout
    done = greffier("rebuild", "La Bruine", "--data", str(running.data), home=home)
    assert done.returncode == 1
    assert "no campaign La Bruine" in done.stderr
    assert "rebuilt" not in done.stdout
    running.start()
    try:
        async with Client(running.url, client.campaign, client.token) as again:
            assert (await again.get("views/journal/all", min_seq=3))["rows"] == before["rows"]
    finally:
        running.stop()


def test_rebuilding_makes_no_record(tmp_path, home):
    done = greffier("rebuild", "La Brume", "--data", str(tmp_path / "nowhere"), home=home)
    assert done.returncode == 1
    assert str(tmp_path / "nowhere") in done.stderr
    assert not (tmp_path / "nowhere").exists()
