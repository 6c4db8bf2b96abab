"""The gate of a real server: without the link nothing is told, and only the page itself may change anything."""

from __future__ import annotations

import http.client

import httpx
import pytest

from robustfim_explore.gate import HEADER, is_loopback
from tests.plugins.robustfim_explore.served import TOKEN, Served

PATHS = ["/", "/explore.js", "/explore.css", "/api/state", "/api/labels", "/nowhere", "/?token=wrong", "/?token="]


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_told(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path)
    assert (answer.status_code, answer.text) == (403, "Forbidden\n")
    assert "server" not in answer.headers
    assert "robustfim" not in str(answer.headers)


def test_the_link_gives_a_cookie_that_no_script_and_no_other_site_can_use(served: Served) -> None:
    answer = httpx.get(served.link, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"robustfim_explore_{served.port}={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "localhost.evil:{port}"]
)
def test_a_name_that_is_bent_to_this_machine_is_refused(served: Served, host: str) -> None:
    answer = served.client.get("/", headers={"host": host.format(port=served.port)})
    assert answer.status_code == 403
    assert served.client.get("/", headers={"host": f"localhost:{served.port}"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}"]
)
def test_another_origin_is_refused(served: Served, origin: str) -> None:
    asked = {"origin": origin.format(port=served.port)}
    assert served.client.get("/api/state", headers=asked).status_code == 403
    assert served.client.post("/api/look", json={}, headers=asked).status_code == 403
    assert served.client.get("/api/state", headers={"origin": served.url}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_page_fetches_is_refused(served: Served, site: str) -> None:
    assert served.client.get("/api/state", headers={"sec-fetch-site": site}).status_code == 403


def test_only_the_page_s_own_header_may_change_anything(served: Served) -> None:
    bare = httpx.Client(base_url=served.url, cookies=served.client.cookies)
    failure = next(iter(served.get("state")["reviewable_ids"]))
    for method, path in (
        ("POST", "/api/review"),
        ("POST", "/api/label"),
        ("DELETE", "/api/trials/1"),
        ("PUT", "/api/review"),
    ):
        assert (
            bare.request(
                method, path, json={"failure": failure, "answer": "valid"} if method == "POST" else None
            ).status_code
            == 403
        )
    assert not served.review.exists()
    assert bare.post("/api/review", json={"failure": failure}, headers={HEADER: "0"}).status_code == 403
    for path in ("/api/review", "/api/label", "/api/trials"):
        assert served.client.get(path).status_code in (404, 405)


@pytest.mark.parametrize("path", ["/", "/explore.js", "/api/state", "/api/nothing"])
def test_every_answer_forbids_framing_keeping_and_guessing(served: Served, path: str) -> None:
    headers = served.client.get(path).headers
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_two_headers_of_one_name_are_refused(served: Served) -> None:
    cookie = f"robustfim_explore_{served.port}={TOKEN}"
    statuses = []
    for second in ({}, {"Origin": "http://evil.example"}, {"Cookie": "a=b"}):
        asked = http.client.HTTPConnection("127.0.0.1", served.port)
        asked.putrequest("GET", "/api/state")
        for name, value in (("Cookie", cookie), ("Origin", served.url), *second.items()):
            asked.putheader(name, value)
        asked.endheaders()
        statuses.append(asked.getresponse().status)
        asked.close()
    assert statuses == [200, 403, 403]


def test_a_body_that_is_too_large_is_refused(served: Served) -> None:
    assert served.client.post("/api/look", content=b"x" * 2_000_001).status_code == 413


OWN = {"127.0.0.1": True, "127.9.9.9": True, "::1": True, "localhost": True, "192.168.0.2": False, "example.org": False}


@pytest.mark.parametrize(("host", "own"), OWN.items())
def test_what_is_this_machine_s_own(host: str, own: bool) -> None:
    assert is_loopback(host) is own
