"""Where the link of an invite leads."""

from tests.support.running import Table


async def test_the_link_of_an_invite_leads_to_a_page_that_says_how_to_join(server, http):
    table = await Table.open(http)
    link = (await table.post("invites", {})).json()["link"]
    page = await http.get(link, headers={"Accept-Language": "en"})
    assert page.status_code == 200
    assert f"greffier join CODE --name … --url {server.url}</pre>" in page.text
    assert "Prenez place" in (await http.get("/")).text


async def test_a_strange_host_puts_nothing_into_the_page(http):
    page = await http.get("/", headers={"Host": "a<script>b"})
    assert "<script>" not in page.text
