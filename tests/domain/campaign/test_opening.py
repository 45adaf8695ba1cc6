"""Opening a campaign: only with rules that this build plays."""

import pytest

from domain.campaign.opening import OpenCampaign, open_campaign
from domain.campaign.systems import SYSTEMS
from domain.kernel.refusal import Refused
from projections.messages import sentence


def test_a_system_that_is_not_played_yet_is_refused_with_those_that_are():
    with pytest.raises(Refused) as refused:
        open_campaign({}, OpenCampaign(name="Brume", systems=("legends", "d100")), context=None)
    assert refused.value.refusal.code == "UNKNOWN_SYSTEM"
    assert dict(refused.value.params) == {"system": "d100", "systems": list(SYSTEMS)}
    for locale in ("fr", "en"):
        assert "Legends & Bonk" in sentence(locale, refused.value.refusal.sentence, refused.value.params)
