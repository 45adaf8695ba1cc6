"""What the command line says of itself and of what goes wrong."""

import tomllib
from typing import get_args

import pytest

from domain.campaign.systems import SYSTEMS
from projections.contents import VIEWS
from services import VERSION
from services.cli import app
from services.cli.hosting import View
from services.cli.playing import send
from services.cli.tables import System, join
from services.cli.telling import Failure, fields, language, told, usage
from services.client import Problem, Unreachable
from tests.support.running import ROOT


@pytest.mark.parametrize(
    ("environment", "speaks"),
    [
        ({}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "fr"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_US.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "fr"),
    ],
)
def test_the_language_is_the_terminals_where_it_is_ours(environment, speaks):
    assert language(None, environment) == speaks
    assert language("en", environment) == "en"


def test_fields_are_json_or_else_text():
    words = ["text=La nuit = noire", "dice=[6,3]", 'name="12"', "coins=-3", "hidden=true", "empty="]
    assert fields(words) == {
        "text": "La nuit = noire",
        "dice": [6, 3],
        "name": "12",
        "coins": -3,
        "hidden": True,
        "empty": "",
    }
    for word in ("text", "=x", "type=campaign.roll"):
        with pytest.raises(Failure, match="no field=value"):
            fields([word])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Unreachable("http://here: it is off."), "No server answers at http://here: it is off. Start"),
        (Problem({"detail": "Non.", "params": {"path": "$.text"}}), "Non. (text)"),
        (IsADirectoryError(21, "Is a directory", "/tmp"), "/tmp: Is a directory."),
        (TimeoutError(), "TimeoutError."),
    ],
)
def test_what_goes_wrong_outside_is_a_sentence(error, said):
    found = told(error)
    assert found is not None
    assert found[0].startswith(said)


def test_a_mistake_of_ours_is_none():
    assert told(ZeroDivisionError()) is None


def test_what_a_command_needs_is_shown():
    assert usage(["join"], join) == "greffier join CODE --name NAME"
    assert usage(["send"], send) == "greffier send NAME TYPE"


def test_the_version_is_the_packages():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_the_choices_are_those_of_this_build():
    assert set(get_args(System)) == set(SYSTEMS)
    assert set(get_args(View)) == set(VIEWS)


def test_every_parameter_is_described_and_none_is_about_nothing():
    for name in app:
        if name.startswith("-"):
            continue
        for argument in app[name].assemble_argument_collection(
            default_parameter=app.default_parameter, parse_docstring=True
        ):
            assert argument.parameter.help, (name, argument.name)
            assert not [one for one in argument.names if one.startswith(("--no-", "--empty-"))], name
