"""What a host may set, and the sentence about what is not possible."""

import re

import pytest

from services.settings import Settings, SettingsError, from_environment, strangers
from tests.support.running import ROOT


@pytest.mark.parametrize(
    ("variable", "value", "takes"),
    [
        ("GREFFIER_PORT", "abc", "1 to 65535"),
        ("GREFFIER_PORT", "83641", "1 to 65535"),
        ("GREFFIER_PORT", "-1", "1 to 65535"),
        ("GREFFIER_LOG_LEVEL", "loud", "debug, info, warning, error or critical"),
        ("GREFFIER_LOG_JSON", "yes", "true or false"),
        ("GREFFIER_APPEND", "batched", "grouped or single"),
        ("GREFFIER_STATES", "0", "from 1 on"),
        ("GREFFIER_LIVE_BUFFER", "-1", "65536"),
        ("GREFFIER_LIVE_CONNECTIONS", "0", "from 1 on"),
        ("GREFFIER_DATABASE_POOL", "0", "from 1 to"),
        ("GREFFIER_DATABASE_URL", "nonsense", "postgresql://"),
        ("GREFFIER_MIGRATE_DATABASE_URL", "mysql://x", "postgresql://"),
        ("GREFFIER_REDIS_URL", "nonsense", "redis://"),
    ],
)
def test_what_is_not_possible_is_named_with_what_is(variable, value, takes):
    with pytest.raises(SettingsError) as refused:
        from_environment({variable: value})
    said = str(refused.value)
    assert said.startswith(f"{variable}={value} is not possible: it takes ")
    assert takes in said


def test_an_option_is_named_as_an_option_and_comes_first():
    with pytest.raises(SettingsError, match=r"^--port 83641 is not possible"):
        from_environment({"GREFFIER_PORT": "1"}, port=83_641)
    assert from_environment({"GREFFIER_PORT": "1"}, port=2).port == 2


def test_the_password_of_a_wrong_address_is_not_shown():
    with pytest.raises(SettingsError) as refused:
        from_environment({"GREFFIER_DATABASE_URL": "mysql://me:secret@here/x"})
    assert "secret" not in str(refused.value)


def test_a_misspelt_variable_is_warned_of_with_the_nearest_one():
    assert list(strangers({"GREFFIER_PROT": "8001", "PATH": "/bin"})) == [
        "There is no setting GREFFIER_PROT: did you mean GREFFIER_PORT?"
    ]
    assert "the README lists" in next(strangers({"GREFFIER_XYZ": "1"}))
    assert from_environment({"GREFFIER_PROT": "8001"}) == Settings()


def test_every_variable_that_anything_here_reads_is_known():
    files = [*(ROOT / "services").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), ROOT / "docker-compose.yml"]
    texts = [one.read_text("utf-8") for one in files if one.name != "test_settings.py"]
    named = {name for text in texts for name in re.findall(r"\bGREFFIER_[A-Z_]*[A-Z]\b", text)} - {"GREFFIER_PROT"}
    assert len(named) > 10
    assert list(strangers(dict.fromkeys(named, "1"))) == []


def test_what_is_possible_is_read():
    given = {
        "GREFFIER_PORT": "0",
        "GREFFIER_LOG_LEVEL": "INFO",
        "GREFFIER_LOG_JSON": "true",
        "GREFFIER_REDIS_URL": "",
        "GREFFIER_DATABASE_URL": "postgresql://me:secret@here/x",
        "PATH": "/bin",
    }
    assert from_environment(given) == Settings(port=0, log_json=True, database_url="postgresql://me:secret@here/x")
    assert from_environment({}) == Settings()
