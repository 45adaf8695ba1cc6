"""What could have stood where nothing fits."""

import msgspec
import pytest

from services.choices import possible
from services.http.commands import AnyCommand
from services.http.tables import OpenTable
from services.pipeline import Trouble
from services.problems import read_body


@pytest.mark.parametrize(
    ("form", "raw", "told"),
    [
        (AnyCommand, b'{"type": "campaign.rol"}', "campaign.roll"),
        (AnyCommand, b'{"type": "campaign.set_dice_mode", "dice_mode": "x"}', "gm, server, table"),
        (AnyCommand, b'{"type": "campaign.create_character", "name": "x", "sheet": {"system": "x"}}', "dnd35, legends"),
        (OpenTable, b'{"name": "x", "systems": ["x"]}', "d100, dnd35, legends"),
    ],
)
def test_what_could_have_stood_there_is_told(form, raw, told):
    with pytest.raises(Trouble) as trouble:
        read_body(raw, form)
    assert trouble.value.status == 400
    assert told in trouble.value.params["detail"]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type": "x", "a": ' + b"[" * 100_000,
        b'{"type": "campaign.set_dice_mode", "dice_mode": "x", "a": ' + b"[" * 100_000,
        b'{"type": 7}',
        b"[]",
        b"{",
    ],
)
def test_whatever_else_is_wrong_is_no_fault_of_ours(raw):
    with pytest.raises((Trouble, msgspec.DecodeError)):
        read_body(raw, AnyCommand)


def test_what_is_wrong_in_another_way_has_no_choices():
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.json.decode(b'{"name": 7}', type=OpenTable)
    assert possible(OpenTable, b'{"name": 7}', error.value) is None
