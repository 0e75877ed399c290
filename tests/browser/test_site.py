"""The built site, as visitors meet it: under a sub-path, in three browsers, with everything that can go wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knyf_panel.build.pages import NAMES
from knyf_panel.build.steps import DIST
from knyf_panel.engine import knyf
from knyf_panel.texts import LANGUAGES, load
from tests.browser.conftest import Open
from tests.browser.drivers import Page, eventually
from tests.browser.playing import ALL, FOCUS, PATIENCE
from tests.browser.server import Fault, FaultyServer

pytestmark = pytest.mark.limit(300)  # several starts in a test, and a machine that may be busy
SEED = 7
HAND = knyf.new_game(["Ala", "Olek"], SEED).hands[0]

CARDS = f"{ALL}('div.kp-card').map(card => card.shadowRoot.querySelector('.bk-btn'))"
CHART = "[...Bokeh.documents.at(-1)._all_models.values()].find(model => model.data?.chosen)"
NO_SPACE = "() => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); }"


@pytest.fixture
def site() -> Iterator[FaultyServer]:
    if not (DIST / "knyf.html").exists():
        pytest.fail("there is no site in dist/: run `python build.py build` first")
    with FaultyServer(DIST, base="/knyf/") as server:
        yield server


def asset(name: str) -> str:
    """The path of an asset in the site, by its name without the hash."""
    stem, _, ending = name.partition(".")
    (path,) = DIST.glob(f"assets/{stem}.*.{ending}")
    return path.relative_to(DIST).as_posix()


SNAPSHOT, WASM = "snapshot.bin.zst", "pyodide.wasm.zst"


class Visit:
    """A tab with a page of the site, and what a visitor sees of it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.open(url)

    def wait(self, state: str = "ready") -> Visit:
        self.page.wait_for("/ready|failed/.test(document.documentElement.dataset.state)", PATIENCE)
        assert self.state == state, (self.page.text("#kp-reason"), self.page.browser.console[-5:])
        return self

    def wait_for_hand(self) -> Visit:
        """After moving about in a page that has started."""
        self.page.wait_for(f"document.getElementById('kp-first').hidden && {CARDS}.length >= 5", PATIENCE)
        return self

    def reload(self) -> Visit:
        self.page.reload()
        return self.wait()

    @property
    def state(self) -> str:
        return str(self.page.evaluate("document.documentElement.dataset.state"))

    @property
    def start(self) -> str:
        return str(self.page.evaluate("document.documentElement.dataset.start"))

    @property
    def deal(self) -> str:
        return " ".join((self.page.text(".kp-deal") or "").split())

    @property
    def hand(self) -> tuple[int, ...]:
        return tuple(int(label) for label in self.page.evaluate(f"{CARDS}.map(card => card.textContent.trim())"))

    @property
    def selected(self) -> list[int]:
        """The places of the cards that are raised."""
        raised = self.page.evaluate(f"{CARDS}.map(card => card.classList.contains('bk-active'))")
        return [place for place, is_raised in enumerate(raised) if is_raised]

    @property
    def chart(self) -> list[float]:
        return [*self.page.evaluate(f"[...{CHART}.data.chosen]")]

    @property
    def column(self) -> list[str]:
        """The odds of the choice, in the table."""
        cells = f"{ALL}('tbody td:nth-of-type(2)').filter(cell => cell.getRootNode() !== document)"
        return [*self.page.evaluate(f"{cells}.map(cell => cell.textContent)")]

    @property
    def spoken(self) -> str:
        return self.page.text("#kp-live") or ""

    def click_card(self, place: int) -> None:
        self.page.click(f"div.kp-card:nth-of-type({place + 1})")

    def wait_for_selected(self, *places: int) -> None:
        self.page.wait_for(
            f"{json.dumps(places)}.join() === {CARDS}"
            ".flatMap((card, place) => card.classList.contains('bk-active') ? [place] : []).join()",
            message=f"cards {places} selected",
        )

    def choose(self, *places: int) -> None:
        """Click these cards, and see the odds of that choice in the chart, in the table and in what is read aloud."""
        for place in set(places) ^ set(self.selected):
            self.click_card(place)
        self.wait_for_selected(*places)
        discard = [self.hand[place] for place in places]
        odds = knyf.odds_after(self.hand, discard, len(discard))
        chances = [float(odds[id_].probability) for id_ in knyf.COMBINATIONS]
        eventually(lambda: self.chart == pytest.approx(chances), f"the chart shows {chances}")
        texts = load(self.page.evaluate("document.documentElement.lang"))
        column = [texts.percent(odds[id_].probability) for id_ in knyf.COMBINATIONS]
        eventually(lambda: self.column == column, f"the table shows {column}")
        assert texts.percent(odds["knyf"].probability) in self.spoken
        assert "<" not in self.spoken

    def plays(self) -> bool:
        """Whether choosing cards changes the odds."""
        before = self.chart
        self.choose(0, 3)
        return self.chart != before

    @property
    def is_controlled(self) -> bool:
        return bool(self.page.evaluate("!!navigator.serviceWorker.controller"))

    def wait_for_service_worker(self) -> Visit:
        self.page.wait_for("navigator.serviceWorker.controller?.state === 'activated'", PATIENCE)
        return self

    def caches(self) -> list[str]:
        return [*self.page.evaluate("caches.keys().then(names => names.filter(name => name.startsWith('knyf-')))")]

    def is_shown(self, selector: str) -> bool:
        return bool(self.page.query(selector, "element.getClientRects().length > 0"))


def knyf_page(site: FaultyServer, query: str = f"?seed={SEED}") -> str:
    return f"{site.url}knyf.html{query}"


# ---- The start -------------------------------------------------------------------------------------------------------


def test_from_the_snapshot(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait()
    assert visit.start == "restored"
    assert visit.hand == HAND
    told = visit.spoken
    visit.choose(2, 3, 4)  # all but the pair
    assert visit.spoken != told
    assert page.evaluate("performance.getEntriesByName('knyf:ready').length") == 1
    page.wait_for("document.documentElement.hasAttribute('data-complete')", PATIENCE)
    assert not page.console_errors
    assert page.requests
    assert {url for url in page.requests if not url.startswith(site.url)} == set()
    assert page.evaluate("document.cookie") == ""


def test_without_the_snapshot(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site, f"?seed={SEED}&start=plain")).wait()
    assert visit.start == "plain"
    assert visit.hand == HAND
    assert visit.plays()
    assert not [message for message in page.browser.console if message.level != "info"]  # nothing has gone wrong


@pytest.mark.parametrize("fault", [Fault(missing=True), Fault(corrupt=True)], ids=["missing", "damaged"])
def test_a_bad_snapshot_leads_to_a_plain_start(page: Page, site: FaultyServer, fault: Fault) -> None:
    site.faults[asset(SNAPSHOT)] = fault
    visit = Visit(page, knyf_page(site)).wait()
    assert visit.start == "plain"
    assert visit.hand == HAND
    assert visit.plays()
    told = [message for message in page.browser.console if "starting Python plainly" in message.text]
    assert [message.level.removesuffix("ing") for message in told] == ["warn"]


def test_the_page_goes_on_while_python_works(open_browser: Open, site: FaultyServer) -> None:
    """Counted while Python imports everything, in one go: on the page's own thread there would be no tick at all."""
    ticking = """window.ticks = 0;
        setInterval(() => {
          const {start, state} = document.documentElement.dataset;
          if (start && state === "starting") window.ticks++;
        }, 20);"""
    visit = Visit(open_browser(init_script=ticking).new_page(), knyf_page(site, "?start=plain")).wait()
    assert visit.page.evaluate("ticks") > 5


def test_clicks_before_python_is_ready_are_not_lost(page: Page, site: FaultyServer) -> None:
    arrival = threading.Event()
    site.faults[asset(SNAPSHOT)] = Fault(until=arrival)
    visit = Visit(page, knyf_page(site))
    page.click("[data-early=card-2]")
    page.click("[data-early=card-4]")
    page.click("[data-early=card-1]")
    page.click("[data-early=card-4]")  # taken back
    assert visit.state == "starting"
    assert visit.is_shown("#kp-progress")
    arrival.set()
    visit.wait()
    visit.wait_for_selected(1, 2)
    assert sum(visit.chart) > 0
    assert not visit.is_shown("#kp-progress")


def test_a_failed_start_says_why_and_can_be_tried_again(page: Page, site: FaultyServer) -> None:
    site.faults[asset(WASM)] = Fault(missing=True)
    visit = Visit(page, knyf_page(site)).wait("failed")
    assert visit.is_shown("#kp-failure")
    assert "pyodide.wasm: 404" in (page.text("#kp-reason") or "")
    assert visit.is_shown("#kp-first")  # there is still something to read
    assert not visit.is_shown("#kp-progress")
    site.faults.clear()
    page.click("#kp-retry")
    page.wait_for("document.documentElement.dataset.state === 'ready'", PATIENCE)
    assert not visit.is_shown("#kp-failure")
    assert visit.plays()


@pytest.mark.parametrize("name", ["worker.js", "bokeh.min.js"])
def test_a_missing_script_is_a_failed_start(page: Page, site: FaultyServer, name: str) -> None:
    site.faults[asset(name)] = Fault(missing=True)
    visit = Visit(page, knyf_page(site)).wait("failed")
    assert visit.is_shown("#kp-failure")
    assert page.text("#kp-reason")


def test_reload(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait()
    visit.click_card(1)
    visit.wait_for_selected(1)
    visit.reload()
    assert visit.hand == HAND
    assert visit.plays()
    assert not page.console_errors


# ---- Whose cards -----------------------------------------------------------------------------------------------------


def test_two_visitors_share_cards_only_by_a_link(open_browser: Open, site: FaultyServer) -> None:
    ala, olek = (Visit(open_browser().new_page(), knyf_page(site, "")).wait() for _ in range(2))
    assert re.match(r"Rozdanie nr \d+", ala.deal)
    assert ala.deal != olek.deal
    for visit in (ala, olek):
        visit.page.open(knyf_page(site))
        assert visit.wait().hand == HAND


def test_two_tabs_play_their_own_games(page: Page, site: FaultyServer) -> None:
    first = Visit(page, knyf_page(site, "")).wait()
    second = Visit(page.new_tab(), knyf_page(site, "")).wait()
    assert first.deal != second.deal
    deal = first.deal
    assert second.plays()
    assert first.selected == []
    assert first.plays()
    assert first.deal == deal


@pytest.mark.parametrize(
    "query",
    [
        "?seed=<img src=x onerror=window.broken=1>&lang=<script>window.broken=1</script>&start=<b>",
        "?seed=-1&lang=de",
        "?seed=99999999999999999999&lang=__proto__",
    ],
)
def test_a_hostile_link_shows_an_ordinary_page(page: Page, site: FaultyServer, query: str) -> None:
    visit = Visit(page, knyf_page(site, query)).wait()
    assert re.match(r"Rozdanie nr \d+", visit.deal)
    assert len(visit.hand) == 5
    assert page.evaluate("[document.documentElement.lang, typeof window.broken]") == ["pl", "undefined"]
    assert page.evaluate(f"{ALL}('img, b, main script').length") == 0
    assert not page.console_errors


def test_an_injected_script_does_not_run(page: Page, site: FaultyServer) -> None:
    page.open(site.url)
    refused = page.evaluate("""new Promise(done => {
        addEventListener("securitypolicyviolation", event => done(event.effectiveDirective || event.violatedDirective));
        const script = document.createElement("script");
        script.textContent = "window.broken = 1";
        document.body.append(script);
        setTimeout(done, 5000, "nothing was refused");
    })""")
    assert refused.startswith("script-src")
    assert page.evaluate("typeof window.broken") == "undefined"


# ---- Moving about ----------------------------------------------------------------------------------------------------


def test_from_page_to_page_with_the_same_python(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, site.url).wait()
    page.evaluate("void (window.isTheSame = true)")
    page.click("main a[data-page=knyf]")
    visit.wait_for_hand()
    assert page.evaluate("location.pathname") == "/knyf/knyf.html"
    assert page.evaluate("document.activeElement.id") == "kp-title"
    assert visit.plays()
    page.evaluate("history.back()")
    page.wait_for("document.title === " + json.dumps(load("pl")("site.home.title")))
    page.wait_for("document.querySelector('.kp-games')")
    assert visit.is_shown(".kp-games")
    assert visit.hand == ()
    assert page.evaluate("window.isTheSame")
    assert not page.console_errors


def test_who_goes_on_before_python_is_ready_sees_the_page_they_went_to(page: Page, site: FaultyServer) -> None:
    arrival = threading.Event()
    site.faults[asset(SNAPSHOT)] = Fault(until=arrival)
    visit = Visit(page, knyf_page(site))
    page.click("a[data-page=index]")
    page.wait_for("document.querySelector('.kp-games')")
    arrival.set()
    visit.wait()
    assert visit.is_shown(".kp-games")
    assert visit.hand == ()


def test_the_language_changes_without_a_new_start(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait()
    page.evaluate("void (window.isTheSame = true)")
    for language, heading, home in (("en", "Deal no. 7", "index.html?lang=en"), ("pl", "Rozdanie nr 7", "index.html")):
        page.click(f"a[data-choose={language}]")
        page.wait_for(f"document.documentElement.lang === '{language}'")
        visit.wait_for_hand()
        assert visit.deal.startswith(heading)
        assert visit.hand == HAND
        assert page.evaluate("document.title") == page.text("#kp-title") == load(language)("interface.knyf.title")
        assert page.query("a[data-page=index]", "element.href") == site.url + home
        shown = page.query("header [data-page] [data-language]:not([hidden])", "element.dataset.language")
        assert shown == language
    page.evaluate("history.back()")
    page.wait_for("document.documentElement.lang === 'en'")
    visit.wait_for_hand()
    page.click("a[data-page=index]")
    page.wait_for("document.title === " + json.dumps(load("en")("site.home.title")))
    assert page.evaluate("location.search") == "?lang=en"
    assert page.evaluate("window.isTheSame")
    assert not page.console_errors


def test_by_keyboard(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site, "")).wait()
    deal = visit.deal
    page.press("Tab")
    assert page.evaluate("document.activeElement.className") == "kp-skip"
    page.press("Enter")
    assert page.evaluate("document.activeElement.id") == "kp-main"
    for _ in range(10):
        page.press("Tab")
        if page.evaluate(f"{CARDS}.indexOf({FOCUS})") == 1:
            break
    page.press("Space")
    visit.wait_for_selected(1)
    page.wait_for(f"{CHART}.data.chosen.some(chance => chance > 0)")
    assert page.evaluate(f"{CARDS}.indexOf({FOCUS})") == 1
    page.press("Space")
    visit.wait_for_selected()
    assert visit.deal == deal  # the skip link did not deal anew


# ---- Without a network -----------------------------------------------------------------------------------------------


def test_after_one_visit_no_server_is_needed(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait().wait_for_service_worker()
    site.stop()
    visit.reload()
    assert visit.start == "restored"
    assert visit.hand == HAND
    assert visit.plays()
    page.wait_for("document.documentElement.hasAttribute('data-complete')", PATIENCE)
    second = Visit(page.new_tab(), site.url).wait()
    assert second.is_shown(".kp-games")
    second.page.click("main a[data-page=knyf]")
    assert second.wait_for_hand().plays()


def test_a_second_visit_asks_for_nothing_but_a_new_version(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait().wait_for_service_worker()
    site.log.clear()
    visit.reload()
    page.wait_for("document.documentElement.hasAttribute('data-complete')", PATIENCE)
    assert set(site.paths) <= {"service-worker.js"}


def test_a_file_damaged_in_the_cache_is_fetched_again(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait().wait_for_service_worker()
    (name,) = visit.caches()
    place = f"caches.open('{name}').then(cache => cache.%s)"
    path = asset(SNAPSHOT)
    page.evaluate("void await " + place % f"put('{path}', new Response(new Uint8Array(1e6).fill(7)))")
    visit.reload()
    assert visit.start == "restored"
    assert visit.plays()
    size = "(" + place % f"match('{path}')" + ").then(kept => kept.arrayBuffer()).then(bytes => bytes.byteLength)"
    page.wait_for(f"await {size} === {(DIST / path).stat().st_size}", message="the damaged file is replaced")


def kept_files() -> list[str]:
    """What the service worker keeps, in the order in which it asks for it."""
    listed = re.match(r"const SITE = (\{.*?\n\});", (DIST / "service-worker.js").read_text("utf-8"), re.DOTALL)
    assert listed
    return [*json.loads(listed[1])["files"]]


@pytest.mark.parametrize("fault", [Fault(missing=True), Fault(corrupt=True)], ids=["missing", "damaged"])
def test_kept_whole_or_not_at_all(page: Page, site: FaultyServer, fault: Fault) -> None:
    *_, last = kept_files()  # a style sheet that the home page itself does not need
    site.faults[last] = fault
    visit = Visit(page, site.url).wait()
    eventually(lambda: last in site.paths, "the last file is asked for", PATIENCE)
    page.wait_for("await navigator.serviceWorker.getRegistration().then(found => !found?.installing)", PATIENCE)
    assert visit.caches() == []
    assert page.evaluate("navigator.serviceWorker.getRegistration().then(found => found?.active ?? null)") is None
    site.faults.clear()
    visit.reload().wait_for_service_worker()
    assert len(visit.caches()) == 1


def newer_version(page_name: str, mark: str) -> dict[str, Fault]:
    """A later build in which one page is different."""
    content = (DIST / page_name).read_bytes().replace(b"</main>", f'<p id="{mark}">{mark}</p></main>'.encode())
    script = (DIST / "service-worker.js").read_text("utf-8")
    before, after = (
        base64.b64encode(hashlib.sha256(bytes_).digest()).decode()
        for bytes_ in ((DIST / page_name).read_bytes(), content)
    )
    assert before in script
    script = re.sub('"version": "[^"]*"', f'"version": "{mark}"', script.replace(before, after))
    return {page_name: Fault(instead=content), "service-worker.js": Fault(instead=script.encode())}


def test_a_new_version_waits_for_the_visitor(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site)).wait().wait_for_service_worker()
    assert not visit.is_shown("#kp-update")
    site.faults.update(newer_version("knyf.html", "newer"))
    visit.reload()
    visit.click_card(1)
    visit.wait_for_selected(1)
    page.wait_for("!document.getElementById('kp-update').hidden", PATIENCE)
    assert visit.is_shown("#kp-update button")
    assert page.text("#newer") is None
    assert visit.selected == [1]
    assert visit.plays()
    page.click("#kp-update button")
    page.wait_for("document.getElementById('newer')", PATIENCE)
    visit.wait()
    assert not visit.is_shown("#kp-update")
    page.wait_for("await caches.keys().then(names => names.join() === 'knyf-newer')", PATIENCE)
    assert visit.plays()


def test_the_single_file_needs_no_server_at_all(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "knyf.html"  # alone on a memory stick
    file.write_bytes((DIST / "knyf.single.html").read_bytes())
    visit = Visit(page, file.as_uri()).wait()
    assert visit.start == "restored"
    page.click("main a[data-page=knyf]")
    assert visit.wait_for_hand().plays()
    page.open(f"{file.as_uri()}#page=knyf&seed={SEED}&lang=en")
    page.reload()
    visit.wait().wait_for_hand()
    assert visit.hand == HAND
    assert visit.deal.startswith("Deal no. 7")
    page.click("a[data-page=index]")
    page.wait_for("document.querySelector('.kp-games')")
    assert page.requests == []
    assert not page.console_errors


# ---- Browsers that forbid --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_readable_without_scripts(open_browser: Open, site: FaultyServer, name: str) -> None:
    page = open_browser(scripts=False).new_page()
    page.open(f"{site.url}{name}.html")
    text = " ".join(str(page.evaluate("document.body.innerText")).split())
    for language in LANGUAGES:
        texts = load(language)
        for key in ("site.shell.no_scripts", "site.shell.footer", _introduction(name)):
            assert " ".join(texts(key).split()) in text
    unseen = page.evaluate("""[...document.querySelectorAll("main p, main h2, main th, main td, main li, main a")]
        .filter(element => !element.closest("[hidden]") && !element.classList.contains("kp-visually-hidden"))
        .filter(element => element.textContent.trim() && !element.getClientRects().length)
        .map(element => element.outerHTML)""")
    assert unseen == []
    assert page.evaluate("document.documentElement.dataset.state") == "static"
    page.click("a[data-page=knyf]")
    page.wait_for("location.pathname.endsWith('/knyf.html') && document.querySelector('[data-early]')")


def _introduction(name: str) -> str:
    return "site.home.intro" if name == "index" else f"interface.{name}.intro"


def test_storage_forbidden(open_browser: Open, site: FaultyServer) -> None:
    visit = Visit(open_browser(storage=False).new_page(), knyf_page(site)).wait()
    assert visit.hand == HAND
    assert visit.plays()
    assert not visit.page.console_errors


def test_storage_full(open_browser: Open, site: FaultyServer) -> None:
    """No browser lets a quota be set from outside; so every attempt to store says that it is used up."""
    script = (DIST / "service-worker.js").read_text("utf-8")
    site.faults["service-worker.js"] = Fault(instead=f"Cache.prototype.put = async {NO_SPACE};\n{script}".encode())
    no_room = f"Storage.prototype.setItem = {NO_SPACE};"
    visit = Visit(open_browser(init_script=no_room).new_page(), knyf_page(site, f"?seed={SEED}&lang=en")).wait()
    assert visit.hand == HAND
    assert visit.plays()
    first = kept_files()[0]
    eventually(lambda: site.paths.count(first) == 2, "the service worker fetches what the page has fetched", PATIENCE)
    visit.page.wait_for("await navigator.serviceWorker.getRegistration().then(found => !found?.installing)", PATIENCE)
    visit.page.wait_for("await caches.keys().then(names => names.length === 0)", PATIENCE)
    assert not visit.is_controlled


def test_what_is_stored_is_the_visitors_own(page: Page, site: FaultyServer) -> None:
    visit = Visit(page, knyf_page(site, "?lang=en")).wait().wait_for_service_worker()
    stored: dict[str, Any] = page.evaluate("({...localStorage})")
    assert stored == {"knyf:language": "en"}
    assert page.evaluate("[document.cookie, sessionStorage.length]") == ["", 0]
    assert len(visit.caches()) == 1
