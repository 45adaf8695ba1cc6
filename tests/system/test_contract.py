"""The OpenAPI document says what the server does: its answers, its events, its problems."""

import json

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from domain.campaign.book import FACTS
from events.codec import kind_of
from tests.support.golden import FOLDER
from tests.support.running import Table

SIX = {"strength": 10, "dexterity": 10, "constitution": 10, "intelligence": 10, "wisdom": 10, "charisma": 10}
SHEET = {"system": "legends", "stats": SIX, "hp_max": 50}


@pytest.fixture(scope="module")
def document(server):
    import httpx

    return httpx.get(f"{server.url}/api/schema/openapi.json", timeout=30).json()


@pytest.fixture
async def table(http):
    """A campaign with a bit of everything that can be read."""
    table = await Table.open(http, "ana", systems=["legends", "dnd35"])
    await table.done("campaign.open_session", title="Un")
    await table.done("campaign.create_character", name="A", id="a", sheet=SHEET, owner=table.members["ana"])
    await table.done("campaign.roll", expression="4d6kh3", character="a", by="ana")
    await table.done("campaign.gm_note", text="le roi ment")
    await table.done("campaign.grant", character="a", coins=5, reason="x")
    await table.done("campaign.close_session")
    return table


class Contract:
    """The document, asked about answers."""

    def __init__(self, document):
        self.document = document

    def matches(self, answer, path, method="get"):
        """The answer has a form that the document gives for this address."""
        told = self.document["paths"][path][method]["responses"].get(str(answer.status_code))
        told = told or self.document["paths"][path][method]["responses"]["default"]
        content = told["content"][answer.headers["content-type"].partition(";")[0]]
        self.check(content["schema"], answer.json())

    def check(self, schema, value):
        Draft202012Validator({**schema, "components": self.document["components"]}).validate(value)


@pytest.fixture
def contract(document):
    return Contract(document)


def test_the_document_is_openapi(document):
    validate(document)


def test_every_address_says_what_it_answers_and_in_which_words(document):
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description"), (method, path)
            for status, response in operation["responses"].items():
                for kind, content in response.get("content", {}).items():
                    free = content["schema"] in ({"type": "string"}, {}, {"type": "object"})
                    assert not (free and kind == "application/json"), (method, path, status)


@pytest.mark.parametrize("fact", FACTS, ids=kind_of)
def test_every_event_has_its_form(contract, fact):
    body = json.loads((FOLDER / f"{kind_of(fact)}.json").read_text("utf-8"))
    around = {"seq": 1, "at": "2026-01-01T00:00:00.000000Z", "struck": False, "salt": "", "digest": "", "hash": ""}
    event = {"$ref": "#/components/schemas/Event"}
    contract.check(event, {**body, **around})
    assert not Draft202012Validator({**event, "components": contract.document["components"]}).is_valid(
        {**body, **around, "data": {**body["data"], "no_such_field": []}} | {"type": "no.such"}
    )


async def test_what_is_read_has_the_form_that_is_told(contract, table):
    here = "/api/campaigns/{campaign}"
    for by in ("gm", "ana"):
        for place in ("", "/invites", "/tokens", "/events", "/state", "/head", "/views", "/sessions/1"):
            told = f"{here}/sessions/{{number}}" if place == "/sessions/1" else here + place
            answer = await table.http.get(f"/api/campaigns/{table.campaign}{place}", headers=table.headers(by))
            assert answer.status_code == 200, (place, answer.text)
            contract.matches(answer, told)
        for view in ("journal/all", "sheet/a", "ledger/a", "sessions/all"):
            contract.matches(await table.get(f"views/{view}", by, min_seq=1), here + "/views/{view}/{key}")
    contract.matches(await table.http.get("/api/campaigns", headers=table.headers("gm")), "/api/campaigns")
    contract.matches(await table.http.get("/health/ready"), "/health/ready")


async def test_what_is_done_has_the_form_that_is_told(contract, table):
    here = "/api/campaigns/{campaign}"
    invite = await table.post("invites", {})
    contract.matches(invite, here + "/invites", "post")
    joined = await table.http.post("/api/join", json={"invite": invite.json()["code"], "name": "Bo"})
    contract.matches(joined, "/api/join", "post")
    bo = joined.json()["member"]
    contract.matches(await table.post("tokens", {"name": "bot", "scopes": ["roll"]}, "ana"), here + "/tokens", "post")
    contract.matches(await table.post("tickets", {}, "ana"), here + "/tickets", "post")
    contract.matches(await table.post("cookie", {}, "ana"), here + "/cookie", "post")
    member = f"/api/campaigns/{table.campaign}/members/{bo}"
    contract.matches(
        await table.http.patch(member, json={"name": "Bob"}, headers=table.headers("gm")),
        here + "/members/{member}",
        "patch",
    )
    contract.matches(await table.http.delete(member, headers=table.headers("gm")), here + "/members/{member}", "delete")
    first = await table.give("campaign.narrate", key="k1", text="x")
    again = await table.give("campaign.narrate", key="k1", text="x")
    for answer in (first, again, await table.give("campaign.rename", name="Essai")):
        contract.matches(answer, here + "/commands", "post")
    assert (first.status_code, again.status_code) == (201, 200)
    for wrong in ({"text": "y"}, {"text": 7}, {"no": 1}):
        contract.matches(await table.give("campaign.narrate", key="k1", **wrong), here + "/commands", "post")
    contract.matches(await table.give("campaign.narrate", by="ana", text="x"), here + "/commands", "post")
